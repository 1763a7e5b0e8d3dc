use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use tabiya_play::{Change, GameSetup, Journal, Past, Refusal, Session, SessionDeps};

use crate::folder::{self, FolderLock};
use crate::keeper::{Command, Keeper};
use crate::readers::{Question, Readers};
use crate::write::{New, Write, Written};
use crate::{
    Friend, GameCount, GameFilter, GameId, GamePage, GameSummary, Kept, StoreError, Stored, search,
};

/// So long whoever opens an older file waits for its catalogue; the rest is filled in meanwhile.
const AT_ONCE: Duration = Duration::from_millis(300);
/// Between two pieces of it, for those who play.
const PAUSE: Duration = Duration::from_millis(20);

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
pub struct Store(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    /// Nothing when it is closed.
    threads: RwLock<Option<Threads>>,
}

#[derive(Debug)]
struct Threads {
    writes: Sender<Command>,
    readers: Readers,
    keeper: JoinHandle<()>,
    lock: FolderLock,
}

impl Shared {
    fn close(&self) {
        let threads = self.threads.write().take();
        if let Some(Threads { writes, readers, keeper, lock }) = threads {
            // The keeper is the last to leave the file.
            readers.close();
            drop(writes);
            let _ = keeper.join();
            drop(lock);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.close();
    }
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
        folder::make(folder)?;
        let (lock, alone) = FolderLock::join(folder)?;
        let path = folder.join("games.db");
        let (writes, receiver) = mpsc::channel();
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
        let no_thread = |error| folder::unusable(folder, &error);
        let keeper =
            thread::Builder::new().name("store".to_owned()).spawn(run).map_err(no_thread)?;
        result.recv().map_err(|_| gone())??;
        let readers = Readers::start(&path).map_err(no_thread)?;
        let threads = RwLock::new(Some(Threads { writes, readers, keeper, lock }));
        let store = Store(Arc::new(Shared { path, threads }));
        if alone {
            store.purge(&[])?;
        }
        store.begin_catalogue()?;
        Ok(store)
    }

    /// Forgets what has been in the bin for a month, and games in which nobody has moved for a day (an invitation
    /// waits for a month), except those that somebody has open. Whoever opens the store alone does this, and a server
    /// now and then.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// store.purge(&[])?;
    /// assert!(store.load(id).is_ok(), "it has a day");
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn purge(&self, except: &[GameId]) -> Result<(), StoreError> {
        let except = except.iter().map(|id| id.0).collect();
        self.write(Write::Purge { except }).map(drop)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Ends the store for everybody who has it: what was confirmed is all in the one file then, which can be copied
    /// alone. The last one who drops it does the same.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::Store};
    /// # let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    /// let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// store.close();
    /// assert!(store.load(id).is_err());
    /// std::fs::copy(folder.path().join("games.db"), other.path().join("games.db")).unwrap();
    /// assert!(Store::open(other.path())?.load(id).is_ok());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn close(&self) {
        self.0.close();
    }

    /// Has something done by the threads, and waits for the answer.
    fn wait<T>(
        &self,
        send: impl FnOnce(&Threads, Sender<Result<T, StoreError>>) -> bool,
    ) -> Result<T, StoreError> {
        let (sender, answer) = mpsc::channel();
        let threads = self.0.threads.read();
        if !threads.as_ref().is_some_and(|threads| send(threads, sender)) {
            return Err(gone());
        }
        drop(threads);
        answer.recv().map_err(|_| gone())?
    }

    pub(crate) fn ask<T>(
        &self,
        question: impl FnOnce(Sender<Result<T, StoreError>>) -> Question,
    ) -> Result<T, StoreError> {
        self.wait(|threads, sender| threads.readers.ask(question(sender)))
    }

    pub(crate) fn write(&self, write: Write) -> Result<Written, StoreError> {
        self.wait(|threads, sender| threads.writes.send((write, sender)).is_ok())
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
        self.write_game(Write::Create(Box::new(New::played(setup.clone(), change))))
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
        self.ask(|sender| Question::Load(id, sender))
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
        // Nothing is left out.
        self.catalogue()?;
        search::all(filter, |rest| self.page(rest))
    }

