//! Reviews in the background: one at a time, the others in a queue. What is done is kept in the store under the
//! fingerprint of the game, so that none is made twice.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use parking_lot::{Condvar, Mutex, MutexGuard};
use tabiya_pgn::Game;
use tabiya_review::{ReviewSettings, Stop, fingerprint, review};
use tabiya_store::Store;
use tokio::sync::watch;

use crate::error::ApiError;
use crate::{Pool, ServerLimits};

/// The longest game, in half-moves.
const LONGEST: usize = 600;
/// So many games of one client wait at most.
const PER_CLIENT: usize = 8;
/// How long a review waits before each position while games want to think.
const PATIENCE: Duration = Duration::from_secs(2);

/// How far a review has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// So many are to be done before it.
    Waiting(usize),
    /// So many positions of so many are done.
    Running(usize, usize),
    Done,
    /// The server was closed, or something went wrong; it can be asked for again.
    Abandoned,
}

pub(crate) struct Reviews(Arc<Shared>);

struct Shared {
    store: Store,
    pool: Pool,
    settings: ReviewSettings,
    most: usize,
    queue: Mutex<Queue>,
    work: Condvar,
    stopper: Stop,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Job>,
    /// Those that wait, and the one that is made.
    known: HashMap<String, Known>,
    has_worker: bool,
    closed: bool,
}

struct Job {
    key: String,
    game: Game,
}

struct Known {
    client: IpAddr,
    stage: watch::Sender<Stage>,
}

impl Reviews {
    pub(crate) fn new(store: Store, pool: Pool, limits: &ServerLimits) -> Reviews {
        let settings = ReviewSettings { nodes: limits.review_nodes, ..ReviewSettings::default() };
        Reviews(Arc::new(Shared {
            store,
            pool,
            settings,
            most: limits.reviews,
            queue: Mutex::default(),
            work: Condvar::new(),
            stopper: Stop::default(),
        }))
    }

    /// The key under which a game's review is found, made or not.
    pub(crate) fn key(&self, game: &Game) -> String {
        fingerprint(game, &self.0.settings)
    }

    /// Has a game reviewed, unless it is already, and gives the key. May wait for a disk.
    pub(crate) fn ask(&self, client: IpAddr, game: Game) -> Result<String, ApiError> {
        let refuse = |status, sentence: &str| Err(ApiError::new(status, sentence));
        if game.tree().main_line().count() > LONGEST {
            let sentence = "That game is too long to be reviewed here; `tabiya review` takes any.";
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, sentence);
        }
        let key = self.key(&game);
        let mut queue = self.0.lock();
        if queue.known.contains_key(&key) || self.0.store.load_review(&key)?.is_some() {
            return Ok(key);
        }
        if queue.closed || queue.waiting.len() >= self.0.most {
            let sentence = "Many games wait for a review; try again in a few minutes.";
            return refuse(StatusCode::SERVICE_UNAVAILABLE, sentence);
        }
        if queue.known.values().filter(|known| known.client == client).count() >= PER_CLIENT {
            let sentence = "You have asked for several reviews: wait until some are done.";
            return refuse(StatusCode::TOO_MANY_REQUESTS, sentence);
        }
        let stage = watch::Sender::new(Stage::Waiting(queue.known.len()));
        queue.known.insert(key.clone(), Known { client, stage });
        queue.waiting.push_back(Job { key: key.clone(), game });
        if !queue.has_worker {
            let shared = Arc::clone(&self.0);
            let thread = thread::Builder::new().name("reviewer".to_owned());
            queue.has_worker = thread.spawn(move || shared.work()).is_ok();
        }
        self.0.work.notify_one();
        Ok(key)
    }

    /// How far a review has come that is not done yet.
    pub(crate) fn watch(&self, key: &str) -> Option<watch::Receiver<Stage>> {
        Some(self.0.lock().known.get(key)?.stage.subscribe())
    }

    /// Ends the work; what was under way can be asked for again.
    pub(crate) fn close(&self) {
        self.0.lock().closed = true;
        self.0.stopper.stop();
        self.0.work.notify_all();
    }
}

impl Drop for Reviews {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock()
    }

    /// The one thread that reviews.
    fn work(&self) {
        while let Some(Job { key, game }) = self.next() {
            // A review that fails takes nothing with it.
            let done = catch_unwind(AssertUnwindSafe(|| self.review(&key, game))).unwrap_or(false);
            let known = self.lock().known.remove(&key);
            if let Some(known) = known {
                known.stage.send_replace(if done { Stage::Done } else { Stage::Abandoned });
            }
        }
    }

    /// Waits for a game; nothing when the server closes.
    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(job) = queue.waiting.pop_front() {
                for (place, job) in queue.waiting.iter().enumerate() {
                    if let Some(known) = queue.known.get(&job.key) {
                        known.stage.send_replace(Stage::Waiting(place + 1));
                    }
                }
                return Some(job);
            }
            self.work.wait(&mut queue);
        }
    }

    /// Reviews a game and keeps the review. Whether that was done.
    fn review(&self, key: &str, mut game: Game) -> bool {
        let tell = |stage| {
            if let Some(known) = self.lock().known.get(key) {
                known.stage.send_replace(stage);
            }
        };
        let mut progress = |done, of| {
            tell(Stage::Running(done, of));
            self.give_way();
        };
        let Ok(review) = review(&game, &self.settings, &mut progress, &self.stopper) else {
            return false;
        };
        review.annotate(&mut game);
        self.store.keep_review(key, &game.to_string()).is_ok()
    }

    /// Games come first.
    fn give_way(&self) {
        let begun = Instant::now();
        while self.pool.is_busy() && begun.elapsed() < PATIENCE && !self.stopper.is_stopped() {
            thread::sleep(Duration::from_millis(20));
        }
    }
}
