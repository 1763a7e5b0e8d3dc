//! Who can play or think, by name.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod engines;
mod engines_file;

pub use engines::{Engines, NamedEngine};
pub use engines_file::EnginesFileError;
