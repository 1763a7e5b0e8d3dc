//! Reviews in the background: one at a time, the others in a queue. What is done is kept in the store under the
//! fingerprint of the game, so that none is made twice. A deeper look takes the place of the review it began with; until
//! it is done, or if it is called off, that one stays.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use parking_lot::{Condvar, Mutex, MutexGuard};
use tabiya_pgn::Game;
use tabiya_review::{Review, ReviewSettings, Stop, Tables, deepen, fingerprint, review};
use tabiya_store::Store;
use tokio::sync::watch;

use crate::client::Client;
use crate::error::ApiError;
use crate::{Pool, ServerLimits};

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

/// For whoever asks for a review that nobody has made.
pub(crate) fn none() -> ApiError {
    ApiError::not_found("There is no such review; ask for it again.")
}

pub(crate) struct Reviews(Arc<Shared>);

struct Shared {
    store: Store,
    pool: Pool,
    settings: ReviewSettings,
    most: usize,
    queue: Mutex<Queue>,
    work: Condvar,
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
    task: Task,
    stop: Stop,
}

/// What is to be done with a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Review,
    /// To look deeper at a half-move of a game that has a review in it, or at all.
    Deepen(Option<usize>),
}

struct Known {
    client: Client,
    stage: watch::Sender<Stage>,
    task: Task,
    stop: Stop,
}

impl Reviews {
    pub(crate) fn new(
        store: Store,
        pool: Pool,
        limits: &ServerLimits,
        tables: Option<Arc<Tables>>,
    ) -> Reviews {
        let nodes = limits.review_nodes;
        let settings = ReviewSettings { nodes, tables, ..ReviewSettings::default() };
        Reviews(Arc::new(Shared {
            store,
            pool,
            settings,
            most: limits.reviews,
            queue: Mutex::default(),
            work: Condvar::new(),
        }))
    }

    /// How games are reviewed here.
    pub(crate) fn settings(&self) -> &ReviewSettings {
        &self.0.settings
    }

    /// Tells, whenever it is asked, whether somebody waits for a review.
    pub(crate) fn is_busy(&self) -> Box<dyn Fn() -> bool + Send + Sync> {
        let shared = Arc::clone(&self.0);
        Box::new(move || !shared.lock().known.is_empty())
    }

    /// The key under which a game's review is found, made or not.
    pub(crate) fn key(&self, game: &Game) -> String {
        fingerprint(game, &self.0.settings)
    }

    /// Has a game reviewed, unless it is already, and gives the key. May wait for a disk.
    pub(crate) fn ask(&self, client: Client, game: Game) -> Result<String, ApiError> {
        tabiya_api::reviewable(game.tree().main_line().count())?;
        let key = self.key(&game);
        let mut queue = self.0.lock();
        if queue.known.contains_key(&key) || self.0.store.load_review(&key)?.is_some() {
            return Ok(key);
        }
        self.0.enter(&mut queue, client, &key, game, Task::Review)?;
        drop(queue);
        Ok(key)
    }

    /// Has a review look deeper. May wait for a disk.
    pub(crate) fn deepen(
        &self,
        client: Client,
        key: &str,
        half_move: Option<usize>,
    ) -> Result<(), ApiError> {
        let mut queue = self.0.lock();
        if queue.known.contains_key(key) {
            let sentence = "This review is being made: wait until it is done.";
            return Err(ApiError::new(StatusCode::CONFLICT, sentence));
        }
        let record = self.0.store.load_review(key)?;
        let game: Game = record.and_then(|record| record.parse().ok()).ok_or_else(none)?;
        let review = Review::read(&game).ok_or_else(none)?;
        if half_move.is_some_and(|ply| !(1..=review.moves.len()).contains(&ply)) {
            return Err(ApiError::invalid("There is no such move in the review."));
        }
        if !review.can_deepen(half_move) {
            return Err(ApiError::invalid("This is as deep as a review goes."));
        }
        self.0.enter(&mut queue, client, key, game, Task::Deepen(half_move))
    }

