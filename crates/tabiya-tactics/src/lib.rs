//! Chess puzzles: a mistake was made, and one move wins, mates or saves the game.
//!
//! A [`Tactic`] is a position, the mistake and the line that punishes it. What it is about ([`Themes`]) follows from
//! these by rules ([`recognise()`]). A [`Collection`] has thousands, packed into a small file ([`pack()`]), and chooses
//! the next one or that of a day. [`attempt()`] says whether a move is right, and a [`Rating`] (Glicko-2) moves with
//! what was solved.
//!
//! ```
//! use tabiya_tactics::{Rating, Tactic, Attempt, attempt};
//!
//! let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 1 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
//! let tactic: Tactic = text.parse()?;
//! assert_eq!(attempt(&tactic, ["Ra8+", "Rxe8#"]).unwrap(), Attempt::Solved);
//! let rating = Rating::NEW.after_puzzle(Rating::of_puzzle(tactic.rating()), 1.0);
//! assert!(rating.value > 1200.0);
//! # Ok::<(), tabiya_tactics::TacticError>(())
//! ```
//!
//! Puzzles are found by `TacticFinder` in `tabiya-lab`; docs/puzzles.md tells how those that come with Tabiya were made.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod attempt;
mod collection;
mod pack;
mod rating;
mod recognise;
mod record;
mod scene;
mod tactic;
mod theme;

pub use attempt::{Attempt, AttemptError, attempt};
pub use collection::{Collection, Themed};
pub use pack::{PackError, pack, unpack};
pub use rating::Rating;
pub use recognise::recognise;
pub use record::{PuzzleEvent, PuzzleRecord, PuzzleTry};
pub use scene::Scene;
pub use tactic::{Goal, LONGEST, ParseTacticIdError, Tactic, TacticError, TacticId};
pub use theme::{Theme, Themes, UnknownTheme};
