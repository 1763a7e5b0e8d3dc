#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use core::fmt;
use core::str::FromStr;

use crate::{Cell, text};

/// From one cell to another, written as both without anything between: 4 to 6 characters.
///
/// ```
/// use tabiya_puzzle::Move;
///
/// let m: Move = "a1z26".parse()?;
/// assert_eq!((m.from.to_string(), m.to.to_string()), ("a1".into(), "z26".into()));
/// assert_eq!(m.to_string(), "a1z26");
/// # Ok::<(), tabiya_puzzle::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Cell,
    /// Where it goes.
    pub to: Cell,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        let read = || {
            // The second cell begins with the second letter.
            let second = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase())?.0;
            let (from, to) = text.split_at_checked(second)?;
            Some(Move { from: from.parse().ok()?, to: to.parse().ok()? })
        };
        read().ok_or_else(|| MoveError { text: text::excerpt(text) })
    }
}

/// A text that is not a move.
///
/// ```
/// use tabiya_puzzle::Move;
///
/// let error = "b5-c4".parse::<Move>().unwrap_err();
/// assert_eq!(error.to_string(), "`b5-c4` is not a move: moves are written like b5c4 or a1z26");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} is not a move: moves are written like b5c4 or a1z26")]
pub struct MoveError {
    /// The text, in backquotes, shortened if long.
    pub text: String,
}
