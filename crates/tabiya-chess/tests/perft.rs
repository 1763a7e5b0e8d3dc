//! Perft: counting all move sequences of some length and comparing with what Stockfish counts.
//!
//! Small depths run with every `cargo test`; the full ones with
//! `cargo test --release -p tabiya-chess --test perft -- --ignored`.

use tabiya_chess::{Perft, Position, perft};

/// One line of a suite: the position and the number of sequences of 1, 2, 3 … moves.
struct Case {
    fen: &'static str,
    position: Position,
    counts: Vec<u64>,
}

/// Reads a line of the form `FEN ;D1 20 ;D2 400 …`.
fn case(line: &'static str) -> Case {
    let mut parts = line.split(" ;");
    let fen = parts.next().unwrap();
    let counts = parts.enumerate().map(|(i, part)| {
        let count = part.strip_prefix(&format!("D{} ", i + 1)).unwrap();
        count.parse().unwrap()
    });
    let position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    Case { fen, position, counts: counts.collect() }
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The suite of standard chess. Its first seven positions are the classic ones.
fn suite() -> Vec<Case> {
    lines(include_str!("data/perft.epd")).map(case).collect()
}

fn chess960_middlegames() -> Vec<Case> {
    lines(include_str!("data/chess960_middle.epd")).map(case).collect()
}

/// The starts of Chess960 with their numbers.
fn chess960_starts() -> Vec<(u16, Case)> {
    lines(include_str!("data/chess960.txt"))
        .map(|line| {
            let (number, line) = line.split_once(' ').unwrap();
            (number.parse().unwrap(), case(line))
        })
        .collect()
}

/// The longest way: every move listed and played, the last ones too.
fn by_playing(position: &Position, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for &m in &position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(m);
        nodes += by_playing(&next, depth - 1);
    }
    nodes
}

/// The last moves are listed, not played.
fn by_listing(position: &Position, depth: usize) -> u64 {
    descend(position, depth, |position| position.legal_moves().len() as u64)
}

/// The last moves are only counted.
fn by_counting(position: &Position, depth: usize) -> u64 {
    descend(position, depth, Position::count_legal_moves)
}

fn descend(position: &Position, depth: usize, leaf: fn(&Position) -> u64) -> u64 {
    if depth == 1 {
        return leaf(position);
    }
    let mut nodes = 0;
    for &m in &position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(m);
        nodes += descend(&next, depth - 1, leaf);
    }
    nodes
}

/// The library's own perft.
fn by_perft(position: &Position, depth: usize) -> u64 {
    perft(position, depth as u32)
}

/// The same with threads and a table of positions met before.
fn by_table(position: &Position, depth: usize) -> u64 {
    let perft = Perft { threads: 2.try_into().unwrap(), hash_megabytes: 1 };
    perft.count(position, depth as u32)
}

/// Counts as far as the limits on depth and nodes go, and returns how many depths that were.
fn check(case: &Case, depths: usize, nodes: u64, count: fn(&Position, usize) -> u64) -> usize {
    let mut checked = 0;
    for (depth, &expected) in (1..=depths).zip(&case.counts) {
        if expected > nodes {
            break;
        }
        assert_eq!(count(&case.position, depth), expected, "depth {depth} of {}", case.fen);
        checked += 1;
    }
    assert!(checked > 0, "{}", case.fen);
    checked
}

const QUICK: u64 = 100_000;

#[test]
fn suite_has_the_positions_it_should() {
    assert!(suite().len() >= 200);
    assert!(chess960_middlegames().len() >= 100);
    assert_eq!(chess960_starts().len(), 960);
    let most_moves = suite().iter().map(|case| case.counts[0]).max();
    assert_eq!(most_moves, Some(218));
}

#[test]
fn suite_by_playing() {
    let depths: usize = suite().iter().map(|case| check(case, 9, QUICK, by_playing)).sum();
    assert!(depths > 800, "{depths}");
}

#[test]
fn suite_by_listing() {
    suite().iter().for_each(|case| _ = check(case, 9, QUICK, by_listing));
}

#[test]
fn suite_by_counting() {
    suite().iter().for_each(|case| _ = check(case, 9, QUICK, by_counting));
}

#[test]
fn suite_by_perft() {
    suite().iter().for_each(|case| _ = check(case, 9, 1_000_000, by_perft));
}

#[test]
fn suite_by_table() {
    suite().iter().for_each(|case| _ = check(case, 9, QUICK, by_table));
}

#[test]
fn chess960_middlegames_all_ways() {
    for case in chess960_middlegames() {
        check(&case, 9, QUICK, by_playing);
        check(&case, 9, QUICK, by_listing);
        check(&case, 9, QUICK, by_counting);
        check(&case, 9, QUICK, by_perft);
        check(&case, 9, QUICK, by_table);
    }
}

#[test]
fn chess960_starts_by_number() {
    for (number, case) in chess960_starts() {
        assert_eq!(Position::chess960(number), Some(case.position), "start {number}");
        let depths = if number % 20 == 0 { 3 } else { 2 };
        check(&case, depths, QUICK, by_playing);
        check(&case, depths, QUICK, by_counting);
        check(&case, depths, QUICK, by_perft);
    }
}

#[test]
#[ignore = "a second or two in a release build"]
fn classic_positions_in_full() {
    for case in &suite()[..7] {
        assert_eq!(check(case, 9, u64::MAX, by_counting), case.counts.len());
        assert_eq!(check(case, 9, u64::MAX, by_perft), case.counts.len());
        assert_eq!(check(case, 9, u64::MAX, by_table), case.counts.len());
    }
}

#[test]
#[ignore = "a second or two in a release build"]
fn suite_in_full() {
    for case in &suite()[7..] {
        assert_eq!(check(case, 9, u64::MAX, by_counting), case.counts.len());
        assert_eq!(check(case, 9, u64::MAX, by_listing), case.counts.len());
        assert_eq!(check(case, 9, u64::MAX, by_perft), case.counts.len());
        assert_eq!(check(case, 9, u64::MAX, by_table), case.counts.len());
    }
}

#[test]
#[ignore = "a second or two in a release build"]
fn chess960_in_full() {
    for case in chess960_middlegames() {
        assert_eq!(check(&case, 9, u64::MAX, by_counting), case.counts.len());
        assert_eq!(check(&case, 9, u64::MAX, by_perft), case.counts.len());
    }
    for (_, case) in chess960_starts() {
        assert_eq!(check(&case, 4, u64::MAX, by_counting), 4);
        assert_eq!(check(&case, 4, u64::MAX, by_perft), 4);
    }
}
