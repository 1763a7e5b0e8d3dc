//! Game records: PGN, the format in which chess games are kept and exchanged.
//!
//! Two layers. The lower one reads a file of any size in constant memory, checks every move and tells
//! a [`Visitor`] what it sees:
//!
//! ```
//! use tabiya_pgn::{ReadError, Reader};
//!
//! let file = "1. e4 e5 2. Nf3 *\n\n[White \"?\"]\n1. e4 e5 2. Ke3 *\n\n[White \"?\"]\n1. d4 d5 *\n";
//! let mut reader = Reader::new(file.as_bytes());
//! let mut good = 0;
//! loop {
//!     match reader.visit(&mut ()) {
//!         Ok(true) => good += 1,
//!         Ok(false) => break,
//!         Err(ReadError::BadGame(bad)) => assert_eq!((bad.place.line, bad.place.column), (4, 13)),
//!         Err(error) => return Err(error),
//!     }
//! }
//! assert_eq!(good, 2);
//! # Ok::<(), ReadError>(())
//! ```
//!
//! The upper one keeps a [`Game`]: tags and a [`GameTree`] of moves, variations, comments and
//! judgements, to look at, to edit, and to write, which is what `Display` does:
//!
//! ```
//! use tabiya_pgn::{Comment, Game, Nag};
//!
//! let mut game: Game = "1. e4 e5 2. Nf3 Nc6 *".parse()?;
//! game.set_tag("White", "Ruy López")?;
//! let tree = game.tree_mut();
//! let last = tree.main_line().last().unwrap();
//! let before = tree.parent(last).unwrap();
//! let philidor = tree.position(before).parse_san("d6")?;
//! let variation = tree.add(before, philidor)?;
//! tree.add_nag(variation, Nag::DUBIOUS);
//! tree.add_comment(variation, Comment::new("solid, but cramped"));
//! assert!(game.to_string().ends_with(
//!     "\n\n1. e4 e5 2. Nf3 Nc6 (2... d6 $6 {solid, but cramped}) *\n"
//! ));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way around
//!
//! | you want | look at |
//! |---|---|
//! | to read a file | [`Reader::games`] for trees, [`Reader::visit`] to skim |
//! | to know what is wrong with it | [`BadGame`], [`Problem`], [`Place`] |
//! | whole files, packed ones too, with threads | the feature `files`: `tabiya_pgn::files` |
//! | to skim | [`Visitor`], [`Played`], [`RawTag`], [`Interest`] |
//! | a game | [`Game`], [`GameResult`], [`ROSTER`] |
//! | moves and variations | [`GameTree`], [`NodeId`] |
//! | what is said about them | [`Nag`], [`Comment`], [`Eval`] |
//! | to write | `game.to_string()`, or `writeln!(file, "{game}")` for one of several; [`Rewriter`] for millions |
//!
//! # Bounds
//!
//! Time is linear in the length of the text, and memory is bounded, whatever the text says: a part
//! longer than [`MAX_TOKEN`], a game longer than [`MAX_GAME`], nesting beyond [`MAX_DEPTH`] and more than
//! [`MAX_TAGS`] tags make a game bad, like a wrong move. Nothing recurses and nothing panics.
//! `cargo bench -p tabiya-pgn` shows for every part of a record that twice as much takes twice as long.
//!
//! # Inside
//!
//! `window.rs` slides over the source and is all the memory that reading takes; `lexer.rs` finds words in it
//! without copying; `reader.rs` and `movetext.rs` check the game and tell a `Visitor`. `builder.rs` is the
//! visitor that makes a `Game` (`tree.rs`: nodes in one vector, nothing recurses); `writer.rs` is its
//! `Display`. Comments and tags are clean from the moment they are made, so whatever is in a game can be
//! written and read back. Lines are counted only when somebody asks.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod builder;
mod comment;
#[cfg(feature = "files")]
pub mod files;
mod game;
mod letters;
mod lexer;
mod movetext;
mod nag;
mod problem;
mod reader;
mod result;
mod rewriter;
mod tags;
mod text;
mod tree;
mod visitor;
mod window;
mod writer;

pub use builder::GameBuilder;
pub use comment::{Comment, Eval};
pub use game::Game;
pub use letters::{ParseLettersError, PieceLetters};
pub use nag::Nag;
pub use problem::{BadGame, Place, Problem, ReadError};
pub use reader::{MAX_DEPTH, MAX_GAME, MAX_TOKEN, Reader};
pub use result::GameResult;
pub use rewriter::{Form, Notation, Rewriter};
pub use tabiya_base::Score;
pub use tags::{MAX_TAG_VALUE, MAX_TAGS, ROSTER, TagError};
pub use tree::{GameTree, NodeId};
pub use visitor::{Interest, Played, RawTag, Visitor};
