//! Tabiya's engine in the process of Python: no program to start, and no interpreter while it thinks.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tabiya_base::{Bound as ScoreBound, Score, Stop};
use tabiya_chess::{Game, Move as Played};
use tabiya_engine::{Clocks, Engine, Found, Info, Level, Limits, Settings};
use tabiya_nnue::Network;
use tabiya_thinker::{Lines, Timer};

use crate::board::BoardCore;
use crate::notation;
use crate::piece_move::{Move, shared};
use crate::scan::{step_of, threads_or_all};

/// Ends a search from another thread.
#[pyclass(frozen, name = "StopFlag", module = "tabiya.engine")]
#[derive(Default)]
pub(crate) struct StopFlag {
    stop: Stop,
}

#[pymethods]
impl StopFlag {
    #[new]
    fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Ends the search.
    fn stop(&self) {
        self.stop.stop();
    }
}

/// Limits as Python tells them: depth, nodes, mate, seconds, clocks of White and Black, their increments, moves to go, lines.
type Asked = (
    Option<u32>,
    Option<u64>,
    Option<u32>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    Option<u32>,
    Option<usize>,
);

/// What Python is told of a line: depth, selective depth, line, centipawns, mate, bound, nodes, seconds, fullness, moves.
type Told = (u32, u32, u32, Option<i32>, Option<i32>, i8, u64, f64, u16, Vec<Py<Move>>);

/// The move, the answer it expects, and the lines.
type Thought = (Option<Py<Move>>, Option<Py<Move>>, Vec<Told>);
/// The move and the lines.
type Answer = (Option<Py<Move>>, Vec<Told>);

fn seconds(number: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(number.max(0.0))
        .map_err(|_| PyValueError::new_err(format!("{number} is no number of seconds")))
}

fn limits(asked: &Asked) -> PyResult<Limits> {
    let (depth, nodes, mate, time, white, black, white_inc, black_inc, moves_to_go, multipv) =
        *asked;
    let or_zero = |number: Option<f64>| seconds(number.unwrap_or(0.0));
    let clocks = if white.is_some() || black.is_some() {
        Some(Clocks {
            time: [or_zero(white.or(black))?, or_zero(black.or(white))?],
            increment: [or_zero(white_inc)?, or_zero(black_inc)?],
            moves_to_go,
        })
    } else {
        None
    };
    let movetime = time.map(seconds).transpose()?;
    let timer = Some(Timer::start());
    Ok(Limits { depth, nodes, mate, movetime, clocks, multipv, timer, ..Limits::default() })
}

fn told(py: Python<'_>, info: &Info, chess960: bool) -> Told {
    let (centipawns, mate) = match info.score {
        Score::Centipawns(centipawns) => (Some(centipawns), None),
        Score::Mate(moves) => (None, Some(moves)),
    };
    let bound = match info.bound {
        ScoreBound::Exact => 0,
        ScoreBound::Lower => -1,
        ScoreBound::Upper => 1,
    };
    let pv = info.pv.iter().map(|played| shared(py, step_of(*played, chess960))).collect();
    let Info { depth, seldepth, multipv, nodes, time, hashfull, .. } = *info;
    (depth, seldepth, multipv, centipawns, mate, bound, nodes, time.as_secs_f64(), hashfull, pv)
}

fn python_move(py: Python<'_>, played: Option<Played>, chess960: bool) -> Option<Py<Move>> {
    played.map(|played| shared(py, step_of(played, chess960)))
}

fn poisoned() -> PyErr {
    PyRuntimeError::new_err("the engine has failed while it searched")
}

/// The engine, with its memory.
#[pyclass(frozen, name = "Searcher", module = "tabiya.engine")]
pub(crate) struct Searcher {
    engine: Mutex<Engine>,
}

fn settings(
    hash_megabytes: usize,
    threads: usize,
    level: Option<u16>,
    seed: u64,
) -> PyResult<Settings> {
    if !(1..=65536).contains(&hash_megabytes) {
        return Err(PyValueError::new_err(format!(
            "the engine's memory is 1 to 65536 megabytes, not {hash_megabytes}"
        )));
    }
    let level = level.map(Level::new);
    Ok(Settings { hash_megabytes, threads, level, seed, ..Settings::default() })
}

#[pymethods]
impl Searcher {
    #[new]
    fn new(hash_megabytes: usize, threads: usize, level: Option<u16>, seed: u64) -> PyResult<Self> {
        let engine = Engine::new(settings(hash_megabytes, threads.max(1), level, seed)?);
        Ok(Searcher { engine: Mutex::new(engine) })
    }

