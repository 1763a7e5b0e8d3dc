//! Positions of chess as plain data to show, without a search and without a game in progress: what a live game and a
//! study have in common.
//!
//! ```
//! use tabiya_chess::Position;
//! use tabiya_chess_view::{check, destinations, pieces};
//!
//! let position: Position = "4k3/8/8/8/8/8/4r3/4K2R w K - 0 1".parse()?;
//! assert_eq!(pieces(&position).len(), 4);
//! assert_eq!(check(&position), Some("e1".parse()?));
//! // The king takes, or steps aside; castling out of check is not among it.
//! let king = &destinations(&position, false)[0];
//! assert_eq!((king.from, king.to.len()), ("e1".parse()?, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convert;
mod position;

pub use convert::{color, coord, piece_role, piece_view, role, side, square, uci};
pub use position::{captured_on, check, destinations, game_end, pieces, threats, worth};
