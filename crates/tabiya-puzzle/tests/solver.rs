//! Mates against brute force, and positions that are made to measure.

use std::collections::HashMap;

use tabiya_puzzle::{Board, Position, Recipe, Side, Size, Solver, Verdict};

mod reference;
use reference::{Random, random_board};

/// The number of moves to mate by the plainest of searches: no memory, no order, no limit but depth.
fn brute(position: &Position, moves: u32) -> Option<u32> {
    (1..=moves).find(|&moves| brute_mates(position, moves))
}

fn after(position: &Position) -> impl Iterator<Item = Position> {
    position.legal_moves().into_iter().map(|m| {
        let mut next = *position;
        next.play(m);
        next
    })
}

fn brute_mates(position: &Position, moves: u32) -> bool {
    moves > 0
        && after(position).any(|next| match next.has_legal_move() {
            false => next.is_check(),
            true => after(&next).all(|next| brute_mates(&next, moves - 1)),
        })
}

#[test]
fn shortest_mates_are_those_of_brute_force() {
    let mut random = Random::new(0x5013e);
    let mut found = HashMap::new();
    let sizes = [3, 3, 4, 4, 5].map(|rows| Size::new(rows).unwrap());
    for number in 0..600 {
        let board = random_board(&mut random, sizes[number % sizes.len()], [1, 1]);
        for side in Side::ALL {
            let position = Position::new(board, side).unwrap();
            let expected = brute(&position, 2);
            let moves = match Solver::new().solve(&position, 2) {
                Verdict::Mate(solution) => Some(check(&position, &solution)),
                Verdict::NoMate { within: 2 } => None,
                verdict => panic!("{verdict:?}"),
            };
            assert_eq!(moves, expected, "{side} on\n{}", board.plain());
            *found.entry(moves).or_insert(0) += 1;
        }
    }
    assert!(found[&None] > 50 && found[&Some(1)] > 50 && found[&Some(2)] > 20, "{found:?}");
}

/// A solution is a legal line that ends in mate, and its keys mate.
fn check(position: &Position, solution: &tabiya_puzzle::Solution) -> u32 {
    let mut here = *position;
    for (number, &m) in solution.line.iter().enumerate() {
        assert!(here.legal_moves().contains(&m), "{number}: {m}");
        here.play(m);
    }
    assert!(here.board().is_checkmate(!position.turn()));
    assert_eq!(solution.line.len() as u32, 2 * solution.moves - 1);
    assert_eq!(solution.line.first(), solution.keys.first());
    for &key in &solution.keys {
        let mut next = *position;
        next.play(key);
        assert!(after(&next).all(|next| brute_mates(&next, solution.moves - 1)), "{key}");
    }
    solution.moves
}

/// Two bishops against a bare king on 4×4, every position: the distance to mate by working backwards from
/// the mates, and by the solver.
#[test]
fn two_bishops_on_a_small_board_are_solved_completely() {
    let size = Size::new(4).unwrap();
    let cells: Vec<_> = size.cells().into_iter().collect();
    let mut positions = Vec::new();
    for &king in &cells {
        for &bare in &cells {
            for (i, &one) in cells.iter().enumerate() {
                for &two in &cells[i + 1..] {
                    let text = format!("4\nK{king}, B{one}, B{two}\nK{bare}");
                    let Ok(board) = text.parse::<Board>() else { continue };
                    positions.push(Position::new(board, Side::White).unwrap());
                }
            }
        }
    }
    // Moves to mate for White to move, by board; grown one move at a time.
    const LONGEST: u32 = 3;
    let mut mates: HashMap<Board, u32> = HashMap::new();
    for moves in 1..=LONGEST {
        let known = mates.clone();
        for position in &positions {
            let lost = |next: &Position| match next.has_legal_move() {
                false => next.is_check(),
                // A position in which a bishop was taken is not among them, and is no mate.
                true => after(next).all(|next| known.contains_key(next.board())),
            };
            if !known.contains_key(position.board()) && after(position).any(|next| lost(&next)) {
                mates.insert(*position.board(), moves);
            }
        }
    }
    let mut solver = Solver::new();
    let mut counts = [0; LONGEST as usize + 1];
    for position in positions.iter().step_by(7) {
        let moves = match solver.solve(position, LONGEST) {
            Verdict::Mate(solution) => Some(solution.moves),
            _ => None,
        };
        assert_eq!(moves, mates.get(position.board()).copied(), "{}", position.board().plain());
        counts[moves.unwrap_or(0) as usize] += 1;
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn new_positions_are_what_was_asked_for() {
    for (rows, white, black, mate) in [
        (4, 2, 1, Some(1)),
        (5, 3, 1, Some(2)),
        (6, 3, 2, Some(2)),
        (8, 4, 4, None),
        (12, 9, 7, None),
    ] {
        let size = Size::new(rows).unwrap();
        for seed in 0..3 {
            let recipe = Recipe { size, white_bishops: white, black_bishops: black, mate, seed };
            let board = recipe.compose().unwrap();
            assert_eq!(recipe.compose(), Ok(board));
            assert_eq!(board.size(), size);
            assert_eq!(board.bishops(Side::White).len(), white);
            assert_eq!(board.bishops(Side::Black).len(), black);
            assert!(!board.is_check(Side::White) && !board.is_check(Side::Black));
            let position = Position::new(board, Side::White).unwrap();
            match mate {
                Some(moves) => assert_eq!(brute(&position, moves), Some(moves)),
                None => assert!(position.has_legal_move()),
            }
        }
    }
    let bare =
        Recipe { size: Size::MIN, white_bishops: 0, black_bishops: 3, mate: Some(1), seed: 0 };
    assert!(bare.compose().is_err());
}