    /// Forgets what was found in earlier games.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.engine.lock().unwrap_or_else(PoisonError::into_inner).clear());
    }

    /// What the network says, in centipawns for the side to move.
    fn evaluate(&self, board: &BoardCore) -> PyResult<i32> {
        Ok(Network::built_in().evaluate(&board.position()?))
    }

    /// Thinks; tells `hear` what it finds. Interrupts of Python end it.
    fn think(
        &self,
        py: Python<'_>,
        board: PyRef<'_, BoardCore>,
        asked: Asked,
        root_moves: Option<Vec<PyRef<'_, Move>>>,
        stop: &StopFlag,
        hear: Option<Py<PyAny>>,
    ) -> PyResult<Thought> {
        let game = board.game()?;
        let chess960 = board.chess960;
        drop(board);
        let mut limits = limits(&asked)?;
        for asked in root_moves.unwrap_or_default() {
            let found = game.position().parse_uci(&notation::uci(asked.step));
            limits.search_moves.push(found.map_err(|e| PyValueError::new_err(e.to_string()))?);
        }
        let mut lines = Lines::new(limits.multipv.unwrap_or(1));
        let stop = stop.stop.clone();
        let found = py.detach(|| {
            let (say, said) = channel::<Info>();
            std::thread::scope(|scope| {
                let (engine, thread_stop) = (&self.engine, stop.clone());
                let search = scope.spawn(move || {
                    let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
                    engine.think_until(&game, limits, &thread_stop, |info| {
                        // Nobody listens any more: the search is being stopped.
                        let _ = say.send(info.clone());
                    })
                });
                let mut failed = None;
                loop {
                    let heard = said.recv_timeout(Duration::from_millis(50));
                    let asked = Python::attach(|py| {
                        if let (Ok(info), Some(hear)) = (&heard, &hear) {
                            hear.call1(py, (told(py, info, chess960),))?;
                        }
                        py.check_signals()
                    });
                    if let Err(error) = asked {
                        stop.stop();
                        failed = Some(error);
                        break;
                    }
                    match heard {
                        Ok(info) => {
                            lines.hear(&info);
                        }
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => break,
                    }
                }
                let found = search.join().map_err(|_| poisoned());
                match failed {
                    Some(error) => Err(error),
                    None => found,
                }
            })
        })?;
        let infos = lines.all().map(|info| told(py, info, chess960)).collect();
        Ok((python_move(py, found.best, chess960), python_move(py, found.ponder, chess960), infos))
    }
}

/// Searches many boards, each on its own, on several threads; nothing is remembered between them, so that
/// the answers do not depend on the number of threads.
#[pyfunction]
pub(crate) fn think_many(
    py: Python<'_>,
    boards: Vec<PyRef<'_, BoardCore>>,
    asked: Asked,
    hash_megabytes: usize,
    threads: Option<usize>,
) -> PyResult<Vec<Answer>> {
    type Kept = (Found, Vec<Info>);
    let threads = threads_or_all(threads)?.min(boards.len().max(1));
    let games: Vec<Game> = boards.iter().map(|board| board.game()).collect::<PyResult<_>>()?;
    let chess960: Vec<bool> = boards.iter().map(|board| board.chess960).collect();
    drop(boards);
    limits(&asked)?;
    let settings = settings(hash_megabytes, 1, None, 0)?;
    let answers: Vec<Mutex<Option<Kept>>> = games.iter().map(|_| Mutex::new(None)).collect();
    let (next, stop) = (AtomicUsize::new(0), Stop::default());
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = channel::<()>();
            let mut work = Vec::new();
            for _ in 0..threads {
                let (games, answers, next, stop) = (&games, &answers, &next, stop.clone());
                let done = done.clone();
                work.push(scope.spawn(move || {
                    let _done = done;
                    let mut engine = Engine::new(settings);
                    loop {
                        let place = next.fetch_add(1, Relaxed);
                        let Some(game) = games.get(place).filter(|_| !stop.is_stopped()) else {
                            return;
                        };
                        let Ok(limits) = limits(&asked) else { return };
                        let mut lines = Lines::new(limits.multipv.unwrap_or(1));
                        engine.clear();
                        let found = engine.think_until(game, limits, &stop, |info| {
                            lines.hear(info);
                        });
                        let infos = lines.all().cloned().collect();
                        *answers[place].lock().unwrap_or_else(PoisonError::into_inner) =
                            Some((found, infos));
                    }
                }));
            }
            drop(done);
            let mut outcome = Ok(());
            while let Err(RecvTimeoutError::Timeout) = wait.recv_timeout(Duration::from_millis(50))
            {
                outcome = Python::attach(|py| py.check_signals());
                if outcome.is_err() {
                    stop.stop();
                    break;
                }
            }
            for thread in work {
                if thread.join().is_err() {
                    outcome = Err(poisoned());
                }
            }
            outcome
        })
    })?;
    let answers = answers.into_iter().zip(chess960).map(|(answer, chess960)| {
        let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (found, infos) = answer.ok_or_else(poisoned)?;
        let infos = infos.iter().map(|info| told(py, info, chess960)).collect();
        Ok((python_move(py, found.best, chess960), infos))
    });
    answers.collect()
}
