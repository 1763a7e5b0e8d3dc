//! Algebraic notation as programs write it, read at the speed of a database: only the pieces that
//! could reach the target square are looked at, and no list of moves is made.

use crate::attacks::{KING, KNIGHT, PAWN};
use crate::{Bitboard, File, Move, Position, Rank, Role, Square, Wing, sliders};

impl Position {
    /// The legal move that a text means, if it is algebraic notation as programs write it: `Nf3`,
    /// `Nbd2`, `exd5`, `a8=Q`, `O-O`, with or without `+` or `#`. A capital letter, the origin where
    /// it is needed, at will an `x`, the target.
    ///
    /// None if the text is anything else, or not exactly one legal move fits. [`Position::parse_san`]
    /// gives the same move, forgives more, tells what is wrong, and takes longer.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let start = Position::initial();
    /// assert_eq!(start.parse_plain_san(b"Nf3"), Some(Move::normal(Square::G1, Square::F3)));
    /// assert_eq!(start.parse_plain_san(b"Nf6"), None);
    /// assert_eq!(start.parse_plain_san(b"1. nf3!"), None);
    /// assert!(start.parse_san("1. nf3!").is_ok());
    /// ```
    pub fn parse_plain_san(&self, text: &[u8]) -> Option<Move> {
        let text = match text {
            [text @ .., b'+' | b'#'] => text,
            text => text,
        };
        match *text {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), ref origin @ .., file, rank] => {
                self.find_piece(letter, origin, square(file, rank)?)
            }
            [file, rank] => self.find_pawn(None, square(file, rank)?, None),
            [from, b'x', file, rank] => {
                self.find_pawn(Some(file_of(from)?), square(file, rank)?, None)
            }
            [file, rank, b'=', letter] => {
                self.find_pawn(None, square(file, rank)?, Some(promotion(letter)?))
            }
            [from, b'x', file, rank, b'=', letter] => {
                let role = promotion(letter)?;
                self.find_pawn(Some(file_of(from)?), square(file, rank)?, Some(role))
            }
            [b'O', b'-', b'O'] => self.find_castle(Wing::KingSide),
            [b'O', b'-', b'O', b'-', b'O'] => self.find_castle(Wing::QueenSide),
            _ => None,
        }
    }

    fn find_castle(&self, wing: Wing) -> Option<Move> {
        let rook = self.castling_rook(self.turn, wing)?;
        Some(Move::castle(self.king(self.turn), rook)).filter(|&m| self.is_legal(m))
    }

    fn find_piece(&self, letter: u8, origin: &[u8], to: Square) -> Option<Move> {
        let own = self.board.army(self.turn);
        let occupied = self.board.occupied().0;
        let to_bit = to.bitboard().0;
        let at = to.index();
        // Seen from the target, a piece reaches what reaches it.
        let mut from = match letter {
            b'N' => KNIGHT[at] & own.knights,
            b'B' => sliders::bishop(at, occupied) & own.role(Role::Bishop),
            b'R' => sliders::rook(at, occupied) & own.role(Role::Rook),
            b'Q' => {
                (sliders::bishop(at, occupied) | sliders::rook(at, occupied))
                    & own.role(Role::Queen)
            }
            _ => KING[at] & own.kings,
        };
        from &= named(origin)?;
        if own.all & to_bit != 0 {
            return None;
        }
        if letter == b'K' {
            let enemy = !self.turn;
            let attackers = self.board.attackers(to, enemy, Bitboard(occupied & !own.kings));
            return if from != 0 && attackers.is_empty() {
                Some(Move::normal(self.king(self.turn), to))
            } else {
                None
            };
        }
        let mut found = None;
        while from != 0 {
            let square = Square::from_low_bits(from.trailing_zeros());
            from &= from - 1;
            if self.is_king_safe_after(square.bitboard().0, to_bit, to_bit) {
                if found.is_some() {
                    return None;
                }
                found = Some(Move::normal(square, to));
            }
        }
        found
    }

    /// The move of a pawn: from another file if it captures, to the last rank with the piece it
    /// becomes and to no other rank with one.
    fn find_pawn(&self, file: Option<File>, to: Square, becomes: Option<Role>) -> Option<Move> {
        let own = self.board.army(self.turn);
        let occupied = self.board.occupied().0;
        let to_bit = to.bitboard().0;
        if (to.rank().relative_to(self.turn) == Rank::Eighth) != becomes.is_some() {
            return None;
        }
        let Some(file) = file else {
            // Straight ahead: from the square behind, or over it if it is empty, to the fourth rank.
            let behind = to.rank().relative_to(self.turn).offset(-1)?.relative_to(self.turn);
            let mut from = Square::new(to.file(), behind);
            if occupied & from.bitboard().0 == 0 && to.rank().relative_to(self.turn) == Rank::Fourth
            {
                from = Square::new(to.file(), Rank::Second.relative_to(self.turn));
            }
            let from_bit = from.bitboard().0;
            let possible = own.pawns & from_bit != 0 && occupied & to_bit == 0;
            return if possible && self.is_king_safe_after(from_bit, to_bit, 0) {
                normal_or_promotion(from, to, becomes)
            } else {
                None
            };
        };
        let from_bit = PAWN[!self.turn as usize][to.index()] & own.pawns & Bitboard::from(file).0;
        if from_bit == 0 {
            return None;
        }
        let from = Square::from_low_bits(from_bit.trailing_zeros());
        if self.board.army(!self.turn).all & to_bit != 0 {
            return if self.is_king_safe_after(from_bit, to_bit, to_bit) {
                normal_or_promotion(from, to, becomes)
            } else {
                None
            };
        }
        let captured = Square::new(to.file(), from.rank()).bitboard().0;
        if self.pseudo_legal_ep_square == Some(to)
            && self.is_king_safe_after(from_bit, to_bit, captured)
        {
            return Some(Move::en_passant(from, to));
        }
        None
    }

    /// Whether the king of the side to move is in no check once a piece (not the king) has gone from
    /// one square to another and what stood on a third is taken.
    #[inline]
    fn is_king_safe_after(&self, from: u64, to: u64, taken: u64) -> bool {
        let enemy = self.board.army(!self.turn);
        let king = self.king(self.turn).index();
        let occupied = self.board.occupied().0 & !from & !taken | to;
        let attackers = KNIGHT[king] & enemy.knights
            | PAWN[self.turn as usize][king] & enemy.pawns
            | sliders::rook(king, occupied) & enemy.orthogonals
            | sliders::bishop(king, occupied) & enemy.diagonals;
        attackers & !taken == 0
    }
}

