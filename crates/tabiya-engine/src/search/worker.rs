//! One thread of the search: what it keeps, and the way it walks along a line and back.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

use tabiya_chess::{Bitboard, Game, Move, Position};
use tabiya_nnue::Network;

use super::{MATE, MATE_IN_MAX, MAX_PLY, RootMove, SearchClock};
use crate::evaluator::Evaluator;
use crate::history::{Histories, PieceTo};
use crate::level::Handicap;
use crate::move_picker::MoveStack;
use crate::tables::Endgames;
use crate::transposition::TranspositionTable;
use crate::{Limits, Score};

/// A count of nodes, alone in its cache lines so that threads do not wait for each other.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counter(AtomicU64);

/// What all workers of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) stop: &'a AtomicBool,
    /// Nodes of each worker, written by it and read by all.
    pub(crate) nodes: &'a [Counter],
    /// The search ends at this many nodes of all workers.
    pub(crate) node_limit: u64,
    pub(crate) limits: &'a Limits,
    /// Asked now and then by the first worker: is it time to stop?
    pub(crate) clock: SearchClock<'a>,
    /// What a player of limited strength does not see; none at full strength.
    pub(crate) handicap: Option<&'a Handicap>,
    /// Tables of endings, if there are any to ask.
    pub(crate) endgames: Option<&'a Endgames>,
}

impl Shared<'_> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|count| count.0.load(Ordering::Relaxed)).sum()
    }
}

/// The state of one ply of the line being looked at.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The evaluation, corrected; none in check.
    pub(super) evaluation: Option<i32>,
    /// The piece that moved to get to the next ply, and where to.
    pub(super) piece_to: Option<PieceTo>,
    /// The move left out while asking whether it is singular.
    pub(super) excluded: Option<Move>,
    /// The move that led to the next ply, if it was quiet, and the squares attacked before it.
    pub(super) quiet: Option<Move>,
    pub(super) threats: Bitboard,
    /// Beta cut-offs among the children: many mean that the position is easy.
    pub(super) cutoffs: i32,
    /// Plies since a null move, which no repetition reaches across.
    pub(super) since_null: usize,
}

/// What a thread keeps from one search to the next.
pub(crate) struct ThreadState {
    histories: Histories,
    evaluator: Evaluator,
}

impl ThreadState {
    pub(crate) fn new(network: Option<&Arc<Network>>) -> ThreadState {
        ThreadState { histories: Histories::new(), evaluator: Evaluator::new(network) }
    }
}

