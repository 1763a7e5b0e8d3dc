//! One search from its start to its move: threads are put to work, and the first of them leads.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;

use parking_lot::Mutex;
use tabiya_base::{Bound, Score};
use tabiya_chess::{Game, Move, Position};
use tabiya_nnue::Network;
use tabiya_thinker::{Found, Info, Limits};

use crate::level::{Chooser, Handicap};
use crate::search::{Control, Counter, SearchClock, Shared, ThreadState, Worker};
use crate::tables::{AtRoot, Endgames};
use crate::transposition::TranspositionTable;
use crate::{Level, Settings, most_threads};

/// Everything a search needs, on its way to the search's thread.
pub(crate) struct Task {
    pub(crate) settings: Settings,
    pub(crate) network: Option<Arc<Network>>,
    pub(crate) endgames: Option<Endgames>,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) thread_states: Arc<Mutex<Vec<ThreadState>>>,
    pub(crate) control: Arc<Control>,
    pub(crate) game: Game,
    pub(crate) limits: Limits,
}

impl Task {
    /// The means of a level. Nothing is kept from move to move, so that a move depends on the game alone.
    pub(crate) fn limit_to(&mut self, level: Level) {
        self.settings.threads = 1;
        self.endgames = None;
        self.settings.multipv = level.multipv();
        self.table = Arc::new(TranspositionTable::new(1));
        self.thread_states = Arc::default();
        let nodes = self.limits.nodes.unwrap_or(u64::MAX);
        self.limits.nodes = Some(nodes.min(level.nodes()));
    }

    pub(crate) fn run(self, mut on_info: impl FnMut(&Info)) -> Found {
        let position = *self.game.position();
        let mut moves = position.legal_moves();
        if self.limits.search_moves.iter().any(|m| moves.contains(m)) {
            moves.retain(|m| self.limits.search_moves.contains(&m));
        }
        let found = if moves.is_empty() {
            let score = if position.is_check() { Score::Mate(0) } else { Score::Centipawns(0) };
            on_info(&Info { score, ..Info::default() });
            Found { best: None, ponder: None }
        } else if let Some(level) = self.settings.level {
            let eyes = Handicap::new(level, self.settings.seed, &self.game);
            let chooser = Chooser::new(level, self.settings.seed, &self.game);
            let seen = chooser.candidates(&moves, &eyes);
            self.search(&seen, Some((&eyes, &chooser)), &mut on_info)
        } else {
            self.search_or_know(&position, &moves, &mut on_info)
        };
        self.wait_if_endless();
        found
    }

    /// A search of all moves, unless tables know better.
    fn search_or_know(
        &self,
        position: &Position,
        moves: &[Move],
        on_info: &mut dyn FnMut(&Info),
    ) -> Found {
        let multipv = self.settings.multipv.max(1);
        let known = self.endgames.as_ref().and_then(|e| e.at_root(position, moves, multipv));
        match known {
            None => self.search(moves, None, on_info),
            Some(AtRoot::Known(lines)) => {
                for (n, line) in lines.iter().enumerate() {
                    on_info(&Info {
                        depth: 1,
                        seldepth: line.pv.len() as u32,
                        multipv: n as u32 + 1,
                        score: line.score,
                        pv: line.pv.clone(),
                        ..Info::default()
                    });
                }
                let move_at = |n: usize| lines.first().and_then(|line| line.pv.get(n)).copied();
                Found { best: move_at(0), ponder: move_at(1) }
            }
            Some(AtRoot::Among(moves, score)) => self.search(&moves, None, &mut |info| {
                // A mate that is seen is told; of anything else the tables know better.
                let score = if matches!(info.score, Score::Mate(_)) { info.score } else { score };
                on_info(&Info { score, bound: Bound::Exact, ..info.clone() });
            }),
        }
    }

    /// A search without end that has nothing more to find still waits to be stopped.
    fn wait_if_endless(&self) {
        self.control
            .stop
            .wait_while(|| self.limits.infinite || self.control.pondering.load(Ordering::Relaxed));
    }

    fn search(
        &self,
        moves: &[Move],
        player: Option<(&Handicap, &Chooser<'_>)>,
        on_info: &mut dyn FnMut(&Info),
    ) -> Found {
        let threads = match self.settings.threads {
            0 | 1 => 1,
            more => more.min(most_threads()),
        };
        let counters: Vec<Counter> = (0..threads).map(|_| Counter::default()).collect();
        // The search's own stop: the caller's, or a limit.
        let stop = AtomicBool::new(false);
        let turn = self.game.position().turn();
        let shared = Shared {
            table: &self.table,
            stop: &stop,
            nodes: &counters,
            limits: &self.limits,
            clock: SearchClock::new(&self.limits, &self.control, turn, self.settings.move_overhead),
            node_limit: self.limits.nodes.unwrap_or(u64::MAX).max(1),
            handicap: player.map(|(eyes, _)| eyes),
            endgames: self.endgames.as_ref(),
        };
        let mut thread_states = core::mem::take(&mut *self.thread_states.lock());
        thread_states.resize_with(threads, || ThreadState::new(self.network.as_ref()));
        let mut workers: Vec<Worker<'_>> = thread_states
            .into_iter()
            .enumerate()
            .map(|(number, state)| Worker::new(&shared, number, &self.game, moves, state))
            .collect();
        let (first, helpers) = workers.split_at_mut(1);
        let found = thread::scope(|scope| {
            for worker in helpers {
                // If a thread cannot be had, the others do the work.
                let _ = thread::Builder::new()
                    .stack_size(16 << 20)
                    .spawn_scoped(scope, move || worker.help());
            }
            let chooser = player.map(|(_, chooser)| chooser);
            let found = first[0].deepen(self.settings.multipv.max(1), chooser, on_info);
            stop.store(true, Ordering::Relaxed);
            found
        });
        *self.thread_states.lock() = workers.into_iter().map(Worker::into_state).collect();
        found
    }
}
