use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tabiya_puzzle::{Cell, Kind, Piece as Rules, Side, document};

use super::boards::{Pieces, from_python, object, read_size};
use super::coordinate;

/// A piece: its column pos_x and its row pos_y, from 1, and its side, True for White.
#[pyclass(subclass, module = "chess_puzzle")]
pub(crate) struct Piece {
    #[pyo3(get, set)]
    pos_x: i64,
    #[pyo3(get, set)]
    pos_y: i64,
    #[pyo3(get, set)]
    pub(crate) side: bool,
}

#[pymethods]
impl Piece {
    #[new]
    fn new(pos_X: i64, pos_Y: i64, side_: bool) -> Piece {
        Piece { pos_x: pos_X, pos_y: pos_Y, side: side_ }
    }

    fn __repr__(slf: &Bound<'_, Piece>) -> PyResult<String> {
        let name = slf.get_type().name()?;
        let Piece { pos_x, pos_y, side } = &*slf.borrow();
        Ok(format!("{name}({pos_x}, {pos_y}, {})", if *side { "True" } else { "False" }))
    }

    /// For the modules copy and pickle.
    fn __reduce__<'py>(slf: &Bound<'py, Piece>) -> (Bound<'py, PyAny>, (i64, i64, bool)) {
        let Piece { pos_x, pos_y, side } = &*slf.borrow();
        (slf.get_type().into_any(), (*pos_x, *pos_y, *side))
    }
}

impl Piece {
    pub(crate) fn place(&self) -> (i64, i64) {
        (self.pos_x, self.pos_y)
    }

    pub(crate) fn cell(&self) -> Option<Cell> {
        Cell::at(u8::try_from(self.pos_x).ok()?, u8::try_from(self.pos_y).ok()?)
    }

    /// The piece of the rules; none if it stands on no board.
    fn rules(&self, kind: Kind) -> Option<Rules> {
        Some(Rules { side: super::side_of(self.side), kind, cell: self.cell()? })
    }

    fn can_reach(&self, kind: Kind, x: u8, y: u8, B: &Bound<'_, PyAny>) -> PyResult<bool> {
        let board = from_python(B)?;
        Ok(self.rules(kind).is_some_and(|piece| document::can_reach(piece, x, y, &board)))
    }

    fn can_move_to(&self, kind: Kind, x: u8, y: u8, B: &Bound<'_, PyAny>) -> PyResult<bool> {
        let board = from_python(B)?;
        Ok(self.rules(kind).is_some_and(|piece| document::can_move_to(piece, x, y, &board)))
    }

    /// The same pieces in a new list, but for the one that was taken and the one that moved, which
    /// is a new object: the old board stays as it is.
    fn move_to<'py>(
        &self,
        kind: Kind,
        x: u8,
        y: u8,
        B: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = B.py();
        let Pieces(size, objects) = B.extract()?;
        let cell =
            Cell::at(x, y).filter(|&to| read_size(&size).is_ok_and(|size| size.contains(to)));
        let cell =
            cell.ok_or_else(|| PyValueError::new_err("the destination is outside the board"))?;
        let list = PyList::empty(py);
        for other in objects {
            let place = other.cast::<Piece>()?.borrow().place();
            if place != self.place() && place != (x.into(), y.into()) {
                list.append(other)?;
            }
        }
        list.append(object(py, Rules { side: super::side_of(self.side), kind, cell })?)?;
        Ok(PyTuple::new(py, [size, list.into_any()])?.into_any())
    }
}

impl From<Rules> for Piece {
    fn from(piece: Rules) -> Piece {
        Piece {
            pos_x: piece.cell.x().into(),
            pos_y: piece.cell.y().into(),
            side: piece.side == Side::White,
        }
    }
}

/// A piece of a kind, with the methods of the document.
macro_rules! piece_class {
    ($name:ident, $kind:expr, $words:literal) => {
        #[doc = $words]
        #[pyclass(extends = Piece, subclass, module = "chess_puzzle")]
        pub(crate) struct $name;

        #[pymethods]
        impl $name {
            #[new]
            fn new(pos_X: i64, pos_Y: i64, side_: bool) -> PyClassInitializer<$name> {
                PyClassInitializer::from(Piece::new(pos_X, pos_Y, side_)).add_subclass($name)
            }

            /// checks if this piece can move to coordinates pos_X, pos_Y on board B according to rules 1 to 3
            fn can_reach(
                slf: PyRef<'_, Self>,
                pos_X: &Bound<'_, PyAny>,
                pos_Y: &Bound<'_, PyAny>,
                B: &Bound<'_, PyAny>,
            ) -> PyResult<bool> {
                slf.as_super().can_reach($kind, coordinate(pos_X)?, coordinate(pos_Y)?, B)
            }

            /// checks if this piece can move to coordinates pos_X, pos_Y on board B according to all chess rules
            fn can_move_to(
                slf: PyRef<'_, Self>,
                pos_X: &Bound<'_, PyAny>,
                pos_Y: &Bound<'_, PyAny>,
                B: &Bound<'_, PyAny>,
            ) -> PyResult<bool> {
                slf.as_super().can_move_to($kind, coordinate(pos_X)?, coordinate(pos_Y)?, B)
            }

            /// returns new board resulting from move of this piece to coordinates pos_X, pos_Y on board B
            fn move_to<'py>(
                slf: PyRef<'py, Self>,
                pos_X: &Bound<'py, PyAny>,
                pos_Y: &Bound<'py, PyAny>,
                B: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                slf.as_super().move_to($kind, coordinate(pos_X)?, coordinate(pos_Y)?, B)
            }
        }
    };
}

piece_class!(Bishop, Kind::Bishop, "A bishop: slides along diagonals.");
piece_class!(King, Kind::King, "A king: steps to any place beside it.");
