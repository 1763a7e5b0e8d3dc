use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use tabiya_play::{Means, Request, Session, Setup, Side};
use tabiya_store::Store;
use tabiya_study::Engines;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;

use crate::desk::Desk;
use crate::limits::{Limits, Rates};
use crate::reviews::Reviews;
use crate::searches::Searches;
use crate::studies::Studies;
use crate::trouble::Trouble;
use crate::{Key, Pool, shelf};

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How long a game that nobody looks at stays on its desk.
const IDLE: Duration = Duration::from_secs(300);

/// Everything behind the pages: games in progress, where they are kept, who may think.
#[derive(Clone)]
pub struct AppState(pub(crate) Arc<House>);

pub(crate) struct House {
    pub(crate) store: Store,
    pub(crate) key: Key,
    pub(crate) limits: Limits,
    pub(crate) rates: Rates,
    pub(crate) pool: Pool,
    pub(crate) studies: Studies,
    pub(crate) engines: Arc<Engines>,
    pub(crate) searches: Searches,
    pub(crate) reviews: Reviews,
    desks: Mutex<HashMap<u64, Arc<Desk>>>,
    /// Held while a game is brought from the store to a desk.
    opening: Mutex<()>,
    /// The games that each client has begun.
    begun: Mutex<HashMap<IpAddr, Vec<u64>>>,
    /// Rings with the number of a game whose computer has answered.
    bell: mpsc::UnboundedSender<u64>,
    pub(crate) closing: watch::Sender<bool>,
}

impl AppState {
    /// A house with a store for its games. It has to be built within a Tokio runtime, where it looks
    /// after clocks and computers.
    ///
    /// ```
    /// use tabiya_store::Store;
    /// use tabiya_web::{AppState, Key, Limits, Pool};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let store = Store::open(folder).unwrap();
    /// let state = AppState::new(store, Key::random()?, Pool::new(1), Limits::default());
    /// # drop(state);
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(store: Store, key: Key, pool: Pool, limits: Limits) -> AppState {
        AppState::with_engines(store, key, pool, limits, Engines::default())
    }

    /// The same, with other engines for studies beside our own.
    ///
    /// ```
    /// use std::path::Path;
    /// use tabiya_store::Store;
    /// use tabiya_study::Engines;
    /// use tabiya_web::{AppState, Key, Limits, Pool};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let store = Store::open(folder).unwrap();
    /// let engines = Engines::read("[[engine]]\nname = \"Reed\"\npath = \"reed\"\n", folder).unwrap();
    /// let state = AppState::with_engines(store, Key::random()?, Pool::new(1), Limits::default(), engines);
    /// # drop(state);
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_engines(
        store: Store,
        key: Key,
        pool: Pool,
        limits: Limits,
        engines: Engines,
    ) -> AppState {
        let (bell, mut rung) = mpsc::unbounded_channel();
        let reviews = Reviews::new(store.clone(), pool.clone(), &limits);
        let house = House {
            store,
            key,
            rates: Rates::new(&limits),
            searches: Searches::new(limits.searches),
            studies: Studies::default(),
            reviews,
            engines: Arc::new(engines),
            limits,
            pool,
            desks: Mutex::default(),
            opening: Mutex::default(),
            begun: Mutex::default(),
            bell,
            closing: watch::Sender::new(false),
        };
        let state = AppState(Arc::new(house));
        let weak = Arc::downgrade(&state.0);
        tokio::spawn(async move {
            while let Some(id) = rung.recv().await {
                let Some(house) = weak.upgrade() else { return };
                if let Some(desk) = house.desk_if_open(id) {
                    spawn_blocking(move || desk.poll());
                }
            }
        });
        let weak = Arc::downgrade(&state.0);
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(TICK);
            tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                tick.tick().await;
                let Some(house) = weak.upgrade() else { return };
                // One round at a time: a slow disk does not pile up work.
                let _ = spawn_blocking(move || house.look_round()).await;
            }
        });
        state
    }

    /// Ends live streams and thinking. What was confirmed is kept already.
    ///
    /// ```
    /// # use tabiya_store::Store;
    /// # use tabiya_web::{AppState, Key, Limits, Pool};
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let store = Store::open(folder.path()).unwrap();
    /// # let state = AppState::new(store, Key::random()?, Pool::new(1), Limits::default());
    /// state.close();
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn close(&self) {
        self.0.closing.send_replace(true);
        self.0.desks().clear();
        self.0.reviews.close();
        self.0.pool.close();
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.pool.close();
    }
}

impl House {
    fn desks(&self) -> MutexGuard<'_, HashMap<u64, Arc<Desk>>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn desk_if_open(&self, id: u64) -> Option<Arc<Desk>> {
        self.desks().get(&id).cloned()
    }

    /// A desk for a game on the shelf. May wait for a disk.
    pub(crate) fn desk(&self, id: u64) -> Result<Arc<Desk>, Trouble> {
        if let Some(desk) = self.desk_if_open(id) {
            return Ok(desk);
        }
        // One at a time: should two ask at once, there is one desk.
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = self.desk_if_open(id) {
            return Ok(desk);
        }
        Ok(self.set(id, shelf::open(&self.store, id, self.means(id))?))
    }

    fn means(&self, id: u64) -> Means {
        let bell = self.bell.clone();
        Means {
            executor: self.pool.executor(id),
            // When the house is gone, nobody listens.
            on_change: Some(Arc::new(move || {
                let _ = bell.send(id);
            })),
            ..Means::default()
        }
    }

    /// Begins a game for a client. May wait for a disk.
    pub(crate) fn begin(&self, client: IpAddr, setup: &Setup) -> Result<Arc<Desk>, Trouble> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let own = begun.entry(client).or_default();
        own.retain(|&id| self.desk_if_open(id).is_some_and(|desk| !desk.has_ended()));
        if own.len() >= self.limits.games_per_client {
            let sentence = "You have many games under way: finish some before you begin another.";
            return Err(Trouble::new(StatusCode::TOO_MANY_REQUESTS, sentence));
        }
        let (id, session) = shelf::begin(&self.store, setup, |id| self.means(id))?;
        own.push(id);
        Ok(self.set(id, session))
    }

    /// Puts a game on a desk.
    fn set(&self, id: u64, session: Session) -> Arc<Desk> {
        let desk = Arc::new(Desk::new(id, session));
        self.desks().insert(id, Arc::clone(&desk));
        // The computer may have answered before anybody could hear it.
        desk.poll();
        desk
    }

    /// Takes a game away from its desk.
    pub(crate) fn clear(&self, id: u64) {
        self.desks().remove(&id);
    }

    fn look_round(&self) {
        let desks: Vec<_> = self.desks().values().cloned().collect();
        for desk in desks {
            if desk.is_ticking() {
                desk.poll();
            }
            if desk.thinks_longer_than(self.limits.thinking) {
                // Refused if it has moved meanwhile: all the better.
                let _ = desk.request(Side::White, &Request::MoveNow);
            }
            if desk.is_idle(IDLE) {
                self.clear(desk.id);
            }
        }
        self.rates.forget();
        self.studies.put_away(IDLE);
        self.engines.dismiss(IDLE);
    }
}
