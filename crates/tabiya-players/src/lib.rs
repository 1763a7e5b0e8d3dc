//! Who can play or think, by name.
//!
//! A [`Player`] is a name that means the same everywhere, `tabiya:1200` or `uci:stockfish option.Hash=64`, and becomes
//! a [`Thinker`](tabiya_thinker::Thinker) when it is to play. [`Engines`] are those that can be asked about a position.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod engines;
mod engines_file;
mod pace;
mod player;
mod start;
mod words;

pub use engines::{Engines, NamedEngine};
pub use engines_file::EnginesFileError;
pub use pace::Pace;
pub use player::{
    Player, PlayerError, PlayerKind, PlayerOptions, Strength, UciCommand, is_invisible,
};
