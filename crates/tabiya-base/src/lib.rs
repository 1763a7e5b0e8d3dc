//! What every part of Tabiya may use, and nothing that knows chess.
//!
//! | wanted | here |
//! |---|---|
//! | what a position is worth | [`Score`], [`Bound`], and [`WhiteScore`] as White sees it |
//! | what a score means in points | [`Score::wdl`] among engines, [`Score::expectation`] among people |
//! | to end work early | [`Stop`] |
//! | how long something takes | [`Stopwatch`] |
//! | what time it is, and the date of a day | [`unix_time`], [`unix_milliseconds`], [`date`] |
//! | random numbers that repeat | [`Random`], [`mix`] |
//! | a seed that does not | [`random_seed`] |
//! | a number that stands for some bytes | [`digest`] |
//! | a file that is there as a whole or not at all | [`write_atomically`] |
//! | a name as it is searched and sorted | [`fold`] |
//! | a long text in a short message | [`excerpt`], [`excerpt_of`] |

mod calendar;
mod curves;
mod files;
mod fold;
mod random;
mod score;
mod stop;
mod stopwatch;
mod text;

pub use calendar::{date, unix_milliseconds, unix_time};
pub use curves::Wdl;
pub use files::write_atomically;
pub use fold::{fold, fold_into};
pub use random::{Random, digest, mix, random_seed};
pub use score::{Bound, Score, WhiteScore};
pub use stop::Stop;
pub use stopwatch::Stopwatch;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use stopwatch::set_clock;
pub use text::{excerpt, excerpt_of};
