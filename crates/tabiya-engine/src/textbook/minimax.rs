use std::num::NonZeroUsize;

use tabiya_base::Stop;
use tabiya_chess::Position;

use super::material::Verdict;
use super::order::{after, ordered_moves};
use super::report::{Line, NodeCounter, Stopped};
use super::root_parallel::{best_branch, share};
use super::{MaterialEvaluation, SearchReport};

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
    pub material: MaterialEvaluation,
    /// How many threads share the moves of the position. The report is the same for any number.
    pub threads: NonZeroUsize,
}

impl Minimax {
    /// So many plies, without noise, in one thread.
    pub const fn to_depth(depth: u32) -> Minimax {
        Minimax { depth, material: MaterialEvaluation { noise: None }, threads: NonZeroUsize::MIN }
    }

    /// Searches a position.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::Minimax};
    /// let mated: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse().unwrap();
    /// assert_eq!(Minimax::to_depth(3).search(&mated).best, None);
    /// ```
    pub fn search(&self, position: &Position) -> SearchReport {
        self.search_until(position, &Stop::default())
    }

    /// Searches a position until it is done or told to stop, and then gives the best so far.
    ///
    /// ```
    /// # use {tabiya_base::Stop, tabiya_chess::Position, tabiya_engine::textbook::Minimax};
    /// let stop = Stop::default();
    /// stop.stop();
    /// let report = Minimax::to_depth(30).search_until(&Position::initial(), &stop);
    /// assert!(report.best.is_some() && report.depth < 30);
    /// ```
    pub fn search_until(&self, position: &Position, stop: &Stop) -> SearchReport {
        if self.depth == 0 {
            return Line::leaf(self.material.judge(position).at(0)).report(0, 0);
        }
        let moves = ordered_moves(position);
        let branches = share(&moves, self.threads, |m| {
            let mut counter = NodeCounter::new(stop);
            let line =
                counter.count().and_then(|()| self.line(&after(position, m), 1, &mut counter));
            (line.map(|line| line.preceded_by(m)), counter.nodes)
        });
        best_branch(position, self.depth, self.material, branches)
    }

    /// The best line from a position so many plies from the root.
    fn line(
        &self,
        position: &Position,
        ply: u32,
        counter: &mut NodeCounter<'_>,
    ) -> Result<Line, Stopped> {
        if ply == self.depth {
            return Ok(Line::leaf(self.material.judge(position).at(ply)));
        }
        let mut best: Option<Line> = None;
        for m in ordered_moves(position) {
            counter.count()?;
            let line = self.line(&after(position, m), ply + 1, counter)?;
            if best.as_ref().is_none_or(|best| line.score.is_better(best.score, position.turn())) {
                best = Some(line.preceded_by(m));
            }
        }
        // The game may end before the line does.
        Ok(best.unwrap_or_else(|| Line::leaf(Verdict::without_moves(position).at(ply))))
    }
}
