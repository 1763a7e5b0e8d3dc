use core::fmt;

use crate::{Cell, Cells};

/// The size of a board: 3 to 26 rows of as many columns.
///
/// ```
/// use tabiya_puzzle::Size;
///
/// let size = Size::new(5).unwrap();
/// assert_eq!((size.get(), size.area()), (5, 25));
/// assert_eq!(size.to_string(), "5×5");
/// assert!(Size::new(2).is_none() && Size::new(27).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size(u8);

impl Size {
    /// The smallest board.
    pub const MIN: Size = Size(3);

    /// The largest board: there are 26 letters for its columns.
    pub const MAX: Size = Size(26);

    /// The size with so many rows, if there is one.
    pub const fn new(rows: u8) -> Option<Size> {
        match rows {
            3..=26 => Some(Size(rows)),
            _ => None,
        }
    }

    /// Every size, from small to large.
    pub fn all() -> impl DoubleEndedIterator<Item = Size> {
        (Size::MIN.0..=Size::MAX.0).map(Size)
    }

    /// How many rows, and how many columns.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// How many cells.
    pub const fn area(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether a cell is on a board of this size.
    ///
    /// ```
    /// # use tabiya_puzzle::Size;
    /// let size = Size::new(5).unwrap();
    /// assert!(size.contains("e5".parse()?));
    /// assert!(!size.contains("f1".parse()?));
    /// # Ok::<(), tabiya_puzzle::CellError>(())
    /// ```
    pub const fn contains(self, cell: Cell) -> bool {
        cell.x() <= self.0 && cell.y() <= self.0
    }

    /// All cells of a board of this size.
    pub fn cells(self) -> &'static Cells {
        &BOARDS[usize::from(self.0 - Size::MIN.0)]
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.0)
    }
}

static BOARDS: [Cells; 24] = {
    let mut boards = [Cells::EMPTY; 24];
    let mut rows = 3;
    while rows <= 26 {
        let mut y = 1;
        while y <= rows {
            let mut x = 1;
            while x <= rows {
                if let Some(cell) = Cell::at(x, y) {
                    boards[rows as usize - 3].insert(cell);
                }
                x += 1;
            }
            y += 1;
        }
        rows += 1;
    }
    boards
};
