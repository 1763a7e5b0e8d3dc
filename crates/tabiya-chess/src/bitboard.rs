use core::fmt;
use core::iter::FusedIterator;
use core::num::NonZeroU64;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub, SubAssign,
};

use crate::{File, Rank, Square};

/// A set of squares, one bit each: bit 0 is a1, bit 63 is h8.
///
/// Sets combine with `|`, `&`, `^`, `-` and `!`, and iterate from a1 to h8.
///
/// ```
/// use tabiya_chess::{bitboard, Bitboard, File, Rank, Square};
///
/// let cross = Bitboard::from(File::D) ^ Bitboard::from(Rank::Fourth);
/// assert_eq!(
///     cross,
///     bitboard! {
///         . . . X . . . .
///         . . . X . . . .
///         . . . X . . . .
///         . . . X . . . .
///         X X X . X X X X
///         . . . X . . . .
///         . . . X . . . .
///         . . . X . . . .
///     }
/// );
/// assert_eq!(cross.len(), 14);
/// assert_eq!(cross.into_iter().next(), Some(Square::D1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    ///
    /// ```
    /// # use tabiya_chess::Bitboard;
    /// assert!(Bitboard::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Bitboard = Bitboard(0);

    /// All 64 squares.
    ///
    /// ```
    /// # use tabiya_chess::Bitboard;
    /// assert_eq!(!Bitboard::ALL, Bitboard::EMPTY);
    /// ```
    pub const ALL: Bitboard = Bitboard(!0);

    /// The light squares.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Square};
    /// assert!(Bitboard::LIGHT.contains(Square::H1));
    /// ```
    pub const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);

    /// Whether the set has no square.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Square};
    /// assert!(!Square::E4.bitboard().is_empty());
    /// ```
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has any square.
    ///
    /// ```
    /// # use tabiya_chess::Bitboard;
    /// assert!(Bitboard::ALL.any());
    /// ```
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many squares it holds.
    ///
    /// ```
    /// # use tabiya_chess::Bitboard;
    /// assert_eq!(Bitboard::LIGHT.len(), 32);
    /// ```
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it holds the square.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Rank, Square};
    /// assert!(Bitboard::from(Rank::First).contains(Square::E1));
    /// ```
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 == 1
    }

    /// Whether the two sets share a square.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, File, Rank};
    /// assert!(Bitboard::from(Rank::First).meets(File::A));
    /// ```
    #[inline]
    pub fn meets(self, other: impl Into<Bitboard>) -> bool {
        self.0 & other.into().0 != 0
    }

    /// Adds a square.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Square};
    /// let mut set = Bitboard::EMPTY;
    /// set.insert(Square::C3);
    /// assert!(set.contains(Square::C3));
    /// ```
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square as u8;
    }

    /// Takes a square out.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Square};
    /// let mut set = Bitboard::ALL;
    /// set.remove(Square::C3);
    /// assert_eq!(set.len(), 63);
    /// ```
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square as u8);
    }

    /// The square nearest to a1 in reading order of the bits, if there is one.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Rank, Square};
    /// assert_eq!(Bitboard::from(Rank::Second).first(), Some(Square::A2));
    /// assert_eq!(Bitboard::EMPTY.first(), None);
    /// ```
    #[inline]
    pub const fn first(self) -> Option<Square> {
        match NonZeroU64::new(self.0) {
            Some(bits) => Some(Square::from_low_bits(bits.trailing_zeros())),
            None => None,
        }
    }

    /// The only square of a set of one.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Square};
    /// assert_eq!(Square::E4.bitboard().single(), Some(Square::E4));
    /// assert_eq!(Bitboard::ALL.single(), None);
    /// ```
    #[inline]
    pub const fn single(self) -> Option<Square> {
        if self.has_more_than_one() { None } else { self.first() }
    }

    /// Whether it holds two squares or more.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Square};
    /// assert!(!Square::E4.bitboard().has_more_than_one());
    /// assert!(Bitboard::ALL.has_more_than_one());
    /// ```
    #[inline]
    pub const fn has_more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The set seen from the other side of the board, ranks reversed.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Rank};
    /// assert_eq!(Bitboard::from(Rank::First).flip_ranks(), Rank::Eighth.into());
    /// ```
    #[inline]
    pub const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// A table of ones and zeros, a1's rank first: `[[0 1 …]`, one line a rank.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Rank};
    /// let table = Bitboard::from(Rank::First).matrix();
    /// assert!(table.starts_with("[[1 1 1 1 1 1 1 1]\n [0 0 0 0 0 0 0 0]\n"));
    /// assert!(table.ends_with(" [0 0 0 0 0 0 0 0]]"));
    /// ```
    pub fn matrix(self) -> String {
        let rows: Vec<String> = Rank::ALL
            .into_iter()
            .map(|rank| {
                let bits = File::ALL
                    .map(|file| if self.contains(Square::new(file, rank)) { "1" } else { "0" });
                format!("[{}]", bits.join(" "))
            })
            .collect();
        format!("[{}]", rows.join("\n "))
    }
}

