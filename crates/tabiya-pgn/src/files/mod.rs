//! Files of games, plain or packed, in blocks that threads can read on their own.

mod blocks;
mod source;

pub use blocks::Blocks;
pub use source::{Source, open};
