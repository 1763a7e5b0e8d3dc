//! What the pages ask for, and what they are told, as JSON: games, positions, studies, puzzles, exercises and endings. No HTTP, no disk.
//!
//! The server speaks it over the network (`docs/http.md`), and so does the program in a browser that has no server
//! behind it; both are the same to a page.
//!
//! ```
//! use tabiya_api::positions::SketchJson;
//!
//! let asked: SketchJson = serde_json::from_str(r#"{ "fen": "8/8/8/8/8/8/8/K7 w - - 0 1" }"#)?;
//! assert_eq!(asked.check()?["problem"], "Black has no king.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod asked;
pub mod endings;
pub mod exercises;
pub mod game;
pub mod new_game;
pub mod positions;
pub mod puzzles;
pub mod steps;
pub mod study;

use std::fmt;

use serde_json::{Value, json};
use tabiya_play::{BISHOP_LEVELS, NamedLevel, Refusal};

/// What was asked for makes no sense: a sentence that says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid(pub String);

impl Invalid {
    /// The reason is made a sentence if it is none.
    ///
    /// ```
    /// assert_eq!(tabiya_api::Invalid::new("sizes are 3 to 26").0, "Sizes are 3 to 26.");
    /// ```
    pub fn new(reason: impl fmt::Display) -> Invalid {
        Invalid(Refusal::new(reason).0)
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

/// The longest game that is reviewed for a page, in half-moves.
const LONGEST_REVIEW: usize = 600;

/// Whether a game of so many half-moves is reviewed for a page.
///
/// ```
/// assert!(tabiya_api::reviewable(600).is_ok() && tabiya_api::reviewable(601).is_err());
/// ```
pub fn reviewable(half_moves: usize) -> Result<(), Invalid> {
    let sentence = "That game is too long to be reviewed here; `tabiya review` takes any.";
    if half_moves > LONGEST_REVIEW { Err(Invalid::new(sentence)) } else { Ok(()) }
}

/// The levels that have names.
///
/// ```
/// assert_eq!(tabiya_api::levels()["chess"][2]["elo"], 1200);
/// ```
pub fn levels() -> Value {
    let chess = NamedLevel::ALL.map(|named| {
        let elo = named.level.map(|level| level.elo());
        json!({ "elo": elo, "name": named.name, "words": named.words })
    });
    json!({ "chess": chess, "bishops": BISHOP_LEVELS })
}
