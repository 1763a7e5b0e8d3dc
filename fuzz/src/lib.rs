//! What the fuzz targets share.

use tabiya_chess::{FenStyle, Position};

/// Positions with moves of every kind: the first byte of an input chooses one of them.
const POSITIONS: [&str; 16] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "6k1/8/8/8/4Q2Q/8/1K6/7Q w - - 0 1",
    "7k/8/3N1N2/2N3N1/8/2N3N1/3N1N2/4K3 w - - 0 1",
    "3r3k/b5q1/1Q1N4/4B3/q1PK1R1r/2N1P3/3Q4/b2r2b1 w - - 0 1",
    "4r1k1/8/8/8/8/5n2/6P1/4K3 w - - 0 1",
    "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
    "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1",
    "2rk4/8/8/8/8/8/8/7K b c - 0 1",
    "4k3/2bbb3/2ppp3/8/8/2BBB3/2PPP3/1B2K1B1 w - - 0 1",
];

/// The position that a byte chooses.
pub fn position(number: u8) -> Position {
    let fen = POSITIONS[usize::from(number) % POSITIONS.len()];
    fen.parse().expect("the positions are good")
}

/// The position that an input chooses, and the text after that.
pub fn position_and_text(data: &[u8]) -> Option<(Position, &str)> {
    let (&number, text) = data.split_first()?;
    Some((position(number), std::str::from_utf8(text).ok()?))
}

/// An error is one line of sensible length, whatever it is about.
pub fn one_line(error: &dyn std::error::Error) {
    let text = error.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
    assert!(text.chars().count() < 400, "{text:?}");
}

/// What must hold in any position.
pub fn examine(position: &Position) {
    assert_eq!(position.key(), position.computed_key());
    assert_eq!(position.setup().validate().as_ref(), Ok(position));
    for castling_files in [false, true] {
        let style = FenStyle { every_ep_square: true, castling_files };
        assert_eq!(position.fen_with(style).parse::<Position>().as_ref(), Ok(position));
    }
    let moves = position.legal_moves();
    assert!(moves.len() < 256);
    assert_eq!(moves.len() as u64, position.count_legal_moves());
    let mut pseudo_legal = position.pseudo_legal_moves();
    assert!(pseudo_legal.len() < 256);
    pseudo_legal.retain(|m| position.leaves_king_safe(m));
    assert_eq!(pseudo_legal.len(), moves.len());
    for &m in &moves {
        // Playing checks the key, and the next position must be a valid one again.
        let next = position.play(m).expect("a legal move");
        assert_eq!(next.setup().validate(), Ok(next));
        assert_eq!(next.legal_moves().len() as u64, next.count_legal_moves());
        assert_eq!(position.parse_san(&position.san(m)), Ok(m));
        assert_eq!(position.parse_uci(&position.uci(m)), Ok(m));
    }
}
