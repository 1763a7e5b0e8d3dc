use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use tabiya_play::{Change, GameSetup, Journal, Past, Refusal, Session, SessionDeps};

use crate::keeper::{Command, Keeper};
use crate::write::{New, Write, Written};
use crate::{Friend, GameFilter, GameId, GameSummary, Kept, StoreError, Stored};

/// How long a deleted game can be had back.
const BIN: Duration = Duration::from_secs(30 * 24 * 3600);

/// Where games are kept. Copies of it lead to the same place; every call waits until it is done, and a
/// change is done when it is on the disk.
///
/// ```
/// use tabiya_play::{Change, Entry, GameSetup, Start};
/// use tabiya_store::{GameFilter, Store};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// let store = Store::open(folder)?;
/// let id = store.create(&GameSetup::new(Start::standard()))?;
/// let added = vec![Entry { uci: "e2e4".to_owned(), clocks: None }];
/// store.change(id, 0, &Change { stays: 0, added, end: None })?;
/// assert_eq!(store.load(id)?.past.entries.len(), 1);
/// assert_eq!(store.list(&GameFilter::default())?[0].plies, 1);
/// # Ok::<(), tabiya_store::StoreError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    commands: Sender<Command>,
}

impl Store {
    /// The games of a folder, which is made if need be. They are in its file `games.db`.
    ///
    /// ```
    /// # use tabiya_store::{Store, StoreError};
    /// # let folder = tempfile::tempdir().unwrap();
    /// std::fs::write(folder.path().join("games.db"), "not a database").unwrap();
    /// assert!(matches!(Store::open(folder.path()), Err(StoreError::Damaged { .. })));
    /// ```
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let unusable = |error: std::io::Error| StoreError::Folder {
            path: folder.to_owned(),
            reason: error.to_string(),
        };
        std::fs::create_dir_all(folder).map_err(unusable)?;
        let path = folder.join("games.db");
        let (commands, receiver) = mpsc::channel();
        let (opened, result) = mpsc::channel();
        let theirs = path.clone();
        let run = move || match Keeper::open(&theirs) {
            Ok(keeper) => {
                if opened.send(Ok(())).is_ok() {
                    keeper.work(&receiver);
                }
            }
            Err(error) => {
                let _ = opened.send(Err(error));
            }
        };
        thread::Builder::new().name("store".to_owned()).spawn(run).map_err(unusable)?;
        result.recv().map_err(|_| gone())??;
        let store = Store { path, commands };
        store.write(Write::Purge { older_than: BIN })?;
        Ok(store)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn ask<T>(
        &self,
        command: impl FnOnce(Sender<Result<T, StoreError>>) -> Command,
    ) -> Result<T, StoreError> {
        let (sender, answer) = mpsc::channel();
        self.commands.send(command(sender)).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }

    pub(crate) fn write(&self, write: Write) -> Result<Written, StoreError> {
        self.ask(|sender| Command::Write(write, sender))
    }

    pub(crate) fn write_game(&self, write: Write) -> Result<GameId, StoreError> {
        match self.write(write)? {
            Written::Game(id) => Ok(id),
            other => Err(StoreError::Database(format!("no game, but {other:?}, was written"))),
        }
    }

    /// Begins a game.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let setup = GameSetup::new(Start::standard());
    /// assert_ne!(store.create(&setup)?, store.create(&setup)?);
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn create(&self, setup: &GameSetup) -> Result<GameId, StoreError> {
        self.create_with(setup, &Past::default())
    }

    /// Begins a game in which something has been played elsewhere.
    ///
    /// ```
    /// # use {tabiya_play::{Entry, Past, GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let entries = vec![Entry { uci: "e2e4".to_owned(), clocks: None }];
    /// let id = store.create_with(&GameSetup::new(Start::standard()), &Past { entries, end: None })?;
    /// assert_eq!(store.load(id)?.summary.plies, 1);
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn create_with(&self, setup: &GameSetup, past: &Past) -> Result<GameId, StoreError> {
        let change = Change { stays: 0, added: past.entries.clone(), end: past.end.clone() };
        let new = New { setup: setup.clone(), change, event: None, record: None, open: None };
        self.write_game(Write::Create(Box::new(new)))
    }

    /// Goes on with a game that had so many moves; if it has not, somebody else has changed it, and this
    /// does not.
    ///
    /// ```
    /// # use {tabiya_play::{Change, Entry, GameSetup, Start}, tabiya_store::{Store, StoreError}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// let nothing = Change { stays: 0, added: Vec::new(), end: None };
    /// assert_eq!(store.change(id, 5, &nothing), Err(StoreError::Changed(id)));
    /// # Ok::<(), StoreError>(())
    /// ```
    pub fn change(&self, id: GameId, had: usize, change: &Change) -> Result<(), StoreError> {
        self.write(Write::Change { id, had, change: change.clone() }).map(drop)
    }

