//! Any text as a plain board configuration: it is refused with one line of explanation, or is a board
//! on which the rules agree with themselves.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::one_line;
use tabiya_puzzle::{Board, Position, Side};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let board = match text.parse::<Board>() {
        Ok(board) => board,
        Err(error) => return one_line(&error),
    };
    assert_eq!(board.plain().parse().as_ref(), Ok(&board));
    assert_eq!(board.draw().lines().count(), usize::from(board.size().get()));
    for side in Side::ALL {
        let position = Position::new(board, side).expect("one king a side");
        let moves = position.legal_moves();
        assert_eq!(moves.is_empty(), board.is_checkmate(side) || board.is_stalemate(side));
        assert_eq!(position.is_check(), board.is_check(side));
        for m in moves {
            let piece = board.piece_at(m.from).expect("a piece that moves");
            assert!(board.can_move_to(piece, m.to), "{m} on\n{}", board.plain());
            assert_eq!(position.parse_move(&m.to_string()), Ok(m));
            let mut next = position;
            next.play(m);
            assert_eq!(Position::new(board.move_to(piece, m.to), !side), Ok(next));
        }
    }
});
