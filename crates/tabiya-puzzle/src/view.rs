use crate::{Cell, Move, Piece, Position, Side, Status};

/// A position as plain data, for anything that draws boards: no rules are needed to show it.
///
/// ```
/// use tabiya_puzzle::{Position, Side, Status, View};
///
/// let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
/// let view = View::new(&position, None);
/// assert_eq!((view.columns, view.rows, view.pieces.len()), (3, 3, 2));
/// assert_eq!(view.status, Status::Playing { check: false });
/// let [(king, destinations)] = view.destinations.as_slice() else { panic!() };
/// assert_eq!((king.to_string(), destinations.len()), ("a1".to_owned(), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// How many columns.
    pub columns: u8,
    /// How many rows.
    pub rows: u8,
    /// All pieces.
    pub pieces: Vec<Piece>,
    /// Whose turn it is.
    pub turn: Side,
    /// Each piece that may move, and where to.
    pub destinations: Vec<(Cell, Vec<Cell>)>,
    /// The move that led here.
    pub last_move: Option<Move>,
    /// Whether the game goes on.
    pub status: Status,
}

impl View {
    /// The view of a position.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side, View};
    /// let position = Position::new("3\nKa1\nKc1, Bb3".parse()?, Side::White)?;
    /// assert!(View::new(&position, None).destinations.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(position: &Position, last_move: Option<Move>) -> View {
        let mut moves = position.legal_moves();
        moves.sort();
        let destinations = moves
            .chunk_by(|one, other| one.from == other.from)
            .filter_map(|moves| Some((moves.first()?.from, moves.iter().map(|m| m.to).collect())))
            .collect();
        let board = position.board();
        View {
            columns: board.size().get(),
            rows: board.size().get(),
            pieces: board.pieces().collect(),
            turn: position.turn(),
            destinations,
            last_move,
            status: position.status(),
        }
    }
}
