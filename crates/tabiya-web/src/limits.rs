use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::client::Client;
use crate::error::ApiError;

/// In seconds.
const DAY: f64 = 24.0 * 3600.0;

/// What a file of a page counts, where a request to the API counts one.
const FILE: f64 = 0.05;

/// How much a client may ask of the server.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// The longest request, in bytes, where nothing else is said.
    pub body: usize,
    /// The longest password, invitation or link that a stranger may send, in bytes.
    pub entry: usize,
    /// The longest study that is begun at once, and the longest step, in bytes.
    pub study: usize,
    /// The longest text of games that is brought in at a time, in bytes.
    pub import: usize,
    /// Requests to the API a second, in the long run. A page is made of some fifty files that cost
    /// next to nothing, so twenty of them count as one request.
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
    /// Games that one client at another machine may begin in a day.
    pub games_per_guest_a_day: u32,
    /// Studies that one client at another machine may begin in a day.
    pub studies_per_guest_a_day: u32,
    /// Chapters that one client at another machine may put into studies in a day, the first of each study among them.
    pub chapters_per_guest_a_day: u32,
    /// People without a past whose puzzles count for the first time, from one client at another machine in a day.
    pub solvers_per_guest_a_day: u32,
    /// Puzzles that one client at another machine may have made or solved in a row; then one in ten seconds.
    pub thoughts_per_guest: f64,
    /// Passwords that one client may try in a row; then one in ten seconds.
    pub tries: f64,
    /// How long a computer may think about a move.
    pub thinking: Duration,
    /// Studies that one client may begin while the server is open.
    pub studies_per_client: usize,
    /// How much memory the studies take that are worked on, with what can be undone in them, in bytes.
    pub study_memory: usize,
    /// Boards of studies that the engine thinks about at the same time, all clients together.
    pub searches: usize,
    /// Games that wait for a review, all clients together.
    pub reviews: usize,
    /// How many positions the engine looks at for each position of a game that is reviewed.
    pub review_nodes: u64,
    /// Connections that are open at the same time, all clients together.
    pub connections: usize,
    /// Of these, from one address, or from one /64 of IPv6. When there are more, the oldest that waits gives way.
    pub connections_per_address: usize,
    /// How many may give way at once for others of the same address; then so many a second. What comes on top is hung up on.
    pub turnover_per_address: f64,
    /// Of all, those that have not said yet all that they want; then the oldest gives way.
    pub connections_waiting: usize,
    /// Bytes of requests that are in memory, all clients together.
    pub buffered: usize,
    /// How long a client may take to say what it wants. A long body has more time: a second for every 8 KiB.
    pub patience: Duration,
    /// How long a client may take nothing of what it is sent.
    pub stall: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            body: 16 << 10,
            entry: 4 << 10,
            study: 1 << 20,
            import: 4 << 20,
            rate: 50.0,
            burst: 400.0,
            games_per_client: 200,
            streams: 8000,
            streams_per_guest: 250,
            games_per_guest: 20,
            games_per_guest_a_day: 300,
            studies_per_guest_a_day: 100,
            chapters_per_guest_a_day: 1000,
            solvers_per_guest_a_day: 50,
            thoughts_per_guest: 5.0,
            tries: 5.0,
            thinking: Duration::from_secs(60),
            studies_per_client: 500,
            study_memory: 32 << 20,
            searches: std::thread::available_parallelism()
                .map_or(2, |cores| cores.get().max(4) / 2),
            reviews: 32,
            review_nodes: 100_000,
            connections: 12_000,
            connections_per_address: 500,
            turnover_per_address: 100.0,
            connections_waiting: 2200,
            buffered: 12 << 20,
            patience: Duration::from_secs(10),
            stall: Duration::from_secs(30),
        }
    }
}

/// Counts what clients ask for.
pub(crate) struct Rates {
    requests: Buckets,
    games: Buckets,
    studies: Buckets,
    chapters: Buckets,
    solvers: Buckets,
    /// What costs the server much.
    thoughts: Buckets,
    /// Passwords that were wrong.
    tries: Buckets,
    streams: Arc<Semaphore>,
    per_guest: usize,
    guests: Mutex<HashMap<Client, Arc<Semaphore>>>,
}

