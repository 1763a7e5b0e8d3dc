//! From a position and limits to a move, with live information on the way.
//!
//! The engine never prints and has no clock but the one it is given: the terminal, the browser, a
//! GUI over UCI and the tests all drive the same object.
//!
//! # Inside
//!
//! | file | what |
//! |---|---|
//! | `engine.rs` | the façade: [`Engine::go`] searches in a thread of its own and gives a handle, [`Engine::think`] on the caller's |
//! | `task.rs` | one search from its start to its move: threads are put to work (lazy SMP) |
//! | `search/root.rs` | iterative deepening, multi-PV, aspiration windows |
//! | `search.rs` | the alpha-beta search, one long function in numbered steps; `params.rs` has its numbers (docs/tuning.md) |
//! | `search/quiescence.rs`, `reductions.rs`, `hindsight.rs` | the end of every line, late move reductions, bonuses for the move that led here |
//! | `search/worker.rs`, `clock.rs` | the state of one thread, and what it knows of time; `time.rs` shares out the clock |
//! | `move_picker.rs`, `history.rs`, `see.rs` | moves in stages, what worked before, static exchange evaluation |
//! | `tables.rs` | what is made of tables of endings, at the root and in the search |
//! | `transposition.rs` | the transposition table, shared by threads without a lock |
//! | `evaluator.rs` | the seam where an evaluation comes in: the network, or `evaluate.rs`, the hand-crafted one, whose weights `examples/tune.rs` fits |
//! | `level.rs` | the dial of playing strength: what a level does not see, misjudges and lets pass |
//! | [`textbook`] | plain minimax, alpha-beta and a kept game tree, to read and to compare (docs/textbook.md) |
//!
//! The search uses whole numbers only, so that [`bench()`] gives the same number of nodes on every machine: a signature
//! of the search. `scripts/signatures` builds the engine in several ways and compares.
//!
//! Moves are scored where the generator finds them, because there the piece is known, and kept on one stack for the
//! whole line; a node's moves begin where its parent's end. No node clears or copies a list.

mod bench;
mod ending;
mod engine;
mod evaluate;
mod evaluator;
mod history;
mod level;
mod move_picker;
mod params;
mod search;
mod see;
mod tables;
mod task;
pub mod textbook;
mod time;
mod transposition;
pub mod tuning;
mod weights;

pub use bench::{BENCH_DEPTH, Bench, bench};
pub use engine::{Engine, SearchHandle, Settings, most_threads};
pub use level::{Level, NamedLevel, ParseLevelError};
pub use tabiya_base::{Bound, Score, Stop};
pub use tabiya_nnue::{Network, NetworkError};
pub use tabiya_tables::Tables;
pub use tabiya_thinker::{Clocks, Found, Info, Limits, Thinker, Timer};
