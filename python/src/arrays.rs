//! Positions as arrays of NumPy, without the interpreter and on all cores.

use std::sync::Mutex;
use std::sync::PoisonError;

use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tabiya_base::Random;
use tabiya_chess::{Color, Position, Role};
use tabiya_nnue::Network;

use crate::board::{BoardCore, look};
use crate::move_index::{self, MOVES};
use crate::piece_move::{Move, shared};
use crate::scan::{Scanned, ScannedGame, Stream, points, step_of, threads_or_all};
use crate::state::{BACK_RANKS, PAWN, bit};

/// Positions in a row, from which arrays are made. They take 120 bytes each.
///
/// >>> from tabiya import arrays
/// >>> positions = arrays.Positions.from_fens(["4k3/8/8/8/8/8/8/4K2R w K - 0 1"])
/// >>> positions.planes().shape
/// (1, 8, 8, 12)
#[pyclass(frozen, sequence, module = "tabiya.arrays")]
pub(crate) struct Positions {
    positions: Vec<Position>,
}

/// An array of so many numbers for each position. `work` is done for parts of the positions on several threads, without
/// the interpreter; NumPy makes the array, and raises a MemoryError where there is no room for it.
fn filled<'py, T: Element + Copy + Send>(
    py: Python<'py>,
    positions: &[Position],
    row: &[usize],
    threads: usize,
    work: impl Fn(&Position, &mut [T]) + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let width = row.iter().product();
    let shape = PyTuple::new(py, [&[positions.len()], row].concat())?;
    let array = py.import("numpy")?.call_method1("zeros", (shape, T::get_dtype(py)))?;
    {
        let mut array = array.cast::<PyArrayDyn<T>>()?.try_readwrite()?;
        let numbers = array.as_slice_mut()?;
        py.detach(|| fill(positions, numbers, width, threads, work));
    }
    Ok(array)
}

fn fill<T: Send>(
    positions: &[Position],
    numbers: &mut [T],
    width: usize,
    threads: usize,
    work: impl Fn(&Position, &mut [T]) + Send + Sync,
) {
    if threads == 1 || positions.len() < 512 {
        for (position, row) in positions.iter().zip(numbers.chunks_mut(width)) {
            work(position, row);
        }
        return;
    }
    let part = positions.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for (positions, numbers) in positions.chunks(part).zip(numbers.chunks_mut(part * width)) {
            let work = &work;
            scope.spawn(move || {
                for (position, row) in positions.iter().zip(numbers.chunks_mut(width)) {
                    work(position, row);
                }
            });
        }
    });
}

