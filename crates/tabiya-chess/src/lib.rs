//! The rules of chess.
pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
mod count;
pub mod drawing;
mod fen;
mod game;
mod generate;
mod moves;
mod outcome;
mod path;
mod piece;
mod play;
mod position;
mod pseudo;
mod questions;
mod setup;
mod sliders;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingRights, Wing};
pub use color::{Color, ParseColorError};
pub use drawing::BoardStyle;
pub use fen::{FenError, FenStyle};
pub use game::Game;
pub use moves::{Move, MoveIter, MoveKind, MoveList};
pub use outcome::Outcome;
pub use path::Path;
pub use piece::{ParsePlacedPieceError, Piece, PlacedPiece, Role};
pub use play::{NoObserver, Observer, Step};
pub use position::Position;
pub use questions::{HeatMap, Pin};
pub use setup::{Setup, SetupError};
pub use sliders::USES_PEXT;
pub use square::{Direction, File, ParseSquareError, Rank, Square};
#[derive(Debug)]
pub struct IllegalMove;
impl Position {
    pub fn explain(&self, _m: Move) -> IllegalMove {
        IllegalMove
    }
    pub fn fast_perft(&self, d: u32) -> u64 {
        count::perft(&self.board, self.turn, self.castling.0, self.en_passant, d)
    }
}
