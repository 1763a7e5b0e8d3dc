//! t
mod board;
mod cell;
mod cells;
mod direction;
mod drawing;
mod generate;
mod moves;
mod piece;
mod plain;
mod position;
mod random;
mod size;
mod text;
mod zobrist;

pub use board::{Board, BoardError};
pub use cell::{Cell, CellError};
pub use cells::{Cells, CellsIter};
pub(crate) use direction::Direction;
pub use moves::{Move, MoveError};
pub use piece::{Kind, Piece, Side};
pub use plain::PlainError;
pub use position::{KingsError, PlayError, Position, Status};
pub use size::Size;
