//! Where captures, promotions and pawn moves lead: tables and slices that are finished.

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use tabiya_chess::{Color, Piece, Role, Square};

use crate::layout::{Layout, MOST_MEN, Squares};
use crate::steps::{Step, each_en_passant, each_step};
use crate::value::{Metric, Value, value};
use crate::{Material, TableError};

/// What is known of a slice with one side to move: a byte for each number and metric.
pub(crate) struct Bytes {
    pub(crate) mate: Vec<u8>,
    pub(crate) zeroing: Vec<u8>,
}

/// Reads a slice with a side to move.
pub(crate) type Load = dyn Fn(usize, Color) -> Result<Bytes, TableError> + Send + Sync;

/// A finished table, or one whose first slices are, read as far as it is needed.
pub(crate) struct Source {
    layout: Arc<Layout>,
    load: Box<Load>,
    slices: Vec<[OnceLock<Bytes>; 2]>,
    /// Whether only positions with White to move are there, because colours can be swapped.
    only_white: bool,
}

impl Source {
    pub(crate) fn new(layout: Arc<Layout>, only_white: bool, load: Box<Load>) -> Source {
        let slices = (0..layout.slices()).map(|_| Default::default()).collect();
        Source { layout, load, slices, only_white }
    }

    fn bytes_held(&self) -> usize {
        let loaded = self.slices.iter().flatten().filter(|slice| slice.get().is_some()).count();
        loaded * 2 * self.layout.slice_size
    }
}

/// The table that a kind of move leads to, and how the pieces are found there.
struct Child {
    /// None if two bare kings are left.
    source: Option<usize>,
    swapped: bool,
    order: [usize; MOST_MEN],
    men: usize,
}

/// All tables that moves of an ending lead to.
pub(crate) struct Neighbours {
    layout: Arc<Layout>,
    sources: Vec<Source>,
    /// By what is taken, what promotes and whose move it is: see [`child_number`].
    children: Vec<Option<Child>>,
    failure: Mutex<Option<TableError>>,
}

fn child_number(taken: Option<usize>, promoted: Option<(usize, Role)>, turn: Color) -> usize {
    let taken = taken.map_or(0, |piece| piece + 1);
    let promoted = promoted.map_or(0, |(piece, role)| 1 + piece * 4 + (role as usize - 1));
    (taken * (1 + MOST_MEN * 4) + promoted) * 2 + turn as usize
}

impl Neighbours {
    /// `source` finds the tables that come before, and the one itself as far as it is made.
    pub(crate) fn new(
        layout: &Arc<Layout>,
        mut source: impl FnMut(Material) -> Result<Source, TableError>,
    ) -> Result<Neighbours, TableError> {
        let mut materials: Vec<Material> = Vec::new();
        let mut neighbours = Neighbours {
            layout: Arc::clone(layout),
            sources: Vec::new(),
            children: Vec::new(),
            failure: Mutex::new(None),
        };
        let pieces = &layout.pieces;
        let takings =
            (0..pieces.len()).map(Some).filter(|&piece| piece != Some(0) && piece != Some(1));
        for taken in [None].into_iter().chain(takings) {
            let promotions =
                (0..pieces.len()).filter(|&n| pieces[n].role == Role::Pawn).flat_map(|n| {
                    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
                        .map(|role| Some((n, role)))
                });
            for promoted in [None].into_iter().chain(promotions) {
                for turn in Color::ALL {
                    // The side to move after it.
                    let is_taken = |piece: usize| pieces[piece].color == turn;
                    let promotes = promoted.is_none_or(|(piece, _)| !is_taken(piece));
                    if !taken.is_none_or(is_taken)
                        || !promotes
                        || taken == promoted.map(|p| p.0) && taken.is_some()
                    {
                        continue;
                    }
                    let mut left: Vec<(usize, Piece)> =
                        pieces.iter().copied().enumerate().collect();
                    if let Some((piece, role)) = promoted {
                        left[piece].1.role = role;
                    }
                    left.retain(|&(piece, _)| Some(piece) != taken);
                    let (material, swapped) =
                        Material::of_pieces(left.iter().map(|&(_, piece)| piece));
                    let child = if material.men() < 3 {
                        Child { source: None, swapped, order: [0; MOST_MEN], men: 2 }
                    } else {
                        let number = match materials.iter().position(|&known| known == material) {
                            Some(number) => number,
                            None => {
                                materials.push(material);
                                neighbours.sources.push(source(material)?);
                                materials.len() - 1
                            }
                        };
                        let source = &neighbours.sources[number];
                        let swapped = match source.only_white {
                            true => turn == Color::Black,
                            false => swapped,
                        };
                        let mut order = [0; MOST_MEN];
                        for (place, &wanted) in order.iter_mut().zip(&source.layout.pieces) {
                            let is_it = |&(_, piece): &(usize, Piece)| {
                                piece.role == wanted.role
                                    && (piece.color != wanted.color) == swapped
                            };
                            let found =
                                left.iter().position(is_it).ok_or(TableError::Inconsistent)?;
                            *place = left.remove(found).0;
                        }
                        Child { source: Some(number), swapped, order, men: material.men() }
                    };
                    let number = child_number(taken, promoted, turn);
                    if neighbours.children.len() <= number {
                        neighbours.children.resize_with(number + 1, || None);
                    }
                    neighbours.children[number] = Some(child);
                }
            }
        }
        Ok(neighbours)
    }

