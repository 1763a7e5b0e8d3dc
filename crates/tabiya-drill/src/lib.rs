//! Endings played out against perfect resistance, and openings drilled move by move.
//!
//! ```
//! use tabiya_base::Stop;
//! use tabiya_drill::{End, Guide, Help, Trial, find};
//! use tabiya_engine::{Engine, Settings};
//! use tabiya_tables::Tables;
//!
//! let tables = Tables::default().with_three_men();
//! let mut engine = Engine::new(Settings::default());
//! let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
//! // A king stands before his pawn. Who takes the opposition wins; the pawn's step gives it away.
//! let mut trial = Trial::after(find("opposition-1").unwrap(), &[""; 0])?;
//! let step = trial.step("e3", &mut guide, Help::Moves, None)?;
//! assert!(step.is_err(), "the king stands there");
//! let step = trial.step("Kd3", &mut guide, Help::Moves, None)??;
//! assert_eq!(step.turn.verdict.to_string(), "draws");
//! assert_eq!(step.end, Some(End::GivenAway));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! `ladder.rs` has the positions, in steps; `guide.rs` knows what moves are worth and which answer is hardest, from
//! tables where there are some and else from an engine; `trial.rs` plays an ending out. `repertoire.rs` reads what is to
//! be played in openings from a game tree, and `holes.rs` looks for what is missing there.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod guide;
mod holes;
mod ladder;
mod repertoire;
mod trial;

pub use tabiya_chess::Color;

pub use guide::{Guide, Verdict, Worth, known};
pub use holes::{Habit, Hole, compose, holes};
pub use ladder::{Ending, Rung, Task, find, ladder};
pub use repertoire::{Departure, Leaver, Prompt, Repertoire, Reply, Tried};
pub use trial::{End, Help, Judged, ShownMove, Trial, TrialStep, Turn, grade};
