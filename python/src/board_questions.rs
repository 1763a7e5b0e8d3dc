//! What a board is asked: who stands where, who attacks what, what it looks like as text.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{BoardCore, set, square};
use crate::generate::Sight;
use crate::notation;
use crate::piece_move::{Move, Piece, kind_of, shared_piece};
use crate::square_set::{SquareSet, mask_of};
use crate::state::{Reversed, State, Step, bit};

#[pymethods]
impl BoardCore {
    fn piece_at(&self, py: Python<'_>, at: u8) -> PyResult<Option<Py<Piece>>> {
        let at = square(at)?;
        Ok(match self.state.kind_at(at) {
            0 => None,
            kind => Some(shared_piece(py, kind, self.state.colors[1] & bit(at) != 0)),
        })
    }

    fn piece_type_at(&self, at: u8) -> PyResult<Option<u8>> {
        let kind = self.state.kind_at(square(at)?);
        Ok((kind != 0).then_some(kind))
    }

    fn color_at(&self, at: u8) -> PyResult<Option<bool>> {
        Ok(self.state.color_at(square(at)?))
    }

    fn king(&self, color: bool) -> Option<u8> {
        self.state.king(color)
    }

    fn pieces_mask(&self, piece_type: u8, color: bool) -> PyResult<u64> {
        Ok(self.state.kind(kind_of(Some(piece_type))?) & self.state.color(color))
    }

    fn pieces(&self, py: Python<'_>, piece_type: u8, color: bool) -> PyResult<Py<SquareSet>> {
        set(py, self.pieces_mask(piece_type, color)?)
    }

    fn attacks_mask(&self, square: u8) -> PyResult<u64> {
        Ok(self.state.attacks_from(self::square(square)?))
    }

    fn attacks(&self, py: Python<'_>, square: u8) -> PyResult<Py<SquareSet>> {
        set(py, self.attacks_mask(square)?)
    }

    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers_mask(
        &self,
        color: bool,
        square: u8,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let occupied = occupied.map_or(Ok(self.state.occupied()), mask_of)?;
        Ok(self.state.attackers(color, self::square(square)?, occupied))
    }

    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers(
        &self,
        py: Python<'_>,
        color: bool,
        square: u8,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<SquareSet>> {
        set(py, self.attackers_mask(color, square, occupied)?)
    }

    #[pyo3(signature = (color, square, occupied=None))]
    fn is_attacked_by(
        &self,
        color: bool,
        square: u8,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        Ok(self.attackers_mask(color, square, occupied)? != 0)
    }

    fn pin_mask(&self, color: bool, square: u8) -> PyResult<u64> {
        Ok(self.state.pin_mask(color, self::square(square)?))
    }

    fn pin(&self, py: Python<'_>, color: bool, square: u8) -> PyResult<Py<SquareSet>> {
        set(py, self.pin_mask(color, square)?)
    }

    fn is_pinned(&self, color: bool, square: u8) -> PyResult<bool> {
        Ok(self.pin_mask(color, square)? != !0)
    }

    /// The pieces by their squares.
    #[pyo3(signature = (*, mask=None))]
    fn piece_map<'py>(
        &self,
        py: Python<'py>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mask = mask.map_or(Ok(!0), mask_of)?;
        let map = PyDict::new(py);
        for at in Reversed(self.state.occupied() & mask) {
            let piece =
                shared_piece(py, self.state.kind_at(at), self.state.colors[1] & bit(at) != 0);
            map.set_item(at, piece)?;
        }
        Ok(map)
    }

    fn checkers_mask(&self) -> u64 {
        self.state.checkers()
    }

    fn checkers(&self, py: Python<'_>) -> PyResult<Py<SquareSet>> {
        set(py, self.state.checkers())
    }

    fn is_check(&self) -> bool {
        self.state.checkers() != 0
    }

