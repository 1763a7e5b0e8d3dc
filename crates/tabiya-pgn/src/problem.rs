use std::fmt;
use std::io;

use tabiya_chess::{FenError, ParseMoveError};
use thiserror::Error;

/// A place in a text, as editors count: lines and characters from 1.
///
/// ```
/// # use tabiya_pgn::Place;
/// assert_eq!(Place { line: 3, column: 14 }.to_string(), "3:14");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A game that could not be read. The reader goes on with the next.
///
/// ```
/// use tabiya_pgn::{ReadError, Reader};
///
/// let text = "1. e4 e5 2. Nf6 *\n\n[Event \"The next\"]\n\n1. d4 *\n";
/// let mut games = Reader::new(text.as_bytes()).games();
/// let Some(Err(ReadError::BadGame(bad))) = games.next() else { panic!() };
/// assert_eq!(bad.to_string(), "1:13: game 1: No knight of yours can go to f6.");
/// assert_eq!(games.next().unwrap().unwrap().tag("Event"), Some("The next"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{place}: game {number}: {problem}")]
pub struct BadGame {
    /// The number of the game in the text, from 1.
    pub number: u64,
    /// Where it went wrong.
    pub place: Place,
    /// What went wrong.
    pub problem: Problem,
}

/// What is wrong with a game.
///
/// ```
/// # use tabiya_pgn::Problem;
/// assert_eq!(Problem::UnclosedComment.to_string(), "the comment that begins here is not closed");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// A move that cannot be read or played.
    #[error("{0}")]
    Move(#[from] ParseMoveError),
    /// A null move (`--`) while the king is in check.
    #[error("nobody can pass while in check")]
    NullMoveInCheck,
    /// The `FEN` tag is no position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// The `Variant` tag names a game with other rules.
    #[error("the rules of {0:?} are not known here")]
    Variant(String),
    /// A tag that is not of the form `[Name "value"]`.
    #[error("this is not a tag like [Name \"value\"]")]
    Tag,
    /// A `$` without a number from 0 to 255.
    #[error("$ needs a number from 0 to 255 behind it")]
    Nag,
    /// A character that has no business here.
    #[error("{0:?} has no meaning here")]
    Character(char),
    /// A comment without an end.
    #[error("the comment that begins here is not closed")]
    UnclosedComment,
    /// A variation without an end.
    #[error("the variation that begins here is not closed")]
    UnclosedVariation,
    /// A `)` without a `(`.
    #[error("this ) closes no variation")]
    UnopenedVariation,
    /// A variation before there is a move to vary.
    #[error("there is no move yet that this variation could replace")]
    EarlyVariation,
    /// A comment, tag or word longer than [`MAX_TOKEN`](crate::MAX_TOKEN).
    #[error("this is too long to be a part of a game")]
    LongToken,
    /// More variations inside each other than [`MAX_DEPTH`](crate::MAX_DEPTH).
    #[error("variations are nested too deeply")]
    Depth,
    /// A game longer than [`MAX_GAME`](crate::MAX_GAME).
    #[error("the game is too long")]
    LongGame,
    /// More tags than [`MAX_TAGS`](crate::MAX_TAGS).
    #[error("a game has {} tags at most", crate::MAX_TAGS)]
    ManyTags,
}

/// Why there is no game.
///
/// ```
/// use tabiya_pgn::{ReadError, Reader};
///
/// let error = Reader::new(&b"1. e5 *"[..]).games().next().unwrap().unwrap_err();
/// assert!(matches!(error, ReadError::BadGame(_)));
/// ```
#[derive(Debug, Error)]
pub enum ReadError {
    /// This game is bad; there may be others after it.
    #[error(transparent)]
    BadGame(#[from] BadGame),
    /// The source cannot be read. Nothing more comes.
    #[error(transparent)]
    Io(#[from] io::Error),
}
