use crate::{Cell, Cells, Direction, Kind, Piece, Side, Size};

/// Pieces on a board: any pieces, as long as each has a cell to itself. There may be no king, or
/// three; a [`Position`](crate::Position) is a board on which a game can be played.
///
/// The questions here follow the words of the rules, one move at a time, and hold on any board.
///
/// ```
/// use tabiya_puzzle::{Board, Kind, Piece, Side, Size};
///
/// let mut board = Board::new(Size::MIN);
/// let bishop = Piece { side: Side::White, kind: Kind::Bishop, cell: "a1".parse()? };
/// board.put(bishop)?;
/// assert!(board.can_reach(bishop, "c3".parse()?));
/// assert!(!board.can_reach(bishop, "b1".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    size: Size,
    armies: [Army; 2],
}

/// The pieces of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Army {
    bishops: Cells,
    kings: Cells,
}

impl Army {
    fn of_kind(&mut self, kind: Kind) -> &mut Cells {
        match kind {
            Kind::Bishop => &mut self.bishops,
            Kind::King => &mut self.kings,
        }
    }

    fn all(&self) -> Cells {
        self.bishops | self.kings
    }
}

impl Board {
    /// An empty board.
    pub const fn new(size: Size) -> Board {
        let army = Army { bishops: Cells::EMPTY, kings: Cells::EMPTY };
        Board { size, armies: [army; 2] }
    }

    /// How large the board is.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Puts a piece on an empty cell.
    ///
    /// ```
    /// # use tabiya_puzzle::{Board, Kind, Piece, Side, Size};
    /// let mut board = Board::new(Size::MIN);
    /// let king = Piece { side: Side::White, kind: Kind::King, cell: "d4".parse()? };
    /// assert_eq!(board.put(king).unwrap_err().to_string(), "`Kd4` is outside a 3×3 board");
    /// # Ok::<(), tabiya_puzzle::CellError>(())
    /// ```
    pub fn put(&mut self, piece: Piece) -> Result<(), BoardError> {
        if !self.size.contains(piece.cell) {
            return Err(BoardError::Outside { piece, size: self.size });
        }
        if let Some(other) = self.piece_at(piece.cell) {
            return Err(BoardError::Taken { piece, by: other });
        }
        self.set(piece);
        Ok(())
    }

    /// Puts a piece on a cell that is known to be empty.
    pub(crate) fn set(&mut self, piece: Piece) {
        self.armies[piece.side as usize].of_kind(piece.kind).insert(piece.cell);
    }

    /// Takes a piece off that is known to be there.
    pub(crate) fn clear(&mut self, piece: Piece) {
        self.armies[piece.side as usize].of_kind(piece.kind).remove(piece.cell);
    }

