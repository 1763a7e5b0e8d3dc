//! From the words of the rules to those of a view, and back.

use tabiya_chess::{Color, Move, PlacedPiece, Position, Role, Square};
use tabiya_view::{Coord, PieceRole, PieceView, Side};

/// The side of a colour.
pub const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// The colour of a side.
pub const fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

/// Where a square is on a board to show.
pub fn coord(square: Square) -> Coord {
    Coord { column: square.file().index() as u8, row: square.rank().index() as u8 }
}

/// The square there, if a chess board has one.
///
/// ```
/// use tabiya_chess_view::{coord, square};
///
/// let e4 = square("e4".parse()?).unwrap();
/// assert_eq!(coord(e4).to_string(), "e4");
/// assert_eq!(square("i9".parse()?), None);
/// # Ok::<(), tabiya_view::ParseCoordError>(())
/// ```
pub fn square(coord: Coord) -> Option<Square> {
    Square::at(coord.column.into(), coord.row.into())
}

/// What a piece is, to show.
pub const fn piece_role(role: Role) -> PieceRole {
    match role {
        Role::Pawn => PieceRole::Pawn,
        Role::Knight => PieceRole::Knight,
        Role::Bishop => PieceRole::Bishop,
        Role::Rook => PieceRole::Rook,
        Role::Queen => PieceRole::Queen,
        Role::King => PieceRole::King,
    }
}

/// What a piece is, by the rules.
pub const fn role(role: PieceRole) -> Role {
    match role {
        PieceRole::Pawn => Role::Pawn,
        PieceRole::Knight => Role::Knight,
        PieceRole::Bishop => Role::Bishop,
        PieceRole::Rook => Role::Rook,
        PieceRole::Queen => Role::Queen,
        PieceRole::King => Role::King,
    }
}

/// A piece on the board, to show.
pub fn piece_view(placed: PlacedPiece) -> PieceView {
    PieceView {
        square: coord(placed.square),
        side: side(placed.piece.color),
        role: piece_role(placed.piece.role),
    }
}

/// A move as programs write it. In Chess960, castling is the king taking its rook.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_chess_view::uci;
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// let castle = position.parse_san("O-O")?;
/// assert_eq!((uci(&position, castle, false), uci(&position, castle, true)), ("e1g1".into(), "e1h1".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn uci(position: &Position, m: Move, chess960: bool) -> String {
    if chess960 { position.uci_chess960(m) } else { position.uci(m) }
}
