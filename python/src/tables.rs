//! Tables of endings: Tabiya's own and Syzygy's.

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use pyo3::create_exception;
use pyo3::exceptions::{PyKeyError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tabiya_base::Stop;
use tabiya_chess::Position;
use tabiya_tables::{Fate, Maker, Material, SyzygyFile, TableEntry, TableError, Tables};

use crate::board::BoardCore;
use crate::piece_move::{Move, shared};
use crate::scan::step_of;

create_exception!(tabiya, MissingTableError, PyKeyError, "There is no table of this ending.");

/// No table has more men.
const MOST: usize = 7;

fn refused(error: TableError) -> PyErr {
    let text = error.to_string();
    match error {
        TableError::Missing(_) => MissingTableError::new_err(text),
        TableError::TooManyMen { men, .. } if men <= MOST => MissingTableError::new_err(text),
        TableError::TooManyMen { .. } | TableError::Castling => PyKeyError::new_err(text),
        TableError::MenToMake(_) => PyValueError::new_err(text),
        TableError::File { .. } | TableError::Damaged { .. } | TableError::Version { .. } => {
            PyOSError::new_err(text)
        }
        _ => PyRuntimeError::new_err(text),
    }
}

/// What is no position of a game is in no table.
fn position(board: &BoardCore) -> PyResult<Position> {
    board
        .position()
        .map_err(|error| Python::attach(|py| PyKeyError::new_err(error.value(py).to_string())))
}

fn material(name: &str) -> PyResult<Material> {
    name.parse().map_err(|error: tabiya_tables::ParseMaterialError| {
        PyValueError::new_err(error.to_string())
    })
}

/// The result from -2 to 2, moves to mate, plies to mate, plies to zeroing, words.
type Told = (i32, Option<i32>, Option<u16>, Option<u16>, String);

fn told(entry: &TableEntry) -> Told {
    (entry.fate.number(), entry.mate_in(), entry.mate, entry.zeroing, entry.to_string())
}

/// Tables in folders, or added file by file.
#[pyclass(frozen, name = "TableSet", module = "tabiya.tables")]
pub(crate) struct TableSet {
    tables: RwLock<Tables>,
}

impl TableSet {
    fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl TableSet {
    #[new]
    fn new(py: Python<'_>, folders: Vec<PathBuf>) -> TableSet {
        TableSet { tables: RwLock::new(py.detach(|| Tables::open(folders))) }
    }

    /// Adds one file; whether it is a table.
    fn add_file(&self, path: PathBuf) -> PyResult<bool> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.add_file(&path).map_err(refused)
    }

    /// How many men the largest of them has.
    fn most_men(&self) -> usize {
        self.read().most_men()
    }

    /// What was wrong with files that could not be used, a sentence each.
    fn problems(&self) -> Vec<String> {
        self.read().problems().iter().map(TableError::to_string).collect()
    }

    /// Our own tables: the name, positions, moves of the longest mate, bytes.
    fn own(&self) -> Vec<(String, u64, u64, usize)> {
        let tables = self.read();
        let about = tables.own().into_iter().map(|table| {
            let counts = table.counts();
            let positions = counts.iter().map(|counts| counts.positions()).sum();
            let longest = counts.iter().map(|counts| counts.longest).max().unwrap_or(0);
            (table.material().to_string(), positions, longest.div_ceil(2), table.bytes())
        });
        about.collect()
    }

    /// Syzygy's: the name, and whether there are distances.
    fn syzygy(&self) -> Vec<(String, bool)> {
        let all = self.read().syzygy();
        all.into_iter().map(|(material, zeroing)| (material.to_string(), zeroing)).collect()
    }

    /// What is known of a position.
    fn probe(&self, board: &BoardCore) -> PyResult<Told> {
        let entry = self.read().probe(&position(board)?).map_err(refused)?;
        Ok(told(&entry))
    }

    /// Every legal move, and what is known of the position after it.
    fn moves(&self, py: Python<'_>, board: &BoardCore) -> PyResult<Vec<(Py<Move>, Told)>> {
        let moves = self.read().moves(&position(board)?).map_err(refused)?;
        let chess960 = board.chess960;
        Ok(moves
            .iter()
            .map(|(m, entry)| (shared(py, step_of(*m, chess960)), told(entry)))
            .collect())
    }

    /// What Syzygy's tables say of the result, from -2 to 2.
    fn wdl(&self, board: &BoardCore) -> PyResult<i32> {
        let entry = self.read().probe_syzygy(&position(board)?).map_err(refused)?;
        Ok(entry.fate.number())
    }

    /// What they say of the distance to zeroing, negative for a loss.
    fn dtz(&self, board: &BoardCore) -> PyResult<i32> {
        let position = position(board)?;
        let entry = self.read().probe_syzygy(&position).map_err(refused)?;
        match (entry.fate, entry.zeroing) {
            (Fate::Draw, _) => Ok(0),
            (fate, Some(plies)) => Ok(fate.number().signum() * i32::from(plies)),
            (_, None) => {
                let ending = Material::of(position.board()).map(|(ending, _)| ending.to_string());
                let ending = ending.unwrap_or_default();
                let text = format!("there is no table of distances of {ending}, only of results");
                Err(MissingTableError::new_err(text))
            }
        }
    }
}

/// One of Syzygy's files, and what it says by itself.
#[pyclass(frozen, name = "SyzygyFile", module = "tabiya.syzygy")]
pub(crate) struct PySyzygyFile {
    file: SyzygyFile,
}

#[pymethods]
impl PySyzygyFile {
    #[new]
    fn new(path: PathBuf) -> PyResult<PySyzygyFile> {
        SyzygyFile::open(&path).map(|file| PySyzygyFile { file }).map_err(refused)
    }

    /// What it says of the result, from -2 to 2.
    fn wdl(&self, board: &BoardCore) -> PyResult<i32> {
        self.file.fate(&position(board)?).map(Fate::number).map_err(refused)
    }

    /// None where the file is about the other side to move.
    fn dtz(&self, board: &BoardCore, wdl: i32) -> PyResult<Option<i32>> {
        let fate = Fate::ALL.into_iter().find(|fate| fate.number() == wdl);
        let fate = fate
            .ok_or_else(|| PyValueError::new_err(format!("a result is from -2 to 2, not {wdl}")))?;
        self.file.zeroing(&position(board)?, fate).map_err(refused)
    }
}

/// Makes tables in a folder: of all endings of so many men, or of one. `progress` is told the ending, how many placements of
/// pawns are finished, and of how many.
#[pyfunction]
pub(crate) fn make_tables(
    py: Python<'_>,
    men: Option<usize>,
    ending: Option<&str>,
    folder: PathBuf,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let endings: Vec<Material> = match (men, ending) {
        (Some(men @ 3..=5), None) => (3..=men).flat_map(Material::all).collect(),
        (None, Some(name)) => vec![material(name)?],
        (men, _) => return Err(refused(TableError::MenToMake(men.unwrap_or(0)))),
    };
    let stop = Stop::default();
    let mut maker = Maker { stop: stop.clone(), ..Maker::new(folder) };
    maker.threads = threads.unwrap_or(maker.threads).max(1);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (say, said) = channel();
            let work = scope.spawn(move || {
                endings.into_iter().try_for_each(|ending| {
                    maker.make(ending, &mut |step| {
                        // Nobody may listen any more.
                        let _ = say.send((step.material.to_string(), step.slices, step.of));
                    })
                })
            });
            let mut failed = None;
            loop {
                let heard = said.recv_timeout(Duration::from_millis(50));
                let asked = Python::attach(|py| {
                    if let (Ok(step), Some(progress)) = (&heard, &progress) {
                        progress.call1(py, step.clone())?;
                    }
                    py.check_signals()
                });
                if let Err(error) = asked {
                    stop.stop();
                    failed = Some(error);
                    break;
                }
                if let Err(RecvTimeoutError::Disconnected) = heard {
                    break;
                }
            }
            let made = work.join();
            if let Some(error) = failed {
                return Err(error);
            }
            made.map_err(|_| PyRuntimeError::new_err("tables could not be made"))?.map_err(refused)
        })
    })
}
