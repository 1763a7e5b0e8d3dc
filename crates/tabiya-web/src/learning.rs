//! The owner's games are looked through in the background, one after the other, and their mistakes become exercises.
//! Each game is kept when it is done, so that a server that was killed goes on with the next. Games that are played and
//! reviews that somebody waits for come first.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tabiya_learn::{LearnError, learn_from};
use tabiya_review::{ReviewSettings, Stop};
use tabiya_store::{GameId, Learner, Store, StoreError};

use crate::Pool;

/// So long it waits before each position while games want to think.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it looks for games that have ended meanwhile.
const LOOKS: Duration = Duration::from_secs(30);
/// After a trouble with the disk.
const PAUSE: Duration = Duration::from_secs(10);

/// The game that is looked through, and how many positions of how many are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct At {
    pub(crate) game: GameId,
    pub(crate) done: usize,
    pub(crate) of: usize,
}

pub(crate) struct Learning(Arc<Shared>);

struct Shared {
    store: Store,
    pool: Pool,
    /// Whether somebody waits for a review.
    is_reviewing: Box<dyn Fn() -> bool + Send + Sync>,
    settings: ReviewSettings,
    work: Mutex<Work>,
    bell: Condvar,
}

#[derive(Default)]
struct Work {
    /// Reviewed games that are looked through whether or not all are.
    wanted: VecDeque<GameId>,
    at: Option<At>,
    stop: Stop,
    has_worker: bool,
    closed: bool,
}

impl Learning {
    pub(crate) fn new(
        store: Store,
        pool: Pool,
        settings: ReviewSettings,
        is_reviewing: Box<dyn Fn() -> bool + Send + Sync>,
    ) -> Learning {
        let (work, bell) = (Mutex::default(), Condvar::new());
        let learning =
            Learning(Arc::new(Shared { store, pool, is_reviewing, settings, work, bell }));
        // It may have been at work when the server was closed.
        learning.wake();
        learning
    }

    /// Keeps whose games are looked through, and whether they are. May wait for a disk.
    pub(crate) fn set(&self, learner: &Learner) -> Result<(), StoreError> {
        self.0.store.keep_learner(learner)?;
        if !learner.goes_on {
            self.0.work.lock().stop.stop();
        }
        self.wake();
        Ok(())
    }

    /// Has a game looked through that was reviewed.
    pub(crate) fn look(&self, game: GameId) {
        self.0.work.lock().wanted.push_back(game);
        self.wake();
    }

    /// What is looked through just now.
    pub(crate) fn at(&self) -> Option<At> {
        self.0.work.lock().at
    }

    pub(crate) fn close(&self) {
        let mut work = self.0.work.lock();
        work.closed = true;
        work.stop.stop();
        drop(work);
        self.0.bell.notify_all();
    }

    fn wake(&self) {
        let mut work = self.0.work.lock();
        if !work.has_worker && !work.closed {
            let shared = Arc::clone(&self.0);
            let thread = thread::Builder::new().name("learner".to_owned());
            work.has_worker = thread.spawn(move || shared.go_on()).is_ok();
        }
        drop(work);
        self.0.bell.notify_all();
    }
}

impl Drop for Learning {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn go_on(&self) {
        while !self.work.lock().closed {
            match self.next() {
                Ok(Some((game, learner))) => self.learn(game, &learner),
                Ok(None) => self.wait(LOOKS),
                Err(error) => {
                    tracing::warn!("games cannot be looked through: {error}");
                    self.wait(PAUSE);
                }
            }
        }
    }

    fn wait(&self, time: Duration) {
        let mut work = self.work.lock();
        if !work.closed && work.wanted.is_empty() {
            self.bell.wait_for(&mut work, time);
        }
    }

    /// The next game: one that is wanted, or any if all are looked through.
    fn next(&self) -> Result<Option<(GameId, Learner)>, StoreError> {
        let learner = self.store.learner()?;
        if let Some(wanted) = self.work.lock().wanted.pop_front() {
            return Ok(Some((wanted, learner)));
        }
        if !learner.goes_on {
            return Ok(None);
        }
        let (games, _) = self.store.games_to_learn(1)?;
        Ok(games.first().map(|&game| (game, learner)))
    }

    fn learn(&self, game: GameId, learner: &Learner) {
        let stop = Stop::default();
        {
            let mut work = self.work.lock();
            if work.closed {
                return;
            }
            work.stop = stop.clone();
            work.at = Some(At { game, done: 0, of: 0 });
        }
        // Stopped after this game was chosen, and before it could be heard.
        if !self.store.learner().is_ok_and(|now| now.goes_on == learner.goes_on) {
            self.work.lock().at = None;
            return;
        }
        let mut progress = |done, of| {
            self.work.lock().at = Some(At { game, done, of });
            self.give_way(&stop);
        };
        // A game that fails takes nothing with it.
        let result = catch_unwind(AssertUnwindSafe(|| {
            learn_from(&self.store, game, &learner.names, &self.settings, &mut progress, &stop)
        }));
        self.work.lock().at = None;
        match result {
            Ok(Ok(_) | Err(LearnError::Stopped(_))) => {}
            Ok(Err(LearnError::Store(StoreError::NoGame(_)))) => {}
            Ok(Err(LearnError::Store(error @ StoreError::BadGame { .. }))) => {
                tracing::warn!("{error}");
                self.pass_over(game);
            }
            Ok(Err(LearnError::Store(error))) => {
                tracing::warn!("what a game teaches could not be kept: {error}");
                self.wait(PAUSE);
            }
            Err(_) => {
                tracing::error!("game {game} could not be looked through");
                self.pass_over(game);
            }
        }
    }

    /// A game that cannot be read holds up no other.
    fn pass_over(&self, game: GameId) {
        if let Err(error) = self.store.pass_over(game) {
            tracing::warn!("{error}");
            self.wait(PAUSE);
        }
    }

    /// Games come first, and reviews that somebody waits for.
    fn give_way(&self, stop: &Stop) {
        let begun = Instant::now();
        let is_busy = || (self.is_reviewing)() || self.pool.is_busy() && begun.elapsed() < PATIENCE;
        while is_busy() && !stop.is_stopped() {
            thread::sleep(Duration::from_millis(20));
        }
    }
}
