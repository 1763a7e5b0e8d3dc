//! Whole files of games at the speed of Rust: threads read, Python takes what is ready.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};
use tabiya_chess::{Color, Move as Played, Position};
use tabiya_pgn::files::{Blocks, open};
use tabiya_pgn::{GameResult, Interest, RawTag, ReadError, Reader, Visitor};

use crate::piece_move::shared;
use crate::state::{Step, kind_of};

/// A move as Python writes it.
pub(crate) fn step_of(played: Played, chess960: bool) -> Step {
    let from = played.from().index() as u8;
    let to = match played.castling_rook() {
        Some(rook) if chess960 => rook,
        _ => played.to(),
    };
    Step { promotion: played.promotes_to().map_or(0, kind_of), ..Step::new(from, to.index() as u8) }
}

/// The names of the tags of a block, and the same as texts of Python, which are made once for all of its games.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    interned: PyOnceLock<Vec<Py<PyString>>>,
}

impl Names {
    fn interned(&self, py: Python<'_>) -> &[Py<PyString>] {
        self.interned.get_or_init(py, || {
            self.names.iter().map(|name| PyString::intern(py, name).unbind()).collect()
        })
    }
}

/// What is kept of a game: its tags and the moves of its main line.
pub(crate) struct Scanned {
    names: Arc<Names>,
    /// For each tag the place of its name, and where its value ends in `values`.
    tags: Box<[(u32, u32)]>,
    values: Box<str>,
    pub(crate) start: Position,
    /// None for a null move.
    pub(crate) moves: Box<[Option<Played>]>,
    pub(crate) result: Option<GameResult>,
}

impl Scanned {
    /// The value of a tag.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|&(tag, _)| self.names.names[tag] == name).map(|(_, value)| value)
    }

    /// The places of the names, and the values.
    fn tags(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut begin = 0;
        self.tags.iter().map(move |&(name, end)| {
            let value = &self.values[std::mem::replace(&mut begin, end as usize)..end as usize];
            (name as usize, value)
        })
    }
}

/// A game of a block: where its tags, values and moves end.
struct Row {
    number: u64,
    tags: usize,
    values: usize,
    moves: usize,
    start: Position,
    result: Option<GameResult>,
}

/// Collects the games of a block in a few long vectors, as thousands of small ones would cost more than reading.
#[derive(Default)]
struct Collector {
    names: Vec<String>,
    places: HashMap<String, usize>,
    tags: Vec<(u32, u32)>,
    values: String,
    moves: Vec<Option<Played>>,
    games: Vec<Row>,
    /// The game that is being read.
    number: u64,
    start: Option<Position>,
    /// Only the tags are wanted.
    tags_only: bool,
}

impl Collector {
    /// How much of each vector belongs to games that are whole.
    fn ends(&self) -> (usize, usize, usize) {
        self.games.last().map_or((0, 0, 0), |game| (game.tags, game.values, game.moves))
    }
}

impl Visitor for Collector {
    fn begin_game(&mut self) {
        let (tags, values, moves) = self.ends();
        self.tags.truncate(tags);
        self.values.truncate(values);
        self.moves.truncate(moves);
        self.number += 1;
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        // Most games have the same tags in the same order.
        let expected = self.tags.len() - self.ends().0;
        let is_it = |name: &String| name.as_bytes() == tag.name;
        let name = match self.names.get(expected).is_some_and(is_it) {
            true => expected,
            false => {
                let name = String::from_utf8_lossy(tag.name);
                match self.places.get(&*name) {
                    Some(&place) => place,
                    None => {
                        self.names.push(name.clone().into_owned());
                        self.places.insert(name.into_owned(), self.names.len() - 1);
                        self.names.len() - 1
                    }
                }
            }
        };
        self.values.push_str(&tag.value());
        // A block is far smaller than 4 GiB.
        self.tags.push((name as u32, self.values.len() as u32));
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.start = Some(*start);
        if self.tags_only { Interest::Skip } else { Interest::Read }
    }

    fn played(&mut self, played: &tabiya_pgn::Played<'_>) {
        self.moves.push(played.played);
    }

    fn begin_variation(&mut self) -> Interest {
        Interest::Skip
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.games.push(Row {
            number: self.number,
            tags: self.tags.len(),
            values: self.values.len(),
            moves: self.moves.len(),
            start: self.start.take().unwrap_or_else(Position::initial),
            result,
        });
    }
}

/// The games of a block, and what was wrong, by game and line of the block.
#[derive(Default)]
struct Parsed {
    names: Arc<Names>,
    tags: Vec<(u32, u32)>,
    values: String,
    moves: Vec<Option<Played>>,
    games: Vec<Row>,
    /// How many games were taken.
    taken: usize,
    bad: Vec<(u64, u64, u64, String)>,
    count: u64,
    lines: u64,
}

