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

/// What either side could take with profit, if it had the move.
///
/// ```
/// use tabiya_chess_view::threats;
///
/// let position = "4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1".parse()?;
/// assert_eq!(threats(&position), ["c6".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn threats(position: &Position) -> Vec<Coord> {
    let mut squares: Vec<Coord> = profits(position).map(coord).collect();
    if let Some(next) = position.null_move() {
        squares.extend(profits(&next).map(coord));
    }
    squares.sort();
    squares.dedup();
    squares
}

/// What the side that has the move could take with profit.
fn profits(position: &Position) -> impl Iterator<Item = Square> {
    position.tactical_moves().into_iter().filter_map(move |m| {
        let square = captured_on(position, m)?;
        let taken = worth(piece_role(position.piece_at(square)?.role));
        let taker = worth(piece_role(position.piece_at(m.from())?.role));
        let mut after = *position;
        after.play_unchecked(m);
        let is_taken_back = || after.tactical_moves().iter().any(|answer| answer.to() == m.to());
        (taken > taker || !is_taken_back()).then_some(square)
    })
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
