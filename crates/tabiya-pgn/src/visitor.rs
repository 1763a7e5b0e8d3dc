use std::borrow::Cow;

use tabiya_chess::{Move, Position};

use crate::text::{decode, unescape};
use crate::{GameResult, Nag};

/// Told of a game while it is read. Everything is borrowed from the reader: nothing is allocated
/// for a move, a tag or a comment that nobody keeps.
///
/// A game that turns out to be bad stops in the middle, without [`Visitor::end_game`].
///
/// ```
/// use tabiya_pgn::{Played, Reader, Visitor};
///
/// /// Counts captures, variations included.
/// #[derive(Default)]
/// struct Captures(usize);
///
/// impl Visitor for Captures {
///     fn played(&mut self, played: &Played<'_>) {
///         self.0 += usize::from(played.san.contains(&b'x'));
///     }
/// }
///
/// let mut captures = Captures::default();
/// let mut reader = Reader::new(&b"1. e4 d5 2. exd5 (2. e5) 2... Qxd5 *"[..]);
/// while reader.visit(&mut captures)? {}
/// assert_eq!(captures.0, 2);
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self) {}

    /// A tag of the game.
    fn tag(&mut self, _tag: RawTag<'_>) {}

    /// The tags are over: the moves begin from this position. If they are of no interest, they are
    /// neither checked nor told of.
    fn begin_moves(&mut self, _start: &Position) -> Interest {
        Interest::Read
    }

    /// A legal move.
    fn played(&mut self, _played: &Played<'_>) {}

    /// A judgement on the last move.
    fn nag(&mut self, _nag: Nag) {}

    /// A comment, without its braces, as it stands in the file.
    fn comment(&mut self, _text: &[u8]) {}

    /// A variation begins, from the position before the last move. If it is of no interest, all
    /// until its end is neither checked nor told of, the end included.
    fn begin_variation(&mut self) -> Interest {
        Interest::Read
    }

    /// The variation that began last is over: what follows belongs to the line it left.
    fn end_variation(&mut self) {}

    /// The game is over, with the result that stands behind its moves.
    fn end_game(&mut self, _result: Option<GameResult>) {}
}

/// Wants nothing but to know whether games are good.
///
/// ```
/// # use tabiya_pgn::Reader;
/// let mut reader = Reader::new(&b"1. e4 e5 1/2-1/2"[..]);
/// assert!(reader.visit(&mut ()).unwrap());
/// assert!(!reader.visit(&mut ()).unwrap());
/// ```
impl Visitor for () {}

/// Whether a [`Visitor`] wants to know what comes.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_pgn::{Interest, Reader, Visitor};
///
/// struct NoMoves;
///
/// impl Visitor for NoMoves {
///     fn begin_moves(&mut self, _start: &Position) -> Interest {
///         Interest::Skip
///     }
/// }
///
/// // Nobody looks at the move.
/// assert!(Reader::new(&b"1. e9 *"[..]).visit(&mut NoMoves).is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    /// Tell me all.
    Read,
    /// Pass over it.
    Skip,
}

/// A tag as it stands in the file: `[White "Réti, Richard"]`.
///
/// ```
/// # use tabiya_pgn::RawTag;
/// let tag = RawTag { name: b"White", raw_value: b"Richard R\xE9ti, \\\"the artist\\\"" };
/// assert_eq!(tag.value(), "Richard Réti, \"the artist\"");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawTag<'a> {
    /// The name: letters, digits, underscores.
    pub name: &'a [u8],
    /// What stands between the quotation marks, `\"` and `\\` as written.
    pub raw_value: &'a [u8],
}

impl<'a> RawTag<'a> {
    /// The value as text: UTF-8, or Latin-1 where it is not.
    ///
    /// ```
    /// # use tabiya_pgn::RawTag;
    /// assert_eq!(RawTag { name: b"Site", raw_value: b"Hastings" }.value(), "Hastings");
    /// ```
    pub fn value(&self) -> Cow<'a, str> {
        unescape(decode(self.raw_value))
    }
}

/// A move that was read, legal in its position.
///
/// ```
/// use tabiya_pgn::{Played, Reader, Visitor};
///
/// struct Last(String);
///
/// impl Visitor for Last {
///     fn played(&mut self, played: &Played<'_>) {
///         self.0 = played.after.fen();
///     }
/// }
///
/// let mut last = Last(String::new());
/// Reader::new(&b"1. e4 e5 *"[..]).visit(&mut last).unwrap();
/// assert!(last.0.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The text, as it stands in the file.
    pub san: &'a [u8],
    /// The move; none for a null move (`--`), with which annotators show a threat.
    pub played: Option<Move>,
    /// The position before.
    pub before: &'a Position,
    /// The position after.
    pub after: &'a Position,
}
