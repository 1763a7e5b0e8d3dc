use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tabiya_base::{Score, Stop};
use tabiya_chess::{Game, Move, Position};
use tabiya_nnue::Network;
use tabiya_thinker::{Found, Info, Limits, ThinkError, Thinker};

use crate::Level;
use crate::evaluator::Evaluator;
use crate::level::{Chooser, Handicap};
use crate::search::{Counter, MAX_PLY, RootMove, Shared, ThreadState, Worker, total};
use crate::time::{Budget, Certainty};
use crate::transposition::TranspositionTable;

/// What can be set about an engine.
///
/// ```
/// use tabiya_engine::Settings;
///
/// let settings = Settings { hash_megabytes: 64, ..Settings::default() };
/// assert_eq!(settings.threads, 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The size of the transposition table.
    pub hash_megabytes: usize,
    /// How many threads search together.
    pub threads: usize,
    /// How many lines are followed and reported.
    pub lines: usize,
    /// Time kept back on each move for the way to the board.
    pub move_overhead: Duration,
    /// How well to play; as well as possible if not given. A level decides by itself how many nodes,
    /// threads, lines and how much memory it needs.
    pub level: Option<Level>,
    /// A level plays the same game with the same seed, and another one with another.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_megabytes: 16,
            threads: 1,
            lines: 1,
            move_overhead: Duration::from_millis(10),
            level: None,
            seed: 0,
        }
    }
}

/// The engine: give it a game and limits, and it looks for a move in a thread of its own.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_engine::{Engine, Limits, Score, Settings};
///
/// let position = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
/// let mut engine = Engine::new(Settings::default());
/// let limits = Limits { depth: Some(4), ..Limits::default() };
/// let search = engine.go(&Game::from_position(position), limits, |info| {
///     println!("depth {}: {}", info.depth, info.score);
/// });
/// let found = search.wait();
/// assert_eq!(position.san(found.best.unwrap()), "Ra8#");
/// ```
pub struct Engine {
    settings: Settings,
    network: Option<Arc<Network>>,
    table: Arc<TranspositionTable>,
    thread_states: Arc<Mutex<Vec<ThreadState>>>,
}

/// A search under way. Dropping it stops it.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_engine::{Engine, Limits, Settings};
///
/// let mut engine = Engine::new(Settings::default());
/// let limits = Limits { infinite: true, ..Limits::default() };
/// let search = engine.go(&Game::new(), limits, |_| {});
/// search.stop();
/// assert!(search.wait().best.is_some());
/// ```
pub struct Search {
    control: Arc<Control>,
    thread: Option<JoinHandle<Found>>,
}

/// How the caller and the search talk.
#[derive(Default)]
struct Control {
    stop: Stop,
    pondering: AtomicBool,
    /// When the ponder hit came, in nanoseconds of the timer: thinking time counts from there.
    hit_at: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    /// A fresh engine.
    ///
    /// ```
    /// # use tabiya_engine::{Engine, Settings};
    /// let engine = Engine::new(Settings::default());
    /// assert_eq!(engine.settings().lines, 1);
    /// ```
    pub fn new(settings: Settings) -> Engine {
        Engine {
            settings,
            network: Some(Network::built_in()),
            table: Arc::new(TranspositionTable::new(settings.hash_megabytes)),
            thread_states: Arc::default(),
        }
    }

    /// What is set.
    ///
    /// ```
    /// # use tabiya_engine::{Engine, Settings};
    /// assert_eq!(*Engine::new(Settings::default()).settings(), Settings::default());
    /// ```
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. A new size of the table empties it.
    ///
    /// ```
    /// # use tabiya_engine::{Engine, Settings};
    /// let mut engine = Engine::new(Settings::default());
    /// engine.set(Settings { threads: 2, ..Settings::default() });
    /// assert_eq!(engine.settings().threads, 2);
    /// ```
    pub fn set(&mut self, settings: Settings) {
        if settings.hash_megabytes != self.settings.hash_megabytes {
            self.table = Arc::new(TranspositionTable::new(1)); // give memory back before taking more
            self.table = Arc::new(TranspositionTable::new(settings.hash_megabytes));
        }
        self.settings = settings;
    }

