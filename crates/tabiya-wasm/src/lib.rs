//! Tabiya where there is no server: in a browser, or under Node.
//!
//! A [`Backend`] is asked in JSON and answers in JSON; what it finds on the way, while an engine thinks, it says to a
//! listener. That is all there is between the two languages, so the program in WebAssembly needs no generated
//! bindings: `abi.rs` has three functions that pass texts, and `npm/` has the JavaScript around them.
//!
//! ```
//! use tabiya_wasm::Backend;
//!
//! let mut backend = Backend::default();
//! let answer = backend.answer(r#"{ "call": "play", "move": "Nf3" }"#, &mut |_| {});
//! assert_eq!(answer, r#"{"ok":{"fen":"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1","san":"Nf3","uci":"g1f3"}}"#);
//! let answer = backend.answer(r#"{ "call": "play", "move": "Nf4" }"#, &mut |_| {});
//! assert!(answer.starts_with(r#"{"error":"#), "{answer}");
//! ```
//!
//! # Inside
//!
//! `backend.rs` reads what is asked and passes it on. `rules.rs` has positions and moves, `records.rs` PGN, `thinking.rs`
//! the engine, reviews and the solver: they remember nothing. `games.rs` has the games that are played, each a
//! [`Session`](tabiya_play::Session) as the server has them, `studies.rs` the studies, `puzzles.rs` the puzzles and `endings.rs` the endings; they are given what was kept
//! and tell what is to be kept, and the disk is somebody else's business.
//!
//! There are no threads: whoever is to stay awake has the backend work elsewhere, in a `Worker`, and ends that one to end the
//! work.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod abi;
mod backend;
mod endings;
mod games;
mod puzzles;
mod records;
mod rules;
mod studies;
mod thinking;

pub use backend::Backend;
