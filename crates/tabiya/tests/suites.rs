//! Our own openings and suites: what they claim is proved again, and the engine is asked.

use std::collections::HashSet;
use std::process::Command;
use std::sync::mpsc::channel;

use tabiya_chess::Game;
use tabiya_engine::{Engine, Limits, Score, Settings};
use tabiya_lab::{MateProof, Openings, Suite, TestPosition, shortest_mate};

const MATES: [(u32, &str); 4] = [
    (2, include_str!("../data/mate_2.epd")),
    (3, include_str!("../data/mate_3.epd")),
    (4, include_str!("../data/mate_4.epd")),
    (5, include_str!("../data/mate_5.epd")),
];

fn problems(text: &str) -> Vec<TestPosition> {
    Suite::from_epd(text).unwrap().problems().to_vec()
}

fn prove(problem: &TestPosition, moves: u32) {
    assert_eq!(problem.mate, Some(moves), "{}", problem.name);
    match shortest_mate(&problem.position, moves, 4_000_000) {
        MateProof::Mate { moves: proved, .. } => assert_eq!(proved, moves, "{}", problem.position),
        other => panic!("{}: {other:?}", problem.position),
    }
}

#[test]
fn mates_are_proved_by_every_line() {
    for (moves, text) in MATES {
        let problems = problems(text);
        assert!(problems.len() >= 30, "mates in {moves}: {}", problems.len());
        // The others take longer: see below.
        let most = if moves <= 3 { problems.len() } else { 5 };
        problems.iter().take(most).for_each(|problem| prove(problem, moves));
    }
}

#[test]
#[ignore = "a quarter of a minute of trying moves"]
fn long_mates_are_proved_by_every_line() {
    for (moves, text) in MATES {
        problems(text).iter().for_each(|problem| prove(problem, moves));
    }
}

/// The engine prunes and remembers, so it may miss a mate or find a longer one; but one that it
/// announces exists. A proof says how short it can be.
#[test]
fn no_mate_is_announced_that_does_not_exist() {
    let mut announced = 0;
    for (moves, text) in &MATES[..2] {
        let problems = problems(text);
        for hash_megabytes in [1, 64] {
            // Never cleared: scores from other positions are in the table.
            let mut engine = Engine::new(Settings { hash_megabytes, ..Settings::default() });
            for problem in problems.iter().take(20) {
                for _ in 0..2 {
                    let (sender, receiver) = channel();
                    let limits = Limits { depth: Some(10), ..Limits::default() };
                    let game = Game::from_position(problem.position);
                    let search = engine.go(&game, limits, move |info| {
                        let _ = sender.send(info.score);
                    });
                    search.wait();
                    for score in receiver {
                        if let Score::Mate(found) = score {
                            assert!(found >= *moves as i32, "{}: {score}", problem.position);
                            announced += u32::from(found == *moves as i32);
                        }
                    }
                }
            }
        }
    }
    // Twenty positions, two lengths, two tables, twice each, on several depths.
    assert!(announced >= 160, "{announced}");
}

/// The column of 1,000 nodes, which takes a second; `tabiya solve --nodes N` makes the others.
#[test]
fn the_document_says_what_is_solved() {
    let document = include_str!("../../../docs/suites.md");
    let mut solve = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    let output = solve.args(["solve", "--nodes", "1000"]).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let counts = output.lines().filter(|line| !line.starts_with(' '));
    let row = |line: &str| {
        let (name, counts) = line
            .split_once(": ")
            .or(line.split_once("solved ").map(|(_, counts)| ("all", counts)))?;
        let (solved, all) = counts.split_once(" of ")?;
        Some(format!("| {name} | {all} | {solved} |"))
    };
    let rows: Vec<String> = counts.filter_map(row).collect();
    assert_eq!(rows.len(), 7, "{output}");
    for row in rows {
        assert!(document.contains(&row), "docs/suites.md lacks {row}");
    }
}

#[test]
fn positions_of_the_house_are_all_different() {
    let mut seen = HashSet::new();
    for (_, text) in MATES {
        for problem in problems(text) {
            assert!(seen.insert(problem.position.repetition_key()), "{}", problem.position);
        }
    }
    let tactics = problems(include_str!("../data/tactics.epd"));
    assert!(tactics.len() >= 50, "{}", tactics.len());
    for problem in tactics {
        assert_eq!(problem.best.len(), 1, "{}", problem.name);
        assert!(seen.insert(problem.position.repetition_key()), "{}", problem.position);
    }
}

#[test]
fn openings_of_the_house_are_playable_and_different() {
    let text = include_str!("../data/openings.epd");
    let openings = Openings::from_epd(text).unwrap();
    assert!(openings.len() >= 500, "{}", openings.len());
    let mut seen = HashSet::new();
    for index in 0..openings.len() {
        let game = openings.get(index);
        assert!(!game.position().is_check(), "{}", game.position());
        assert!(seen.insert(game.position().repetition_key()), "{}", game.position());
    }
    // The moves noted beside a position lead to it.
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (_, moves) = line.split_once("c0 \"").unwrap();
        let mut game = Game::new();
        for san in moves.trim_end_matches("\";").split(' ') {
            game.play(game.position().parse_san(san).unwrap()).unwrap();
        }
        let fields: Vec<&str> = line.split(' ').take(4).collect();
        assert!(game.position().fen().starts_with(&fields.join(" ")), "{line}");
    }
}
