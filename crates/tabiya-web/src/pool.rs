use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use parking_lot::{Condvar, Mutex, MutexGuard};
use tabiya_play::{Executor, ThinkingTask};

/// What a search needs.
const STACK: usize = 16 << 20;

/// A few threads for the thinking of all games. Games take turns: one that asks for much waits for
/// itself, not the others for it.
///
/// ```
/// use std::sync::mpsc;
/// use tabiya_web::Pool;
///
/// let pool = Pool::new(2);
/// let (sender, receiver) = mpsc::channel();
/// pool.submit(7, Box::new(move || sender.send("done").unwrap()));
/// assert_eq!(receiver.recv(), Ok("done"));
/// ```
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    queues: Mutex<Queues>,
    work: Condvar,
}

#[derive(Default)]
struct Queues {
    /// What each game waits for. Games that wait for nothing are not here.
    jobs: HashMap<u64, VecDeque<ThinkingTask>>,
    /// The games that wait, each once, the next one first.
    turns: VecDeque<u64>,
    closed: bool,
}

impl Pool {
    /// So many threads.
    pub fn new(threads: usize) -> Pool {
        let shared = Arc::new(Shared { queues: Mutex::default(), work: Condvar::new() });
        for _ in 0..threads.max(1) {
            let shared = Arc::clone(&shared);
            let run = move || {
                while let Some(job) = shared.next() {
                    // A thought that fails takes nothing with it; its game waits until somebody asks again.
                    let _ = catch_unwind(AssertUnwindSafe(job));
                }
            };
            // With fewer threads than wished for, things only take longer.
            let _ = thread::Builder::new().name("thinker".to_owned()).stack_size(STACK).spawn(run);
        }
        Pool(shared)
    }

    /// As many threads as the machine has, one left for everything else.
    pub fn fitting() -> Pool {
        Pool::new(thread::available_parallelism().map_or(1, usize::from).saturating_sub(1))
    }

    /// Does a job for a game when its turn comes.
    pub fn submit(&self, game: u64, job: ThinkingTask) {
        let mut queues = self.0.lock();
        let waiting = queues.jobs.entry(game).or_default();
        let first = waiting.is_empty();
        waiting.push_back(job);
        if first {
            queues.turns.push_back(game);
        }
        drop(queues);
        self.0.work.notify_one();
    }

    /// The pool as a session sees it.
    pub(crate) fn executor(&self, game: u64) -> Executor {
        let pool = self.clone();
        Executor::new(move |job| pool.submit(game, job))
    }

    /// Whether a game waits for its turn.
    pub(crate) fn is_busy(&self) -> bool {
        !self.0.lock().turns.is_empty()
    }

    /// Lets the threads end when they have done what they are at.
    pub fn close(&self) {
        self.0.lock().closed = true;
        self.0.work.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock()
    }

    /// Waits for the next job; nothing when the pool is closed.
    fn next(&self) -> Option<ThinkingTask> {
        let mut queues = self.lock();
        loop {
            if queues.closed {
                return None;
            }
            if let Some(job) = queues.take() {
                return Some(job);
            }
            self.work.wait(&mut queues);
        }
    }
}

impl Queues {
    fn take(&mut self) -> Option<ThinkingTask> {
        let game = self.turns.pop_front()?;
        let waiting = self.jobs.get_mut(&game)?;
        let job = waiting.pop_front();
        match waiting.is_empty() {
            true => drop(self.jobs.remove(&game)),
            false => self.turns.push_back(game),
        }
        job
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn games_take_turns() {
        let mut queues = Queues::default();
        let (sender, order) = mpsc::channel();
        for (game, name) in [(1, "a"), (1, "b"), (1, "c"), (2, "x"), (3, "y"), (2, "z")] {
            let sender = sender.clone();
            let waiting = queues.jobs.entry(game).or_default();
            if waiting.is_empty() {
                queues.turns.push_back(game);
            }
            waiting.push_back(Box::new(move || sender.send(name).unwrap()));
        }
        while let Some(job) = queues.take() {
            job();
        }
        drop(sender);
        assert_eq!(order.iter().collect::<String>(), "axybzc");
        assert!(queues.jobs.is_empty());
    }

    #[test]
    fn a_job_that_fails_takes_nothing_with_it() {
        let pool = Pool::new(1);
        pool.submit(1, Box::new(|| panic!("as a test")));
        let (sender, receiver) = mpsc::channel();
        pool.submit(2, Box::new(move || sender.send(()).unwrap()));
        receiver.recv().unwrap();
    }
}
