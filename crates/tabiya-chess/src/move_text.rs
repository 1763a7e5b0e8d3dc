use core::fmt;

use crate::{File, IllegalMove, Move, MoveKind, Position, Rank, Role, Square};

/// Why a text does not give a legal move.
///
/// ```
/// use tabiya_chess::Position;
///
/// let start = Position::initial();
/// let say = |text| start.parse_move(text).unwrap_err().to_string();
/// assert_eq!(say("Ne5"), "No knight of yours can go to e5.");
/// assert_eq!(say("hello"), "\"hello\" is not a move: write it like e4, Nf3 or e2e4.");
/// assert_eq!(say("e7e5"), "The pawn on e7 is Black's, and it is White's move.");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseMoveError {
    /// The text (cut short if long) does not have the form of a move.
    NotAMove(String),
    /// No piece of that kind can go there.
    NoSuchPiece {
        /// The kind of piece.
        role: Role,
        /// The file it was said to come from.
        file: Option<File>,
        /// The rank it was said to come from.
        rank: Option<Rank>,
        /// Where it was to go.
        to: Square,
    },
    /// Several pieces can go there.
    Ambiguous {
        /// What was written.
        text: String,
        /// What it could mean, each written so that it is clear.
        candidates: Vec<String>,
    },
    /// The move is legal once it is said what the pawn becomes.
    PromotionMissing {
        /// The pawn's square.
        from: Square,
        /// Where it is promoted.
        to: Square,
    },
    /// It is clear what was meant, but it is against the rules.
    Illegal(IllegalMove),
}

impl ParseMoveError {
    pub(crate) fn not_a_move(text: &str) -> ParseMoveError {
        ParseMoveError::NotAMove(shorten(text))
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseMoveError::NotAMove(text) if text.trim().is_empty() => {
                f.write_str("There is no move here: write it like e4, Nf3 or e2e4.")
            }
            ParseMoveError::NotAMove(text) => {
                write!(f, "{text:?} is not a move: write it like e4, Nf3 or e2e4.")
            }
            ParseMoveError::NoSuchPiece { role: Role::King, to, .. } => {
                write!(f, "Your king cannot go to {to}.")
            }
            ParseMoveError::NoSuchPiece { role, file, rank, to } => {
                write!(f, "No {role} of yours")?;
                match (file, rank) {
                    (Some(file), Some(rank)) => write!(f, " on {}", Square::new(*file, *rank))?,
                    (Some(file), None) => write!(f, " on the {}-file", file.letter())?,
                    (None, Some(rank)) => write!(f, " on rank {}", rank.digit())?,
                    (None, None) => {}
                }
                write!(f, " can go to {to}.")
            }
            ParseMoveError::Ambiguous { text, candidates } => {
                write!(f, "{text} could be ")?;
                match candidates.split_last() {
                    Some((last, rest)) => write!(f, "{} or {last}.", rest.join(", ")),
                    None => f.write_str("several moves."),
                }
            }
            ParseMoveError::PromotionMissing { from, to } => {
                IllegalMove::PromotionMissing { from: *from, to: *to }.fmt(f)
            }
            ParseMoveError::Illegal(reason) => reason.fmt(f),
        }
    }
}

impl core::error::Error for ParseMoveError {}

impl From<IllegalMove> for ParseMoveError {
    fn from(reason: IllegalMove) -> ParseMoveError {
        match reason {
            IllegalMove::PromotionMissing { from, to } => {
                ParseMoveError::PromotionMissing { from, to }
            }
            reason => ParseMoveError::Illegal(reason),
        }
    }
}

/// The beginning of a text, for a message of one line.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 20;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text without the space around it, unless it is too long for a move with all its trimmings.
pub(crate) fn of_sensible_length(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| text.len() <= 64)
}

