//! Databases of games.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::{PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyDict;
use serde::Serialize;
use tabiya_chess::{Color, Position};
use tabiya_db::{
    Collector, Database, DbError, Filter, Importer, LayerPlan, NextMove, Query, unpack,
};
use tabiya_pgn::files::{Blocks, open};
use tabiya_pgn::{ReadError, Reader};

fn refused(error: DbError) -> PyErr {
    match error {
        DbError::NoGame { .. } => PyIndexError::new_err(error.to_string()),
        DbError::Question(_) => PyValueError::new_err(error.to_string()),
        error => PyOSError::new_err(error.to_string()),
    }
}

fn wrong(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(wrong)
}

fn position(fen: &str) -> PyResult<Position> {
    Position::from_fen_prefix(fen).map_err(wrong)
}

/// A text or several of them.
#[derive(FromPyObject)]
enum Texts {
    One(String),
    Some(Vec<String>),
}

impl Texts {
    fn list(self) -> Vec<String> {
        match self {
            Texts::One(text) => vec![text],
            Texts::Some(texts) => texts,
        }
    }

    fn parsed<T: std::str::FromStr<Err: ToString>>(self) -> PyResult<Vec<T>> {
        self.list().iter().map(|text| text.parse().map_err(wrong)).collect()
    }
}

/// From, to; either may be open.
type Bounds = (Option<u16>, Option<u16>);

fn range((from, to): Bounds) -> RangeInclusive<u16> {
    from.unwrap_or(0)..=to.unwrap_or(u16::MAX)
}

/// What keyword arguments ask for.
fn filter(asked: Option<&Bound<'_, PyDict>>) -> PyResult<Filter> {
    let mut filter = Filter::default();
    for (name, value) in asked.into_iter().flatten() {
        if value.is_none() {
            continue;
        }
        let texts = || value.extract::<Texts>().map(Texts::list);
        match name.extract::<String>()?.as_str() {
            "player" => filter.player = texts()?,
            "color" => {
                let white: bool = value.extract()?;
                filter.color = Some(if white { Color::White } else { Color::Black });
            }
            "white" => filter.white = texts()?,
            "black" => filter.black = texts()?,
            "event" => filter.event = texts()?,
            "elo" => filter.elo = Some(range(value.extract()?)),
            "one_elo" => filter.one_elo = Some(range(value.extract()?)),
            "since" => filter.since = Some(value.str()?.to_cow()?.parse().map_err(wrong)?),
            "until" => filter.until = Some(value.str()?.to_cow()?.parse().map_err(wrong)?),
            "result" => {
                let results = texts()?.into_iter().map(|text| {
                    tabiya_pgn::GameResult::from_text(&text).ok_or_else(|| {
                        wrong(format!("{text:?} is no result: 1-0, 0-1, 1/2-1/2 or *"))
                    })
                });
                filter.result = results.collect::<PyResult<_>>()?;
            }
            "speed" => filter.speed = value.extract::<Texts>()?.parsed()?,
            "eco" => filter.eco = texts()?,
            "plies" => filter.plies = Some(range(value.extract()?)),
            name => return Err(wrong(format!("games are not chosen by {name:?}"))),
        }
    }
    Ok(filter)
}

/// A database of games, open for questions.
#[pyclass(frozen, module = "tabiya._tabiya")]
pub(crate) struct GameDatabase(Database);

#[pymethods]
impl GameDatabase {
    #[new]
    fn new(folder: PathBuf) -> PyResult<GameDatabase> {
        Database::open(&folder).map(GameDatabase).map_err(refused)
    }

    fn __len__(&self) -> usize {
        self.0.games() as usize
    }

    /// What there is, as JSON.
    fn info(&self) -> PyResult<String> {
        json(&self.0.info())
    }

    /// Whether games have been added since it was opened.
    fn is_outdated(&self) -> bool {
        self.0.is_outdated()
    }

    /// The Parquet files of the games.
    fn files(&self) -> Vec<PathBuf> {
        self.0.files()
    }

    /// What was played in a position, as JSON.
    #[pyo3(signature = (fen, **asked))]
    fn explore(
        &self,
        py: Python<'_>,
        fen: &str,
        asked: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let (position, filter) = (position(fen)?, filter(asked)?);
        json(&py.detach(|| self.0.answer(&position, &filter)).map_err(refused)?)
    }

    /// The numbers of the games that are as asked for, and after how many plies they are.
    #[pyo3(signature = (fen=None, pattern=None, material=None, lasting=1, ending=None, **asked))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    #[expect(clippy::type_complexity, reason = "two columns")]
    fn find<'py>(
        &self,
        py: Python<'py>,
        fen: Option<&str>,
        pattern: Option<&str>,
        material: Option<&str>,
        lasting: u32,
        ending: Option<&str>,
        asked: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>)> {
        let query = Query {
            filter: filter(asked)?,
            position: fen.map(position).transpose()?,
            pattern: pattern.map(str::parse).transpose().map_err(wrong)?,
            material: material
                .map(|text| text.parse().map(|men| (men, lasting)))
                .transpose()
                .map_err(wrong)?,
            ending: ending.map(str::parse).transpose().map_err(wrong)?,
        };
        let hits = py.detach(|| self.0.find(&query)).map_err(refused)?;
        let (games, plies): (Vec<u64>, Vec<u32>) =
            hits.into_iter().map(|hit| (hit.game, hit.ply)).unzip();
        Ok((games.into_pyarray(py), plies.into_pyarray(py)))
    }

    /// What is wrong with it.
    fn check(&self, py: Python<'_>, rebuild: bool) -> PyResult<Vec<String>> {
        let wrong = py.detach(|| self.0.check(rebuild, |_| ())).map_err(refused)?;
        Ok(wrong.iter().map(ToString::to_string).collect())
    }

    /// A game as PGN.
    fn pgn(&self, number: u64) -> PyResult<String> {
        self.0.game(number).map(|game| game.pgn()).map_err(refused)
    }
}

