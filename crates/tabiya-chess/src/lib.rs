//! The rules of chess.
pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
mod count;
mod fen;
mod generate;
mod moves;
mod perft;
mod piece;
mod play;
mod position;
mod setup;
mod sliders;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingRights, Wing};
pub use color::{Color, ParseColorError};
pub use fen::{FenError, FenStyle};
pub use moves::{Move, MoveIter, MoveKind, MoveList};
pub use perft::{Perft, perft};
pub use piece::{ParsePlacedPieceError, Piece, PlacedPiece, Role};
pub use play::{NoObserver, Observer, Step};
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use sliders::USES_PEXT;
pub use square::{Direction, File, ParseSquareError, Rank, Square};
#[derive(Debug)]
pub struct IllegalMove;
impl Position {
    pub fn explain(&self, _m: Move) -> IllegalMove {
        IllegalMove
    }
    pub fn is_check(&self) -> bool {
        self.board.attackers(self.king(self.turn), !self.turn, self.board.occupied()).any()
    }
    #[allow(missing_docs)]
    pub fn fast_perft(&self, d: u32) -> u64 {
        count::perft(&self.board, self.turn, self.castling.0, self.en_passant, d)
    }
}
