use core::fmt;
use core::str::FromStr;

use crate::{Bitboard, Color};

/// A column of the board, `a` to `h`.
///
/// ```
/// use tabiya_chess::File;
///
/// assert_eq!(File::from_letter('c'), Some(File::C));
/// assert_eq!(File::C.index(), 2);
/// assert_eq!(File::C.offset(-3), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All eight, from `a`.
    ///
    /// ```
    /// # use tabiya_chess::File;
    /// assert_eq!(File::ALL[7], File::H);
    /// ```
    pub const ALL: [File; 8] =
        [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// 0 for the a-file to 7 for the h-file.
    ///
    /// ```
    /// # use tabiya_chess::File;
    /// assert_eq!(File::H.index(), 7);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file with the index, none from 8 on.
    ///
    /// ```
    /// # use tabiya_chess::File;
    /// assert_eq!(File::from_index(4), Some(File::E));
    /// assert_eq!(File::from_index(8), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<File> {
        if index < 8 { Some(File::ALL[index]) } else { None }
    }

    /// The letter, `'a'` to `'h'`.
    ///
    /// ```
    /// # use tabiya_chess::File;
    /// assert_eq!(File::D.letter(), 'd');
    /// ```
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file for a letter of either case.
    ///
    /// ```
    /// # use tabiya_chess::File;
    /// assert_eq!(File::from_letter('H'), Some(File::H));
    /// assert_eq!(File::from_letter('i'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter {
            'a'..='h' => Some(File::ALL[letter as usize - 'a' as usize]),
            'A'..='H' => Some(File::ALL[letter as usize - 'A' as usize]),
            _ => None,
        }
    }

    /// The file so many to the right, none off the board.
    ///
    /// ```
    /// # use tabiya_chess::File;
    /// assert_eq!(File::A.offset(2), Some(File::C));
    /// assert_eq!(File::A.offset(-1), None);
    /// ```
    pub const fn offset(self, files: i8) -> Option<File> {
        offset_index(self as u8, files).map_file()
    }
}

/// A row of the board, `1` to `8`.
///
/// ```
/// use tabiya_chess::{Color, Rank};
///
/// assert_eq!(Rank::from_digit('4'), Some(Rank::Fourth));
/// assert_eq!(Rank::Second.relative_to(Color::Black), Rank::Seventh);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All eight, from White's first rank.
    ///
    /// ```
    /// # use tabiya_chess::Rank;
    /// assert_eq!(Rank::ALL[0], Rank::First);
    /// ```
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// 0 for the first rank to 7 for the eighth.
    ///
    /// ```
    /// # use tabiya_chess::Rank;
    /// assert_eq!(Rank::Eighth.index(), 7);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank with the index, none from 8 on.
    ///
    /// ```
    /// # use tabiya_chess::Rank;
    /// assert_eq!(Rank::from_index(3), Some(Rank::Fourth));
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<Rank> {
        if index < 8 { Some(Rank::ALL[index]) } else { None }
    }

    /// The digit, `'1'` to `'8'`.
    ///
    /// ```
    /// # use tabiya_chess::Rank;
    /// assert_eq!(Rank::Seventh.digit(), '7');
    /// ```
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank for a digit.
    ///
    /// ```
    /// # use tabiya_chess::Rank;
    /// assert_eq!(Rank::from_digit('1'), Some(Rank::First));
    /// assert_eq!(Rank::from_digit('9'), None);
    /// ```
    pub const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Some(Rank::ALL[digit as usize - '1' as usize]),
            _ => None,
        }
    }

    /// The rank so many further up the board, none off the board.
    ///
    /// ```
    /// # use tabiya_chess::Rank;
    /// assert_eq!(Rank::First.offset(3), Some(Rank::Fourth));
    /// assert_eq!(Rank::Eighth.offset(1), None);
    /// ```
    pub const fn offset(self, ranks: i8) -> Option<Rank> {
        offset_index(self as u8, ranks).map_rank()
    }

    /// The rank as the player counts it from their own side.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Rank};
    /// assert_eq!(Rank::Eighth.relative_to(Color::Black), Rank::First);
    /// assert_eq!(Rank::Eighth.relative_to(Color::White), Rank::Eighth);
    /// ```
    #[inline]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self as usize],
        }
    }
}

/// An index 0..8 that may have fallen off the board.
struct OffsetIndex(Option<usize>);

