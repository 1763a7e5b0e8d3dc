//! What `Board` and `BaseBoard` are made of: a board, and the moves that led to it.

use std::ops::Deref;

use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::members::{self, Numbers, Shown};
use crate::notation;
use crate::piece_move::{Kind, shared};
use crate::square_set::{SquareSet, mask_of};
use crate::state::{State, Step, bit};
use crate::track::{Stack, Track};

/// Pieces on squares, all else that a FEN tells, and the moves that led here.
#[pyclass(subclass, module = "tabiya", name = "BoardCore")]
pub(crate) struct BoardCore {
    track: Track,
    pub(crate) shown: Shown,
}

impl Deref for BoardCore {
    type Target = Track;

    fn deref(&self) -> &Track {
        &self.track
    }
}

impl BoardCore {
    /// Every change goes this way, so that what Python reads by itself is what is.
    pub(crate) fn change<T>(&mut self, py: Python<'_>, work: impl FnOnce(&mut Track) -> T) -> T {
        let before = Numbers::of(&self.track);
        let done = work(&mut self.track);
        self.shown.renew(py, before, Numbers::of(&self.track));
        done
    }

    /// Becomes a board without moves before it.
    fn begin(&mut self, py: Python<'_>, state: State) {
        self.change(py, |track| {
            track.state = state;
            track.stack.clear();
        });
    }

    /// A board without pieces.
    pub(crate) fn empty(py: Python<'_>) -> BoardCore {
        let track = Track { state: State::EMPTY, chess960: false, stack: Stack::default() };
        BoardCore { shown: Shown::of(py, &track), track }
    }
}

/// The square of a number that Python gives.
#[derive(Clone, Copy)]
pub(crate) struct At(pub(crate) u8);

impl<'py> FromPyObject<'_, 'py> for At {
    type Error = PyErr;

    fn extract(number: Borrowed<'_, 'py, PyAny>) -> PyResult<At> {
        match number.extract::<u8>() {
            Ok(square @ 0..64) => Ok(At(square)),
            Err(error) if error.is_instance_of::<PyTypeError>(number.py()) => {
                let said = number.repr()?;
                Err(PyTypeError::new_err(format!("a square is a number from 0 to 63, not {said}")))
            }
            _ => Err(PyIndexError::new_err(format!(
                "squares are numbers from 0 to 63, not {}",
                number.str()?
            ))),
        }
    }
}

/// A clock or a move number that Python gives.
fn count(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u32> {
    value.extract().map_err(|error: PyErr| {
        let said = format!("{name} is a number from 0 to {}, not {value}", u32::MAX);
        match error.is_instance_of::<PyTypeError>(value.py()) {
            true => PyTypeError::new_err(said),
            false => PyValueError::new_err(said),
        }
    })
}

/// A board to look at; a RuntimeError where it is just being changed, which only other threads and functions that are
/// called on the way can see.
pub(crate) fn look<'py>(board: &Bound<'py, BoardCore>) -> PyResult<PyRef<'py, BoardCore>> {
    board.try_borrow().map_err(|_| PyRuntimeError::new_err(BUSY))
}

/// A board to change, likewise.
pub(crate) fn take<'py>(board: &Bound<'py, BoardCore>) -> PyResult<PyRefMut<'py, BoardCore>> {
    board.try_borrow_mut().map_err(|_| PyRuntimeError::new_err(BUSY))
}

const BUSY: &str =
    "this board is just being used elsewhere: threads that share a board take turns by a lock";

pub(crate) fn set(py: Python<'_>, mask: u64) -> PyResult<Py<SquareSet>> {
    Py::new(py, SquareSet { mask })
}

#[pymethods]
impl BoardCore {
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    fn new(
        py: Python<'_>,
        _arguments: &Bound<'_, PyTuple>,
        _named: Option<&Bound<'_, PyDict>>,
    ) -> BoardCore {
        BoardCore::empty(py)
    }

    // What is read here is read without a call where that is possible: see `members`.

    #[getter]
    fn turn(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.turn.clone_ref(py)
    }

    #[getter]
    fn castling_rights(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.castling_rights.clone_ref(py)
    }

    #[getter]
    fn ep_square(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.ep_square.clone_ref(py)
    }

    #[getter]
    fn halfmove_clock(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.halfmove_clock.clone_ref(py)
    }

    #[getter]
    fn fullmove_number(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.fullmove_number.clone_ref(py)
    }

    #[getter]
    fn chess960(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown.chess960.clone_ref(py)
    }