    /// The piece on a cell.
    ///
    /// ```
    /// # use tabiya_puzzle::{Board, Side};
    /// let board: Board = "3\nKa1\nKc3".parse()?;
    /// assert_eq!(board.piece_at("c3".parse()?).unwrap().side, Side::Black);
    /// assert_eq!(board.piece_at("b2".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn piece_at(&self, cell: Cell) -> Option<Piece> {
        Side::ALL.into_iter().find_map(|side| {
            let army = &self.armies[side as usize];
            let kind = match cell {
                _ if army.bishops.contains(cell) => Kind::Bishop,
                _ if army.kings.contains(cell) => Kind::King,
                _ => return None,
            };
            Some(Piece { side, kind, cell })
        })
    }

    /// All pieces: White's, then Black's, each king before the bishops.
    ///
    /// ```
    /// # use tabiya_puzzle::Board;
    /// let board: Board = "3\nBa1,Kb1\nKc3".parse()?;
    /// let pieces: Vec<String> = board.pieces().map(|piece| piece.to_string()).collect();
    /// assert_eq!(pieces, ["Kb1", "Ba1", "Kc3"]);
    /// # Ok::<(), tabiya_puzzle::PlainError>(())
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        Side::ALL.into_iter().flat_map(|side| self.pieces_of(side))
    }

    /// The pieces of a side, kings before bishops.
    pub fn pieces_of(&self, side: Side) -> impl Iterator<Item = Piece> + use<> {
        let army = self.armies[side as usize];
        let kings = army.kings.into_iter().map(move |cell| Piece { side, kind: Kind::King, cell });
        let bishops =
            army.bishops.into_iter().map(move |cell| Piece { side, kind: Kind::Bishop, cell });
        kings.chain(bishops)
    }

    /// Where the bishops of a side are.
    pub const fn bishops(&self, side: Side) -> &Cells {
        &self.armies[side as usize].bishops
    }

    /// Where the kings of a side are.
    pub const fn kings(&self, side: Side) -> &Cells {
        &self.armies[side as usize].kings
    }

    /// The cells a side stands on.
    pub fn cells_of(&self, side: Side) -> Cells {
        self.armies[side as usize].all()
    }

    /// The cells on which anything stands.
    pub fn occupied(&self) -> Cells {
        self.armies[0].all() | self.armies[1].all()
    }

    /// Whether a piece can go to a cell by rules 1 to 3: a bishop slides along a diagonal over
    /// empty cells, a king steps to a cell beside it, and neither takes a piece of its side. The piece
    /// need not be on the board.
    ///
    /// ```
    /// # use tabiya_puzzle::Board;
    /// let board: Board = "4\nBa1,Kb1\nKc3".parse()?;
    /// let bishop = board.piece_at("a1".parse()?).unwrap();
    /// assert!(board.can_reach(bishop, "c3".parse()?));
    /// assert!(!board.can_reach(bishop, "d4".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_reach(&self, piece: Piece, to: Cell) -> bool {
        let Piece { side, kind, cell: from } = piece;
        if !self.size.contains(from)
            || !self.size.contains(to)
            || from == to
            || self.cells_of(side).contains(to)
        {
            return false;
        }
        let (dx, dy) = (to.x().abs_diff(from.x()), to.y().abs_diff(from.y()));
        match kind {
            Kind::King => dx <= 1 && dy <= 1,
            Kind::Bishop => {
                let direction = match (to.x() > from.x(), to.y() > from.y()) {
                    (true, true) => Direction::NorthEast,
                    (true, false) => Direction::SouthEast,
                    (false, false) => Direction::SouthWest,
                    (false, true) => Direction::NorthWest,
                };
                let occupied = self.occupied();
                let between = usize::from(dx).saturating_sub(1);
                dx == dy
                    && !from
                        .ray(direction, self.size)
                        .take(between)
                        .any(|cell| occupied.contains(cell))
            }
        }
    }

    /// Whether a piece can go to a cell by all rules: it can reach it, takes no king, and leaves
    /// no king of its own side in check.
    ///
    /// ```
    /// # use tabiya_puzzle::Board;
    /// let board: Board = "4\nKa1,Bb2\nKd1,Bd4".parse()?;
    /// let pinned = board.piece_at("b2".parse()?).unwrap();
    /// assert!(board.can_move_to(pinned, "d4".parse()?));
    /// assert!(!board.can_move_to(pinned, "a3".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_move_to(&self, piece: Piece, to: Cell) -> bool {
        self.can_reach(piece, to)
            && !self.kings(!piece.side).contains(to)
            && !self.move_to(piece, to).is_check(piece.side)
    }

    /// The board after a piece has gone to a cell and taken whatever stood there. Whether the rules
    /// allow it is not asked.
    ///
    /// ```
    /// # use tabiya_puzzle::Board;
    /// let board: Board = "4\nKa1,Bb2\nKd1,Bd4".parse()?;
    /// let bishop = board.piece_at("b2".parse()?).unwrap();
    /// let after = board.move_to(bishop, "d4".parse()?);
    /// assert_eq!(after, "4\nKa1,Bd4\nKd1".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_to(&self, piece: Piece, to: Cell) -> Board {
        let mut board = *self;
        board.clear(piece);
        if let Some(taken) = board.piece_at(to) {
            board.clear(taken);
        }
        board.set(Piece { cell: to, ..piece });
        board
    }

    /// Whether a king of this side could be taken by the other side.
    pub fn is_check(&self, side: Side) -> bool {
        let occupied = self.occupied();
        self.kings(side).into_iter().any(|king| self.is_attacked(king, !side, &occupied))
    }

    /// Whether this side is in check and has no move.
    pub fn is_checkmate(&self, side: Side) -> bool {
        self.is_check(side) && !self.can_move(side)
    }

    /// Whether this side is not in check and has no move.
    ///
    /// ```
    /// # use tabiya_puzzle::{Board, Side};
    /// let board: Board = "3\nKa1\nKc1,Ba3".parse()?;
    /// assert!(!board.is_stalemate(Side::White));
    /// let board: Board = "3\nKa1\nKc1,Bb3".parse()?;
    /// assert!(board.is_stalemate(Side::White));
    /// # Ok::<(), tabiya_puzzle::PlainError>(())
    /// ```
    pub fn is_stalemate(&self, side: Side) -> bool {
        !self.is_check(side) && !self.can_move(side)
    }

    /// Whether any piece of a side has a move.
    fn can_move(&self, side: Side) -> bool {
        self.pieces_of(side).any(|piece| self.reach(piece).any(|to| self.can_move_to(piece, to)))
    }

    /// Cells among which all are that a piece could reach.
    fn reach(&self, piece: Piece) -> impl Iterator<Item = Cell> {
        let (directions, longest) = match piece.kind {
            Kind::King => (&Direction::ALL[..], 1),
            Kind::Bishop => (&Direction::DIAGONALS[..], usize::MAX),
        };
        directions
            .iter()
            .flat_map(move |&direction| piece.cell.ray(direction, self.size).take(longest))
    }

    /// Whether a side attacks a cell.
    fn is_attacked(&self, cell: Cell, by: Side, blocking: &Cells) -> bool {
        self.kings(by).into_iter().any(|king| king.distance(cell) == 1)
            || self.is_attacked_by_bishops(cell, by, blocking)
    }

    /// Whether bishops of a side attack a cell, when certain cells block them: those of all pieces, or
    /// those without a king that is about to step away.
    pub(crate) fn is_attacked_by_bishops(&self, cell: Cell, by: Side, blocking: &Cells) -> bool {
        Direction::DIAGONALS.into_iter().any(|direction| {
            cell.ray(direction, self.size)
                .find(|&seen| blocking.contains(seen))
                .is_some_and(|seen| self.bishops(by).contains(seen))
        })
    }
}

/// Why a piece cannot be put somewhere.
///
/// ```
/// use tabiya_puzzle::{Board, Kind, Piece, Side, Size};
///
/// let mut board = Board::new(Size::MIN);
/// let king = Piece { side: Side::White, kind: Kind::King, cell: "b2".parse()? };
/// board.put(king)?;
/// let bishop = Piece { side: Side::Black, kind: Kind::Bishop, ..king };
/// assert_eq!(board.put(bishop).unwrap_err().to_string(), "`Bb2` is on the place of White's `Kb2`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// The board is smaller than that.
    #[error("`{piece}` is outside a {size} board")]
    Outside {
        /// The piece.
        piece: Piece,
        /// The size of the board.
        size: Size,
    },
    /// Something stands there.
    #[error("`{piece}` is on the place of {}'s `{by}`", by.side)]
    Taken {
        /// The piece.
        piece: Piece,
        /// What stands on its cell.
        by: Piece,
    },
}
