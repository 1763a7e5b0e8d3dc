use core::fmt;

use crate::{Bitboard, Color, Position, Role};

/// How a game ends by the rules, or may end if a player claims it.
///
/// ```
/// use tabiya_chess::{Color, Outcome, Position};
///
/// let position: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse().unwrap();
/// let outcome = position.outcome().unwrap();
/// assert_eq!(outcome, Outcome::Checkmate { winner: Color::White });
/// assert_eq!(outcome.to_string(), "Checkmate: White wins");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// Who has given mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has the pieces to give mate.
    InsufficientMaterial,
    /// The same position for the third time: a player may claim a draw.
    ThreefoldRepetition,
    /// The same position for the fifth time: the game is over.
    FivefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move: a player may claim a draw.
    FiftyMoves,
    /// Seventy-five moves of each side without a capture or a pawn move: the game is over.
    SeventyFiveMoves,
}

impl Outcome {
    /// Who has won; none for a draw.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Outcome};
    /// assert_eq!(Outcome::Checkmate { winner: Color::Black }.winner(), Some(Color::Black));
    /// assert_eq!(Outcome::Stalemate.winner(), None);
    /// ```
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// Whether nobody wins.
    ///
    /// ```
    /// # use tabiya_chess::Outcome;
    /// assert!(Outcome::Stalemate.is_draw());
    /// ```
    pub const fn is_draw(self) -> bool {
        self.winner().is_none()
    }

    /// Whether the game goes on unless a player claims the draw. All other outcomes end it at once.
    ///
    /// ```
    /// # use tabiya_chess::Outcome;
    /// assert!(Outcome::ThreefoldRepetition.must_be_claimed());
    /// assert!(!Outcome::FivefoldRepetition.must_be_claimed());
    /// ```
    pub const fn must_be_claimed(self) -> bool {
        matches!(self, Outcome::ThreefoldRepetition | Outcome::FiftyMoves)
    }

    /// The result as game records write it: `1-0`, `0-1` or `1/2-1/2`.
    ///
    /// ```
    /// # use tabiya_chess::Outcome;
    /// assert_eq!(Outcome::FiftyMoves.result(), "1/2-1/2");
    /// ```
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Checkmate { winner: Color::White } => "Checkmate: White wins",
            Outcome::Checkmate { winner: Color::Black } => "Checkmate: Black wins",
            Outcome::Stalemate => "Draw by stalemate",
            Outcome::InsufficientMaterial => "Draw by insufficient material",
            Outcome::ThreefoldRepetition => "Draw by threefold repetition",
            Outcome::FivefoldRepetition => "Draw by fivefold repetition",
            Outcome::FiftyMoves => "Draw by the fifty-move rule",
            Outcome::SeventyFiveMoves => "Draw by the seventy-five-move rule",
        })
    }
}

impl Position {
    /// Whether the side to move is in check and has no legal move.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let mate: Position = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
    /// assert!(mate.is_checkmate());
    /// ```
    pub fn is_checkmate(&self) -> bool {
        !self.has_legal_moves() && self.is_check()
    }

    /// Whether the side to move is not in check and has no legal move.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let stalemate: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    /// assert!(stalemate.is_stalemate());
    /// ```
    pub fn is_stalemate(&self) -> bool {
        !self.has_legal_moves() && !self.is_check()
    }

