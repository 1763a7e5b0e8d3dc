//! Whole files of games at the speed of Rust: threads read, Python takes what is ready.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tabiya_chess::{Color, Move as Played, Position};
use tabiya_pgn::files::{Blocks, open};
use tabiya_pgn::{GameResult, Interest, RawTag, ReadError, Reader, Visitor};

use crate::piece_move::{Move, shared};
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

/// What is kept of a game: its tags and the moves of its main line.
pub(crate) struct Scanned {
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) start: Position,
    /// None for a null move.
    pub(crate) moves: Vec<Option<Played>>,
    pub(crate) result: Option<GameResult>,
}

#[derive(Default)]
pub(crate) struct Collector {
    tags: Vec<(String, String)>,
    start: Option<Position>,
    moves: Vec<Option<Played>>,
    result: Option<GameResult>,
    /// Only the tags are wanted.
    tags_only: bool,
}

impl Collector {
    fn take(&mut self) -> Scanned {
        Scanned {
            tags: std::mem::take(&mut self.tags),
            start: self.start.take().unwrap_or_else(Position::initial),
            moves: std::mem::take(&mut self.moves),
            result: self.result,
        }
    }
}

impl Visitor for Collector {
    fn begin_game(&mut self) {
        self.tags.clear();
        self.moves.clear();
        self.result = None;
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        let name = String::from_utf8_lossy(tag.name).into_owned();
        self.tags.push((name, tag.value().into_owned()));
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
        self.result = result;
    }
}

/// The games of a block, and what was wrong, by game and line of the block.
struct Parsed {
    games: Vec<(u64, Scanned)>,
    bad: Vec<(u64, u64, u64, String)>,
    count: u64,
    lines: u64,
}

fn parse(bytes: Vec<u8>, tags_only: bool) -> Parsed {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let mut parsed = Parsed { games: Vec::new(), bad: Vec::new(), count: 0, lines };
    let mut reader = Reader::in_memory(bytes);
    let mut collector = Collector { tags_only, ..Collector::default() };
    loop {
        match reader.visit(&mut collector) {
            Ok(true) => {
                parsed.count += 1;
                parsed.games.push((parsed.count, collector.take()));
            }
            Err(ReadError::BadGame(bad)) => {
                parsed.count += 1;
                let place = bad.place;
                parsed.bad.push((parsed.count, place.line, place.column, bad.problem.to_string()));
            }
            Ok(false) | Err(ReadError::Io(_)) => return parsed,
        }
    }
}

type Pending = Result<Receiver<Parsed>, std::io::Error>;

/// Games in the order of their files, parsed by threads ahead of who takes them.
pub(crate) struct Stream {
    pending: Option<Receiver<(usize, Pending)>>,
    ready: VecDeque<(u64, Scanned)>,
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
            ready: VecDeque::new(),
            errors: Vec::new(),
            names,
            file: 0,
            games: 0,
            lines: 0,
        }
    }

    /// The next game and its number in its file.
    pub(crate) fn next(&mut self) -> PyResult<Option<(u64, Scanned)>> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Ok(Some(game));
            }
            let Some(pending) = &self.pending else { return Ok(None) };
            let Ok((file, next)) = pending.recv() else {
                self.pending = None;
                return Ok(None);
            };
            if file != self.file {
                (self.file, self.games, self.lines) = (file, 0, 0);
            }
            let parsed = match next {
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
            self.errors.extend(parsed.bad.into_iter().map(|(game, line, column, problem)| {
                (name.clone(), games + game, lines + line, column, problem)
            }));
            self.ready =
                parsed.games.into_iter().map(|(number, game)| (games + number, game)).collect();
            self.games += parsed.count;
            self.lines += parsed.lines;
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
        let next =
            py.detach(|| self.stream.lock().unwrap_or_else(PoisonError::into_inner).next())?;
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
}

#[pymethods]
impl ScannedGame {
    /// The tags, in the order of the file.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (name, value) in &self.game.tags {
            headers.set_item(name, value)?;
        }
        Ok(headers)
    }

    /// The value of a tag; None if it is not there.
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.game.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The moves of the main line.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let chess960 = self.chess960();
        let steps = self.game.moves.iter().map(|played| match played {
            Some(played) => shared(py, step_of(*played, chess960)),
            None => shared(py, Step::NULL),
        });
        PyList::new(py, steps.collect::<Vec<Py<Move>>>())
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
        let mut position = self.game.start;
        for played in &self.game.moves {
            match played {
                Some(played) => position.play_unchecked(*played),
                None => position = position.null_move().unwrap_or(position),
            }
        }
        position.fen()
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
    let tag = game.tags.iter().find(|(name, _)| name == "Result");
    let result = game.result.or_else(|| GameResult::from_text(&tag?.1))?;
    match (result, result.winner()) {
        (_, Some(Color::White)) => Some(1.0),
        (_, Some(Color::Black)) => Some(0.0),
        (GameResult::Draw, None) => Some(0.5),
        _ => None,
    }
}
