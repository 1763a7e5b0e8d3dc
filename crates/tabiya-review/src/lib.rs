//! Reviews of whole games: what every position of the main line is worth, what each move gave away, and what
//! would have been better.
//!
//! ```
//! use tabiya_base::Stop;
//! use tabiya_review::{Judgement, ReviewSettings, review};
//!
//! let mut game: tabiya_pgn::Game = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
//! let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
//! let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
//! assert_eq!(review.moves[2].judgement, Some(Judgement::Blunder)); // 2. g4 allows mate
//!
//! review.annotate(&mut game);
//! assert!(game.to_string().contains("2. g4 $4"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | to review a game, and to look deeper | [`review`], [`deepen`], [`ReviewSettings`], [`fingerprint`] |
//! | what came out | [`Review`], [`Reviewed`], [`Evaluation`], [`Assessment`], [`Judgement`], [`Performance`] |
//! | a record with the review in it, or to read one | [`Review::annotate`], [`Review::read`], [`clear`] |
//! | a picture | [`Review::graph`], [`Graph`] |
//! | the name of an opening | [`Opening::of`], [`openings`] |
//! | where the time went | [`TimeUse`] |
//! | the mistakes of a side, to be done better | [`exercises()`] |
//!
//! A review depends on the game and the settings alone: one engine, one thread, a fixed number of positions for
//! each search, nothing remembered from other games. All worths are White's.
//!
//! # Inside
//!
//! `analysis.rs` has the engine look at every position, from the end to the start, and at those around mistakes once
//! more with ten times the nodes; `review.rs` makes a
//! `Review` of what it thought; `annotate.rs` puts one into a record and reads it back, so that reviews are
//! kept as PGN and nothing else.
//!
//! **The same review whatever happens.** One engine, one thread, fixed nodes, nothing remembered from other
//! games. `mirror.rs` shows the engine every game with White to begin, so that exchanged colours give the
//! mirrored review to the last digit. Chances are what people score (`Score::expectation`), by a table.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod accuracy;
mod analysis;
mod annotate;
mod assessment;
mod exercises;
mod graph;
mod json;
mod judgement;
mod mirror;
mod opening;
mod phases;
mod review;
mod settings;
mod side_file;
mod time_use;

/// Ends a review from another thread.
pub use tabiya_base::Stop;
/// The two sides, as the rules name them.
pub use tabiya_chess::Color;
pub use tabiya_engine::Tables;

pub use accuracy::move_accuracy;
pub use analysis::{Stopped, deepen, review};
pub use annotate::clear;
pub use assessment::{Assessment, Evaluation};
pub use exercises::exercises;
pub use graph::{Graph, GraphTheme};
pub use judgement::Judgement;
pub use opening::{Opening, openings};
pub use phases::Phases;
pub use review::{Performance, Review, Reviewed};
pub use settings::{ReviewSettings, fingerprint};
pub use side_file::SideFile;
pub use time_use::TimeUse;
