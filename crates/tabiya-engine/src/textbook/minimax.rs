use std::num::NonZeroUsize;

use tabiya_chess::Position;

use super::material::Verdict;
use super::order::{after, ordered_moves};
use super::report::Line;
use super::root_parallel::{best_branch, share};
use super::{Material, Report};

/// Looks at every line to a fixed depth, and assumes that each side takes what is best for it.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::Minimax;
///
/// // Taking the pawn would lose the queen. One ply does not see it, two do.
/// let position: Position = "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1".parse().unwrap();
/// let greedy = Minimax::to_depth(1).search(&position).best.unwrap();
/// let wary = Minimax::to_depth(2).search(&position).best.unwrap();
/// assert_eq!(position.san(greedy), "Qxd5");
/// assert_ne!(position.san(wary), "Qxd5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Minimax {
    /// How many plies to look ahead.
    pub depth: u32,
    /// How positions at the end of a line are valued.
    pub material: Material,
    /// How many threads share the moves of the position. The report is the same for any number.
    pub threads: NonZeroUsize,
}

impl Minimax {
    /// So many plies, without noise, in one thread.
    ///
    /// ```
    /// # use tabiya_engine::textbook::Minimax;
    /// assert_eq!(Minimax::to_depth(2).material.noise, None);
    /// ```
    pub const fn to_depth(depth: u32) -> Minimax {
        Minimax { depth, material: Material { noise: None }, threads: NonZeroUsize::MIN }
    }

    /// Searches a position.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::Minimax};
    /// let mated: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse().unwrap();
    /// assert_eq!(Minimax::to_depth(3).search(&mated).best, None);
    /// ```
    pub fn search(&self, position: &Position) -> Report {
        if self.depth == 0 {
            return Line::leaf(self.material.judge(position).at(0)).report(0);
        }
        let moves = ordered_moves(position);
        let branches = share(&moves, self.threads, |m| {
            let mut nodes = 1;
            let line = self.line(&after(position, m), 1, &mut nodes);
            (line.preceded_by(m), nodes)
        });
        best_branch(position, branches)
    }

    /// The best line from a position so many plies from the root.
    fn line(&self, position: &Position, ply: u32, nodes: &mut u64) -> Line {
        if ply == self.depth {
            return Line::leaf(self.material.judge(position).at(ply));
        }
        let mut best: Option<Line> = None;
        for m in ordered_moves(position) {
            *nodes += 1;
            let line = self.line(&after(position, m), ply + 1, nodes);
            if best.as_ref().is_none_or(|best| line.score.is_better(best.score, position.turn())) {
                best = Some(line.preceded_by(m));
            }
        }
        // The game may end before the line does.
        best.unwrap_or_else(|| Line::leaf(Verdict::without_moves(position).at(ply)))
    }
}