/// One for each client.
struct Buckets {
    rate: f64,
    burst: f64,
    all: Mutex<HashMap<Client, Bucket>>,
}

/// Fills as time goes by, and gives one for each request.
pub(crate) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    /// Full to the brim.
    pub(crate) fn new(burst: f64) -> Bucket {
        Bucket { left: burst, at: Instant::now() }
    }

    /// Takes a share of one, or tells how long there is none.
    pub(crate) fn take(&mut self, share: f64, rate: f64, burst: f64) -> Result<(), Duration> {
        let now = Instant::now();
        self.left = self.filled(now, rate, burst);
        self.at = now;
        if self.left >= 1.0 {
            self.left -= share;
            return Ok(());
        }
        let wait = (1.0 - self.left) / rate;
        Err(Duration::try_from_secs_f64(wait.min(DAY)).unwrap_or_default())
    }

    fn filled(&self, now: Instant, rate: f64, burst: f64) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        (self.left + passed * rate).min(burst)
    }
}

impl Buckets {
    fn new(rate: f64, burst: f64) -> Buckets {
        Buckets { rate, burst, all: Mutex::default() }
    }

    /// As many as are allowed in a day, at once or one after the other.
    fn daily(number: u32) -> Buckets {
        Buckets::new(f64::from(number) / DAY, f64::from(number))
    }

    /// Takes one, or tells how long there is none.
    fn take(&self, client: Client) -> Result<(), Duration> {
        self.take_share(client, 1.0)
    }

    /// Takes a share of one, or tells how long there is none.
    fn take_share(&self, client: Client, share: f64) -> Result<(), Duration> {
        let mut all = self.all.lock();
        let bucket = all.entry(client).or_insert_with(|| Bucket::new(self.burst));
        bucket.take(share, self.rate, self.burst)
    }

    /// Takes what is not there yet as well: it is paid back before there is another one.
    fn owe(&self, client: Client, share: f64) {
        let mut all = self.all.lock();
        all.entry(client).or_insert_with(|| Bucket::new(self.burst)).left -= share;
    }

