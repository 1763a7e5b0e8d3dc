//! The root of the search: deeper and deeper, with a window around the last score.

use tabiya_chess::Move;

use super::{INFINITE, MATE_IN_MAX, Worker};
use crate::{Bound, params};

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) pv: Vec<Move>,
    pub(crate) score: i32,
    pub(crate) bound: Bound,
    pub(crate) previous: i32,
    pub(crate) seldepth: usize,
    /// Nodes spent on it in this search.
    pub(crate) nodes: u64,
}

impl RootMove {
    pub(super) fn new(m: Move) -> RootMove {
        RootMove {
            pv: vec![m],
            score: -INFINITE,
            bound: Bound::Exact,
            previous: -INFINITE,
            seldepth: 0,
            nodes: 0,
        }
    }

    /// Whether its score is known, not only that it is no better than another's.
    pub(crate) fn is_known(&self) -> bool {
        self.score > -INFINITE
    }

    pub(crate) fn first(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

impl Worker<'_> {
    /// Looks at the best `lines` lines to a depth; afterwards root moves are sorted, best first.
    /// `report` is told of the lines when all are settled (a later one can turn out to be better than
    /// an earlier one), and of bounds when the window fails.
    pub(crate) fn deepen(
        &mut self,
        depth: i32,
        lines: usize,
        report: &mut dyn FnMut(&Worker<'_>, usize),
    ) {
        for m in &mut self.root_moves {
            m.previous = m.score;
        }
        let lines = lines.min(self.root_moves.len());
        for line in 0..lines {
            self.first_line = line;
            self.seldepth = 0;
            self.aspire(depth, line, report);
            if self.is_stopped() {
                return;
            }
            self.root_moves[..=line].sort_by_key(|m| -m.score);
        }
        for line in 0..lines {
            report(self, line);
        }
    }

    /// Searches with a window around the last score, wider each time the truth lies outside.
    fn aspire(&mut self, depth: i32, line: usize, report: &mut dyn FnMut(&Worker<'_>, usize)) {
        let last = self.root_moves[line].previous;
        let mut window = params::aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= params::aspiration_depth() && last.abs() < MATE_IN_MAX {
            (alpha, beta) = (last - window, last + window);
        }
        let mut reduction = 0;
        loop {
            for m in &mut self.root_moves[line..] {
                m.score = -INFINITE;
            }
            let root = self.root;
            let depth_now = (depth - reduction).max(1);
            let score = self.search::<true>(&root, alpha, beta, depth_now, 0, false);
            self.root_moves[line..].sort_by_key(|m| -m.score);
            if self.is_stopped() {
                return;
            }
            if score <= alpha {
                self.root_moves[line].bound = Bound::Upper;
                report(self, line);
                beta = (alpha + beta) / 2;
                alpha = (score - window).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                self.root_moves[line].bound = Bound::Lower;
                report(self, line);
                beta = (score + window).min(INFINITE);
                reduction = (reduction + 1).min(3);
            } else {
                self.root_moves[line].bound = Bound::Exact;
                return;
            }
            window += window / 2;
            if window > 700 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    pub(super) fn is_candidate(&self, m: Move) -> bool {
        self.root_moves[self.first_line..].iter().any(|root| root.first() == Some(m))
    }

    pub(super) fn note_root_move(&mut self, m: Move, score: i32, exact: bool, nodes: u64) {
        let line = self.lines[1].clone();
        let seldepth = self.seldepth;
        if let Some(root) = self.root_moves.iter_mut().find(|root| root.first() == Some(m)) {
            root.nodes += nodes;
            if exact {
                root.score = score;
                root.seldepth = seldepth;
                root.pv.truncate(1);
                root.pv.extend_from_slice(&line);
            } else {
                // Only known to be no better: it must not be sorted before those that are known.
                root.score = -INFINITE;
            }
        }
    }
}
