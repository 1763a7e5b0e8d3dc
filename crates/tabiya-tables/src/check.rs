//! Holds every position of a table against the positions after it.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use parking_lot::Mutex;
use tabiya_base::Stop;
use tabiya_chess::Color;

use crate::file::{TableFile, file_name};
use crate::layout::{Layout, Squares};
use crate::maker::{TableProgress, source};
use crate::neighbours::{Bytes, Neighbours, Source};
use crate::steps::{each_step, is_check, is_impossible};
use crate::value::{Fate, Metric, Value, value};
use crate::{Material, TableError};

/// Holds a table against itself and those that its captures and promotions lead to: every position's result and distances must
/// follow from the positions after it. Moves forwards alone are used, where making goes backwards. Gives the number of
/// positions.
pub fn check(
    folder: &Path,
    material: Material,
    threads: usize,
    stop: &Stop,
    progress: &mut dyn FnMut(TableProgress),
) -> Result<u64, TableError> {
    let table = Arc::new(TableFile::open(&folder.join(file_name(material)))?);
    let layout = Arc::clone(&table.layout);
    let only_white = material.is_symmetric();
    let mut neighbours = Neighbours::new(&layout, |needed| match needed == material {
        true => {
            let table = Arc::clone(&table);
            let load = Box::new(move |slice, turn| table.slice(slice, turn));
            Ok(Source::new(Arc::clone(&layout), only_white, load))
        }
        false => source(folder, needed),
    })?;
    let mut positions = 0;
    let turns = if only_white { &Color::ALL[..1] } else { &Color::ALL[..] };
    let mut counts = table.counts.clone();
    for slice in 0..layout.slices() {
        progress(TableProgress { material, slices: slice, of: layout.slices() });
        if stop.is_stopped() {
            return Err(TableError::Stopped);
        }
        let bytes = turns.iter().map(|&turn| table.slice(slice, turn));
        let bytes = bytes.collect::<Result<Vec<Bytes>, _>>()?;
        for (half, &turn) in turns.iter().enumerate() {
            let fates = table.fates(slice, turn)?;
            let checking = Checking {
                layout: &layout,
                slice,
                turn,
                bytes: &bytes,
                fates: &fates,
                neighbours: &neighbours,
            };
            let found = checking.run(threads)?;
            for (left, found) in counts[half].fates.iter_mut().zip(found) {
                *left = left.wrapping_sub(found);
                positions += found;
            }
        }
        neighbours.take_failure()?;
        neighbours.trim(1 << 30);
    }
    if counts.iter().any(|counts| counts.fates != [0; 5]) {
        return Err(TableError::damaged(folder.join(file_name(material)))("its counts are wrong"));
    }
    progress(TableProgress { material, slices: layout.slices(), of: layout.slices() });
    Ok(positions)
}

struct Checking<'a> {
    layout: &'a Layout,
    slice: usize,
    turn: Color,
    bytes: &'a [Bytes],
    fates: &'a [u8],
    neighbours: &'a Neighbours,
}

impl Checking<'_> {
    /// How many positions there are of each fate.
    fn run(&self, threads: usize) -> Result<[u64; 5], TableError> {
        const PORTION: usize = 1 << 14;
        let size = self.layout.slice_size;
        let next = AtomicUsize::new(0);
        let result = Mutex::new(Ok([0; 5]));
        let work = || {
            loop {
                let from = next.fetch_add(PORTION, Relaxed);
                if from >= size || result.lock().is_err() {
                    return;
                }
                let mut counts = [0; 5];
                for number in from..(from + PORTION).min(size) {
                    match self.position(number) {
                        Ok(Some(fate)) => counts[fate as usize] += 1,
                        Ok(None) => {}
                        Err(error) => {
                            *result.lock() = Err(error);
                            return;
                        }
                    }
                }
                if let Ok(all) = &mut *result.lock() {
                    all.iter_mut()
                        .zip(counts)
                        .for_each(|(all, count): (&mut u64, u64)| *all += count);
                }
            }
        };
        if threads < 2 || size < 4 * PORTION {
            work();
        } else {
            thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        }
        result.into_inner()
    }

    fn position(&self, number: usize) -> Result<Option<Fate>, TableError> {
        let (layout, turn) = (self.layout, self.turn);
        let squares = layout.squares(self.slice, number);
        let is_position = layout.is_used(&squares, number)
            && !is_impossible(layout, &squares, turn, layout.occupied(&squares));
        if !is_position {
            return Ok(None);
        }
        for metric in [Metric::Mate, Metric::Zeroing] {
            let found = self.stored(metric, &squares, turn)?;
            let expected = self.by_moves(metric, &squares)?;
            if found != expected {
                return Err(self.wrong(&squares, format!("{found:?}"), format!("{expected:?}")));
            }
        }
        let fate = Fate::of(self.stored(Metric::Zeroing, &squares, turn)?);
        let written = self.fates[number];
        if written != fate as u8 {
            return Err(self.wrong(&squares, format!("fate {written}"), fate.to_string()));
        }
        Ok(Some(fate))
    }

    /// What the table says of a position of this slice.
    fn stored(&self, metric: Metric, squares: &Squares, turn: Color) -> Result<Value, TableError> {
        let found = match (self.bytes.get(turn as usize), self.layout.number_in_slice(squares)) {
            (Some(bytes), Some(number)) => Some((bytes, number)),
            (None, _) => {
                // Both sides have the same men: Black to move is looked up with the colours swapped.
                let swapped = self.layout.with_colors_swapped(squares);
                if self.layout.slices() > 1 {
                    return Ok(self.neighbours.here(metric, squares, turn));
                }
                self.bytes.first().zip(self.layout.number_in_slice(&swapped))
            }
            _ => None,
        };
        let (bytes, number) = found.ok_or(TableError::Inconsistent)?;
        Ok(value(metric, bytes.mate[number], bytes.zeroing[number]))
    }

    fn by_moves(&self, metric: Metric, squares: &Squares) -> Result<Value, TableError> {
        let mut best: Option<Value> = None;
        let mut failure = Ok(());
        each_step(self.layout, squares, self.turn, false, |step| {
            let value = if step.leaves_slice() {
                self.neighbours.value(metric, squares, self.turn, &step)
            } else {
                let mut after = *squares;
                after[step.piece] = step.to;
                match self.stored(metric, &after, !self.turn) {
                    Ok(value) => value.before(metric, false),
                    Err(error) => {
                        failure = Err(error);
                        Value::Draw
                    }
                }
            };
            best = Some(best.map_or(value, |best| best.better(value)));
        });
        failure?;
        Ok(best.unwrap_or(match is_check(self.layout, squares, self.turn) {
            true => Value::Loss(0),
            false => Value::Draw,
        }))
    }

    fn wrong(&self, squares: &Squares, found: String, expected: String) -> TableError {
        let mut board = tabiya_chess::Board::empty();
        for (&square, &piece) in squares.iter().zip(&self.layout.pieces) {
            board.put(square, piece);
        }
        let fen = format!("{board} {} - - 0 1", self.turn.letter());
        TableError::Wrong { material: self.layout.material, fen, found, expected }
    }
}
