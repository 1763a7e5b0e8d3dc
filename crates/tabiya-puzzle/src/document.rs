//! The functions of the document in which the game was first described, under the names it gives
//! them: so that it can be read beside this code. They are thin; [`Board`] does the work.
//!
//! Coordinates are those of the document: `x` is the column and `y` the row, both from 1.
//!
//! ```
//! use tabiya_puzzle::document::{can_move_to, conf2unicode, is_check, location2index, piece_at};
//! use tabiya_puzzle::{Board, Side};
//!
//! let board: Board = "4\nKa1, Bb2\nKd1, Bd4".parse()?;
//! let (x, y) = location2index("b2")?;
//! let bishop = piece_at(x, y, &board).unwrap();
//! assert!(can_move_to(bishop, 3, 3, &board));
//! assert!(!is_check(Side::White, &board));
//! assert_eq!(conf2unicode(&board).lines().count(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;

use crate::{
    Board, BoardError, BoardFileError, Cell, CellError, Level, Piece, Player, Position, SaveError,
    Side,
};

/// Converts a chess location to its coordinates.
///
/// ```
/// # use tabiya_puzzle::document::location2index;
/// assert_eq!(location2index("e2"), Ok((5, 2)));
/// assert!(location2index("e27").is_err());
/// ```
pub fn location2index(loc: &str) -> Result<(u8, u8), CellError> {
    loc.parse().map(|cell: Cell| (cell.x(), cell.y()))
}

/// Converts coordinates to the location, if there is such a one.
///
/// ```
/// # use tabiya_puzzle::document::index2location;
/// assert_eq!(index2location(5, 2).unwrap(), "e2");
/// assert_eq!(index2location(27, 1), None);
/// ```
pub fn index2location(x: u8, y: u8) -> Option<String> {
    Cell::at(x, y).map(|cell| cell.to_string())
}

/// Whether there is a piece at these coordinates.
///
/// ```
/// # use tabiya_puzzle::document::is_piece_at;
/// let board = "3\nKa1\nKc3".parse()?;
/// assert!(is_piece_at(1, 1, &board) && !is_piece_at(2, 2, &board));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn is_piece_at(x: u8, y: u8, B: &Board) -> bool {
    piece_at(x, y, B).is_some()
}

/// The piece at these coordinates.
///
/// ```
/// # use tabiya_puzzle::document::piece_at;
/// let board = "3\nKa1\nKc3".parse()?;
/// assert_eq!(piece_at(3, 3, &board).unwrap().to_string(), "Kc3");
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn piece_at(x: u8, y: u8, B: &Board) -> Option<Piece> {
    B.piece_at(Cell::at(x, y)?)
}

/// Whether a piece can move to these coordinates by rules 1 to 3.
///
/// ```
/// # use tabiya_puzzle::document::{can_reach, piece_at};
/// let board = "3\nKa1\nKc3".parse()?;
/// let king = piece_at(1, 1, &board).unwrap();
/// assert!(can_reach(king, 2, 2, &board) && !can_reach(king, 0, 1, &board));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn can_reach(piece: Piece, x: u8, y: u8, B: &Board) -> bool {
    Cell::at(x, y).is_some_and(|to| B.can_reach(piece, to))
}

/// Whether a piece can move to these coordinates by all rules.
///
/// ```
/// # use tabiya_puzzle::document::{can_move_to, piece_at};
/// let board = "3\nKa1\nKc3".parse()?;
/// let king = piece_at(1, 1, &board).unwrap();
/// assert!(can_move_to(king, 1, 2, &board) && !can_move_to(king, 2, 2, &board));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn can_move_to(piece: Piece, x: u8, y: u8, B: &Board) -> bool {
    Cell::at(x, y).is_some_and(|to| B.can_move_to(piece, to))
}

