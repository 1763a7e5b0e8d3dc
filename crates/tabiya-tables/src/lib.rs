//! Endings played perfectly, by tables that know every position of a few men.
//!
//! Tables are made here ([`Maker`], up to five men), checked ([`check`]) and looked up ([`Tables`]), and so are those of
//! Syzygy, of up to seven men.
//! Each position has its result with and without the fifty-move rule, the plies to mate, and the plies to the next capture
//! or pawn move. En passant and promotion to every piece count; castling is left out.
//!
//! # Inside
//!
//! | file | what |
//! |---|---|
//! | `material.rs` | [`Material`]: which pieces there are, the name of a table |
//! | `geometry.rs`, `layout.rs` | positions and their numbers: symmetries, pairs of kings, slices by the pawns' squares |
//! | `steps.rs` | legal moves on a few squares |
//! | `value.rs` | results and distances, and how they look one ply earlier |
//! | `solve.rs` | retrograde analysis of one slice |
//! | `neighbours.rs` | what captures, promotions and pawn moves lead to |
//! | `maker.rs`, `check.rs` | making tables slice by slice, and holding every position against its moves |
//! | `codec.rs`, `file.rs`, `contents.rs` | packed bytes, files, files in memory |
//! | `syzygy.rs`, `syzygy/` | a reader of Syzygy's tables, and a writer |
//! | `tables.rs` | [`Tables`]: what is at hand, and look-ups |

mod check;
mod codec;
mod contents;
mod error;
mod file;
mod geometry;
mod hashing;
mod layout;
mod maker;
mod material;
mod neighbours;
mod solve;
mod steps;
mod syzygy;
mod tables;
mod value;

pub use check::check;
pub use error::TableError;
pub use file::Counts;
pub use maker::{Maker, TableProgress};
pub use material::{Material, ParseMaterialError};
pub use syzygy::{SyzygyFile, write_syzygy};
pub use tables::{TableEntry, TableInfo, Tables};
pub use value::Fate;
