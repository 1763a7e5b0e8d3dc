use core::fmt;
use core::str::FromStr;

use crate::{Direction, Size, text};

/// Cells between one row and the next in the numbering of cells: 26 columns and one that no board
/// has, so that a step over the left or right edge never lands on a board.
pub(crate) const STRIDE: u16 = 27;

/// How many numbers there are for cells.
pub(crate) const NUMBERS: usize = 26 * STRIDE as usize;

/// A place on a board: a column `a` to `z` and a row 1 to 26.
///
/// ```
/// use tabiya_puzzle::Cell;
///
/// let cell: Cell = "e14".parse()?;
/// assert_eq!((cell.x(), cell.y()), (5, 14));
/// assert_eq!(cell.to_string(), "e14");
/// assert_eq!(Cell::at(5, 14), Some(cell));
/// # Ok::<(), tabiya_puzzle::CellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// The cell in a column and a row, both counted from 1.
    ///
    /// ```
    /// # use tabiya_puzzle::Cell;
    /// assert_eq!(Cell::at(1, 1).unwrap().to_string(), "a1");
    /// assert_eq!(Cell::at(26, 26).unwrap().to_string(), "z26");
    /// assert_eq!(Cell::at(0, 1), None);
    /// assert_eq!(Cell::at(1, 27), None);
    /// ```
    pub const fn at(x: u8, y: u8) -> Option<Cell> {
        match (x, y) {
            (1..=26, 1..=26) => Some(Cell((y as u16 - 1) * STRIDE + x as u16 - 1)),
            _ => None,
        }
    }

    /// The column, 1 to 26.
    pub const fn x(self) -> u8 {
        (self.0 % STRIDE) as u8 + 1
    }

    /// The row, 1 to 26.
    pub const fn y(self) -> u8 {
        (self.0 / STRIDE) as u8 + 1
    }

    /// Whether the cell is light; `a1` is dark. A bishop never leaves its colour.
    pub const fn is_light(self) -> bool {
        (self.x() + self.y()) % 2 == 1
    }

    /// King's moves between two cells on an empty board.
    pub fn distance(self, other: Cell) -> u8 {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }

    /// The number of the cell, below [`NUMBERS`].
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }

    /// The cell of a number that came from a cell.
    pub(crate) const fn numbered(number: usize) -> Cell {
        debug_assert!(number < NUMBERS);
        Cell(number as u16)
    }

    /// So many steps back. The caller knows that this is a cell.
    pub(crate) const fn back(self, direction: Direction, steps: u16) -> Cell {
        Cell((self.0 as i32 - direction.offset() as i32 * steps as i32) as u16)
    }

    /// The cells in a direction, to the edge of the board.
    pub(crate) fn ray(self, direction: Direction, size: Size) -> Ray {
        let (dx, dy) = direction.steps();
        let room = |step: i8, place: u8| match step {
            1 => size.get().saturating_sub(place),
            -1 => place - 1,
            _ => u8::MAX,
        };
        Ray {
            cell: self,
            offset: direction.offset(),
            left: room(dx, self.x()).min(room(dy, self.y())),
        }
    }

    /// The up to eight cells around this one.
    pub(crate) fn neighbours(self, size: Size) -> impl Iterator<Item = Cell> {
        Direction::ALL.into_iter().filter_map(move |direction| self.ray(direction, size).next())
    }
}

/// See [`Cell::ray`].
pub(crate) struct Ray {
    cell: Cell,
    offset: i16,
    left: u8,
}

impl Iterator for Ray {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        self.cell = Cell(self.cell.0.wrapping_add_signed(self.offset));
        Some(self.cell)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x() - 1), self.y())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Cell, CellError> {
        let wrong = || CellError { text: text::excerpt(text) };
        let mut characters = text.chars();
        let column = match characters.next() {
            Some(letter @ 'a'..='z') => letter as u8 - b'a' + 1,
            _ => return Err(wrong()),
        };
        let row = text::number(characters.as_str()).ok_or_else(wrong)?;
        Cell::at(column, row).ok_or_else(wrong)
    }
}

/// A text that names no cell.
///
/// ```
/// use tabiya_puzzle::Cell;
///
/// let error = "A1".parse::<Cell>().unwrap_err();
/// assert_eq!(error.to_string(), "`A1` is not a place: places are a1 to z26");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} is not a place: places are a1 to z26")]
pub struct CellError {
    /// The text, in backquotes, shortened if long.
    pub text: String,
}