    /// What a move that leaves the slice is worth for the side that makes it.
    pub(crate) fn value(
        &self,
        metric: Metric,
        squares: &Squares,
        turn: Color,
        step: &Step,
    ) -> Value {
        let mut after = *squares;
        after[step.piece] = step.to;
        let promoted = step.promotes_to.map(|role| (step.piece, role));
        let mut value = self.look_up(metric, &after, !turn, step.taken, promoted);
        if let Some(passed) = step.passed {
            value = self.with_en_passant(metric, &after, !turn, value, passed, step.piece);
        }
        value.before(metric, true)
    }

    /// Tables do not know of en passant: the value of a position with it.
    fn with_en_passant(
        &self,
        metric: Metric,
        squares: &Squares,
        turn: Color,
        without: Value,
        passed: Square,
        passer: usize,
    ) -> Value {
        let mut best: Option<Value> = None;
        each_en_passant(&self.layout, squares, turn, passed, passer, |step| {
            let value = self.value(metric, squares, turn, &step);
            best = Some(best.map_or(value, |best| best.better(value)));
        });
        let Some(best) = best else { return without };
        let mut has_others = false;
        each_step(&self.layout, squares, turn, false, |_| has_others = true);
        if has_others { best.better(without) } else { best }
    }

    /// What is known of a position of the ending itself.
    pub(crate) fn here(&self, metric: Metric, squares: &Squares, turn: Color) -> Value {
        self.look_up(metric, squares, turn, None, None)
    }

    fn look_up(
        &self,
        metric: Metric,
        squares: &Squares,
        turn: Color,
        taken: Option<usize>,
        promoted: Option<(usize, Role)>,
    ) -> Value {
        let child = self.children.get(child_number(taken, promoted, turn)).and_then(Option::as_ref);
        let Some(child) = child else {
            self.fail(TableError::Inconsistent);
            return Value::Draw;
        };
        let Some(source) = child.source else { return Value::Draw };
        let source = &self.sources[source];
        let mut there = [Square::A1; MOST_MEN];
        for (to, &from) in there.iter_mut().zip(&child.order[..child.men]) {
            let square = squares[from];
            *to = if child.swapped { Square::ALL[square as usize ^ 56] } else { square };
        }
        let turn = if child.swapped { !turn } else { turn };
        let Some((slice, number)) = source.layout.locate(&there) else {
            self.fail(TableError::Inconsistent);
            return Value::Draw;
        };
        let bytes = source.slices[slice][turn as usize].get_or_init(|| {
            (source.load)(slice, turn).unwrap_or_else(|error| {
                self.fail(error);
                Bytes { mate: Vec::new(), zeroing: Vec::new() }
            })
        });
        let byte = |bytes: &[u8]| bytes.get(number).copied().unwrap_or(0);
        value(metric, byte(&bytes.mate), byte(&bytes.zeroing))
    }

    /// What went wrong first is told, the rest is not worth it.
    fn fail(&self, error: TableError) {
        self.failure.lock().get_or_insert(error);
    }

    /// What went wrong since the last time.
    pub(crate) fn take_failure(&self) -> Result<(), TableError> {
        self.failure.lock().take().map_or(Ok(()), Err)
    }

    /// Forgets what has been read if it is more than so many bytes.
    pub(crate) fn trim(&mut self, most: usize) {
        if self.sources.iter().map(Source::bytes_held).sum::<usize>() > most {
            for slice in self.sources.iter_mut().flat_map(|source| &mut source.slices) {
                *slice = Default::default();
            }
        }
    }
}
