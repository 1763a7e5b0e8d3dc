//! The computer as an opponent.

mod reference;

use std::time::Duration;

use reference::{Random, random_board};
use tabiya_puzzle::{Level, Limits, Player, Position, Recipe, Side, Size, Status};

/// Few nodes and no clock: the same game on every machine.
const QUICK: Limits = Limits { depth: 64, nodes: 1000, time: None };

#[test]
fn no_illegal_move_in_a_thousand_games() {
    let mut random = Random::new(0x6a3e5);
    let sizes: Vec<Size> = Size::all().collect();
    let mut ended = 0;
    for number in 0..1000 {
        let size = sizes[number % sizes.len()];
        let mut position =
            Position::new(random_board(&mut random, size, [1, 1]), Side::White).unwrap();
        let level = format!("{}", number % 7).parse::<Level>().unwrap();
        let limits = Limits { nodes: 60, ..level.limits() };
        let mut player = Player::new(level, number as u64).with_limits(limits);
        for _ in 0..16 {
            let Some(m) = player.choose(&position, &[]) else {
                assert!(!position.has_legal_move());
                ended += 1;
                break;
            };
            let piece = position.board().piece_at(m.from).unwrap();
            assert_eq!(piece.side, position.turn());
            assert!(position.board().can_move_to(piece, m.to), "{m}\n{}", position.board().plain());
            position.play(m);
        }
    }
    assert!(ended > 100, "{ended}");
}

/// How a game ends; none if it goes on for too long.
fn game(start: Position, players: &mut [Player; 2]) -> Option<Status> {
    let mut position = start;
    let mut keys = Vec::new();
    for _ in 0..400 {
        if position.status().is_over() {
            return Some(position.status());
        }
        let m = players[position.turn() as usize].choose(&position, &keys).unwrap();
        keys.push(position.key());
        if position.play(m) {
            keys.clear();
        }
    }
    None
}

fn wins_against_random(games: u64, limits: Limits) -> u64 {
    let size = Size::new(8).unwrap();
    let mut wins = 0;
    for seed in 0..games {
        let start = Recipe { size, white_bishops: 4, black_bishops: 4, mate: None, seed }
            .compose()
            .unwrap();
        let side = if seed % 2 == 0 { Side::White } else { Side::Black };
        let full = Player::new(Level::FULL, seed).with_limits(limits);
        let random = Player::new(Level::RANDOM, seed);
        let mut players = if side == Side::White { [full, random] } else { [random, full] };
        let end = game(Position::new(start, Side::White).unwrap(), &mut players);
        wins += u64::from(end == Some(Status::Checkmate { winner: side }));
    }
    wins
}

#[test]
fn thinking_beats_chance() {
    // With a small part of what it is usually allowed.
    let wins = wins_against_random(100, QUICK);
    assert!(wins >= 99, "{wins} of 100");
}

#[test]
#[ignore = "takes minutes"]
fn the_full_level_beats_chance_in_99_of_100_games() {
    let wins = wins_against_random(100, Level::FULL.limits());
    assert!(wins >= 99, "{wins} of 100");
}

#[test]
fn mates_are_found_and_stalemates_avoided() {
    let mut player = Player::new(Level::FULL, 0).with_limits(Limits { nodes: 5_000, ..QUICK });
    let position =
        Position::new("4\nKc2, Bc1, Bd1\nKa4, Bc3, Bb4".parse().unwrap(), Side::White).unwrap();
    let m = player.choose(&position, &[]).unwrap().to_string();
    assert!(["c2d3", "c2b1"].contains(&m.as_str()), "{m}");
    // Taking the bishop on d1 would be stalemate.
    let position =
        Position::new("4\nKb2, Ba2, Ba4\nKb4, Bd1".parse().unwrap(), Side::White).unwrap();
    assert_ne!(player.choose(&position, &[]).unwrap().to_string(), "a4d1");
}

#[test]
fn a_full_board_is_answered_in_time() {
    // Not the time is tested, which depends on the machine, but that the limits are kept.
    let board =
        Recipe { size: Size::MAX, white_bishops: 150, black_bishops: 150, mate: None, seed: 1 };
    let position = Position::new(board.compose().unwrap(), Side::White).unwrap();
    let mut search = tabiya_puzzle::Search::new();
    for nodes in [1, 10, 1000] {
        let found = search.think(&position, &[], Limits { nodes, ..Limits::default() }).unwrap();
        assert!(found.nodes <= nodes + 1, "{found:?}");
        assert!(position.legal_moves().contains(&found.best));
    }
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert!(search.think(&position, &[], limits).unwrap().nodes < 200);
    assert!(Level::FULL.limits().time.unwrap() < Duration::from_secs(1));
}

#[test]
fn the_same_questions_get_the_same_answers() {
    let board = Recipe {
        size: Size::new(8).unwrap(),
        white_bishops: 4,
        black_bishops: 4,
        mate: None,
        seed: 2,
    };
    let position = Position::new(board.compose().unwrap(), Side::White).unwrap();
    let limits = Limits { nodes: 3_000, ..QUICK };
    let mut search = tabiya_puzzle::Search::new();
    let first = search.think(&position, &[], limits);
    search.forget();
    assert_eq!(search.think(&position, &[], limits), first);
}
