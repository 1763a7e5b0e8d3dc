//! `Move` and `Piece`: small values that never change, most of them made once.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyType};

use crate::board::At;
use crate::notation;
use crate::state::{KING, PAWN, Step};

create_exception!(tabiya, InvalidMoveError, PyValueError, "Text that is not written as a move is.");
create_exception!(tabiya, IllegalMoveError, PyValueError, "A move that the rules do not allow.");
create_exception!(tabiya, AmbiguousMoveError, PyValueError, "Text that could mean several moves.");

/// A move from one square to another, or a drop, or a null move.
///
/// >>> import tabiya
/// >>> tabiya.Move.from_uci("e7e8q").promotion == tabiya.QUEEN
/// True
#[pyclass(frozen, module = "tabiya")]
pub(crate) struct Move {
    /// The square from which it goes.
    #[pyo3(get)]
    from_square: Py<PyAny>,
    /// The square to which it goes.
    #[pyo3(get)]
    to_square: Py<PyAny>,
    /// What a pawn becomes, or None.
    #[pyo3(get)]
    promotion: Py<PyAny>,
    /// The kind of piece that is dropped, or None.
    #[pyo3(get)]
    drop: Py<PyAny>,
    pub(crate) step: Step,
}

/// What a move is made of: squares, promotion, drop.
type Arguments = (u8, u8, Option<u8>, Option<u8>);

fn number(py: Python<'_>, value: u8) -> Py<PyAny> {
    value.into_pyobject(py).map_or_else(|never| match never {}, |int| int.into_any().unbind())
}

fn kind_or_none(py: Python<'_>, kind: u8) -> Py<PyAny> {
    if kind == 0 { py.None() } else { number(py, kind) }
}

impl Move {
    fn of(py: Python<'_>, step: Step) -> Move {
        Move {
            from_square: number(py, step.from),
            to_square: number(py, step.to),
            promotion: kind_or_none(py, step.promotion),
            drop: kind_or_none(py, step.drop),
            step,
        }
    }
}

/// The move as a Python object: always the same one for the same move.
pub(crate) fn shared(py: Python<'_>, step: Step) -> Py<Move> {
    static MOVES: PyOnceLock<Vec<PyOnceLock<Py<Move>>>> = PyOnceLock::new();
    let moves = MOVES.get_or_init(py, || (0..7 * 4096).map(|_| PyOnceLock::new()).collect());
    let make = || Py::new(py, Move::of(py, step)).expect("there is memory for a move");
    let at =
        usize::from(step.promotion) * 4096 + usize::from(step.from) * 64 + usize::from(step.to);
    match moves.get(at) {
        Some(place) if step.drop == 0 => place.get_or_init(py, make).clone_ref(py),
        _ => make(),
    }
}

/// A kind of piece that Python gives.
#[derive(Clone, Copy)]
pub(crate) struct Kind(pub(crate) u8);

impl<'py> FromPyObject<'_, 'py> for Kind {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<Kind> {
        match number.extract::<u8>() {
            Ok(kind @ PAWN..=KING) => Ok(Kind(kind)),
            _ => Err(PyValueError::new_err(format!(
                "a kind of piece is a number from 1 (pawn) to 6 (king), not {}",
                number.repr()?
            ))),
        }
    }
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion=None, drop=None))]
    fn new(
        py: Python<'_>,
        from_square: At,
        to_square: At,
        promotion: Option<Kind>,
        drop: Option<Kind>,
    ) -> Move {
        let kind = |kind: Option<Kind>| kind.map_or(0, |Kind(kind)| kind);
        let step = Step {
            from: from_square.0,
            to: to_square.0,
            promotion: kind(promotion),
            drop: kind(drop),
        };
        Move::of(py, step)
    }

    /// The move that a text like "e2e4", "e7e8q", "N@f3" or "0000" tells.
    #[classmethod]
    fn from_uci(cls: &Bound<'_, PyType>, uci: &str) -> PyResult<Py<Move>> {
        match notation::parse_uci(uci) {
            Ok(step) => Ok(shared(cls.py(), step)),
            Err(text) => Err(InvalidMoveError::new_err(text)),
        }
    }

    /// The move by which nobody moves.
    #[classmethod]
    fn null(cls: &Bound<'_, PyType>) -> Py<Move> {
        shared(cls.py(), Step::NULL)
    }

    /// The move as UCI writes it.
    fn uci(&self) -> String {
        notation::uci(self.step)
    }

    /// For notebooks: an arrow on a small board.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tabiya.svg")?.call_method1("move", (slf,))
    }

    /// The move as XBoard writes it.
    fn xboard(&self) -> String {
        if self.step.is_null() { "@@@@".to_owned() } else { self.uci() }
    }

    fn __bool__(&self) -> bool {
        !self.step.is_null()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> Option<bool> {
        Some(self.step == other.cast::<Move>().ok()?.get().step)
    }

    fn __hash__(&self) -> u64 {
        let Step { from, to, promotion, drop } = self.step;
        u64::from(u32::from_be_bytes([drop, promotion, from, to]))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci({:?})", self.uci()).replace('"', "'")
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, Arguments) {
        let Step { from, to, promotion, drop } = slf.get().step;
        let some = |kind| if kind == 0 { None } else { Some(kind) };
        (slf.get_type(), (from, to, some(promotion), some(drop)))
    }
}

