//! The rules against a slow and obvious telling of them, on random boards of every size and density.

mod reference;

use proptest::prelude::*;
use reference::{Random, Slow, place, random_board};
use tabiya_puzzle::{Board, Move, Position, Side, Size, Status};

#[test]
fn legal_moves_and_verdicts_are_those_of_the_reference() {
    let mut random = Random::new(0x5eed);
    let mut boards = 0;
    let mut seen = [0; 3];
    for size in Size::all() {
        // Small boards have more to say for the time they take.
        let count = (700_000 / size.area() / usize::from(size.get())).max(60);
        for _ in 0..count {
            let board = random_board(&mut random, size, [1, 1]);
            let slow = Slow::new(&board);
            for side in Side::ALL {
                let position = Position::new(board, side).unwrap();
                let mut moves = position.legal_moves();
                moves.sort();
                let expected = slow.legal_moves(side);
                assert_eq!(moves, expected, "{side} on\n{}", board.plain());
                let status = match (expected.is_empty(), slow.is_check(side)) {
                    (false, check) => Status::Playing { check },
                    (true, true) => Status::Checkmate { winner: !side },
                    (true, false) => Status::Stalemate,
                };
                assert_eq!(position.status(), status, "{side} on\n{}", board.plain());
                seen[match status {
                    Status::Playing { .. } => 0,
                    Status::Checkmate { .. } => 1,
                    Status::Stalemate => 2,
                }] += 1;
            }
        }
        boards += count;
    }
    assert!(boards >= 50_000, "{boards}");
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

#[test]
fn the_words_of_the_rules_hold_on_any_board() {
    let mut random = Random::new(0xb0a2d);
    for size in Size::all() {
        for _ in 0..(20_000 / size.area()).max(20) {
            let kings = [random.below(3), random.below(3)];
            let board = random_board(&mut random, size, kings);
            let slow = Slow::new(&board);
            for side in Side::ALL {
                let expected = slow.legal_moves(side);
                let check = slow.is_check(side);
                assert_eq!(board.is_check(side), check);
                assert_eq!(board.is_checkmate(side), check && expected.is_empty());
                assert_eq!(board.is_stalemate(side), !check && expected.is_empty());
                let mut moves = Vec::new();
                for piece in board.pieces_of(side) {
                    for to in *size.cells() {
                        assert_eq!(
                            board.can_reach(piece, to),
                            slow.can_reach(side, piece.kind, place(piece.cell), place(to))
                        );
                        if board.can_move_to(piece, to) {
                            moves.push(Move { from: piece.cell, to });
                        }
                    }
                }
                moves.sort();
                assert_eq!(moves, expected, "{side} on\n{}", board.plain());
            }
        }
    }
}

#[test]
fn keys_and_boards_stay_right_while_playing() {
    let mut random = Random::new(0x9a3e);
    for size in Size::all() {
        for _ in 0..20 {
            let mut position =
                Position::new(random_board(&mut random, size, [1, 1]), Side::White).unwrap();
            for _ in 0..30 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[random.below(moves.len())];
                let piece = position.board().piece_at(m.from).unwrap();
                let expected = position.board().move_to(piece, m.to);
                position.play(m);
                assert_eq!(position, Position::new(expected, position.turn()).unwrap());
            }
        }
    }
}

#[test]
fn what_is_saved_can_be_read() {
    let mut random = Random::new(0xf11e);
    for size in Size::all() {
        for _ in 0..50 {
            let board = random_board(&mut random, size, [1, 1]);
            let plain = board.plain();
            assert_eq!(plain.parse::<Board>().as_ref(), Ok(&board));
            assert_eq!(plain.replace('\n', " ,\r\n").replacen(" ,", "  ", 1).parse(), Ok(board));
            assert_eq!(board.draw().lines().count(), usize::from(size.get()));
            let figures = board.draw().chars().filter(|c| "♔♗♚♝".contains(*c)).count();
            assert_eq!(figures, board.pieces().count());
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_a_board_or_a_sentence(text in "[0-9KBab, \r\n\t]{0,40}|\\PC{0,80}") {
        match text.parse::<Board>() {
            Ok(board) => prop_assert_eq!(board.plain().parse::<Board>(), Ok(board)),
            Err(error) => {
                let words = error.to_string();
                prop_assert!(words.starts_with("line ") && !words.contains('\n'), "{}", words);
                prop_assert!(words.chars().count() < 200, "{}", words);
            }
        }
    }

    #[test]
    fn any_text_is_a_move_or_not(text in "[a-z]{0,2}[0-9]{0,3}[a-z]{0,2}[0-9]{0,3}|\\PC{0,8}") {
        if let Ok(m) = text.parse::<Move>() {
            prop_assert_eq!(m.to_string(), text);
        }
    }
}
