use core::fmt;

use crate::{Board, Cell, Cells, Kind, Move, MoveError, Piece, Side, zobrist};

/// A board with exactly one king a side, and whose turn it is.
///
/// ```
/// use tabiya_puzzle::{Position, Side, Status};
///
/// let mut position = Position::new("5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3".parse()?, Side::White)?;
/// position.play(position.parse_move("c5d5")?);
/// assert_eq!(position.turn(), Side::Black);
/// assert_eq!(position.status(), Status::Playing { check: true });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    kings: [Cell; 2],
    turn: Side,
    key: u64,
}

impl Position {
    /// The position on a board, if each side has one king.
    ///
    /// ```
    /// # use tabiya_puzzle::{Board, Position, Side, Size};
    /// assert!(Position::new("3\nKa1\nKc3".parse()?, Side::Black).is_ok());
    /// let error = Position::new(Board::new(Size::MIN), Side::White).unwrap_err();
    /// assert_eq!(error.to_string(), "White has no king");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(board: Board, turn: Side) -> Result<Position, KingsError> {
        let king = |side| match board.kings(side).len() {
            0 => Err(KingsError { side, kings: 0 }),
            1 => board.kings(side).first().ok_or(KingsError { side, kings: 0 }),
            kings => Err(KingsError { side, kings }),
        };
        let key = board.pieces().map(zobrist::piece).fold(zobrist::turn(turn), |key, x| key ^ x);
        Ok(Position { kings: [king(Side::White)?, king(Side::Black)?], board, turn, key })
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Where the king of a side stands.
    pub const fn king(&self, side: Side) -> Cell {
        self.kings[side as usize]
    }

    /// A number for the position; equal positions have equal keys.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side};
    /// let white = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let black = Position::new("3\nKa1\nKc3".parse()?, Side::Black)?;
    /// assert_ne!(white.key(), black.key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        let king = self.king(self.turn);
        king.distance(self.king(!self.turn)) == 1
            || self.board.is_attacked_by_bishops(king, !self.turn, &self.board.occupied())
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        match (self.has_legal_move(), self.is_check()) {
            (true, check) => Status::Playing { check },
            (false, true) => Status::Checkmate { winner: !self.turn },
            (false, false) => Status::Stalemate,
        }
    }

    /// Plays a legal move, and says whether it took a bishop. A move that is not legal may
    /// make nonsense of the position, but does no other harm.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side};
    /// let mut position = Position::new("3\nKa1, Bc1\nKb3, Ba3".parse()?, Side::White)?;
    /// assert!(position.play(position.parse_move("c1a3")?));
    /// assert_eq!(position.board(), &"3\nKa1, Ba3\nKb3".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, m: Move) -> bool {
        let (us, them) = (self.turn, !self.turn);
        let captures = self.board.bishops(them).contains(m.to);
        if captures {
            self.toggle(Piece { side: them, kind: Kind::Bishop, cell: m.to });
        }
        self.carry(us, m.from, m.to);
        self.pass();
        captures
    }

    /// Gives the turn to the other side.
    pub(crate) fn pass(&mut self) {
        self.turn = !self.turn;
        self.key ^= zobrist::turn(Side::White) ^ zobrist::turn(Side::Black);
    }

    fn carry(&mut self, side: Side, from: Cell, to: Cell) {
        let kind = match self.king(side) == from {
            true => Kind::King,
            false => Kind::Bishop,
        };
        if kind == Kind::King {
            self.kings[side as usize] = to;
        }
        self.toggle(Piece { side, kind, cell: from });
        self.toggle(Piece { side, kind, cell: to });
    }

    /// Puts a piece on the board, or takes it off.
    fn toggle(&mut self, piece: Piece) {
        let cells = match piece.kind {
            Kind::Bishop => self.board.bishops(piece.side),
            Kind::King => self.board.kings(piece.side),
        };
        match cells.contains(piece.cell) {
            true => self.board.clear(piece),
            false => self.board.set(piece),
        }
        self.key ^= zobrist::piece(piece);
    }

    /// Reads a move and makes sure that it is legal here.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side};
    /// let position = Position::new("4\nKa1, Bb2\nKd1, Bd4".parse()?, Side::White)?;
    /// assert!(position.parse_move("b2c3").is_ok());
    /// for (text, why) in [
    ///     ("c3b2", "There is no piece on c3."),
    ///     ("d1d2", "The king on d1 is Black's."),
    ///     ("b2b3", "The bishop on b2 cannot reach b3."),
    ///     ("b2a3", "The bishop on b2 must not go to a3: White's king would be in check."),
    /// ] {
    ///     assert_eq!(position.parse_move(text).unwrap_err().to_string(), why);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, PlayError> {
        let m: Move = text.parse()?;
        let piece = self.board.piece_at(m.from).ok_or(PlayError::NoPiece { cell: m.from })?;
        if piece.side != self.turn {
            return Err(PlayError::NotYours { piece });
        }
        if !self.board.can_reach(piece, m.to) {
            return Err(PlayError::OutOfReach { piece, to: m.to });
        }
        if self.king(!self.turn) == m.to {
            return Err(PlayError::TakesKing { cell: m.to });
        }
        match self.destinations(m.from).contains(m.to) {
            true => Ok(m),
            false => Err(PlayError::LeavesCheck { piece, to: m.to }),
        }
    }

    /// Where the piece on a cell may go; nowhere if there is none of the side to move.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side};
    /// let position = Position::new("4\nKa1, Bb2\nKd1, Bd4".parse()?, Side::White)?;
    /// assert_eq!(format!("{:?}", position.destinations("b2".parse()?)), "{c3, d4}");
    /// assert!(position.destinations("d4".parse()?).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn destinations(&self, from: Cell) -> Cells {
        self.legal_moves().into_iter().filter(|m| m.from == from).map(|m| m.to).collect()
    }
}

