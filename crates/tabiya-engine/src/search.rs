//! The search: iterative deepening at the root, principal variation search below, quiescence at the
//! leaves. One worker is one thread's share of it.

mod quiescence;
mod reductions;
mod root;

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

use tabiya_chess::{Bitboard, Game, Move, Position, Role, attacks};
use tabiya_nnue::Network;

use crate::evaluate::pawn_attacks;
use crate::history::{Histories, PieceTo, captured};
use crate::level::Handicap;
use crate::opinion::Opinion;
use crate::params;
use crate::picker::{MoveStack, Picker, is_tactical};
use crate::see;
use crate::table::{Entry, Table};
use crate::{Bound, Score};
use reductions::REDUCTIONS;
pub(crate) use root::RootMove;

/// No line is followed further than this.
pub(crate) const MAX_PLY: usize = 128;
/// Mate on the board, seen from the winner. A mate in n plies is worth n less.
pub(crate) const MATE: i32 = 32_000;
/// Scores beyond this are mates.
pub(crate) const MATE_IN_MAX: i32 = MATE - MAX_PLY as i32;
const INFINITE: i32 = 32_001;
const DRAW: i32 = 0;

/// A count of nodes, alone in its cache lines so that threads do not wait for each other.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counter(AtomicU64);

/// What all workers of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) stop: &'a AtomicBool,
    /// Nodes of each worker, written by it and read by all.
    pub(crate) nodes: &'a [Counter],
    /// The search ends at this many nodes of all workers.
    pub(crate) node_limit: u64,
    /// Asked now and then by the first worker: is it time to stop?
    pub(crate) out_of_time: &'a (dyn Fn() -> bool + Sync),
    /// What a player of limited strength does not see; none at full strength.
    pub(crate) handicap: Option<&'a Handicap>,
}

/// The state of one ply of the line being looked at.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The evaluation, corrected; none in check.
    evaluation: Option<i32>,
    /// The piece that moved to get to the next ply, and where to.
    piece_to: Option<PieceTo>,
    /// The move left out while asking whether it is singular.
    excluded: Option<Move>,
    /// Beta cut-offs among the children: many mean that the position is easy.
    cutoffs: i32,
    /// Plies since a null move, which no repetition reaches across.
    since_null: usize,
}

/// What a thread keeps from one search to the next.
pub(crate) struct Mind {
    histories: Histories,
    opinion: Opinion,
}

impl Mind {
    pub(crate) fn new(network: Option<&Arc<Network>>) -> Mind {
        Mind { histories: Histories::new(), opinion: Opinion::new(network) }
    }
}

