//! Whoever works jobs off: threads that take them, and one that says that they live.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tabiya_base::{Stop, excerpt_of};

use crate::{About, Held, Job, Queue, QueueError};

/// How long a thread sleeps before it asks again, if nobody tells it of a job.
const POLL: Duration = Duration::from_millis(500);
/// How long a queue is left alone that cannot be reached.
const PAUSE: Duration = Duration::from_secs(1);
/// So long somebody who is to end tries to hand in what is done.
const FAREWELL: Duration = Duration::from_secs(10);
/// The longest error that is told.
const ERROR: usize = 500;

/// What can be done with jobs.
pub trait Handler: Sync {
    /// The kinds of jobs that can be worked on.
    fn kinds(&self) -> Vec<String>;

    /// Works on a job, and tells how much of its cost is done. Nothing if it was stopped; an error if it cannot be done.
    fn handle(
        &self,
        job: &Job,
        progress: &(dyn Fn(u64) + Sync),
        stop: &Stop,
    ) -> Option<Result<String, String>>;
}

/// Where a worker has its jobs from: the queue itself, or somebody who stands before it.
pub trait JobSource: Sync {
    /// Hands out a job, if there is one.
    fn claim(
        &self,
        worker: &str,
        kinds: &[&str],
        lease: Duration,
    ) -> Result<Option<Job>, QueueError>;
    /// As [`Queue::beat`].
    fn beat(&self, about: &About, held: &[Held], lease: Duration) -> Result<Vec<i64>, QueueError>;
    /// As [`Queue::finish`].
    fn finish(&self, job: &Job, result: &str) -> Result<(), QueueError>;
    /// As [`Queue::fail`].
    fn fail(&self, job: &Job, error: &str) -> Result<(), QueueError>;
    /// As [`Queue::release`].
    fn release(&self, job: &Job) -> Result<(), QueueError>;
    /// As [`Queue::leave`].
    fn leave(&self, worker: &str) -> Result<(), QueueError>;
    /// As [`Queue::wait_for_jobs`].
    fn wait(&self, longest: Duration);
}

impl JobSource for Queue {
    fn claim(
        &self,
        worker: &str,
        kinds: &[&str],
        lease: Duration,
    ) -> Result<Option<Job>, QueueError> {
        Ok(Queue::claim(self, worker, kinds, 1, lease)?.pop())
    }

    fn beat(&self, about: &About, held: &[Held], lease: Duration) -> Result<Vec<i64>, QueueError> {
        Queue::beat(self, about, held, lease)
    }

    fn finish(&self, job: &Job, result: &str) -> Result<(), QueueError> {
        Queue::finish(self, job.id, result).map(drop)
    }

    fn fail(&self, job: &Job, error: &str) -> Result<(), QueueError> {
        Queue::fail(self, job.id, job.lease, error)
    }

    fn release(&self, job: &Job) -> Result<(), QueueError> {
        Queue::release(self, job.id, job.lease)
    }

    fn leave(&self, worker: &str) -> Result<(), QueueError> {
        Queue::leave(self, worker)
    }

    fn wait(&self, longest: Duration) {
        self.wait_for_jobs(longest);
    }
}

/// A worker: so many threads, each with a job at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Worker {
    /// Its name, which no other worker has.
    pub name: String,
    /// What it says of itself.
    pub about: String,
    /// How many jobs at a time.
    pub threads: NonZeroUsize,
    /// If it is not heard of for so long, others are given its jobs.
    pub lease: Duration,
}

/// What a worker tells whoever runs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A job is done.
    Done(Job),
    /// A job has failed; it may be tried again, here or elsewhere.
    Failed(Job, String),
    /// The queue cannot be reached; it is tried again.
    Away(QueueError),
    /// The queue is there again.
    Back,
}

impl Worker {
    /// How long a lease is unless somebody wants another.
    pub const LEASE: Duration = Duration::from_secs(30);

    /// Works until it is stopped, or the queue refuses. What it has then goes back unfinished. A job that panics has
    /// failed, and takes nothing with it.
    pub fn run(
        &self,
        source: &dyn JobSource,
        handler: &dyn Handler,
        stop: &Stop,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<(), QueueError> {
        let kinds = handler.kinds();
        let shift = Shift {
            worker: self,
            source,
            handler,
            kinds: kinds.iter().map(String::as_str).collect(),
            stop: stop.clone(),
            tell,
            hands: Mutex::default(),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            trouble: Mutex::new(None),
            is_away: Mutex::new(false),
        };
        // The heart beats until the last thread has put away what it had.
        let rest = Stop::default();
        thread::scope(|scope| {
            let heart = scope.spawn(|| shift.beat(&rest));
            let hands: Vec<_> =
                (0..self.threads.get()).map(|_| scope.spawn(|| shift.work())).collect();
            for hand in hands {
                // A panic of our own is not to be hidden.
                if let Err(panic) = hand.join() {
                    rest.stop();
                    std::panic::resume_unwind(panic);
                }
            }
            rest.stop();
            let _ = heart.join();
        });
        let _ = source.leave(&self.name);
        shift.trouble.into_inner().map_or(Ok(()), Err)
    }
}

/// A worker at work.
struct Shift<'a> {
    worker: &'a Worker,
    source: &'a dyn JobSource,
    handler: &'a dyn Handler,
    kinds: Vec<&'a str>,
    stop: Stop,
    tell: &'a (dyn Fn(Event) + Sync),
    /// The jobs that are worked on.
    hands: Mutex<HashMap<i64, Hand>>,
    done: AtomicU64,
    failed: AtomicU64,
    /// Why it ended.
    trouble: Mutex<Option<QueueError>>,
    is_away: Mutex<bool>,
}

