use std::num::NonZeroUsize;

use parking_lot::{Mutex, MutexGuard};
use tabiya_base::Stop;
use tabiya_chess::{Color, Move, Position};

use super::material::Verdict;
use super::order::{after, ordered_moves};
use super::report::{Line, NodeCounter, Stopped};
use super::root_parallel::{Branch, best_branch, share};
use super::{MaterialEvaluation, Points, SearchReport};

/// [`Minimax`](super::Minimax) without the lines that cannot change the result: same move, same score,
/// same line, fewer positions.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{AlphaBeta, Minimax};
///
/// let start = Position::initial();
/// let (all, pruned) = (Minimax::to_depth(3).search(&start), AlphaBeta::to_depth(3).search(&start));
/// assert_eq!((all.score, all.pv), (pruned.score, pruned.pv));
/// assert!(pruned.nodes < all.nodes / 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlphaBeta {
    /// How many plies to look ahead.
    pub depth: u32,
    /// How positions at the end of a line are valued.
    pub material: MaterialEvaluation,
    /// How many threads share the moves of the position. Move, score and line are the same for any
    /// number. Several threads visit more positions, as they know less of each other's results, and not
    /// always as many.
    pub threads: NonZeroUsize,
}

/// What the sides have already secured elsewhere: White at least `alpha`, Black at most `beta`. Play will
/// not come to a position that is worth less than the one or more than the other.
#[derive(Clone, Copy)]
struct Window {
    alpha: Points,
    beta: Points,
}

impl Window {
    const OPEN: Window = Window { alpha: Points::MIN, beta: Points::MAX };

    /// With what the side to move has found.
    fn narrowed(self, score: Points, turn: Color) -> Window {
        match turn {
            Color::White => Window { alpha: self.alpha.max(score), ..self },
            Color::Black => Window { beta: self.beta.min(score), ..self },
        }
    }

    fn is_closed(self) -> bool {
        self.beta <= self.alpha
    }
}

impl AlphaBeta {
    /// So many plies, without noise, in one thread.
    pub const fn to_depth(depth: u32) -> AlphaBeta {
        AlphaBeta {
            depth,
            material: MaterialEvaluation { noise: None },
            threads: NonZeroUsize::MIN,
        }
    }

    /// Searches a position.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::AlphaBeta};
    /// // Black mates on the back rank.
    /// let position: Position = "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1".parse().unwrap();
    /// let report = AlphaBeta::to_depth(2).search(&position);
    /// assert_eq!(position.san(report.best.unwrap()), "Ra1#");
    /// assert_eq!(report.score.to_string(), "#-1");
    /// ```
    pub fn search(&self, position: &Position) -> SearchReport {
        self.search_until(position, &Stop::default())
    }

    /// Searches a position until it is done or told to stop, and then gives the best so far. Threads tell
    /// each other the best score so far.
    pub fn search_until(&self, position: &Position, stop: &Stop) -> SearchReport {
        if self.depth == 0 {
            return Line::leaf(self.material.judge(position).at(0)).report(0, 0);
        }
        let moves: Vec<(usize, Move)> = ordered_moves(position).into_iter().enumerate().collect();
        let bar = Bar::new(position.turn());
        let branches =
            share(&moves, self.threads, |(index, m)| self.branch(position, index, m, &bar, stop));
        best_branch(position, self.depth, self.material, branches)
    }

    /// The best line that begins with a move. It is exact if it is the one to take: the best, and the first
    /// of the best.
    fn branch(&self, position: &Position, index: usize, m: Move, bar: &Bar, stop: &Stop) -> Branch {
        let mut counter = NodeCounter::new(stop);
        let line = counter.count().and_then(|()| {
            let line = self.line(&after(position, m), 1, bar.window(index), &mut counter)?;
            bar.raise(line.score, index);
            Ok(line.preceded_by(m))
        });
        (line, counter.nodes)
    }

    /// The best line from a position so many plies from the root. The score is exact within the window;
    /// outside of it, it only says on which side.
    fn line(
        &self,
        position: &Position,
        ply: u32,
        mut window: Window,
        counter: &mut NodeCounter<'_>,
    ) -> Result<Line, Stopped> {
        if ply == self.depth {
            return Ok(Line::leaf(self.material.judge(position).at(ply)));
        }
        let turn = position.turn();
        let mut best: Option<Line> = None;
        for m in ordered_moves(position) {
            counter.count()?;
            let line = self.line(&after(position, m), ply + 1, window, counter)?;
            window = window.narrowed(line.score, turn);
            if best.as_ref().is_none_or(|best| line.score.is_better(best.score, turn)) {
                best = Some(line.preceded_by(m));
            }
            // The opponent will not let this position come about: it has better elsewhere.
            if window.is_closed() {
                break;
            }
        }
        Ok(best.unwrap_or_else(|| Line::leaf(Verdict::without_moves(position).at(ply))))
    }
}

/// What the side to move has secured by the moves searched so far, in whatever order.
struct Bar {
    turn: Color,
    /// The best score, and the first move that has it.
    best: Mutex<(Points, usize)>,
}

impl Bar {
    fn new(turn: Color) -> Bar {
        Bar { turn, best: Mutex::new((Points::worst(turn), usize::MAX)) }
    }

    fn best(&self) -> MutexGuard<'_, (Points, usize)> {
        self.best.lock()
    }

    /// The window for a move. One that comes before the holder of the bar takes its place with an equal
    /// score, so for it an equal score must be exact too.
    fn window(&self, index: usize) -> Window {
        let (score, holder) = *self.best();
        let secured = if index < holder { score.a_little_worse(self.turn) } else { score };
        Window::OPEN.narrowed(secured, self.turn)
    }

    fn raise(&self, score: Points, index: usize) {
        let mut best = self.best();
        if score.is_better(best.0, self.turn) || (score == best.0 && index < best.1) {
            *best = (score, index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Minimax;
    use super::super::tests::random_positions;
    use super::*;

    #[test]
    fn moves_may_be_searched_in_any_order() {
        for position in random_positions(30) {
            let search = AlphaBeta::to_depth(2);
            let expected = Minimax::to_depth(2).search(&position);
            let moves: Vec<(usize, Move)> =
                ordered_moves(&position).into_iter().enumerate().collect();
            for turned in 0..moves.len() {
                let bar = Bar::new(position.turn());
                // From the last to the first, beginning anywhere.
                let mut order = moves.clone();
                order.reverse();
                order.rotate_left(turned);
                let mut branches: Vec<_> = order
                    .into_iter()
                    .map(|(index, m)| {
                        (index, search.branch(&position, index, m, &bar, &Stop::default()))
                    })
                    .collect();
                branches.sort_unstable_by_key(|&(index, _)| index);
                let branches = branches.into_iter().map(|(_, branch)| branch).collect();
                let found = best_branch(&position, 2, search.material, branches);
                assert_eq!((found.score, &found.pv), (expected.score, &expected.pv));
            }
        }
    }
}
