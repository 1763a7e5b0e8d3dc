//! The databases of games that the explorer of the pages shows: those the server was given, and one of the games that
//! were played and kept here.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tabiya_db::{Database, DbError, Importer, Reached, SourceProgress, incoming};
use tabiya_play::GameKind;
use tabiya_store::{GameFilter, Store};

use crate::error::ApiError;

/// The name of the database of the games that are kept here.
pub(crate) const MINE: &str = "mine";
/// So often it is looked whether a database has changed.
const FRESH: Duration = Duration::from_secs(3);
/// So many games are asked for at a time.
const PIECE: u32 = 500;

/// The databases, opened when they are asked for. Nobody waits for one that has changed: they are answered of what it
/// was, while another thread brings it up to date.
pub(crate) struct Explorer(Arc<Databases>);

struct Databases {
    folders: Vec<(String, PathBuf)>,
    store: Store,
    open: Mutex<HashMap<String, Opened>>,
    /// Those that are being brought up to date.
    renewed: Mutex<HashSet<String>>,
}

struct Opened {
    database: Arc<Database>,
    looked: Instant,
}

impl Explorer {
    pub(crate) fn new(store: Store, databases: Vec<PathBuf>) -> Explorer {
        let mut folders = Vec::<(String, PathBuf)>::new();
        for folder in databases {
            let stem = folder.file_stem().unwrap_or(folder.as_os_str());
            let stem = stem.to_string_lossy().into_owned();
            let taken = |name: &str| name == MINE || folders.iter().any(|(known, _)| known == name);
            let name = match taken(&stem) {
                true => format!("{stem}-{}", folders.len() + 1),
                false => stem,
            };
            folders.push((name, folder));
        }
        let own = store.path().parent().map(|folder| folder.join("explorer"));
        folders.extend(own.map(|folder| (MINE.to_owned(), folder)));
        let (open, renewed) = (Mutex::default(), Mutex::default());
        Explorer(Arc::new(Databases { folders, store, open, renewed }))
    }

    /// The names of the databases.
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.folders.iter().map(|(name, _)| name.clone()).collect()
    }

    /// A database, and whether it is just being brought up to date. May wait for a disk.
    pub(crate) fn database(&self, name: &str) -> Result<(Arc<Database>, bool), ApiError> {
        let known = self.0.folders.iter().find(|(known, _)| known == name);
        let (_, folder) = known.ok_or_else(|| ApiError::not_found("There is no such database."))?;
        let (database, looked) = match self.0.open.lock().get(name) {
            Some(opened) => (Arc::clone(&opened.database), Some(opened.looked)),
            None => (Arc::new(open(name, folder).map_err(ApiError::internal)?), None),
        };
        if looked.is_some_and(|looked| looked.elapsed() < FRESH) {
            return Ok((database, self.0.renewed.lock().contains(name)));
        }
        if looked.is_none() {
            self.0.keep(name, &database);
        }
        if self.0.renewed.lock().insert(name.to_owned()) {
            let (databases, name, folder) = (Arc::clone(&self.0), name.to_owned(), folder.clone());
            std::thread::spawn(move || {
                if let Err(error) = databases.renew(&name, &folder) {
                    tracing::error!("the database {name}: {error}");
                }
                databases.renewed.lock().remove(&name);
            });
        }
        Ok((database, true))
    }
}

/// Opens a database; that of our own is there even if nobody has played yet.
fn open(name: &str, folder: &Path) -> Result<Database, DbError> {
    match Database::open(folder) {
        Err(DbError::None(_)) if name == MINE => {
            Importer::open(folder, || ())?.finish()?;
            Database::open(folder)
        }
        opened => opened,
    }
}

impl Databases {
    fn keep(&self, name: &str, database: &Arc<Database>) {
        let opened = Opened { database: Arc::clone(database), looked: Instant::now() };
        self.open.lock().insert(name.to_owned(), opened);
    }

    /// Brings a database up to date.
    fn renew(&self, name: &str, folder: &Path) -> Result<(), DbError> {
        if name == MINE {
            self.bring(folder)?;
        }
        let known = self.open.lock().get(name).map(|opened| Arc::clone(&opened.database));
        let database = match known {
            Some(known) if !known.is_outdated() => known,
            _ => Arc::new(Database::open(folder)?),
        };
        self.keep(name, &database);
        Ok(())
    }

    /// Brings the games that have ended since the last time into the database of our own.
    fn bring(&self, folder: &Path) -> Result<(), DbError> {
        let mut importer = Importer::open(folder, || ())?;
        let last = match importer.source("kept", Some(0), Some(0)) {
            SourceProgress::At(reached) => reached.bytes,
            SourceProgress::Done => 0,
        };
        let (mut newest, mut wanted, mut after) = (last, Vec::new(), None);
        loop {
            let filter = GameFilter {
                kind: Some(GameKind::Chess),
                limit: Some(PIECE),
                after,
                ..GameFilter::default()
            };
            let Ok(page) = self.store.page(&filter) else { break };
            for game in &page.games {
                let updated = u64::try_from(game.updated).unwrap_or(0);
                if updated >= last && game.result != "*" {
                    newest = newest.max(updated);
                    wanted.push(game.id);
                }
            }
            let all_new = page.games.last().is_some_and(|game| game.updated as u64 >= last);
            after = page.next;
            if after.is_none() || !all_new {
                break;
            }
        }
        // Those of the last moment come again, and are known again.
        for id in wanted.into_iter().rev() {
            if let Ok(text) = self.store.export(id) {
                for game in incoming(&text) {
                    importer.add(game)?;
                }
            }
        }
        importer.mark("kept", Reached { bytes: newest, ..Reached::default() }, false)?;
        importer.finish().map(|_| ())
    }
}
