//! Attributes of boards that Python reads by itself, without a call into Rust: `board.turn` costs what an attribute of
//! any object costs.
//!
//! For each of them a board keeps the Python object beside the number it stands for, and its class has a member
//! descriptor, which tells the interpreter where in the board it lies. Interpreters without a global lock read in the
//! middle of a change, so there ordinary getters answer.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString};

use crate::state::CORNERS;
use crate::track::Track;

/// What is shown, as Rust has it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    turn: bool,
    chess960: bool,
    ep_square: Option<u8>,
    halfmove_clock: u32,
    fullmove_number: u32,
    castling: u64,
}

impl Numbers {
    pub(crate) fn of(track: &Track) -> Numbers {
        let state = &track.state;
        Numbers {
            turn: state.turn,
            chess960: track.chess960,
            ep_square: state.ep_square,
            halfmove_clock: state.halfmove_clock,
            fullmove_number: state.fullmove_number,
            castling: state.castling,
        }
    }
}

/// What is shown, as Python has it: whole numbers, truths and None, never anything else.
pub(crate) struct Shown {
    pub(crate) turn: Py<PyAny>,
    pub(crate) chess960: Py<PyAny>,
    pub(crate) ep_square: Py<PyAny>,
    pub(crate) halfmove_clock: Py<PyAny>,
    pub(crate) fullmove_number: Py<PyAny>,
    pub(crate) castling_rights: Py<PyAny>,
}

fn truth(py: Python<'_>, value: bool) -> Py<PyAny> {
    PyBool::new(py, value).to_owned().into_any().unbind()
}

fn number<'py, N>(py: Python<'py>, value: N) -> Py<PyAny>
where
    N: IntoPyObject<'py, Target = pyo3::types::PyInt, Output = Bound<'py, pyo3::types::PyInt>>,
    N: IntoPyObject<'py, Error = std::convert::Infallible>,
{
    value.into_pyobject(py).map_or_else(|never| match never {}, |int| int.into_any().unbind())
}

fn square(py: Python<'_>, square: Option<u8>) -> Py<PyAny> {
    square.map_or_else(|| py.None(), |square| number(py, square))
}

/// Castling rights. Those of ordinary chess are made once, as a number of 64 bits takes more memory than all else here.
fn rights(py: Python<'_>, castling: u64) -> Py<PyAny> {
    static ORDINARY: PyOnceLock<[Py<PyAny>; 16]> = PyOnceLock::new();
    if castling & !CORNERS != 0 {
        return number(py, castling);
    }
    let of = |place: u64| {
        place & 1 | (place >> 1 & 1) << 7 | (place >> 2 & 1) << 56 | (place >> 3 & 1) << 63
    };
    let ordinary =
        ORDINARY.get_or_init(py, || std::array::from_fn(|place| number(py, of(place as u64))));
    let place =
        castling & 1 | (castling >> 7 & 1) << 1 | (castling >> 56 & 1) << 2 | (castling >> 63) << 3;
    ordinary[place as usize & 15].clone_ref(py)
}

impl Shown {
    pub(crate) fn of(py: Python<'_>, track: &Track) -> Shown {
        let now = Numbers::of(track);
        Shown {
            turn: truth(py, now.turn),
            chess960: truth(py, now.chess960),
            ep_square: square(py, now.ep_square),
            halfmove_clock: number(py, now.halfmove_clock),
            fullmove_number: number(py, now.fullmove_number),
            castling_rights: rights(py, now.castling),
        }
    }

    /// Shows what has changed.
    pub(crate) fn renew(&mut self, py: Python<'_>, before: Numbers, now: Numbers) {
        if now.turn != before.turn {
            self.turn = truth(py, now.turn);
        }
        if now.chess960 != before.chess960 {
            self.chess960 = truth(py, now.chess960);
        }
        if now.ep_square != before.ep_square {
            self.ep_square = square(py, now.ep_square);
        }
        if now.halfmove_clock != before.halfmove_clock {
            self.halfmove_clock = number(py, now.halfmove_clock);
        }
        if now.fullmove_number != before.fullmove_number {
            self.fullmove_number = number(py, now.fullmove_number);
        }
        if now.castling != before.castling {
            self.castling_rights = rights(py, now.castling);
        }
    }
}

/// Sets an attribute as objects do that have no `__setattr__` of their own.
pub(crate) fn set_attribute(
    object: &Bound<'_, PyAny>,
    name: &Bound<'_, PyString>,
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let value = value.map_or(std::ptr::null_mut(), Bound::as_ptr);
    // SAFETY: all three are objects that live through the call, or, for the value, null, which deletes.
    let set = unsafe { pyo3::ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value) };
    if set == 0 { Ok(()) } else { Err(PyErr::fetch(object.py())) }
}

/// Gives the class of boards its member descriptors.
#[cfg(Py_GIL_DISABLED)]
pub(crate) fn install(_py: Python<'_>) -> PyResult<()> {
    Ok(())
}

/// Gives the class of boards its member descriptors.
#[cfg(not(Py_GIL_DISABLED))]
pub(crate) fn install(py: Python<'_>) -> PyResult<()> {
    use pyo3::ffi;

    use crate::board::BoardCore;

    let class = py.get_type::<BoardCore>();
    let board = Bound::new(py, BoardCore::empty(py))?;
    let core = board.try_borrow()?;
    let shown = &core.shown;
    let fields = [
        (c"turn", "turn", &shown.turn, c"Who is to move."),
        (c"chess960", "chess960", &shown.chess960, c"Whether castling is written as in Chess960."),
        (
            c"ep_square",
            "ep_square",
            &shown.ep_square,
            c"The square behind a pawn that has just gone two.",
        ),
        (
            c"halfmove_clock",
            "halfmove_clock",
            &shown.halfmove_clock,
            c"Half-moves since a capture or a move of a pawn.",
        ),
        (
            c"fullmove_number",
            "fullmove_number",
            &shown.fullmove_number,
            c"The number of the move, from 1.",
        ),
        (
            c"castling_rights",
            "castling_rights",
            &shown.castling_rights,
            c"The rooks with which a side may castle, as a mask.",
        ),
    ];
    for (name, attribute, field, doc) in fields {
        let offset = std::ptr::from_ref(field).addr() - board.as_ptr().addr();
        let member = Box::leak(Box::new(ffi::PyMemberDef {
            name: name.as_ptr(),
            type_code: ffi::Py_T_OBJECT_EX,
            offset: offset as ffi::Py_ssize_t,
            flags: ffi::Py_READONLY,
            doc: doc.as_ptr(),
        }));
        // SAFETY: at this place every board, those of subclasses too, has a `Py<PyAny>`: a pointer to an object that is
        // never null. It is changed in one step by who holds the interpreter's lock, and read by who holds it. The
        // definition lives for ever.
        let descriptor = unsafe {
            Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMember(class.as_type_ptr(), member))
        }?;
        class.setattr(attribute, descriptor)?;
    }
    Ok(())
}
