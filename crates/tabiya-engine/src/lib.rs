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
mod info;
mod level;
mod limits;
mod move_picker;
mod params;
mod score;
mod search;
mod see;
pub mod textbook;
mod time;
mod transposition;
pub mod tuning;
mod weights;

pub use bench::{BENCH_DEPTH, Bench, bench};
pub use engine::{Engine, Search, Settings, Stopper};
pub use info::{Found, Info};
pub use level::{Level, ParseLevelError};
pub use limits::{Clocks, Limits, Timer};
pub use score::{Bound, Chances, Score};
pub use tabiya_nnue::{Network, NetworkError};
