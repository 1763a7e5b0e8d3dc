use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::Material;

/// What can go wrong with tables.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: this file is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A table of another version of this program.
    #[error("{}: this table is of version {version}, and only version {} can be read: `tabiya tables make` with the name of the ending makes it anew", path.display(), crate::file::VERSION)]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// There is no table of this ending.
    #[error("there is no table of {0}")]
    Missing(Material),
    /// Too many men for tables.
    #[error("{0} men are too many: tables are made of 3 to 5")]
    MenToMake(usize),
    /// A way to mate is longer than can be written down.
    #[error("{0}: a mate takes more than 254 plies, which these tables cannot hold")]
    TooLong(Material),
    /// Castling is possible, which tables leave out.
    #[error("castling is possible here, and tables leave it out")]
    Castling,
    /// Too many men for any table there is.
    #[error("{men} men are on the board, and the largest table here is of {most}")]
    TooManyMen {
        /// On the board.
        men: usize,
        /// In tables.
        most: usize,
    },
    /// A table says what cannot be.
    #[error("{material}: a table is wrong at {fen}: it says {found}, its moves say {expected}")]
    Wrong {
        /// The ending.
        material: Material,
        /// A position.
        fen: String,
        /// What the table says.
        found: String,
        /// What follows from the positions after it.
        expected: String,
    },
    /// Somebody asked to stop.
    #[error("stopped: what is finished is kept, and the same command goes on from there")]
    Stopped,
    /// Tables that do not fit together.
    #[error("the tables do not fit together")]
    Inconsistent,
}

impl TableError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> TableError {
        let path = path.into();
        |error| TableError::File { path, error }
    }

    pub(crate) fn damaged(path: impl Into<PathBuf>) -> impl FnOnce(&'static str) -> TableError {
        let path = path.into();
        |what| TableError::Damaged { path, what }
    }
}
