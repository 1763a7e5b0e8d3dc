use std::path::PathBuf;

use thiserror::Error;

use crate::{CardId, GameId, GameSort, StudyId};

/// Why the store could not do something, as a sentence. What was in it is untouched.
///
/// ```
/// use tabiya_store::StoreError;
///
/// let newer = StoreError::Newer { path: "games.db".into(), found: 9, known: 1 };
/// assert_eq!(
///     newer.to_string(),
///     "games.db was written by a newer Tabiya (format 9, this one knows 1); it is left as it is"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StoreError {
    /// There is no folder to keep games in.
    #[error("games cannot be kept in {}: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Nobody knows where this person's files are.
    #[error("there is no home folder to keep games in; choose one with --data or TABIYA_DATA")]
    NoHome,
    /// The file is broken.
    #[error(
        "{} is damaged ({reason}); it is left as it is: put a copy in its place, or move it away to begin anew",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the database says.
        reason: String,
    },
    /// The file belongs to somebody else.
    #[error("{} is not a file of Tabiya's games; it is left as it is", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a later version.
    #[error(
        "{} was written by a newer Tabiya (format {found}, this one knows {known}); it is left as it is",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// Our version.
        known: i64,
    },
    /// There is no such game.
    #[error("there is no game {0}")]
    NoGame(GameId),
    /// There is no such study.
    #[error("there is no study {0}")]
    NoStudy(StudyId),
    /// There is no such card.
    #[error("there is no card {0}")]
    NoCard(CardId),
    /// Somebody else has played on.
    #[error("game {0} has been changed from elsewhere meanwhile: open it again")]
    Changed(GameId),
    /// Somebody else has worked on it.
    #[error("study {0} has been changed from elsewhere meanwhile: open it again")]
    StudyChanged(StudyId),
    /// A study has room for no more chapters.
    #[error("a study has {0} chapters at most")]
    TooManyChapters(usize),
    /// The only chapter of a study cannot be taken out.
    #[error("a study keeps one chapter: delete the study instead")]
    LastChapter,
    /// Somebody else has taken the seat.
    #[error("somebody else has taken that seat of game {0}")]
    Taken(GameId),
    /// What is stored is no game.
    #[error("game {id} cannot be read: {reason}")]
    BadGame {
        /// The game.
        id: GameId,
        /// What is wrong with it.
        reason: String,
    },
    /// Games are not sorted by that.
    #[error("games are sorted by {names}, not by {0:?}", names = GameSort::ALL.map(GameSort::name).join(", "))]
    NoSort(String),
    /// What should be a place in a list is none.
    #[error("a place in a list is like 1763200000012.17, not {0:?}")]
    NoPlace(String),
    /// A file of games cannot be read.
    #[error("the games cannot be read: {0}")]
    Import(String),
    /// Another program has had the file for too long.
    #[error("another program is busy with {}; try again in a moment", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Somebody plays here.
    #[error(
        "the games in {} are in use: end the server, and every game that is played there, first",
        path.display()
    )]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// There is something where a file should be written.
    #[error("{} is there already, and is left as it is: choose another name", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A copy of the games could not be made or read.
    #[error("{}: {reason}", path.display())]
    Copy {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// What should be put in place of the games is not sound.
    #[error("{} is not sound, so nothing was changed: {}", path.display(), faults.join("; "))]
    Unsound {
        /// The file.
        path: PathBuf,
        /// What is wrong with it: the first of it.
        faults: Vec<String>,
    },
    /// The database could not do it: the disk is full, the file is locked or read-only.
    #[error("the game could not be kept: {0}")]
    Database(String),
}

impl StoreError {
    pub(crate) fn bad_game(id: GameId, reason: impl std::fmt::Display) -> StoreError {
        StoreError::BadGame { id, reason: reason.to_string() }
    }

    /// The same about the file that somebody named, of which a copy was looked at.
    pub(crate) fn about(self, file: &std::path::Path) -> StoreError {
        let path = file.to_owned();
        match self {
            StoreError::Damaged { reason, .. } => StoreError::Damaged { path, reason },
            StoreError::NotOurs { .. } => StoreError::NotOurs { path },
            StoreError::Newer { found, known, .. } => StoreError::Newer { path, found, known },
            other => other,
        }
    }

    pub(crate) fn copy(path: &std::path::Path, reason: impl std::fmt::Display) -> StoreError {
        StoreError::Copy { path: path.to_owned(), reason: reason.to_string() }
    }

    /// What went wrong with the file as a whole.
    pub(crate) fn of_file(path: &std::path::Path, error: &sqlx::Error) -> StoreError {
        let path = path.to_owned();
        let reason = reason(error);
        match code(error).as_deref() {
            _ if is_busy(error) => StoreError::Busy { path },
            // SQLITE_CORRUPT and SQLITE_NOTADB.
            Some("11" | "26" | "267" | "523" | "779") => StoreError::Damaged { path, reason },
            // SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM and their kin.
            Some("14" | "8" | "3" | "264" | "520" | "776" | "1032" | "1544") => {
                StoreError::Folder { path, reason }
            }
            _ => StoreError::Database(reason),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(reason(&error))
    }
}

/// Whether somebody else has the file just now, so that it is worth asking again.
pub(crate) fn is_busy(error: &sqlx::Error) -> bool {
    // SQLITE_BUSY and SQLITE_LOCKED; what kind of waiting is meant is in the higher bits.
    let code = code(error).and_then(|code| code.parse::<u32>().ok());
    matches!(code.map(|code| code & 0xff), Some(5 | 6))
}

fn code(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(|code| code.into_owned())
}

/// What the database says, without the words around it.
fn reason(error: &sqlx::Error) -> String {
    match error.as_database_error() {
        Some(error) => error.message().to_owned(),
        None => error.to_string(),
    }
}
