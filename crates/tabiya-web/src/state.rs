use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tabiya_play::{GameSetup, Player, SessionDeps, Side};
use tabiya_players::Engines;
use tabiya_store::Store;
use tokio::sync::{mpsc, watch};

use crate::client::Client;
use crate::error::ApiError;
use crate::explorer::Explorer;
use crate::learning::Learning;
use crate::limits::{Rates, ServerLimits};
use crate::live_game::LiveGame;
use crate::quotas::GamesBegun;
use crate::reviews::Reviews;
use crate::searches::Searches;
use crate::studies::Studies;
use crate::table_folder::TableFolder;
use crate::{Access, Key, Pool, persistence, scheduler};

/// Everything behind the pages: games in progress, where they are kept, who may think.
#[derive(Clone)]
pub struct AppState(pub(crate) Arc<Server>);

/// What a server may be given beside store and pool.
#[derive(Default)]
pub struct ServerOptions {
    /// Who gets in.
    pub access: Access,
    /// Engines for studies, beside our own.
    pub engines: Engines,
    /// How much clients may ask for.
    pub limits: ServerLimits,
    /// Databases of games for the explorer, beside that of the games that are kept here.
    pub databases: Vec<std::path::PathBuf>,
    /// Whether friends who play may say what they like, not only set phrases.
    pub own_words: bool,
    /// Where tables of endings are kept and made; `tables` beside the games if nothing is said.
    pub tables: Option<std::path::PathBuf>,
}

pub(crate) struct Server {
    pub(crate) store: Store,
    pub(crate) key: Key,
    pub(crate) access: Access,
    pub(crate) limits: ServerLimits,
    pub(crate) rates: Rates,
    pub(crate) pool: Pool,
    pub(crate) studies: Studies,
    pub(crate) engines: Arc<Engines>,
    pub(crate) searches: Searches,
    pub(crate) reviews: Reviews,
    pub(crate) learning: Learning,
    pub(crate) explorer: Explorer,
    pub(crate) tables: TableFolder,
    pub(crate) own_words: bool,
    live_games: Mutex<HashMap<u64, Arc<LiveGame>>>,
    /// Held while a game is brought from the store.
    opening: Mutex<()>,
    /// The games that each client has begun.
    begun: GamesBegun,
    /// Rings with the number of a game whose computer has answered.
    bell: mpsc::UnboundedSender<u64>,
    pub(crate) closing: watch::Sender<bool>,
}

impl AppState {
    /// A server with a store for its games. It has to be built within a Tokio runtime, where it looks
    /// after clocks and computers.
    pub fn new(store: Store, key: Key, pool: Pool, options: ServerOptions) -> AppState {
        let ServerOptions { access, engines, limits, databases, own_words, tables } = options;
        let (bell, rung) = mpsc::unbounded_channel();
        let reviews = Reviews::new(store.clone(), pool.clone(), &limits, engines.tables().cloned());
        let learning = Learning::new(
            store.clone(),
            pool.clone(),
            reviews.settings().clone(),
            reviews.is_busy(),
        );
        let explorer = Explorer::new(store.clone(), databases);
        let beside = || store.path().parent().map(|folder| folder.join("tables"));
        let tables = TableFolder::open(tables.or_else(beside).unwrap_or_default());
        let server = Server {
            explorer,
            tables,
            own_words,
            store,
            key,
            access,
            rates: Rates::new(&limits),
            searches: Searches::new(limits.searches),
            studies: Studies::new(limits.study_memory),
            reviews,
            learning,
            engines: Arc::new(engines),
            limits,
            pool,
            live_games: Mutex::default(),
            opening: Mutex::default(),
            begun: GamesBegun::default(),
            bell,
            closing: watch::Sender::new(false),
        };
        let state = AppState(Arc::new(server));
        scheduler::start(&state.0, rung);
        state
    }

    /// Where the owner of the server shows who they are, if others can reach it: nobody else is to know this address.
    pub fn owner_path(&self) -> Option<String> {
        let secret = self.0.key.owner_secret();
        self.0.access.is_reachable().then(|| format!("/owner/{secret}"))
    }

