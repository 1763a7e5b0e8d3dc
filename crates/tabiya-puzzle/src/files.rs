//! Boards in files. A save is all or nothing: the new text takes the place of the old in one step.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use tabiya_base::write_atomically;

use crate::{Board, PlainError};

/// The longest file that is read. A full board needs 3 KiB; the rest is for the spaces that the
/// format allows.
const LONGEST: u64 = 1 << 20;

impl Board {
    /// Reads a board from a file in the plain format.
    ///
    /// ```
    /// # use tabiya_puzzle::Board;
    /// let error = Board::read("no/such/file").unwrap_err();
    /// assert!(error.to_string().starts_with("no/such/file: "), "{error}");
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Board, BoardFileError> {
        let path = path.as_ref();
        let io = |source| BoardFileError::Io { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        File::open(path).map_err(io)?.take(LONGEST + 1).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > LONGEST {
            return Err(BoardFileError::TooLong { path: path.to_owned() });
        }
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(BoardFileError::NotText { path: path.to_owned() });
        };
        text.parse().map_err(|source| BoardFileError::Plain { path: path.to_owned(), source })
    }

    /// Saves the board to a file in the plain format, in place of what the file had.
    ///
    /// ```
    /// # use tabiya_puzzle::Board;
    /// let board: Board = "3\nKa1, Bb1\nKc3".parse()?;
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("board.txt");
    /// board.save(&path)?;
    /// assert_eq!(Board::read(&path)?, board);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        let path = path.as_ref();
        replace(path, self.plain().as_bytes())
            .map_err(|source| SaveError { path: path.to_owned(), source })
    }
}

/// Writes beside the file, then renames over it: a crash leaves the old file or the new one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link: what it points to is replaced.
    let target = match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        real => real?,
    };
    if fs::metadata(&target).is_ok_and(|former| !former.is_file()) {
        return Err(io::Error::other("not a regular file"));
    }
    if target.file_name().is_none() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not the name of a file"));
    }
    write_atomically(&target, |file| file.write_all(bytes))
}

/// Why a board could not be read from a file.
///
/// ```
/// use tabiya_puzzle::{Board, BoardFileError};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("board.txt");
/// std::fs::write(&path, "3\nKa1\n")?;
/// let error = Board::read(&path).unwrap_err();
/// assert!(error.to_string().ends_with("line 3: Black has no pieces"), "{error}");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum BoardFileError {
    /// The file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is longer than any board.
    #[error("{}: too long for a board", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// The file is not UTF-8.
    #[error("{}: not a text", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// The text is not a board.
    #[error("{}: {source}", path.display())]
    Plain {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: PlainError,
    },
}

/// Why a board could not be saved.
///
/// ```
/// use tabiya_puzzle::Board;
///
/// let board: Board = "3\nKa1\nKc3".parse()?;
/// let error = board.save("no/such/folder/file").unwrap_err();
/// assert!(error.to_string().starts_with("no/such/folder/file: "), "{error}");
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}
