use std::fmt;
use std::time::Duration;

use tabiya_chess::ParseMoveError;

use crate::{OptionError, PositionError};

/// What went wrong with another engine.
///
/// ```
/// use tabiya_uci_protocol::{EngineError, Program};
///
/// let error = Program::new("/no/such/engine").start().unwrap_err();
/// assert!(matches!(error, EngineError::NotStarted { .. }));
/// assert!(error.to_string().starts_with("engine cannot be started: "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineError {
    /// The program does not run.
    NotStarted {
        /// The engine.
        engine: String,
        /// What the system says.
        reason: String,
    },
    /// The program has ended.
    Exited {
        /// The engine.
        engine: String,
        /// What it was asked to do.
        task: EngineTask,
        /// How it ended, in words.
        status: String,
        /// The last line of its error output (cut short if long).
        last_words: Option<String>,
    },
    /// The program runs, but does not say what it should.
    Silent {
        /// The engine.
        engine: String,
        /// What it was asked to do.
        task: EngineTask,
        /// How long we waited.
        waited: Duration,
        /// What it said last (cut short if long).
        last_line: Option<String>,
    },
    /// The program runs, but does not read what it is told.
    NotListening {
        /// The engine.
        engine: String,
        /// What it was asked to do.
        task: EngineTask,
    },
    /// An option that the engine does not have, or not with that value.
    BadOption {
        /// The engine.
        engine: String,
        /// What is wrong.
        error: OptionError,
    },
    /// The game is no game: it is not the engine's fault.
    BadPosition {
        /// The engine that was not asked.
        engine: String,
        /// What is wrong.
        error: PositionError,
    },
    /// The engine wants to make a move that it cannot.
    IllegalMove {
        /// The engine.
        engine: String,
        /// The move as it was written (cut short if long).
        text: String,
        /// What is wrong.
        reason: ParseMoveError,
    },
}

/// What an engine was asked to do.
///
/// ```
/// use tabiya_uci_protocol::EngineTask;
///
/// assert_eq!(EngineTask::Think.to_string(), "think");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineTask {
    /// Introduce itself: `uci`.
    Begin,
    /// Take in options or a game: `isready`.
    GetReady,
    /// Find a move: `go`.
    Think,
    /// End: `quit`.
    Quit,
}

impl fmt::Display for EngineTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EngineTask::Begin => "begin",
            EngineTask::GetReady => "get ready",
            EngineTask::Think => "think",
            EngineTask::Quit => "quit",
        })
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::NotStarted { engine, reason } => {
                write!(f, "{engine} cannot be started: {reason}")
            }
            EngineError::Exited { engine, task, status, last_words } => {
                write!(f, "{engine} ended when asked to {task} ({status})")?;
                last_words.as_ref().map_or(Ok(()), |words| write!(f, "; its last words: {words}"))
            }
            EngineError::Silent { engine, task, waited, last_line } => {
                write!(f, "{engine} was asked to {task} and has not answered for {waited:.1?}")?;
                last_line.as_ref().map_or(Ok(()), |line| write!(f, "; it said last: {line}"))
            }
            EngineError::NotListening { engine, task } => {
                write!(f, "{engine} does not read that it is asked to {task}")
            }
            EngineError::BadOption { engine, error } => write!(f, "{engine}: {error}"),
            EngineError::BadPosition { engine, error } => write!(f, "{engine}: {error}"),
            EngineError::IllegalMove { engine, text, reason } => {
                write!(f, "{engine} wants to play {text:?}: {reason}")
            }
        }
    }
}

impl std::error::Error for EngineError {}
