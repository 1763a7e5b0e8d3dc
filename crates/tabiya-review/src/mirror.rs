//! The same game with colours exchanged. The engine is shown every game with White to begin, so that a game and
//! its mirror image have reviews that are mirror images too, to the last digit.

use tabiya_chess::{CastlingRights, Move, Position, Setup};

/// The position with colours exchanged and the board turned upside down.
pub(crate) fn position(position: &Position) -> Option<Position> {
    use tabiya_chess::Color::Black;
    let mut mirrored = Setup { turn: !position.turn(), ..Setup::empty() };
    for placed in position.board().iter() {
        let piece = placed.piece;
        mirrored.board.put(placed.square.relative_to(Black), piece.role.of(!piece.color));
    }
    mirrored.castling = position
        .castling_rights()
        .rooks()
        .into_iter()
        .fold(CastlingRights::NONE, |rights, rook| rights.with(rook.relative_to(Black)));
    mirrored.ep_square = position.ep_square().map(|square| square.relative_to(Black));
    mirrored.halfmove_clock = position.halfmove_clock();
    mirrored.fullmove_number = position.fullmove_number();
    mirrored.validate().ok()
}

/// The move in the mirrored position.
pub(crate) fn play(m: Move) -> Option<Move> {
    const BOTH_SQUARES: u16 = 56 | 56 << 6;
    Move::from_bits(m.bits() ^ BOTH_SQUARES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_games_have_mirrored_moves() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9",
            "8/8/8/2pP4/1K6/8/8/7k w - c6 0 2",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/8/8/8/8/2R3KR w HC - 0 1",
        ] {
            let there: Position = fen.parse().unwrap();
            let here = position(&there).unwrap();
            assert_eq!(position(&here), Some(there), "{fen}");
            let mut mirrored: Vec<Move> =
                there.legal_moves().iter().map(|m| play(*m).unwrap()).collect();
            let mut moves: Vec<Move> = here.legal_moves().iter().copied().collect();
            mirrored.sort();
            moves.sort();
            assert_eq!(mirrored, moves, "{fen}");
        }
    }
}
