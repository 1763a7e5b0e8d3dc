//! Reading standard algebraic notation, generously: first the text is taken apart into what it says
//! about piece, origin and target, then the position is asked for the one legal move that fits.

use crate::move_text::{of_sensible_length, shorten};
use crate::uci::promotion_role;
use crate::{
    Bitboard, File, IllegalMove, Move, MoveKind, ParseMoveError, Piece, Position, Rank, Role,
    Square, Wing,
};

impl Position {
    /// Reads a move in algebraic notation, forgiving whatever leaves the meaning clear:
    ///
    /// - castling as `O-O`, `0-0` or `o-o`; figurines, `♘f3`; pieces in small letters, `nf3`
    ///   (`bc4` is the b-pawn's capture if that is possible, else the bishop's move);
    /// - promotion as `e8=Q`, `e8Q`, `e8(Q)` or `e8/Q`, but never without the piece;
    /// - `x` or `:` missing or too many, more of the origin than needed (`Ngf3`, `Ng1-f3`, `e2e4`);
    /// - a move number before it, `+ # ++ mate e.p. ! ?` and `$5` after it, right or wrong.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let start = Position::initial();
    /// for text in ["Nf3", "♘f3", "nf3", "Ngf3", "Ng1-f3", "1. Nxf3+!?", "g1f3"] {
    ///     assert_eq!(start.parse_san(text), Ok(Move::normal(Square::G1, Square::F3)));
    /// }
    ///
    /// let position: Position = "7k/8/8/8/8/8/8/1N2KN2 w - - 0 1".parse().unwrap();
    /// let error = position.parse_san("Nd2").unwrap_err();
    /// assert_eq!(error.to_string(), "Nd2 could be Nbd2 or Nfd2.");
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        let not_a_move = || ParseMoveError::not_a_move(text);
        let body = of_sensible_length(text).ok_or_else(not_a_move)?;
        let body = without_marks(without_number(body));
        if let Some(wing) = castling_wing(body) {
            return self.castle_to(wing);
        }
        let spelled;
        let body = if body.is_ascii() {
            body
        } else {
            spelled = body.chars().filter_map(letter_of_figure).collect::<String>();
            &spelled
        };
        let mut refusal = None;
        for words in readings(body.as_bytes()).into_iter().flatten() {
            match self.find(words, body) {
                Err(error @ (ParseMoveError::NoSuchPiece { .. } | ParseMoveError::Illegal(_))) => {
                    if !matches!(refusal, Some(ParseMoveError::Illegal(_))) {
                        refusal = Some(error);
                    }
                }
                settled => return settled,
            }
        }
        Err(refusal.unwrap_or_else(not_a_move))
    }

    fn castle_to(&self, wing: Wing) -> Result<Move, ParseMoveError> {
        let rook = self.castling_rook(self.turn, wing);
        let rook = rook.ok_or(IllegalMove::CastlingRightLost { wing })?;
        let m = Move::castle(self.king(self.turn), rook);
        match self.explain(m) {
            Some(reason) => Err(reason.into()),
            None => Ok(m),
        }
    }

    /// The one legal move that the words describe.
    fn find(&self, words: Words, text: &str) -> Result<Move, ParseMoveError> {
        let Words { to, promotion, .. } = words;
        let role = words.role.unwrap_or(Role::Pawn);
        let no_such_piece =
            || ParseMoveError::NoSuchPiece { role, file: words.file, rank: words.rank, to };
        if let (Some(file), Some(rank)) = (words.file, words.rank) {
            let from = Square::new(file, rank);
            return match (words.role, self.piece_at(from)) {
                (Some(role), Some(piece)) if piece.color == self.turn && piece.role != role => {
                    Err(no_such_piece())
                }
                _ => Ok(self.move_between(from, to, promotion)?),
            };
        }

        let mut origins = self.board.pieces(role.of(self.turn));
        match words.file {
            Some(file) => origins &= file,
            // A pawn without a file goes straight ahead.
            None if role == Role::Pawn && !words.captures => origins &= to.file(),
            None => {}
        }
        if let Some(rank) = words.rank {
            origins &= rank;
        }
        let mut found = self.moves_of(origins);
        found.retain(|m| {
            m.kind() != MoveKind::Castle && m.to() == to && m.promotes_to() == promotion
        });
        match found[..] {
            [m] => Ok(m),
            [] => Err(self.refusal(origins, to, promotion).unwrap_or_else(no_such_piece)),
            _ => {
                let mut candidates: Vec<String> = found.iter().map(|&m| self.san(m)).collect();
                candidates.sort();
                Err(ParseMoveError::Ambiguous { text: shorten(text), candidates })
            }
        }
    }

    /// Why none of these pieces may go there, if one of them was meant or one reason holds for all.
    fn refusal(
        &self,
        origins: Bitboard,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<ParseMoveError> {
        let kind = if promotion.is_some() { MoveKind::Promotion } else { MoveKind::Normal };
        let mut reasons: Vec<IllegalMove> = origins
            .into_iter()
            .filter_map(|from| self.judge(from, to, kind).err())
            .filter(|reason| !matches!(reason, IllegalMove::CannotMoveLikeThat { .. }))
            .collect();
        if reasons.len() > 1 {
            reasons.retain(|reason| !matches!(reason, IllegalMove::Blocked { .. }));
        }
        reasons.dedup();
        match reasons.len() {
            1 => reasons.pop().map(ParseMoveError::from),
            _ => None,
        }
    }
}

