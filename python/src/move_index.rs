//! Moves as numbers for networks: 73 kinds of moves from each of 64 squares, as AlphaZero had them.

use crate::state::{BISHOP, KNIGHT, QUEEN, ROOK, Step};

/// How many numbers there are.
pub(crate) const MOVES: usize = 64 * 73;

const WAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The number of a move; None for drops, null moves and what no piece does. `flip` turns the board upside down first.
pub(crate) fn index(step: Step, flip: bool) -> Option<u16> {
    if step.drop != 0 || step.is_null() {
        return None;
    }
    let turn = if flip { 56 } else { 0 };
    let (from, to) = (step.from ^ turn, step.to ^ turn);
    let files = (to & 7) as i8 - (from & 7) as i8;
    let ranks = (to >> 3) as i8 - (from >> 3) as i8;
    let kind = match step.promotion {
        KNIGHT | BISHOP | ROOK => {
            let piece = usize::from(step.promotion - KNIGHT);
            if files.abs() > 1 || ranks.abs() != 1 {
                return None;
            }
            // Backwards is Black's promotion, when the board is not turned.
            64 + piece * 3 + (files + 1) as usize
        }
        0 | QUEEN => match JUMPS.iter().position(|&jump| jump == (files, ranks)) {
            Some(jump) => 56 + jump,
            None => {
                let length = files.abs().max(ranks.abs());
                let way = (files.signum(), ranks.signum());
                if length == 0 || way.0 * length != files || way.1 * length != ranks {
                    return None;
                }
                let way = WAYS.iter().position(|&one| one == way)?;
                7 * way + length as usize - 1
            }
        },
        _ => return None,
    };
    u16::try_from(usize::from(from) * 73 + kind).ok()
}

/// The squares and the promotion of a number: 0 for none or a queen, which only the board can tell apart.
pub(crate) fn step(index: u16, flip: bool, white: bool) -> Option<Step> {
    let (from, kind) = (usize::from(index) / 73, usize::from(index) % 73);
    if from > 63 {
        return None;
    }
    let up = if white || flip { 1 } else { -1 };
    let (files, ranks, promotion) = match kind {
        0..56 => {
            let (file, rank) = WAYS[kind / 7];
            let length = (kind % 7 + 1) as i8;
            (file * length, rank * length, 0)
        }
        56..64 => (JUMPS[kind - 56].0, JUMPS[kind - 56].1, 0),
        _ => (((kind - 64) % 3) as i8 - 1, up, KNIGHT + ((kind - 64) / 3) as u8),
    };
    let file = (from & 7) as i8 + files;
    let rank = (from >> 3) as i8 + ranks;
    if !(0..8).contains(&file) || !(0..8).contains(&rank) {
        return None;
    }
    let turn = if flip { 56 } else { 0 };
    let to = (8 * rank + file) as u8;
    Some(Step { promotion, ..Step::new(from as u8 ^ turn, to ^ turn) })
}
