//! Whoever thinks about a position: our engine, a UCI program, a textbook searcher, a few lines in a test.
//!
//! Play, study, review and matches are written against the trait [`Thinker`] and know no engine.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod error;
mod info;
mod limits;
mod lines;
mod thinker;
mod time_control;

pub use error::{ThinkError, ThinkErrorKind};
pub use info::{Found, Info};
pub use limits::{Clocks, Limits, Timer};
pub use lines::Lines;
pub use thinker::Thinker;
pub use time_control::{EngineLimit, Minutes, Seconds, TimeControl, TimeControlError};