impl Position {
    /// The legal move of the piece on one square to another, as a player makes it on a board. A
    /// promotion needs the piece that the pawn becomes. Castling is the king's move to its new
    /// square, or onto its rook; where the king could also simply step there, it steps.
    ///
    /// ```
    /// # use tabiya_chess::{IllegalMove, Position, Role, Square};
    /// let position: Position = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    /// let castle = position.move_between(Square::E1, Square::G1, None).unwrap();
    /// assert_eq!(castle.castling_rook(), Some(Square::H1));
    /// assert_eq!(position.move_between(Square::E1, Square::H1, None), Ok(castle));
    ///
    /// let missing = IllegalMove::PromotionMissing { from: Square::A7, to: Square::A8 };
    /// assert_eq!(position.move_between(Square::A7, Square::A8, None), Err(missing));
    /// assert!(position.move_between(Square::A7, Square::A8, Some(Role::Queen)).is_ok());
    /// ```
    pub fn move_between(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalMove> {
        let moves = self.moves_from(from);
        let goes = |m: &Move| m.castling_rook().is_none() && m.to() == to;
        let castles = |m: &Move| match m.castling_rook() {
            Some(rook) => rook == to || (m.to() == to && from.distance(to) > 1),
            None => false,
        };
        let same_piece = |m: &Move| m.promotes_to() == promotion;
        let found = moves
            .iter()
            .find(|m| goes(m) && same_piece(m))
            .or_else(|| moves.iter().find(|m| castles(m) && same_piece(m)));
        if let Some(&m) = found {
            return Ok(m);
        }
        let kind = match promotion {
            Some(_) => MoveKind::Promotion,
            None if self.meets_own_rook(from, to) => MoveKind::Castle,
            None => MoveKind::Normal,
        };
        match self.judge(from, to, kind) {
            Err(reason) => Err(reason),
            // Right but for the piece: nobody becomes a pawn or a king.
            Ok(()) => Err(IllegalMove::PromotionMissing { from, to }),
        }
    }

    /// Whether a king moved like that onto a rook is meant to castle with it.
    fn meets_own_rook(&self, from: Square, to: Square) -> bool {
        let rook_there = self.piece_at(to) == Some(Role::Rook.of(self.turn));
        let castles = self.castling.contains(to) || from.distance(to) > 1;
        from == self.king(self.turn) && from.rank() == to.rank() && rook_there && castles
    }

    /// The legal move that a text means, in any notation a person may use: SAN (`Nf3`, see
    /// [`Position::parse_san`]), UCI (`g1f3`), or two squares (`g1 -> f3`, `g1 f3`, `g1 to f3`).
    ///
    /// ```
    /// # use tabiya_chess::{ParseMoveError, Position, Square};
    /// let start = Position::initial();
    /// let e4 = start.parse_move("e4").unwrap();
    /// for text in ["e2e4", "e2 -> e4", "e2->e4", "e2 e4", "e2 to e4", "1. e4!"] {
    ///     assert_eq!(start.parse_move(text), Ok(e4));
    /// }
    ///
    /// let position: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    /// assert!(position.parse_move("a7 -> a8=Q").is_ok());
    /// let (from, to) = (Square::A7, Square::A8);
    /// let missing = ParseMoveError::PromotionMissing { from, to };
    /// assert_eq!(position.parse_move("a7 -> a8"), Err(missing));
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let joined = of_sensible_length(text).and_then(join_squares);
        self.parse_san(joined.as_deref().unwrap_or(text)).map_err(|error| match error {
            ParseMoveError::NotAMove(_) => ParseMoveError::not_a_move(text),
            error => error,
        })
    }
}

