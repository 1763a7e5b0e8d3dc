//! The game under the names that its document gives to Python. Nothing is decided here: boards are
//! translated, and `tabiya-puzzle` answers.
#![expect(non_snake_case, reason = "the document names the arguments")]

mod boards;
mod console;
mod pieces;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use tabiya_puzzle::{BoardFileError, SaveError, Side, document};

use self::boards::{Pieces, from_python, to_python};
use self::console::PythonConsole;

/// A coordinate as the rules know it. What is no coordinate of any board becomes 0, where nothing is.
pub(crate) fn coordinate(number: &Bound<'_, PyAny>) -> PyResult<u8> {
    match number.extract::<i64>() {
        Ok(number) => Ok(u8::try_from(number).unwrap_or(0)),
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(number.py()) => {
            Ok(0)
        }
        Err(error) => Err(error),
    }
}

pub(crate) fn side_of(white: bool) -> Side {
    if white { Side::White } else { Side::Black }
}

fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// converts chess location to corresponding x and y coordinates
#[pyfunction]
fn location2index(loc: &str) -> PyResult<(u8, u8)> {
    document::location2index(loc).map_err(value_error)
}

/// converts pair of coordinates to corresponding location
#[pyfunction]
fn index2location(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<String> {
    document::index2location(coordinate(x)?, coordinate(y)?).ok_or_else(|| {
        value_error(format!("({x}, {y}) is not a place: places are (1, 1) to (26, 26)"))
    })
}

/// checks if there is piece at coordinates pos_X, pos_Y of board B
#[pyfunction]
fn is_piece_at(
    pos_X: &Bound<'_, PyAny>,
    pos_Y: &Bound<'_, PyAny>,
    B: Pieces<'_>,
) -> PyResult<bool> {
    Ok(B.at(coordinate(pos_X)?, coordinate(pos_Y)?).is_some())
}

/// returns the piece at coordinates pos_X, pos_Y of board B, which must be there
#[pyfunction]
fn piece_at<'py>(
    pos_X: &Bound<'py, PyAny>,
    pos_Y: &Bound<'py, PyAny>,
    B: Pieces<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    B.at(coordinate(pos_X)?, coordinate(pos_Y)?)
        .ok_or_else(|| value_error(format!("there is no piece at ({pos_X}, {pos_Y})")))
}

/// checks if configuration of B is check for side
#[pyfunction]
fn is_check(side: bool, B: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(document::is_check(side_of(side), &from_python(B)?))
}

/// checks if configuration of B is checkmate for side
#[pyfunction]
fn is_checkmate(side: bool, B: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(document::is_checkmate(side_of(side), &from_python(B)?))
}

/// checks if configuration of B is stalemate for side
#[pyfunction]
fn is_stalemate(side: bool, B: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(document::is_stalemate(side_of(side), &from_python(B)?))
}

/// reads board configuration from file in plain format; raises IOError if it is not valid
#[pyfunction]
fn read_board<'py>(py: Python<'py>, filename: &str) -> PyResult<Bound<'py, PyAny>> {
    match document::read_board(filename) {
        Ok(board) => to_python(py, &board),
        Err(BoardFileError::Io { source, .. }) => Err(io_error(filename, &source)),
        Err(error) => Err(PyOSError::new_err(error.to_string())),
    }
}

/// saves board configuration into file in plain format
#[pyfunction]
fn save_board(filename: &str, B: &Bound<'_, PyAny>) -> PyResult<()> {
    document::save_board(filename, &from_python(B)?)
        .map_err(|SaveError { source, .. }| io_error(filename, &source))
}

/// The system's error with the name of the file; Python makes a FileNotFoundError and the like of it.
fn io_error(filename: &str, error: &std::io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((code, error.to_string(), filename.to_owned())),
        None => PyOSError::new_err(format!("{filename}: {error}")),
    }
}

/// returns (P, x, y) where a Black piece P can move on B to coordinates x, y
#[pyfunction]
fn find_black_move<'py>(B: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, u8, u8)> {
    let board = from_python(B)?;
    let found = B.py().detach(|| document::find_black_move(&board));
    let (piece, x, y) = found.ok_or_else(|| value_error("Black has no move"))?;
    let piece = B
        .extract::<Pieces<'_>>()?
        .at(piece.cell.x(), piece.cell.y())
        .ok_or_else(|| value_error("the board has changed"))?;
    Ok((piece, x, y))
}

/// converts board configuration B to unicode format string
#[pyfunction]
fn conf2unicode(B: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(document::conf2unicode(&from_python(B)?))
}

/// runs the play
#[pyfunction]
fn main(py: Python<'_>) -> PyResult<()> {
    PythonConsole::new(py)?.run()
}

/// The names of the document.
#[pymodule(submodule)]
pub(crate) mod puzzle {
    #[pymodule_export]
    use super::pieces::{Bishop, King, Piece};
    #[pymodule_export]
    use super::{
        conf2unicode, find_black_move, index2location, is_check, is_checkmate, is_piece_at,
        is_stalemate, location2index, main, piece_at, read_board, save_board,
    };
}