fn normal_or_promotion(from: Square, to: Square, becomes: Option<Role>) -> Option<Move> {
    match becomes {
        Some(role) => Move::promotion(from, to, role),
        None => Some(Move::normal(from, to)),
    }
}

/// The squares that agree with what is said of the origin: nothing, a file, a rank or both, and an
/// `x` after it.
fn named(origin: &[u8]) -> Option<u64> {
    let origin = match origin {
        [origin @ .., b'x'] => origin,
        origin => origin,
    };
    match *origin {
        [] => Some(!0),
        [letter @ b'a'..=b'h'] => Some(Bitboard::from(file_of(letter)?).0),
        [digit @ b'1'..=b'8'] => Some(0xFF << (8 * (digit - b'1'))),
        [file, rank] => Some(square(file, rank)?.bitboard().0),
        _ => None,
    }
}

fn file_of(letter: u8) -> Option<File> {
    File::from_index(usize::from(letter.wrapping_sub(b'a')))
}

fn square(file: u8, rank: u8) -> Option<Square> {
    Square::at(usize::from(file.wrapping_sub(b'a')), usize::from(rank.wrapping_sub(b'1')))
}

fn promotion(letter: u8) -> Option<Role> {
    match letter {
        b'Q' => Some(Role::Queen),
        b'R' => Some(Role::Rook),
        b'B' => Some(Role::Bishop),
        b'N' => Some(Role::Knight),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tabiya_base::Random;

    use super::*;
    use crate::move_text::tests::varied_positions;

    /// Every text that is plain notation by its form, legal or not.
    fn all_plain_texts() -> Vec<String> {
        let mut texts = vec!["O-O".to_owned(), "O-O-O".to_owned()];
        for to in Square::ALL {
            texts.push(to.to_string());
            for role in ['Q', 'R', 'B', 'N'] {
                texts.push(format!("{to}={role}"));
            }
            // The forgiving reader takes axa3 for a3.
            for file in File::ALL.into_iter().filter(|&file| file != to.file()).map(File::letter) {
                texts.push(format!("{file}x{to}"));
                texts.push(format!("{file}x{to}=Q"));
            }
            for role in ['N', 'B', 'R', 'Q', 'K'] {
                texts.extend([format!("{role}{to}"), format!("{role}x{to}")]);
                texts.extend(File::ALL.map(|file| format!("{role}{}{to}", file.letter())));
                texts.extend(Rank::ALL.map(|rank| format!("{role}{}x{to}", rank.digit())));
                texts.extend(Square::ALL.map(|from| format!("{role}{from}{to}")));
            }
        }
        texts
    }

    #[test]
    fn it_agrees_with_the_forgiving_reader_about_every_text() {
        let texts = all_plain_texts();
        assert!(texts.len() > 20_000);
        for position in varied_positions() {
            for text in &texts {
                let plain = position.parse_plain_san(text.as_bytes());
                // With both squares of the king named, the forgiving reader also castles; and it takes
                // a small b for a bishop if no pawn can be meant.
                let forgiving = position.parse_san(text).ok().filter(|&m| {
                    let moved = position.piece_at(m.from()).map(|piece| piece.role);
                    let castles = text.starts_with('K') && m.castling_rook().is_some();
                    let small_bishop = text.starts_with('b') && moved == Some(Role::Bishop);
                    !castles && !small_bishop
                });
                assert_eq!(plain, forgiving, "{text} in {position}");
            }
        }
    }

    #[test]
    fn every_move_of_thousands_of_positions_is_found() {
        let mut random = Random::new(0x5EED);
        let (mut positions, mut moves_seen) = (0, 0);
        for number in (0..960).step_by(9) {
            let mut position = Position::chess960(number).unwrap();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                positions += 1;
                for &m in &moves {
                    let text = position.san(m);
                    assert_eq!(
                        position.parse_plain_san(text.as_bytes()),
                        Some(m),
                        "{text}, {position}"
                    );
                    moves_seen += 1;
                }
                position.play_unchecked(random.pick(&moves).unwrap());
            }
        }
        assert!(positions > 10_000 && moves_seen > 200_000, "{positions} {moves_seen}");
    }

    #[test]
    fn what_is_not_plain_is_left_to_others() {
        let start = Position::initial();
        for text in [
            "", "+", "N", "Nf", "nf3", "e2e4", "e4!", "1.e4", "0-0", "O-O-O-O", "Nf3++", "Ng1-f3",
            "♘f3", "e9", "i4", "Nx", "Nxxf3", "=Q", "e4=", "e8=K", "Pe4", "e4=Q", "N\0f3",
        ] {
            assert_eq!(start.parse_plain_san(text.as_bytes()), None, "{text:?}");
        }
    }
}
