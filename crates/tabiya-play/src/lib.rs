//! A game in progress, for anything that shows boards: chess, or the bishop-and-king game.
//!
//! Whoever shows a game holds a [`GameController`], asks it for a [`GameView`] and passes on what people do. A
//! [`Session`] is one: it is made from a [`GameSetup`], its computers think on other threads,
//! and everything that happens goes through a [`Journal`] first, if it has one.
//!
//! ```
//! use tabiya_play::{Player, Request, Session, GameSetup, Start, GameController};
//!
//! let players = [Player::HUMAN, "tabiya:1200".parse()?];
//! let mut session = Session::new(GameSetup { players, seed: 7, ..GameSetup::new(Start::standard()) })?;
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
//!
//! # Inside
//!
//! `session.rs` is a game that people and computers play, made from a `GameSetup`. What differs between the games
//! is behind one private trait, `rules.rs`, with one file for each game: `chess.rs` and `bishops.rs`. Moves
//! are told in UCI's way, so that session and store know neither.
//!
//! **A change is whole or does not happen.** Every move, take-back and end is made on a copy of the game,
//! handed to the `Journal`, and only then becomes the game.
//!
//! **Thinking is a job.** A session hands jobs to an `Executor` (a thread for each, a pool of a server, or,
//! in tests, the caller) and hears answers by ticket; an answer to a position that is gone is not wanted. One
//! `poll` plays one move at most, so that each can be shown. Time comes from a `Timer` that tests turn by
//! hand. Without clocks the engine counts positions, never time, and forgets between moves, so that a game
//! depends on its seed alone.
//!
//! **Apart.** If the two who play sit at different machines (`GameSetup::apart`), `session/apart.rs` has what is
//! different: consent to take-backs, a first move that is free, moves that carry the ply they were meant for,
//! so that one that is sent twice is played once. `lag.rs` gives back the way of a move: it believes its own
//! clock and numbers that it has made, nothing that a player says, and never gives more than has passed or
//! than is in a small bank.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod bishops;
mod chess;
mod clock;
mod journal;
mod lag;
mod move_input;
mod of_record;
mod pace;
mod rules;
mod session;
mod setup;
mod solver;
mod thinking;

pub use journal::{Change, Entry, Journal, Past};
pub use move_input::MoveInput;
pub use session::{MayStart, Session, SessionDeps, Thoughts};
pub use setup::{GameSetup, GameSetupError, Start};
pub use solver::{MateSearch, MateVerdict, compose_bishops};
pub use tabiya_engine::{NamedLevel, Timer};
pub use tabiya_players::{Player, PlayerError, PlayerKind, Strength};
pub use tabiya_thinker::{Minutes, TimeControl, TimeControlError};
pub use tabiya_view::{
    Captured, Coord, Destination, Destinations, Draw, EvaluationView, GameController, GameEnd,
    GameKind, GameView, ParseCoordError, PastPosition, PieceRole, PieceView, PlayedMove, Refusal,
    Request, Seat, Side,
};
pub use thinking::{Executor, ThinkingTask};

/// What to expect of the levels of the bishop-and-king game, the weakest first.
pub const BISHOP_LEVELS: [&str; 7] = tabiya_puzzle::Level::NAMES;