    /// How the game ends in this position, as far as one position can tell: by checkmate, which
    /// comes before everything, stalemate, insufficient material or seventy-five moves. Only a
    /// [`Game`](crate::Game) knows of repetitions.
    ///
    /// ```
    /// # use tabiya_chess::{Outcome, Position};
    /// assert_eq!(Position::initial().outcome(), None);
    /// let kings: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    /// assert_eq!(kings.outcome(), Some(Outcome::InsufficientMaterial));
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_moves() {
            Some(match self.is_check() {
                true => Outcome::Checkmate { winner: !self.turn() },
                false => Outcome::Stalemate,
            })
        } else if self.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.halfmove_clock() >= 150 {
            Some(Outcome::SeventyFiveMoves)
        } else {
            None
        }
    }

    /// Whether neither side has the pieces to give mate, even with the opponent's help: bare kings,
    /// a single knight, or bishops that all stand on squares of one colour. Two knights, a knight
    /// against a bishop and bishops of both colours can mate, if only a helpful opponent.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let knight: Position = "4k3/8/8/8/8/8/8/4KN2 w - - 0 1".parse().unwrap();
    /// assert!(knight.is_insufficient_material());
    /// let two: Position = "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1".parse().unwrap();
    /// assert!(!two.is_insufficient_material());
    /// ```
    pub fn is_insufficient_material(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.has_insufficient_material(color))
    }

    /// Whether a side can never give mate with its pieces, even if the opponent helps. If the
    /// opponent's time runs out, such a side draws instead of winning.
    ///
    /// The opponent's pieces count, because they can stand in their own king's way: a lone knight
    /// mates against a rook, but not against bare king or queens.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position};
    /// let position: Position = "4k3/4p3/8/8/8/8/8/4KN2 w - - 0 1".parse().unwrap();
    /// assert!(!position.has_insufficient_material(Color::White));
    /// assert!(!position.has_insufficient_material(Color::Black));
    /// let bare: Position = "4k3/8/8/8/8/8/8/4KR2 w - - 0 1".parse().unwrap();
    /// assert!(bare.has_insufficient_material(Color::Black));
    /// ```
    pub fn has_insufficient_material(&self, color: Color) -> bool {
        let board = self.board();
        let own = board.color(color);
        if own.meets(board.role(Role::Pawn) | board.role(Role::Rook) | board.role(Role::Queen)) {
            return false;
        }
        if own.meets(board.role(Role::Knight)) {
            let theirs = board.color(!color) - board.role(Role::King) - board.role(Role::Queen);
            return own.len() == 2 && theirs.is_empty();
        }
        if own.meets(board.role(Role::Bishop)) {
            // The king must be kept from squares of the other colour, which the bishops never
            // attack. Own rooks and queens do not stand in its way for good: next to the king they
            // can interpose or capture. Pawns, knights and bishops of that other colour do.
            let bishops = board.role(Role::Bishop);
            let one_colour = !bishops.meets(Bitboard::LIGHT) || !bishops.meets(!Bitboard::LIGHT);
            return one_colour && !board.role(Role::Pawn).any() && !board.role(Role::Knight).any();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn mate_and_stalemate() {
        for (fen, outcome) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                Some(Outcome::Checkmate { winner: Color::Black }),
            ),
            (
                "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
                Some(Outcome::Checkmate { winner: Color::White }),
            ),
            ("R5k1/5pp1/7p/8/8/8/8/4K3 b - - 0 1", None),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Outcome::Stalemate)),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", None),
            // The bishop is pinned and the king boxed in.
            ("R5bk/8/7K/8/8/8/8/8 b - - 0 1", Some(Outcome::Stalemate)),
        ] {
            assert_eq!(position(fen).outcome(), outcome, "{fen}");
        }
        assert!(!position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_checkmate());
        assert!(!position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").is_stalemate());
    }

    #[test]
    fn mate_comes_before_seventy_five_moves() {
        let mate = Some(Outcome::Checkmate { winner: Color::White });
        assert_eq!(position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 100").outcome(), mate);
        let rook = |clock: u16| position(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 100"));
        assert_eq!(rook(149).outcome(), None);
        assert_eq!(rook(150).outcome(), Some(Outcome::SeventyFiveMoves));
    }

    #[test]
    fn dead_positions_by_material() {
        // Board, whether White cannot mate, whether Black cannot.
        for (board, white, black) in [
            ("4k3/8/8/8/8/8/8/4K3", true, true),
            ("4k3/8/8/8/8/8/8/4KN2", true, true),
            ("4kb2/8/8/8/8/8/8/4K3", true, true),
            ("4k3/8/8/8/8/8/8/3NKN2", false, true),
            ("4kn2/8/8/8/8/8/8/4KN2", false, false),
            ("4kb2/8/8/8/8/8/8/4KN2", false, false),
            // f1 is a light square, f8 a dark one, c8 light.
            ("4kb2/8/8/8/8/8/8/4KB2", false, false),
            ("2b1k3/8/8/8/8/8/8/4KB2", true, true),
            ("2b1k3/8/4b3/8/8/8/8/4KB2", true, true),
            ("4k3/8/8/8/8/8/8/2B1KB2", false, true),
            ("4kr2/8/8/8/8/8/8/4KB2", true, false),
            ("4kr2/8/8/8/8/8/8/4KN2", false, false),
            ("4kq2/8/8/8/8/8/8/4KN2", true, false),
            ("4k3/4p3/8/8/8/8/8/4KB2", false, false),
            ("4k3/4p3/8/8/8/8/8/4K3", true, false),
            ("4k3/8/8/8/8/8/8/4KQ2", false, true),
        ] {
            let fen = format!("{board} w - - 0 1");
            let position = position(&fen);
            assert_eq!(position.has_insufficient_material(Color::White), white, "{fen}");
            assert_eq!(position.has_insufficient_material(Color::Black), black, "{fen}");
            assert_eq!(position.is_insufficient_material(), white && black, "{fen}");
        }
    }

    #[test]
    fn every_outcome_reads_as_a_sentence() {
        let texts = [
            (Outcome::Checkmate { winner: Color::White }, "Checkmate: White wins", "1-0"),
            (Outcome::Checkmate { winner: Color::Black }, "Checkmate: Black wins", "0-1"),
            (Outcome::Stalemate, "Draw by stalemate", "1/2-1/2"),
            (Outcome::InsufficientMaterial, "Draw by insufficient material", "1/2-1/2"),
            (Outcome::ThreefoldRepetition, "Draw by threefold repetition", "1/2-1/2"),
            (Outcome::FivefoldRepetition, "Draw by fivefold repetition", "1/2-1/2"),
            (Outcome::FiftyMoves, "Draw by the fifty-move rule", "1/2-1/2"),
            (Outcome::SeventyFiveMoves, "Draw by the seventy-five-move rule", "1/2-1/2"),
        ];
        for (outcome, text, result) in texts {
            assert_eq!((outcome.to_string().as_str(), outcome.result()), (text, result));
            assert_eq!(outcome.is_draw(), result == "1/2-1/2");
        }
        let claims = texts.iter().filter(|(outcome, ..)| outcome.must_be_claimed());
        assert_eq!(claims.count(), 2);
    }
}
