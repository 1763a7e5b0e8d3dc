use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How much a client may ask of the house.
///
/// ```
/// use tabiya_web::Limits;
///
/// let strict = Limits { games_per_client: 2, ..Limits::default() };
/// # drop(strict);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
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
    /// How long a computer may think about a move.
    pub thinking: Duration,
    /// Studies that one client may begin while the house is open.
    pub studies_per_client: usize,
    /// Boards of studies that the engine thinks about at the same time, all clients together.
    pub searches: usize,
    /// Games that wait for a review, all clients together.
    pub reviews: usize,
    /// How many positions the engine looks at for each position of a game that is reviewed.
    pub review_nodes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 1 << 20,
            import: 4 << 20,
            rate: 50.0,
            burst: 400.0,
            games_per_client: 200,
            streams: 1000,
            thinking: Duration::from_secs(60),
            studies_per_client: 500,
            searches: std::thread::available_parallelism()
                .map_or(2, |cores| cores.get().max(4) / 2),
            reviews: 32,
            review_nodes: 100_000,
        }
    }
}

/// Counts what clients ask for.
pub(crate) struct Rates {
    rate: f64,
    burst: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
    streams: Arc<Semaphore>,
}

/// Fills as time goes by, and gives one for each request.
struct Bucket {
    left: f64,
    at: Instant,
}

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Rates {
        Rates {
            rate: limits.rate,
            burst: limits.burst,
            buckets: Mutex::default(),
            streams: Arc::new(Semaphore::new(limits.streams)),
        }
    }

    fn buckets(&self) -> MutexGuard<'_, HashMap<IpAddr, Bucket>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a client may ask now.
    pub(crate) fn admit(&self, client: IpAddr) -> bool {
        let now = Instant::now();
        let mut buckets = self.buckets();
        let bucket = buckets.entry(client).or_insert(Bucket { left: self.burst, at: now });
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
    pub(crate) fn forget(&self) {
        let now = Instant::now();
        self.buckets().retain(|_, bucket| self.filled(bucket, now) < self.burst);
    }

    /// A place for one more page that is told of moves.
    pub(crate) fn stream(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_too_much_is_refused_alone() {
        let rates = Rates::new(&Limits { rate: 0.0, burst: 3.0, ..Limits::default() });
        let [greedy, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        assert_eq!([0; 5].map(|_| rates.admit(greedy)), [true, true, true, false, false]);
        assert!(rates.admit(other));
    }

    #[test]
    fn buckets_fill_again_and_are_forgotten() {
        let rates = Rates::new(&Limits { rate: 1e9, burst: 1.0, ..Limits::default() });
        let client = IpAddr::from([10, 0, 0, 1]);
        assert!(rates.admit(client));
        std::thread::sleep(Duration::from_millis(1));
        assert!(rates.admit(client));
        std::thread::sleep(Duration::from_millis(1));
        rates.forget();
        assert!(rates.buckets().is_empty());
    }
}