impl Parsed {
    /// The next game and its number in the block. It is copied, so that a game which is kept does not keep its block.
    fn take(&mut self) -> Option<(u64, Scanned)> {
        let game = self.games.get(self.taken)?;
        let before = self.taken.checked_sub(1).and_then(|before| self.games.get(before));
        let (tags, values, moves) =
            before.map_or((0, 0, 0), |row| (row.tags, row.values, row.moves));
        self.taken += 1;
        let scanned = Scanned {
            names: Arc::clone(&self.names),
            tags: self.tags[tags..game.tags]
                .iter()
                .map(|&(name, end)| (name, end - values as u32))
                .collect(),
            values: self.values[values..game.values].into(),
            start: game.start,
            moves: self.moves[moves..game.moves].into(),
            result: game.result,
        };
        Some((game.number, scanned))
    }
}

fn parse(bytes: Vec<u8>, tags_only: bool) -> Parsed {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let mut bad = Vec::new();
    let mut reader = Reader::in_memory(bytes);
    let mut collector = Collector { tags_only, ..Collector::default() };
    loop {
        match reader.visit(&mut collector) {
            Ok(true) => {}
            Err(ReadError::BadGame(error)) => {
                // What cannot be read at all has not begun.
                collector.number = error.number;
                let place = error.place;
                bad.push((error.number, place.line, place.column, error.problem.to_string()));
            }
            Ok(false) | Err(ReadError::Io(_)) => break,
        }
    }
    let names = Arc::new(Names { names: collector.names, ..Names::default() });
    let Collector { tags, values, moves, games, .. } = collector;
    let count = reader.games_read();
    Parsed { names, tags, values, moves, games, taken: 0, bad, count, lines }
}

type Pending = Result<Receiver<Parsed>, std::io::Error>;

/// Games in the order of their files, parsed by threads ahead of who takes them.
pub(crate) struct Stream {
    pending: Option<Receiver<(usize, Pending)>>,
    ready: Parsed,
    pub(crate) errors: Vec<(String, u64, u64, u64, String)>,
    names: Vec<String>,
    file: usize,
    /// Games and lines of the file before the block that is ready.
    games: u64,
    lines: u64,
}

impl Stream {
    pub(crate) fn new(names: Vec<String>, threads: usize, tags_only: bool) -> Stream {
        let (blocks, waiting) = sync_channel::<(Vec<u8>, SyncSender<Parsed>)>(2 * threads);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let waiting = Arc::clone(&waiting);
            std::thread::spawn(move || {
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((bytes, done)) = next else { return };
                    // Nobody may wait for it any more.
                    let _ = done.send(parse(bytes, tags_only));
                }
            });
        }
        let (order, pending) = sync_channel(2 * threads);
        let files = names.clone();
        std::thread::spawn(move || {
            for (file, name) in files.iter().enumerate() {
                let mut source = match open(name) {
                    Ok(source) => Blocks::new(source.bytes),
                    Err(error) => {
                        let _ = order.send((file, Err(error)));
                        return;
                    }
                };
                loop {
                    let bytes = match source.next() {
                        Ok(Some(bytes)) => bytes,
                        Ok(None) => break,
                        Err(error) => {
                            let _ = order.send((file, Err(error)));
                            return;
                        }
                    };
                    let (done, parsed) = sync_channel(1);
                    if order.send((file, Ok(parsed))).is_err()
                        || blocks.send((bytes, done)).is_err()
                    {
                        return;
                    }
                }
            }
        });
        Stream {
            pending: Some(pending),
            ready: Parsed::default(),
            errors: Vec::new(),
            names,
            file: 0,
            games: 0,
            lines: 0,
        }
    }

    /// The next game and its number in its file, if it has been read already.
    fn ready(&mut self) -> Option<(u64, Scanned)> {
        let (number, game) = self.ready.take()?;
        Some((self.games + number, game))
    }

    /// The next game and its number in its file.
    pub(crate) fn next(&mut self) -> PyResult<Option<(u64, Scanned)>> {
        loop {
            if let Some(game) = self.ready() {
                return Ok(Some(game));
            }
            self.games += self.ready.count;
            self.lines += self.ready.lines;
            self.ready = Parsed::default();
            let Some(pending) = &self.pending else { return Ok(None) };
            let Ok((file, next)) = pending.recv() else {
                self.pending = None;
                return Ok(None);
            };
            if file != self.file {
                (self.file, self.games, self.lines) = (file, 0, 0);
            }
            let mut parsed = match next {
                Ok(parsed) => parsed
                    .recv()
                    .map_err(|_| PyRuntimeError::new_err("a thread that reads games has failed"))?,
                Err(error) => {
                    self.pending = None;
                    return Err(io_error(&self.names[file], &error));
                }
            };
            let (games, lines) = (self.games, self.lines);
            let name = &self.names[file];
            self.errors.extend(std::mem::take(&mut parsed.bad).into_iter().map(
                |(game, line, column, problem)| {
                    (name.clone(), games + game, lines + line, column, problem)
                },
            ));
            self.ready = parsed;
        }
    }
}

