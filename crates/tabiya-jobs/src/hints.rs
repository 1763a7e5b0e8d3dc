//! Whoever waits is told early. A hint may be lost, so nobody relies on one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use sqlx::postgres::PgListener;

/// The names under which PostgreSQL passes on hints.
const JOBS: &str = "tabiya_jobs";
const RESULTS: &str = "tabiya_results";
/// How long it takes until somebody listens again after a break.
const BREAK: Duration = Duration::from_secs(1);
/// Results are told of no more often: every hint costs the database something.
const APART: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(crate) struct Hints {
    heard: Mutex<Heard>,
    changed: Condvar,
}

#[derive(Default)]
struct Heard {
    jobs: u64,
    results: u64,
    told: Option<Instant>,
}

/// What somebody waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hint {
    Jobs,
    Results,
}

impl Hints {
    pub(crate) fn give(&self, hint: Hint) {
        let mut heard = self.heard.lock();
        match hint {
            Hint::Jobs => heard.jobs += 1,
            Hint::Results => heard.results += 1,
        }
        self.changed.notify_all();
    }

    /// Waits for a hint, or for so long.
    pub(crate) fn wait(&self, hint: Hint, longest: Duration) {
        let until = Instant::now() + longest;
        let mut heard = self.heard.lock();
        let count = |heard: &Heard| if hint == Hint::Jobs { heard.jobs } else { heard.results };
        let before = count(&heard);
        while count(&heard) == before {
            if self.changed.wait_until(&mut heard, until).timed_out() {
                return;
            }
        }
    }

    /// Whether it is time to tell others of a result.
    pub(crate) fn tells(&self) -> bool {
        let mut heard = self.heard.lock();
        let now = Instant::now();
        let is_time = heard.told.is_none_or(|then| now.duration_since(then) >= APART);
        if is_time {
            heard.told = Some(now);
        }
        is_time
    }

    /// Hears what PostgreSQL passes on, for ever.
    pub(crate) async fn listen(self: Arc<Self>, url: String) {
        loop {
            // Without it there is still the clock.
            let _ = self.hear(&url).await;
            tokio::time::sleep(BREAK).await;
        }
    }

    async fn hear(&self, url: &str) -> Result<(), sqlx::Error> {
        let mut listener = PgListener::connect(url).await?;
        listener.listen_all([JOBS, RESULTS]).await?;
        loop {
            match listener.recv().await?.channel() {
                JOBS => self.give(Hint::Jobs),
                _ => self.give(Hint::Results),
            }
        }
    }
}