/// Takes out what stands between the two squares of `e2 -> e4`, `e2 to e4` or `e2 e4`.
fn join_squares(text: &str) -> Option<String> {
    let arrow = ["->", "→", " to "].iter().find_map(|arrow| text.split_once(arrow));
    let (from, to) = arrow.or_else(|| {
        let (from, to) = text.split_once(char::is_whitespace)?;
        // Any other text with a space in it is a move with something before or after it.
        from.parse::<Square>().is_ok().then_some((from, to))
    })?;
    Some(format!("{}{}", from.trim_end(), to.trim_start()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Openings, endings, pins, checks, promotions, en passant, castling of all kinds, and some
    /// games of Chess960 at every fourth ply.
    pub(crate) fn varied_positions() -> Vec<Position> {
        let mut positions: Vec<Position> = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/PPPP2k1/8/8/8/8/pppp2K1/8 w - - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
            "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
            "8/8/4k3/8/3pPp2/8/8/4K3 b - e3 0 1",
            "k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "7k/5Q2/8/3pP2K/8/1R6/1B6/8 w - d6 0 1",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
            "6k1/8/8/8/4Q2Q/8/1K6/7Q w - - 0 1",
            "7k/8/3N1N2/2N3N1/8/2N3N1/3N1N2/4K3 w - - 0 1",
            "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1",
            "4r1k1/8/8/8/8/5n2/6P1/4K3 w - - 0 1",
            "4r1k1/8/8/8/3B4/8/3N4/4K3 w - - 0 1",
            "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
            "7k/8/6Q1/8/8/8/8/K7 b - - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            "3rk1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/2R3KR w HC - 0 1",
            "1rk5/8/8/8/8/8/8/4K3 b b - 0 1",
            "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1",
            "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1",
        ]
        .into_iter()
        .map(|fen| fen.parse().unwrap())
        .collect();
        for number in [0, 99, 345, 692, 959] {
            let mut position = Position::chess960(number).unwrap();
            for ply in 0..24 {
                let moves = position.legal_moves();
                let castles = moves.iter().find(|m| m.kind() == MoveKind::Castle);
                if ply % 4 == 3 || castles.is_some() {
                    positions.push(position);
                }
                let Some(&m) = castles.or(moves.get(ply * 7 % moves.len().max(1))) else { break };
                position.play_unchecked(m);
            }
        }
        positions
    }

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn varied_positions_have_all_kinds_of_moves() {
        let kinds: Vec<MoveKind> = varied_positions()
            .iter()
            .flat_map(|position| position.legal_moves())
            .map(|m| m.kind())
            .collect();
        let count = |kind| kinds.iter().filter(|&&other| other == kind).count();
        assert!(count(MoveKind::Castle) > 10);
        assert!(count(MoveKind::EnPassant) > 4);
        assert!(count(MoveKind::Promotion) > 30);
    }

    #[test]
    fn all_notations_are_read() {
        let start = Position::initial();
        let e4 = Move::normal(Square::E2, Square::E4);
        for text in [
            "e4",
            "e2e4",
            "e2-e4",
            "e2 -> e4",
            "e2->e4",
            "e2 ->e4",
            "e2 → e4",
            "e2 e4",
            "e2\te4",
            " e2   e4 ",
            "e2 to e4",
            "1. e2 -> e4",
            "1.e4",
            "e4 !",
        ] {
            assert_eq!(start.parse_move(text), Ok(e4), "{text:?}");
        }
        let knight = Move::normal(Square::G1, Square::F3);
        for text in ["Nf3", "g1f3", "g1 f3", "Ng1 -> f3", "N to f3", "g1 -> f3"] {
            assert_eq!(start.parse_move(text), Ok(knight), "{text:?}");
        }
    }

    #[test]
    fn promotion_is_asked_for_in_every_notation() {
        let position = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        let (from, to) = (Square::A7, Square::A8);
        let queen = Move::promotion(from, to, Role::Queen).unwrap();
        for text in ["a8=Q", "a7a8q", "a7a8Q", "a7 -> a8=Q", "a7 a8q", "a7 to a8=Q", "a7->a8(Q)"] {
            assert_eq!(position.parse_move(text), Ok(queen), "{text:?}");
        }
        let missing = ParseMoveError::PromotionMissing { from, to };
        for text in ["a8", "a7a8", "a7-a8", "a7 -> a8", "a7 a8", "a8+"] {
            assert_eq!(position.parse_move(text), Err(missing.clone()), "{text:?}");
        }
        assert_eq!(
            missing.to_string(),
            "The pawn is promoted on a8: say whether to a queen, rook, bishop or knight."
        );
        let missing = ParseMoveError::PromotionMissing { from, to: Square::B8 };
        assert_eq!(position.parse_move("axb8"), Err(missing));
        for role in [Role::King, Role::Pawn] {
            let missing = IllegalMove::PromotionMissing { from, to };
            assert_eq!(position.move_between(from, to, Some(role)), Err(missing));
        }
    }

    #[test]
    fn squares_alone_are_judged_like_moves() {
        let start = Position::initial();
        let between = |from, to| start.move_between(from, to, None).unwrap_err().to_string();
        assert_eq!(between(Square::A1, Square::A1), "A rook does not move like that.");
        assert_eq!(
            between(Square::E1, Square::H1),
            "You cannot castle king side: the bishop on f1 is in the way."
        );
        // A rook beside the king that cannot castle is just in the way.
        let moved = position("4k3/8/8/8/8/8/8/4KR2 w - - 0 1");
        assert_eq!(
            moved.move_between(Square::E1, Square::F1, None).unwrap_err().to_string(),
            "The king on e1 cannot go to f1: your own rook stands there."
        );
    }

    #[test]
    fn hostile_text_is_refused_in_one_short_line() {
        let start = Position::initial();
        let long = "a".repeat(1 << 20);
        let spaces = " ".repeat(1 << 20);
        let wide = "♔".repeat(1 << 18);
        let arrows = "->".repeat(1 << 18);
        let dots = format!("1{}", ".".repeat(1 << 18));
        for text in [
            "",
            " ",
            &long,
            &spaces,
            &wide,
            &arrows,
            &dots,
            "♔♔♔",
            "e2\u{200b}e4",
            "e2e4\u{200b}",
            "\0",
            "e2e4\0",
            "e2\0e4",
            "\n\n\n",
            "e",
            "e2e",
            "e2é4",
            "é2e4",
            "e2e4é",
            "x",
            "=",
            "()",
            "(Q)",
            "$",
            "$5",
            "+",
            "mate",
            "ep",
            "-",
            "->",
            "→",
            " to ",
            "O",
            "O-",
            "O-O-",
            "0000",
            "O-O-O-O",
            "12.",
            "...",
            "…",
            "e9",
            "i4",
            "e2e9",
            "Nf3 Nf6",
            "e4 e5 Nf3",
            "N",
            "NN",
            "Nx",
            "b",
            "bb",
            "Kx+",
            "e2e4qq",
            "e2e4k",
            "\u{fe0f}",
            "🨀f3",
            "Ｎf3",
            "E2E4",
            "a1a1a1",
        ] {
            for error in [
                start.parse_move(text).unwrap_err(),
                start.parse_san(text).unwrap_err(),
                start.parse_uci(text).unwrap_err(),
            ] {
                let line = error.to_string();
                assert!(line.chars().count() < 120 && !line.contains('\n'), "{line}");
                assert!(matches!(error, ParseMoveError::NotAMove(_)), "{text:?}: {line}");
            }
        }
        assert_eq!(
            start.parse_move(&long).unwrap_err().to_string(),
            "\"aaaaaaaaaaaaaaaaaaaa…\" is not a move: write it like e4, Nf3 or e2e4."
        );
        assert_eq!(
            start.parse_move(" ").unwrap_err().to_string(),
            "There is no move here: write it like e4, Nf3 or e2e4."
        );
        assert_eq!(
            start.parse_move("e2 -> z9").unwrap_err(),
            ParseMoveError::NotAMove("e2 -> z9".to_owned())
        );
    }
}
