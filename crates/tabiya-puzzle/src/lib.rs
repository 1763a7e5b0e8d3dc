//! The bishop-and-king game: chess with bishops and kings only, on boards from 3×3 to 26×26.
//!
//! Each side has exactly one king and any number of bishops. White starts; pieces move as in chess;
//! checkmate wins, stalemate ends the game, and it may go on for ever.
//!
//! ```
//! use tabiya_puzzle::{Position, Side, Solver, Verdict};
//!
//! let position = Position::new("5\nKc3, Bd3, Be3\nKa1".parse()?, Side::White)?;
//! println!("{}", position.board().draw());
//! let Verdict::Mate(solution) = Solver::new().solve(&position, 4) else { panic!() };
//! assert_eq!(solution.line.len() as u32, 2 * solution.moves - 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way around
//!
//! | you want | look at |
//! |---|---|
//! | places and pieces | [`Size`], [`Cell`], [`Cells`], [`Side`], [`Kind`], [`Piece`] |
//! | any pieces on a board, files, drawings | [`Board`], [`PlainError`], [`BoardFileError`], [`SaveError`] |
//! | the rules of play | [`Position`], [`Move`], [`Status`], [`PlayError`] |
//! | the names of the document that describes the game | [`document`] |
//! | a computer player | [`Player`], [`Level`], [`Search`], [`Limits`], [`Found`] |
//! | mates, proved | [`Solver`], [`Verdict`], [`Solution`] |
//! | new positions | [`Recipe`] |
//! | the dialogue | [`converse`], [`Console`], [`Streams`], [`Files`], [`Disk`] |

mod board;
mod cell;
mod cells;
mod compose;
mod dialogue;
mod direction;
pub mod document;
mod drawing;
mod evaluate;
mod files;
mod generate;
mod moves;
mod piece;
mod plain;
mod player;
mod position;
mod recent;
mod search;
mod size;
mod solve;
mod table;
mod text;
mod zobrist;

pub use board::{Board, BoardError};
pub use cell::{Cell, CellError};
pub use cells::{Cells, CellsIter};
pub use compose::{ComposeError, Recipe};
pub use dialogue::{Console, Disk, Files, Streams, converse};
pub(crate) use direction::Direction;
pub use files::{BoardFileError, SaveError};
pub use moves::{Move, MoveError};
pub use piece::{Kind, Piece, Side};
pub use plain::PlainError;
pub use player::{Level, LevelError, Player};
pub use position::{KingsError, PlayError, Position, Status};
pub use search::{Found, Limits, Search};
pub use size::Size;
pub use solve::{Solution, Solver, Verdict};
