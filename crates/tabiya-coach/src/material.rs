//! Material: counted, exchanged, and proved to be lost.

use tabiya_chess::{Color, Move, Position, Role};

use crate::sight::worth;

/// Worse than any loss of material.
const MATED: i32 = 1000;
/// A proof that takes more positions than that is given up.
const MOST_POSITIONS: u32 = 20_000;

/// What a side has more than the other, in pawns.
pub(crate) fn balance(position: &Position, color: Color) -> i32 {
    let board = position.board();
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let count = |color: Color, role: Role| board.pieces(role.of(color)).len() as i32;
    roles.iter().map(|&role| worth(role) * (count(color, role) - count(!color, role))).sum()
}

/// What the side to move has in the end if both only take, promote and answer checks, and stop when they like. None when
/// that takes too long to find out.
fn settled(position: &Position, mut alpha: i32, beta: i32, left: &mut u32) -> Option<i32> {
    *left = left.checked_sub(1)?;
    let mut best = -MATED;
    let moves = if position.is_check() {
        position.legal_moves()
    } else {
        best = balance(position, position.turn());
        if best >= beta {
            return Some(best);
        }
        alpha = alpha.max(best);
        position.tactical_moves()
    };
    for &m in &moves {
        let mut next = *position;
        next.play_unchecked(m);
        let value = -settled(&next, -beta, -alpha, left)?;
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    Some(best)
}

/// Whether the side to move can neither take at a profit nor is in check: a good place to count.
pub(crate) fn is_quiet(position: &Position) -> bool {
    let now = balance(position, position.turn());
    let mut left = 5_000;
    !position.is_check()
        && settled(position, now, now + 1, &mut left).is_some_and(|settled| settled <= now)
}

/// Whether the side to move loses at least so much, whatever it answers: after each of its moves the other side has one
/// after which it is up by that much on `before`, and captures do not win it back.
fn loses(position: &Position, before: i32, at_least: i32, left: &mut u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return false;
    }
    replies.iter().all(|&reply| {
        let mut after = *position;
        after.play_unchecked(reply);
        let keeps = |&m: &Move| {
            let mut end = after;
            end.play_unchecked(m);
            let bound = -(before + at_least);
            settled(&end, bound, bound + 1, left).is_some_and(|value| value <= bound)
        };
        // Captures first: they are what wins most often.
        let (taking, quiet) = (after.tactical_moves(), after.quiet_moves());
        taking.iter().chain(&quiet).any(keeps)
    })
}

/// The most that the side to move is proved to lose whatever it answers, of a pawn, the exchange, a piece, a rook and a
/// queen. `before` is what the other side had more before.
pub(crate) fn cost(position: &Position, before: i32) -> Option<i32> {
    let mut left = MOST_POSITIONS;
    [9, 5, 3, 2, 1].into_iter().find(|&least| loses(position, before, least, &mut left))
}
