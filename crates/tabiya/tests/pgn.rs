//! Files of games from the command line.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const GAMES: &str = r#"[Event "First"]
[White "Tal, Mikhail"]
[Black "Smith"]
[Date "1960.01.02"]
[Result "1-0"]
[ECO "B97"]

1. e4 {best} c5 (1... e5 2. f4) 2. Nf3 1-0

[Event "Second"]
[White "Smith"]
[Black "Tal, Mikhail"]
[Date "1975.??.??"]
[ECO "C41"]

1. e4 e5 2. Nf3 d6 0-1

[Event "Third"]

1. d4 d5 2. c5 1/2-1/2

[Event "Fourth"]
[White "Jones"]
[Date "????.??.??"]

1. Nf3 d5 2. d4 Nf6 *
"#;

fn pgn(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .arg("pgn")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The events of the games that are cut out.
fn cut(args: &[&str]) -> Vec<String> {
    let output = pgn(&[&["cut"], args, &["-"]].concat(), GAMES);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let events = text(&output.stdout);
    let events = events.lines().filter_map(|line| line.strip_prefix("[Event \""));
    events.map(|rest| rest.trim_end_matches("\"]").to_owned()).collect()
}

#[test]
fn check_tells_where_a_game_is_bad_and_goes_on() {
    let output = pgn(&["check", "-"], GAMES);
    assert_eq!(output.status.code(), Some(1));
    let expected = "-:20:13: game 3: No pawn of yours can go to c5.\n4 games, 15 moves checked\n";
    assert_eq!(text(&output.stdout), expected);
    assert!(text(&output.stderr).contains("1 of 4 games cannot be read"));

    let output = pgn(&["check", "-"], "1. e4 e5 *\n");
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "1 game, 2 moves checked\n");
}

#[test]
fn a_file_that_is_not_there_is_a_sentence() {
    let output = pgn(&["check", "no-such-file.pgn"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("tabiya: cannot open no-such-file.pgn: "));
}

#[test]
fn cut_by_all_that_can_be_asked() {
    assert_eq!(cut(&[]), ["First", "Second", "Fourth"]);
    assert_eq!(cut(&["--games", "2-3"]), ["Second"]);
    assert_eq!(cut(&["--games", "4-"]), ["Fourth"]);
    assert_eq!(cut(&["--player", "tal"]), ["First", "Second"]);
    assert_eq!(cut(&["--white", "TAL"]), ["First"]);
    assert_eq!(cut(&["--black", "tal", "--result", "0-1"]), ["Second"]);
    assert_eq!(cut(&["--result", "*"]), ["Fourth"]);
    assert_eq!(cut(&["--eco", "b9"]), ["First"]);
    assert_eq!(cut(&["--eco", "9"]), [""; 0]);
    assert_eq!(cut(&["--years", "1961-1980"]), ["Second"]);
    assert_eq!(cut(&["--tag", "Event=o", "--tag", "White=j"]), ["Fourth"]);
    // Reached by another order of moves, and not in a variation.
    let queen_pawn = "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq -";
    assert_eq!(cut(&["--fen", queen_pawn]), ["Fourth"]);
    let kings_gambit = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq -";
    assert_eq!(cut(&["--fen", kings_gambit]), [""; 0]);
}

#[test]
fn what_is_cut_is_whole() {
    let output = pgn(&["cut", "--games", "1", "-"], GAMES);
    assert!(text(&output.stdout).ends_with("1. e4 {best} 1... c5 (1... e5 2. f4) 2. Nf3 1-0\n\n"));
    assert_eq!(text(&output.stderr), "1 of 1 game written\n");

    let path = std::env::temp_dir().join(format!("tabiya-cut-{}.pgn", std::process::id()));
    let name = path.to_str().unwrap();
    let output = pgn(&["cut", "--eco", "C", "--out", name, "-"], GAMES);
    assert!(output.status.success());
    let written = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(written.starts_with("[Event \"Second\"]\n"));
    assert!(!std::path::Path::new(&format!("{name}.unfinished")).exists());
}

#[test]
fn stats_count_what_there_is() {
    let output = pgn(&["stats", "-"], GAMES);
    assert!(output.status.success());
    assert_eq!(
        text(&output.stdout),
        "Games     3, and 1 that cannot be read
Plies     11, 1.8 moves a game, the longest 2 moves
  White wins            1  33.3 %
  Black wins            1  33.3 %
  Unknown               1  33.3 %
Years     1960 to 1975
  1960                  1  33.3 %
  1975                  1  33.3 %
Openings  3 different
             1  33.3 %  1. Nf3 d5 2. d4 Nf6
             1  33.3 %  B97
             1  33.3 %  C41
"
    );
}

#[test]
fn ranges_and_results_are_explained() {
    for (args, part) in [
        (["cut", "--games", "9-3", "-"], "9 comes after 3"),
        (["cut", "--games", "x", "-"], "\"x\" is not a number"),
        (["cut", "--result", "2-0", "-"], "write 1-0, 0-1, 1/2-1/2 or *"),
        (["cut", "--tag", "Event", "-"], "write it like Event=Candidates"),
    ] {
        let output = pgn(&args, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
}
