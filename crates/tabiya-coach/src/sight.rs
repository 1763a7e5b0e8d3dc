//! Small questions to a position.

use tabiya_chess::{Bitboard, Color, Move, MoveKind, Piece, Position, Role, Square, attacks};

/// What a role counts in pawns. A king is never lost.
pub(crate) const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// What the piece on a square attacks and defends.
pub(crate) fn reach(position: &Position, square: Square) -> Bitboard {
    let of = |piece: Piece| attacks::piece(piece, square, position.board().occupied());
    position.piece_at(square).map_or(Bitboard::EMPTY, of)
}

pub(crate) fn role_at(position: &Position, square: Square) -> Option<Role> {
    position.piece_at(square).map(|piece| piece.role)
}

/// The piece that a move takes, and where it stands.
pub(crate) fn taken(position: &Position, m: Move) -> Option<(Square, Piece)> {
    let square = match m.kind() {
        MoveKind::Castle => return None,
        MoveKind::EnPassant => Square::new(m.to().file(), m.from().rank()),
        _ => m.to(),
    };
    Some((square, position.piece_at(square)?))
}

/// Where the piece that has moved stands now; castling is of two.
pub(crate) fn stands(m: Move) -> Option<Square> {
    (m.kind() != MoveKind::Castle).then_some(m.to())
}

/// Who attacks a square, the least valuable first.
pub(crate) fn attackers(position: &Position, square: Square, by: Color) -> Vec<Square> {
    let mut from: Vec<Square> = position.attackers(square, by).into_iter().collect();
    let rank = |square: &Square| match role_at(position, *square) {
        Some(Role::King) | None => 100,
        Some(role) => worth(role),
    };
    from.sort_by_key(rank);
    from
}
