use std::fmt;

use crate::{Bitboard, Move, MoveKind, Piece, Position, Role, Square, Wing, attacks};

impl Position {
    /// A legal move in standard algebraic notation: `Nf3`, `Rad1`, `exd6`, `O-O`, `a8=Q+`, `Qh7#`.
    /// The file or rank a piece comes from is written only where another such piece could legally go
    /// to the same square. A move that is not legal is written as by [`Position::san_bare`].
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/R2K3R w - - 0 1".parse().unwrap();
    /// assert_eq!(position.san(Move::normal(Square::H1, Square::F1)), "Rf1");
    /// let position: Position = "4k3/8/8/8/8/8/3K4/R6R w - - 0 1".parse().unwrap();
    /// assert_eq!(position.san(Move::normal(Square::H1, Square::F1)), "Rhf1");
    /// ```
    pub fn san(&self, m: Move) -> String {
        match self.play(m) {
            Ok(next) => self.san_to(m, &next).to_string(),
            Err(_) => self.san_bare(m),
        }
    }

    /// A legal move in standard algebraic notation, where the position after it is known already: no
    /// text is allocated, for files of millions of games.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let start = Position::initial();
    /// let m = Move::normal(Square::G1, Square::F3);
    /// let after = start.play(m).unwrap();
    /// assert_eq!(start.san_to(m, &after).as_str(), "Nf3");
    /// ```
    pub fn san_to(&self, m: Move, after: &Position) -> San {
        let mut san = self.spell(m, self.distinction(m));
        if after.is_check() {
            san.push(if after.has_legal_moves() { b'+' } else { b'#' });
        }
        san
    }

    /// A move in algebraic notation without what other pieces have to do with it: no distinction from
    /// pieces that could go there too, no mark for check. It need not be legal.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let fen = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1";
    /// let position: Position = fen.parse().unwrap();
    /// assert_eq!(position.san_bare(Move::normal(Square::E4, Square::E5)), "Rxe5");
    /// // The rook is pinned, but this is how the move would be written.
    /// assert_eq!(position.san_bare(Move::normal(Square::E4, Square::F4)), "Rf4");
    /// ```
    pub fn san_bare(&self, m: Move) -> String {
        self.spell(m, [None, None]).to_string()
    }

    fn spell(&self, m: Move, distinction: [Option<u8>; 2]) -> San {
        let mut san = San::default();
        let (from, to) = (m.from(), m.to());
        if let Some(rook) = m.castling_rook() {
            Wing::of(from, rook).notation().bytes().for_each(|byte| san.push(byte));
            return san;
        }
        let captures = self.piece_at(to).is_some() || m.kind() == MoveKind::EnPassant;
        match self.piece_at(from).map(|piece| piece.role) {
            None | Some(Role::Pawn) if captures => san.push(file_letter(from)),
            None | Some(Role::Pawn) => {}
            Some(role) => san.push(role.letter() as u8),
        }
        distinction.into_iter().flatten().for_each(|byte| san.push(byte));
        if captures {
            san.push(b'x');
        }
        san.push(file_letter(to));
        san.push(rank_digit(to));
        if let Some(role) = m.promotes_to() {
            san.push(b'=');
            san.push(role.letter() as u8);
        }
        san
    }

    /// What tells the moving piece from others that could make the same move: its file, else its rank,
    /// else both.
    fn distinction(&self, m: Move) -> [Option<u8>; 2] {
        let (from, to) = (m.from(), m.to());
        let rivals = match self.piece_at(from) {
            // A pawn that captures is told by its file already; others cannot be mistaken.
            Some(Piece { role: Role::Pawn | Role::King, .. }) | None => Bitboard::EMPTY,
            Some(piece) => {
                let reach = attacks::piece(piece, to, self.board.occupied());
                (reach & self.board.pieces(piece)) - from
            }
        };
        if rivals.is_empty() {
            return [None, None];
        }
        let legal = |&rival: &Square| self.moves_from(rival).iter().any(|m| m.to() == to);
        let rivals: Bitboard = rivals.into_iter().filter(legal).collect();
        if rivals.is_empty() {
            [None, None]
        } else if !rivals.meets(from.file()) {
            [Some(file_letter(from)), None]
        } else if !rivals.meets(from.rank()) {
            [None, Some(rank_digit(from))]
        } else {
            [Some(file_letter(from)), Some(rank_digit(from))]
        }
    }
}

