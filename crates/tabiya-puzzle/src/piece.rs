use core::fmt;
use core::ops::Not;

use crate::Cell;

/// White or Black. White starts.
///
/// ```
/// use tabiya_puzzle::Side;
///
/// assert_eq!(!Side::White, Side::Black);
/// assert_eq!(Side::White.to_string(), "White");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The side that starts.
    White,
    /// The other.
    Black,
}

impl Side {
    /// Both sides.
    pub const ALL: [Side; 2] = [Side::White, Side::Black];
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// What a piece is.
///
/// ```
/// use tabiya_puzzle::Kind;
///
/// assert_eq!(Kind::Bishop.letter(), 'B');
/// assert_eq!(Kind::King.to_string(), "king");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Slides along diagonals.
    Bishop,
    /// Steps to any cell beside it; the one that must not be lost.
    King,
}

impl Kind {
    /// The letter in files.
    pub const fn letter(self) -> char {
        match self {
            Kind::Bishop => 'B',
            Kind::King => 'K',
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Bishop => "bishop",
            Kind::King => "king",
        })
    }
}

/// A piece on a cell. It displays as in files, where the line tells the side.
///
/// ```
/// use tabiya_puzzle::{Kind, Piece, Side};
///
/// let piece = Piece { side: Side::White, kind: Kind::Bishop, cell: "e14".parse()? };
/// assert_eq!(piece.to_string(), "Be14");
/// assert_eq!(piece.figure(), '♗');
/// # Ok::<(), tabiya_puzzle::CellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub cell: Cell,
}

impl Piece {
    /// The chess figure in Unicode.
    pub const fn figure(self) -> char {
        match (self.side, self.kind) {
            (Side::White, Kind::King) => '♔',
            (Side::White, Kind::Bishop) => '♗',
            (Side::Black, Kind::King) => '♚',
            (Side::Black, Kind::Bishop) => '♝',
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind.letter(), self.cell)
    }
}
