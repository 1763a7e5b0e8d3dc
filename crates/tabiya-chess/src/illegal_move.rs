use core::fmt;

use crate::{MoveKind, PlacedPiece, Role, Square, Wing};

/// Why a move is not legal: the pieces and squares for a board to point at, and a sentence for the
/// player. See [`Position::explain`](crate::Position::explain).
///
/// ```
/// use tabiya_chess::{IllegalMove, Move, Position, Square};
///
/// let position: Position = "4k3/8/8/1b6/8/3N4/8/5K2 w - - 0 1".parse().unwrap();
/// let reason = position.play(Move::normal(Square::D3, Square::E5)).unwrap_err();
/// assert_eq!(
///     reason.to_string(),
///     "That knight is pinned by the bishop on b5: moving it would leave your king in check."
/// );
/// let IllegalMove::Pinned { piece, pinner } = reason else { panic!() };
/// assert_eq!((piece.square, pinner.square), (Square::D3, Square::B5));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// The square is empty.
    NoPiece {
        /// The empty square.
        from: Square,
    },
    /// The piece is the opponent's.
    NotYourPiece {
        /// The opponent's piece.
        piece: PlacedPiece,
    },
    /// The piece never moves like that, wherever the others stand.
    CannotMoveLikeThat {
        /// The piece to be moved.
        piece: PlacedPiece,
        /// Where it was to go.
        to: Square,
    },
    /// A piece of the same colour stands on the target.
    OwnPieceOnTarget {
        /// The piece to be moved.
        piece: PlacedPiece,
        /// The piece on the target.
        blocker: PlacedPiece,
    },
    /// A piece stands between the two squares.
    Blocked {
        /// The piece to be moved.
        piece: PlacedPiece,
        /// Where it was to go.
        to: Square,
        /// The first piece in its way.
        blocker: PlacedPiece,
    },
    /// A pawn was to step onto an enemy piece straight ahead.
    PawnBlocked {
        /// The pawn's square.
        pawn: Square,
        /// The piece before it.
        blocker: PlacedPiece,
    },
    /// A pawn was to go two squares, but not from where pawns start.
    DoubleStepTooLate {
        /// The pawn's square.
        pawn: Square,
    },
    /// A pawn was to go diagonally to an empty square.
    NothingToCapture {
        /// The pawn's square.
        pawn: Square,
        /// The empty square.
        to: Square,
    },
    /// A pawn was to take en passant a pawn that has not just moved two squares.
    EnPassantTooLate {
        /// The square of the pawn that was to capture.
        pawn: Square,
        /// The square of the pawn that was to be taken.
        captured: Square,
    },
    /// Taking en passant would take the captured pawn off a line that leads to the king.
    EnPassantExposesKing {
        /// Where the pawn was to go.
        to: Square,
        /// The piece that would give check.
        attacker: PlacedPiece,
    },
    /// All is well but that nobody has said what the pawn becomes.
    PromotionMissing {
        /// The pawn's square.
        from: Square,
        /// Where it would be promoted.
        to: Square,
    },
    /// The piece is no pawn, or does not reach the last rank.
    PromotionNotDue {
        /// The piece to be moved.
        piece: PlacedPiece,
        /// Where it was to be promoted.
        to: Square,
    },
    /// The king would go to a square that is attacked.
    IntoCheck {
        /// Where the king was to go.
        to: Square,
        /// The pieces that attack the square.
        attackers: Vec<PlacedPiece>,
    },
    /// Only this piece stands between its king and an attacker.
    Pinned {
        /// The piece to be moved.
        piece: PlacedPiece,
        /// The piece that pins it.
        pinner: PlacedPiece,
    },
    /// The king is in check, and would still be.
    StillInCheck {
        /// The piece that gives check.
        checker: PlacedPiece,
    },
    /// Two pieces give check, and no move but one of the king answers both.
    DoubleCheck {
        /// The pieces that give check.
        checkers: Vec<PlacedPiece>,
    },
    /// King or rook has moved before, or the rook is gone.
    CastlingRightLost {
        /// The side to which the king was to castle.
        wing: Wing,
    },
    /// A piece stands where king or rook must pass.
    CastlingBlocked {
        /// The side to which the king was to castle.
        wing: Wing,
        /// The piece in the way.
        blocker: PlacedPiece,
    },
    /// A king in check does not castle.
    CastlingInCheck {
        /// The side to which the king was to castle.
        wing: Wing,
        /// The pieces that give check.
        checkers: Vec<PlacedPiece>,
    },
    /// The king would pass over an attacked square, or end on one.
    CastlingThroughCheck {
        /// The side to which the king was to castle.
        wing: Wing,
        /// The first attacked square on the king's way.
        square: Square,
        /// The pieces that attack it.
        attackers: Vec<PlacedPiece>,
    },
    /// The squares are those of a legal move, but it was marked as another kind of move.
    WrongKind {
        /// Where the piece comes from.
        from: Square,
        /// Where it goes.
        to: Square,
        /// The kind of move this really is.
        kind: MoveKind,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use IllegalMove::*;
        match self {
            NoPiece { from } => write!(f, "There is no piece on {from}."),
            NotYourPiece { piece } => {
                let (owner, mover) = (piece.piece.color, !piece.piece.color);
                write!(f, "The {} is {}'s, ", on(piece), owner.name())?;
                write!(f, "and it is {}'s move.", mover.name())
            }
            CannotMoveLikeThat { piece, .. } => {
                write!(f, "A {} does not move like that.", piece.piece.role)
            }
            OwnPieceOnTarget { piece, blocker } => {
                write!(f, "The {} cannot go to {}: ", on(piece), blocker.square)?;
                write!(f, "your own {} stands there.", blocker.piece.role)
            }
            Blocked { piece, to, blocker } => {
                write!(f, "The {} cannot get to {to}: ", on(piece))?;
                write!(f, "the {} is in the way.", on(blocker))
            }
            PawnBlocked { pawn, blocker } => {
                write!(f, "The pawn on {pawn} is blocked by the {}: ", on(blocker))?;
                f.write_str("a pawn captures diagonally.")
            }
            DoubleStepTooLate { pawn } => {
                write!(f, "The pawn on {pawn} cannot go two squares: it has already moved.")
            }
            NothingToCapture { pawn, to } => {
                write!(f, "The pawn on {pawn} cannot go to {to}: ")?;
                f.write_str("a pawn moves diagonally only to capture, and nothing stands there.")
            }
            EnPassantTooLate { .. } => f.write_str(
                "En passant is possible only right after the pawn has moved two squares.",
            ),
            EnPassantExposesKing { to, attacker } => {
                write!(f, "Taking en passant on {to} would open the line ")?;
                write!(f, "from the {} to your king.", on(attacker))
            }
            PromotionMissing { to, .. } => {
                write!(f, "The pawn is promoted on {to}: ")?;
                f.write_str("say whether to a queen, rook, bishop or knight.")
            }
            PromotionNotDue { piece, to } => match piece.piece.role {
                Role::Pawn => {
                    write!(f, "The {} is not promoted on {to}: only on the last rank.", on(piece))
                }
                _ => write!(f, "The {} cannot be promoted: only a pawn can.", on(piece)),
            },
            IntoCheck { to, attackers } => {
                let verb = if attackers.len() == 1 { "attacks" } else { "attack" };
                write!(f, "The king cannot go to {to}: {} {verb} that square.", list(attackers))
            }
            Pinned { piece, pinner } => {
                write!(f, "That {} is pinned by the {}: ", piece.piece.role, on(pinner))?;
                f.write_str("moving it would leave your king in check.")
            }
            StillInCheck { checker } => {
                write!(f, "Your king is in check from the {}, ", on(checker))?;
                f.write_str("and this move does not stop it.")
            }
            DoubleCheck { checkers } => {
                write!(f, "Your king is in double check from {}: ", list(checkers))?;
                f.write_str("only the king may move.")
            }
            CastlingRightLost { wing } => {
                write!(f, "You can no longer castle {wing}: the king or the rook has moved.")
            }
            CastlingBlocked { wing, blocker } => {
                write!(f, "You cannot castle {wing}: the {} is in the way.", on(blocker))
            }
            CastlingInCheck { wing, checkers } => {
                write!(f, "You cannot castle {wing}: ")?;
                write!(f, "your king is in check from {}.", list(checkers))
            }
            CastlingThroughCheck { wing, square, attackers } => {
                let lands = square.file() == wing.king_file();
                let passes = if lands { "end on" } else { "pass over" };
                let verb = if attackers.len() == 1 { "attacks" } else { "attack" };
                write!(f, "You cannot castle {wing}: the king would {passes} {square}, ")?;
                write!(f, "which {} {verb}.", list(attackers))
            }
            WrongKind { from, to, kind } => {
                write!(f, "The move from {from} to {to} has to be given as ")?;
                f.write_str(match kind {
                    MoveKind::Normal => "an ordinary move.",
                    MoveKind::Promotion => "a promotion.",
                    MoveKind::EnPassant => "en passant.",
                    MoveKind::Castle => "castling.",
                })
            }
        }
    }
}

impl core::error::Error for IllegalMove {}

/// `knight on g8`.
fn on(placed: &PlacedPiece) -> String {
    format!("{} on {}", placed.piece.role, placed.square)
}

/// `the queen on d8, the rook on e8 and the knight on f3`.
fn list(pieces: &[PlacedPiece]) -> String {
    let names: Vec<String> = pieces.iter().map(|placed| format!("the {}", on(placed))).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
