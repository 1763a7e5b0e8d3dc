//! What the games that are kept teach whoever played them: their mistakes as exercises, and how it goes over time.
//!
//! ```
//! use tabiya_learn::{Lesson, learn_from};
//! use tabiya_review::{ReviewSettings, Stop};
//! use tabiya_store::{CardFilter, GameId, Store};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let store = Store::open(folder.path())?;
//! let record = "[White \"Ada\"]\n[Black \"Bob\"]\n[Date \"2026.11.09\"]\n\n\
//!     1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 Bc5 5. Nxf7 Bxf2+ 6. Kf1 Qe7 7. Nxh8 d5 1-0";
//! store.import(record.as_bytes())?;
//! let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
//! let names = ["Ada".to_owned()];
//! let learned = learn_from(&store, GameId(1), &names, &settings, &mut |_, _| {}, &Stop::default())?;
//! let due = store.due_cards(&CardFilter::default())?;
//! assert_eq!(due.cards.len(), learned.new);
//! for card in due.cards {
//!     let lesson = Lesson::read(&card.content.payload)?;
//!     assert_eq!(lesson.players, ["Ada", "Bob"]);
//!     assert!(lesson.exercise.task().ends_with("Find better."));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`learn_from`] looks through one game: its review is made if nobody has made it, and its mistakes become [`Lesson`]s,
//! each a card of the store, which decides with the scheduler when it comes back. [`Progress`] is about many games.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod lesson;
mod look;
mod progress;

pub use lesson::Lesson;
pub use look::{LearnError, Learned, learn_from, side_of};
pub use progress::{GameResultOf, OpeningResult, Opposition, Progress, csv};