struct Hand {
    lease: i64,
    progress: u64,
    stop: Stop,
}

impl Shift<'_> {
    /// Hears what the queue says: nothing if it cannot be reached, or has refused, which ends everything.
    fn hear<T>(&self, answer: Result<T, QueueError>) -> Option<T> {
        let mut is_away = self.is_away.lock();
        match answer {
            Ok(answer) => {
                if std::mem::take(&mut *is_away) {
                    (self.tell)(Event::Back);
                }
                Some(answer)
            }
            Err(error) if error.is_unreachable() => {
                if !std::mem::replace(&mut *is_away, true) {
                    (self.tell)(Event::Away(error));
                }
                None
            }
            Err(error) => {
                self.trouble.lock().get_or_insert(error);
                self.end();
                None
            }
        }
    }

    fn end(&self) {
        self.stop.stop();
        self.hands.lock().values().for_each(|hand| hand.stop.stop());
    }

    /// One thread.
    fn work(&self) {
        while !self.stop.is_stopped() {
            let answer = self.source.claim(&self.worker.name, &self.kinds, self.worker.lease);
            let is_away = answer.is_err();
            match self.hear(answer).flatten() {
                Some(job) => self.take(&job),
                None if is_away => self.stop.wait_for(PAUSE),
                None => self.source.wait(POLL),
            }
        }
    }

    fn take(&self, job: &Job) {
        let stop = Stop::default();
        let hand = Hand { lease: job.lease, progress: 0, stop: stop.clone() };
        self.hands.lock().insert(job.id, hand);
        if self.stop.is_stopped() {
            stop.stop();
        }
        let progress = |done: u64| {
            if let Some(hand) = self.hands.lock().get_mut(&job.id) {
                hand.progress = done;
            }
        };
        let made = catch_unwind(AssertUnwindSafe(|| self.handler.handle(job, &progress, &stop)));
        let result = made.unwrap_or_else(|panic| Some(Err(words(panic.as_ref()))));
        match result {
            Some(Ok(result)) => {
                let mut differs = None;
                let finished = self.deliver(&mut || match self.source.finish(job, &result) {
                    // Somebody is wrong, here or there: people have to look, others go on.
                    Err(error @ QueueError::Differs { .. }) => {
                        differs = Some(error.to_string());
                        Ok(())
                    }
                    answer => answer,
                });
                if let Some(error) = differs {
                    self.failed.fetch_add(1, Ordering::Relaxed);
                    (self.tell)(Event::Failed(job.clone(), error));
                } else if finished {
                    self.done.fetch_add(1, Ordering::Relaxed);
                    (self.tell)(Event::Done(job.clone()));
                }
            }
            Some(Err(error)) => {
                let error = excerpt_of(&error, ERROR);
                self.deliver(&mut || self.source.fail(job, &error));
                self.failed.fetch_add(1, Ordering::Relaxed);
                (self.tell)(Event::Failed(job.clone(), error));
            }
            // Called off, lost, or the end.
            None => {
                self.deliver(&mut || self.source.release(job));
            }
        }
        self.hands.lock().remove(&job.id);
    }

    /// Says what became of a job: again and again while the queue cannot be reached, for the work is worth it. Whether it
    /// was heard.
    fn deliver(&self, say: &mut dyn FnMut() -> Result<(), QueueError>) -> bool {
        let mut farewell = None;
        loop {
            let answer = say();
            let is_away = answer.as_ref().is_err_and(QueueError::is_unreachable);
            if self.hear(answer).is_some() {
                return true;
            }
            if self.stop.is_stopped() {
                let since = *farewell.get_or_insert_with(Instant::now);
                if !is_away || since.elapsed() > FAREWELL {
                    return false;
                }
                thread::sleep(POLL);
            } else {
                self.stop.wait_for(PAUSE);
            }
        }
    }

    /// The thread that says that the worker lives, three times in a lease, and hears what is no longer wanted.
    fn beat(&self, rest: &Stop) {
        let pause = (self.worker.lease / 3).max(Duration::from_millis(10));
        loop {
            let held: Vec<Held> = {
                let hands = self.hands.lock();
                let held = hands.iter();
                held.map(|(&id, hand)| Held { id, lease: hand.lease, progress: hand.progress })
                    .collect()
            };
            let about = About {
                name: self.worker.name.clone(),
                about: self.worker.about.clone(),
                done: self.done.load(Ordering::Relaxed),
                failed: self.failed.load(Ordering::Relaxed),
            };
            let answer = self.source.beat(&about, &held, self.worker.lease);
            if let Some(still) = self.hear(answer) {
                let hands = self.hands.lock();
                for held in held.iter().filter(|held| !still.contains(&held.id)) {
                    if let Some(hand) = hands.get(&held.id).filter(|hand| hand.lease == held.lease)
                    {
                        hand.stop.stop();
                    }
                }
            }
            let until = Instant::now() + pause;
            while Instant::now() < until {
                if rest.is_stopped() {
                    return;
                }
                if self.stop.is_stopped() {
                    self.end();
                }
                rest.wait_for(Duration::from_millis(100).min(pause));
            }
        }
    }
}

/// What a panic says.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("it panicked: {}", text.unwrap_or_default())
}
