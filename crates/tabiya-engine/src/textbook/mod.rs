//! The searches of a first chess computer, written to be read.
//!
//! The engine proper is fast and full of tricks. Here are the ideas it grew from, one to a file, each
//! short enough to be checked by eye, and used to check the engine:
//!
//! | idea | look at |
//! |---|---|
//! | count the pieces, perhaps with a little noise | [`MaterialEvaluation`], [`Points`] |
//! | look at every line to a fixed depth | [`Minimax`] |
//! | the same, without the lines that cannot matter | [`AlphaBeta`] |
//! | keep the tree of lines and let it grow with the game | [`Tree`] |
//! | play anything | [`RandomMover`] |
//! | where the time goes | [`Profile`] |
//! | choose one of them by name, and have it play | [`Textbook`], [`TextbookPlayer`] |
//!
//! White is always the side that wants many points, Black the side that wants few. Moves are tried in
//! the order of their squares, the first of several equal moves is taken, and points are whole numbers
//! inside: so all methods agree on move, score and line, and every run can be repeated.
//!
//! ```
//! use tabiya_chess::Position;
//! use tabiya_engine::textbook::{AlphaBeta, Minimax};
//!
//! // The queen on d5 is protected by nobody.
//! let position: Position = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
//! let all = Minimax::to_depth(2).search(&position);
//! let pruned = AlphaBeta::to_depth(2).search(&position);
//! assert_eq!(all.line(&position).to_string(), pruned.line(&position).to_string());
//! assert_eq!(position.san(all.best.unwrap()), "exd5");
//! assert!(pruned.nodes < all.nodes);
//! ```

mod alphabeta;
mod arena;
mod cache;
mod material;
mod minimax;
mod order;
mod player;
mod points;
mod profile;
mod random;
mod report;
mod root_parallel;
mod thinker;
mod tree;

pub use alphabeta::AlphaBeta;
pub use arena::{MemoryUse, TooSmall};
pub use cache::CacheHits;
pub use material::MaterialEvaluation;
pub use minimax::Minimax;
pub use player::{ParseTextbookError, Textbook};
pub use points::Points;
pub use profile::{Profile, Work};
pub use random::RandomMover;
pub use report::{ResultLine, SearchReport};
pub use thinker::TextbookPlayer;
pub use tree::{Boards, Tree, TreeOptions, TreeReport};

#[cfg(test)]
mod tests;
