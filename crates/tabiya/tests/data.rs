//! `tabiya datagen` and `tabiya data` from the outside.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tabiya_chess::Position;
use tabiya_nnue::Network;
use tempfile::tempdir;

fn tabiya(words: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabiya")).args(words).args(paths).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn complaint(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn play(folder: &Path, games: &str, seed: &str) {
    let words = ["datagen", "--games", games, "--nodes", "200", "--seed", seed, "--out"];
    said(&tabiya(&words, &[folder]));
}

#[test]
fn a_run_that_goes_on_does_not_repeat_itself() {
    let scratch = tempdir().unwrap();
    let (first, second) = (scratch.path().join("first"), scratch.path().join("second"));
    play(&first, "3", "7");
    play(&first, "2", "7");
    let stats = said(&tabiya(&["data", "stats"], &[&first]));
    assert!(stats.contains("\ngames      5\n"), "{stats}");
    assert!(stats.contains("tabiya 0.1.0, 200 nodes a move"), "{stats}");

    // The same seed elsewhere plays the same games, and a merged file has each once.
    play(&second, "5", "7");
    assert_eq!(fs::read(first.join("7.games")).unwrap(), fs::read(second.join("7.games")).unwrap());
    let merged = scratch.path().join("all.games");
    let words = ["data", "merge", "--out"];
    let report = said(&tabiya(&words, &[&merged, &first, &second]));
    assert!(
        report.starts_with("5 games in ") && report.contains("5 repeated left out"),
        "{report}"
    );
    assert_eq!(said(&tabiya(&["data", "check"], &[&merged])), "5 games, all sound\n");
    let again = complaint(&tabiya(&words, &[&merged, &first]));
    assert!(again.contains("the file is there already"), "{again}");

    // Another seed in the same folder is another file.
    play(&first, "1", "8");
    assert!(said(&tabiya(&["data", "stats"], &[&first])).contains("\ngames      6\n"));
}

#[test]
fn a_torn_file_is_noticed_and_goes_on() {
    let scratch = tempdir().unwrap();
    play(scratch.path(), "3", "1");
    let file = scratch.path().join("1.games");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
    let complaint = complaint(&tabiya(&["data", "check"], &[scratch.path()]));
    assert!(
        complaint.contains("the last game, at byte") && complaint.contains("is torn"),
        "{complaint}"
    );
    play(scratch.path(), "1", "1");
    assert_eq!(said(&tabiya(&["data", "check"], &[scratch.path()])), "3 games, all sound\n");
}

#[test]
fn a_killed_run_keeps_its_games() {
    let scratch = tempdir().unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["datagen", "--minutes", "30", "--nodes", "200", "--seed", "2", "--threads", "2"])
        .arg("--out")
        .arg(scratch.path())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = scratch.path().join("2.games");
    let patience = Instant::now();
    while fs::metadata(&file).map_or(0, |data| data.len()) < 400 {
        assert!(patience.elapsed() < Duration::from_secs(300), "no game is finished");
        std::thread::sleep(Duration::from_millis(20));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    play(scratch.path(), "1", "2");
    let report = said(&tabiya(&["data", "check"], &[scratch.path()]));
    let games: u64 = report.split(' ').next().unwrap().parse().unwrap();
    assert!(games >= 2, "{report}");
}

#[test]
fn records_are_those_that_stats_counts() {
    let scratch = tempdir().unwrap();
    let (games, records) = (scratch.path().join("games"), scratch.path().join("records"));
    play(&games, "4", "3");
    said(&tabiya(&["data", "export", "--out"], &[&records, &games]));
    let size = |name: &str| fs::metadata(records.join(name)).unwrap().len();
    let bytes = size("train.records") + size("held-out.records");
    let stats = said(&tabiya(&["data", "stats"], &[&games]));
    let line = stats.lines().find(|line| line.starts_with("to learn")).unwrap();
    let counted: u64 = line.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert_eq!(bytes, 32 * counted);
    assert!(counted > 0);
}

#[test]
fn networks_evaluate_positions_given_as_text() {
    let scratch = tempdir().unwrap();
    let network = Network::random(1);
    let file = scratch.path().join("random.nnue");
    let mut bytes = network.to_bytes();
    let evaluate = |bytes: &[u8], input: &str| {
        fs::write(&file, bytes).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(["data", "evaluate", "--network"])
            .arg(&file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may have given up before it reads.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    };
    let fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "8/5k2/8/3P4/8/8/5K2/8 b - - 0 1"];
    let expected: Vec<String> = fens
        .iter()
        .map(|fen| network.evaluate(&fen.parse::<Position>().unwrap()).to_string())
        .collect();
    let output = evaluate(&bytes, &fens.join("\n"));
    assert_eq!(said(&output).lines().collect::<Vec<_>>(), expected);
    let bad = complaint(&evaluate(&bytes, &format!("{}\nhello\n", fens[0])));
    assert!(bad.starts_with("tabiya: line 2: "), "{bad}");
    bytes[3000] ^= 1;
    let bad = complaint(&evaluate(&bytes, ""));
    assert!(bad.ends_with("the network file is damaged: its checksum is wrong\n"), "{bad}");
}
