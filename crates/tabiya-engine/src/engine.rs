//! The engine as others see it: what can be set, and ways to start, stop and await a search.

use core::num::NonZero;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;
use tabiya_base::{Score, Stop};
use tabiya_chess::{Game, Position};
use tabiya_nnue::Network;
use tabiya_tables::Tables;
use tabiya_thinker::{Found, Info, Limits, ThinkError, Thinker};

use crate::Level;
use crate::evaluator::Evaluator;
use crate::search::{Control, ThreadState};
use crate::tables::Endgames;
use crate::task::Task;
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
    /// How many threads search together; never more than [`most_threads`].
    pub threads: usize,
    /// How many lines are followed and reported (multi-PV).
    pub multipv: usize,
    /// Time kept back on each move for the way to the board.
    pub move_overhead: Duration,
    /// How well to play; as well as possible if not given. A level decides by itself how many nodes,
    /// threads, lines and how much memory it needs.
    pub level: Option<Level>,
    /// A level plays the same game with the same seed, and another one with another.
    pub seed: u64,
    /// Tables of endings are asked for positions of so many men and fewer. See [`Engine::set_tables`].
    pub table_men: usize,
    /// Whether tables are to count a win that takes more than fifty moves without capture and pawn move as a draw.
    pub fifty_move_rule: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_megabytes: 16,
            threads: 1,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            level: None,
            seed: 0,
            table_men: 7,
            fifty_move_rule: true,
        }
    }
}

/// How many threads are of use: one for each core. More would share the cores and wait for each other, until the first,
/// which leads and looks at the clock, has its turn once in a second.
///
/// ```
/// assert!(tabiya_engine::most_threads() >= 1);
/// ```
pub fn most_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
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
    tables: Option<Arc<Tables>>,
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
pub struct SearchHandle {
    control: Arc<Control>,
    thread: Option<JoinHandle<Found>>,
}

impl Engine {
    /// A fresh engine.
    ///
    /// ```
    /// # use tabiya_engine::{Engine, Settings};
    /// let engine = Engine::new(Settings::default());
    /// assert_eq!(engine.settings().multipv, 1);
    /// ```
    pub fn new(settings: Settings) -> Engine {
        Engine {
            settings,
            network: Some(Network::built_in()),
            tables: None,
            table: Arc::new(TranspositionTable::new(settings.hash_megabytes)),
            thread_states: Arc::default(),
        }
    }

    /// What is set.
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

    /// Asks tables of endings from now on, or no longer. A level never asks: it is to play as people do.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tabiya_chess::Game;
    /// use tabiya_engine::{Engine, Limits, Score, Settings, Tables};
    /// use tabiya_tables::Maker;
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// Maker::new(folder.path()).make("KQK".parse().unwrap(), &mut |_| {})?;
    /// let mut engine = Engine::new(Settings::default());
    /// engine.set_tables(Some(Arc::new(Tables::open([folder.path()]))));
    /// let game = Game::from_position("8/8/8/4k3/8/8/8/K6Q w - - 0 1".parse().unwrap());
    /// let mut score = None;
    /// engine.think(&game, Limits { nodes: Some(1), ..Limits::default() }, |info| score = Some(info.score));
    /// assert_eq!(score, Some(Score::Mate(9)));
    /// # Ok::<(), tabiya_tables::TableError>(())
    /// ```
    pub fn set_tables(&mut self, tables: Option<Arc<Tables>>) {
        self.tables = tables;
        self.clear();
    }

    /// The tables that are asked.
    pub fn tables(&self) -> Option<&Arc<Tables>> {
        self.tables.as_ref()
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
    pub fn clear(&mut self) {
        self.table.clear();
        self.thread_states.lock().clear();
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
    ) -> SearchHandle {
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
    ) -> SearchHandle {
        let task = self.task(game, limits);
        let control = Arc::clone(&task.control);
        let run = move || {
            let found = task.run(on_info);
            on_found(found);
            found
        };
        let thread = thread::Builder::new().stack_size(16 << 20).spawn(run).ok();
        SearchHandle { control, thread }
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
            endgames: Endgames::new(self.tables.as_ref(), &self.settings),
            table: Arc::clone(&self.table),
            thread_states: Arc::clone(&self.thread_states),
            control,
            game: game.clone(),
            limits,
        };
        if let Some(multipv) = task.limits.multipv {
            task.settings.multipv = multipv;
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

impl SearchHandle {
    /// Ends the search soon; [`SearchHandle::wait`] then gives the best move so far.
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

    /// Whether [`SearchHandle::wait`] would return at once.
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

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
