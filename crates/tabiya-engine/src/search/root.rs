//! The root of the search: multi-PV and aspiration windows.

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
    /// Searches the best `multipv` lines to a depth; afterwards root moves are sorted, best first.
    /// `report` is told of the lines when all are settled (a later one can turn out to be better than
    /// an earlier one), and of bounds when the window fails.
    pub(crate) fn search_root(
        &mut self,
        depth: i32,
        multipv: usize,
        report: &mut dyn FnMut(&Worker<'_>, usize),
    ) {
        for m in &mut self.root_moves {
            m.previous = m.score;
        }
        let multipv = multipv.min(self.root_moves.len());
        for pv_index in 0..multipv {
            self.pv_index = pv_index;
            self.seldepth = 0;
            self.aspiration_search(depth, report);
            if self.is_stopped() {
                return;
            }
            self.root_moves[..=pv_index].sort_by_key(|m| -m.score);
        }
        for pv_index in 0..multipv {
            report(self, pv_index);
        }
    }

    /// Searches the line at `pv_index` with an aspiration window around its last score, wider each time the
    /// score falls outside.
    fn aspiration_search(&mut self, depth: i32, report: &mut dyn FnMut(&Worker<'_>, usize)) {
        let pv_index = self.pv_index;
        let last = self.root_moves[pv_index].previous;
        let mut window = params::aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= params::aspiration_depth() && last.abs() < MATE_IN_MAX {
            (alpha, beta) = (last - window, last + window);
        }
        let mut reduction = 0;
        loop {
            for m in &mut self.root_moves[pv_index..] {
                m.score = -INFINITE;
            }
            let root = self.root;
            let depth_now = (depth - reduction).max(1);
            let score = self.search::<true>(&root, alpha, beta, depth_now, 0, false);
            self.root_moves[pv_index..].sort_by_key(|m| -m.score);
            if self.is_stopped() {
                return;
            }
            if score <= alpha {
                self.root_moves[pv_index].bound = Bound::Upper;
                report(self, pv_index);
                beta = (alpha + beta) / 2;
                alpha = (score - window).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                self.root_moves[pv_index].bound = Bound::Lower;
                report(self, pv_index);
                beta = (score + window).min(INFINITE);
                reduction = (reduction + 1).min(params::aspiration_reduction_most());
            } else {
                self.root_moves[pv_index].bound = Bound::Exact;
                return;
            }
            window += window / 2;
            if window > params::aspiration_window_most() {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    pub(super) fn is_candidate(&self, m: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root| root.first() == Some(m))
    }

    pub(super) fn note_root_move(&mut self, m: Move, score: i32, exact: bool, nodes: u64) {
        let pv = self.pvs[1].clone();
        let seldepth = self.seldepth;
        if let Some(root) = self.root_moves.iter_mut().find(|root| root.first() == Some(m)) {
            root.nodes += nodes;
            if exact {
                root.score = score;
                root.seldepth = seldepth;
                root.pv.truncate(1);
                root.pv.extend_from_slice(&pv);
            } else {
                // Only known to be no better: it must not be sorted before those that are known.
                root.score = -INFINITE;
            }
        }
    }
}