    /// Evaluates with another network from now on, or, without one, by hand. What was learnt before is
    /// forgotten.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tabiya_engine::{Engine, Network, Settings};
    ///
    /// let mut engine = Engine::new(Settings::default());
    /// engine.set_network(Some(Arc::new(Network::random(1))));
    /// assert_eq!(engine.network().unwrap().description(), "random weights, seed 1");
    /// ```
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.clear();
    }

    /// The network that evaluates: [`Network::built_in`] unless another is set, none if it is done by hand.
    ///
    /// ```
    /// # use tabiya_engine::{Engine, Settings};
    /// let mut engine = Engine::new(Settings::default());
    /// assert!(engine.network().is_some());
    /// engine.set_network(None);
    /// assert!(engine.network().is_none());
    /// ```
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// What a position is worth at a glance, for the side to move.
    ///
    /// ```
    /// # use tabiya_engine::{Engine, Score, Settings};
    /// let queen_up = "4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1".parse().unwrap();
    /// assert!(Engine::new(Settings::default()).evaluation(&queen_up) > Score::Centipawns(300));
    /// ```
    pub fn evaluation(&self, position: &Position) -> Score {
        let mut evaluator = Evaluator::new(self.network.as_ref());
        evaluator.reset(position);
        Score::Centipawns(evaluator.evaluate(position))
    }

    /// Forgets everything learnt in earlier searches: a new game begins.
    ///
    /// ```
    /// # use tabiya_engine::{Engine, Settings};
    /// Engine::new(Settings::default()).clear();
    /// ```
    pub fn clear(&mut self) {
        self.table.clear();
        lock(&self.thread_states).clear();
    }

    /// Starts a search and returns at once. `on_info` is called from the search's thread.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings};
    /// let mut engine = Engine::new(Settings::default());
    /// let limits = Limits { nodes: Some(500), ..Limits::default() };
    /// let found = engine.go(&Game::new(), limits, |_| {}).wait();
    /// assert!(found.best.is_some());
    /// ```
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        on_info: impl FnMut(&Info) + Send + 'static,
    ) -> Search {
        self.go_then(game, limits, on_info, |_| {})
    }

    /// As [`Engine::go`], with a last word: `on_found` is called from the search's thread when the
    /// search is over.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings};
    /// let mut engine = Engine::new(Settings::default());
    /// let limits = Limits { depth: Some(1), ..Limits::default() };
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let search = engine.go_then(&Game::new(), limits, |_| {}, move |found| sender.send(found).unwrap());
    /// assert_eq!(search.wait(), receiver.recv().unwrap());
    /// ```
    pub fn go_then(
        &mut self,
        game: &Game,
        limits: Limits,
        on_info: impl FnMut(&Info) + Send + 'static,
        on_found: impl FnOnce(Found) + Send + 'static,
    ) -> Search {
        let task = self.task(game, limits);
        let control = Arc::clone(&task.control);
        let run = move || {
            let found = task.run(on_info);
            on_found(found);
            found
        };
        let thread = thread::Builder::new().stack_size(16 << 20).spawn(run).ok();
        Search { control, thread }
    }

    /// Searches on the caller's thread, which saves the way to another one and back. Nobody could stop
    /// it, so there is no searching without end and no pondering here.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings};
    /// let mut engine = Engine::new(Settings::default());
    /// let limits = Limits { nodes: Some(500), ..Limits::default() };
    /// let mut depth = 0;
    /// let found = engine.think(&Game::new(), limits, |info| depth = info.depth);
    /// assert!(found.best.is_some() && depth > 0);
    /// ```
    pub fn think(&mut self, game: &Game, limits: Limits, on_info: impl FnMut(&Info)) -> Found {
        self.task(game, Limits { infinite: false, ponder: false, ..limits }).run(on_info)
    }

    /// Searches on the caller's thread, which others can ask to stop. The line that is looked at may be
    /// long: the thread should have a stack of 16 MB, as those of [`Engine::go`] have.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings, Stop};
    /// let mut engine = Engine::new(Settings::default());
    /// let limits = Limits { nodes: Some(500), ..Limits::default() };
    /// assert!(engine.think_until(&Game::new(), limits, &Stop::default(), |_| {}).best.is_some());
    /// ```
    pub fn think_until(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &Stop,
        on_info: impl FnMut(&Info),
    ) -> Found {
        let limits = Limits { ponder: false, ..limits };
        self.task_until(game, limits, stop.clone()).run(on_info)
    }

    fn task(&mut self, game: &Game, limits: Limits) -> Task {
        self.task_until(game, limits, Stop::default())
    }

    fn task_until(&mut self, game: &Game, limits: Limits, stop: Stop) -> Task {
        let pondering = AtomicBool::new(limits.ponder);
        let control = Arc::new(Control { stop, pondering, ..Control::default() });
        self.table.new_search();
        let mut task = Task {
            settings: self.settings,
            network: self.network.clone(),
            table: Arc::clone(&self.table),
            thread_states: Arc::clone(&self.thread_states),
            control,
            game: game.clone(),
            limits,
        };
        if let Some(lines) = task.limits.multipv {
            task.settings.lines = lines;
        }
        if let Some(level) = self.settings.level {
            task.limit_to(level);
        }
        task
    }
}

impl Thinker for Engine {
    fn name(&self) -> &str {
        "Tabiya"
    }