fn column<T: Element>(py: Python<'_>, numbers: Vec<T>) -> Bound<'_, PyAny> {
    PyArray1::from_vec(py, numbers).into_any()
}

/// The twelve sets of pieces: White's pawns to kings, then Black's; from the mover's side if wanted.
fn sets(position: &Position, relative: bool) -> [u64; 12] {
    let flip = relative && position.turn() == Color::Black;
    let first = if flip { Color::Black } else { Color::White };
    let board = position.board();
    let mut sets = [0; 12];
    for (at, set) in sets.iter_mut().enumerate() {
        let color = if at < 6 { first } else { !first };
        let pieces = board.pieces(Role::ALL[at % 6].of(color)).0;
        *set = if flip { pieces.swap_bytes() } else { pieces };
    }
    sets
}

fn planes<T: Copy>(
    position: &Position,
    row: &mut [T],
    one: T,
    relative: bool,
    last: bool,
    extra: bool,
) {
    let count = if extra { 18 } else { 12 };
    let mut put = |plane: usize, square: usize| {
        let at = if last { square * count + plane } else { plane * 64 + square };
        if let Some(place) = row.get_mut(at) {
            *place = one;
        }
    };
    for (plane, mut set) in sets(position, relative).into_iter().enumerate() {
        while set != 0 {
            put(plane, set.trailing_zeros() as usize);
            set &= set - 1;
        }
    }
    if !extra {
        return;
    }
    let flip = relative && position.turn() == Color::Black;
    let turned = |square: usize| if flip { square ^ 56 } else { square };
    let first = if flip { Color::Black } else { Color::White };
    for rook in position.castling_rights().rooks() {
        let color = if rook.index() < 8 { Color::White } else { Color::Black };
        let king_side = rook.index() > position.king(color).index();
        let plane = 12 + if color == first { 0 } else { 2 } + usize::from(!king_side);
        (0..64).for_each(|square| put(plane, square));
    }
    if let Some(square) = position.legal_ep_square() {
        put(16, turned(square.index()));
    }
    if position.turn() == Color::White || relative {
        (0..64).for_each(|square| put(17, square));
    }
}

#[pymethods]
impl Positions {
    /// The positions of FENs; ValueError, which names the first that is none.
    #[staticmethod]
    #[pyo3(signature = (fens, threads=None))]
    fn from_fens(py: Python<'_>, fens: Vec<String>, threads: Option<usize>) -> PyResult<Positions> {
        let threads = threads_or_all(threads)?;
        let parse = |part: &[String], first: usize| -> Result<Vec<Position>, String> {
            part.iter()
                .enumerate()
                .map(|(at, fen)| {
                    Position::from_fen_prefix(fen).map_err(|error| {
                        format!("the FEN {} is none: {error}: {fen:?}", first + at)
                    })
                })
                .collect()
        };
        let parsed = py.detach(|| {
            let part = fens.len().div_ceil(threads).max(512);
            std::thread::scope(|scope| {
                let work: Vec<_> = fens
                    .chunks(part)
                    .enumerate()
                    .map(|(number, fens)| scope.spawn(move || parse(fens, number * part)))
                    .collect();
                let mut all = Vec::with_capacity(fens.len());
                for one in work {
                    all.extend(one.join().map_err(|_| "a thread has failed".to_owned())??);
                }
                Ok::<_, String>(all)
            })
        });
        Ok(Positions { positions: parsed.map_err(PyValueError::new_err)? })
    }

    /// The positions of boards; ValueError, which names the first that is impossible.
    #[staticmethod]
    fn from_boards(boards: &Bound<'_, PyAny>) -> PyResult<Positions> {
        let mut positions = Vec::new();
        for (number, board) in boards.try_iter()?.enumerate() {
            let board = board?;
            let board = look(board.cast::<BoardCore>()?)?;
            positions.push(board.state.position(board.castling()).map_err(|problem| {
                PyValueError::new_err(format!(
                    "the board {number} is no position of a game: {problem} ({})",
                    crate::notation::board_fen(&board.state, false)
                ))
            })?);
        }
        Ok(Positions { positions })
    }

    /// The positions of games of a scan: all from the start to the end, those with which they begin included.
    #[staticmethod]
    fn from_scanned(games: &Bound<'_, PyAny>) -> PyResult<Positions> {
        let mut positions = Vec::new();
        for game in games.try_iter()? {
            positions.extend(game?.cast::<ScannedGame>()?.get().positions());
        }
        Ok(Positions { positions })
    }

    fn __len__(&self) -> usize {
        self.positions.len()
    }

    /// The FEN of a position.
    fn fen(&self, index: usize) -> PyResult<String> {
        let position = self.positions.get(index).ok_or_else(|| {
            PyIndexError::new_err(format!("there are {} positions", self.positions.len()))
        })?;
        Ok(position.fen())
    }

    /// The FENs of all.
    fn fens(&self) -> Vec<String> {
        self.positions.iter().map(Position::fen).collect()
    }

    /// Sets of pieces as numbers of 64 bits: an array of N × 12, White's pawns, knights, bishops, rooks, queens, king, then
    /// Black's. `relative`: first those of the side to move, which plays upwards.
    #[pyo3(signature = (*, relative=false, threads=None))]
    fn bitboards<'py>(
        &self,
        py: Python<'py>,
        relative: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let threads = threads_or_all(threads)?;
        filled(py, &self.positions, &[12], threads, |position, row: &mut [u64]| {
            row.copy_from_slice(&sets(position, relative));
        })
    }

    /// Planes of zeros and ones for a network: N × 8 × 8 × 12, or N × 12 × 8 × 8 with `channels_last=False`. The first row is the
    /// first rank. `extra`: six more planes for castling (four), en passant and the side to move. `dtype` is "uint8" or
    /// "float32".
    #[pyo3(signature = (*, dtype="uint8", relative=false, channels_last=true, extra=false, threads=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        dtype: &str,
        relative: bool,
        channels_last: bool,
        extra: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (count, threads) = (if extra { 18 } else { 12 }, threads_or_all(threads)?);
        let shape = if channels_last { [8, 8, count] } else { [count, 8, 8] };
        match dtype {
            "uint8" => filled(py, &self.positions, &shape, threads, |position, row: &mut [u8]| {
                planes(position, row, 1, relative, channels_last, extra);
            }),
            "float32" => {
                filled(py, &self.positions, &shape, threads, |position, row: &mut [f32]| {
                    planes(position, row, 1.0, relative, channels_last, extra);
                })
            }
            other => Err(PyValueError::new_err(format!(
                "planes are \"uint8\" or \"float32\", not {other:?}"
            ))),
        }
    }

    /// Which moves are legal, by their numbers: an array of N × 4672 of booleans.
    #[pyo3(signature = (*, relative=false, threads=None))]
    fn legal_masks<'py>(
        &self,
        py: Python<'py>,
        relative: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let threads = threads_or_all(threads)?;
        filled(py, &self.positions, &[MOVES], threads, |position, row: &mut [bool]| {
            let flip = relative && position.turn() == Color::Black;
            let chess960 = !position.castles_as_in_standard_chess();
            for played in &position.legal_moves() {
                let index = move_index::index(step_of(*played, chess960), flip);
                if let Some(place) = index.and_then(|index| row.get_mut(usize::from(index))) {
                    *place = true;
                }
            }
        })
    }

    /// Whether White is to move.
    fn turns<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        column::<bool>(py, self.positions.iter().map(|one| one.turn() == Color::White).collect())
    }

    /// How many moves are legal.
    fn mobilities<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let counts = self.positions.iter().map(|one| one.count_legal_moves() as u16);
        column::<u16>(py, counts.collect())
    }

    /// What Tabiya's network says of each position, in centipawns for the side to move.
    #[pyo3(signature = (*, threads=None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let threads = threads_or_all(threads)?;
        let network = Network::built_in();
        filled(py, &self.positions, &[], threads, |position, row: &mut [i32]| {
            if let Some(place) = row.first_mut() {
                *place = network.evaluate(position);
            }
        })
    }

    fn __repr__(&self) -> String {
        format!("<Positions: {}>", self.positions.len())
    }
}