fn start(fen: Option<&str>) -> PyResult<Position> {
    fen.map_or_else(|| Ok(Position::initial()), position)
}

/// Adds the games of a PGN file, which may be packed, to the database in a folder, which is made if it is not there:
/// how many are new, how many were there already, and what is wrong with the others.
#[pyfunction]
pub(crate) fn import_games(
    py: Python<'_>,
    folder: PathBuf,
    file: &str,
) -> PyResult<(u64, u64, Vec<String>)> {
    py.detach(|| {
        let mut importer = Importer::open(&folder, || ()).map_err(refused)?;
        let mut blocks = Blocks::new(open(file)?.bytes);
        let mut collector = Collector::new(true);
        let mut bad = Vec::new();
        let mut before = 0;
        while let Some(block) = blocks.next()? {
            let lines = block.iter().filter(|&&byte| byte == b'\n').count();
            let mut reader = Reader::in_memory(block);
            loop {
                match reader.visit(&mut collector) {
                    Ok(true) => match collector.objection() {
                        Some(objection) => bad.push(objection.to_owned()),
                        None => {
                            importer.add(collector.take(reader.text())).map_err(refused)?;
                        }
                    },
                    Ok(false) => break,
                    Err(ReadError::BadGame(game)) => {
                        let line = before + game.place.line;
                        bad.push(format!("line {line}: {}", game.problem));
                    }
                    Err(ReadError::Io(error)) => return Err(error.into()),
                }
            }
            before += lines as u64;
        }
        let imported = importer.finish().map_err(refused)?;
        Ok((imported.added, imported.duplicates, bad))
    })
}

/// The moves of a packed game in UCI notation; a null move is 0000.
#[pyfunction]
#[pyo3(signature = (moves, fen=None))]
pub(crate) fn unpack_moves(moves: &[u8], fen: Option<&str>) -> PyResult<Vec<String>> {
    let mut uci = Vec::with_capacity(moves.len());
    for (position, step) in unpack(start(fen)?, moves) {
        match step {
            NextMove::End => return Ok(uci),
            NextMove::Null => uci.push("0000".to_owned()),
            NextMove::Move(m) => uci.push(position.uci(m)),
        }
    }
    Err(wrong(format!("byte {} is no move of this game", uci.len())))
}

/// The key of a position in the files of an index over several databases.
#[pyfunction]
pub(crate) fn position_key(fen: &str) -> PyResult<i64> {
    Ok(position(fen)?.repetition_key() as i64)
}

/// Makes several databases one; tells how many there are.
#[pyfunction]
pub(crate) fn collect_databases(
    py: Python<'_>,
    folder: PathBuf,
    databases: Vec<PathBuf>,
) -> PyResult<usize> {
    py.detach(|| tabiya_db::collect(&folder, &databases, || ())).map_err(refused)
}

/// What an index over several databases is to be made of, as JSON.
#[pyfunction]
pub(crate) fn plan_layer(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    json(&py.detach(|| tabiya_db::plan_layer(&folder)).map_err(refused)?)
}

/// Makes an index known that was made by a plan, which is the same JSON.
#[pyfunction]
pub(crate) fn add_layer(py: Python<'_>, folder: PathBuf, plan: &str, bits: u32) -> PyResult<()> {
    let plan: LayerPlan = serde_json::from_str(plan).map_err(wrong)?;
    py.detach(|| tabiya_db::add_layer(&folder, &plan, bits)).map_err(refused)
}

/// For each position of packed games the row of the game, the key, and the code of what followed; the same thing in a game
/// is told once.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "three columns")]
pub(crate) fn explode_games<'py>(
    py: Python<'py>,
    moves: Vec<PyBackedBytes>,
    fens: Vec<Option<PyBackedStr>>,
) -> PyResult<(Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>)> {
    let (mut rows, mut keys, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    let mut steps = Vec::new();
    for (row, (moves, fen)) in moves.iter().zip(&fens).enumerate() {
        steps.clear();
        for (position, step) in unpack(start(fen.as_deref())?, moves) {
            let code = step.code(&position).ok_or_else(|| wrong("a move that nobody can make"))?;
            steps.push((position.repetition_key() as i64, i32::from(code)));
        }
        if steps.last().is_none_or(|&(_, code)| code != 0) {
            return Err(wrong(format!("the moves of row {row} cannot be played")));
        }
        steps.sort_unstable();
        steps.dedup();
        rows.resize(rows.len() + steps.len(), row as u32);
        keys.extend(steps.iter().map(|&(key, _)| key));
        codes.extend(steps.iter().map(|&(_, code)| code));
    }
    Ok((rows.into_pyarray(py), keys.into_pyarray(py), codes.into_pyarray(py)))
}
