//! Any text as a FEN: it is refused with one line of explanation, or is a position in which all
//! invariants hold.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{FenStyle, Position, Setup};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(error) = Setup::from_fen_prefix(text) {
        assert!(!error.to_string().contains('\n'), "{error}");
        assert!(error.to_string().chars().count() < 200, "{error}");
        assert!(Setup::from_fen(text).is_err());
    }
    match Position::from_fen(text) {
        Ok(position) => examine(&position),
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});

fn examine(position: &Position) {
    assert_eq!(position.key(), position.computed_key());
    assert_eq!(position.setup().validate().as_ref(), Ok(position));
    for castling_files in [false, true] {
        let style = FenStyle { every_passed_square: true, castling_files };
        assert_eq!(position.fen_with(style).parse::<Position>().as_ref(), Ok(position));
    }
    let moves = position.legal_moves();
    assert!(moves.len() <= 218);
    assert_eq!(moves.len() as u64, position.count_legal_moves());
    for &m in &moves {
        // Playing checks the key, and the next position must be a valid one again.
        let next = position.play(m).unwrap();
        assert_eq!(next.setup().validate(), Ok(next));
        assert_eq!(next.legal_moves().len() as u64, next.count_legal_moves());
    }
}