/// Whether the game goes on, or how it ended.
///
/// ```
/// use tabiya_puzzle::{Side, Status};
///
/// assert_eq!(Status::Checkmate { winner: Side::Black }.to_string(), "Game over. Black wins.");
/// assert_eq!(Status::Stalemate.to_string(), "Game over. Stalemate.");
/// assert!(!Status::Playing { check: true }.is_over());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is a move.
    Playing {
        /// Whether the side to move is in check.
        check: bool,
    },
    /// The side to move is in check and has no move.
    Checkmate {
        /// The other side.
        winner: Side,
    },
    /// The side to move is not in check and has no move.
    Stalemate,
}

impl Status {
    /// Whether the game has ended.
    pub const fn is_over(self) -> bool {
        !matches!(self, Status::Playing { .. })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Playing { check: false } => f.write_str("The game goes on."),
            Status::Playing { check: true } => f.write_str("Check."),
            Status::Checkmate { winner } => write!(f, "Game over. {winner} wins."),
            Status::Stalemate => f.write_str("Game over. Stalemate."),
        }
    }
}

/// A board on which a side has not exactly one king.
///
/// ```
/// use tabiya_puzzle::{KingsError, Side};
///
/// assert_eq!(KingsError { side: Side::Black, kings: 2 }.to_string(), "Black has 2 kings");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{side} has {} king{}", if *kings == 0 { "no".into() } else { kings.to_string() }, if *kings > 1 { "s" } else { "" })]
pub struct KingsError {
    /// Whose kings.
    pub side: Side,
    /// How many.
    pub kings: usize,
}

/// Why a text is no legal move.
///
/// ```
/// use tabiya_puzzle::{Position, Side};
///
/// let position = Position::new("4\nKa1\nKb2".parse()?, Side::White)?;
/// assert_eq!(position.parse_move("a1b2").unwrap_err().to_string(), "The king on b2 cannot be taken.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// It is not even a move.
    #[error(transparent)]
    Text(#[from] MoveError),
    /// Nothing stands there.
    #[error("There is no piece on {cell}.")]
    NoPiece {
        /// Where the move starts.
        cell: Cell,
    },
    /// It is the other side's turn.
    #[error("The {} on {} is {}'s.", piece.kind, piece.cell, piece.side)]
    NotYours {
        /// The piece.
        piece: Piece,
    },
    /// It does not move like that.
    #[error("The {} on {} cannot reach {to}.", piece.kind, piece.cell)]
    OutOfReach {
        /// The piece.
        piece: Piece,
        /// Where it should go.
        to: Cell,
    },
    /// Kings are never taken.
    #[error("The king on {cell} cannot be taken.")]
    TakesKing {
        /// Where that king stands.
        cell: Cell,
    },
    /// The king of the side that moves could be taken.
    #[error("The {} on {} must not go to {to}: {}'s king would be in check.", piece.kind, piece.cell, piece.side)]
    LeavesCheck {
        /// The piece.
        piece: Piece,
        /// Where it should go.
        to: Cell,
    },
}
