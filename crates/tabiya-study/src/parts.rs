//! From the words of the rules to those of a view.

use tabiya_chess::{Color, Move, Position, Role, Square};
use tabiya_play::{Man, Place, Shape, Side};

pub(crate) const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

pub(crate) const fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

pub(crate) fn place(square: Square) -> Place {
    Place { column: square.file().index() as u8, row: square.rank().index() as u8 }
}

pub(crate) fn square(place: Place) -> Option<Square> {
    Square::at(place.column.into(), place.row.into())
}

const SHAPES: [(Role, Shape); 6] = [
    (Role::Pawn, Shape::Pawn),
    (Role::Knight, Shape::Knight),
    (Role::Bishop, Shape::Bishop),
    (Role::Rook, Shape::Rook),
    (Role::Queen, Shape::Queen),
    (Role::King, Shape::King),
];

pub(crate) fn shape(role: Role) -> Shape {
    SHAPES.iter().find(|(known, _)| *known == role).map_or(Shape::King, |&(_, shape)| shape)
}

pub(crate) fn role(shape: Shape) -> Role {
    SHAPES.iter().find(|(_, known)| *known == shape).map_or(Role::King, |&(role, _)| role)
}

pub(crate) fn man(placed: tabiya_chess::PlacedPiece) -> Man {
    Man {
        at: place(placed.square),
        side: side(placed.piece.color),
        shape: shape(placed.piece.role),
    }
}

/// A move as programs write it.
pub(crate) fn code(position: &Position, m: Move, chess960: bool) -> String {
    if chess960 { position.uci_chess960(m) } else { position.uci(m) }
}