    fn __setattr__(
        slf: &Bound<'_, Self>,
        name: &Bound<'_, PyString>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = slf.py();
        match name.to_str()? {
            "turn" => {
                let turn = value.extract()?;
                take(slf)?.change(py, |track| track.state.turn = turn);
            }
            "castling_rights" => {
                let rights = mask_of(value)?;
                take(slf)?.change(py, |track| track.state.castling = rights);
            }
            "ep_square" => {
                let square = value.extract::<Option<At>>()?.map(|At(square)| square);
                take(slf)?.change(py, |track| track.state.ep_square = square);
            }
            "halfmove_clock" => {
                let clock = count(value, "the clock of fifty moves")?;
                take(slf)?.change(py, |track| track.state.halfmove_clock = clock);
            }
            "fullmove_number" => {
                let number = count(value, "the number of the move")?;
                take(slf)?.change(py, |track| track.state.fullmove_number = number);
            }
            "chess960" => {
                let chess960 = value.extract()?;
                take(slf)?.change(py, |track| track.chess960 = chess960);
            }
            _ => members::set_attribute(slf.as_any(), name, Some(value))?,
        }
        Ok(())
    }

    fn __delattr__(slf: &Bound<'_, Self>, name: &Bound<'_, PyString>) -> PyResult<()> {
        members::set_attribute(slf.as_any(), name, None)
    }

    /// The pieces that were pawns, as a mask.
    #[getter]
    fn promoted(&self) -> u64 {
        self.state.promoted
    }

    #[setter]
    fn set_promoted(slf: &Bound<'_, Self>, mask: &Bound<'_, PyAny>) -> PyResult<()> {
        let mask = mask_of(mask)?;
        take(slf)?.track.state.promoted = mask;
        Ok(())
    }

    /// The squares on which something stands, as a mask.
    #[getter]
    fn occupied(&self) -> u64 {
        self.state.occupied()
    }

    /// Black's and White's squares.
    #[getter]
    fn occupied_co(&self) -> [u64; 2] {
        self.state.colors
    }

    /// The pawns of both sides, as a mask.
    #[getter]
    fn pawns(&self) -> u64 {
        self.state.kinds[0]
    }

    /// The knights of both sides, as a mask.
    #[getter]
    fn knights(&self) -> u64 {
        self.state.kinds[1]
    }

    /// The bishops of both sides, as a mask.
    #[getter]
    fn bishops(&self) -> u64 {
        self.state.kinds[2]
    }

    /// The rooks of both sides, as a mask.
    #[getter]
    fn rooks(&self) -> u64 {
        self.state.kinds[3]
    }

    /// The queens of both sides, as a mask.
    #[getter]
    fn queens(&self) -> u64 {
        self.state.kinds[4]
    }

    /// The kings of both sides, as a mask.
    #[getter]
    fn kings(&self) -> u64 {
        self.state.kinds[5]
    }

