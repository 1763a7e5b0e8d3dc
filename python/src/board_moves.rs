//! The moves of a board: made, read, played, taken back, counted.

use pyo3::exceptions::{PyAssertionError, PyIndexError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabiya_chess::Perft;

use crate::board::BoardCore;
use crate::generate::Sight;
use crate::legal_moves::{LegalMoveGenerator, PseudoLegalMoveGenerator, is_plain};
use crate::notation;
use crate::piece_move::{Move, shared};
use crate::square_set::mask_of;
use crate::state::{State, Step};

#[pymethods]
impl BoardCore {
    #[pyo3(signature = (from_mask=None, to_mask=None))]
    pub(crate) fn generate_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = from_mask.map_or(Ok(!0), mask_of)?;
        let to = to_mask.map_or(Ok(!0), mask_of)?;
        self.moves(py, |state, chess960, castling, mut visit| {
            state.legal(chess960, castling, from, to, &mut visit);
        })
    }

    #[pyo3(signature = (from_mask=None, to_mask=None))]
    pub(crate) fn generate_pseudo_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = from_mask.map_or(Ok(!0), mask_of)?;
        let to = to_mask.map_or(Ok(!0), mask_of)?;
        self.moves(py, |state, chess960, castling, mut visit| {
            state.pseudo_legal(chess960, castling, from, to, &mut visit);
        })
    }

    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_pseudo_legal_ep<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = from_mask.map_or(Ok(!0), mask_of)?;
        let to = to_mask.map_or(Ok(!0), mask_of)?;
        self.moves(py, |state, _, _, mut visit| {
            state.en_passant(from, to, &mut visit);
        })
    }

    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_legal_ep<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = from_mask.map_or(Ok(!0), mask_of)?;
        let to = to_mask.map_or(Ok(!0), mask_of)?;
        self.moves(py, |state, _, _, visit| {
            let sight = Sight::of(state);
            state.en_passant(from, to, &mut |step| !state.is_safe(&sight, step) || visit(step));
        })
    }

    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_castling_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = from_mask.map_or(Ok(!0), mask_of)?;
        let to = to_mask.map_or(Ok(!0), mask_of)?;
        self.moves(py, |state, chess960, castling, mut visit| {
            state.castling_moves(chess960, castling, from, to, &mut visit);
        })
    }

    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_pseudo_legal_captures<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = from_mask.map_or(Ok(!0), mask_of)?;
        let to = to_mask.map_or(Ok(!0), mask_of)?;
        self.moves(py, |state, chess960, _, mut visit| {
            let enemy = to & state.color(!state.turn);
            if state.pseudo_legal(chess960, 0, from, enemy, &mut visit) {
                state.en_passant(from, to, &mut visit);
            }
        })
    }

    #[pyo3(signature = (from_mask=None, to_mask=None))]
    fn generate_legal_captures<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<&Bound<'py, PyAny>>,
        to_mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let from = from_mask.map_or(Ok(!0), mask_of)?;
        let to = to_mask.map_or(Ok(!0), mask_of)?;
        self.moves(py, |state, chess960, _, visit| {
            let sight = Sight::of(state);
            let mut safe = |step| !state.is_safe(&sight, step) || visit(step);
            let enemy = to & state.color(!state.turn);
            if state.pseudo_legal(chess960, 0, from, enemy, &mut safe) {
                state.en_passant(from, to, &mut safe);
            }
        })
    }

    pub(crate) fn _count_legal(&self) -> usize {
        let mut count = 0;
        self.state.legal(self.chess960, self.castling(), !0, !0, &mut |_| {
            count += 1;
            true
        });
        count
    }

    pub(crate) fn _count_pseudo_legal(&self) -> usize {
        let mut count = 0;
        self.state.pseudo_legal(self.chess960, self.castling(), !0, !0, &mut |_| {
            count += 1;
            true
        });
        count
    }

    /// How many games of `depth` half-moves there are from here, counted without Python.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().perft(5)
    /// 4865609
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        let (state, chess960, castling) = (self.state, self.chess960, self.castling());
        py.detach(|| match state.position(castling) {
            Ok(position) => Perft::default().count(&position, depth),
            Err(_) => count(&state, chess960, castling, depth),
        })
    }

    /// The games of `depth` half-moves by their first move.
    fn perft_divide<'py>(&self, py: Python<'py>, depth: u32) -> PyResult<Bound<'py, PyDict>> {
        let mut rows = Vec::new();
        let (state, chess960, castling) = (self.state, self.chess960, self.castling());
        py.detach(|| {
            state.legal(chess960, castling, !0, !0, &mut |step| {
                let mut after = state;
                after.play(state.onto_rook(step), castling);
                let rights = after.castling;
                let below = match after.position(rights) {
                    Ok(position) => Perft::default().count(&position, depth.saturating_sub(1)),
                    Err(_) => count(&after, chess960, rights, depth.saturating_sub(1)),
                };
                rows.push((step, below));
                true
            });
        });
        let divided = PyDict::new(py);
        for (step, nodes) in rows {
            divided.set_item(shared(py, step), nodes)?;
        }
        Ok(divided)
    }

    fn push(&mut self, r#move: &Move) -> PyResult<()> {
        if self.push_step(r#move.step) {
            return Ok(());
        }
        Err(PyAssertionError::new_err(format!(
            "push takes moves that are pseudo-legal, but no piece stands where {} begins: {}",
            notation::uci(r#move.step),
            notation::board_fen(&self.state, false)
        )))
    }

    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<Move>> {
        let (state, step) =
            self.stack.pop().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        self.state = state;
        Ok(shared(py, step))
    }

    fn peek(&self, py: Python<'_>) -> PyResult<Py<Move>> {
        match self.stack.last() {
            Some((_, step)) => Ok(shared(py, *step)),
            None => Err(PyIndexError::new_err("no move has been played")),
        }
    }

    /// The legal moves, to loop over, to count, and to ask for a move with `in`.
    #[getter]
    fn legal_moves(slf: Py<Self>) -> LegalMoveGenerator {
        LegalMoveGenerator::new(slf.into_any())
    }

    /// The moves as the pieces go, some of which may leave the king in check.
    #[getter]
    fn pseudo_legal_moves(slf: Py<Self>) -> PseudoLegalMoveGenerator {
        PseudoLegalMoveGenerator::new(slf.into_any())
    }

    fn parse_san(&self, py: Python<'_>, san: &str) -> PyResult<Py<Move>> {
        Ok(shared(py, self.read_san(san)?))
    }

    fn push_san(slf: &Bound<'_, Self>, san: &str) -> PyResult<Py<Move>> {
        let step = slf.borrow().read_san(san)?;
        push_on(slf, step)
    }

    fn parse_uci(&self, py: Python<'_>, uci: &str) -> PyResult<Py<Move>> {
        Ok(shared(py, self.read_uci(uci)?))
    }

    fn push_uci(slf: &Bound<'_, Self>, uci: &str) -> PyResult<Py<Move>> {
        let step = slf.borrow().read_uci(uci)?;
        push_on(slf, step)
    }

    /// Whether boards of this class move and generate as this one does.
    #[classattr]
    #[pyo3(name = "_plain")]
    const PLAIN: bool = true;

    fn _reason(&self, text: &str) -> String {
        self.reason(text)
    }

    fn san(&self, r#move: &Move) -> PyResult<String> {
        self.write(r#move.step, false)
    }

    fn lan(&self, r#move: &Move) -> PyResult<String> {
        self.write(r#move.step, true)
    }

    fn _from_chess960(&self, py: Python<'_>, chess960: bool, r#move: &Move) -> Py<Move> {
        shared(py, self.state.as_written(chess960, r#move.step))
    }

    fn _to_chess960(&self, py: Python<'_>, r#move: &Move) -> Py<Move> {
        shared(py, self.state.onto_rook(r#move.step))
    }
}

/// Pushes as the class of the board does.
fn push_on(board: &Bound<'_, BoardCore>, step: Step) -> PyResult<Py<Move>> {
    let found = shared(board.py(), step);
    if is_plain(board)? {
        board.borrow_mut().push_step(step);
    } else {
        board.call_method1("push", (found.clone_ref(board.py()),))?;
    }
    Ok(found)
}

fn count(state: &State, chess960: bool, castling: u64, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    state.legal(chess960, castling, !0, !0, &mut |step| {
        if depth == 1 {
            nodes += 1;
        } else {
            let mut after = *state;
            after.play(state.onto_rook(step), castling);
            nodes += count(&after, chess960, after.castling, depth - 1);
        }
        true
    });
    nodes
}
