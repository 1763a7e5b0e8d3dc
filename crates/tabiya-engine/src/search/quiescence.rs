//! The end of every line: only captures and promotions are looked at, until nothing hangs.

use tabiya_chess::{Bitboard, Move, Position};

use super::{DRAW, INFINITE, MATE, MATE_IN_MAX, MAX_PLY, Worker, from_table, proves, to_table};
use crate::history::PieceTo;
use crate::move_picker::{MovePicker, is_tactical};
use crate::transposition::Entry;
use crate::{Bound, params, see};

impl Worker<'_> {
    /// The score when only captures and promotions are looked at (all moves in check).
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.count_node();
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if self.stopped {
            return DRAW;
        }
        let in_check = position.is_check();
        if self.is_draw(position, ply, in_check) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluator.evaluate(position) };
        }

        let key = position.key();
        let entry = self.shared.table.probe(key);
        let table_score = entry.map(|entry| from_table(entry.score, ply));
        if !PV
            && let (Some(entry), Some(score)) = (entry, table_score)
            && proves(entry.bound, score, alpha, beta)
        {
            return score;
        }

        // Standing pat: nobody has to capture.
        let previous = if ply > 0 { self.frames[ply - 1].piece_to } else { None };
        let original_alpha = alpha;
        let mut best_score = -INFINITE;
        let mut futility = -INFINITE;
        let mut raw_evaluation = None;
        if !in_check {
            let known = entry.and_then(|entry| entry.evaluation);
            let raw = known.unwrap_or_else(|| self.evaluator.evaluate(position));
            raw_evaluation = Some(raw);
            best_score = self.corrected(position, previous, raw);
            if let (Some(entry), Some(score)) = (entry, table_score)
                && score.abs() < MATE_IN_MAX
                && proves(entry.bound, score, best_score, best_score + 1)
            {
                best_score = score;
            }
            if best_score >= beta {
                return best_score;
            }
            alpha = alpha.max(best_score);
            futility = best_score + params::quiescence_futility();
        }

        let table_move = entry.and_then(|entry| entry.best);
        let before = self.moves_before(ply);
        let mut picker = match in_check {
            true => MovePicker::new(position, &self.stack, table_move, Bitboard::EMPTY, before),
            false => MovePicker::tactical(position, &self.stack, table_move, 0),
        };
        let mut best_move = None;
        let mut count = 0;
        while let Some(m) = picker.next(&mut self.stack, &self.histories) {
            if !in_check && self.overlooks(position, m, previous) {
                continue;
            }
            count += 1;
            if best_score > -MATE_IN_MAX {
                if in_check {
                    // One way out is enough to know; quiet ones among many are not worth it.
                    if count > params::quiescence_evasions() && !is_tactical(position, m) {
                        continue;
                    }
                } else if m.promotes_to().is_none()
                    && futility <= alpha
                    && !see::wins_at_least(position, m, 1)
                {
                    best_score = best_score.max(futility);
                    continue;
                }
            }
            let next = self.play(position, m, PieceTo::of(position, m), ply);
            let score = -self.quiesce::<PV>(&next, -beta, -alpha, ply + 1);
            self.leave();
            if self.stopped {
                return DRAW;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(m);
                    if PV {
                        self.update_pv(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && count == 0 {
            return -MATE + ply as i32;
        }
        let bound = if best_score >= beta {
            Bound::Lower
        } else if best_score > original_alpha && PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.shared.table.store(
            key,
            Entry {
                best: best_move,
                score: to_table(best_score, ply),
                evaluation: raw_evaluation,
                depth: 0,
                bound,
                was_pv: PV,
            },
        );
        best_score
    }

    /// Captures that beat a raised beta: first in quiescence, then at a reduced depth.
    pub(super) fn probcut(
        &mut self,
        position: &Position,
        beta: i32,
        depth: i32,
        ply: usize,
        table_move: Option<Move>,
        cut_node: bool,
    ) -> Option<i32> {
        let evaluation = self.frames[ply].evaluation?;
        let previous = if ply > 0 { self.frames[ply - 1].piece_to } else { None };
        let mut picker =
            MovePicker::tactical(position, &self.stack, table_move, (beta - evaluation).max(0));
        while let Some(m) = picker.next(&mut self.stack, &self.histories) {
            if self.overlooks(position, m, previous) {
                continue;
            }
            let next = self.play(position, m, PieceTo::of(position, m), ply);
            let mut score = -self.quiesce::<false>(&next, -beta, -beta + 1, ply + 1);
            if score >= beta {
                let depth = depth - params::probcut_reduction();
                score = -self.search::<false>(&next, -beta, -beta + 1, depth, ply + 1, !cut_node);
            }
            self.leave();
            if self.stopped {
                return None;
            }
            if score >= beta {
                let entry = Entry {
                    best: Some(m),
                    score: to_table(score, ply),
                    evaluation: None,
                    depth: depth - params::probcut_reduction() + 1,
                    bound: Bound::Lower,
                    was_pv: false,
                };
                self.shared.table.store(position.key(), entry);
                return Some(score);
            }
        }
        None
    }
}
