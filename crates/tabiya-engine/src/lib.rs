//! From a position and limits to a move, with live information on the way.
//!
//! The engine never prints and has no clock but the one it is given: the terminal, the browser, a
//! GUI over UCI and the tests all drive the same object.

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
mod task;
pub mod textbook;
mod time;
mod transposition;
pub mod tuning;
mod weights;

pub use bench::{BENCH_DEPTH, Bench, bench};
pub use engine::{Engine, SearchHandle, Settings};
pub use level::{Level, ParseLevelError};
pub use tabiya_base::{Bound, Score, Stop};
pub use tabiya_nnue::{Network, NetworkError};
pub use tabiya_thinker::{Clocks, Found, Info, Limits, Thinker, Timer};
