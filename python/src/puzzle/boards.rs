use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tabiya_puzzle::{Board, Kind, Piece as Rules, Size};

use super::pieces::{Bishop, King, Piece};

/// A board as Python has it: the pieces as objects.
#[derive(FromPyObject)]
pub(crate) struct Pieces<'py>(pub(crate) Bound<'py, PyAny>, pub(crate) Vec<Bound<'py, PyAny>>);

impl<'py> Pieces<'py> {
    /// The first piece at some coordinates.
    pub(crate) fn at(&self, x: u8, y: u8) -> Option<Bound<'py, PyAny>> {
        let stands = |object: &&Bound<'_, PyAny>| {
            object.cast::<Piece>().is_ok_and(|piece| piece.borrow().place() == (x.into(), y.into()))
        };
        self.1.iter().find(stands).cloned()
    }
}

/// The board of the rules, which has one piece a cell and none outside; kings are not counted.
pub(crate) fn from_python(B: &Bound<'_, PyAny>) -> PyResult<Board> {
    let Pieces(size, objects) = B.extract()?;
    let mut board = Board::new(read_size(&size)?);
    for object in objects {
        let kind = match &object {
            piece if piece.is_instance_of::<Bishop>() => Kind::Bishop,
            piece if piece.is_instance_of::<King>() => Kind::King,
            other => {
                let text = format!("{} is neither a Bishop nor a King", other.repr()?);
                return Err(PyTypeError::new_err(text));
            }
        };
        let piece = object.cast::<Piece>()?.borrow();
        let cell = piece.cell().ok_or_else(|| {
            let (x, y) = piece.place();
            PyValueError::new_err(format!("the piece at ({x}, {y}) is outside the board"))
        })?;
        board
            .put(Rules { side: super::side_of(piece.side), kind, cell })
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(board)
}

pub(crate) fn read_size(size: &Bound<'_, PyAny>) -> PyResult<Size> {
    Size::new(super::coordinate(size)?).ok_or_else(|| {
        PyValueError::new_err(format!("{size} is not a size of a board: sizes are 3 to 26"))
    })
}

/// A tuple of the size and the list of the pieces.
pub(crate) fn to_python<'py>(py: Python<'py>, board: &Board) -> PyResult<Bound<'py, PyAny>> {
    let pieces = PyList::empty(py);
    for piece in board.pieces() {
        pieces.append(object(py, piece)?)?;
    }
    Ok(PyTuple::new(py, [board.size().get().into_pyobject(py)?.into_any(), pieces.into_any()])?
        .into_any())
}

/// A new Python object for a piece.
pub(crate) fn object<'py>(py: Python<'py>, piece: Rules) -> PyResult<Bound<'py, PyAny>> {
    let base = PyClassInitializer::from(Piece::from(piece));
    Ok(match piece.kind {
        Kind::Bishop => Bound::new(py, base.add_subclass(Bishop))?.into_any(),
        Kind::King => Bound::new(py, base.add_subclass(King))?.into_any(),
    })
}
