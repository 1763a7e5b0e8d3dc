//! Polyglot's keys, of boards on which anything may stand.

use tabiya_chess::POLYGLOT_KEYS;

use crate::state::{PAWN, RANK_1, RANK_8, Reversed, State, pawn_attacks};

/// The key by which books of openings know a position.
pub(crate) fn key(state: &State, castling: u64) -> u64 {
    let mut key = 0;
    for square in Reversed(state.occupied()) {
        let white = usize::from(state.color_at(square) == Some(true));
        let piece = (usize::from(state.kind_at(square)) - 1) * 2 + white;
        key ^= POLYGLOT_KEYS[64 * piece + usize::from(square)];
    }
    for (at, white) in [(768, true), (770, false)] {
        let back_rank = if white { RANK_1 } else { RANK_8 };
        let Some(king) = state.king(white) else { continue };
        for rook in Reversed(castling & back_rank) {
            key ^= POLYGLOT_KEYS[at + usize::from(rook < king)];
        }
    }
    if let Some(ep) = state.ep_square {
        let beside = pawn_attacks(!state.turn, ep) & state.kind(PAWN) & state.color(state.turn);
        if beside != 0 {
            key ^= POLYGLOT_KEYS[772 + usize::from(ep & 7)];
        }
    }
    if state.turn { key ^ POLYGLOT_KEYS[780] } else { key }
}
