//! Who may have an engine think: so many at once, the others in a queue, and nobody for ever.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tabiya_base::Stop;
use tabiya_players::Engines;
use tabiya_study::{Question, Report};
use tabiya_thinker::{ThinkError, ThinkErrorKind};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use crate::client::Client;

/// What a search needs.
const STACK: usize = 16 << 20;
/// So many wait for each one that thinks.
const QUEUE: usize = 8;
/// So many searches one client has under way or waiting.
const PER_CLIENT: usize = 6;
/// How long a search may go on while others wait.
pub(crate) const SLICE: Duration = Duration::from_secs(20);
/// How long it may go on otherwise.
pub(crate) const LONGEST: Duration = Duration::from_secs(240);

/// The places of those who have an engine think.
pub(crate) struct Searches {
    places: Arc<Semaphore>,
    most: usize,
    inside: Arc<Inside>,
}

#[derive(Default)]
struct Inside {
    waiting: AtomicUsize,
    thinking: AtomicUsize,
    clients: Mutex<HashMap<Client, usize>>,
}

impl Inside {
    fn clients(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.clients.lock()
    }
}

/// Somebody who waits or has a place; leaving gives both back.
pub(crate) struct Turn {
    inside: Arc<Inside>,
    places: Arc<Semaphore>,
    client: Client,
    place: Option<OwnedSemaphorePermit>,
}

impl Searches {
    pub(crate) fn new(most: usize) -> Searches {
        let places = Arc::new(Semaphore::new(most.max(1)));
        Searches { places, most: most.max(1), inside: Arc::default() }
    }

    /// Searches under way.
    pub(crate) fn thinking(&self) -> usize {
        self.inside.thinking.load(Ordering::Relaxed)
    }

    /// Stands in the queue, or is told in a sentence why not.
    pub(crate) fn enter(&self, client: Client) -> Result<Turn, &'static str> {
        if self.inside.waiting.load(Ordering::Relaxed) >= self.most * QUEUE {
            return Err("Too many boards ask the engine just now; try again in a while.");
        }
        let mut clients = self.inside.clients();
        let own = clients.entry(client).or_default();
        if *own >= PER_CLIENT {
            return Err("You have the engine think about many boards already; close some of them.");
        }
        *own += 1;
        drop(clients);
        self.inside.waiting.fetch_add(1, Ordering::Relaxed);
        let (inside, places) = (Arc::clone(&self.inside), Arc::clone(&self.places));
        Ok(Turn { inside, places, client, place: None })
    }
}

impl Turn {
    /// Whether there is a place at once.
    pub(crate) fn is_next(&mut self) -> bool {
        let place = Arc::clone(&self.places).try_acquire_owned().ok();
        place.map(|place| self.sit(place)).is_some()
    }

    /// Waits for a place; the first to come is the first to get one.
    pub(crate) async fn wait(&mut self) {
        if let Ok(place) = Arc::clone(&self.places).acquire_owned().await {
            self.sit(place);
        }
    }

    fn sit(&mut self, place: OwnedSemaphorePermit) {
        self.place = Some(place);
        self.inside.waiting.fetch_sub(1, Ordering::Relaxed);
        self.inside.thinking.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether others wait for the place.
    pub(crate) fn is_wanted(&self) -> bool {
        self.inside.waiting.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let count = if self.place.is_some() { &self.inside.thinking } else { &self.inside.waiting };
        count.fetch_sub(1, Ordering::Relaxed);
        let mut clients = self.inside.clients();
        if let Some(own) = clients.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                clients.remove(&self.client);
            }
        }
    }
}

/// A search that has begun: what it knows so far, and how it ended.
pub(crate) struct Thinking {
    pub(crate) reports: watch::Receiver<Report>,
    pub(crate) end: oneshot::Receiver<Result<(), ThinkError>>,
}

/// Has an engine think on a thread of its own.
pub(crate) fn think(
    engines: Arc<Engines>,
    engine: String,
    question: Question,
    stop: Stop,
) -> Thinking {
    let (sender, reports) = watch::channel(Report::default());
    let (ended, end) = oneshot::channel();
    let run = move || {
        let result = match engines.thinker(&engine) {
            Some(mut thinker) => question.ask(&mut thinker, &stop, |report| {
                sender.send_replace(report.clone());
            }),
            None => Err(ThinkError::new(ThinkErrorKind::Other, "there is no engine of that name")),
        };
        // The asker may have gone.
        let _ = ended.send(result);
    };
    // Without a thread the end is told at once: the sender is dropped.
    let _ = thread::Builder::new().name("analyst".to_owned()).stack_size(STACK).spawn(run);
    Thinking { reports, end }
}