/// What a move's text says, before any position is asked.
#[derive(Clone, Copy)]
struct Words {
    /// The kind of piece; if it is not said, a pawn, or whatever stands on the square of origin.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    captures: bool,
    to: Square,
    promotion: Option<Role>,
}

/// What the text may mean, likeliest first. Only a small b is both a file and a piece.
fn readings(text: &[u8]) -> [Option<Words>; 2] {
    match text {
        [b'b', rest @ ..] => [read(text, None), read(rest, Some(Role::Bishop))],
        [letter, rest @ ..] => match Role::from_letter(char::from(*letter)) {
            Some(role) => [read(rest, Some(role)), None],
            None => [read(text, None), None],
        },
        [] => [None, None],
    }
}

/// Reads what follows the piece letter: `[file][rank][x]square[promotion]`.
fn read(text: &[u8], role: Option<Role>) -> Option<Words> {
    let (text, promotion) = match text {
        [text @ .., b'(', letter, b')'] | [text @ .., b'=' | b'/', letter] => {
            (text, Some(promotion_role(*letter)?))
        }
        [text @ .., letter] if letter.is_ascii_alphabetic() => {
            (text, Some(promotion_role(*letter)?))
        }
        _ => (text, None),
    };
    let [origin @ .., file, rank] = text else { return None };
    let to = Square::new(read_file(*file)?, read_rank(*rank)?);
    let (origin, captures) = match origin {
        [origin @ .., b'x' | b':'] => (origin, true),
        [origin @ .., b'-'] => (origin, false),
        origin => (origin, false),
    };
    let (file, rank) = match origin {
        [] => (None, None),
        [file, rank] => (Some(read_file(*file)?), Some(read_rank(*rank)?)),
        [one] => match read_file(*one) {
            None => (None, Some(read_rank(*one)?)),
            file => (file, None),
        },
        _ => return None,
    };
    Some(Words { role, file, rank, captures, to, promotion })
}

fn read_file(letter: u8) -> Option<File> {
    File::from_letter(char::from(letter)).filter(|_| letter.is_ascii_lowercase())
}

fn read_rank(digit: u8) -> Option<Rank> {
    Rank::from_digit(char::from(digit))
}

/// Leaves out `12.`, `12...` or `…` before a move.
fn without_number(text: &str) -> &str {
    let dots = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match dots.strip_prefix(['.', '…']) {
        Some(rest) => rest.trim_start_matches(|c: char| c == '.' || c.is_whitespace()),
        None => text,
    }
}

/// Leaves out what is said about a move after it: check, mate, en passant, praise and blame.
fn without_marks(mut text: &str) -> &str {
    loop {
        let before = text.len();
        text = text.trim_end().trim_end_matches(['+', '#', '!', '?']);
        for word in ["mate", "e.p.", "ep"] {
            text = text.strip_suffix(word).unwrap_or(text);
        }
        if let Some((head, number)) = text.rsplit_once('$')
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            text = head;
        }
        if text.len() == before {
            return text;
        }
    }
}

/// The wing of `O-O` or `O-O-O`, written with capital or small letters or with zeros.
fn castling_wing(text: &str) -> Option<Wing> {
    let alike = |(written, due): (u8, u8)| match due {
        b'O' => matches!(written, b'O' | b'o' | b'0'),
        _ => written == due,
    };
    Wing::ALL.into_iter().find(|wing| {
        let notation = wing.notation();
        text.len() == notation.len() && text.bytes().zip(notation.bytes()).all(alike)
    })
}