const fn offset_index(index: u8, by: i8) -> OffsetIndex {
    let moved = index as i16 + by as i16;
    OffsetIndex(if 0 <= moved && moved < 8 { Some(moved as usize) } else { None })
}

impl OffsetIndex {
    const fn map_file(self) -> Option<File> {
        match self.0 {
            Some(index) => File::from_index(index),
            None => None,
        }
    }

    const fn map_rank(self) -> Option<Rank> {
        match self.0 {
            Some(index) => Rank::from_index(index),
            None => None,
        }
    }
}

/// One of the eight straight or diagonal ways across the board, seen from White's side.
///
/// ```
/// use tabiya_chess::{Direction, Square};
///
/// let way: Vec<Square> = Square::D4.ray(Direction::NorthEast).collect();
/// assert_eq!(way, [Square::E5, Square::F6, Square::G7, Square::H8]);
/// assert_eq!(Square::E1.direction_to(Square::E8), Some(Direction::North));
/// assert_eq!(Square::E1.direction_to(Square::F3), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All eight, clockwise from north.
    ///
    /// ```
    /// # use tabiya_chess::Direction;
    /// assert_eq!(Direction::ALL.iter().filter(|direction| direction.is_diagonal()).count(), 4);
    /// ```
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// One step as (files, ranks).
    ///
    /// ```
    /// # use tabiya_chess::Direction;
    /// assert_eq!(Direction::SouthEast.step(), (1, -1));
    /// ```
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::North => (0, 1),
            Direction::NorthEast => (1, 1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, -1),
            Direction::South => (0, -1),
            Direction::SouthWest => (-1, -1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, 1),
        }
    }

    /// Whether bishops go this way.
    ///
    /// ```
    /// # use tabiya_chess::Direction;
    /// assert!(Direction::NorthWest.is_diagonal());
    /// assert!(!Direction::West.is_diagonal());
    /// ```
    pub const fn is_diagonal(self) -> bool {
        self as u8 & 1 == 1
    }

    /// The way back.
    ///
    /// ```
    /// # use tabiya_chess::Direction;
    /// assert_eq!(Direction::NorthEast.opposite(), Direction::SouthWest);
    /// ```
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 4) % 8]
    }
}

