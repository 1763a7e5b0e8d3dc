//! What a board is asked: who stands where, who attacks what, what it looks like as text.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{At, BoardCore, set};
use crate::generate::Sight;
use crate::notation;
use crate::piece_move::{Kind, Move, Piece, shared_piece};
use crate::square_set::{SquareSet, mask_of};
use crate::state::{Reversed, State, Step, bit};
use crate::track::{Stack, Track};

#[pymethods]
impl BoardCore {
    /// The piece on a square, or None.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().piece_at(tabiya.E1)
    /// Piece.from_symbol('K')
    fn piece_at(&self, py: Python<'_>, at: At) -> Option<Py<Piece>> {
        match self.state.kind_at(at.0) {
            0 => None,
            kind => Some(shared_piece(py, kind, self.state.colors[1] & bit(at.0) != 0)),
        }
    }

    /// The kind of piece on a square, or None.
    fn piece_type_at(&self, at: At) -> Option<u8> {
        let kind = self.state.kind_at(at.0);
        (kind != 0).then_some(kind)
    }

    /// The colour of the piece on a square, or None.
    fn color_at(&self, at: At) -> Option<bool> {
        self.state.color_at(at.0)
    }

    /// The square of the king of a side, or None.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().king(tabiya.WHITE) == tabiya.E1
    /// True
    fn king(&self, color: bool) -> Option<u8> {
        self.state.king(color)
    }

    /// The squares of a side's pieces of a kind as a number.
    fn pieces_mask(&self, piece_type: Kind, color: bool) -> u64 {
        self.state.kind(piece_type.0) & self.state.color(color)
    }

    /// The squares of a side's pieces of a kind.
    ///
    /// >>> import tabiya
    /// >>> len(tabiya.Board().pieces(tabiya.PAWN, tabiya.WHITE))
    /// 8
    fn pieces(&self, py: Python<'_>, piece_type: Kind, color: bool) -> PyResult<Py<SquareSet>> {
        set(py, self.pieces_mask(piece_type, color))
    }

    /// What the piece on a square attacks, as a number.
    fn attacks_mask(&self, square: At) -> u64 {
        self.state.attacks_from(square.0)
    }

    /// What the piece on a square attacks.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().attacks(tabiya.G1).names()
    /// ['e2', 'f3', 'h3']
    fn attacks(&self, py: Python<'_>, square: At) -> PyResult<Py<SquareSet>> {
        set(py, self.attacks_mask(square))
    }

    #[pyo3(signature = (color, square, occupied=None))]
    /// The pieces of a side that attack a square, as a number.
    fn attackers_mask(
        &self,
        color: bool,
        square: At,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let occupied = occupied.map_or(Ok(self.state.occupied()), mask_of)?;
        Ok(self.state.attackers(color, square.0, occupied))
    }

