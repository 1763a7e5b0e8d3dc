use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use tabiya_play::{Player, Request, SessionDeps, Setup, Side};
use tabiya_players::Engines;
use tabiya_store::Store;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;

use crate::desk::Desk;
use crate::limits::{Limits, Rates};
use crate::reviews::Reviews;
use crate::searches::Searches;
use crate::studies::Studies;
use crate::trouble::Trouble;
use crate::{Door, Key, Pool, shelf};

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How long a game that nobody looks at stays on its desk.
const IDLE: Duration = Duration::from_secs(300);

/// Everything behind the pages: games in progress, where they are kept, who may think.
#[derive(Clone)]
pub struct AppState(pub(crate) Arc<House>);

/// What a house may have beside its rooms.
///
/// ```
/// use tabiya_web::Fittings;
///
/// let plain = Fittings::default();
/// # drop(plain);
/// ```
#[derive(Default)]
pub struct Fittings {
    /// Who gets in.
    pub door: Door,
    /// Engines for studies, beside our own.
    pub engines: Engines,
}

pub(crate) struct House {
    pub(crate) store: Store,
    pub(crate) key: Key,
    pub(crate) door: Door,
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
        AppState::with(store, key, pool, limits, Fittings::default())
    }

    /// The same with a door and engines of its own.
    ///
    /// ```
    /// use tabiya_store::Store;
    /// use tabiya_players::Engines;
    /// use tabiya_web::{AppState, Door, Fittings, Key, Limits, Pool};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let store = Store::open(folder).unwrap();
    /// let door = Door::at("0.0.0.0:8064".parse().unwrap()).with_word("open sesame").unwrap();
    /// let engines = Engines::read("[[engine]]\nname = \"Reed\"\npath = \"reed\"\n", folder).unwrap();
    /// let fittings = Fittings { door, engines };
    /// let state = AppState::with(store, Key::random()?, Pool::new(1), Limits::default(), fittings);
    /// # drop(state);
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with(
        store: Store,
        key: Key,
        pool: Pool,
        limits: Limits,
        Fittings { door, engines }: Fittings,
    ) -> AppState {
        let (bell, mut rung) = mpsc::unbounded_channel();
        let reviews = Reviews::new(store.clone(), pool.clone(), &limits);
        let house = House {
            store,
            key,
            door,
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

    pub(crate) fn desk_if_open(&self, id: u64) -> Option<Arc<Desk>> {
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
        let (session, friend) = shelf::open(&self.store, id, self.means(id))?;
        let desk = Arc::new(Desk::new(id, session, friend));
        self.desks().insert(id, Arc::clone(&desk));
        // The computer may have answered before anybody could hear it.
        desk.poll();
        Ok(desk)
    }

    fn means(&self, id: u64) -> SessionDeps {
        let bell = self.bell.clone();
        SessionDeps {
            executor: self.pool.executor(id),
            // When the house is gone, nobody listens.
            on_change: Some(Arc::new(move || {
                let _ = bell.send(id);
            })),
            ..SessionDeps::default()
        }
    }

    /// Begins a game for a client, perhaps with a seat that is kept free. May wait for a disk.
    pub(crate) fn begin(
        &self,
        client: IpAddr,
        home: bool,
        setup: &Setup,
        open: Option<Side>,
    ) -> Result<Arc<Desk>, Trouble> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let own = begun.entry(client).or_default();
        own.retain(|&id| self.desk_if_open(id).is_some_and(|desk| !desk.has_ended()));
        let most = match home {
            true => self.limits.games_per_client,
            false => self.limits.games_per_guest,
        };
        if own.len() >= most {
            let sentence = "You have many games under way: finish some before you begin another.";
            return Err(Trouble::new(StatusCode::TOO_MANY_REQUESTS, sentence));
        }
        if !home && !setup.players.iter().any(Player::is_person) {
            let sentence =
                "Computers play each other only for whoever sits at the house's machine.";
            return Err(Trouble::new(StatusCode::FORBIDDEN, sentence));
        }
        let id = shelf::begin(&self.store, setup, open)?;
        own.push(id);
        drop(begun);
        // As it is kept, with the day of the game.
        self.desk(id)
    }

    /// Gives the free seat of a game to a guest: durable when this is answered. May wait for a disk.
    pub(crate) fn join(&self, desk: &Desk, player: &Player, mark: &str) -> Result<Side, Trouble> {
        let no_seat = || Trouble::new(StatusCode::CONFLICT, "There is no free seat in that game.");
        let side = desk.guest_seat().ok_or_else(no_seat)?;
        if desk.has_ended() {
            return Err(Trouble::new(StatusCode::CONFLICT, "That game is over."));
        }
        self.store.join(shelf::number(desk.id)?, side, player, mark)?;
        desk.welcome(side, player);
        Ok(side)
    }

    /// The game in which two people play on, with colours changed. May wait for a disk.
    pub(crate) fn play_on(&self, desk: &Desk) -> Result<u64, Trouble> {
        let setup = desk.read(|session| session.setup().clone());
        let [white, black] = setup.players.clone();
        let setup = Setup { players: [black, white], date: None, ..setup };
        let next = shelf::id_of(self.store.follow(shelf::number(desk.id)?, &setup)?)?;
        desk.play_on_in(next);
        Ok(next)
    }

    /// Takes a game away from its desk.
    pub(crate) fn clear(&self, id: u64) {
        self.desks().remove(&id);
    }

    fn look_round(&self) {
        let desks: Vec<_> = self.desks().values().cloned().collect();
        for desk in desks {
            desk.company.look();
            if desk.is_ticking() {
                desk.glance();
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
