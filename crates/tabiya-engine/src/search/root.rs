//! The root of the search: iterative deepening, multi-PV and aspiration windows.

use std::time::Duration;

use tabiya_chess::Move;

use super::{INFINITE, MATE_IN_MAX, MAX_PLY, Worker};
use crate::level::Chooser;
use crate::time::Certainty;
use crate::{Bound, Found, Info, Score, params};

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) pv: Vec<Move>,
    pub(crate) score: i32,
    pub(crate) bound: Bound,
    pub(crate) previous: i32,
    /// The last score that was known, of this iteration or an earlier one.
    pub(crate) latest: i32,
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
            latest: -INFINITE,
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

    fn found(&self) -> Found {
        Found { best: self.first(), ponder: self.pv.get(1).copied() }
    }
}

impl Worker<'_> {
    /// The main thread: deepens, reports, and decides when it is enough. With a chooser, which makes a player of
    /// limited strength, only what it has chosen is reported.
    pub(crate) fn deepen(
        &mut self,
        multipv: usize,
        chooser: Option<&Chooser<'_>>,
        on_info: &mut dyn FnMut(&Info),
    ) -> Found {
        let shared = self.shared;
        let mut stable = 0;
        let mut last: Option<(Move, i32)> = None;
        // Lines looked at to the same depth, so that they can be compared.
        let mut settled: (u32, Vec<RootMove>) = (0, Vec::new());
        let mut reported_pv: Vec<Move> = Vec::new();
        let mut deepest = 1;
        for depth in 1..=self.deepest() {
            deepest = depth;
            let mut report = |worker: &Worker<'_>, pv_index: usize| {
                // Bounds are news only when it takes long.
                let exact = worker.root_moves[pv_index].bound == Bound::Exact;
                if chooser.is_none() && (exact || shared.clock.elapsed() > Duration::from_secs(3)) {
                    let line = &worker.root_moves[pv_index];
                    on_info(&worker.info(line, depth, pv_index));
                    if pv_index == 0 {
                        reported_pv.clone_from(&line.pv);
                    }
                }
            };
            self.search_root(depth as i32, multipv, &mut report);
            if chooser.is_some() && (depth == 1 || !self.is_stopped()) {
                let known = self.root_moves.iter().filter(|line| line.is_known());
                settled = (depth, known.take(multipv).cloned().collect());
            }
            if self.is_stopped() {
                break;
            }
            let best = &self.root_moves[0];
            let (Some(m), score) = (best.first(), best.score) else { break };
            stable = if last.is_some_and(|(before, _)| before == m) { stable + 1 } else { 0 };
            let fallen = last.map_or(0, |(_, before)| before - score);
            last = Some((m, score));
            let spent = |soft| shared.total_nodes() >= soft;
            if self.has_found_mate(score) || shared.limits.soft_nodes.is_some_and(spent) {
                break;
            }
            let share = (best.nodes * 1000 / self.nodes.max(1)) as u32;
            let only_move = self.root_moves.len() == 1 && depth >= 3;
            if shared.clock.is_enough(&Certainty { stable, fallen, share }, only_move) {
                break;
            }
        }
        let (depth, lines) = &settled;
        if let Some(chosen) = chooser.and_then(|chooser| chooser.choose(lines)) {
            on_info(&self.info(chosen, *depth, 0));
            return chosen.found();
        }
        if self.root_moves[0].pv != reported_pv {
            let multipv = if chooser.is_some() { 1 } else { multipv };
            self.report_cut(deepest, multipv, on_info);
        }
        self.root_moves[0].found()
    }

    /// Reports the lines as they stand after an iteration that was cut off, so that the last word is about the
    /// move that is played. A line not yet looked at is told as the iteration before saw it; one of which nothing
    /// is known is told, at a glance, only if it is the first.
    fn report_cut(&mut self, depth: u32, multipv: usize, on_info: &mut dyn FnMut(&Info)) {
        if self.root_moves[0].latest == -INFINITE {
            let root = self.root;
            self.evaluator.reset(&root);
            self.root_moves[0].latest = self.evaluator.evaluate(&root);
        }
        for (pv_index, line) in self.root_moves.iter().take(multipv).enumerate() {
            if line.latest > -INFINITE {
                let depth = if line.is_known() { depth } else { (depth - 1).max(1) };
                on_info(&self.info(line, depth, pv_index));
            }
        }
    }

    /// Any other thread: deepens until told to stop, so that the table fills.
    pub(crate) fn help(&mut self) {
        for depth in 1..=self.deepest() {
            self.search_root(depth as i32, 1, &mut |_, _| {});
            if self.is_stopped() {
                break;
            }
        }
    }

    fn deepest(&self) -> u32 {
        self.shared.limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32 - 1)
    }

    /// Whether a mate as short as was asked for has been found.
    fn has_found_mate(&self, score: i32) -> bool {
        match (self.shared.limits.mate, Worker::score_of(score)) {
            (Some(moves), Score::Mate(found)) => 0 < found && found <= moves as i32,
            _ => false,
        }
    }

    fn info(&self, root: &RootMove, depth: u32, pv_index: usize) -> Info {
        Info {
            depth,
            seldepth: root.seldepth as u32,
            multipv: pv_index as u32 + 1,
            score: Worker::score_of(root.latest),
            bound: root.bound,
            nodes: self.shared.total_nodes(),
            time: self.shared.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            pv: root.pv.clone(),
        }
    }

    /// Searches the best `multipv` lines to a depth; afterwards root moves are sorted, best first.
    /// `report` is told of the lines when all are settled (a later one can turn out to be better than
    /// an earlier one), and of bounds when the window fails.
    fn search_root(
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
                root.latest = score;
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
