//! Results of matches, measured: Elo with error bars, sequential tests, ratings of many players.
//!
//! | you want | look at |
//! |---|---|
//! | a result in numbers | [`MatchScore`], [`Tally`], [`Pentanomial`], [`Estimate`] |
//! | to know when to stop | [`Sprt`], [`Decision`] |
//! | ratings of many players | [`ratings()`], [`Encounter`], [`Anchor`] |

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod ratings;
mod sprt;
mod statistics;

pub use ratings::{Anchor, Encounter, ratings};
pub use sprt::{Decision, Sprt, SprtError};
pub use statistics::{
    Estimate, GameResult, MatchScore, Pentanomial, Tally, elo_of_score, score_of_elo,
};