    /// Brings all games into the catalogue that are not there yet.
    pub(crate) fn catalogue(&self) -> Result<(), StoreError> {
        while self.ask(Question::Uncatalogued)? > 0 {
            self.write(Write::Catalogue)?;
        }
        Ok(())
    }

    /// Fills the catalogue of an older file: a little at once, the rest while others work.
    fn begin_catalogue(&self) -> Result<(), StoreError> {
        let begun = Instant::now();
        while self.ask(Question::Uncatalogued)? > 0 {
            self.write(Write::Catalogue)?;
            if begun.elapsed() > AT_ONCE {
                let store = Arc::downgrade(&self.0);
                let go_on = move || {
                    while let Some(store) = store.upgrade().map(Store)
                        && let Ok(Written::Uncatalogued(1..)) = store.write(Write::Catalogue)
                    {
                        drop(store);
                        thread::sleep(PAUSE);
                    }
                };
                let thread = thread::Builder::new().name("catalogue".to_owned()).spawn(go_on);
                return thread.map(drop).map_err(|error| folder::unusable(self.path(), &error));
            }
        }
        Ok(())
    }

    /// Some games of a list, and where it goes on: looks at a bounded number of games, however many are kept.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::{GameFilter, Store}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// # for _ in 0..3 { store.create(&GameSetup::new(Start::standard()))?; }
    /// let two = GameFilter { limit: Some(2), ..GameFilter::default() };
    /// let first = store.page(&two)?;
    /// let second = store.page(&GameFilter { after: first.next, ..two })?;
    /// assert_eq!((first.games.len(), second.games.len(), second.next), (2, 1, None));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn page(&self, filter: &GameFilter) -> Result<GamePage, StoreError> {
        self.ask(|sender| Question::List(filter.clone(), sender))
    }

    /// How many games a list has. A list of all games, or of those of one source, is never counted, others up to a bound
    /// and apart from searches, so that nobody waits for it.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::{GameFilter, Store}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// store.create(&GameSetup::new(Start::standard()))?;
    /// let wins = GameFilter { result: Some("1-0".to_owned()), ..GameFilter::default() };
    /// assert_eq!((store.count(&GameFilter::default())?.games, store.count(&wins)?.games), (1, 0));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn count(&self, filter: &GameFilter) -> Result<GameCount, StoreError> {
        self.ask(|sender| Question::Count(filter.clone(), sender))
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
        self.delete_all(&[id])
    }

    /// Puts games into the bin: all of them, or none if one is not there.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::{GameId, Store}};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// assert!(store.delete_all(&[id, GameId(99)]).is_err());
    /// assert!(store.load(id).is_ok());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn delete_all(&self, ids: &[GameId]) -> Result<(), StoreError> {
        self.write(Write::Delete { ids: ids.to_vec(), deleted: true }).map(drop)
    }

    /// Takes a game out of the bin.
    pub fn restore(&self, id: GameId) -> Result<(), StoreError> {
        self.restore_all(&[id])
    }

    /// Takes games out of the bin: all of them, or none if one is not there.
    pub fn restore_all(&self, ids: &[GameId]) -> Result<(), StoreError> {
        self.write(Write::Delete { ids: ids.to_vec(), deleted: false }).map(drop)
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

    /// Removes games from the bin for good: all of them, or none if one is not in the bin.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// assert!(store.empty_bin(&[id]).is_err());
    /// store.delete(id)?;
    /// store.empty_bin(&[id])?;
    /// assert!(store.restore(id).is_err());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn empty_bin(&self, ids: &[GameId]) -> Result<(), StoreError> {
        self.write(Write::EmptyBin(ids.to_vec())).map(drop)
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
        let deps = SessionDeps { undone: stored.undone, ..deps };
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
        let deps = SessionDeps { undone: stored.undone, ..deps };
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

    fn keep_undone(&mut self, moves: Vec<String>) -> Result<(), String> {
        let write = Write::Undone { id: self.id, plies: self.had, codes: moves };
        self.store.write(write).map(drop).map_err(|error| (self.explain)(&error))
    }
}
