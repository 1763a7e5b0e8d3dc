use crate::{Board, Cell};

/// An empty cell: as wide as a figure.
const BLANK: char = '\u{2001}';

impl Board {
    /// The board as it is shown: one line a row, the top row first, one figure a cell; empty cells are
    /// U+2001, and there is no newline after the last row.
    pub fn draw(&self) -> String {
        let places = 1..=self.size().get();
        let figure = |x, y| {
            let piece = Cell::at(x, y).and_then(|cell| self.piece_at(cell));
            piece.map_or(BLANK, |piece| piece.figure())
        };
        let row = |y| places.clone().map(|x| figure(x, y)).collect::<String>();
        places.clone().rev().map(row).collect::<Vec<_>>().join("\n")
    }
}
