//! `tabiya puzzles` from the outside, and the puzzles that come with Tabiya before a solver of their own.

use std::path::PathBuf;
use std::process::Command;

use tabiya_chess::Game;
use tabiya_engine::{Engine, Limits, Settings};
use tabiya_lab::{judge, mating_line};
use tabiya_tactics::{Collection, Goal};

fn run(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tabiya")).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The fool's mate and the scholar's.
const GAMES: &str = "1. f3 e5 2. g4 Qh4# 0-1

[White \"b\"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
";

#[test]
fn puzzles_are_made_again_in_the_same_way_and_packed() {
    let folder = folder("puzzles-made");
    let path = |name: &str| folder.join(name).display().to_string();
    std::fs::write(path("games.pgn"), GAMES).unwrap();
    let make = |threads: &str, out: &str| {
        run(&[
            "puzzles",
            "make",
            &path("games.pgn"),
            "--nodes",
            "20000",
            "--threads",
            threads,
            "--out",
            &path(out),
        ])
    };
    assert!(make("1", "one.txt").0);
    let text = std::fs::read_to_string(path("one.txt")).unwrap();
    assert!(text.contains("| g2g4 d8h4 | mate |"), "{text}");
    assert!(text.contains("| g8f6 h5f7 | mate |") && text.ends_with("game 1\n"), "{text}");
    assert!(make("2", "two.txt").0);
    assert_eq!(std::fs::read_to_string(path("two.txt")).unwrap(), text);
    // Cut off within the second game, it goes on there.
    let cut = text.len() - 20;
    std::fs::write(path("cut.txt"), &text[..cut]).unwrap();
    assert!(make("1", "cut.txt").0);
    assert_eq!(std::fs::read_to_string(path("cut.txt")).unwrap(), text);

    let (done, told) =
        run(&["puzzles", "pack", &path("one.txt"), &path("two.txt"), "--out", &path("p.bin")]);
    assert!(done && told.starts_with("2 puzzles, "), "{told}");
    let packed = std::fs::read(path("p.bin")).unwrap();
    assert_eq!(Collection::from_packed(&packed).unwrap().len(), 2);
    std::fs::write(path("bad.txt"), "no puzzle\n").unwrap();
    let (done, told) = run(&["puzzles", "pack", &path("bad.txt"), "--out", &path("q.bin")]);
    assert!(!done && told.contains("bad.txt, line 1"), "{told}");
}

#[test]
fn a_sample_of_our_puzzles_holds() {
    let mut engine = Engine::new(Settings::default());
    let puzzles: Vec<_> = Collection::built_in().iter().collect();
    let every = (puzzles.len() / 16).max(1);
    for one in puzzles.iter().step_by(every) {
        let tactic = &one.tactic;
        let start = tactic.start();
        if tactic.goal() == Goal::Mate && tactic.length() <= 3 {
            let line = mating_line(&start, tactic.length() as u32).unwrap_or_default();
            assert_eq!(line.first(), tactic.line().first(), "{tactic}");
            assert_eq!(line.len(), tactic.line().len(), "{tactic}");
            continue;
        }
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        let lines = judge(&mut engine, &Game::from_position(start), 2, &limits).unwrap();
        assert_eq!(Some(&lines[0].m), tactic.line().first(), "{tactic}");
        let (best, next) = (lines[0].score.expectation(), lines[1].score.expectation());
        assert!(best >= next + 100, "{best} and {next}: {tactic}");
    }
}