fn file_letter(square: Square) -> u8 {
    square.file().letter() as u8
}

fn rank_digit(square: Square) -> u8 {
    square.rank().digit() as u8
}

/// A move in standard algebraic notation, on the stack: `Qh4xe1#` is the longest there is.
///
/// ```
/// use tabiya_chess::{Move, Position, Square};
///
/// let start = Position::initial();
/// let m = Move::normal(Square::E2, Square::E4);
/// let san = start.san_to(m, &start.play(m)?);
/// assert_eq!((san.as_str(), san.to_string()), ("e4", "e4".to_owned()));
/// # Ok::<(), tabiya_chess::IllegalMove>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct San {
    bytes: [u8; 7],
    length: u8,
}

impl San {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(usize::from(self.length)) {
            *place = byte;
            self.length += 1;
        }
    }

    /// As text.
    ///
    /// ```
    /// # use tabiya_chess::San;
    /// assert_eq!(San::default().as_str(), "");
    /// ```
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_text::tests::varied_positions;
    use Square::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    fn san(fen: &str, m: Move) -> String {
        position(fen).san(m)
    }

    #[test]
    fn no_two_moves_are_written_alike() {
        for position in varied_positions() {
            let moves = position.legal_moves();
            let mut texts: Vec<String> = moves.iter().map(|&m| position.san(m)).collect();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), moves.len(), "{position}");
        }
    }

    #[test]
    fn distinction_by_file_else_rank_else_both() {
        let queens = "6k1/8/8/8/4Q2Q/8/1K6/7Q w - - 0 1";
        assert_eq!(san(queens, Move::normal(E4, E1)), "Qee1");
        assert_eq!(san(queens, Move::normal(H1, E1)), "Q1e1");
        assert_eq!(san(queens, Move::normal(H4, E1)), "Qh4e1");
        assert_eq!(san(queens, Move::normal(E4, E2)), "Qe2");

        let pinned = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
        assert_eq!(san(pinned, Move::normal(G1, E2)), "Ne2");
        // A rival hidden behind the piece itself is none.
        let hidden = "6k1/8/8/8/8/8/1K6/RR6 w - - 0 1";
        assert_eq!(san(hidden, Move::normal(B1, C1)), "Rc1");
        // Only rivals of the same kind count.
        let mixed = "6k1/8/8/8/R6Q/8/1K6/8 w - - 0 1";
        assert_eq!(san(mixed, Move::normal(A4, D4)), "Rd4");
    }

    #[test]
    fn checks_and_mates() {
        let discovered = "4k3/8/8/8/8/8/4B3/4R1K1 w - - 0 1";
        assert_eq!(san(discovered, Move::normal(E2, D3)), "Bd3+");
        let castles = "5k2/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(san(castles, Move::castle(E1, H1)), "O-O+");
        let castles = "2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1";
        assert_eq!(san(castles, Move::castle(E1, A1)), "O-O-O#");
        let en_passant = "7k/5Q2/8/3pP2K/8/1R6/1B6/8 w - d6 0 1";
        assert_eq!(san(en_passant, Move::en_passant(E5, D6)), "exd6#");
        let promotes = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        let queen = Move::promotion(A7, B8, Role::Queen).unwrap();
        assert_eq!(san(promotes, queen), "axb8=Q+");
        let knight = Move::promotion(A7, A8, Role::Knight).unwrap();
        assert_eq!(san(promotes, knight), "a8=N");
        let fools_mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        assert_eq!(san(fools_mate, Move::normal(D8, H4)), "Qh4#");
    }

    #[test]
    fn bare_notation_of_moves_that_need_not_be_legal() {
        let fen = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1";
        let position = position(fen);
        let squares = [E5, F4, G4, H4, E3, E2, D4, C4, B4, A4];
        let naive = squares.map(|to| position.san_bare(Move::normal(E4, to)));
        assert_eq!(naive.join(", "), "Rxe5, Rf4, Rg4, Rh4, Re3, Re2, Rd4, Rc4, Rb4, Ra4");
        assert_eq!(position.san(Move::normal(E4, F4)), "Rf4");
        assert_eq!(position.san_bare(Move::castle(E1, A1)), "O-O-O");
        let promotion = Move::promotion(A7, A8, Role::Rook).unwrap();
        assert_eq!(position.san_bare(promotion), "a8=R");
        assert_eq!(position.san_bare(Move::en_passant(B4, C3)), "bxc3");
    }
}