    /// Calls off a deeper look; the review stays as it was.
    pub(crate) fn cancel(&self, key: &str) {
        let mut queue = self.0.lock();
        let is_deeper = |known: &&Known| matches!(known.task, Task::Deepen(_));
        if let Some(known) = queue.known.get(key).filter(is_deeper) {
            known.stop.stop();
            let count = queue.waiting.len();
            queue.waiting.retain(|job| job.key != key);
            if queue.waiting.len() < count
                && let Some(known) = queue.known.remove(key)
            {
                known.stage.send_replace(Stage::Done);
            }
        }
    }

    /// How far a review has come that is not done yet.
    pub(crate) fn watch(&self, key: &str) -> Option<watch::Receiver<Stage>> {
        Some(self.0.lock().known.get(key)?.stage.subscribe())
    }

    /// Ends the work; what was under way can be asked for again.
    pub(crate) fn close(&self) {
        let mut queue = self.0.lock();
        queue.closed = true;
        queue.known.values().for_each(|known| known.stop.stop());
        drop(queue);
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

    /// Puts a game into the queue, if there is room for it.
    fn enter(
        self: &Arc<Self>,
        queue: &mut Queue,
        client: Client,
        key: &str,
        game: Game,
        task: Task,
    ) -> Result<(), ApiError> {
        let refuse = |status, sentence: &str| Err(ApiError::new(status, sentence));
        if queue.closed || queue.waiting.len() >= self.most {
            let sentence = "Many games wait for a review; try again in a few minutes.";
            return refuse(StatusCode::SERVICE_UNAVAILABLE, sentence);
        }
        if queue.known.values().filter(|known| known.client == client).count() >= PER_CLIENT {
            let sentence = "You have asked for several reviews: wait until some are done.";
            return refuse(StatusCode::TOO_MANY_REQUESTS, sentence);
        }
        let stage = watch::Sender::new(Stage::Waiting(queue.known.len()));
        let stop = Stop::default();
        let job = Job { key: key.to_owned(), game, task, stop: stop.clone() };
        queue.known.insert(key.to_owned(), Known { client, stage, task, stop });
        queue.waiting.push_back(job);
        if !queue.has_worker {
            let shared = Arc::clone(self);
            let thread = thread::Builder::new().name("reviewer".to_owned());
            queue.has_worker = thread.spawn(move || shared.work()).is_ok();
        }
        self.work.notify_one();
        Ok(())
    }

    /// The one thread that reviews.
    fn work(&self) {
        while let Some(job) = self.next() {
            let (key, task) = (job.key.clone(), job.task);
            // A review that fails takes nothing with it.
            let done = catch_unwind(AssertUnwindSafe(|| self.review(job))).unwrap_or(false);
            let mut queue = self.lock();
            let known = queue.known.remove(&key);
            // One that was to be deepened is there as it was.
            let is_there = done || (task != Task::Review && !queue.closed);
            drop(queue);
            if let Some(known) = known {
                known.stage.send_replace(if is_there { Stage::Done } else { Stage::Abandoned });
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
    fn review(&self, Job { key, mut game, task, stop }: Job) -> bool {
        let mut progress = |done, of| {
            if let Some(known) = self.lock().known.get(&key) {
                known.stage.send_replace(Stage::Running(done, of));
            }
            self.give_way(&stop);
        };
        let made = match task {
            Task::Review => review(&game, &self.settings, &mut progress, &stop),
            Task::Deepen(ply) => deepen(&game, ply, &self.settings, &mut progress, &stop),
        };
        let Ok(review) = made else { return false };
        review.annotate(&mut game);
        self.store.keep_review(&key, &game.to_string()).is_ok()
    }

    /// Games come first.
    fn give_way(&self, stop: &Stop) {
        let begun = Instant::now();
        while self.pool.is_busy() && begun.elapsed() < PATIENCE && !stop.is_stopped() {
            thread::sleep(Duration::from_millis(20));
        }
    }
}
