use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use tabiya_play::{Means, Past, Request, Session, Setup, Side};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;

use crate::desk::Desk;
use crate::limits::{Limits, Rates};
use crate::order::sentence;
use crate::trouble::Trouble;
use crate::{Key, Pool, Shelf};

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How long a game that nobody looks at stays on its desk.
const IDLE: Duration = Duration::from_secs(300);

/// Everything behind the pages: games in progress, where they are kept, who may think.
#[derive(Clone)]
pub struct AppState(pub(crate) Arc<House>);

pub(crate) struct House {
    pub(crate) shelf: Arc<dyn Shelf>,
    pub(crate) key: Key,
    pub(crate) limits: Limits,
    pub(crate) rates: Rates,
    pub(crate) pool: Pool,
    desks: Mutex<HashMap<u64, Arc<Desk>>>,
    /// The games that each client has begun.
    begun: Mutex<HashMap<IpAddr, Vec<u64>>>,
    /// Rings with the number of a game whose computer has answered.
    bell: mpsc::UnboundedSender<u64>,
    pub(crate) closing: watch::Sender<bool>,
}

impl AppState {
    /// A house with a shelf for its games. It has to be built within a Tokio runtime, where it looks
    /// after clocks and computers.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tabiya_web::{AppState, Key, Limits, Memory, Pool};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// let shelf = Arc::new(Memory::default());
    /// let state = AppState::new(shelf, Key::random()?, Pool::new(1), Limits::default());
    /// # drop(state);
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(shelf: Arc<dyn Shelf>, key: Key, pool: Pool, limits: Limits) -> AppState {
        let (bell, mut rung) = mpsc::unbounded_channel();
        let house = House {
            shelf,
            key,
            rates: Rates::new(&limits),
            limits,
            pool,
            desks: Mutex::default(),
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
    /// # use std::sync::Arc;
    /// # use tabiya_web::{AppState, Key, Limits, Memory, Pool};
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// # let state = AppState::new(Arc::new(Memory::default()), Key::random()?, Pool::new(1), Limits::default());
    /// state.close();
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn close(&self) {
        self.0.closing.send_replace(true);
        self.0.desks().clear();
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
        let kept = self.shelf.open(id).map_err(|reason| Trouble::ours(&reason))?;
        let kept = kept.ok_or_else(Trouble::no_game)?;
        // Nobody thinks yet: should two ask at once, only one desk is kept.
        let mut desks = self.desks();
        if let Some(desk) = desks.get(&id) {
            return Ok(Arc::clone(desk));
        }
        let means = Means { journal: Some(kept.journal), ..self.means(id) };
        let session = Session::restore(kept.setup, &kept.past, means);
        let session = session.map_err(|error| Trouble::ours(&format!("game {id}: {error}")))?;
        let desk = Arc::new(Desk::new(id, session));
        desks.insert(id, Arc::clone(&desk));
        Ok(desk)
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
        // Whoever would not begin is not put on the shelf.
        let trial = Means { executor: tabiya_play::Executor::new(drop), ..Means::default() };
        Session::restore(setup.clone(), &Past::default(), trial)
            .map_err(|error| Trouble::unclear(sentence(&error)))?;
        let kept = self.shelf.create(setup, &Past::default());
        let (id, journal) = kept.map_err(|reason| Trouble::ours(&reason))?;
        own.push(id);
        drop(begun);
        let means = Means { journal: Some(journal), ..self.means(id) };
        let session = Session::restore(setup.clone(), &Past::default(), means);
        let session = session.map_err(|error| Trouble::ours(&error.to_string()))?;
        let desk = Arc::new(Desk::new(id, session));
        self.desks().insert(id, Arc::clone(&desk));
        desk.poll();
        Ok(desk)
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
    }
}