    /// The moves that were pushed, the first one first. A new list each time.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.stack.iter().map(|(_, step)| shared(py, *step)))
    }

    /// How many moves were pushed.
    fn stack_size(&self) -> usize {
        self.stack.len()
    }

    /// Forgets the moves that were pushed.
    fn clear_stack(&mut self) {
        self.track.stack.clear();
    }

    fn _reset_pieces(&mut self, empty: bool) {
        let State { kinds, colors, .. } = if empty { State::EMPTY } else { State::INITIAL };
        let state = &mut self.track.state;
        (state.kinds, state.colors, state.promoted) = (kinds, colors, 0);
    }

    fn _reset(&mut self, py: Python<'_>, empty: bool) {
        self.begin(py, if empty { State::EMPTY } else { State::INITIAL });
    }

    fn _parse_fen(&mut self, py: Python<'_>, fen: &str) -> PyResult<()> {
        let state = notation::parse_fen(fen).map_err(PyValueError::new_err)?;
        self.begin(py, state);
        Ok(())
    }

    fn _parse_board_fen(&mut self, fen: &str) -> PyResult<()> {
        notation::set_board_fen(&mut self.track.state, fen).map_err(PyValueError::new_err)
    }

    fn _parse_castling(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        let rights = notation::castling_rights(&self.state, text).map_err(PyValueError::new_err)?;
        self.change(py, |track| track.state.castling = rights);
        Ok(())
    }

    /// Becomes like another board; with its last `stack` moves.
    fn _assign(&mut self, other: &Bound<'_, BoardCore>, stack: usize) -> PyResult<()> {
        let py = other.py();
        let other = look(other)?;
        self.change(py, |track| {
            track.state = other.state;
            track.chess960 = other.chess960;
            let kept = &other.stack[other.stack.len().saturating_sub(stack)..];
            track.stack = kept.to_vec().into();
        });
        Ok(())
    }

    /// Goes back to before the first move that is known.
    fn _to_root(&mut self, py: Python<'_>) {
        let state = self.stack.first().map_or(self.state, |(state, _)| *state);
        self.begin(py, state);
    }

    fn _put(&mut self, at: At, kind: Option<Kind>, white: bool, promoted: bool) {
        match kind {
            None => drop(self.track.state.remove(at.0)),
            Some(Kind(kind)) => self.track.state.put(at.0, kind, white, promoted),
        }
    }

    fn _remove(&mut self, at: At) -> Option<u8> {
        let kind = self.track.state.remove(at.0);
        (kind != 0).then_some(kind)
    }

    /// Turns the whole board by a function of masks.
    fn _transform(slf: &Bound<'_, Self>, turn: &Bound<'_, PyAny>) -> PyResult<()> {
        let of = |mask: u64| -> PyResult<u64> { mask_of(&turn.call1((mask,))?) };
        // The function may look at the board.
        let (mut state, castling) = {
            let board = look(slf)?;
            (board.state, board.castling())
        };
        for kind in &mut state.kinds {
            *kind = of(*kind)?;
        }
        state.colors = [of(state.colors[0])?, of(state.colors[1])?];
        state.promoted = of(state.promoted)?;
        state.castling = of(castling)?;
        state.ep_square = match state.ep_square {
            Some(square) => {
                let mask = of(bit(square))?;
                (mask != 0).then(|| mask.trailing_zeros() as u8)
            }
            None => None,
        };
        take(slf)?.begin(slf.py(), state);
        Ok(())
    }

    /// Turns the board upside down and exchanges the colours.
    fn _mirror(&mut self, py: Python<'_>) {
        let mut state = self.state;
        for kind in &mut state.kinds {
            *kind = kind.swap_bytes();
        }
        state.colors = [state.colors[1].swap_bytes(), state.colors[0].swap_bytes()];
        state.promoted = state.promoted.swap_bytes();
        state.castling = self.castling().swap_bytes();
        state.ep_square = state.ep_square.map(|square| square ^ 56);
        state.turn = !state.turn;
        self.begin(py, state);
    }

    fn _same_pieces(&self, other: &Bound<'_, BoardCore>) -> PyResult<bool> {
        let other = look(other)?;
        Ok((self.state.kinds, self.state.colors, self.state.promoted)
            == (other.state.kinds, other.state.colors, other.state.promoted))
    }

    fn _same_position(&self, other: &Bound<'_, BoardCore>) -> PyResult<bool> {
        let other = look(other)?;
        Ok(self.same_key() == other.same_key()
            && self.state.halfmove_clock == other.state.halfmove_clock
            && self.state.fullmove_number == other.state.fullmove_number)
    }

    fn _transposition_key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ([p, n, b, r, q, k], [black, white], turn, castling, ep) = self.same_key();
        Ok((p, n, b, r, q, k, white, black, turn, castling, ep).into_pyobject(py)?.into_any())
    }

    /// All of the board in one value, for pickle and hashes.
    fn __getstate__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let core = look(slf)?;
        let one = |state: &State| {
            (
                state.kinds,
                state.colors,
                state.promoted,
                state.castling,
                state.ep_square,
                state.halfmove_clock,
                state.fullmove_number,
                state.turn,
            )
        };
        let stack: Vec<_> = core
            .stack
            .iter()
            .map(|(state, s)| (one(state), (s.from, s.to, s.promotion, s.drop)))
            .collect();
        let dict = slf.getattr("__dict__").ok();
        Ok((one(&core.state), core.chess960, stack, dict).into_pyobject(py)?.into_any())
    }

    fn __setstate__(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        type One = ([u64; 6], [u64; 2], u64, u64, Option<u8>, u32, u32, bool);
        type All<'py> = (One, bool, Vec<(One, (u8, u8, u8, u8))>, Option<Bound<'py, PyDict>>);
        let (now, chess960, stack, dict): All<'_> = value.extract()?;
        let one = |(kinds, colors, promoted, castling, ep, half, full, turn): One| State {
            kinds,
            colors,
            promoted,
            castling,
            halfmove_clock: half,
            fullmove_number: full,
            ep_square: ep.map(|square| square & 63),
            turn,
        };
        take(slf)?.change(slf.py(), |track| {
            track.state = one(now);
            track.chess960 = chess960;
            track.stack = stack
                .into_iter()
                .map(|(state, (from, to, promotion, drop))| {
                    (
                        one(state),
                        Step {
                            from: from & 63,
                            to: to & 63,
                            promotion: promotion % 7,
                            drop: drop % 7,
                        },
                    )
                })
                .collect::<Vec<_>>()
                .into();
        });
        if let Some(dict) = dict {
            slf.getattr("__dict__")?.cast::<PyDict>()?.update(dict.as_mapping())?;
        }
        Ok(())
    }
}
