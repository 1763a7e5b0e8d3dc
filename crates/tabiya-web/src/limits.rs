use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How much a client may ask of the server.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// The longest request, in bytes.
    pub body: usize,
    /// The longest text of games that is brought in at a time, in bytes.
    pub import: usize,
    /// Requests a second, in the long run.
    pub rate: f64,
    /// Requests at once.
    pub burst: f64,
    /// Games that one client has under way.
    pub games_per_client: usize,
    /// Pages that are told of moves at the same time, all clients together.
    pub streams: usize,
    /// Of these, for one client at another machine.
    pub streams_per_guest: usize,
    /// Games that one client at another machine has under way.
    pub games_per_guest: usize,
    /// Puzzles that one client at another machine may have made or solved in a row; then one in ten seconds.
    pub thoughts_per_guest: f64,
    /// Passwords that one client may try in a row; then one in ten seconds.
    pub tries: f64,
    /// How long a computer may think about a move.
    pub thinking: Duration,
    /// Studies that one client may begin while the server is open.
    pub studies_per_client: usize,
    /// Boards of studies that the engine thinks about at the same time, all clients together.
    pub searches: usize,
    /// Games that wait for a review, all clients together.
    pub reviews: usize,
    /// How many positions the engine looks at for each position of a game that is reviewed.
    pub review_nodes: u64,
    /// Lines that are open at the same time, all clients together.
    pub lines: usize,
    /// How long a client may take to say what it wants; then its line is needed for others.
    pub patience: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            body: 1 << 20,
            import: 4 << 20,
            rate: 50.0,
            burst: 400.0,
            games_per_client: 200,
            streams: 4000,
            streams_per_guest: 100,
            games_per_guest: 20,
            thoughts_per_guest: 5.0,
            tries: 5.0,
            thinking: Duration::from_secs(60),
            studies_per_client: 500,
            searches: std::thread::available_parallelism()
                .map_or(2, |cores| cores.get().max(4) / 2),
            reviews: 32,
            review_nodes: 100_000,
            lines: 10_000,
            patience: Duration::from_secs(30),
        }
    }
}

/// Counts what clients ask for.
pub(crate) struct Rates {
    requests: Buckets,
    /// What costs the server much.
    thoughts: Buckets,
    /// Passwords that were wrong.
    tries: Buckets,
    streams: Arc<Semaphore>,
    per_guest: usize,
    guests: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
}

/// One for each client.
struct Buckets {
    rate: f64,
    burst: f64,
    all: Mutex<HashMap<IpAddr, Bucket>>,
}

/// Fills as time goes by, and gives one for each request.
struct Bucket {
    left: f64,
    at: Instant,
}

impl Buckets {
    fn new(rate: f64, burst: f64) -> Buckets {
        Buckets { rate, burst, all: Mutex::default() }
    }

    fn admit(&self, client: IpAddr) -> bool {
        let now = Instant::now();
        let mut all = self.all.lock();
        let bucket = all.entry(client).or_insert(Bucket { left: self.burst, at: now });
        bucket.left = self.filled(bucket, now);
        bucket.at = now;
        let admitted = bucket.left >= 1.0;
        if admitted {
            bucket.left -= 1.0;
        }
        admitted
    }

    fn filled(&self, bucket: &Bucket, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        (bucket.left + passed * self.rate).min(self.burst)
    }

    /// Forgets clients who have been quiet.
    fn forget(&self) {
        let now = Instant::now();
        self.all.lock().retain(|_, bucket| self.filled(bucket, now) < self.burst);
    }
}

/// A place among those who are told of moves.
pub(crate) struct StreamPermit {
    _all: OwnedSemaphorePermit,
    _own: Option<OwnedSemaphorePermit>,
}

impl Rates {
    pub(crate) fn new(limits: &ServerLimits) -> Rates {
        Rates {
            requests: Buckets::new(limits.rate, limits.burst),
            thoughts: Buckets::new(0.1, limits.thoughts_per_guest),
            tries: Buckets::new(0.1, limits.tries),
            streams: Arc::new(Semaphore::new(limits.streams)),
            per_guest: limits.streams_per_guest,
            guests: Mutex::default(),
        }
    }

    /// Whether a client may ask now.
    pub(crate) fn admit(&self, client: IpAddr) -> bool {
        self.requests.admit(client)
    }

    /// Whether a client at another machine may have something worked out now.
    pub(crate) fn may_think(&self, client: IpAddr) -> bool {
        self.thoughts.admit(client)
    }

    /// Whether a client may try a password now.
    pub(crate) fn may_try(&self, client: IpAddr) -> bool {
        self.tries.admit(client)
    }

    /// Forgets clients who have been quiet.
    pub(crate) fn forget(&self) {
        for buckets in [&self.requests, &self.thoughts, &self.tries] {
            buckets.forget();
        }
        self.guests.lock().retain(|_, own| own.available_permits() < self.per_guest);
    }

    /// A place for one more page that is told of moves.
    pub(crate) fn stream(&self, client: IpAddr, local: bool) -> Option<StreamPermit> {
        let own = match local {
            true => None,
            false => {
                let mut guests = self.guests.lock();
                let own = guests.entry(client);
                let own = own.or_insert_with(|| Arc::new(Semaphore::new(self.per_guest)));
                Some(Arc::clone(own).try_acquire_owned().ok()?)
            }
        };
        let all = Arc::clone(&self.streams).try_acquire_owned().ok()?;
        Some(StreamPermit { _all: all, _own: own })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_too_much_is_refused_alone() {
        let rates = Rates::new(&ServerLimits { rate: 0.0, burst: 3.0, ..ServerLimits::default() });
        let [greedy, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        assert_eq!([0; 5].map(|_| rates.admit(greedy)), [true, true, true, false, false]);
        assert!(rates.admit(other));
    }

    #[test]
    fn buckets_fill_again_and_are_forgotten() {
        let rates = Rates::new(&ServerLimits { rate: 1e9, burst: 1.0, ..ServerLimits::default() });
        let client = IpAddr::from([10, 0, 0, 1]);
        assert!(rates.admit(client));
        std::thread::sleep(Duration::from_millis(1));
        assert!(rates.admit(client));
        std::thread::sleep(Duration::from_millis(1));
        rates.forget();
        assert!(rates.requests.all.lock().is_empty());
    }

    #[test]
    fn a_guest_cannot_take_all_places() {
        let rates = Rates::new(&ServerLimits {
            streams: 3,
            streams_per_guest: 1,
            ..ServerLimits::default()
        });
        let [greedy, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let first = rates.stream(greedy, false);
        assert!(first.is_some() && rates.stream(greedy, false).is_none());
        let at_home = [rates.stream(other, true), rates.stream(other, true)];
        assert!(at_home.iter().all(Option::is_some) && rates.stream(other, false).is_none());
        drop(first);
        assert!(rates.stream(greedy, false).is_some());
        rates.forget();
        assert!(rates.guests.lock().is_empty());
    }
}
