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
//!
//! # Inside
//!
//! `network.nnue` is the network that plays (docs/training.md tells how it was made). `architecture.rs` has the sizes and
//! the limits, `format.rs` the file, `kernel.rs` the inner loops (plain, AVX2, AVX-512, NEON, SIMD128), `accumulator.rs` the line of a
//! search: lazy updates, and a finny table from which an accumulator is refreshed when a king crosses the mirror line.
//! Limits on the weights, checked when a file is read, make overflow impossible, so that all kernels and the trainer agree
//! bit for bit.
//!
//! The layers after the accumulators take as long as the accumulators themselves: an evaluation in the search was 120 ns
//! with a single layer and is 190. The 512 products are dense (six in ten were not zero in the network 7d), so skipping
//! zeros, as others do, does not pay here.

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