/// One thread's search. Aligned, so that no two threads write to one cache line.
#[repr(align(128))]
pub(crate) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) number: usize,
    pub(super) histories: Histories,
    pub(super) evaluator: Evaluator,
    pub(super) root: Position,
    pub(crate) root_moves: Vec<RootMove>,
    /// The line of a multi-PV search under way: root moves before it are the better lines.
    pub(super) pv_index: usize,
    /// Keys of the positions before the current one, from the start of the game.
    pub(super) keys: Vec<u64>,
    /// How many of them are of the game, not of the search.
    pub(super) game_keys: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) stack: MoveStack,
    /// The principal variation below each ply.
    pub(super) pvs: Vec<Vec<Move>>,
    pub(crate) nodes: u64,
    pub(super) seldepth: usize,
    /// No null move before this ply, while one is being verified.
    pub(super) null_floor: usize,
    pub(super) stopped: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        number: usize,
        game: &Game,
        moves: &[Move],
        state: ThreadState,
    ) -> Worker<'a> {
        // Without the last, which is the root: the search enters that itself.
        let mut keys: Vec<u64> = game.positions().map(Position::key).collect();
        keys.pop();
        let root = *game.position();
        let ThreadState { histories, mut evaluator } = state;
        evaluator.reset(&root);
        Worker {
            shared,
            number,
            histories,
            evaluator,
            root,
            root_moves: moves.iter().map(|&m| RootMove::new(m)).collect(),
            pv_index: 0,
            game_keys: keys.len(),
            keys,
            frames: vec![Frame { since_null: MAX_PLY, ..Frame::default() }; MAX_PLY + 8],
            stack: MoveStack::with_capacity(4096),
            pvs: vec![Vec::new(); MAX_PLY + 2],
            nodes: 0,
            seldepth: 0,
            null_floor: 0,
            stopped: false,
        }
    }

    pub(crate) fn into_state(self) -> ThreadState {
        ThreadState { histories: self.histories, evaluator: self.evaluator }
    }

    /// Whether the search has been told to end, or has to.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped || self.shared.stop.load(Ordering::Relaxed)
    }

    /// Counts a node, and now and then looks up from the board: told to stop, out of nodes, out of time?
    #[inline]
    pub(super) fn count_node(&mut self) {
        // What is met on the way out of a search that has ended is not looked at.
        if self.stopped {
            return;
        }
        self.nodes += 1;
        let shared = self.shared;
        shared.nodes[self.number].0.store(self.nodes, Ordering::Relaxed);
        if self.number == 0 {
            if self.nodes & 1023 == 0 && shared.clock.is_over() {
                shared.stop.store(true, Ordering::Relaxed);
            }
            if shared.node_limit != u64::MAX && shared.total_nodes() >= shared.node_limit {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
        if shared.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        }
    }

    /// The position after a move, one ply deeper.
    #[inline]
    pub(super) fn play(
        &mut self,
        position: &Position,
        m: Move,
        piece_to: PieceTo,
        ply: usize,
    ) -> Position {
        let mut next = *position;
        self.evaluator.play(&mut next, m);
        self.shared.table.prefetch(next.key());
        self.enter(position, ply, Some(piece_to));
        next
    }

    /// Goes one ply deeper, by a move or, without one, by a null move.
    #[inline]
    pub(super) fn enter(&mut self, position: &Position, ply: usize, piece_to: Option<PieceTo>) {
        self.keys.push(position.key());
        self.frames[ply].piece_to = piece_to;
        self.frames[ply].quiet = None;
        self.frames[ply + 1].since_null =
            if piece_to.is_some() { self.frames[ply].since_null + 1 } else { 0 };
    }

    pub(super) fn leave(&mut self) {
        self.evaluator.undo();
        self.keys.pop();
    }

    pub(super) fn moves_before(&self, ply: usize) -> [Option<PieceTo>; 4] {
        [1, 2, 4, 6].map(|back| ply.checked_sub(back).and_then(|p| self.frames[p].piece_to))
    }

    pub(super) fn update_pv(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut upper[ply];
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&lower[0]);
    }

    /// Draws by rule: a position met before (once in this search is enough: whoever could avoid it
    /// would have), fifty moves, too little material.
    pub(super) fn is_draw(&self, position: &Position, ply: usize, in_check: bool) -> bool {
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
                if index >= self.game_keys {
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

    pub(super) fn corrected(
        &self,
        position: &Position,
        previous: Option<PieceTo>,
        raw: i32,
    ) -> i32 {
        let correction = self.histories.correction(position, previous);
        let misjudgement = self.shared.handicap.map_or(0, |eyes| eyes.misjudgement(position));
        (raw + correction + misjudgement).clamp(-MATE_IN_MAX + 1, MATE_IN_MAX - 1)
    }

    /// Whether a move does not come to mind of a player of limited strength.
    #[inline]
    pub(super) fn overlooks(
        &self,
        position: &Position,
        m: Move,
        previous: Option<PieceTo>,
    ) -> bool {
        self.shared
            .handicap
            .is_some_and(|eyes| eyes.overlooks(position, m, previous.map(PieceTo::square)))
    }

    /// Whether the side to move stands better than two plies ago (four, if it was in check then).
    pub(super) fn is_improving(&self, ply: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_moves() {
        assert_eq!(Worker::score_of(MATE - 1), Score::Mate(1));
        assert_eq!(Worker::score_of(MATE - 5), Score::Mate(3));
        assert_eq!(Worker::score_of(-MATE + 2), Score::Mate(-1));
        assert_eq!(Worker::score_of(-MATE), Score::Mate(0));
        assert_eq!(Worker::score_of(-77), Score::Centipawns(-77));
    }
}