/// The new board after a piece has moved to these coordinates, which must be on the board.
/// Other rules are not asked.
///
/// ```
/// # use tabiya_puzzle::document::{move_to, piece_at};
/// let board = "3\nKa1\nKc3".parse()?;
/// let king = piece_at(1, 1, &board).unwrap();
/// assert_eq!(move_to(king, 1, 2, &board)?, "3\nKa2\nKc3".parse()?);
/// assert!(move_to(king, 4, 4, &board).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn move_to(piece: Piece, x: u8, y: u8, B: &Board) -> Result<Board, BoardError> {
    match Cell::at(x, y).filter(|&to| B.size().contains(to)) {
        Some(to) => Ok(B.move_to(piece, to)),
        None => Err(BoardError::Outside { piece, size: B.size() }),
    }
}

/// Whether a side is in check.
///
/// ```
/// # use tabiya_puzzle::{Side, document::is_check};
/// assert!(is_check(Side::White, &"3\nKa1\nKc1, Bc3".parse()?));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn is_check(side: Side, B: &Board) -> bool {
    B.is_check(side)
}

/// Whether a side is in check and cannot move.
///
/// ```
/// # use tabiya_puzzle::{Side, document::is_checkmate};
/// assert!(is_checkmate(Side::White, &"3\nKa1\nKc1, Bc3, Bb3".parse()?));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn is_checkmate(side: Side, B: &Board) -> bool {
    B.is_checkmate(side)
}

/// Whether a side is not in check and cannot move.
///
/// ```
/// # use tabiya_puzzle::{Side, document::is_stalemate};
/// assert!(is_stalemate(Side::White, &"3\nKa1\nKc1, Bb3".parse()?));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn is_stalemate(side: Side, B: &Board) -> bool {
    B.is_stalemate(side)
}

/// Reads a board from a file in the plain format.
///
/// ```
/// # use tabiya_puzzle::document::read_board;
/// assert!(read_board("no/such/file").is_err());
/// ```
pub fn read_board(filename: impl AsRef<Path>) -> Result<Board, BoardFileError> {
    Board::read(filename)
}

/// Saves a board to a file in the plain format.
///
/// ```
/// # use tabiya_puzzle::document::{read_board, save_board};
/// let board = "3\nKa1\nKc3".parse()?;
/// let folder = tempfile::tempdir()?;
/// save_board(folder.path().join("board.txt"), &board)?;
/// assert_eq!(read_board(folder.path().join("board.txt"))?, board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn save_board(filename: impl AsRef<Path>, B: &Board) -> Result<(), SaveError> {
    B.save(filename)
}

/// A good move for Black, if there is any: the piece, and where it goes.
///
/// ```
/// # use tabiya_puzzle::document::find_black_move;
/// let board = "3\nKa1\nKc1, Ba3, Bb3".parse()?;
/// let (piece, x, y) = find_black_move(&board).unwrap();
/// assert_eq!((piece.to_string(), x, y), ("Ba3".to_owned(), 2, 2));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn find_black_move(B: &Board) -> Option<(Piece, u8, u8)> {
    let (piece, to) = match Position::new(*B, Side::Black) {
        Ok(position) => {
            let m = Player::new(Level::FULL, 0).choose(&position, &[])?;
            (B.piece_at(m.from)?, m.to)
        }
        // Without a king a side there is nothing to think about.
        Err(_) => B.pieces_of(Side::Black).find_map(|piece| {
            let to = B.size().cells().into_iter().find(|&to| B.can_move_to(piece, to))?;
            Some((piece, to))
        })?,
    };
    Some((piece, to.x(), to.y()))
}

/// The board as it is shown.
///
/// ```
/// # use tabiya_puzzle::document::conf2unicode;
/// let text = conf2unicode(&"3\nKa1\nKc3".parse()?);
/// assert!(text.starts_with("\u{2001}\u{2001}♚\n") && text.ends_with("\n♔\u{2001}\u{2001}"));
/// # Ok::<(), tabiya_puzzle::PlainError>(())
/// ```
#[expect(non_snake_case, reason = "the document calls a board B")]
pub fn conf2unicode(B: &Board) -> String {
    B.draw()
}
