//! Games kept on disk: every move is durable before it is confirmed.
//!
//! A [`Store`] is a folder with one SQLite file. One thread writes to the file; what many games want to write
//! at the same time shares one transaction, and nobody hears "done" before it is on the disk. Others read, so that no
//! search holds up a move. A game that is
//! played is a [`Kept`], which is a table like any other:
//!
//! ```
//! use tabiya_play::{SessionDeps, GameSetup, Start, GameController};
//! use tabiya_store::{GameFilter, Store};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path();
//! let store = Store::open(folder)?;
//! let mut game = store.begin(GameSetup::new(Start::standard()), SessionDeps::default())?;
//! game.submit("e4").unwrap();
//! drop(game); // The process may die here.
//!
//! let store = Store::open(folder)?;
//! let unfinished = GameFilter { unfinished: true, ..GameFilter::default() };
//! let latest = store.list(&unfinished)?[0].id;
//! let game = store.resume(latest, SessionDeps::default())?;
//! assert_eq!(game.view().moves[0].san, "e4");
//! # Ok::<(), tabiya_store::StoreError>(())
//! ```
//!
//! # Inside
//!
//! `store.rs` is the handle, with plain calls that wait; `keeper.rs` is the one thread that writes to the file.
//! Whatever has come in while the disk was busy is written in one transaction, each change under a savepoint
//! of its own, and is answered when it is on the disk: two hundred games share the cost of one. `schema.rs`
//! opens and migrates; it looks before it writes, so that a file that is damaged, newer or not ours stays as
//! it is. A change says how many moves the game had: if it has others, another process has played on, and the
//! change is refused. `friends.rs` keeps a seat free and gives it to the first who comes; `kept.rs` is a
//! session with a journal; `records.rs` is PGN in and out; `puzzles.rs` has people's ratings and what they solved;
//! `cards.rs` what is to be learned, every answer, and what is due, `learning.rs` whose
//! games are learned from.
//!
//! `readers.rs` has connections to read from, those for searches apart from those for one game; `search.rs` answers
//! lists page by page, each with a bounded amount of work, from the catalogue (`catalogue.rs`), a narrow row for each
//! game with names as `fold.rs` folds them; `count.rs` counts. `backup.rs` writes and restores copies, `check.rs` replays
//! all that is kept, `folder.rs` knows who has the folder open and keeps it private.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod backup;
mod cards;
mod catalogue;
mod chapters;
mod check;
mod count;
mod error;
mod fold;
mod folder;
mod friends;
mod keeper;
mod kept;
mod learning;
mod puzzles;
mod read;
mod readers;
mod records;
mod reviews;
mod schema;
mod search;
mod sort;
mod store;
mod studies;
mod summary;
mod write;

pub use backup::{Restored, restore};
pub use cards::{
    Card, CardAnswer, CardDay, CardFilter, CardId, CardKind, CardQueue, CardReport, NewCard,
    TagCount, UnknownCardKind,
};
pub use chapters::{Book, Chapter, ChapterChange, MOST_CHAPTERS};
pub use check::{Checked, check, check_copy};
pub use error::StoreError;
pub use folder::{folder, write_new};
pub use kept::Kept;
pub use learning::{Findings, LearnedGame, Learner, NameCount};
pub use records::Imported;
pub use sort::{Cursor, GameSort};
pub use store::Store;
pub use studies::{KeptStudy, StudyId, StudySummary};
pub use summary::{Friend, GameCount, GameFilter, GameId, GamePage, GameSummary, Stored};
pub use tabiya_tactics::{PuzzleEvent, PuzzleRecord, PuzzleTry};