/// The letter for a figurine of either colour, other characters as they are. The invisible
/// characters that ask for a figurine as plain text or in colour are left out.
fn letter_of_figure(c: char) -> Option<char> {
    if matches!(c, '\u{fe0e}' | '\u{fe0f}') {
        return None;
    }
    let piece = Piece::ALL.into_iter().find(|piece| piece.symbol() == c);
    Some(piece.map_or(c, |piece| piece.role.letter()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_text::tests::varied_positions;
    use Square::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    /// What the player is told instead of a move.
    fn error(fen: &str, text: &str) -> String {
        position(fen).parse_san(text).unwrap_err().to_string()
    }

    #[test]
    fn every_legal_move_is_read_as_it_is_written() {
        for position in varied_positions() {
            for m in position.legal_moves() {
                let text = position.san(m);
                assert_eq!(position.parse_san(&text), Ok(m), "{text} in {position}");
                assert_eq!(position.parse_move(&text), Ok(m), "{text} in {position}");
            }
        }
    }

    #[test]
    fn a_move_and_everything_said_about_it() {
        let start = Position::initial();
        for text in [
            "Nf3",
            "nf3",
            "Ngf3",
            "N1f3",
            "Ng1f3",
            "Ng1-f3",
            "Ng1xf3",
            "Nxf3",
            "N:f3",
            "N-f3",
            "g1f3",
            "♘f3",
            "♞f3",
            "♘\u{fe0e}f3",
            "Nf3+",
            "Nf3#",
            "Nf3++",
            "Nf3 mate",
            "Nf3mate",
            "Nf3!",
            "Nf3?",
            "Nf3!?",
            "Nf3?!",
            "Nf3!!",
            "Nf3??",
            "Nf3$5",
            "Nf3 $14",
            "Nf3+!",
            "Nf3! +",
            "1.Nf3",
            "1. Nf3",
            "12.Nf3",
            "12...Nf3",
            "12. ... Nf3",
            "…Nf3",
            "...Nf3",
            " Nf3 ",
        ] {
            assert_eq!(start.parse_san(text), Ok(Move::normal(G1, F3)), "{text:?}");
        }
        for text in ["e4", "e2e4", "e2-e4", "Pe4", "pe4", "♙e4", "ee4", "exe4", "e4 e.p."] {
            assert_eq!(start.parse_san(text), Ok(Move::normal(E2, E4)), "{text:?}");
        }
    }

    #[test]
    fn captures_with_and_without_their_sign() {
        let fen = "3qk3/8/8/3pP3/8/8/8/3QK3 w - d6 0 1";
        for text in
            ["exd6", "ed6", "e:d6", "e5d6", "e5xd6", "exd6 e.p.", "exd6e.p.", "ed6ep", "xd6"]
        {
            assert_eq!(position(fen).parse_san(text), Ok(Move::en_passant(E5, D6)), "{text:?}");
        }
        // Without a sign of capture, a pawn without a file goes straight.
        assert_eq!(error(fen, "d6"), "No pawn of yours can go to d6.");
        for text in ["Qxd5", "Qd5", "Q:d5", "Qd1xd5+", "qxd5", "Qdd5"] {
            assert_eq!(position(fen).parse_san(text), Ok(Move::normal(D1, D5)), "{text:?}");
        }
    }

    #[test]
    fn castling_as_people_write_it() {
        let both = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for text in
            ["O-O", "0-0", "o-o", "O-O+", "0-0!", "1.O-O", "1. 0-0", "Ke1-g1", "e1g1", "e1h1"]
        {
            assert_eq!(both.parse_san(text), Ok(Move::castle(E1, H1)), "{text:?}");
        }
        for text in ["O-O-O", "0-0-0", "o-o-o", "O-O-O#", "12. 0-0-0 $1"] {
            assert_eq!(both.parse_san(text), Ok(Move::castle(E1, A1)), "{text:?}");
        }
        assert_eq!(
            error("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "O-O"),
            "You can no longer castle king side: the king or the rook has moved."
        );
        assert_eq!(
            error("r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1", "0-0-0"),
            "You cannot castle queen side: the knight on b1 is in the way."
        );
        let stays = position("4k3/8/8/8/8/8/8/2R3KR w HC - 0 1");
        assert_eq!(stays.parse_san("O-O"), Ok(Move::castle(G1, H1)));
    }

    #[test]
    fn promotion_as_people_write_it() {
        let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        let queen = Move::promotion(A7, A8, Role::Queen).unwrap();
        for text in ["a8=Q", "a8Q", "a8q", "a8(Q)", "a8/Q", "a8=♕", "a8=Q+", "a7-a8=Q", "a7a8q"] {
            assert_eq!(position(fen).parse_san(text), Ok(queen), "{text:?}");
        }
        let missing = ParseMoveError::PromotionMissing { from: A7, to: A8 };
        assert_eq!(position(fen).parse_san("a8"), Err(missing));
        assert_eq!(error(fen, "a8=K"), "\"a8=K\" is not a move: write it like e4, Nf3 or e2e4.");
        assert_eq!(error(fen, "Ke2=Q"), "The king on e1 cannot be promoted: only a pawn can.");
    }

    #[test]
    fn a_small_b_is_a_pawn_if_it_can_be() {
        let both = position("4k3/8/8/8/2n5/1P6/8/4KB2 w - - 0 1");
        for text in ["bc4", "bxc4", "b3c4", "b3xc4"] {
            assert_eq!(both.parse_san(text), Ok(Move::normal(B3, C4)), "{text:?}");
        }
        for text in ["Bc4", "Bxc4", "bfc4", "bf1c4", "bf1xc4"] {
            assert_eq!(both.parse_san(text), Ok(Move::normal(F1, C4)), "{text:?}");
        }
        assert_eq!(both.parse_san("b4"), Ok(Move::normal(B3, B4)));
        let bishop_only = "4k3/8/8/8/8/1P6/8/4KB2 w - - 0 1";
        assert_eq!(position(bishop_only).parse_san("bc4"), Ok(Move::normal(F1, C4)));
        assert_eq!(position(bishop_only).parse_san("be2"), Ok(Move::normal(F1, E2)));
        assert_eq!(error(bishop_only, "bd5"), "No bishop of yours can go to d5.");
        // A pawn that only lacks its promotion is not taken for a bishop.
        let promotes = position("2n1k3/1P6/8/8/8/7B/8/4K3 w - - 0 1");
        let missing = ParseMoveError::PromotionMissing { from: B7, to: C8 };
        assert_eq!(promotes.parse_san("bc8"), Err(missing));
        assert_eq!(promotes.parse_san("Bc8"), Ok(Move::normal(H3, C8)));
    }

    #[test]
    fn ambiguous_moves_are_named() {
        let knights = "7k/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        assert_eq!(error(knights, "Nd2"), "Nd2 could be Nbd2 or Nfd2.");
        assert_eq!(error(knights, "12. Nd2+!"), "Nd2 could be Nbd2 or Nfd2.");
        let queens = "6k1/8/8/8/4Q2Q/8/1K6/7Q w - - 0 1";
        assert_eq!(error(queens, "Qe1"), "Qe1 could be Q1e1, Qee1 or Qh4e1.");
        assert_eq!(error(queens, "Qhe1"), "Qhe1 could be Q1e1 or Qh4e1.");
    }

    #[test]
    fn what_was_meant_is_explained() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(error(start, "Ne5"), "No knight of yours can go to e5.");
        assert_eq!(error(start, "Nce5"), "No knight of yours on the c-file can go to e5.");
        assert_eq!(error(start, "N3e5"), "No knight of yours on rank 3 can go to e5.");
        assert_eq!(error(start, "Nf1f3"), "No knight of yours on f1 can go to f3.");
        assert_eq!(error(start, "Ne4f6"), "There is no piece on e4.");
        assert_eq!(error(start, "Ng8f6"), "The knight on g8 is Black's, and it is White's move.");
        assert_eq!(error(start, "Ke5"), "Your king cannot go to e5.");
        assert_eq!(error(start, "e5"), "No pawn of yours can go to e5.");
        assert_eq!(
            error(start, "Bg5"),
            "The bishop on c1 cannot get to g5: the pawn on d2 is in the way."
        );
        assert_eq!(
            error("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "Ne4"),
            "That knight is pinned by the bishop on b4: moving it would leave your king in check."
        );
        // Of the two rooks, only the pinned one can get there.
        assert_eq!(
            error("3rk3/8/8/8/R1P5/3R4/8/3K4 w - - 0 1", "Re3"),
            "That rook is pinned by the rook on d8: moving it would leave your king in check."
        );
        assert_eq!(
            error("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6"),
            "En passant is possible only right after the pawn has moved two squares."
        );
        // Two pieces could be meant, but the reason is the same.
        assert_eq!(
            error("4r1k1/8/8/8/8/8/8/N3K2N w - - 0 1", "Ng3"),
            "Your king is in check from the rook on e8, and this move does not stop it."
        );
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1"),
            "The move from e1 to g1 has to be given as castling."
        );
    }
}
