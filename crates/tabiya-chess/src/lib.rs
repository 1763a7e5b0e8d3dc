//! The rules of chess.
pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
mod count;
mod explain;
mod fen;
mod generate;
mod illegal_move;
mod move_text;
mod moves;
mod parse_san;
mod piece;
mod play;
mod position;
mod san;
mod setup;
mod sliders;
mod square;
mod uci;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingRights, Wing};
pub use color::{Color, ParseColorError};
pub use fen::{FenError, FenStyle};
pub use illegal_move::IllegalMove;
pub use move_text::ParseMoveError;
pub use moves::{Move, MoveIter, MoveKind, MoveList};
pub use piece::{ParsePlacedPieceError, Piece, PlacedPiece, Role};
pub use play::{NoObserver, Observer, Step};
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use sliders::USES_PEXT;
pub use square::{Direction, File, ParseSquareError, Rank, Square};
impl Position {
    pub fn is_check(&self) -> bool {
        self.board.attackers(self.king(self.turn), !self.turn, self.board.occupied()).any()
    }
    pub fn fast_perft(&self, d: u32) -> u64 {
        count::perft(&self.board, self.turn, self.castling.0, self.en_passant, d)
    }
}