/// A kind of piece and a colour.
///
/// >>> import tabiya
/// >>> str(tabiya.Piece(tabiya.KNIGHT, tabiya.WHITE))
/// 'N'
#[pyclass(frozen, module = "tabiya")]
pub(crate) struct Piece {
    /// The kind of piece, from 1 (pawn) to 6 (king).
    #[pyo3(get)]
    piece_type: Py<PyAny>,
    /// Whose it is: True for White.
    #[pyo3(get)]
    color: Py<PyAny>,
    pub(crate) kind: u8,
    pub(crate) white: bool,
}

impl Piece {
    fn of(py: Python<'_>, kind: u8, white: bool) -> Piece {
        let color = PyBool::new(py, white).to_owned().into_any().unbind();
        Piece { piece_type: number(py, kind), color, kind, white }
    }
}

/// The piece as a Python object: always the same one for the same piece.
pub(crate) fn shared_piece(py: Python<'_>, kind: u8, white: bool) -> Py<Piece> {
    static PIECES: [PyOnceLock<Py<Piece>>; 14] = [const { PyOnceLock::new() }; 14];
    let make = || Py::new(py, Piece::of(py, kind, white)).expect("there is memory for a piece");
    match PIECES.get(usize::from(kind) * 2 + usize::from(white)) {
        Some(place) => place.get_or_init(py, make).clone_ref(py),
        None => make(),
    }
}

const FIGURES: [char; 12] = ['♟', '♞', '♝', '♜', '♛', '♚', '♙', '♘', '♗', '♖', '♕', '♔'];

#[pymethods]
impl Piece {
    #[new]
    fn new(py: Python<'_>, piece_type: Kind, color: bool) -> Piece {
        Piece::of(py, piece_type.0, color)
    }

    /// The piece of a letter: "N" is a white knight, "n" a black one.
    #[classmethod]
    fn from_symbol(cls: &Bound<'_, PyType>, symbol: &str) -> PyResult<Py<Piece>> {
        let mut letters = symbol.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => notation::kind_of_letter(letter)
                .map(|kind| shared_piece(cls.py(), kind, letter.is_ascii_uppercase())),
            _ => None,
        }
        .ok_or_else(|| PyValueError::new_err(format!("{symbol:?} is not the letter of a piece")))
    }

    /// The letter of the piece: upper case for White.
    fn symbol(&self) -> String {
        let letter = notation::letter(self.kind);
        if self.white { letter.to_ascii_uppercase() } else { letter }.to_string()
    }

    /// The piece as one character of Unicode.
    #[pyo3(signature = (*, invert_color=false))]
    fn unicode_symbol(&self, invert_color: bool) -> String {
        let white = self.white != invert_color;
        FIGURES[usize::from(self.kind) - 1 + if white { 6 } else { 0 }].to_string()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> Option<bool> {
        let other = other.cast::<Piece>().ok()?.get();
        Some((self.kind, self.white) == (other.kind, other.white))
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.kind) - 1 + if self.white { 0 } else { 6 }
    }

    fn __str__(&self) -> String {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.symbol())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (u8, bool)) {
        (slf.get_type(), (slf.get().kind, slf.get().white))
    }
}
