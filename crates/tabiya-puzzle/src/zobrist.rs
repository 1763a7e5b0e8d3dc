//! Keys of positions: one random number for each piece on each cell, combined by exclusive or.

use crate::cell::NUMBERS;
use crate::{Piece, Side};
use tabiya_base::Random;

/// By side and kind, then by cell.
static KEYS: [[u64; NUMBERS]; 4] = {
    let mut random = Random::new(0x0074_6162_6979_6100);
    let mut keys = [[0; NUMBERS]; 4];
    let mut piece = 0;
    while piece < 4 {
        let mut cell = 0;
        while cell < NUMBERS {
            keys[piece][cell] = random.next_u64();
            cell += 1;
        }
        piece += 1;
    }
    keys
};

pub(crate) fn piece(piece: Piece) -> u64 {
    KEYS[piece.side as usize * 2 + piece.kind as usize][piece.cell.number()]
}

pub(crate) const fn turn(side: Side) -> u64 {
    match side {
        Side::White => 0,
        Side::Black => 0xd1b5_4a32_d192_ed03,
    }
}
