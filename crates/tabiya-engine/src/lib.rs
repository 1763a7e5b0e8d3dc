//! From a position and limits to a move, with live information on the way.
//!
//! The engine never prints and has no clock but the one it is given: the terminal, the browser, a
//! GUI over UCI and the tests all drive the same object.

mod bench;
mod engine;
mod evaluate;
mod history;
mod info;
mod level;
mod limits;
mod opinion;
mod params;
mod picker;
mod score;
mod search;
mod see;
mod table;
pub mod textbook;
mod time;
pub mod tuning;
mod weights;

pub use bench::{BENCH_DEPTH, Bench, bench};
pub use engine::{Engine, Search, Settings, Stopper};
pub use info::{Found, Info};
pub use level::{Level, ParseLevelError};
pub use limits::{Clocks, Limits, Timer};
pub use score::{Bound, Chances, Score};
pub use tabiya_nnue::{Network, NetworkError};

/// What a position is worth at a glance, for the side to move.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::{Score, evaluation};
///
/// let queen_up: Position = "4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1".parse().unwrap();
/// assert!(evaluation(&queen_up) > Score::Centipawns(500));
/// ```
pub fn evaluation(position: &tabiya_chess::Position) -> Score {
    Score::Centipawns(evaluate::evaluate(position))
}