    #[pyo3(signature = (color, square, occupied=None))]
    /// The pieces of a side that attack a square.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().attackers(tabiya.WHITE, tabiya.F3).names()
    /// ['g1', 'e2', 'g2']
    fn attackers(
        &self,
        py: Python<'_>,
        color: bool,
        square: At,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<SquareSet>> {
        set(py, self.attackers_mask(color, square, occupied)?)
    }

    #[pyo3(signature = (color, square, occupied=None))]
    /// Whether a side attacks a square.
    fn is_attacked_by(
        &self,
        color: bool,
        square: At,
        occupied: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        Ok(self.attackers_mask(color, square, occupied)? != 0)
    }

    /// The squares to which a piece may go without leaving its king in check, as a number.
    fn pin_mask(&self, color: bool, square: At) -> u64 {
        self.state.pin_mask(color, square.0)
    }

    /// The line on which a piece is pinned to its king; all squares if it is not.
    fn pin(&self, py: Python<'_>, color: bool, square: At) -> PyResult<Py<SquareSet>> {
        set(py, self.pin_mask(color, square))
    }

    /// Whether a piece is pinned to its king.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board("4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1")
    /// >>> board.is_pinned(tabiya.WHITE, tabiya.D3)
    /// True
    fn is_pinned(&self, color: bool, square: At) -> bool {
        self.pin_mask(color, square) != !0
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

    /// The pieces that give check, as a number.
    fn checkers_mask(&self) -> u64 {
        self.state.checkers()
    }

    /// The pieces that give check.
    fn checkers(&self, py: Python<'_>) -> PyResult<Py<SquareSet>> {
        set(py, self.state.checkers())
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.state.checkers() != 0
    }

    /// Whether a move gives check.
    fn gives_check(&self, r#move: &Move) -> bool {
        let mut after = self.state;
        after.play(self.state.onto_rook(r#move.step), self.castling());
        after.checkers() != 0
    }

    /// Whether the side that has just moved has left its king in check: no game comes here.
    fn was_into_check(&self) -> bool {
        let state = &self.state;
        state
            .king(!state.turn)
            .is_some_and(|king| state.attackers(state.turn, king, state.occupied()) != 0)
    }

    /// Whether a move leaves the own king in check.
    fn is_into_check(&self, r#move: &Move) -> bool {
        let step = r#move.step;
        if self.state.king(self.state.turn).is_none() {
            return false;
        }
        !self.state.is_safe(&Sight::of(&self.state), step)
    }

    /// Whether a move is as the pieces go; it may leave the king in check.
    fn is_pseudo_legal(&self, r#move: &Move) -> bool {
        self.is_pseudo_legal_step(r#move.step)
    }

    /// Whether a move is legal.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().is_legal(tabiya.Move.from_uci("e2e5"))
    /// False
    fn is_legal(&self, r#move: &Move) -> bool {
        self.is_legal_step(r#move.step)
    }

    fn _has_legal_moves(&self) -> bool {
        self.state.has_legal(self.chess960, self.castling())
    }

    /// Whether a move captures.
    fn is_capture(&self, r#move: &Move) -> bool {
        notation::is_capture(&self.state, r#move.step)
    }

    /// Whether a move captures en passant.
    fn is_en_passant(&self, r#move: &Move) -> bool {
        self.state.is_en_passant(r#move.step)
    }

    /// Whether a move castles.
    fn is_castling(&self, r#move: &Move) -> bool {
        self.state.is_castling(r#move.step)
    }

    /// Whether a move is a capture or a pawn's: the clock of fifty moves begins anew.
    fn is_zeroing(&self, r#move: &Move) -> bool {
        self.state.is_zeroing(r#move.step)
    }

    /// The castling rights that kings and rooks bear out, as a mask of rooks.
    fn clean_castling_rights(&self) -> u64 {
        self.castling()
    }

    fn _clean_castling_of_pieces(&self) -> u64 {
        self.state.clean_castling(self.chess960)
    }

    /// Whether a pawn stands ready to capture en passant.
    fn has_pseudo_legal_en_passant(&self) -> bool {
        self.has_en_passant(false)
    }

    /// Whether a capture en passant is legal.
    fn has_legal_en_passant(&self) -> bool {
        self.has_en_passant(true)
    }

    #[pyo3(signature = (*, promoted=false))]
    /// The first field of the FEN.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board(None).board_fen()
    /// '8/8/8/8/8/8/8/8'
    fn board_fen(&self, promoted: Option<bool>) -> String {
        notation::board_fen(&self.state, promoted.unwrap_or(false))
    }

    /// The castling rights as X-FEN writes them.
    fn castling_xfen(&self) -> String {
        notation::castling_xfen(&self.state, self.castling())
    }

    /// The castling rights as files of rooks.
    fn castling_shredder_fen(&self) -> String {
        notation::castling_shredder(self.castling())
    }

    #[pyo3(signature = (*, shredder=false, en_passant="legal", promoted=None))]
    /// The position as FEN. `en_passant` tells when its square is written: "legal", if a capture is; "xfen", if a pawn stands
    /// ready; "fen", always.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> _ = board.push_san("e4")
    /// >>> board.fen(en_passant="fen")
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
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
        let mut board =
            Track { state: self.state, chess960: self.chess960, stack: Stack::default() };
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