/// One thread's search. Aligned, so that no two threads write to one cache line.
#[repr(align(128))]
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    number: usize,
    histories: Histories,
    opinion: Opinion,
    root: Position,
    pub(crate) root_moves: Vec<RootMove>,
    /// Root moves before this one have been reported already: they are the better lines.
    first_line: usize,
    /// Keys of the positions before the current one, from the start of the game.
    keys: Vec<u64>,
    /// How many of them are of the game, not of the search.
    game_keys: usize,
    frames: Vec<Frame>,
    stack: MoveStack,
    /// The best line found below each ply.
    lines: Vec<Vec<Move>>,
    pub(crate) nodes: u64,
    seldepth: usize,
    /// No null move before this ply, while one is being verified.
    null_floor: usize,
    stopped: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        number: usize,
        game: &Game,
        moves: &[Move],
        mind: Mind,
    ) -> Worker<'a> {
        let keys: Vec<u64> = game.positions().map(Position::key).collect();
        let root = *game.position();
        let Mind { histories, mut opinion } = mind;
        opinion.begin(&root);
        Worker {
            shared,
            number,
            histories,
            opinion,
            root,
            root_moves: moves.iter().map(|&m| RootMove::new(m)).collect(),
            first_line: 0,
            game_keys: keys.len(),
            keys,
            frames: vec![Frame { since_null: MAX_PLY, ..Frame::default() }; MAX_PLY + 8],
            stack: MoveStack::with_capacity(4096),
            lines: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            seldepth: 0,
            null_floor: 0,
            stopped: false,
        }
    }

    pub(crate) fn into_mind(self) -> Mind {
        Mind { histories: self.histories, opinion: self.opinion }
    }

    /// Whether the search has been told to end, or has to.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped || self.shared.stop.load(Ordering::Relaxed)
    }

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
        self.lines[ply].clear();
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
                return if in_check { DRAW } else { self.opinion.of(position) };
            }
            // 3. Mate distance: a mate already found that is shorter cannot be beaten here.
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
            _ if root => self.root_moves[self.first_line].first(),
            Some(entry) => entry.best,
            None => None,
        };
        let was_pv = PV || entry.is_some_and(|entry| entry.was_pv);
        if !PV
            && let (Some(entry), Some(score)) = (entry, table_score)
            && entry.depth >= depth
            && proves(entry.bound, score, alpha, beta)
            && position.halfmove_clock() < 90
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
                let raw = known.unwrap_or_else(|| self.opinion.of(position));
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
        self.frames[ply + 1].excluded = None;
        self.frames[ply + 2].cutoffs = 0;

        if !PV && !in_check && excluded.is_none() {
            // 6. Razoring: hopeless unless a capture helps.
            if depth <= params::RAZOR_DEPTH
                && evaluation + params::RAZOR_BASE + params::RAZOR_SLOPE * depth * depth / 2 < alpha
            {
                let score = self.quiesce::<false>(position, alpha, alpha + 1, ply);
                if score <= alpha && score.abs() < MATE_IN_MAX {
                    return score;
                }
            }
            // 7. Reverse futility: so good that the opponent would not let it come to this.
            if depth <= params::REVERSE_FUTILITY_DEPTH
                && beta > -MATE_IN_MAX
                && evaluation < MATE_IN_MAX
                && evaluation - params::REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving))
                    >= beta
            {
                return beta + (evaluation - beta) / 3;
            }
            // 8. Null move: if even passing is good enough, a move will be. Not with pawns alone,
            // where having to move can be the trouble.
            if depth >= params::NULL_DEPTH
                && evaluation >= beta
                && ply >= self.null_floor
                && previous.is_some()
                && beta > -MATE_IN_MAX
                && has_pieces(position)
                && let Some(passed) = position.pass()
            {
                let reduction = params::NULL_REDUCTION
                    + depth / params::NULL_DEPTH_DIVISOR
                    + ((evaluation - beta) / params::NULL_EVALUATION_DIVISOR).min(3);
                self.shared.table.prefetch(passed.key());
                self.opinion.pass();
                self.enter(position, ply, None);
                let score = -self.search::<false>(
                    &passed,
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
                    if self.null_floor > 0 || depth < params::NULL_VERIFICATION_DEPTH {
                        return score;
                    }
                    self.null_floor = ply + (3 * (depth - reduction) / 4).max(1) as usize;
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
            let probcut_beta = beta + params::PROBCUT_MARGIN - 50 * i32::from(improving);
            if depth >= params::PROBCUT_DEPTH
                && beta.abs() < MATE_IN_MAX
                && !matches!(
                    (entry, table_score),
                    (Some(entry), Some(score))
                        if entry.depth >= depth - params::PROBCUT_REDUCTION && score < probcut_beta
                )
                && let Some(score) =
                    self.probcut(position, probcut_beta, depth, ply, table_move, cut_node)
            {
                return score;
            }
        }

        // 10. Internal reduction: where nothing is known, looking less deep first is cheaper.
        if (PV || cut_node)
            && depth >= params::INTERNAL_REDUCTION_DEPTH
            && table_move.is_none()
            && excluded.is_none()
        {
            depth -= 1;
        }

        // 11. All moves, the most promising first.
        let enemy = !position.turn();
        let threats = pawn_attacks(position.board().pieces(Role::Pawn.of(enemy)), enemy);
        let before = self.moves_before(ply);
        let checks = Checks::of(position);
        let may_prune = !root && has_pieces(position);
        let mut picker = Picker::new(position, &self.stack, table_move, threats, before);
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
            let mut reduction = REDUCTIONS[depth.min(63) as usize][count.min(63)];

            // 12. Pruning at low depth, once there is a move that does not lose at once.
            if may_prune && best_score > -MATE_IN_MAX {
                let lower_depth = (depth - reduction / 1024).max(0);
                if !tactical && !checks.given_by(piece_to) {
                    let limit =
                        (params::LATE_MOVE_BASE + depth * depth) / (2 - i32::from(improving));
                    if count as i32 > limit {
                        picker.skip_quiets();
                    }
                    if !in_check
                        && lower_depth <= params::FUTILITY_DEPTH
                        && evaluation
                            + params::FUTILITY_BASE
                            + params::FUTILITY_SLOPE * lower_depth
                            + history / 128
                            <= alpha
                    {
                        continue;
                    }
                    if depth <= params::HISTORY_PRUNING_DEPTH
                        && history < params::HISTORY_PRUNING_SLOPE * depth
                    {
                        continue;
                    }
                    if !see::wins_at_least(
                        position,
                        m,
                        params::SEE_QUIET_SLOPE * lower_depth * lower_depth,
                    ) {
                        continue;
                    }
                } else if !see::wins_at_least(position, m, params::SEE_CAPTURE_SLOPE * depth) {
                    // (Quiet checks as well: they are worth a look, but not a piece.)
                    continue;
                }
            }

            // 13. Singular extensions: is this move the only good one? If others are good as well,
            // this node fails high anyway.
            let mut extension = 0;
            if !root
                && depth >= params::SINGULAR_DEPTH
                && Some(m) == table_move
                && excluded.is_none()
                && ply < 2 * MAX_PLY / 3
                && let (Some(entry), Some(score)) = (entry, table_score)
                && score.abs() < MATE_IN_MAX
                && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
                && entry.depth >= depth - params::SINGULAR_TABLE_DEPTH
            {
                let singular_beta = score - params::SINGULAR_MARGIN * depth;
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
                    if !PV && others < singular_beta - params::DOUBLE_EXTENSION_MARGIN {
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
            let new_depth = depth - 1 + extension;
            let mut score = DRAW;

            // 15. Late moves are first looked at less deep, with a closed window.
            if depth >= params::REDUCTION_DEPTH && count > 1 + usize::from(root) {
                if !was_pv {
                    reduction += 512;
                }
                if PV {
                    reduction -= 1024;
                }
                if cut_node {
                    reduction += 1024;
                }
                if !improving {
                    reduction += 512;
                }
                if self.frames[ply + 1].cutoffs > 3 {
                    reduction += 512;
                }
                if next.is_check() {
                    reduction -= 768;
                }
                if tactical {
                    reduction -= 768;
                }
                reduction -= history * 1024 / params::REDUCTION_HISTORY_DIVISOR / 2;
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
                score = -self.search::<false>(&next, -alpha - 1, -alpha, reduced, ply + 1, true);
                if score > alpha && reduced < new_depth {
                    // Better than thought: at full depth, or a little more.
                    let deeper =
                        new_depth + i32::from(score > best_score + 60 && best_score > -MATE_IN_MAX);
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
            // 16. The first move, and any that beats alpha, with an open window.
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
                        self.extend_line(ply, m);
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
            if is_tactical(position, best) {
                self.histories.update_capture(position, best, bonus);
            } else {
                self.histories.update_quiet(position, threats, &before, best, bonus);
                for m in quiets.moves() {
                    self.histories.update_quiet(position, threats, &before, m, -bonus);
                }
            }
            for m in tacticals.moves() {
                self.histories.update_capture(position, m, -bonus);
            }
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
            if !(root && self.first_line > 0) {
                self.shared.table.store(
                    key,
                    Entry {
                        best: best_move,
                        score: to_table(best_score, ply),
                        evaluation: raw_evaluation,
                        depth,
                        bound: Some(bound),
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

    /// Counts a node, and now and then looks up from the board: told to stop, out of nodes, out of time?
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        let shared = self.shared;
        shared.nodes[self.number].0.store(self.nodes, Ordering::Relaxed);
        if self.number == 0 {
            if self.nodes & 1023 == 0 && (shared.out_of_time)() {
                shared.stop.store(true, Ordering::Relaxed);
            }
            if shared.node_limit != u64::MAX && total(shared.nodes) >= shared.node_limit {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
        if shared.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        }
    }

    /// The position after a move, one ply deeper.
    #[inline]
    fn play(&mut self, position: &Position, m: Move, piece_to: PieceTo, ply: usize) -> Position {
        let mut next = *position;
        self.opinion.play(&mut next, m);
        self.shared.table.prefetch(next.key());
        self.enter(position, ply, Some(piece_to));
        next
    }

    /// Goes one ply deeper, by a move or, if there is none, by passing.
    #[inline]
    fn enter(&mut self, position: &Position, ply: usize, piece_to: Option<PieceTo>) {
        self.keys.push(position.key());
        self.frames[ply].piece_to = piece_to;
        self.frames[ply + 1].since_null =
            if piece_to.is_some() { self.frames[ply].since_null + 1 } else { 0 };
    }

    fn leave(&mut self) {
        self.opinion.undo();
        self.keys.pop();
    }

    fn moves_before(&self, ply: usize) -> [Option<PieceTo>; 4] {
        [1, 2, 4, 6].map(|back| ply.checked_sub(back).and_then(|p| self.frames[p].piece_to))
    }

    fn extend_line(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }

    /// Draws by rule: a position met before (once in this search is enough: whoever could avoid it
    /// would have), fifty moves, too little material.
    fn is_draw(&self, position: &Position, ply: usize, in_check: bool) -> bool {
        if ply == 0 {
            return false;
        }
        let clock = usize::from(position.halfmove_clock());
        if clock >= 100 && (!in_check || position.has_legal_moves()) {
            return true;
        }
        if position.board().occupied().len() <= 4 && position.is_insufficient_material() {
            return true;
        }
        let key = position.key();
        let reach = clock.min(self.frames[ply].since_null).min(self.keys.len());
        let mut in_game = 0;
        for back in (4..=reach).step_by(2) {
            let index = self.keys.len() - back;
            if self.keys[index] == key {
                if index >= self.game_keys - 1 {
                    return true;
                }
                in_game += 1;
                if in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    fn corrected(&self, position: &Position, previous: Option<PieceTo>, raw: i32) -> i32 {
        let correction = self.histories.correction(position, previous);
        let misjudgement = self.shared.handicap.map_or(0, |eyes| eyes.misjudgement(position));
        (raw + correction + misjudgement).clamp(-MATE_IN_MAX + 1, MATE_IN_MAX - 1)
    }

    /// Whether a move does not come to mind of a player of limited strength.
    #[inline]
    fn overlooks(&self, position: &Position, m: Move, previous: Option<PieceTo>) -> bool {
        self.shared
            .handicap
            .is_some_and(|eyes| eyes.overlooks(position, m, previous.map(PieceTo::square)))
    }

    /// Whether the side to move stands better than two plies ago (four, if it was in check then).
    fn is_improving(&self, ply: usize) -> bool {
        let now = self.frames[ply].evaluation;
        let earlier = |back: usize| ply.checked_sub(back).and_then(|p| self.frames[p].evaluation);
        match (now, earlier(2).or_else(|| earlier(4))) {
            (Some(now), Some(then)) => now > then,
            _ => true,
        }
    }

    /// The score of the best line, for people.
    pub(crate) fn score_of(score: i32) -> Score {
        if score.abs() < MATE_IN_MAX {
            Score::Centipawns(score)
        } else if score > 0 {
            Score::Mate((MATE - score + 1) / 2)
        } else {
            Score::Mate(-(MATE + score) / 2)
        }
    }
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

pub(crate) fn total(nodes: &[Counter]) -> u64 {
    nodes.iter().map(|count| count.0.load(Ordering::Relaxed)).sum()
}

/// Whether a bound on a score decides a window.
fn proves(bound: Option<Bound>, score: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        Some(Bound::Exact) => true,
        Some(Bound::Lower) => score >= beta,
        Some(Bound::Upper) => score <= alpha,
        None => false,
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
    (params::BONUS_SLOPE * depth - params::BONUS_OFFSET).min(params::BONUS_MOST)
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

    #[test]
    fn mates_are_told_in_moves() {
        assert_eq!(Worker::score_of(MATE - 1), Score::Mate(1));
        assert_eq!(Worker::score_of(MATE - 5), Score::Mate(3));
        assert_eq!(Worker::score_of(-MATE + 2), Score::Mate(-1));
        assert_eq!(Worker::score_of(-MATE), Score::Mate(0));
        assert_eq!(Worker::score_of(-77), Score::Centipawns(-77));
    }
}
