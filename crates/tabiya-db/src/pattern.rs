//! Positions with squares of which it does not matter what stands on them.

use std::str::FromStr;

use tabiya_base::excerpt;
use tabiya_chess::{Bitboard, Board, Color, File, Piece, Rank, Role, Square};

use crate::bare::Bare;
use crate::error::ParseFilterError;
use crate::signature::Signature;

/// A pattern, written like the first field of a FEN: a letter is that man, a digit so many empty squares, `?`
/// anything or nothing, `!` any man, `A` any White man, `a` any Black one, `*` the rest of the rank, whatever
/// it is. A rank may end early: then the rest does not matter.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_db::Pattern;
///
/// let castled: Pattern = "*/*/*/*/*/*/*/?????RK1".parse()?;
/// assert!(!castled.matches(Position::initial().board()));
/// # Ok::<(), tabiya_db::ParseFilterError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    empty: Bitboard,
    occupied: Bitboard,
    colors: [Bitboard; 2],
    men: Vec<(Piece, Bitboard)>,
}

impl FromStr for Pattern {
    type Err = ParseFilterError;

    fn from_str(text: &str) -> Result<Pattern, ParseFilterError> {
        let whole = || excerpt(text);
        let mut pattern = Pattern {
            empty: Bitboard::EMPTY,
            occupied: Bitboard::EMPTY,
            colors: [Bitboard::EMPTY; 2],
            men: Vec::new(),
        };
        let board = text.split_whitespace().next().unwrap_or_default();
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() > 8 || board.is_empty() {
            return Err(ParseFilterError::Ranks(whole()));
        }
        for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
            let mut files = File::ALL.into_iter();
            for c in text.chars() {
                if c == '*' {
                    break;
                }
                let mut squares = c.to_digit(10).unwrap_or(1);
                while squares > 0 {
                    let Some(file) = files.next() else {
                        let rank = excerpt(text);
                        return Err(ParseFilterError::Rank { pattern: whole(), rank });
                    };
                    squares -= 1;
                    let square = Square::new(file, rank);
                    match c {
                        '0'..='9' => pattern.empty |= square.bitboard(),
                        '?' => {}
                        '!' => pattern.occupied |= square.bitboard(),
                        'A' => pattern.colors[Color::White as usize] |= square.bitboard(),
                        'a' => pattern.colors[Color::Black as usize] |= square.bitboard(),
                        c => {
                            let piece = Piece::from_letter(c).ok_or_else(|| {
                                ParseFilterError::Letter { pattern: whole(), letter: c }
                            })?;
                            pattern.add(piece, square);
                        }
                    }
                }
            }
        }
        Ok(pattern)
    }
}

impl Pattern {
    fn add(&mut self, piece: Piece, square: Square) {
        match self.men.iter_mut().find(|(known, _)| *known == piece) {
            Some((_, squares)) => *squares |= square.bitboard(),
            None => self.men.push((piece, square.bitboard())),
        }
    }

    /// Whether a board looks like that.
    pub fn matches(&self, board: &Board) -> bool {
        self.matches_bare(&Bare::from(board))
    }

    #[inline]
    pub(crate) fn matches_bare(&self, board: &Bare) -> bool {
        let has = |some: Bitboard, wanted: Bitboard| some & wanted == wanted;
        (board.occupied() & self.empty).is_empty()
            && has(board.occupied(), self.occupied)
            && Color::ALL
                .iter()
                .zip(self.colors)
                .all(|(&color, wanted)| has(board.color(color), wanted))
            && self.men.iter().all(|&(piece, wanted)| has(board.pieces(piece), wanted))
    }

    /// Whether a game may have come to it, by where its pawns have stood.
    pub(crate) fn may_have_been(&self, signature: &Signature) -> bool {
        let home = Bitboard(
            u64::from(signature.home_pawns & 0xff) << 8
                | u64::from(signature.home_pawns >> 8) << 48,
        );
        (self.empty & home).is_empty()
            && self.men.iter().all(|&(piece, wanted)| match (piece.role, piece.color) {
                (Role::Pawn, Color::White) => wanted.0 & !signature.white_pawns == 0,
                (Role::Pawn, Color::Black) => wanted.0 & !signature.black_pawns == 0,
                _ => (wanted & home).is_empty(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_that_do_not_matter_do_not() {
        let start = Board::initial();
        for (text, wanted) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", true),
            ("r*/*/*/*/*/*/*/*R", true),
            ("r*", true),
            ("????k???/aaaaaaaa/*/8/8/*/AAAAAAAA/!!!!!!!!", true),
            ("????k???/aaaaaaa1", false),
            ("????K???", false),
            ("*/*/!", false),
            ("*/AAAAAAAA", false),
            ("k", false),
        ] {
            let pattern: Pattern = text.parse().unwrap();
            assert_eq!(pattern.matches(&start), wanted, "{text}");
        }
        for text in ["", "9", "x", "ppppppppp", "8/8/8/8/8/8/8/8/8", "44p"] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}
