//! Mates: proved by trying every answer.

use tabiya_chess::{Move, Position};

/// A proof that takes more positions than that is given up.
const MOST_POSITIONS: u32 = 10_000;
/// Longer mates are left to the line.
const LONGEST: u32 = 4;

/// In how many moves the last one forces mate at the earliest, itself counted: the side to move is mated then, whatever it
/// answers. None if that is not proved.
pub(crate) fn forced(position: &Position) -> Option<u32> {
    let mut left = MOST_POSITIONS;
    for moves in 1..=LONGEST {
        if is_lost(position, moves - 1, &mut left)? {
            return Some(moves);
        }
    }
    None
}

/// Whether the side to move is mated by so many more moves of the other side at the latest. None when that takes too
/// long to find out.
fn is_lost(position: &Position, moves: u32, left: &mut u32) -> Option<bool> {
    *left = left.checked_sub(1)?;
    let replies = position.legal_moves();
    if replies.is_empty() {
        return Some(position.is_check());
    }
    if moves == 0 {
        return Some(false);
    }
    for &reply in &replies {
        let mut after = *position;
        after.play_unchecked(reply);
        if !can_mate(&after, moves, left)? {
            return Some(false);
        }
    }
    Some(true)
}

fn can_mate(position: &Position, moves: u32, left: &mut u32) -> Option<bool> {
    let mut later = Vec::new();
    for &m in &position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(m);
        match next.is_check() {
            true if is_lost(&next, moves - 1, left)? => return Some(true),
            false if moves > 1 => later.push(next),
            _ => {}
        }
    }
    for next in later {
        if is_lost(&next, moves - 1, left)? {
            return Some(true);
        }
    }
    Some(false)
}

/// The move with which a side would mate at once if the other one passed.
pub(crate) fn threat(position: &Position) -> Option<Move> {
    let passed = position.null_move()?;
    let mates = |&&m: &&Move| passed.play(m).is_ok_and(|end| end.is_checkmate());
    passed.legal_moves().iter().find(mates).copied()
}
