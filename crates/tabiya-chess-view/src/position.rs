use std::cmp::Reverse;

use tabiya_chess::{Move, MoveKind, Outcome, Position, Role, Square};
use tabiya_view::{Coord, Destination, Destinations, GameEnd, PieceRole, PieceView};

use crate::{coord, piece_role, piece_view, side};

/// The pieces of a position.
pub fn pieces(position: &Position) -> Vec<PieceView> {
    position.board().iter().map(piece_view).collect()
}

/// Where the pieces of the side to move may go. In Chess960 castling is the king onto its own rook only.
pub fn destinations(position: &Position, chess960: bool) -> Vec<Destinations> {
    let own = position.board().color(position.turn());
    own.into_iter()
        .map(|from| Destinations { from: coord(from), to: targets(position, from, chess960) })
        .filter(|destinations| !destinations.to.is_empty())
        .collect()
}

fn targets(position: &Position, from: Square, chess960: bool) -> Vec<Destination> {
    let mut targets: Vec<Destination> = Vec::new();
    for &m in position.moves_from(from).iter() {
        let takes = captured_on(position, m).is_some();
        let mut add = |at: Square| {
            if !targets.iter().any(|target| target.square == coord(at)) {
                targets.push(Destination { square: coord(at), takes, promotions: Vec::new() });
            }
        };
        match m.castling_rook() {
            Some(rook) if chess960 => add(rook),
            Some(rook) => {
                add(m.to());
                add(rook);
            }
            None => add(m.to()),
        }
        if m.promotes_to().is_some()
            && let Some(target) = targets.iter_mut().find(|target| target.square == coord(m.to()))
        {
            target.promotions = Role::PROMOTIONS.into_iter().map(piece_role).collect();
            target.promotions.sort_by_key(|&role| Reverse(worth(role)));
        }
    }
    targets
}

/// The king in check.
pub fn check(position: &Position) -> Option<Coord> {
    position.is_check().then(|| coord(position.king(position.turn())))
}

/// How a game ended by the rules.
pub fn game_end(outcome: Outcome) -> GameEnd {
    GameEnd {
        winner: outcome.winner().map(side),
        text: outcome.to_string(),
        result: outcome.result(),
    }
}

/// Where the piece stands that a move takes.
pub fn captured_on(position: &Position, m: Move) -> Option<Square> {
    match m.kind() {
        MoveKind::EnPassant => Some(Square::new(m.to().file(), m.from().rank())),
        MoveKind::Castle => None,
        _ => position.piece_at(m.to()).map(|_| m.to()),
    }
}

/// What a piece is worth in pawns; a bishop counts as much as a knight, and comes before it.
pub const fn worth(role: PieceRole) -> u32 {
    match role {
        PieceRole::Pawn => 1,
        PieceRole::Knight | PieceRole::Bishop => 3,
        PieceRole::Rook => 5,
        PieceRole::Queen => 9,
        PieceRole::King => 0,
    }
}
