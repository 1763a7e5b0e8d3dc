//! Hindsight: what a position tells about the move that led to it, as a bonus to its history.

use tabiya_chess::Position;

use super::{Worker, history_bonus};
use crate::params;

impl Worker<'_> {
    /// The move that led here was good if the side to move stands worse than it seemed before.
    pub(super) fn judge_last_move(&mut self, position: &Position, ply: usize) {
        let before = self.frames[ply - 1];
        let evaluations = (before.evaluation, self.frames[ply].evaluation);
        if let (Some(then), Some(now)) = evaluations
            && let Some(m) = before.quiet
        {
            // Each is seen by the side to move: the opponent has gained what both together lack.
            let most = params::gain_most();
            let bonus = (-(then + now) * params::gain_slope()).clamp(-most, most);
            self.histories.update_main(!position.turn(), before.threats, m, bonus);
        }
    }

    /// Nothing was found against the move that led here: it was a good one.
    pub(super) fn praise_last_move(&mut self, position: &Position, ply: usize, depth: i32) {
        let before = self.frames[ply - 1];
        if let (Some(m), Some(piece_to)) = (before.quiet, before.piece_to) {
            let bonus = history_bonus(depth) * params::refutation_share() / 128;
            let earlier = self.moves_before(ply - 1);
            self.histories.update_main(!position.turn(), before.threats, m, bonus);
            self.histories.update_continuation(&earlier, piece_to, bonus);
        }
    }
}
