//! Learning from one's own mistakes: why a move is bad, in words that are proved, and when an exercise comes back.
//!
//! ```
//! use tabiya_coach::{Mistake, Voice, reasons};
//!
//! let before = "r1br2k1/1p1qpp1p/p1n3pB/1B2P3/Q7/2P5/P4PPP/R4RK1 w - - 4 15".parse()?;
//! let mistake = Mistake::read(&before, "a1d1", "a6b5 a4b3 d7c7", "f1e1 d7c7 b5c6 b7c6")?;
//! let wrong = reasons(&mistake).wrong.unwrap();
//! assert_eq!(
//!     wrong.text(Voice::Nobody),
//!     "After 15.Rad1, White's bishop on b5 is attacked by Black's pawn on a6. 15...axb5 attacks White's queen on a4, \
//!      which nobody defends. Whatever White answers, it loses at least a piece.",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Mistake`] is a position, the move, the line that punishes it and the better line. [`reasons`] looks for [`Fact`]s
//! in these, each of which is seen on the board or proved by trying every answer before it is said; what cannot be
//! proved is not said. docs/learn.md has the list of facts, and what each means to the letter. An [`Exercise`] asks for
//! something better, and [`Scheduler`] (FSRS-6) decides when it comes back.
//!
//! # Inside
//!
//! `material.rs` counts, exchanges and proves what is lost whatever is answered; `mate.rs` proves mates; `fact.rs` has
//! the facts and their sentences; `reason.rs` looks for them; `hint.rs` tells of a move step by step. `tests/words/` reads the sentences back and checks them
//! with rules of its own.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod exercise;
mod fact;
mod hint;
mod mate;
mod material;
mod mistake;
mod reason;
mod schedule;
mod sight;

pub use exercise::{Answer, Exercise, Topic, UnknownTopic};
pub use fact::{Fact, Man, Voice};
pub use hint::{HintStep, UnknownHintStep, hint, wing};
pub use mistake::{LineError, Mistake};
pub use reason::{Reason, Reasons, reasons};
pub use schedule::{Grade, Memory, Scheduler, UnknownGrade};
