//! The network: what it looks at, how it thinks, and how it follows a game.
//!
//! ```text
//!  768 inputs, seen by the side to move ──► WIDTH sums ─┐ clipped, and two
//!                                                       ├─ and two multiplied ──► 16 ──► 32 ──► 1 output
//!  768 inputs, seen by the opponent     ──► WIDTH sums ─┘                   one of 8 sets by material
//! ```
//!
//! An input is a piece on a square: one of six kinds, own or not, on 64 squares, with the board turned so
//! that one's own side is below and one's own king on the left half. A move changes two to four inputs, so
//! the sums ([`Accumulators`]) are kept and corrected rather than computed anew. Everything is in whole
//! numbers: the same network gives the same evaluation on every machine, with any [`Kernel`].
//!
//! ```
//! use std::sync::Arc;
//! use tabiya_chess::Position;
//! use tabiya_nnue::{Accumulators, Network};
//!
//! let network = Arc::new(Network::random(1));
//! let mut position = Position::initial();
//! let mut accumulators = Accumulators::new(Arc::clone(&network));
//! accumulators.reset(&position);
//! for text in ["e4", "e5", "Nf3"] {
//!     let m = position.parse_san(text)?;
//!     accumulators.play(&mut position, m);
//! }
//! assert_eq!(accumulators.evaluate(&position), network.evaluate(&position));
//! # Ok::<(), tabiya_chess::ParseMoveError>(())
//! ```
//!
//! # The way around
//!
//! | you want | look at |
//! |---|---|
//! | a network from a file | [`Network::from_bytes`], [`NetworkError`], [`mod@format`] |
//! | the worth of one position | [`Network::evaluate`], [`Network::evaluate_board`] |
//! | the worth of many positions of a search | [`Accumulators`] |
//! | how large it is | [`WIDTH`], [`INPUTS`], [`BUCKETS`], [`bucket()`], [`feature()`] |
//! | which instructions are used | [`Kernel`] |

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod accumulators;
mod architecture;
pub mod format;
mod kernel;
mod network;

pub use accumulators::Accumulators;
pub use architecture::{BUCKETS, INPUTS, MAX_EVALUATION, WIDTH, bucket, feature, is_mirrored};
pub use format::NetworkError;
pub use kernel::Kernel;
pub use network::Network;
