//! Analysis as jobs of a queue: a game or some positions go in as a text, what the engine thinks comes out as a text.
//! The same task has the same answer on every machine, so it does not matter who does it, or how often.
//!
//! ```
//! use tabiya_analysis::{Analyst, AnalysisSettings, AnalysisAnswer, AnalysisTask};
//! use tabiya_review::Stop;
//!
//! let settings = AnalysisSettings { nodes: 1_000, ..AnalysisSettings::default() };
//! let game = "[White \"Me\"]\n\n1. f3 e5 2. g4 Qh4# 0-1".parse()?;
//! let task = AnalysisTask::of_game(&game, &settings);
//! let text = Analyst::default().answer(&task, &|_| {}, &Stop::default()).unwrap()?;
//! let AnalysisAnswer::Game(review) = task.read(&text)? else { unreachable!() };
//! assert_eq!(review.moves.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you want | look at |
//! |---|---|
//! | to make jobs | [`AnalysisTask`], [`AnalysisSettings`], [`kind`] |
//! | to do them | [`Analyst`], which is a [`tabiya_jobs::Handler`] |
//! | what came out, and whether it can be true | [`AnalysisTask::read`], [`AnalysisAnswer`], [`PositionAnalysis`], [`AnalysedLine`] |
//! | evaluations as Parquet | [`EvaluationsWriter`] |
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod analyst;
mod evaluations;
mod search;
mod task;

pub use analyst::{Analyst, kind};
pub use evaluations::EvaluationsWriter;
pub use search::{AnalysedLine, PositionAnalysis};
pub use task::{AnalysisAnswer, AnalysisSettings, AnalysisTask, AnswerError, MOST_POSITIONS};
