//! The network (NNUE): its features, its inference in whole numbers, and how it follows a search.
//!
//! ```text
//!  768 features, side to move ──► accumulator of WIDTH ─┐ clipped ReLU,
//!                                                       ├─ pairwise multiplication ──► 16 ──► 32 ──► 1
//!  768 features, opponent     ──► accumulator of WIDTH ─┘         one of 8 output buckets, by piece count
//! ```
//!
//! A feature is a piece on a square: one of six roles, own or not, on 64 squares, with the board turned so
//! that one's own side is below and one's own king on the left half (horizontal mirroring). A move changes
//! two to four features, so the accumulators ([`AccumulatorStack`]) are updated rather than computed anew.
//! Quantised throughout: the same network gives the same evaluation on every machine, with any [`Kernel`].
//!
//! ```
//! use std::sync::Arc;
//! use tabiya_chess::Position;
//! use tabiya_nnue::{AccumulatorStack, Network};
//!
//! let network = Arc::new(Network::random(1));
//! let mut position = Position::initial();
//! let mut accumulators = AccumulatorStack::new(Arc::clone(&network));
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
//! | the worth of many positions of a search | [`AccumulatorStack`] |
//! | how large it is | [`WIDTH`], [`INPUTS`], [`BUCKETS`], [`bucket()`], [`feature()`] |
//! | which instructions are used | [`Kernel`] |

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod accumulator;
mod architecture;
pub mod format;
mod kernel;
mod network;

pub use accumulator::AccumulatorStack;
pub use architecture::{BUCKETS, INPUTS, MAX_EVALUATION, WIDTH, bucket, feature, is_mirrored};
pub use format::NetworkError;
pub use kernel::Kernel;
pub use network::Network;