/// The number of a move, from 0 to 4671; ValueError for what no piece does.
#[pyfunction]
#[pyo3(signature = (r#move, *, flip=false))]
pub(crate) fn index_of_move(r#move: &Move, flip: bool) -> PyResult<u16> {
    move_index::index(r#move.step, flip).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{} is no move of a piece, so it has no number",
            crate::notation::uci(r#move.step)
        ))
    })
}

/// The move of a number on a board; a pawn that reaches the last rank becomes a queen if nothing else is told.
#[pyfunction]
#[pyo3(signature = (board, index, *, flip=false))]
pub(crate) fn move_of_index(
    py: Python<'_>,
    board: &BoardCore,
    index: u16,
    flip: bool,
) -> PyResult<Py<Move>> {
    let mut step = move_index::step(index, flip, board.state.turn).ok_or_else(|| {
        PyValueError::new_err(format!("{index} is the number of no move: it leaves the board"))
    })?;
    if step.promotion == 0
        && board.state.kind(PAWN) & bit(step.from) != 0
        && bit(step.to) & BACK_RANKS != 0
    {
        step.promotion = crate::state::QUEEN;
    }
    Ok(shared(py, step))
}

/// A position of a game, and what came of it.
#[derive(Clone, Copy)]
struct Sample {
    position: Position,
    game: u64,
    ply: u16,
    index: i16,
    points: f32,
    ratings: [i16; 2],
}

struct Source {
    stream: Stream,
    /// Samples to be given, shuffled if wanted.
    waiting: Vec<Sample>,
    random: Random,
    ended: bool,
    games: u64,
}

