//! The folder of games, who has it, and who may look into it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use etcetera::BaseStrategy;

use crate::StoreError;
use crate::schema::PATIENCE;

/// Where games are kept: the folder given, else that of the variable `TABIYA_DATA`, else the one that
/// the system has for a program's data.
///
/// ```
/// use std::path::Path;
///
/// let folder = tabiya_store::folder(Some(Path::new("/srv/games")))?;
/// assert_eq!(folder, Path::new("/srv/games"));
/// # Ok::<(), tabiya_store::StoreError>(())
/// ```
pub fn folder(given: Option<&Path>) -> Result<PathBuf, StoreError> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    if let Some(set) = std::env::var_os("TABIYA_DATA").filter(|set| !set.is_empty()) {
        return Ok(set.into());
    }
    let system = etcetera::base_strategy::choose_native_strategy();
    Ok(system.map_err(|_| StoreError::NoHome)?.data_dir().join("tabiya"))
}

/// Makes a folder that only its owner may look into, if there is none.
pub(crate) fn make(folder: &Path) -> Result<(), StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| unusable(folder, &error))
}

pub(crate) fn unusable(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Folder { path: path.to_owned(), reason: error.to_string() }
}

/// Opens a file that only its owner may read, which is made if there is none.
pub(crate) fn make_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a file that only its owner may read, and that is there as a whole or not at all: it is written beside its place,
/// and on the disk before it gets its name. What has the name already is left as it is, and the error tells so
/// ([`io::ErrorKind::AlreadyExists`]).
///
/// ```
/// use std::io::{ErrorKind, Write as _};
/// use tabiya_store::write_new;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("seats.key");
/// write_new(&path, |_, file| file.write_all(b"one"))?;
/// let error = write_new(&path, |_, file| file.write_all(b"two")).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::AlreadyExists);
/// assert_eq!((std::fs::read(&path)?, folder.path().read_dir()?.count()), (b"one".to_vec(), 1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_new(
    path: &Path,
    write: impl FnOnce(&Path, &mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut made = tempfile::NamedTempFile::new_in(folder)?;
    let beside = made.path().to_owned();
    write(&beside, made.as_file_mut())?;
    made.as_file().sync_all()?;
    made.persist_noclobber(path).map_err(|error| error.error)?;
    sync(folder)
}

/// A name is on the disk when its folder is.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// From now on only its owner may read a database and what lies beside it. Where that cannot be, it stays as it was.
pub(crate) fn make_private(path: &Path) {
    #[cfg(unix)]
    for path in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        use std::os::unix::fs::PermissionsExt as _;
        if std::fs::metadata(&path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0) {
            let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600));
        }
    }
}

/// What the database puts beside its file.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Held by everybody who has the games of a folder open; by one alone who puts others in their place.
#[derive(Debug)]
pub(crate) struct FolderLock(#[expect(dead_code, reason = "held until it is dropped")] File);

impl FolderLock {
    fn open(folder: &Path) -> Result<File, StoreError> {
        let path = folder.join("games.lock");
        make_private_file(&path).map_err(|error| unusable(&path, &error))
    }

    /// Joins the others. True if there were none.
    pub(crate) fn join(folder: &Path) -> Result<(FolderLock, bool), StoreError> {
        let file = FolderLock::open(folder)?;
        let alone = file.try_lock().is_ok() && file.unlock().is_ok();
        let begun = Instant::now();
        loop {
            match file.try_lock_shared() {
                // Where files cannot be locked, nobody can be told to wait.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok((FolderLock(file), alone)),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Busy { path: folder.join("games.db") });
                }
            }
        }
    }

    /// Keeps everybody out, if nobody is there.
    pub(crate) fn alone(folder: &Path) -> Result<FolderLock, StoreError> {
        let file = FolderLock::open(folder)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: folder.to_owned() }),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(FolderLock(file)),
        }
    }
}
