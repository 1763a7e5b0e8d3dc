use core::fmt;

use crate::{Bitboard, Board, CastlingRights, Color, Position, Rank, Role, Square, Wing};

/// A position on trial: any pieces, any claims about castling and en passant. [`Setup::validate`]
/// makes a [`Position`] of it, or says what is wrong.
///
/// ```
/// use tabiya_chess::{Color, Role, Setup, SetupError, Square};
///
/// let mut setup = Setup::empty();
/// setup.board.put(Square::E1, Role::King.of(Color::White));
/// assert_eq!(setup.validate().unwrap_err(), SetupError::NoKing(Color::Black));
///
/// setup.board.put(Square::E8, Role::King.of(Color::Black));
/// assert_eq!(setup.validate().unwrap().fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// Whose move it is.
    pub turn: Color,
    /// The rooks that may castle.
    pub castling: CastlingRights,
    /// The square a pawn has passed over with the move just made.
    pub ep_square: Option<Square>,
    /// Moves of either side since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, counted from 1.
    pub fullmove_number: u16,
}

/// Why a [`Setup`] is not a position of chess.
///
/// ```
/// use tabiya_chess::Position;
///
/// let error = "8/8/8/8/8/8/8/8 w - - 0 1".parse::<Position>().unwrap_err();
/// assert_eq!(error.to_string(), "White has no king");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// A side has no king.
    NoKing(Color),
    /// A side has two kings or more.
    TooManyKings(Color),
    /// A side has more than 16 pieces.
    TooManyPieces(Color),
    /// A side has more than eight pawns.
    TooManyPawns(Color),
    /// A side has more promoted pieces than pawns it has lost.
    TooManyPromoted(Color),
    /// A pawn stands on the first or last rank.
    PawnOnBackRank(Square),
    /// The side that has just moved left its king in check.
    OpponentInCheck(Color),
    /// More than two pieces give check.
    TooManyCheckers,
    /// A castling right without king and rook in place.
    ImpossibleCastling(Square),
    /// No pawn can just have passed over the en passant square.
    ImpossibleEnPassant(Square),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoKing(color) => write!(f, "{} has no king", color.name()),
            SetupError::TooManyKings(color) => {
                write!(f, "{} has more than one king", color.name())
            }
            SetupError::TooManyPieces(color) => {
                write!(f, "{} has more than 16 pieces", color.name())
            }
            SetupError::TooManyPawns(color) => {
                write!(f, "{} has more than eight pawns", color.name())
            }
            SetupError::TooManyPromoted(color) => {
                write!(f, "{} has more promoted pieces than missing pawns", color.name())
            }
            SetupError::PawnOnBackRank(square) => {
                write!(f, "a pawn cannot stand on {square}")
            }
            SetupError::OpponentInCheck(color) => {
                write!(f, "{} is in check, but it is {}'s move", color.name(), (!*color).name())
            }
            SetupError::TooManyCheckers => {
                f.write_str("more than two pieces give check: no move can have led to that")
            }
            SetupError::ImpossibleCastling(square) => {
                write!(f, "castling with a rook on {square} is impossible here")
            }
            SetupError::ImpossibleEnPassant(square) => {
                write!(f, "no pawn can just have passed over {square}")
            }
        }
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// An empty board with White to move.
    ///
    /// ```
    /// # use tabiya_chess::Setup;
    /// assert!(Setup::empty().board.occupied().is_empty());
    /// ```
    pub fn empty() -> Setup {
        Setup {
            board: Board::empty(),
            turn: Color::White,
            castling: CastlingRights::NONE,
            ep_square: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The start of a game.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Setup};
    /// assert_eq!(Setup::initial().validate().unwrap(), Position::initial());
    /// ```
    pub fn initial() -> Setup {
        Setup { board: Board::initial(), castling: CastlingRights::STANDARD, ..Setup::empty() }
    }

    /// The rook a player would castle with on a wing by default: the outermost on the back rank.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Setup, Square, Wing};
    /// let setup = Setup::initial();
    /// assert_eq!(setup.outer_rook(Color::Black, Wing::QueenSide), Some(Square::A8));
    /// ```
    pub fn outer_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        outer_rook(&self.board, color, wing)
    }

    /// The position, if it obeys the rules: one king a side, material that a game can lead to, the
    /// side that has moved not in check, castling and en passant as the pieces allow. Whether a game
    /// can really lead here is not asked: puzzles and test suites have positions that no game has.
    ///
    /// ```
    /// # use tabiya_chess::{Setup, SetupError, Square};
    /// let mut setup = Setup::initial();
    /// setup.board.remove(Square::H1);
    /// assert_eq!(setup.validate(), Err(SetupError::ImpossibleCastling(Square::H1)));
    /// ```
    pub fn validate(&self) -> Result<Position, SetupError> {
        for color in Color::ALL {
            self.check_material(color)?;
        }
        if self.board.checkers(!self.turn).any() {
            return Err(SetupError::OpponentInCheck(!self.turn));
        }
        if self.board.checkers(self.turn).len() > 2 {
            return Err(SetupError::TooManyCheckers);
        }
        self.check_castling()?;
        self.check_en_passant()?;
        Ok(Position::from_valid_setup(self))
    }

    fn check_material(&self, color: Color) -> Result<(), SetupError> {
        let count = |role: Role| self.board.pieces(role.of(color)).len();
        let pawns = self.board.pieces(Role::Pawn.of(color));
        let back_ranks = Bitboard::from(Rank::First) | Rank::Eighth;
        if let Some(square) = (pawns & back_ranks).first() {
            return Err(SetupError::PawnOnBackRank(square));
        }
        match count(Role::King) {
            0 => return Err(SetupError::NoKing(color)),
            1 => {}
            _ => return Err(SetupError::TooManyKings(color)),
        }
        if pawns.len() > 8 {
            return Err(SetupError::TooManyPawns(color));
        }
        if self.board.color(color).len() > 16 {
            return Err(SetupError::TooManyPieces(color));
        }
        let bishops = self.board.pieces(Role::Bishop.of(color));
        let promoted = count(Role::Queen).saturating_sub(1)
            + count(Role::Rook).saturating_sub(2)
            + (bishops & Bitboard::LIGHT).len().saturating_sub(1)
            + (bishops - Bitboard::LIGHT).len().saturating_sub(1)
            + count(Role::Knight).saturating_sub(2);
        if promoted > 8 - pawns.len() {
            return Err(SetupError::TooManyPromoted(color));
        }
        Ok(())
    }

    fn check_castling(&self) -> Result<(), SetupError> {
        for rook in self.castling.rooks() {
            let impossible = SetupError::ImpossibleCastling(rook);
            let color = match rook.rank() {
                Rank::First => Color::White,
                Rank::Eighth => Color::Black,
                _ => return Err(impossible),
            };
            let king = self.board.king(color).filter(|king| king.rank() == rook.rank());
            let in_place = self.board.piece_at(rook) == Some(Role::Rook.of(color));
            let Some(king) = king.filter(|_| in_place) else { return Err(impossible) };
            let wing = Wing::of(king, rook);
            let same_wing = self.castling.rooks().into_iter().any(|other| {
                other != rook && other.rank() == rook.rank() && Wing::of(king, other) == wing
            });
            if same_wing {
                return Err(impossible);
            }
        }
        Ok(())
    }

    /// The pawn that has just gone two squares: where it came from and where it stands.
    fn double_step(&self) -> Option<(Square, Square)> {
        let ep_square = self.ep_square?;
        let up = if self.turn == Color::White { 1 } else { -1 };
        Some((ep_square.offset(0, up)?, ep_square.offset(0, -up)?))
    }

    fn check_en_passant(&self) -> Result<(), SetupError> {
        let Some(ep_square) = self.ep_square else { return Ok(()) };
        let possible = || {
            if ep_square.rank() != Rank::Sixth.relative_to(self.turn) {
                return None;
            }
            let (from, to) = self.double_step()?;
            let pawn = self.board.piece_at(to)? == Role::Pawn.of(!self.turn);
            let way_free = !(ep_square.bitboard() | from).meets(self.board.occupied());
            Some(pawn && way_free)
        };
        match possible() {
            Some(true) => Ok(()),
            _ => Err(SetupError::ImpossibleEnPassant(ep_square)),
        }
    }
}

/// See [`Setup::outer_rook`].
pub(crate) fn outer_rook(board: &Board, color: Color, wing: Wing) -> Option<Square> {
    let rank = Rank::First.relative_to(color);
    let king = board.king(color).filter(|king| king.rank() == rank)?;
    let mut rooks = (board.pieces(Role::Rook.of(color)) & rank)
        .into_iter()
        .filter(|&rook| Wing::of(king, rook) == wing);
    match wing {
        Wing::KingSide => rooks.last(),
        Wing::QueenSide => rooks.next(),
    }
}
