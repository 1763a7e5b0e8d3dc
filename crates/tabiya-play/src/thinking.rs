use std::fmt;
use std::sync::Arc;
use std::thread;

use tabiya_base::Stop;

use crate::EvaluationView;

/// A piece of work for another thread.
pub type ThinkingTask = Box<dyn FnOnce() + Send>;

/// What runs the thinking of computers. A server with many games passes one that keeps a few threads
/// busy in turn; they need a stack of 16 MB.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use tabiya_play::{Executor, GameController, GameSetup, Past, Session, SessionDeps, Start};
///
/// let queue = Arc::new(Mutex::new(Vec::new()));
/// let in_turn = {
///     let queue = Arc::clone(&queue);
///     Executor::new(move |job| queue.lock().unwrap().push(job))
/// };
/// let mut setup = GameSetup::new(Start::standard());
/// setup.players[0] = "random".parse()?;
/// let deps = SessionDeps { executor: in_turn, ..SessionDeps::default() };
/// let mut game = Session::restore(setup, &Past::default(), deps)?;
/// let thinking = queue.lock().unwrap().pop().unwrap();
/// thinking();
/// assert!(game.poll() && game.view().moves.len() == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Executor(Arc<dyn Fn(ThinkingTask) + Send + Sync>);

impl Executor {
    /// One that hands each job to a function.
    pub fn new(run: impl Fn(ThinkingTask) + Send + Sync + 'static) -> Executor {
        Executor(Arc::new(run))
    }

    /// One that starts a thread for each job.
    pub fn threads() -> Executor {
        Executor::new(|job| {
            // Should there be no more threads, the job is lost; the caller hears nothing and may ask again.
            let _ = thread::Builder::new().stack_size(16 << 20).spawn(job);
        })
    }

    /// One that does the work at once, on the caller's thread: for tests.
    pub fn here() -> Executor {
        Executor::new(|job| job())
    }

    pub(crate) fn run(&self, job: ThinkingTask) {
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

/// What somebody is asked to think about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The move of the player whose turn it is.
    Move,
    /// A move to point out.
    Hint,
    /// What the position is worth.
    Evaluation,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Thought {
    /// The move.
    pub(crate) uci: Option<String>,
    /// What the position is worth, from White's side.
    pub(crate) evaluation: Option<EvaluationView>,
    /// What the thinker calls itself.
    pub(crate) name: Option<String>,
    /// How many positions it looked at.
    pub(crate) nodes: u64,
    /// What it keeps in memory, in words.
    pub(crate) memory: Option<String>,
}

/// Thinking to be done on another thread. An error is a sentence.
pub(crate) type Work = Box<dyn FnOnce(&Stop) -> Result<Thought, String> + Send>;
