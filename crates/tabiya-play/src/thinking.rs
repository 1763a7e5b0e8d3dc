use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::Opinion;

/// A piece of work for another thread.
pub type Job = Box<dyn FnOnce() + Send>;

/// What runs the thinking of computers. A house with many games passes one that keeps a few threads
/// busy in turn; they need a stack of 16 MB.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use tabiya_play::Executor;
///
/// let queue = Arc::new(Mutex::new(Vec::new()));
/// let in_turn = {
///     let queue = Arc::clone(&queue);
///     Executor::new(move |job| queue.lock().unwrap().push(job))
/// };
/// # drop(in_turn);
/// ```
#[derive(Clone)]
pub struct Executor(Arc<dyn Fn(Job) + Send + Sync>);

impl Executor {
    /// One that hands each job to a function.
    ///
    /// ```
    /// # use tabiya_play::Executor;
    /// let executor = Executor::new(|job| job());
    /// # drop(executor);
    /// ```
    pub fn new(run: impl Fn(Job) + Send + Sync + 'static) -> Executor {
        Executor(Arc::new(run))
    }

    /// One that starts a thread for each job.
    ///
    /// ```
    /// # use tabiya_play::Executor;
    /// let executor = Executor::threads();
    /// # drop(executor);
    /// ```
    pub fn threads() -> Executor {
        Executor::new(|job| {
            // Should there be no more threads, the job is lost; the caller hears nothing and may ask again.
            let _ = thread::Builder::new().stack_size(16 << 20).spawn(job);
        })
    }

    /// One that does the work at once, on the caller's thread: for tests.
    ///
    /// ```
    /// # use tabiya_play::Executor;
    /// let executor = Executor::here();
    /// # drop(executor);
    /// ```
    pub fn here() -> Executor {
        Executor::new(|job| job())
    }

    pub(crate) fn run(&self, job: Job) {
        (self.0)(job);
    }
}

impl Default for Executor {
    fn default() -> Executor {
        Executor::threads()
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Executor")
    }
}

/// Asks work to end early.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    wanted: AtomicBool,
    abandoned: AtomicBool,
    /// Called when it is wanted.
    hooks: Mutex<Vec<Box<dyn Fn() + Send>>>,
}

impl Stop {
    pub(crate) fn stop(&self) {
        self.0.wanted.store(true, Ordering::Relaxed);
        let hooks = self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        hooks.iter().for_each(|hook| hook());
    }

    /// Nobody wants to hear of the work any more. If it has not begun, it need not.
    pub(crate) fn abandon(&self) {
        self.0.abandoned.store(true, Ordering::Relaxed);
        self.stop();
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.0.abandoned.load(Ordering::Relaxed)
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.wanted.load(Ordering::Relaxed)
    }

    /// Calls a function when the work shall end, at once if it shall already.
    pub(crate) fn then(&self, hook: impl Fn() + Send + 'static) {
        let mut hooks = self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_wanted() {
            hook();
        }
        hooks.push(Box::new(hook));
    }
}

/// What somebody is asked to think about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The move of the player whose turn it is.
    Move,
    /// A move to point out.
    Hint,
    /// What the position is worth.
    Opinion,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Thought {
    /// The move.
    pub(crate) code: Option<String>,
    /// What the position is worth, from White's side.
    pub(crate) opinion: Option<Opinion>,
    /// What the thinker calls itself.
    pub(crate) name: Option<String>,
}

/// Thinking to be done on another thread. An error is a sentence.
pub(crate) type Work = Box<dyn FnOnce(&Stop) -> Result<Thought, String> + Send>;
