//! What belongs to a database: the one file that changes, always as a whole.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{At, DbError};

/// The version of the files that this Tabiya writes.
pub const VERSION: u32 = 1;

const FORMAT: &str = "tabiya database";
const NAME: &str = "manifest.json";
const LOCK: &str = "lock";
/// How the names of files begin that are about to become others.
const BESIDE: &str = ".tabiya-";

/// Whether an import that was cut off before there was a list may have left a file of this name.
pub(crate) fn is_left_at_first(name: &str) -> bool {
    name == LOCK || name.starts_with(BESIDE)
}

/// The list of what belongs to a database.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    version: u32,
    /// The number of the next file.
    next: u32,
    /// Files of games, in the order of the games' numbers.
    pub(crate) segments: Vec<SegmentEntry>,
    /// Indexes, each of the segments behind those of the one before. What no index has is not in the database
    /// yet: an import that was cut off goes on with it.
    pub(crate) runs: Vec<RunEntry>,
    /// What was imported.
    pub(crate) sources: Vec<ImportedFile>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SegmentEntry {
    pub(crate) file: String,
    pub(crate) games: u32,
    pub(crate) bytes: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct RunEntry {
    pub(crate) name: String,
    pub(crate) segments: usize,
    pub(crate) games: u32,
    pub(crate) bytes: u64,
}

/// A file that was imported, or as far as it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ImportedFile {
    /// Its name.
    pub name: String,
    /// How long it was, if that was known.
    pub size: Option<u64>,
    /// When it was changed last, in seconds since 1970, if that was known.
    pub modified: Option<u64>,
    /// How many bytes of it have been read; packed ones count unpacked.
    pub read: u64,
    /// How many lines that is.
    pub lines: u64,
    /// How many games, bad ones and duplicates included.
    pub games: u64,
    /// Whether that is all.
    pub done: bool,
}

impl Manifest {
    pub(crate) fn empty() -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            next: 1,
            segments: Vec::new(),
            runs: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// The list in a folder; none if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Manifest>, DbError> {
        let path = folder.join(NAME);
        let Some(manifest) = read_list::<Manifest>(&path, FORMAT)? else { return Ok(None) };
        manifest
            .is_consistent()
            .then_some(Some(manifest))
            .ok_or_else(|| DbError::damaged(&path, "its indexes are not of its files of games"))
    }

    fn is_consistent(&self) -> bool {
        let mut segments = self.segments.iter();
        self.runs.iter().all(|run| {
            let games = segments.by_ref().take(run.segments).map(|one| u64::from(one.games));
            games.sum::<u64>() == u64::from(run.games)
        }) && self.indexed() <= self.segments.len()
            && self.files().iter().all(|file| Path::new(file).components().count() == 1)
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), DbError> {
        let path = folder.join(NAME);
        tabiya_base::write_atomically(&path, |file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        })
        .at(&path)
    }

    /// How many games there are: those that an index has.
    pub(crate) fn games(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.games)).sum()
    }

    /// How many segments have an index.
    pub(crate) fn indexed(&self) -> usize {
        self.runs.iter().map(|run| run.segments).sum()
    }

    /// A name for a new file.
    pub(crate) fn fresh(&mut self, kind: &str) -> String {
        let number = self.next;
        self.next += 1;
        format!("{kind}-{number:06}")
    }

    /// All files that belong to the database.
    pub(crate) fn files(&self) -> Vec<String> {
        let segments = self.segments.iter().map(|segment| segment.file.clone());
        let runs = self.runs.iter().flat_map(|run| {
            crate::run::PARTS.iter().map(move |part| format!("{}.{part}", run.name))
        });
        segments.chain(runs).collect()
    }

    /// Removes what an import that was cut off has left behind.
    pub(crate) fn sweep(&self, folder: &Path) -> Result<(), DbError> {
        let known = self.files();
        for entry in fs::read_dir(folder).at(folder)? {
            let entry = entry.at(folder)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = ["games-", "index-", "spill", "check-", BESIDE];
            if ours.iter().any(|ours| name.starts_with(ours)) && !known.contains(&name) {
                let path = entry.path();
                match fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path)) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(DbError::Io { path, error });
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// A list of what belongs to a database, or to several; none if there is none.
pub(crate) fn read_list<T: serde::de::DeserializeOwned>(
    path: &Path,
    format: &str,
) -> Result<Option<T>, DbError> {
    let text = match fs::read(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        text => text.at(path)?,
    };
    let value: serde_json::Value =
        serde_json::from_slice(&text).map_err(|_| DbError::Foreign(path.to_owned()))?;
    if value["format"] != format {
        return Err(DbError::Foreign(path.to_owned()));
    }
    let version = value["version"].as_u64().and_then(|version| u32::try_from(version).ok());
    if let Some(version) = version.filter(|&version| version > VERSION) {
        return Err(DbError::Later { path: path.to_owned(), version });
    }
    serde_json::from_value(value).map(Some).map_err(|error| DbError::damaged(path, error))
}

/// Who has it may change the database.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits until nobody else changes the database; says so once if it has to.
    pub(crate) fn take(folder: &Path, waits: impl FnOnce()) -> Result<Lock, DbError> {
        let path: PathBuf = folder.join(LOCK);
        let file =
            File::options().create(true).truncate(false).write(true).open(&path).at(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                waits();
                file.lock().at(&path)?;
            }
            Err(fs::TryLockError::Error(error)) => return Err(DbError::Io { path, error }),
        }
        Ok(Lock { _file: file })
    }
}
