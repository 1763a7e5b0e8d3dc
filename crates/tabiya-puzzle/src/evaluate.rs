//! How good a position is, in hundredths of a bishop.

use crate::{Cells, Direction, Position, Side};

/// A bishop.
const BISHOP: i32 = 100;
/// A cell to which a bishop may go.
const MOBILITY: i32 = 2;
/// Bishops on both colours: one colour alone hardly mates anybody.
const PARTNERS: i32 = 100;
/// A cell at the enemy king that bishops attack.
const SIEGE: i32 = 6;
/// A cell to which the enemy king cannot flee.
const NO_FLIGHT: i32 = 4;
/// Towards the edge, a step of a king that is being hunted.
const EDGE: i32 = 10;
/// Towards a hunted king, a step of the other.
const APPROACH: i32 = 4;

/// The largest worth: below any mate, even with hundreds of bishops.
const LARGEST: i32 = 28_000;

/// What one side has.
struct Army {
    /// Bishops on dark and on light cells.
    bishops: [i32; 2],
    /// Cells the bishops attack or protect.
    reached: Cells,
    /// How many moves the bishops have, checks and pins aside.
    mobility: i32,
}

/// The worth of a position for the side to move.
pub(crate) fn evaluate(position: &Position) -> i32 {
    let armies = Side::ALL.map(|side| Army::of(position, side));
    if Side::ALL.iter().all(|&side| armies[side as usize].count() == 0) {
        return 0;
    }
    let mut score = 0;
    for side in Side::ALL {
        let (us, them) = (&armies[side as usize], &armies[!side as usize]);
        let worth = us.worth() + siege(position, side, us, them) + hunt(position, side, us, them);
        score += if side == position.turn() { worth } else { -worth };
    }
    let ahead = &armies[if score > 0 { position.turn() } else { !position.turn() } as usize];
    let behind = &armies[if score > 0 { !position.turn() } else { position.turn() } as usize];
    let score = score.clamp(-LARGEST, LARGEST);
    match ahead.bishops.contains(&0) {
        // Bishops of one colour do not mate a bare king.
        true if behind.count() == 0 => score / 16,
        true => score / 4,
        false => score,
    }
}

impl Army {
    fn of(position: &Position, side: Side) -> Army {
        let board = position.board();
        let bishops = *board.bishops(side);
        let light = (bishops & Cells::LIGHT).len() as i32;
        let own = board.cells_of(side);
        let passable = *board.size().cells() & !board.occupied();
        let mut army = Army {
            bishops: [bishops.len() as i32 - light, light],
            reached: Cells::EMPTY,
            mobility: 0,
        };
        for direction in Direction::DIAGONALS {
            let mut sliding = bishops;
            while !sliding.is_empty() {
                sliding = sliding.step(direction) & *board.size().cells();
                army.reached |= sliding;
                army.mobility += (sliding & !own).len() as i32;
                sliding = sliding & passable;
            }
        }
        army
    }

    fn count(&self) -> i32 {
        self.bishops[0] + self.bishops[1]
    }

    fn worth(&self) -> i32 {
        let partners = if self.bishops.contains(&0) { 0 } else { PARTNERS };
        self.count() * BISHOP + partners + self.mobility * MOBILITY
    }
}

/// The safety of the enemy king, along diagonals of both colours.
fn siege(position: &Position, side: Side, us: &Army, them: &Army) -> i32 {
    let board = position.board();
    let king = position.king(!side);
    let own = board.cells_of(!side);
    let mut worth = 0;
    for direction in Direction::ALL {
        let beside = king.ray(direction, board.size()).next();
        let attacked = beside.is_some_and(|cell| us.reached.contains(cell));
        if attacked {
            worth += SIEGE;
        }
        let guarded = beside.is_some_and(|cell| position.king(side).distance(cell) == 1);
        if attacked || guarded || beside.is_none_or(|cell| own.contains(cell)) {
            worth += NO_FLIGHT;
        }
    }
    // With few bishops there is little to fear.
    match us.count() {
        0 => 0,
        1 => worth / 4,
        2..4 => worth / if them.count() == 0 { 1 } else { 2 },
        _ => worth,
    }
}

/// Who is far ahead drives the enemy king to the edge and comes near.
fn hunt(position: &Position, side: Side, us: &Army, them: &Army) -> i32 {
    if us.count() < 2 || us.count() < 3 * them.count() {
        return 0;
    }
    let size = i32::from(position.board().size().get());
    let king = position.king(!side);
    let off_centre = |place: u8| (2 * i32::from(place) - size - 1).abs() / 2;
    let near = size - i32::from(king.distance(position.king(side)));
    (off_centre(king.x()) + off_centre(king.y())) * EDGE + near * APPROACH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(plain: &str, turn: Side) -> i32 {
        evaluate(&Position::new(plain.parse().unwrap(), turn).unwrap())
    }

    #[test]
    fn what_one_side_gains_the_other_loses() {
        let plain = "8\nKa1, Bc1, Bf1, Bd4\nKh8, Bc8, Bf7";
        assert_eq!(worth(plain, Side::White), -worth(plain, Side::Black));
        assert!(worth(plain, Side::White) > BISHOP / 2);
    }

    #[test]
    fn sides_are_alike() {
        let white = worth("8\nKa1, Bc1, Bf1, Bd4\nKh8, Bc8, Bf7", Side::White);
        // The same board turned upside down, with the sides exchanged.
        let black = worth("8\nKh1, Bc1, Bf2\nKa8, Bc8, Bf8, Bd5", Side::Black);
        assert_eq!(white, black);
    }

    #[test]
    fn nobody_mates_with_kings_alone_or_with_one_colour() {
        assert_eq!(worth("8\nKa1\nKh8", Side::White), 0);
        let one_colour = worth("8\nKa1, Bc1, Be1\nKh8", Side::White);
        let both = worth("8\nKa1, Bc1, Bd1\nKh8", Side::White);
        assert!(one_colour < both / 4, "{one_colour} {both}");
    }
}
