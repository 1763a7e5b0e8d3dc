//! A game tree to work on: an analysis board for anything that shows boards.
//!
//! A [`Study`] is a game with variations, comments and judgements. It is edited one step at a time, every step can
//! be undone, and it is written and read as PGN. An [`Outline`] is all of it as plain data; a [`StudyBoard`] is one of
//! its positions, ready to be drawn; [`Sight`] tells who attacks what there. A [`Sketch`] is a position that is put
//! together piece by piece, and says what is wrong with it. A [`Question`] is put to an
//! engine, and tells its best lines while it thinks.
//!
//! Nodes are numbered in the order in which a record tells them: 0 is the start, then a move, what follows it, and
//! after that its variations; so the main line has the first numbers. The same tree has the same numbers, wherever it is opened.
//!
//! ```
//! use tabiya_study::Study;
//!
//! let mut study = Study::from_pgn("1. e4 e5 2. Nf3 *")?;
//! let sicilian = study.play(1, "c5")?;
//! study.comment(sicilian, "sharper")?;
//! assert_eq!(study.outline().nodes[sicilian].san, "c5");
//! assert!(study.pgn().contains("1. e4 e5 (1... c5 {sharper}) 2. Nf3 *"));
//! study.undo()?;
//! # Ok::<(), tabiya_view::Refusal>(())
//! ```
//!
//! # Inside
//!
//! `study.rs` is a `tabiya_pgn::Game` with a place in it; `edit.rs` and `drawing.rs` have the steps. A step is made on a
//! copy, which is taken if what it writes is not too large; the old record becomes what undo brings back. Nodes are known by
//! their place in the record, not in memory, so that a page, a restarted server and the kept PGN mean the
//! same node by the same number; a step names the edition that its numbers are from. `outline.rs`, `board.rs`
//! and `sight.rs` are the views.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod board;
mod drawing;
mod edit;
mod line;
mod outline;
mod sight;
mod sketch;
mod study;
mod think;

pub use board::{StudyBoard, StudyPosition};
pub use line::{LineMove, LineView, Report};
pub use outline::{Glyph, Node, Outline};
pub use sight::{Pinned, Sight, Watched};
pub use sketch::{Sketch, SketchVerdict};
pub use study::{MOST_NODES, MOST_TEXT, Study};
pub use think::{MOST_LINES, Question};
