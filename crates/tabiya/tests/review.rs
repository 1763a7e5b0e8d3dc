//! `tabiya review`: many games, in order, and on where it was after a break.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tabiya_pgn::{Game, Reader};
use tabiya_review::{Judgement, Review};

const OPERA: &str = r#"[Event "Opera"]
[White "Morphy"]
[Black "The allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"#;

const FOOL: &str = r#"[Event "Fool"]
[TimeControl "60+0"]

1. f3 {[%clk 0:00:58]} e5 {[%clk 0:00:59]} 2. g4 {[%clk 0:00:05]} Qh4# {[%clk 0:00:58]} 0-1
"#;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.arg("review").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn good(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn people_get_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, format!("{OPERA}\n{FOOL}")).unwrap();
    let said = good(&[text(&file), "--nodes", "3000"]);
    for part in [
        "Game 1: Morphy – The allies, 1-0",
        "C41 Philidor Defence, 17 moves",
        "accuracy",
        "Game 2: White – Black, 0-1",
        "2. g4??       Blunder, allows mate in 1: ",
        "                2...Qh4# is mate.",
        "White  thought 0:55, longest about 2. g4 (0:53), 1. f3 (0:02); short of time from 2. g4",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(said.contains('▄') && said.contains('█'), "{said}");
}

#[test]
fn standard_input_bad_games_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("graph.svg");
    let bad = "[Event \"Bad\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    let args = ["-", "--nodes", "1000", "--svg", text(&graph), "-o", "-"];
    let mut child = command(&args).stdin(Stdio::piped()).spawn().unwrap();
    let input = format!("{OPERA}\n{bad}{FOOL}\n[Event \"Empty\"]\n\n*\n");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("-:11:13: game 2: "), "{said}");
    let games: Vec<Game> = Reader::new(&output.stdout[..]).games().map(Result::unwrap).collect();
    let events: Vec<_> = games.iter().map(|game| game.tag("Event").unwrap()).collect();
    assert_eq!(events, ["Opera", "Fool", "Empty"]);
    let review = Review::read(&games[1]).unwrap();
    assert_eq!(review.moves[2].judgement, Some(Judgement::Blunder));
    for number in [1, 3, 4] {
        let picture = std::fs::read_to_string(folder.path().join(format!("graph-{number}.svg")));
        assert!(picture.unwrap().starts_with("<svg "));
    }
    assert!(!graph.exists());
}

#[test]
fn threads_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let games = [OPERA, FOOL, OPERA, FOOL, FOOL].join("\n");
    std::fs::write(&file, games).unwrap();
    let one = good(&[text(&file), "--nodes", "1500", "--json", "--threads", "1"]);
    let four = good(&[text(&file), "--nodes", "1500", "--json", "--threads", "4"]);
    assert_eq!(one, four);
    let lines: Vec<serde_json::Value> =
        one.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line["game"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert_eq!(lines[0]["tags"]["White"], "Morphy");
    assert_eq!(lines[1]["review"]["moves"][2]["judgement"], "blunder");
    assert_eq!(lines[1]["review"]["times"]["white"]["trouble"], 3);
    assert_eq!(lines[0]["review"], lines[2]["review"]);
}

/// Starts a review of many games and waits until some are done, but not all.
fn begin(file: &Path, out: &Path, nodes: &str) -> (Child, std::path::PathBuf) {
    let part = out.with_file_name(format!("{}.part", out.file_name().unwrap().to_str().unwrap()));
    let child = command(&[text(file), "--nodes", nodes, "--threads", "2", "-o", text(out)])
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while kept(&part) < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    (child, part)
}

fn kept(part: &Path) -> usize {
    let text = std::fs::read_to_string(part).unwrap_or_default();
    text.lines().filter(|line| line.starts_with("game ")).count()
}

#[test]
fn a_killed_review_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (file, whole, out) = (path("games.pgn"), path("whole.pgn"), path("out.pgn"));
    let games: Vec<String> =
        (0..12).map(|n| OPERA.replace("\"Opera\"", &format!("\"Opera {n}\""))).collect();
    std::fs::write(&file, games.join("\n")).unwrap();
    good(&[text(&file), "--nodes", "4000", "-o", text(&whole)]);
    assert_eq!(kept(&path("whole.pgn.part")), 0);

    let (mut child, part) = begin(&file, &out, "4000");
    child.kill().unwrap(); // the hard way: SIGKILL
    child.wait().unwrap();
    assert!(!out.exists());
    let before = kept(&part);
    assert!((3..12).contains(&before), "{before}");

    // What is kept is taken as it is: a mark that we leave there comes out at the end. The tail is torn.
    let marked = mark(&std::fs::read_to_string(&part).unwrap());
    std::fs::write(&part, format!("{marked}game 99 500 00000000\n[Event \"torn")).unwrap();
    let other = run(&[text(&file), "--nodes", "5000", "-o", text(&out)]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("other games or settings"));
    good(&[text(&file), "--nodes", "4000", "-o", text(&out)]);
    assert!(!part.exists());
    let result = std::fs::read_to_string(&out).unwrap();
    assert_eq!(result.matches("Kept!").count(), before);
    assert_eq!(result.replace("Kept!", "Opera"), std::fs::read_to_string(&whole).unwrap());
}

/// The same side file with another event in every record.
fn mark(part: &str) -> String {
    let (title, records) = part.split_once('\n').unwrap();
    let mut marked = format!("{title}\n");
    for record in records.split("game ").filter(|record| !record.is_empty()) {
        let (head, body) = record.split_once('\n').unwrap();
        let body = body.replace("\"Opera ", "\"Kept! ");
        let number = head.split(' ').next().unwrap();
        let crc = crc32fast::hash(body.as_bytes());
        marked += &format!("game {number} {} {crc:08x}\n{body}", body.len());
    }
    marked
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("games.pgn"), folder.path().join("out.pgn"));
    std::fs::write(&file, [FOOL; 6].join("\n") + "\n" + &[OPERA; 20].join("\n")).unwrap();
    let (child, part) = begin(&file, &out, "20000");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    let sentence = format!("of 26 games are done and kept in {}", part.display());
    assert!(said.contains(&sentence) && said.contains("goes on from there"), "{said}");
    assert!(kept(&part) >= 3 && !out.exists());
}

#[test]
fn what_cannot_be_done_is_said() {
    for (args, sentence) in [
        (&["nowhere.pgn"][..], "cannot open nowhere.pgn"),
        (&["x.pgn", "--nodes", "3"], "3 is not in 100..="),
        (&["x.pgn", "--threads", "0"], "--threads"),
        (&["x.pgn", "-o", "-", "--json"], "standard output cannot take both"),
    ] {
        let output = run(args);
        assert!(!output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(sentence) && said.lines().count() == 1, "{said}");
    }
}
