use thiserror::Error;

/// Why a queue could not do something, as a sentence.
///
/// ```
/// use tabiya_jobs::QueueError;
///
/// let error = QueueError::Differs { job: 7 };
/// assert!(error.to_string().contains("job 7") && !error.is_unreachable());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum QueueError {
    /// The database does not answer; it may later.
    #[error("the queue at {place} cannot be reached: {reason}")]
    Unreachable {
        /// Where it is.
        place: String,
        /// What the system says.
        reason: String,
    },
    /// The tables are of another version.
    #[error(
        "the queue at {place} was made by another version of Tabiya ({reason}); it is left as it is"
    )]
    Version {
        /// Where it is.
        place: String,
        /// What is different.
        reason: String,
    },
    /// The file is something else.
    #[error("{place} is not a queue: {reason}")]
    NotOurs {
        /// Where it is.
        place: String,
        /// What the database says.
        reason: String,
    },
    /// A second result of a job is not the first one.
    #[error("job {job} has a result already, and this one is different: the first one stays")]
    Differs {
        /// The job.
        job: i64,
    },
    /// Nobody has entered such a batch.
    #[error("the queue has no batch “{0}”")]
    NoBatch(String),
    /// Another key has the name.
    #[error("there is a key “{0}” already")]
    KeyTaken(String),
    /// Anything else that the database objects to.
    #[error("the queue at {place}: {reason}")]
    Database {
        /// Where it is.
        place: String,
        /// What the database says.
        reason: String,
    },
}

impl QueueError {
    /// Whether it is worth while to try again later.
    pub const fn is_unreachable(&self) -> bool {
        matches!(self, QueueError::Unreachable { .. })
    }
}

/// What to do after an error of the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Somebody else was in the way: the same again, at once.
    Again,
    /// It does not answer.
    Away,
    /// It has answered.
    Refused,
}

pub(crate) fn kind(error: &sqlx::Error) -> Kind {
    use sqlx::Error as E;
    match error {
        E::Io(_) | E::Tls(_) | E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed => Kind::Away,
        // The connection has ended in the middle of a message.
        E::Protocol(_) => Kind::Away,
        E::Database(database) => match database.code().as_deref() {
            // Serialization failure, deadlock; a locked file, also within the same process.
            Some("40001" | "40P01" | "5" | "6" | "261" | "262" | "517") => Kind::Again,
            // Going down, coming up, too many connections; and the class of failed connections.
            Some("57P01" | "57P02" | "57P03" | "53300") => Kind::Away,
            Some(code) if code.len() == 5 && code.starts_with("08") => Kind::Away,
            _ => Kind::Refused,
        },
        _ => Kind::Refused,
    }
}
