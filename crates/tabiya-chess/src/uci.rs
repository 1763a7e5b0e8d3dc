use crate::{Move, ParseMoveError, Position, Role, Square};

impl Position {
    /// Reads a move as chess programs write it: `e2e4`, `e7e8q`. Castling is the king's move
    /// (`e1g1`), or king takes own rook (`e1h1`) as in Chess960; where the king could also simply
    /// step there, it steps. The null move `0000` is not a move.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    /// let castle = position.parse_uci("e1g1").unwrap();
    /// assert_eq!(castle.castling_rook(), Some(Square::H1));
    /// assert_eq!(position.parse_uci("e1h1"), Ok(castle));
    /// assert_eq!(
    ///     position.parse_uci("0000").unwrap_err().to_string(),
    ///     "\"0000\" is not a move: write it like e4, Nf3 or e2e4."
    /// );
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseMoveError> {
        let parts = || {
            let from: Square = text.get(..2)?.parse().ok()?;
            let to: Square = text.get(2..4)?.parse().ok()?;
            let promotion = match text.as_bytes().get(4..)? {
                [] => None,
                &[letter] => Some(promotion_role(letter)?),
                _ => return None,
            };
            Some((from, to, promotion))
        };
        let (from, to, promotion) = parts().ok_or_else(|| ParseMoveError::not_a_move(text))?;
        Ok(self.move_between(from, to, promotion)?)
    }

    /// The move as chess programs write it. Castling is the king's move, `e1g1`, but king takes
    /// rook where king or rooks do not stand as in standard chess.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Role, Square};
    /// let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    /// assert_eq!(position.uci(Move::castle(Square::E1, Square::H1)), "e1g1");
    /// let promotes = Move::promotion(Square::A7, Square::A8, Role::Queen).unwrap();
    /// assert_eq!(position.uci(promotes), "a7a8q");
    ///
    /// let chess960: Position = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1".parse().unwrap();
    /// assert_eq!(chess960.uci(Move::castle(Square::F1, Square::G1)), "f1g1");
    /// ```
    pub fn uci(&self, m: Move) -> String {
        if self.castles_as_in_standard_chess() { write(m, m.to()) } else { self.uci_chess960(m) }
    }

    /// The move as chess programs write it when they play Chess960: castling is always king takes
    /// rook.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    /// assert_eq!(position.uci_chess960(Move::castle(Square::E1, Square::H1)), "e1h1");
    /// ```
    pub fn uci_chess960(&self, m: Move) -> String {
        write(m, m.castling_rook().unwrap_or(m.to()))
    }
}

fn write(m: Move, to: Square) -> String {
    match m.promotes_to() {
        Some(role) => format!("{}{to}{}", m.from(), role.letter().to_ascii_lowercase()),
        None => format!("{}{to}", m.from()),
    }
}

/// What a pawn can become, by its letter of either case.
pub(crate) fn promotion_role(letter: u8) -> Option<Role> {
    Role::from_letter(char::from(letter)).filter(|role| Role::PROMOTIONS.contains(role))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_text::tests::varied_positions;
    use Square::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn every_legal_move_is_read_as_it_is_written() {
        for position in varied_positions() {
            for m in position.legal_moves() {
                for text in [position.uci(m), position.uci_chess960(m)] {
                    assert_eq!(position.parse_uci(&text), Ok(m), "{text} in {position}");
                    assert_eq!(position.parse_move(&text), Ok(m), "{text} in {position}");
                }
            }
        }
    }

    #[test]
    fn castling_is_the_kings_move_or_king_takes_rook() {
        let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let (short, long) = (Move::castle(E1, H1), Move::castle(E1, A1));
        for (text, m) in [("e1g1", short), ("e1h1", short), ("e1c1", long), ("e1a1", long)] {
            assert_eq!(standard.parse_uci(text), Ok(m), "{text}");
        }
        assert_eq!((standard.uci(short), standard.uci(long)), ("e1g1".into(), "e1c1".into()));
        assert_eq!(standard.uci_chess960(long), "e1a1");

        // From f1 the king can step to g1, so castling is written with the rook's square.
        let chess960 = position("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
        assert_eq!(chess960.parse_uci("f1g1"), Ok(Move::normal(F1, G1)));
        assert_eq!(chess960.parse_uci("f1h1"), Ok(Move::castle(F1, H1)));
        assert_eq!(chess960.uci(Move::castle(F1, H1)), "f1h1");
        assert_eq!(chess960.parse_uci("f1c1"), Ok(Move::castle(F1, A1)));

        // The king may castle without moving.
        let stays = position("4k3/8/8/8/8/8/8/2R3KR w HC - 0 1");
        assert_eq!(stays.parse_uci("g1h1"), Ok(Move::castle(G1, H1)));
        assert_eq!(
            stays.parse_uci("g1g1").unwrap_err().to_string(),
            "A king does not move like that."
        );
    }

    #[test]
    fn promotion_in_either_case() {
        let position = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        let knight = Move::promotion(A7, B8, Role::Knight).unwrap();
        assert_eq!(position.parse_uci("a7b8n"), Ok(knight));
        assert_eq!(position.parse_uci("a7b8N"), Ok(knight));
        assert_eq!(position.uci(knight), "a7b8n");
        let missing = ParseMoveError::PromotionMissing { from: A7, to: A8 };
        assert_eq!(position.parse_uci("a7a8"), Err(missing));
    }

    #[test]
    fn nothing_else_is_read() {
        let start = Position::initial();
        for text in ["0000", "e4", "Nf3", "e2-e4", " e2e4", "e2e4 ", "e2e4+", "E2E4", "e7e8k"] {
            let error = start.parse_uci(text).unwrap_err();
            assert_eq!(error, ParseMoveError::NotAMove(text.to_owned()));
        }
        assert_eq!(
            start.parse_uci("a1a1").unwrap_err().to_string(),
            "A rook does not move like that."
        );
    }
}