    fn new_game(&mut self) -> Result<(), ThinkError> {
        self.clear();
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        Ok(self.think_until(game, limits.clone(), stop, on_info))
    }
}

impl Search {
    /// Ends the search soon; [`Search::wait`] then gives the best move so far.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings};
    /// let search = Engine::new(Settings::default()).go(&Game::new(), Limits::default(), |_| {});
    /// search.stop();
    /// ```
    pub fn stop(&self) {
        self.control.stop.stop();
    }

    /// The opponent has made the expected move: from now on the clocks count.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings};
    /// let limits = Limits { ponder: true, depth: Some(2), ..Limits::default() };
    /// let search = Engine::new(Settings::default()).go(&Game::new(), limits, |_| {});
    /// search.ponder_hit();
    /// assert!(search.wait().best.is_some());
    /// ```
    pub fn ponder_hit(&self) {
        self.control.pondering.store(false, Ordering::Relaxed);
        self.control.stop.notify();
    }

    /// Whether [`Search::wait`] would return at once.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings};
    /// let limits = Limits { infinite: true, ..Limits::default() };
    /// let search = Engine::new(Settings::default()).go(&Game::new(), limits, |_| {});
    /// assert!(!search.is_finished());
    /// ```
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end and gives what was found.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_engine::{Engine, Limits, Settings};
    /// let limits = Limits { depth: Some(1), ..Limits::default() };
    /// let found = Engine::new(Settings::default()).go(&Game::new(), limits, |_| {}).wait();
    /// assert!(found.best.is_some());
    /// ```
    pub fn wait(mut self) -> Found {
        let nothing = Found { best: None, ponder: None };
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or(nothing)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Everything a search needs, on its way to the search's thread.
struct Task {
    settings: Settings,
    network: Option<Arc<Network>>,
    table: Arc<TranspositionTable>,
    thread_states: Arc<Mutex<Vec<ThreadState>>>,
    control: Arc<Control>,
    game: Game,
    limits: Limits,
}

impl Task {
    /// The means of a level. Nothing is kept from move to move, so that a move depends on the game alone.
    fn limit_to(&mut self, level: Level) {
        self.settings.threads = 1;
        self.settings.lines = level.lines();
        self.table = Arc::new(TranspositionTable::new(1));
        self.thread_states = Arc::default();
        let nodes = self.limits.nodes.unwrap_or(u64::MAX);
        self.limits.nodes = Some(nodes.min(level.nodes()));
    }

    fn run(self, mut on_info: impl FnMut(&Info)) -> Found {
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
            self.search(&moves, None, &mut on_info)
        };
        self.wait_if_endless();
        found
    }

    /// A search without end that has nothing more to find still waits to be stopped.
    fn wait_if_endless(&self) {
        self.control
            .stop
            .wait_while(|| self.limits.infinite || self.control.pondering.load(Ordering::Relaxed));
    }

    fn elapsed(&self) -> Duration {
        self.limits.timer.as_ref().map_or(Duration::ZERO, |timer| timer.elapsed())
    }

    /// The time that counts against the clock: while pondering, none.
    fn thinking_time(&self) -> Option<Duration> {
        if self.limits.timer.is_none() || self.control.pondering.load(Ordering::Relaxed) {
            return None;
        }
        let now = self.elapsed();
        if !self.limits.ponder {
            return Some(now);
        }
        // The first to look after the ponder hit notes the time.
        let nanos = now.as_nanos().min(u64::MAX.into()) as u64;
        let hit = self.control.hit_at.compare_exchange(
            0,
            nanos.max(1),
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        Some(now.saturating_sub(Duration::from_nanos(hit.err().unwrap_or(nanos))))
    }

    fn search(
        &self,
        moves: &[Move],
        player: Option<(&Handicap, &Chooser<'_>)>,
        on_info: &mut impl FnMut(&Info),
    ) -> Found {
        let threads = self.settings.threads.max(1);
        let budget =
            Budget::of(&self.limits, self.game.position().turn(), self.settings.move_overhead);
        let counters: Vec<Counter> = (0..threads).map(|_| Counter::default()).collect();
        // The search's own stop: the caller's, or a limit.
        let stop = AtomicBool::new(false);
        let out_of_time = || {
            self.control.stop.is_stopped()
                || self.thinking_time().is_some_and(|time| time >= budget.hard)
        };
        let shared = Shared {
            table: &self.table,
            stop: &stop,
            nodes: &counters,
            node_limit: self.limits.nodes.unwrap_or(u64::MAX).max(1),
            out_of_time: &out_of_time,
            handicap: player.map(|(eyes, _)| eyes),
        };
        let mut thread_states = core::mem::take(&mut *lock(&self.thread_states));
        thread_states.resize_with(threads, || ThreadState::new(self.network.as_ref()));
        let mut workers: Vec<Worker<'_>> = thread_states
            .into_iter()
            .enumerate()
            .map(|(number, state)| Worker::new(&shared, number, &self.game, moves, state))
            .collect();
        let (first, helpers) = workers.split_at_mut(1);
        let found = thread::scope(|scope| {
            for worker in helpers {
                let most = self.limits.depth;
                // If a thread cannot be had, the others do the work.
                let _ = thread::Builder::new()
                    .stack_size(16 << 20)
                    .spawn_scoped(scope, move || worker.help(most));
            }
            let chooser = player.map(|(_, chooser)| chooser);
            let found = self.lead(&mut first[0], &shared, &budget, chooser, on_info);
            stop.store(true, Ordering::Relaxed);
            found
        });
        *lock(&self.thread_states) = workers.into_iter().map(Worker::into_state).collect();
        found
    }

    /// The first worker: deepens, reports, and decides when it is enough.
    fn lead(
        &self,
        worker: &mut Worker<'_>,
        shared: &Shared<'_>,
        budget: &Budget,
        chooser: Option<&Chooser<'_>>,
        on_info: &mut impl FnMut(&Info),
    ) -> Found {
        let deepest = self.limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32 - 1);
        let mut stable = 0;
        let mut last: Option<(Move, i32)> = None;
        // Lines looked at to the same depth, so that they can be compared.
        let mut settled: (u32, Vec<RootMove>) = (0, Vec::new());
        for depth in 1..=deepest {
            let mut report = |worker: &Worker<'_>, line: usize| {
                // Bounds are news only when it takes long.
                let root = &worker.root_moves[line];
                let exact = root.bound == crate::Bound::Exact;
                if chooser.is_none() && (exact || self.elapsed() > Duration::from_secs(3)) {
                    on_info(&self.info(root, shared, depth, line));
                }
            };
            worker.search_root(depth as i32, self.settings.lines.max(1), &mut report);
            if chooser.is_some() && (depth == 1 || !worker.is_stopped()) {
                let known = worker.root_moves.iter().filter(|line| line.is_known());
                settled = (depth, known.take(self.settings.lines).cloned().collect());
            }
            if worker.is_stopped() {
                break;
            }
            let best = &worker.root_moves[0];
            let (Some(m), score) = (best.first(), best.score) else { break };
            stable = if last.is_some_and(|(before, _)| before == m) { stable + 1 } else { 0 };
            let fallen = last.map_or(0, |(_, before)| before - score);
            last = Some((m, score));
            let is_enough = |soft| total(shared.nodes) >= soft;
            if self.has_found_mate(score) || self.limits.soft_nodes.is_some_and(is_enough) {
                break;
            }
            let share = (best.nodes * 1000 / worker.nodes.max(1)) as u32;
            let certainty = Certainty { stable, fallen, share };
            if let Some(time) = self.thinking_time()
                && self.limits.clocks.is_some()
                && !self.limits.infinite
            {
                let only_move = worker.root_moves.len() == 1 && depth >= 3;
                if time >= certainty.adjust(budget.soft).min(budget.hard) || only_move {
                    break;
                }
            }
        }
        let mut best = &worker.root_moves[0];
        // A player of limited strength says only what it has chosen.
        if let Some(chooser) = chooser {
            let (depth, lines) = &settled;
            if let Some(chosen) = chooser.choose(lines) {
                best = chosen;
                on_info(&self.info(best, shared, *depth, 0));
            }
        }
        Found { best: best.pv.first().copied(), ponder: best.pv.get(1).copied() }
    }

    /// Whether a mate as short as was asked for has been found.
    fn has_found_mate(&self, score: i32) -> bool {
        match (self.limits.mate, Worker::score_of(score)) {
            (Some(moves), Score::Mate(found)) => 0 < found && found <= moves as i32,
            _ => false,
        }
    }

    fn info(&self, root: &RootMove, shared: &Shared<'_>, depth: u32, line: usize) -> Info {
        let score = Worker::score_of(root.score);
        Info {
            depth,
            seldepth: root.seldepth as u32,
            multipv: line as u32 + 1,
            score,
            bound: root.bound,
            nodes: total(shared.nodes),
            time: self.elapsed(),
            hashfull: shared.table.hashfull(),
            pv: root.pv.clone(),
        }
    }
}

impl Worker<'_> {
    /// Any other worker: deepens until told to stop, so that the table fills.
    fn help(&mut self, most: Option<u32>) {
        let deepest = most.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32 - 1);
        for depth in 1..=deepest {
            self.search_root(depth as i32, 1, &mut |_, _| {});
            if self.is_stopped() {
                break;
            }
        }
    }
}
