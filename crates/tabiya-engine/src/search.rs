//! The search: iterative deepening at the root, principal variation search below, quiescence at the
//! leaves. One worker is one thread's share of it.

mod clock;
mod hindsight;
mod quiescence;
mod reductions;
mod root;
mod worker;

use tabiya_chess::{Bitboard, Move, Position, Role, attacks};

use crate::Bound;
use crate::evaluate::pawn_attacks;
use crate::history::{PieceTo, captured};
use crate::move_picker::{MovePicker, is_tactical};
use crate::params;
use crate::see;
use crate::transposition::Entry;
pub(crate) use clock::{Control, SearchClock};
use reductions::reduction;
pub(crate) use root::RootMove;
pub(crate) use worker::{Counter, Shared, ThreadState, Worker};

/// No line is followed further than this.
pub(crate) const MAX_PLY: usize = 128;
/// Mate on the board, seen from the winner. A mate in n plies is worth n less.
pub(crate) const MATE: i32 = 32_000;
/// Scores beyond this are mates.
pub(crate) const MATE_IN_MAX: i32 = MATE - MAX_PLY as i32;
const INFINITE: i32 = 32_001;
const DRAW: i32 = 0;

impl Worker<'_> {
    /// The score of a position to a depth, within a window. `PV`: the window is open, so the line
    /// matters. `cut_node`: a refutation is expected here.
    fn search<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        // 1. At the horizon, only captures are looked at.
        if depth <= 0 {
            return self.quiesce::<PV>(position, alpha, beta, ply);
        }
        self.count_node();
        self.pvs[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if self.stopped {
            return DRAW;
        }
        let root = ply == 0;
        let in_check = position.is_check();
        let excluded = self.frames[ply].excluded;

        // 2. Draws, and the longest line.
        if !root {
            if self.is_draw(position, ply, in_check) {
                return DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check { DRAW } else { self.evaluator.evaluate(position) };
            }
            // 3. Mate distance pruning: a mate already found that is shorter cannot be beaten here.
            alpha = alpha.max(-MATE + ply as i32);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. The transposition table.
        let key = position.key();
        let entry = match excluded {
            None => self.shared.table.probe(key),
            Some(_) => None,
        };
        let table_score = entry.map(|entry| from_table(entry.score, ply));
        let table_move = match entry {
            _ if root => self.root_moves[self.pv_index].first(),
            Some(entry) => entry.best,
            None => None,
        };
        let was_pv = PV || entry.is_some_and(|entry| entry.was_pv);
        if !PV
            && let (Some(entry), Some(score)) = (entry, table_score)
            && entry.depth >= depth
            && proves(entry.bound, score, alpha, beta)
            && i32::from(position.halfmove_clock()) < params::table_clock_limit()
        {
            if score >= beta
                && let Some(m) = entry.best
                && !is_tactical(position, m)
            {
                // It refutes once more.
                let before = self.moves_before(ply);
                let bonus = history_bonus(depth);
                self.histories.update_quiet(position, threats(position), &before, m, bonus);
            }
            return score;
        }

        // (Tables of endings know better than any search.)
        if !root
            && excluded.is_none()
            && let Some(endgames) = self.shared.endgames
            && let Some(score) = endgames.score(position, ply)
        {
            return score;
        }

        // 5. The static evaluation, corrected by what was found in positions like this one.
        let previous = if ply > 0 { self.frames[ply - 1].piece_to } else { None };
        let mut raw_evaluation = None;
        let mut evaluation = -INFINITE;
        if !in_check {
            if excluded.is_some() {
                evaluation = self.frames[ply].evaluation.unwrap_or(DRAW);
            } else {
                let known = entry.and_then(|entry| entry.evaluation);
                let raw = known.unwrap_or_else(|| self.evaluator.evaluate(position));
                raw_evaluation = Some(raw);
                evaluation = self.corrected(position, previous, raw);
                self.frames[ply].evaluation = Some(evaluation);
                // The score of the table is a better guess, where it is on the right side.
                if let (Some(entry), Some(score)) = (entry, table_score)
                    && score.abs() < MATE_IN_MAX
                    && proves(entry.bound, score, evaluation, evaluation + 1)
                {
                    evaluation = score;
                }
            }
        } else {
            self.frames[ply].evaluation = None;
        }
        let improving = !in_check && self.is_improving(ply);
        if !in_check && !root && excluded.is_none() {
            self.judge_last_move(position, ply);
        }
        self.frames[ply + 1].excluded = None;
        self.frames[ply + 2].cutoffs = 0;

        if !PV && !in_check && excluded.is_none() {
            // 6. Razoring: hopeless unless a capture helps.
            if depth <= params::razor_depth()
                && evaluation + params::razor_base() + params::razor_slope() * depth * depth / 2
                    < alpha
            {
                let score = self.quiesce::<false>(position, alpha, alpha + 1, ply);
                if score <= alpha && score.abs() < MATE_IN_MAX {
                    return score;
                }
            }
            // 7. Reverse futility: so good that the opponent would not let it come to this.
            if depth <= params::reverse_futility_depth()
                && beta > -MATE_IN_MAX
                && evaluation < MATE_IN_MAX
                && evaluation - params::reverse_futility_margin() * (depth - i32::from(improving))
                    >= beta
            {
                return beta + (evaluation - beta) / params::reverse_futility_divisor();
            }
            // 8. Null move pruning: if even a null move is good enough, a move will be. Not with pawns
            // alone, because of zugzwang.
            if depth >= params::null_depth()
                && evaluation >= beta
                && ply >= self.null_floor
                && previous.is_some()
                && beta > -MATE_IN_MAX
                && has_pieces(position)
                && let Some(next) = position.null_move()
            {
                let reduction = params::null_reduction()
                    + depth / params::null_depth_divisor()
                    + ((evaluation - beta) / params::null_evaluation_divisor())
                        .min(params::null_evaluation_most());
                self.shared.table.prefetch(next.key());
                self.evaluator.null_move();
                self.enter(position, ply, None);
                let score = -self.search::<false>(
                    &next,
                    -beta,
                    -beta + 1,
                    depth - reduction,
                    ply + 1,
                    !cut_node,
                );
                self.leave();
                if self.stopped {
                    return DRAW;
                }
                if score >= beta {
                    let score = if score >= MATE_IN_MAX { beta } else { score };
                    if self.null_floor > 0 || depth < params::null_verification_depth() {
                        return score;
                    }
                    let plies = params::null_verification_share() * (depth - reduction) / 128;
                    self.null_floor = ply + plies.max(1) as usize;
                    let verified = self.search::<false>(
                        position,
                        beta - 1,
                        beta,
                        depth - reduction,
                        ply,
                        false,
                    );
                    self.null_floor = 0;
                    if verified >= beta {
                        return score;
                    }
                }
            }
            // 9. ProbCut: a capture that wins clearly at a lower depth.
            let probcut_beta = beta + params::probcut_margin()
                - params::probcut_improving() * i32::from(improving);
            if depth >= params::probcut_depth()
                && beta.abs() < MATE_IN_MAX
                && !matches!(
                    (entry, table_score),
                    (Some(entry), Some(score))
                        if entry.depth >= depth - params::probcut_reduction() && score < probcut_beta
                )
                && let Some(score) =
                    self.probcut(position, probcut_beta, depth, ply, table_move, cut_node)
            {
                return score;
            }
        }

        // 10. Internal iterative reduction: without a move from the table, less deep is cheaper.
        if (PV || cut_node)
            && depth >= params::internal_reduction_depth()
            && table_move.is_none()
            && excluded.is_none()
        {
            depth -= 1;
        }

        // 11. All moves, the most promising first.
        let threats = threats(position);
        let before = self.moves_before(ply);
        let checks = Checks::of(position);
        let may_prune = !root && has_pieces(position);
        let mut picker = MovePicker::new(position, &self.stack, table_move, threats, before);
        let original_alpha = alpha;
        let mut best_score = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut overlooked = false;
        let mut quiets: Tried = Tried::default();
        let mut tacticals: Tried = Tried::default();
        while let Some(m) = picker.next(&mut self.stack, &self.histories) {
            if Some(m) == excluded || (root && !self.is_candidate(m)) {
                continue;
            }
            if !root && !in_check && self.overlooks(position, m, previous) {
                overlooked = true;
                continue;
            }
            count += 1;
            let tactical = is_tactical(position, m);
            let piece_to = PieceTo::of(position, m);
            let history = if tactical {
                self.histories.capture_score(piece_to, captured(position, m))
            } else {
                picker.quiet_score(&self.stack).unwrap_or_else(|| {
                    self.histories.quiet_scores(position, threats, &before).of(piece_to, m)
                })
            };
            let mut reduction = reduction(depth, count);

            // 12. Pruning at low depth, once there is a move that does not lose at once.
            if may_prune && best_score > -MATE_IN_MAX {
                let lower_depth = (depth - reduction / 1024).max(0);
                if !tactical && !checks.given_by(piece_to) {
                    let limit =
                        (params::late_move_base() + depth * depth) / (2 - i32::from(improving));
                    if count as i32 > limit {
                        picker.skip_quiets();
                    }
                    if !in_check
                        && lower_depth <= params::futility_depth()
                        && evaluation
                            + params::futility_base()
                            + params::futility_slope() * lower_depth
                            + history / params::futility_history_divisor()
                            <= alpha
                    {
                        continue;
                    }
                    if depth <= params::history_pruning_depth()
                        && history < params::history_pruning_slope() * depth
                    {
                        continue;
                    }
                    if !see::wins_at_least(
                        position,
                        m,
                        params::see_quiet_slope() * lower_depth * lower_depth,
                    ) {
                        continue;
                    }
                } else if !see::wins_at_least(position, m, params::see_capture_slope() * depth) {
                    // (Quiet checks as well: they are worth a look, but not a piece.)
                    continue;
                }
            }

            // 13. Singular extensions: is this move the only good one? If others are good as well,
            // this node fails high anyway.
            let mut extension = 0;
            if !root
                && depth >= params::singular_depth()
                && Some(m) == table_move
                && excluded.is_none()
                && ply < 2 * MAX_PLY / 3
                && let (Some(entry), Some(score)) = (entry, table_score)
                && score.abs() < MATE_IN_MAX
                && matches!(entry.bound, Bound::Lower | Bound::Exact)
                && entry.depth >= depth - params::singular_table_depth()
            {
                let singular_beta = score - params::singular_margin() * depth / 16;
                self.frames[ply].excluded = Some(m);
                let others = self.search::<false>(
                    position,
                    singular_beta - 1,
                    singular_beta,
                    (depth - 1) / 2,
                    ply,
                    cut_node,
                );
                self.frames[ply].excluded = None;
                if self.stopped {
                    return DRAW;
                }
                if others < singular_beta {
                    extension = 1;
                    if !PV && others < singular_beta - params::double_extension_margin() {
                        extension = 2;
                    }
                } else if singular_beta >= beta {
                    return singular_beta; // multicut
                } else if score >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            // 14. Play it.
            let nodes_before = self.nodes;
            let next = self.play(position, m, piece_to, ply);
            self.frames[ply].quiet = (!tactical).then_some(m);
            self.frames[ply].threats = threats;
            let new_depth = depth - 1 + extension;
            let mut score = DRAW;

            // 15. Late move reductions: first less deep, with a null window.
            if depth >= params::reduction_depth() && count > 1 + usize::from(root) {
                let reasons = [
                    (!was_pv, params::reduction_not_pv()),
                    (PV, -params::reduction_pv()),
                    (cut_node, params::reduction_cut_node()),
                    (!improving, params::reduction_not_improving()),
                    (
                        self.frames[ply + 1].cutoffs > params::many_cutoffs(),
                        params::reduction_cutoffs(),
                    ),
                    (next.is_check(), -params::reduction_check()),
                    (tactical, -params::reduction_tactical()),
                ];
                for (holds, plies) in reasons {
                    reduction += if holds { plies } else { 0 };
                }
                reduction -= history * 1024 / params::reduction_history_divisor();
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
                score = -self.search::<false>(&next, -alpha - 1, -alpha, reduced, ply + 1, true);
                if score > alpha && reduced < new_depth {
                    // Better than thought: at full depth, or a little more.
                    let much_better = score > best_score + params::deeper_margin();
                    let deeper = new_depth + i32::from(much_better && best_score > -MATE_IN_MAX);
                    score = -self.search::<false>(
                        &next,
                        -alpha - 1,
                        -alpha,
                        deeper,
                        ply + 1,
                        !cut_node,
                    );
                    if !tactical && (score <= alpha || score >= beta) {
                        let bonus = if score <= alpha {
                            -history_bonus(depth)
                        } else {
                            history_bonus(depth)
                        };
                        self.histories.update_quiet(position, threats, &before, m, bonus / 2);
                    }
                }
            } else if !PV || count > 1 {
                score =
                    -self.search::<false>(&next, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            }
            // 16. The first move, and any that beats alpha, with the full window.
            if PV && (count == 1 || score > alpha) {
                score = -self.search::<true>(&next, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.leave();
            if self.stopped {
                return DRAW;
            }

            // 17. Remember what is best.
            if root {
                let spent = self.nodes - nodes_before;
                self.note_root_move(m, score, count == 1 || score > alpha, spent);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(m);
                    if PV {
                        self.update_pv(ply, m);
                    }
                    if score >= beta {
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(m) != best_move {
                if tactical { tacticals.push(m) } else { quiets.push(m) }
            }
        }

        // 18. No move: mate or stalemate.
        if count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if overlooked => evaluation,
                None if in_check => -MATE + ply as i32,
                None => DRAW,
            };
        }

        // 19. What refuted is remembered, and what was tried before it.
        if best_score >= beta
            && let Some(best) = best_move
        {
            let bonus = history_bonus(depth);
            let malus = bonus * params::malus_share() / 128;
            if is_tactical(position, best) {
                self.histories.update_capture(position, best, bonus);
            } else {
                self.histories.update_quiet(position, threats, &before, best, bonus);
                for m in quiets.moves() {
                    self.histories.update_quiet(position, threats, &before, m, -malus);
                }
            }
            for m in tacticals.moves() {
                self.histories.update_capture(
                    position,
                    m,
                    -bonus * params::capture_malus_share() / 128,
                );
            }
        }

        if best_score <= original_alpha && excluded.is_none() && ply > 0 {
            self.praise_last_move(position, ply, depth);
        }

        // 20. Keep the result.
        if excluded.is_none() {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_score > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if !(root && self.pv_index > 0) {
                self.shared.table.store(
                    key,
                    Entry {
                        best: best_move,
                        score: to_table(best_score, ply),
                        evaluation: raw_evaluation,
                        depth,
                        bound,
                        was_pv,
                    },
                );
            }
            let evaluation = self.frames[ply].evaluation;
            if let Some(evaluation) = evaluation
                && best_move.is_none_or(|m| !is_tactical(position, m))
                && best_score.abs() < MATE_IN_MAX
                && !(bound == Bound::Lower && best_score <= evaluation)
                && !(bound == Bound::Upper && best_score >= evaluation)
            {
                let difference = best_score - evaluation;
                self.histories.update_correction(position, previous, difference, depth);
            }
        }
        best_score
    }
}

/// Squares that pawns of the opponent attack.
fn threats(position: &Position) -> Bitboard {
    let enemy = !position.turn();
    pawn_attacks(position.board().pieces(Role::Pawn.of(enemy)), enemy)
}

/// Moves tried without success, as many as are worth remembering.
#[derive(Default)]
struct Tried {
    moves: [Option<Move>; 32],
    len: usize,
}

impl Tried {
    fn push(&mut self, m: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = Some(m);
            self.len += 1;
        }
    }

    fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.into_iter().take(self.len).flatten()
    }
}

/// Whether a bound on a score decides a window.
fn proves(bound: Bound, score: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}

/// Mates are stored as seen from the position, not from the root.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_IN_MAX.. => score + ply as i32,
        _ if score <= -MATE_IN_MAX => score - ply as i32,
        _ => score,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_IN_MAX.. => score - ply as i32,
        _ if score <= -MATE_IN_MAX => score + ply as i32,
        _ => score,
    }
}

fn history_bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).min(params::bonus_most())
}

/// Where each piece of the side to move would attack the enemy king.
struct Checks([Bitboard; 6]);

impl Checks {
    #[inline]
    fn of(position: &Position) -> Checks {
        let enemy = !position.turn();
        let king = position.king(enemy);
        let occupied = position.board().occupied();
        let diagonal = attacks::bishop(king, occupied);
        let straight = attacks::rook(king, occupied);
        Checks([
            attacks::pawn(enemy, king),
            attacks::knight(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ])
    }

    /// Whether the piece that moves gives check from its new square.
    #[inline]
    fn given_by(&self, piece_to: PieceTo) -> bool {
        self.0[piece_to.role()].contains(piece_to.square())
    }
}

/// Whether the side to move has more than king and pawns.
fn has_pieces(position: &Position) -> bool {
    let board = position.board();
    let own = board.color(position.turn());
    (own - board.role(Role::Pawn) - board.role(Role::King)).any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_keep_their_distance_in_the_table() {
        for score in [0, 55, -300, MATE - 3, -MATE + 8] {
            assert_eq!(from_table(to_table(score, 7), 7), score);
        }
        assert_eq!(to_table(MATE - 10, 6), MATE - 4);
    }
}