    /// Forgets clients who have been quiet.
    fn forget(&self) {
        let now = Instant::now();
        self.all.lock().retain(|_, bucket| bucket.filled(now, self.rate, self.burst) < self.burst);
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
            games: Buckets::daily(limits.games_per_guest_a_day),
            studies: Buckets::daily(limits.studies_per_guest_a_day),
            chapters: Buckets::daily(limits.chapters_per_guest_a_day),
            solvers: Buckets::daily(limits.solvers_per_guest_a_day),
            thoughts: Buckets::new(0.1, limits.thoughts_per_guest),
            tries: Buckets::new(0.1, limits.tries),
            streams: Arc::new(Semaphore::new(limits.streams)),
            per_guest: limits.streams_per_guest,
            guests: Mutex::default(),
        }
    }

    /// Whether a client may ask for this now.
    pub(crate) fn admit(&self, client: Client, path: &str) -> Result<(), ApiError> {
        let refuse = |wait| ApiError::wait(wait, "That is too much at once: wait a moment.");
        let share = if path.starts_with("/api/") { 1.0 } else { FILE };
        self.requests.take_share(client, share).map_err(refuse)
    }

    /// Whether a client may begin one more game today.
    pub(crate) fn begin_game(&self, client: Client) -> Result<(), ApiError> {
        let sentence =
            "You have begun many games today: go on with one of them, or come back later.";
        match client.is_owner {
            true => Ok(()),
            false => self.games.take(client).map_err(|wait| ApiError::wait(wait, sentence)),
        }
    }

    /// Whether a client may begin one more study today.
    pub(crate) fn begin_study(&self, client: Client) -> Result<(), ApiError> {
        let sentence =
            "You have begun many studies today: go on with one of them, or come back later.";
        match client.is_owner {
            true => Ok(()),
            false => self.studies.take(client).map_err(|wait| ApiError::wait(wait, sentence)),
        }
    }

    /// Whether a client may add one more chapter to a study today.
    pub(crate) fn add_chapter(&self, client: Client) -> Result<(), ApiError> {
        let sentence = "You have added many chapters to studies today: come back later.";
        match client.is_owner {
            true => Ok(()),
            false => self.chapters.take(client).map_err(|wait| ApiError::wait(wait, sentence)),
        }
    }

    /// Counts chapters that came in the same text as one that was allowed.
    pub(crate) fn count_chapters(&self, client: Client, more: usize) {
        if !client.is_owner {
            self.chapters.owe(client, more as f64);
        }
    }

    /// Whether one more person may begin to solve puzzles at a client today.
    pub(crate) fn new_solver(&self, client: Client) -> Result<(), ApiError> {
        let sentence =
            "Many people have begun with puzzles here today: allow cookies, or come back later.";
        self.solvers.take(client).map_err(|wait| ApiError::wait(wait, sentence))
    }

    /// Whether a client at another machine may have something worked out now.
    pub(crate) fn may_think(&self, client: Client) -> bool {
        self.thoughts.take(client).is_ok()
    }

    /// Whether a client may try a password now.
    pub(crate) fn may_try(&self, client: Client) -> bool {
        self.tries.take(client).is_ok()
    }

    /// Forgets clients who have been quiet.
    pub(crate) fn forget(&self) {
        let daily = [&self.games, &self.studies, &self.chapters, &self.solvers];
        for buckets in daily.into_iter().chain([&self.requests, &self.thoughts, &self.tries]) {
            buckets.forget();
        }
        self.guests.lock().retain(|_, own| own.available_permits() < self.per_guest);
    }

    /// A place for one more page that is told of moves.
    pub(crate) fn stream(&self, client: Client) -> Option<StreamPermit> {
        let own = match client.is_owner {
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
    use std::net::IpAddr;

    use super::*;

    fn guest(last: u8) -> Client {
        Client { network: IpAddr::from([10, 0, 0, last]).into(), is_owner: false }
    }

    #[test]
    fn who_asks_too_much_is_refused_alone() {
        let rates = Rates::new(&ServerLimits { rate: 0.0, burst: 3.0, ..ServerLimits::default() });
        let [greedy, other] = [1, 2].map(guest);
        assert_eq!(
            [0; 5].map(|_| rates.admit(greedy, "/api/games").is_ok()),
            [true, true, true, false, false]
        );
        assert!(rates.admit(other, "/api/games").is_ok());
        // The owner is somebody else than a stranger who comes from the same place.
        assert!(rates.admit(Client { is_owner: true, ..greedy }, "/api/games").is_ok());
    }

    #[test]
    fn pages_are_read_again_and_again() {
        let rates = Rates::new(&ServerLimits { rate: 0.0, burst: 3.0, ..ServerLimits::default() });
        let client = guest(1);
        assert!((0..40).all(|_| rates.admit(client, "/js/play.js").is_ok()));
        assert!(rates.admit(client, "/api/games").is_ok());
        assert!(rates.admit(client, "/js/play.js").is_err());
    }

    #[test]
    fn buckets_fill_again_and_are_forgotten() {
        let rates = Rates::new(&ServerLimits { rate: 1e9, burst: 1.0, ..ServerLimits::default() });
        let client = guest(1);
        assert!(rates.admit(client, "/api/games").is_ok());
        std::thread::sleep(Duration::from_millis(1));
        assert!(rates.admit(client, "/api/games").is_ok());
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
        let [greedy, other] = [1, 2].map(guest);
        let owner = Client { is_owner: true, ..other };
        let first = rates.stream(greedy);
        assert!(first.is_some() && rates.stream(greedy).is_none());
        let at_home = [rates.stream(owner), rates.stream(owner)];
        assert!(at_home.iter().all(Option::is_some) && rates.stream(other).is_none());
        drop(first);
        assert!(rates.stream(greedy).is_some());
        rates.forget();
        assert!(rates.guests.lock().is_empty());
    }
}