    /// A game, whole.
    pub fn load(&self, id: GameId) -> Result<Stored, StoreError> {
        self.ask(|sender| Command::Load(id, sender))
    }

    /// Games at a glance, the latest first.
    ///
    /// ```
    /// # use tabiya_store::{GameFilter, Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let wins = GameFilter { result: Some("1-0".to_owned()), ..GameFilter::default() };
    /// assert!(store.list(&wins)?.is_empty());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn list(&self, filter: &GameFilter) -> Result<Vec<GameSummary>, StoreError> {
        self.ask(|sender| Command::List(filter.clone(), sender))
    }

    /// Puts a game into the bin, where it stays for thirty days.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::{GameFilter, Store}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// store.delete(id)?;
    /// assert!(store.load(id).is_err());
    /// store.restore(id)?;
    /// assert!(store.load(id).is_ok());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn delete(&self, id: GameId) -> Result<(), StoreError> {
        self.write(Write::Delete { id, deleted: true }).map(drop)
    }

    /// Takes a game out of the bin.
    pub fn restore(&self, id: GameId) -> Result<(), StoreError> {
        self.write(Write::Delete { id, deleted: false }).map(drop)
    }

    /// Removes a game for good: one that nobody began to play, say.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// store.forget(id)?;
    /// assert!(store.restore(id).is_err());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn forget(&self, id: GameId) -> Result<(), StoreError> {
        self.write(Write::Forget(id)).map(drop)
    }

    /// Begins a game that is kept from the first move on.
    ///
    /// ```
    /// use tabiya_play::{SessionDeps, GameSetup, Start, GameController};
    /// # use tabiya_store::Store;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    ///
    /// let mut game = store.begin(GameSetup::new(Start::standard()), SessionDeps::default())?;
    /// game.submit("e4").unwrap();
    /// let id = game.id();
    /// drop(game);
    /// assert_eq!(store.resume(id, SessionDeps::default())?.view().moves[0].san, "e4");
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn begin(&self, setup: GameSetup, deps: SessionDeps) -> Result<Kept, StoreError> {
        let id = self.create(&setup)?;
        self.resume(id, deps)
    }

    /// Goes on with a kept game.
    ///
    /// ```
    /// # use {tabiya_play::SessionDeps, tabiya_store::{GameId, Store, StoreError}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let missing = store.resume(GameId(1), SessionDeps::default());
    /// assert_eq!(missing.err(), Some(StoreError::NoGame(GameId(1))));
    /// # Ok::<(), StoreError>(())
    /// ```
    pub fn resume(&self, id: GameId, deps: SessionDeps) -> Result<Kept, StoreError> {
        // Whoever goes on here sits at this table, on both sides of it.
        let stored = self.load(id)?;
        let setup = GameSetup { remote: false, ..stored.setup };
        let explain = |error: &StoreError| Refusal::new(error).0;
        Ok(Kept::new(id, self.restore_session(id, setup, &stored.past, deps, explain)?))
    }

    /// A kept game as a session, for whoever plays it at several machines, and how it stands between them. `explain`
    /// says to those who play why a change could not be kept.
    ///
    /// ```
    /// # use {tabiya_play::{GameController, SessionDeps, GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// let (mut session, _) = store.session(id, SessionDeps::default(), |_| "Not kept.".to_owned())?;
    /// store.delete(id)?;
    /// assert_eq!(session.submit("e4").unwrap_err().0, "Not kept.");
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn session(
        &self,
        id: GameId,
        deps: SessionDeps,
        explain: fn(&StoreError) -> String,
    ) -> Result<(Session, Option<Friend>), StoreError> {
        let stored = self.load(id)?;
        Ok((self.restore_session(id, stored.setup, &stored.past, deps, explain)?, stored.friend))
    }

    fn restore_session(
        &self,
        id: GameId,
        setup: GameSetup,
        past: &Past,
        deps: SessionDeps,
        explain: fn(&StoreError) -> String,
    ) -> Result<Session, StoreError> {
        let had = past.entries.len();
        let journal = GameJournal { store: self.clone(), id, had, explain };
        let deps = SessionDeps { journal: Some(Box::new(journal)), ..deps };
        Session::restore(setup, past, deps).map_err(|error| StoreError::bad_game(id, error))
    }
}

fn gone() -> StoreError {
    StoreError::Database("the store has ended".to_owned())
}

/// Writes the game of a session.
struct GameJournal {
    store: Store,
    id: GameId,
    /// How many moves are written.
    had: usize,
    /// Says in a sentence why a change was not kept.
    explain: fn(&StoreError) -> String,
}

impl Journal for GameJournal {
    fn keep(&mut self, change: &Change) -> Result<(), String> {
        let done = self.store.change(self.id, self.had, change);
        done.map_err(|error| (self.explain)(&error))?;
        self.had = change.stays + change.added.len();
        Ok(())
    }
}