fn io_error(name: &str, error: &std::io::Error) -> PyErr {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            pyo3::exceptions::PyFileNotFoundError::new_err(error.to_string())
        }
        _ => PyOSError::new_err(format!("{name}: {error}")),
    }
}

pub(crate) fn threads_or_all(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(0) => Err(PyValueError::new_err("at least one thread has to read")),
        Some(threads) => Ok(threads.min(256)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// The games of files, one after the other.
#[pyclass(module = "tabiya.pgn")]
pub(crate) struct Scan {
    stream: Mutex<Stream>,
}

#[pymethods]
impl Scan {
    #[new]
    #[pyo3(signature = (paths, threads=None, headers_only=false))]
    fn new(paths: Vec<String>, threads: Option<usize>, headers_only: bool) -> PyResult<Scan> {
        let stream = Stream::new(paths, threads_or_all(threads)?, headers_only);
        Ok(Scan { stream: Mutex::new(stream) })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<ScannedGame>> {
        // Other threads of Python have their turn when there is something to wait for.
        let ready = self.stream.try_lock().ok().and_then(|mut stream| stream.ready());
        let next = match ready {
            Some(game) => Some(game),
            None => {
                py.detach(|| self.stream.lock().unwrap_or_else(PoisonError::into_inner).next())?
            }
        };
        Ok(next.map(|(number, game)| ScannedGame { number, game }))
    }

    /// What was wrong so far: file, number of the game, line, column, reason.
    fn _errors(&self) -> Vec<(String, u64, u64, u64, String)> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).errors.clone()
    }
}

/// A game of a scan: its tags, and the moves of its main line.
#[pyclass(frozen, module = "tabiya.pgn")]
pub(crate) struct ScannedGame {
    /// The number of the game in its file, from 1; bad ones count.
    #[pyo3(get)]
    number: u64,
    pub(crate) game: Scanned,
}

impl ScannedGame {
    fn chess960(&self) -> bool {
        !self.game.start.castles_as_in_standard_chess()
    }

    /// The positions from the start to the end.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.game.start;
        let after = self.game.moves.iter().map(move |played| {
            match played {
                Some(played) => position.play_unchecked(*played),
                None => position = position.null_move().unwrap_or(position),
            }
            position
        });
        std::iter::once(self.game.start).chain(after)
    }
}

#[pymethods]
impl ScannedGame {
    /// The tags, in the order of the file.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        let names = self.game.names.interned(py);
        for (name, value) in self.game.tags() {
            headers.set_item(names[name].bind(py), value)?;
        }
        Ok(headers)
    }

    /// The value of a tag; None if it is not there.
    fn header(&self, name: &str) -> Option<&str> {
        self.game.tag(name)
    }

    /// The moves of the main line.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let chess960 = self.chess960();
        let steps = self.game.moves.iter().map(|played| match played {
            Some(played) => shared(py, step_of(*played, chess960)),
            None => shared(py, Step::NULL),
        });
        PyList::new(py, steps)
    }

    /// The moves as UCI writes them, with spaces between.
    fn uci(&self) -> String {
        let chess960 = self.chess960();
        let mut text = String::with_capacity(5 * self.game.moves.len());
        for (number, played) in self.game.moves.iter().enumerate() {
            if number > 0 {
                text.push(' ');
            }
            let step = played.map_or(Step::NULL, |played| step_of(played, chess960));
            text.push_str(&crate::notation::uci(step));
        }
        text
    }

    fn __len__(&self) -> usize {
        self.game.moves.len()
    }

    /// The FEN from which the game begins.
    fn start_fen(&self) -> String {
        self.game.start.fen()
    }

    /// The FEN with which the game ends.
    fn end_fen(&self) -> String {
        self.positions().last().unwrap_or(self.game.start).fen()
    }

    /// The result behind the moves, or that of the tag.
    #[getter]
    fn result(&self) -> String {
        match self.game.result {
            Some(result) => result.notation().to_owned(),
            None => self.header("Result").unwrap_or("*").to_owned(),
        }
    }

    /// Points of White: 1, 0.5, 0, or None.
    #[getter]
    fn points(&self) -> Option<f32> {
        points(&self.game)
    }

    fn __repr__(&self) -> String {
        let name = |tag| self.header(tag).unwrap_or("?").to_owned();
        format!(
            "<ScannedGame {}: {} - {}, {}>",
            self.number,
            name("White"),
            name("Black"),
            self.result()
        )
    }
}

/// The points of White.
pub(crate) fn points(game: &Scanned) -> Option<f32> {
    let result = game.result.or_else(|| GameResult::from_text(game.tag("Result")?))?;
    match (result, result.winner()) {
        (_, Some(Color::White)) => Some(1.0),
        (_, Some(Color::Black)) => Some(0.0),
        (GameResult::Draw, None) => Some(0.5),
        _ => None,
    }
}
