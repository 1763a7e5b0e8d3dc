use std::io::{self, Write};
use std::path::Path;

/// Writes a file that is there as a whole or not at all: beside it, to the disk, then in its place. If anything fails,
/// what was there stays.
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
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file, or as the one it replaces: not as private as temporary files are.
        let mode =
            std::fs::metadata(&path).map_or(0o666, |known| known.permissions().mode() & 0o777);
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    let mut file = builder.prefix(".tabiya-").tempfile_in(folder)?;
    {
        let mut buffered = io::BufWriter::new(file.as_file_mut());
        write(&mut buffered)?;
        buffered.flush()?;
    }
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    // The name is on the disk when its folder is; where folders cannot be opened, this is all there is.
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
