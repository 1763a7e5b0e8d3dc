use core::fmt;
use core::ops::{BitAnd, BitOr, BitOrAssign, Not};

use crate::cell::NUMBERS;
use crate::{Cell, Direction};

/// Words of 64 cells.
const WORDS: usize = NUMBERS.div_ceil(64);

/// A set of cells, one bit each: 702 bits in eleven words.
///
/// Whole armies move in it at once: stepping a set shifts all its cells together, so the work
/// for a hundred bishops is that for one.
///
/// ```
/// use tabiya_puzzle::{Cell, Cells};
///
/// let cells: Cells = ["b1", "a1"].iter().map(|text| text.parse::<Cell>().unwrap()).collect();
/// assert_eq!(cells.len(), 2);
/// assert!(cells.contains("b1".parse()?));
/// assert_eq!(format!("{cells:?}"), "{a1, b1}");
/// # Ok::<(), tabiya_puzzle::CellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cells([u64; WORDS]);

impl Cells {
    /// No cell.
    pub const EMPTY: Cells = Cells([0; WORDS]);

    /// The light cells, on which the bishops of one half live.
    pub(crate) const LIGHT: Cells = {
        let mut light = Cells::EMPTY;
        let mut number = 0;
        while number < NUMBERS {
            let cell = Cell::numbered(number);
            if cell.x() <= 26 && cell.is_light() {
                light.insert(cell);
            }
            number += 1;
        }
        light
    };

    /// Whether a cell is in the set.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.0[cell.number() / 64] >> (cell.number() % 64) & 1 == 1
    }

    /// Adds a cell.
    ///
    /// ```
    /// # use tabiya_puzzle::Cells;
    /// let mut cells = Cells::EMPTY;
    /// cells.insert("z26".parse()?);
    /// assert_eq!(cells.len(), 1);
    /// # Ok::<(), tabiya_puzzle::CellError>(())
    /// ```
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.number() / 64] |= 1 << (cell.number() % 64);
    }

    /// Takes a cell out.
    ///
    /// ```
    /// # use tabiya_puzzle::Size;
    /// let mut cells = *Size::MIN.cells();
    /// cells.remove("b2".parse()?);
    /// assert_eq!(cells.len(), 8);
    /// # Ok::<(), tabiya_puzzle::CellError>(())
    /// ```
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.number() / 64] &= !(1 << (cell.number() % 64));
    }

    /// How many cells are in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no cell is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The first cell in reading order from `a1`, along the rows.
    pub fn first(&self) -> Option<Cell> {
        self.into_iter().next()
    }

    /// Every cell one step on. What leaves the board has to be masked out: see [`STRIDE`].
    ///
    /// [`STRIDE`]: crate::cell::STRIDE
    #[inline]
    pub(crate) fn step(&self, direction: Direction) -> Cells {
        match direction {
            Direction::North => self.up::<27>(),
            Direction::NorthEast => self.up::<28>(),
            Direction::East => self.up::<1>(),
            Direction::SouthEast => self.down::<26>(),
            Direction::South => self.down::<27>(),
            Direction::SouthWest => self.down::<28>(),
            Direction::West => self.down::<1>(),
            Direction::NorthWest => self.up::<26>(),
        }
    }

    #[inline]
    fn up<const N: u32>(&self) -> Cells {
        let carried = |i: usize| if i == 0 { 0 } else { self.0[i - 1] >> (64 - N) };
        Cells(core::array::from_fn(|i| self.0[i] << N | carried(i)))
    }

    #[inline]
    fn down<const N: u32>(&self) -> Cells {
        let carried = |i: usize| if i == WORDS - 1 { 0 } else { self.0[i + 1] << (64 - N) };
        Cells(core::array::from_fn(|i| self.0[i] >> N | carried(i)))
    }
}

impl BitAnd for Cells {
    type Output = Cells;

    #[inline]
    fn bitand(self, other: Cells) -> Cells {
        Cells(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Cells {
    type Output = Cells;

    #[inline]
    fn bitor(self, other: Cells) -> Cells {
        Cells(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitOrAssign for Cells {
    #[inline]
    fn bitor_assign(&mut self, other: Cells) {
        *self = *self | other;
    }
}

/// Everything else, also what no board has: mask it.
impl Not for Cells {
    type Output = Cells;

    #[inline]
    fn not(self) -> Cells {
        Cells(self.0.map(|word| !word))
    }
}

impl From<Cell> for Cells {
    fn from(cell: Cell) -> Cells {
        let mut cells = Cells::EMPTY;
        cells.insert(cell);
        cells
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(iterator: I) -> Cells {
        let mut cells = Cells::EMPTY;
        iterator.into_iter().for_each(|cell| cells.insert(cell));
        cells
    }
}

impl IntoIterator for Cells {
    type Item = Cell;
    type IntoIter = CellsIter;

    fn into_iter(self) -> CellsIter {
        CellsIter { cells: self, word: 0 }
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The cells of a set, along the rows from `a1`.
///
/// ```
/// use tabiya_puzzle::Size;
///
/// let names: Vec<String> = Size::MIN.cells().into_iter().map(|cell| cell.to_string()).collect();
/// assert_eq!(names.join(" "), "a1 b1 c1 a2 b2 c2 a3 b3 c3");
/// ```
#[derive(Clone, Debug)]
pub struct CellsIter {
    cells: Cells,
    /// The first word that may have something left.
    word: usize,
}

impl Iterator for CellsIter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        loop {
            let word = self.cells.0.get_mut(self.word)?;
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Cell::numbered(self.word * 64 + bit));
            }
            self.word += 1;
        }
    }
}