/// Positions of games in batches.
#[pyclass(frozen, module = "tabiya.arrays")]
pub(crate) struct Samples {
    source: Mutex<Source>,
    batch: usize,
    shuffle: usize,
    skip: usize,
    every: usize,
    relative: bool,
    known_only: bool,
    /// Games whose number falls into this part of 100 are taken.
    part: (u8, u8),
}

impl Samples {
    fn add(&self, source: &mut Source, game: &Scanned) {
        let number = source.games;
        source.games += 1;
        // The same game is always in the same part, whatever the size of batches.
        let place = (tabiya_base::mix(number) % 100) as u8;
        let points = points(game);
        if place < self.part.0 || place >= self.part.1 || (self.known_only && points.is_none()) {
            return;
        }
        let rating = |name: &str| game.tag(name).and_then(|value| value.parse().ok()).unwrap_or(0);
        let ratings = [rating("WhiteElo"), rating("BlackElo")];
        let mut position = game.start;
        let chess960 = !position.castles_as_in_standard_chess();
        for (ply, played) in game.moves.iter().enumerate() {
            let Some(played) = played else { return };
            if ply >= self.skip && (ply - self.skip).is_multiple_of(self.every) {
                let flip = self.relative && position.turn() == Color::Black;
                let index = move_index::index(step_of(*played, chess960), flip);
                source.waiting.push(Sample {
                    position,
                    game: number,
                    ply: ply as u16,
                    index: index.map_or(-1, |index| index as i16),
                    points: points.unwrap_or(f32::NAN),
                    ratings,
                });
            }
            position.play_unchecked(*played);
        }
    }

    fn next_batch(&self) -> PyResult<Vec<Sample>> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = self.batch + self.shuffle;
        while source.waiting.len() < wanted && !source.ended {
            match source.stream.next()? {
                Some((_, game)) => self.add(&mut source, &game),
                None => source.ended = true,
            }
        }
        let count = self.batch.min(source.waiting.len());
        let source = &mut *source;
        if self.shuffle == 0 {
            return Ok(source.waiting.drain(..count).collect());
        }
        let mut batch = Vec::with_capacity(count);
        for _ in 0..count {
            let chosen = source.random.below(source.waiting.len());
            batch.push(source.waiting.swap_remove(chosen));
        }
        Ok(batch)
    }
}

#[pymethods]
impl Samples {
    #[new]
    #[pyo3(signature = (paths, batch, shuffle, skip, every, relative, known_only, part, seed, threads))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        paths: Vec<String>,
        batch: usize,
        shuffle: usize,
        skip: usize,
        every: usize,
        relative: bool,
        known_only: bool,
        part: (u8, u8),
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Samples> {
        if batch == 0 || every == 0 {
            return Err(PyValueError::new_err("a batch and a step have at least one position"));
        }
        let stream = Stream::new(paths, threads_or_all(threads)?, false);
        let random = Random::new(seed);
        let source = Source { stream, waiting: Vec::new(), random, ended: false, games: 0 };
        let source = Mutex::new(source);
        Ok(Samples { source, batch, shuffle, skip, every, relative, known_only, part })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// The next batch: positions, and arrays by name.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(Positions, Bound<'py, PyDict>)>> {
        let batch = py.detach(|| self.next_batch())?;
        if batch.is_empty() {
            return Ok(None);
        }
        let all = PyDict::new(py);
        let small = |of: fn(&Sample) -> i16| column(py, batch.iter().map(of).collect());
        all.set_item("moves", small(|one| one.index))?;
        all.set_item("white_elo", small(|one| one.ratings[0]))?;
        all.set_item("black_elo", small(|one| one.ratings[1]))?;
        all.set_item("results", column(py, batch.iter().map(|one| one.points).collect()))?;
        all.set_item("games", column(py, batch.iter().map(|one| one.game).collect()))?;
        all.set_item("plies", column(py, batch.iter().map(|one| one.ply).collect()))?;
        let positions = batch.iter().map(|one| one.position).collect();
        Ok(Some((Positions { positions }, all)))
    }

    /// What was wrong with games so far: file, number of the game, line, column, reason.
    fn _errors(&self) -> Vec<(String, u64, u64, u64, String)> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).stream.errors.clone()
    }
}
