//! A game in progress, for anything that shows boards: chess, or the bishop-and-king game.
//!
//! Whoever shows a game holds a [`GameController`], asks it for a [`GameView`] and passes on what people do. The
//! table of this house is a [`Session`]: it is made from a [`Setup`], its computers think on other threads,
//! and everything that happens goes through a [`Journal`] first, if it has one.
//!
//! ```
//! use tabiya_play::{Player, Request, Session, Setup, Start, GameController};
//!
//! let players = [Player::HUMAN, "tabiya:1200".parse()?];
//! let mut session = Session::new(Setup { players, seed: 7, ..Setup::new(Start::standard()) })?;
//! session.submit("e2 -> e4")?;
//! while session.view().seats[1].thinking {
//!     std::thread::sleep(std::time::Duration::from_millis(5));
//!     session.poll();
//! }
//! assert_eq!(session.view().moves.len(), 2);
//! session.request(&Request::TakeBack)?;
//! assert_eq!(session.view().moves.len(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod bishops;
mod chess;
mod clock;
pub mod convert;
mod journal;
mod lag;
mod move_input;
mod rules;
mod session;
mod setup;
mod solver;
mod thinking;

pub use journal::{Change, Entry, Journal, Past};
pub use move_input::MoveInput;
pub use session::{Session, SessionDeps};
pub use setup::{Setup, SetupError, Start};
pub use solver::{MateSearch, MateVerdict, compose_bishops};
pub use tabiya_engine::{NamedLevel, Timer};
pub use tabiya_players::{Player, PlayerError, PlayerKind, Strength};
pub use tabiya_thinker::{Minutes, TimeControl, TimeControlError};
pub use tabiya_view::{
    Captured, Coord, Destination, Destinations, Draw, EvaluationView, GameController, GameEnd,
    GameKind, GameView, ParseCoordError, PieceRole, PieceView, PlayedMove, Refusal, Request, Seat,
    Side,
};
pub use thinking::{Executor, Job};

/// What to expect of the levels of the bishop-and-king game, the weakest first.
pub const BISHOP_LEVELS: [&str; 7] = tabiya_puzzle::Level::NAMES;
