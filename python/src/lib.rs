//! Tabiya for Python. What is asked often is here; what is asked seldom is written in Python, under `source/tabiya`.

mod arrays;
mod board;
mod board_moves;
mod board_questions;
mod db;
mod engine;
mod generate;
mod legal_moves;
mod members;
mod move_index;
mod notation;
mod piece_move;
mod puzzle;
mod record;
mod review;
mod scan;
mod square_set;
mod state;
mod tables;
mod track;
mod zobrist;

use pyo3::prelude::*;

use crate::board::At;

/// What a piece of this kind and colour attacks from a square.
#[pyfunction]
fn attacks(kind: u8, white: bool, square: At, occupied: u64) -> u64 {
    state::piece_attacks(kind, white, square.0, occupied)
}

/// The squares between two squares.
#[pyfunction]
fn between(a: At, b: At) -> u64 {
    state::between(a.0, b.0)
}

/// The line through two squares, from edge to edge.
#[pyfunction]
fn line(a: At, b: At) -> u64 {
    if a.0 == b.0 { 0 } else { state::line(a.0, b.0) }
}

/// Chances of winning, drawing and losing among engines, in parts of a thousand, for so many centipawns.
#[pyfunction]
fn wdl(centipawns: i32) -> (u16, u16, u16) {
    let chances = tabiya_base::Score::Centipawns(centipawns).wdl();
    (chances.win, chances.draw, chances.loss)
}

/// The numbers of Polyglot's keys.
#[pyfunction]
fn polyglot_keys() -> Vec<u64> {
    tabiya_chess::POLYGLOT_KEYS.to_vec()
}

#[pymodule]
mod _tabiya {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::arrays::{Positions, Samples, index_of_move, move_of_index};
    #[pymodule_export]
    use super::board::BoardCore;
    #[pymodule_export]
    use super::db::{
        GameDatabase, add_layer, collect_databases, explode_games, import_games, plan_layer,
        position_key, unpack_moves,
    };
    #[pymodule_export]
    use super::engine::{Searcher, StopFlag, think_many};
    #[pymodule_export]
    use super::legal_moves::{LegalMoveGenerator, PseudoLegalMoveGenerator};
    #[pymodule_export]
    use super::piece_move::{AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Move, Piece};
    #[pymodule_export]
    use super::puzzle::puzzle;
    #[pymodule_export]
    use super::record::{Record, read_record};
    #[pymodule_export]
    use super::review::{opening, read_review, review_game};
    #[pymodule_export]
    use super::scan::{Scan, ScannedGame};
    #[pymodule_export]
    use super::square_set::{SquareSet, Subsets};
    #[pymodule_export]
    use super::tables::{MissingTableError, PySyzygyFile, TableSet, make_tables};
    #[pymodule_export]
    use super::{attacks, between, line, polyglot_keys, wdl};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::members::install(module.py())
    }
}
