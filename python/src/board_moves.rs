//! The moves of a board: made, read, played, taken back, counted.

use pyo3::exceptions::{PyAssertionError, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabiya_chess::Perft;

use crate::board::{BoardCore, look, take};
use crate::generate::Sight;
use crate::legal_moves::{LegalMoveGenerator, PseudoLegalMoveGenerator, is_plain};
use crate::notation;
use crate::piece_move::{Move, shared};
use crate::square_set::mask_of;
use crate::state::{State, Step};

#[pymethods]
impl BoardCore {
    #[pyo3(signature = (from_mask=None, to_mask=None))]
    /// The legal moves from squares and to squares of two masks; all, if none are given.
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
    /// The moves as the pieces go, from squares and to squares of two masks.
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
    /// Captures en passant, legal or not.
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
    /// Legal captures en passant.
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
    /// Castling moves, which are always legal.
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
    /// Captures, en passant included, legal or not.
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
    /// Legal captures, en passant included.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    /// >>> [move.uci() for move in board.generate_legal_captures()]
    /// ['e4d5']
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
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        check_depth(depth)?;
        count_below(py, &self.state, self.chess960, self.castling(), depth)
    }

    /// The games of `depth` half-moves by their first move.
    ///
    /// >>> import tabiya
    /// >>> divided = tabiya.Board().perft_divide(3)
    /// >>> divided[tabiya.Move.from_uci("e2e4")]
    /// 600
    fn perft_divide<'py>(&self, py: Python<'py>, depth: u32) -> PyResult<Bound<'py, PyDict>> {
        check_depth(depth)?;
        let divided = PyDict::new(py);
        for (step, after) in children(&self.state, self.chess960, self.castling()) {
            let below = depth.saturating_sub(1);
            let nodes = count_below(py, &after, self.chess960, after.castling, below)?;
            divided.set_item(shared(py, step), nodes)?;
        }
        Ok(divided)
    }

    /// Plays a move, which must be one that the pieces can make: nobody looks whether it is legal.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.push(tabiya.Move.from_uci("e2e4"))
    /// >>> board.turn == tabiya.BLACK
    /// True
    fn push(&mut self, py: Python<'_>, r#move: &Move) -> PyResult<()> {
        if self.change(py, |track| track.push_step(r#move.step)) {
            return Ok(());
        }
        Err(PyAssertionError::new_err(format!(
            "push takes moves that are pseudo-legal, but no piece stands where {} begins: {}",
            notation::uci(r#move.step),
            notation::board_fen(&self.state, false)
        )))
    }

    /// Takes back the last move and gives it; IndexError if there is none.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<Move>> {
        let taken = self.change(py, |track| {
            let (state, step) = track.stack.pop()?;
            track.state = state;
            Some(step)
        });
        match taken {
            Some(step) => Ok(shared(py, step)),
            None => Err(PyIndexError::new_err("no move to take back")),
        }
    }

    /// The last move; IndexError if there is none.
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

    /// The legal move that a text means; ``IllegalMoveError``, ``AmbiguousMoveError`` or ``InvalidMoveError`` with the reason.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().parse_san("Nf3")
    /// Move.from_uci('g1f3')
    fn parse_san(&self, py: Python<'_>, san: &str) -> PyResult<Py<Move>> {
        Ok(shared(py, self.read_san(san)?))
    }

    /// Plays the move that a text means and gives it.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().push_san("e4")
    /// Move.from_uci('e2e4')
    fn push_san(slf: &Bound<'_, Self>, san: &str) -> PyResult<Py<Move>> {
        let step = look(slf)?.read_san(san)?;
        push_on(slf, step)
    }

    /// The legal move of a text like "e2e4"; castling may be written in both ways.
    fn parse_uci(&self, py: Python<'_>, uci: &str) -> PyResult<Py<Move>> {
        Ok(shared(py, self.read_uci(uci)?))
    }

    /// Plays the move of a text like "e2e4" and gives it.
    fn push_uci(slf: &Bound<'_, Self>, uci: &str) -> PyResult<Py<Move>> {
        let step = look(slf)?.read_uci(uci)?;
        push_on(slf, step)
    }

    /// Whether boards of this class move and generate as this one does.
    #[classattr]
    #[pyo3(name = "_plain")]
    const PLAIN: bool = true;

    fn _reason(&self, text: &str) -> String {
        self.reason(text)
    }

    /// The move in SAN.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().san(tabiya.Move.from_uci("g1f3"))
    /// 'Nf3'
    fn san(&self, r#move: &Move) -> PyResult<String> {
        self.write(r#move.step, false)
    }

    /// The move in long algebraic notation.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().lan(tabiya.Move.from_uci("g1f3"))
    /// 'Ng1-f3'
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
        take(board)?.change(board.py(), |track| track.push_step(step));
    } else {
        board.call_method1("push", (found.clone_ref(board.py()),))?;
    }
    Ok(found)
}

fn check_depth(depth: u32) -> PyResult<()> {
    /// Deeper than anybody can wait, and than one thread can call itself.
    const DEEPEST: u32 = 64;
    if depth <= DEEPEST {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("games are counted to depth {DEEPEST} at most, not {depth}")))
}

/// The legal moves, and the boards after them.
fn children(state: &State, chess960: bool, castling: u64) -> Vec<(Step, State)> {
    let mut children = Vec::new();
    state.legal(chess960, castling, !0, !0, &mut |step| {
        let mut after = *state;
        after.play(state.onto_rook(step), castling);
        children.push((step, after));
        true
    });
    children
}

/// Counts without the interpreter, and asks it every few milliseconds whether it was interrupted.
fn count_below(
    py: Python<'_>,
    state: &State,
    chess960: bool,
    castling: u64,
    depth: u32,
) -> PyResult<u64> {
    const AT_ONCE: u32 = 4;
    if depth > AT_ONCE {
        let children = children(state, chess960, castling).into_iter();
        return children
            .map(|(_, after)| count_below(py, &after, chess960, after.castling, depth - 1))
            .try_fold(0, |sum: u64, nodes| Ok(sum.saturating_add(nodes?)));
    }
    py.check_signals()?;
    Ok(py.detach(|| match state.position(castling) {
        Ok(position) => Perft::default().count(&position, depth),
        Err(_) => count(state, chess960, castling, depth),
    }))
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
