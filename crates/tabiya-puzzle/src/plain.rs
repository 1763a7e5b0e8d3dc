//! The plain board configuration: a size and two lines of pieces.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use core::fmt::Write;
use core::str::FromStr;

use crate::{Board, BoardError, Cell, CellError, Kind, Piece, Side, Size, text};

/// Reads the plain format: the size, White's pieces, Black's pieces, a line each.
///
/// Pieces are separated by commas with any number of spaces around them; a last comma may
/// stay, lines may end as in Windows, and blank lines may follow. Exactly one king a side.
impl FromStr for Board {
    type Err = PlainError;

    fn from_str(text: &str) -> Result<Board, PlainError> {
        let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let first = lines.next().unwrap_or_default().trim_matches(' ');
        let size = text::number(first)
            .and_then(Size::new)
            .ok_or_else(|| PlainError::Size { text: text::excerpt(first) })?;
        let mut board = Board::new(size);
        for (side, line) in Side::ALL.into_iter().zip(2..) {
            let words = lines.next().ok_or(PlainError::NoLine { line, side })?;
            read_side(&mut board, side, line, words)?;
        }
        match lines.zip(4..).find(|(line, _)| !line.trim().is_empty()) {
            Some((rest, line)) => Err(PlainError::Rest { line, text: text::excerpt(rest) }),
            None => Ok(board),
        }
    }
}

fn read_side(board: &mut Board, side: Side, line: usize, words: &str) -> Result<(), PlainError> {
    let words = words.trim_matches(' ');
    let words = words.strip_suffix(',').unwrap_or(words);
    if words.is_empty() {
        return Err(PlainError::Empty { line, side });
    }
    for word in words.split(',').map(|word| word.trim_matches(' ')) {
        let piece = read_piece(side, word).ok_or_else(|| match word {
            "" => PlainError::NoPiece { line },
            _ => PlainError::Piece { line, text: text::excerpt(word) },
        })?;
        board.put(piece).map_err(|error| PlainError::Place { line, error })?;
        if piece.kind == Kind::King && board.kings(side).len() > 1 {
            return Err(PlainError::SecondKing { line, side, piece });
        }
    }
    match board.kings(side).is_empty() {
        true => Err(PlainError::NoKing { line, side }),
        false => Ok(()),
    }
}

fn read_piece(side: Side, word: &str) -> Option<Piece> {
    let (kind, place) = match word.strip_prefix('K') {
        Some(place) => (Kind::King, place),
        None => (Kind::Bishop, word.strip_prefix('B')?),
    };
    let cell: Result<Cell, CellError> = place.parse();
    Some(Piece { side, kind, cell: cell.ok()? })
}

impl Board {
    /// The board in the plain format, as it is kept in files.
    pub fn plain(&self) -> String {
        let mut text = format!("{}\n", self.size().get());
        for side in Side::ALL {
            for (number, piece) in self.pieces_of(side).enumerate() {
                let comma = if number == 0 { "" } else { ", " };
                // Writing to a string cannot fail.
                let _ = write!(text, "{comma}{piece}");
            }
            text.push('\n');
        }
        text
    }
}

/// What is wrong with a plain board configuration, and where.
///
/// ```
/// use tabiya_puzzle::Board;
///
/// let error = "5\nKa1, Bz9\nKe5".parse::<Board>().unwrap_err();
/// assert_eq!(error.to_string(), "line 2: `Bz9` is outside a 5×5 board");
/// let error = "27\nKa1\nKe5".parse::<Board>().unwrap_err();
/// assert_eq!(error.to_string(), "line 1: `27` is not a size: sizes are 3 to 26");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlainError {
    /// The first line is not a number from 3 to 26.
    #[error("line 1: {text} is not a size: sizes are 3 to 26")]
    Size {
        /// The line, in backquotes.
        text: String,
    },
    /// The text ends too early.
    #[error("line {line}: the line with the pieces of {side} is missing")]
    NoLine {
        /// The line, counted from 1.
        line: usize,
        /// Whose pieces should be there.
        side: Side,
    },
    /// A line of pieces has none.
    #[error("line {line}: {side} has no pieces")]
    Empty {
        /// The line, counted from 1.
        line: usize,
        /// Whose pieces should be there.
        side: Side,
    },
    /// Two commas, or one before the first piece.
    #[error("line {line}: a piece is missing beside a comma")]
    NoPiece {
        /// The line, counted from 1.
        line: usize,
    },
    /// Something that is not a piece.
    #[error("line {line}: {text} is not a piece: pieces are written like Ke1 or Ba12")]
    Piece {
        /// The line, counted from 1.
        line: usize,
        /// What is there, in backquotes.
        text: String,
    },
    /// A piece outside the board, or on another.
    #[error("line {line}: {error}")]
    Place {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with its place.
        error: BoardError,
    },
    /// A side has two kings.
    #[error("line {line}: `{piece}` is a second king of {side}")]
    SecondKing {
        /// The line, counted from 1.
        line: usize,
        /// Whose king.
        side: Side,
        /// The second king.
        piece: Piece,
    },
    /// A side has no king.
    #[error("line {line}: {side} has no king")]
    NoKing {
        /// The line, counted from 1.
        line: usize,
        /// Whose king.
        side: Side,
    },
    /// Something follows after the pieces.
    #[error("line {line}: {text} after the pieces of Black")]
    Rest {
        /// The line, counted from 1.
        line: usize,
        /// What is there, in backquotes.
        text: String,
    },
}