/// A square of the board.
///
/// Arithmetic that leaves the board gives `None`:
///
/// ```
/// use tabiya_chess::{File, Rank, Square};
///
/// assert_eq!(Square::new(File::E, Rank::Fourth), Square::E4);
/// assert_eq!(Square::D4.offset(1, 0), Some(Square::E4));
/// assert_eq!(Square::D4.offset(5, 0), None);
/// assert_eq!("h8".parse(), Ok(Square::H8));
/// assert_eq!(Square::H8.to_string(), "h8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// All 64: a1, b1, … h8.
    ///
    /// ```
    /// # use tabiya_chess::Square;
    /// assert_eq!(Square::ALL[8], Square::A2);
    /// ```
    #[rustfmt::skip]
    pub const ALL: [Square; 64] = {
        use Square::*;
        [
            A1, B1, C1, D1, E1, F1, G1, H1,
            A2, B2, C2, D2, E2, F2, G2, H2,
            A3, B3, C3, D3, E3, F3, G3, H3,
            A4, B4, C4, D4, E4, F4, G4, H4,
            A5, B5, C5, D5, E5, F5, G5, H5,
            A6, B6, C6, D6, E6, F6, G6, H6,
            A7, B7, C7, D7, E7, F7, G7, H7,
            A8, B8, C8, D8, E8, F8, G8, H8,
        ]
    };

    /// The square where a file and a rank meet.
    ///
    /// ```
    /// # use tabiya_chess::{File, Rank, Square};
    /// assert_eq!(Square::new(File::B, Rank::Eighth), Square::B8);
    /// ```
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::ALL[rank as usize * 8 + file as usize]
    }

    /// The square at column `x` and row `y`, both counted from 0 at a1.
    ///
    /// ```
    /// # use tabiya_chess::Square;
    /// assert_eq!(Square::at(4, 0), Some(Square::E1));
    /// assert_eq!(Square::at(8, 0), None);
    /// ```
    pub const fn at(x: usize, y: usize) -> Option<Square> {
        if x < 8 && y < 8 { Some(Square::ALL[y * 8 + x]) } else { None }
    }

    /// 0 for a1, 1 for b1, … 63 for h8.
    ///
    /// ```
    /// # use tabiya_chess::Square;
    /// assert_eq!(Square::B1.index(), 1);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The square with the index, none from 64 on.
    ///
    /// ```
    /// # use tabiya_chess::Square;
    /// assert_eq!(Square::from_index(63), Some(Square::H8));
    /// assert_eq!(Square::from_index(64), None);
    /// ```
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 { Some(Square::ALL[index]) } else { None }
    }

    /// The square of the lowest six bits: total, for indices known to be right.
    #[inline]
    pub(crate) const fn from_low_bits(index: u32) -> Square {
        // SAFETY: every number below 64 is a square, `Square` being a `u8` that counts from a1.
        unsafe { core::mem::transmute((index & 63) as u8) }
    }

    /// Its file.
    ///
    /// ```
    /// # use tabiya_chess::{File, Square};
    /// assert_eq!(Square::C7.file(), File::C);
    /// ```
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// Its rank.
    ///
    /// ```
    /// # use tabiya_chess::{Rank, Square};
    /// assert_eq!(Square::C7.rank(), Rank::Seventh);
    /// ```
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize >> 3]
    }

    /// The set that holds just this square.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Square};
    /// assert_eq!(Square::A1.bitboard(), Bitboard(1));
    /// ```
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The square so many files to the right and ranks up, none off the board.
    ///
    /// ```
    /// # use tabiya_chess::Square;
    /// assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    /// assert_eq!(Square::A1.offset(-1, 0), None);
    /// ```
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        match (self.file().offset(files), self.rank().offset(ranks)) {
            (Some(file), Some(rank)) => Some(Square::new(file, rank)),
            _ => None,
        }
    }

    /// The squares met on the way from here in a direction, nearest first, without this one.
    /// Read the other way round, these are the places an attacker of this square could stand.
    ///
    /// ```
    /// # use tabiya_chess::{Direction, Square};
    /// let up: Vec<Square> = Square::E6.ray(Direction::North).collect();
    /// assert_eq!(up, [Square::E7, Square::E8]);
    /// ```
    pub fn ray(self, direction: Direction) -> impl Iterator<Item = Square> + Clone {
        let (files, ranks) = direction.step();
        core::iter::successors(self.offset(files, ranks), move |s| s.offset(files, ranks))
    }

    /// The direction in which a queen would go there on an empty board.
    ///
    /// ```
    /// # use tabiya_chess::{Direction, Square};
    /// assert_eq!(Square::A1.direction_to(Square::H8), Some(Direction::NorthEast));
    /// assert_eq!(Square::A1.direction_to(Square::A1), None);
    /// ```
    pub fn direction_to(self, other: Square) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.ray(direction).any(|s| s == other))
    }

    /// The square seen from the other side of the board: e2 and e7.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Square};
    /// assert_eq!(Square::E2.relative_to(Color::Black), Square::E7);
    /// assert_eq!(Square::E2.relative_to(Color::White), Square::E2);
    /// ```
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => Square::ALL[self as usize ^ 56],
        }
    }

    /// Whether the square is a light one (h1 is, a1 is not).
    ///
    /// ```
    /// # use tabiya_chess::Square;
    /// assert!(Square::H1.is_light());
    /// assert!(!Square::A1.is_light());
    /// ```
    pub const fn is_light(self) -> bool {
        (self as u8 ^ (self as u8 >> 3)) & 1 == 1
    }

    /// How many king moves apart two squares are on an empty board.
    ///
    /// ```
    /// # use tabiya_chess::Square;
    /// assert_eq!(Square::A1.distance(Square::C8), 7);
    /// ```
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self as u8 & 7).abs_diff(other as u8 & 7);
        let ranks = (self as u8 >> 3).abs_diff(other as u8 >> 3);
        if files > ranks { files } else { ranks }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The text is not a square.
///
/// ```
/// # use tabiya_chess::Square;
/// let error = "e9".parse::<Square>().unwrap_err();
/// assert_eq!(error.to_string(), "\"e9\" is not a square (squares are a1 to h8)");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseSquareError(String);

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a square (squares are a1 to h8)", self.0)
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let parse = || match text.as_bytes() {
            &[file @ b'a'..=b'h', rank] => {
                Some(Square::new(File::from_letter(file as char)?, Rank::from_digit(rank as char)?))
            }
            _ => None,
        };
        parse().ok_or_else(|| ParseSquareError(text.chars().take(20).collect()))
    }
}
