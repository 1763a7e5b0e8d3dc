use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a database cannot be used.
///
/// ```
/// use tabiya_db::Database;
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("manifest.json"), "{}")?;
/// let error = Database::open(folder.path()).err().expect("an empty list");
/// assert!(error.to_string().ends_with("manifest.json is no list of a database of games"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Error)]
pub enum DbError {
    /// There is none.
    #[error("there is no database of games in {}", .0.display())]
    None(PathBuf),
    /// The file is something else.
    #[error("{} is no list of a database of games", .0.display())]
    Foreign(PathBuf),
    /// It was made by a later Tabiya.
    #[error("{} is of version {version}, and this Tabiya knows only {known}", path.display(), known = crate::VERSION)]
    Later {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A file is not what was written.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is no such game.
    #[error("there is no game {number}: the database has {games}")]
    NoGame {
        /// The number that was asked for.
        number: u64,
        /// How many there are.
        games: u64,
    },
    /// What is asked for cannot be answered.
    #[error("{0}")]
    Question(String),
}

/// A text that does not say which games are wanted.
///
/// ```
/// use tabiya_db::{Day, ParseFilterError};
///
/// let error = "soon".parse::<Day>().unwrap_err();
/// assert_eq!(error, ParseFilterError::Day("soon".to_owned()));
/// assert_eq!(error.to_string(), "\"soon\" is no date: write 1972, 1972.07 or 1972.07.11");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseFilterError {
    /// No day.
    #[error("{0:?} is no date: write 1972, 1972.07 or 1972.07.11")]
    Day(String),
    /// No speed.
    #[error("{0:?} is no speed: bullet, blitz, rapid, classical, correspondence or unknown")]
    Speed(String),
    /// No men.
    #[error(
        "{0:?} is no material: write it like KRPvKR; behind a letter, + is one or more, * any number, ? one or none, 2 two, 2+ two or more"
    )]
    Men(String),
    /// A pattern of too many ranks, or of none.
    #[error("{0:?} is no pattern: it has eight ranks at most, with / between them")]
    Ranks(String),
    /// A rank of a pattern with more than eight squares.
    #[error("{pattern:?} is no pattern: the rank {rank:?} is too long")]
    Rank {
        /// The whole.
        pattern: String,
        /// The rank.
        rank: String,
    },
    /// A letter that means nothing in a pattern.
    #[error("{pattern:?} is no pattern: {letter:?} has no meaning in it")]
    Letter {
        /// The whole.
        pattern: String,
        /// The letter.
        letter: char,
    },
}

impl DbError {
    pub(crate) fn damaged(path: &Path, what: impl ToString) -> DbError {
        DbError::Damaged { path: path.to_owned(), what: what.to_string() }
    }
}

/// Names the file in an error of the system.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T, DbError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, DbError> {
        self.map_err(|error| DbError::Io { path: path.to_owned(), error })
    }
}

impl<T> At<T> for parquet::errors::Result<T> {
    fn at(self, path: &Path) -> Result<T, DbError> {
        self.map_err(|error| DbError::damaged(path, error))
    }
}
