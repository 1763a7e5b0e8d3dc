use thiserror::Error;

/// Why a thinker gave no move.
///
/// ```
/// use tabiya_thinker::{ThinkError, ThinkErrorKind};
///
/// let error = ThinkError::new(ThinkErrorKind::Crashed, "ended when asked to think");
/// assert_eq!(error.by("Reed").to_string(), "Reed ended when asked to think");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{thinker}{}{message}", if thinker.is_empty() { "" } else { " " })]
pub struct ThinkError {
    /// What kind of failure it is.
    pub kind: ThinkErrorKind,
    /// Who failed, if that is worth saying.
    pub thinker: String,
    /// What it did, for whoever asked: it tells nothing of the machine.
    pub message: String,
    /// More, for whoever runs the machine; empty if there is no more to say.
    pub detail: String,
}

/// How a thinker can fail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThinkErrorKind {
    /// It is gone.
    Crashed,
    /// It did not answer in time.
    Timeout,
    /// It answered with something that is not a legal move.
    IllegalMove,
    /// Anything else: it cannot be started, has no such option, finds no move.
    Other,
}

impl ThinkError {
    /// A failure without details.
    pub fn new(kind: ThinkErrorKind, message: impl Into<String>) -> ThinkError {
        ThinkError { kind, thinker: String::new(), message: message.into(), detail: String::new() }
    }

    /// The same, of somebody by name.
    #[must_use]
    pub fn by(self, thinker: &str) -> ThinkError {
        ThinkError { thinker: thinker.to_owned(), ..self }
    }

    /// There was no move to be found.
    pub fn no_move() -> ThinkError {
        ThinkError::new(ThinkErrorKind::Other, "found no move")
    }
}
