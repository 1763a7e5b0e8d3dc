//! `tabiya solve`, `tabiya openings`, `tabiya puzzles` and the openings of `tabiya match` from the outside.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn tabiya(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabiya")).args(args).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = tabiya(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn complaint(args: &[&str]) -> String {
    let output = tabiya(args);
    assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

/// A file for one test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn solved_and_unsolved_problems_are_told_apart() {
    let path = file(
        "three.epd",
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; dm 1; id \"back rank\";\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ra8#; id \"impossible\";\n\
         7k/8/8/8/8/8/R7/1R5K w - - dm 2;\n",
    );
    let path = path.to_str().unwrap();
    for limit in [["--nodes", "20000"], ["--depth", "8"]] {
        let text = stdout(&["solve", path, limit[0], limit[1]]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("  not solved: impossible: not Ra8# wanted, Ra8# (#1) found, ")
        );
        assert_eq!(lines[1..], [format!("{path}: 2 of 3").as_str(), "solved 2 of 3"], "{limit:?}");
    }
    // How many are solved in a time depends on the machine.
    let text = stdout(&["solve", path, "--time", "0.01"]);
    assert!(text.lines().last().unwrap().ends_with(" of 3"), "{text}");
}

#[test]
fn the_checking_knight_is_no_trap() {
    let text = stdout(&["solve", "--nodes", "3000"]);
    assert!(text.lines().any(|line| line == "traps: 1 of 1"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("mate in 5: ")), "{text}");
}

#[test]
fn bad_suites_are_refused_in_a_sentence() {
    let bad = file("bad.epd", "7k/8/8/8/8/8/R7/1R5K w - - bm Ra9;\n");
    assert!(
        complaint(&["solve", bad.to_str().unwrap()]).contains("bad.epd: problem on line 1, bm: ")
    );
    assert!(complaint(&["solve", "no-such.epd"]).contains("no-such.epd"));
    assert!(complaint(&["solve", "--nodes", "1", "--time", "1"]).contains("cannot be used"));
    assert!(complaint(&["solve", "--time", "0"]).contains("0.5"));
}

#[test]
fn openings_are_made_and_can_be_played() {
    let args = ["openings", "--count", "3", "--nodes", "2000", "--plies", "2..=4"];
    let args = [&args[..], &["--advantage", "-50..=150", "--seed", "5"]].concat();
    let text = stdout(&args);
    assert_eq!(text.lines().count(), 3);
    assert_eq!(text, stdout(&args), "the same seed makes the same openings");
    let path = file("made.epd", "");
    let path = path.to_str().unwrap();
    stdout(&[&args[..], &["--out", path]].concat());
    assert_eq!(fs::read_to_string(path).unwrap(), text);
    let play =
        ["match", "--engine", "random", "--engine", "random:2", "--pairs", "2", "--openings"];
    stdout(&[&play[..], &[path]].concat());
    assert!(complaint(&["openings", "--plies", "9..=3"]).contains("6..=10"));
}

#[test]
fn puzzles_are_found_and_can_be_solved() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("puzzles");
    let out = folder.to_str().unwrap();
    stdout(&["puzzles", "suites", "--count", "1", "--games", "1", "--seed", "3", "--out", out]);
    for name in ["mate_2", "mate_3", "mate_4", "mate_5", "tactics"] {
        let path = folder.join(name).with_extension("epd");
        if !fs::read_to_string(&path).unwrap().is_empty() {
            stdout(&["solve", path.to_str().unwrap(), "--nodes", "1000"]);
        }
    }
}

#[test]
fn matches_begin_where_they_are_told() {
    let games = file("games.pgn", "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. c4 {x} e6 *\n");
    let (games, record) = (games.to_str().unwrap(), file("record.pgn", ""));
    let play = |more: &[&str]| {
        let base = ["match", "--engine", "random", "--engine", "random:2", "--pairs", "2"];
        fs::write(&record, "").unwrap();
        stdout(&[&base[..], &["--pgn", record.to_str().unwrap()], more].concat());
        fs::read_to_string(&record).unwrap()
    };
    let text = play(&["--openings", games, "--plies", "3"]);
    for line in ["1. e4 e5 2. Nf3", "1. d4 d5 2. c4"] {
        assert_eq!(text.matches(line).count(), 2, "{text}");
    }
    // Our own are positions; random ones are moves from the start.
    assert_eq!(play(&[]).matches("[FEN ").count(), 4);
    assert_eq!(play(&["--openings", "random"]).matches("[FEN ").count(), 0);
    assert_eq!(play(&["--random-plies", "4"]).matches("[FEN ").count(), 0);

    let bad = file("bad.pgn", "1. e4 e5 *\n1. e4 e4 *\n");
    let engines = ["match", "--engine", "random", "--engine", "random:2", "--openings"];
    let say = |more: &[&str]| complaint(&[&engines[..], more].concat());
    assert!(say(&[bad.to_str().unwrap()]).contains("bad.pgn: 2:7: game 2: "));
    assert!(say(&[games, "--random-plies", "3"]).contains("exclude each other"));
    assert!(say(&["own", "--plies", "3"]).contains("PGN"));
}