    /// What is said to everybody else.
    pub(crate) fn only_the_owner(&self) -> ApiError {
        ApiError::forbidden(match self.0.access.is_reachable() {
            true => {
                "Only the owner of the server may do that, with the link that was told when it began."
            }
            false => "Only whoever sits at the server's machine may do that.",
        })
    }

    /// Ends live streams and thinking. What was confirmed is kept already.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
        self.0.live_games().clear();
        self.0.reviews.close();
        self.0.learning.close();
        self.0.tables.close();
        self.0.pool.close();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.pool.close();
    }
}

impl Server {
    pub(crate) fn live_games(&self) -> MutexGuard<'_, HashMap<u64, Arc<LiveGame>>> {
        self.live_games.lock()
    }

    pub(crate) fn live_game_if_open(&self, id: u64) -> Option<Arc<LiveGame>> {
        self.live_games().get(&id).cloned()
    }

    /// A game in memory, brought from the store if need be. May wait for a disk.
    pub(crate) fn live_game(&self, id: u64) -> Result<Arc<LiveGame>, ApiError> {
        if let Some(game) = self.live_game_if_open(id) {
            return Ok(game);
        }
        // One at a time: should two ask at once, there is one session.
        let _opening = self.opening.lock();
        if let Some(game) = self.live_game_if_open(id) {
            return Ok(game);
        }
        let (session, friend) = persistence::open(&self.store, id, self.session_deps(id))?;
        let game = Arc::new(LiveGame::new(id, session, friend));
        self.live_games().insert(id, Arc::clone(&game));
        // The computer may have answered before anybody could hear it.
        game.poll();
        Ok(game)
    }

    fn session_deps(&self, id: u64) -> SessionDeps {
        let bell = self.bell.clone();
        let engines = Arc::clone(&self.engines);
        SessionDeps {
            // Whoever looks at a game must not start what its names say.
            may_start: Some(Arc::new(move |player| engines.may_start(player))),
            executor: self.pool.executor(id),
            // When the server is gone, nobody listens.
            on_change: Some(Arc::new(move || {
                let _ = bell.send(id);
            })),
            ..SessionDeps::default()
        }
    }

    /// Begins a game for a client, perhaps with a seat that is kept free. May wait for a disk.
    pub(crate) fn begin(
        &self,
        client: Client,
        setup: &GameSetup,
        open: Option<Side>,
    ) -> Result<Arc<LiveGame>, ApiError> {
        let most = match client.is_owner {
            true => self.limits.games_per_client,
            false => self.limits.games_per_guest,
        };
        let goes_on = |id| self.live_game_if_open(id).is_some_and(|game| !game.has_ended());
        let mut begun = self.begun.take(client, most, goes_on)?;
        if !client.is_owner && !setup.players.iter().any(Player::is_person) {
            let sentence = "Computers play each other only for the owner of the server.";
            return Err(ApiError::forbidden(sentence));
        }
        self.rates.begin_game(client)?;
        let id = persistence::begin(&self.store, setup, open)?;
        begun.push(id);
        drop(begun);
        // As it is kept, with the day of the game.
        self.live_game(id)
    }

    /// Gives the free seat of a game to a guest: durable when this is answered. May wait for a disk.
    pub(crate) fn join(
        &self,
        game: &LiveGame,
        player: &Player,
        mark: &str,
    ) -> Result<Side, ApiError> {
        let no_seat = || ApiError::conflict("There is no free seat in that game.");
        let side = game.guest_seat().ok_or_else(no_seat)?;
        if game.has_ended() {
            return Err(ApiError::conflict("That game is over."));
        }
        self.store.join(persistence::number(game.id)?, side, player, mark)?;
        game.welcome(side, player);
        Ok(side)
    }

    /// The game in which two people play on, with colours changed. May wait for a disk.
    pub(crate) fn play_on(&self, client: Client, game: &LiveGame) -> Result<u64, ApiError> {
        self.rates.begin_game(client)?;
        let setup = game.read(|session| session.setup().clone());
        let [white, black] = setup.players.clone();
        let setup = GameSetup { players: [black, white], date: None, ..setup };
        let next = persistence::id_of(self.store.follow(persistence::number(game.id)?, &setup)?)?;
        game.play_on_in(next);
        Ok(next)
    }

    /// Drops a game from memory.
    pub(crate) fn clear(&self, id: u64) {
        self.live_games().remove(&id);
    }
}