/// Draws a [`Bitboard`]: rank 8 first, `X` for a square in the set, `.` for one that is not.
///
/// ```
/// use tabiya_chess::{bitboard, Square};
///
/// let corner = bitboard! {
///     . . . . . . . X
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// assert_eq!(corner, Square::H8.bitboard());
/// ```
#[macro_export]
macro_rules! bitboard {
    ($($cell:tt)*) => {{
        const CELLS: &[&str] = &[$(stringify!($cell)),*];
        const SET: $crate::Bitboard = $crate::Bitboard::__from_drawing(CELLS);
        SET
    }};
}

impl Bitboard {
    #[doc(hidden)]
    pub const fn __from_drawing(cells: &[&str]) -> Bitboard {
        assert!(cells.len() == 64, "a board drawing has 64 cells");
        let mut set = 0;
        let mut i = 0;
        while i < 64 {
            match cells[i].as_bytes() {
                b"X" => set |= 1 << (i ^ 56),
                b"." => {}
                _ => panic!("draw a board with X and . only"),
            }
            i += 1;
        }
        Bitboard(set)
    }
}

impl fmt::Display for Bitboard {
    /// Rank 8 first, `X` and `.`; a line a rank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let cells = File::ALL
                .map(|file| if self.contains(Square::new(file, rank)) { "X" } else { "." });
            writeln!(f, "{}", cells.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#018x})", self.0)?;
        if f.alternate() { write!(f, "\n{self}") } else { Ok(()) }
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        square.bitboard()
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u8)
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (8 * rank as u8))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square)
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares.into_iter().for_each(|square| self.insert(square));
    }
}

macro_rules! set_operator {
    ($($trait:ident $method:ident, $assign:ident $assign_method:ident, |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl<T: Into<Bitboard>> $trait<T> for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: T) -> Bitboard {
                let ($a, $b) = (self.0, other.into().0);
                Bitboard($value)
            }
        }

        impl<T: Into<Bitboard>> $assign<T> for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: T) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}

set_operator! {
    BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b;
    BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b;
    BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b;
    Sub sub, SubAssign sub_assign, |a, b| a & !b;
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn shl(self, by: u32) -> Bitboard {
        Bitboard(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn shr(self, by: u32) -> Bitboard {
        Bitboard(self.0 >> by)
    }
}

impl core::iter::Sum for Bitboard {
    /// The union.
    fn sum<I: Iterator<Item = Bitboard>>(sets: I) -> Bitboard {
        sets.fold(Bitboard::EMPTY, |union, set| union | set)
    }
}

/// The squares of a [`Bitboard`], from a1 to h8.
///
/// ```
/// # use tabiya_chess::{Bitboard, Rank, Square};
/// let squares: Vec<Square> = Bitboard::from(Rank::First).into_iter().take(2).collect();
/// assert_eq!(squares, [Square::A1, Square::B1]);
/// ```
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}
