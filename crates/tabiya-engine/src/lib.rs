//! From a position and limits to a move, with live information on the way.
//!
//! The engine never prints and has no clock but the one it is given: the terminal, the browser, a
//! GUI over UCI and the tests all drive the same object.

mod info;
mod limits;
mod score;
pub mod textbook;

pub use info::{Found, Info};
pub use limits::{Clocks, Limits, Timer};
pub use score::{Bound, Chances, Score};