    fn gives_check(&self, r#move: &Move) -> bool {
        let mut after = self.state;
        after.play(self.state.onto_rook(r#move.step), self.castling());
        after.checkers() != 0
    }

    fn was_into_check(&self) -> bool {
        let state = &self.state;
        state
            .king(!state.turn)
            .is_some_and(|king| state.attackers(state.turn, king, state.occupied()) != 0)
    }

    fn is_into_check(&self, r#move: &Move) -> bool {
        let step = r#move.step;
        if self.state.king(self.state.turn).is_none() {
            return false;
        }
        !self.state.is_safe(&Sight::of(&self.state), step)
    }

    fn is_pseudo_legal(&self, r#move: &Move) -> bool {
        self.is_pseudo_legal_step(r#move.step)
    }

    fn is_legal(&self, r#move: &Move) -> bool {
        self.is_legal_step(r#move.step)
    }

    fn _has_legal_moves(&self) -> bool {
        self.state.has_legal(self.chess960, self.castling())
    }

    fn is_capture(&self, r#move: &Move) -> bool {
        notation::is_capture(&self.state, r#move.step)
    }

    fn is_en_passant(&self, r#move: &Move) -> bool {
        self.state.is_en_passant(r#move.step)
    }

    fn is_castling(&self, r#move: &Move) -> bool {
        self.state.is_castling(r#move.step)
    }

    fn is_zeroing(&self, r#move: &Move) -> bool {
        self.state.is_zeroing(r#move.step)
    }

    fn clean_castling_rights(&self) -> u64 {
        self.castling()
    }

    fn _clean_castling_of_pieces(&self) -> u64 {
        self.state.clean_castling(self.chess960)
    }

    fn has_pseudo_legal_en_passant(&self) -> bool {
        self.has_en_passant(false)
    }

    fn has_legal_en_passant(&self) -> bool {
        self.has_en_passant(true)
    }

    #[pyo3(signature = (*, promoted=false))]
    fn board_fen(&self, promoted: Option<bool>) -> String {
        notation::board_fen(&self.state, promoted.unwrap_or(false))
    }

    fn castling_xfen(&self) -> String {
        notation::castling_xfen(&self.state, self.castling())
    }

    fn castling_shredder_fen(&self) -> String {
        notation::castling_shredder(self.castling())
    }

    #[pyo3(signature = (*, shredder=false, en_passant="legal", promoted=None))]
    fn fen(&self, shredder: bool, en_passant: &str, promoted: Option<bool>) -> PyResult<String> {
        Ok(format!(
            "{} {} {}",
            self.fields(shredder, en_passant, promoted.unwrap_or(false))?,
            self.state.halfmove_clock,
            self.state.fullmove_number
        ))
    }

    /// The FEN with castling rights as files.
    #[pyo3(signature = (*, en_passant="legal", promoted=None))]
    fn shredder_fen(&self, en_passant: &str, promoted: Option<bool>) -> PyResult<String> {
        self.fen(true, en_passant, promoted)
    }

    #[pyo3(signature = (shredder, en_passant, promoted))]
    fn _epd(&self, shredder: bool, en_passant: &str, promoted: Option<bool>) -> PyResult<String> {
        self.fields(shredder, en_passant, promoted.unwrap_or(false))
    }

    /// Whether the position was there `count` times, this time included.
    fn _repeated(&self, count: usize) -> bool {
        if count <= 1 {
            return true;
        }
        let now = self.same_key();
        let mut seen = 1;
        let mut board = BoardCore { state: self.state, chess960: self.chess960, stack: Vec::new() };
        for (at, (state, step)) in self.stack.iter().enumerate().rev() {
            if irreversible(state, *step) {
                return false;
            }
            board.state = *state;
            // As if a move had been played: only the first board may have rights that its pieces belie.
            board.state.castling =
                if at == 0 { state.clean_castling(self.chess960) } else { state.castling };
            board.stack.clear();
            if board.same_key() == now {
                seen += 1;
                if seen >= count {
                    return true;
                }
            }
        }
        false
    }

    /// The keys of Polyglot's books for this board, from the table of random numbers.
    fn _zobrist(&self) -> u64 {
        crate::zobrist::key(&self.state, self.castling())
    }

    /// Why no game can lead here, or None.
    fn _problem(&self) -> Option<String> {
        self.state.position(self.castling()).err().map(|problem| problem.to_string())
    }
}

/// Whether a position from before the move cannot come back after it.
fn irreversible(before: &State, step: Step) -> bool {
    let mut after = *before;
    after.play(before.onto_rook(step), before.castling);
    before.is_zeroing(step) || after.castling != before.castling
}
