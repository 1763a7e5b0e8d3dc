//! The databases of games that the explorer of the pages shows: those the server was given, and one of the games that
//! were played and kept here.

use std::collections::HashMap;
use std::path::PathBuf;
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

/// The databases, opened when they are asked for.
pub(crate) struct Explorer {
    folders: Vec<(String, PathBuf)>,
    store: Store,
    open: Mutex<HashMap<String, Opened>>,
    /// Held while games are brought into the database of our own.
    bringing: Mutex<()>,
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
        Explorer { folders, store, open: Mutex::default(), bringing: Mutex::default() }
    }

    /// The names of the databases.
    pub(crate) fn names(&self) -> Vec<String> {
        self.folders.iter().map(|(name, _)| name.clone()).collect()
    }

    /// A database as it is now. May wait for a disk.
    pub(crate) fn database(&self, name: &str) -> Result<Arc<Database>, ApiError> {
        let known = self.folders.iter().find(|(known, _)| known == name);
        let (_, folder) = known.ok_or_else(|| ApiError::not_found("There is no such database."))?;
        if let Some(opened) = self.open.lock().get(name)
            && opened.looked.elapsed() < FRESH
        {
            return Ok(Arc::clone(&opened.database));
        }
        if name == MINE {
            self.bring(folder).map_err(ApiError::internal)?;
        }
        let mut open = self.open.lock();
        if let Some(opened) = open.get_mut(name)
            && !opened.database.is_outdated()
        {
            opened.looked = Instant::now();
            return Ok(Arc::clone(&opened.database));
        }
        let database = Arc::new(Database::open(folder).map_err(ApiError::internal)?);
        let opened = Opened { database: Arc::clone(&database), looked: Instant::now() };
        open.insert(name.to_owned(), opened);
        Ok(database)
    }

    /// Brings the games that have ended since the last time into the database of our own.
    fn bring(&self, folder: &std::path::Path) -> Result<(), DbError> {
        let _bringing = self.bringing.lock();
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
