//! All that is kept as one file, and back.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::{ConnectOptions as _, Row as _, query};
use tokio::runtime::{Builder, Runtime};

use crate::check::{Checked, check_open};
use crate::folder::{self, FolderLock, beside, write_new};
use crate::{Store, StoreError, schema};

/// So many faults are told when a file is refused.
const TOLD: usize = 3;

/// What came of a restore.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    /// What is there now.
    pub checked: Checked,
    /// Where the games from before are, if there were some.
    pub before: Option<PathBuf>,
}

pub(crate) fn runtime() -> Result<Runtime, StoreError> {
    let runtime = Builder::new_current_thread().enable_time().build();
    runtime.map_err(|error| StoreError::Database(error.to_string()))
}

impl Store {
    /// Writes all that is kept, as it is at this moment, to one new file. Others may play meanwhile. The file is
    /// there when it is whole, checked and on the disk; what has that name already is left as it is.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::{Store, StoreError}};
    /// # let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::standard()))?;
    /// let file = folder.path().join("backup.db");
    /// store.backup(&file)?;
    /// assert_eq!(store.backup(&file), Err(StoreError::Exists { path: file.clone() }));
    /// tabiya_store::restore(other.path(), &file)?;
    /// assert!(Store::open(other.path())?.load(id).is_ok());
    /// # Ok::<(), StoreError>(())
    /// ```
    pub fn backup(&self, file: &Path) -> Result<(), StoreError> {
        if file.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path: file.to_owned() });
        }
        let made = write_new(file, |copy, _| self.copy_to(copy).map_err(io::Error::other));
        made.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists { path: file.to_owned() },
            _ => StoreError::copy(file, error),
        })
    }

    /// Writes all that is kept to an empty file, and looks whether it is sound.
    fn copy_to(&self, file: &Path) -> Result<(), String> {
        let name = file.to_str().ok_or("is no text")?;
        let said = |error: sqlx::Error| StoreError::from(error).to_string();
        runtime().map_err(|error| error.to_string())?.block_on(async {
            let mut connection = schema::options(self.path()).connect().await.map_err(said)?;
            let copied = query("VACUUM INTO ?1").bind(name).execute(&mut connection).await;
            let _ = sqlx::Connection::close(connection).await;
            copied.map_err(said)?;
            let options = schema::options(file).read_only(true);
            let mut connection = options.connect().await.map_err(said)?;
            let check = sqlx::raw_sql("PRAGMA quick_check(1)").fetch_one(&mut connection).await;
            let check = check.and_then(|row| row.try_get::<String, _>(0));
            let _ = sqlx::Connection::close(connection).await;
            match check.map_err(said)?.as_str() {
                "ok" => Ok(()),
                fault => Err(fault.to_owned()),
            }
        })
    }
}

/// Copies a database with what may lie beside it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::copy(from, error);
    for ending in ["", "-wal"] {
        match File::open(beside(from, ending)) {
            Ok(mut from) => {
                let mut to = folder::make_private_file(&beside(to, ending)).map_err(failed)?;
                io::copy(&mut from, &mut to).map_err(failed)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && !ending.is_empty() => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(())
}

/// Puts the games of a file in the place of those of a folder. They are checked first, move by move, and nothing is
/// changed if anything is wrong with them or if somebody plays there. The games from before are kept aside.
pub fn restore(folder: &Path, file: &Path) -> Result<Restored, StoreError> {
    folder::make(folder)?;
    let _alone = FolderLock::alone(folder)?;
    let failed = |error: io::Error| folder::unusable(folder, &error);
    // In a folder of its own, in which it becomes one of this version, and sound as a whole.
    let made = tempfile::Builder::new().prefix(".restore-").tempdir_in(folder).map_err(failed)?;
    let new = made.path().join("games.db");
    copy(file, &new)?;
    let store = Store::open(made.path()).map_err(|error| error.about(file))?;
    let checked = check_open(&store)?;
    store.close();
    if !checked.faults.is_empty() {
        let faults = checked.faults.into_iter().take(TOLD).collect();
        return Err(StoreError::Unsound { path: file.to_owned(), faults });
    }
    if beside(&new, "-wal").metadata().is_ok_and(|rest| rest.len() > 0) {
        return Err(StoreError::copy(file, "could not be brought into one file"));
    }
    File::open(&new).and_then(|new| new.sync_all()).map_err(failed)?;
    let before = put_aside(folder).map_err(failed)?;
    fs::rename(&new, folder.join("games.db")).map_err(failed)?;
    folder::sync(folder).map_err(failed)?;
    Ok(Restored { checked, before })
}

/// Gives the games that are there a second name, under which they are whole whatever happens next.
fn put_aside(folder: &Path) -> io::Result<Option<PathBuf>> {
    let path = folder.join("games.db");
    if !path.exists() {
        return Ok(None);
    }
    let free = |number: &u32| {
        let aside = folder.join(format!("games-before-{number}.db"));
        ["", "-wal"].iter().all(|end| beside(&aside, end).symlink_metadata().is_err())
    };
    let number = (1..).find(free).unwrap_or(u32::MAX);
    let aside = folder.join(format!("games-before-{number}.db"));
    fs::hard_link(&path, &aside)?;
    // What is in the log belongs to the old file, and must not be taken for a part of the new one.
    if beside(&path, "-wal").exists() {
        fs::rename(beside(&path, "-wal"), beside(&aside, "-wal"))?;
    }
    let _ = fs::remove_file(beside(&path, "-shm"));
    Ok(Some(aside))
}
