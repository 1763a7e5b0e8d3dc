use crate::cell::STRIDE;

/// One of the eight ways a king steps; a bishop slides in four of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
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
    pub(crate) const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    pub(crate) const DIAGONALS: [Direction; 4] =
        [Direction::NorthEast, Direction::SouthEast, Direction::SouthWest, Direction::NorthWest];

    /// Columns and rows of one step.
    pub(crate) const fn steps(self) -> (i8, i8) {
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

    /// What one step adds to the number of a cell.
    pub(crate) const fn offset(self) -> i16 {
        let (dx, dy) = self.steps();
        dx as i16 + dy as i16 * STRIDE as i16
    }

    pub(crate) const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 4) % 8]
    }
}
