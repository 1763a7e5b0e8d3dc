use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file that is there as a whole or not at all: beside it, to the disk, then in its place. If anything fails,
/// what was there stays, and the error is the system's own.
///
/// ```
/// use std::io::Write as _;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes.txt");
/// tabiya_base::write_atomically(&path, |file| file.write_all(b"e4"))?;
/// let failed = tabiya_base::write_atomically(&path, |file| {
///     file.write_all(b"half of")?;
///     Err(std::io::Error::other("the disk is full"))
/// });
/// assert!(failed.is_err());
/// assert_eq!(std::fs::read(&path)?, b"e4");
/// assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // Through a link, the file that it leads to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (mut file, beside) = create_beside(folder)?;
    let written = write_whole(&mut file, write)
        .and_then(|()| match fs::metadata(&path) {
            // As the one it replaces.
            Ok(known) => file.set_permissions(known.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
        return written;
    }
    // The name is on the disk when its folder is; where folders cannot be opened, this is all there is.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn write_whole(
    file: &mut File,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffered = io::BufWriter::new(file);
    write(&mut buffered)?;
    buffered.flush()
}

/// A new file of a name that nobody else has.
fn create_beside(folder: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".tabiya-{}-{number}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
}
