//! What every part of Tabiya may use, and nothing that knows chess.
//!
//! | wanted | here |
//! |---|---|
//! | what a position is worth | [`Score`], [`Bound`], and [`WhiteScore`] as White sees it |
//! | what a score means in points | [`Score::wdl`] among engines, [`Score::expectation`] among people |
//! | to end work early | [`Stop`] |
//! | random numbers that repeat | [`Random`], [`mix`] |
//! | a file that is there as a whole or not at all | [`write_atomically`] |
//! | a name as it is searched and sorted | [`fold`] |
//! | a long text in a short message | [`excerpt`] |

mod curves;
mod files;
mod fold;
mod random;
mod score;
mod stop;
mod text;

pub use curves::Wdl;
pub use files::write_atomically;
pub use fold::fold;
pub use random::{Random, mix};
pub use score::{Bound, Score, WhiteScore};
pub use stop::Stop;
pub use text::excerpt;
