use core::fmt;

use crate::{Bitboard, File, Square};

/// One of the two ways to castle.
///
/// ```
/// use tabiya_chess::{File, Wing};
///
/// assert_eq!(Wing::KingSide.king_file(), File::G);
/// assert_eq!(Wing::QueenSide.rook_file(), File::D);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wing {
    /// Towards the h-file, written `O-O`.
    KingSide,
    /// Towards the a-file, written `O-O-O`.
    QueenSide,
}

impl Wing {
    /// Both, king side first.
    ///
    /// ```
    /// # use tabiya_chess::Wing;
    /// assert_eq!(Wing::ALL.len(), 2);
    /// ```
    pub const ALL: [Wing; 2] = [Wing::KingSide, Wing::QueenSide];

    /// The wing on which a rook stands, seen from the king.
    ///
    /// ```
    /// # use tabiya_chess::{Square, Wing};
    /// assert_eq!(Wing::of(Square::E1, Square::H1), Wing::KingSide);
    /// ```
    pub const fn of(king: Square, rook: Square) -> Wing {
        if rook as u8 > king as u8 { Wing::KingSide } else { Wing::QueenSide }
    }

    /// The file on which the king ends.
    ///
    /// ```
    /// # use tabiya_chess::{File, Wing};
    /// assert_eq!(Wing::QueenSide.king_file(), File::C);
    /// ```
    pub const fn king_file(self) -> File {
        match self {
            Wing::KingSide => File::G,
            Wing::QueenSide => File::C,
        }
    }

    /// The file on which the rook ends.
    ///
    /// ```
    /// # use tabiya_chess::{File, Wing};
    /// assert_eq!(Wing::KingSide.rook_file(), File::F);
    /// ```
    pub const fn rook_file(self) -> File {
        match self {
            Wing::KingSide => File::F,
            Wing::QueenSide => File::D,
        }
    }

    /// `O-O` or `O-O-O`.
    ///
    /// ```
    /// # use tabiya_chess::Wing;
    /// assert_eq!(Wing::QueenSide.notation(), "O-O-O");
    /// ```
    pub const fn notation(self) -> &'static str {
        match self {
            Wing::KingSide => "O-O",
            Wing::QueenSide => "O-O-O",
        }
    }
}

impl fmt::Display for Wing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Wing::KingSide => "king side",
            Wing::QueenSide => "queen side",
        })
    }
}

/// The right to castle, kept as the squares of the rooks that still may. This says all there is to
/// say, in Chess960 too: a right is lost when its rook moves or is taken, or the king moves.
///
/// ```
/// use tabiya_chess::{CastlingRights, Position, Square};
///
/// let start = Position::initial();
/// assert!(start.castling_rights().contains(Square::H1));
/// let rights = CastlingRights::NONE.with(Square::A8);
/// assert_eq!(rights.rooks(), Square::A8.bitboard());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights(pub(crate) Bitboard);

impl CastlingRights {
    /// Nobody may castle.
    ///
    /// ```
    /// # use tabiya_chess::CastlingRights;
    /// assert!(CastlingRights::NONE.rooks().is_empty());
    /// ```
    pub const NONE: CastlingRights = CastlingRights(Bitboard::EMPTY);

    /// Everybody may, with rooks in the corners.
    ///
    /// ```
    /// # use tabiya_chess::{CastlingRights, Position};
    /// assert_eq!(Position::initial().castling_rights(), CastlingRights::STANDARD);
    /// ```
    pub const STANDARD: CastlingRights = CastlingRights(Bitboard(0x8100_0000_0000_0081));

    /// The rooks that may castle.
    ///
    /// ```
    /// # use tabiya_chess::CastlingRights;
    /// assert_eq!(CastlingRights::STANDARD.rooks().len(), 4);
    /// ```
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// Whether the rook on that square may castle.
    ///
    /// ```
    /// # use tabiya_chess::{CastlingRights, Square};
    /// assert!(CastlingRights::STANDARD.contains(Square::A1));
    /// ```
    pub const fn contains(self, rook: Square) -> bool {
        self.0.contains(rook)
    }

    /// The same rights and the one of the rook on that square.
    ///
    /// ```
    /// # use tabiya_chess::{CastlingRights, Square};
    /// assert!(CastlingRights::NONE.with(Square::H8).contains(Square::H8));
    /// ```
    #[must_use]
    pub const fn with(self, rook: Square) -> CastlingRights {
        CastlingRights(Bitboard(self.0.0 | 1 << rook as u8))
    }

    /// The same rights but the one of the rook on that square.
    ///
    /// ```
    /// # use tabiya_chess::{CastlingRights, Square};
    /// assert!(!CastlingRights::STANDARD.without(Square::H8).contains(Square::H8));
    /// ```
    #[must_use]
    pub const fn without(self, rook: Square) -> CastlingRights {
        CastlingRights(Bitboard(self.0.0 & !(1 << rook as u8)))
    }
}
