//! Every call by which `tabiya play` writes, syncs, opens, truncates, renames or maps in its folder fails once, and from
//! every one on all fail, as on a full disk. What was confirmed is kept, and the person is told in a sentence.
#![cfg(target_os = "linux")]

#[path = "../../tabiya-store/tests/faults/injection.rs"]
mod injection;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use injection::{Fault, every_fault};
use tabiya_store::{GameFilter, Store};

/// Each move is tried twice: what was refused once may be played then.
const SCRIPT: &str = "e4\ne4\ne5\ne5\nNf3\nNf3\nquit\n";
const MOVES: [&str; 3] = ["e2e4", "e7e5", "g1f3"];

/// Plays with the fault in the folder; whether it was met, and what came of it.
fn play(fault: &Fault<'_>, folder: &Path) -> (bool, Output) {
    let mark = folder.with_extension("mark");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(["play", "--plain", "--black", "human", "--data"]).arg(folder);
    fault.meet(&mut command, folder, &mark);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = command.spawn().unwrap();
    // A program that could not begin does not listen.
    let _ = program.stdin.take().unwrap().write_all(SCRIPT.as_bytes());
    let output = program.wait_with_output().unwrap();
    (mark.exists(), output)
}

/// `white moves: e2 -> e4` is how a move is confirmed.
fn confirmed(text: &str) -> Vec<String> {
    let moves = text.lines().filter_map(|line| line.split_once(" moves: "));
    moves.map(|(_, squares)| squares.replace(" -> ", "").trim().to_owned()).collect()
}

/// The moves of the only game that is kept, if there is one; all that is kept is sound.
fn kept(folder: &Path, name: &str) -> Vec<String> {
    let checked = tabiya_store::check(folder).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(checked.faults.is_empty(), "{name}: {:?}", checked.faults);
    let store = Store::open(folder).unwrap();
    let games = store.list(&GameFilter::default()).unwrap();
    assert!(games.len() <= 1, "{name}: {games:?}");
    let moves = |id| store.load(id).unwrap().past.entries.into_iter().map(|entry| entry.uci);
    games.first().map(|game| moves(game.id).collect()).unwrap_or_default()
}

/// Whether the fault was met, in a folder that is new, or that holds a file without games.
fn a_game_survives(fault: &Fault<'_>, file: Option<&Path>) -> bool {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("games");
    if let Some(file) = file {
        std::fs::create_dir(&folder).unwrap();
        std::fs::copy(file, folder.join("games.db")).unwrap();
    }
    let (met, output) = play(fault, &folder);
    let name = fault.name();
    let said = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    // A program that cannot go on says why in one line; none ends by a signal or a panic.
    match output.status.code() {
        Some(0) => assert_eq!(error, "", "{name}"),
        Some(1) => {
            assert!(error.starts_with("tabiya: ") && error.contains(" be kept"), "{name}: {error}");
            assert_eq!(error.lines().count(), 1, "{name}: {error}");
        }
        code => panic!("{name}: {code:?} {error}"),
    }
    let (confirmed, kept) = (confirmed(&said), kept(&folder, &name));
    assert!(kept.starts_with(&confirmed), "{name}: {kept:?} after {said}");
    // If the disk fails while it says that a move is there, the move may be there though it was refused.
    assert!(kept.len() <= confirmed.len() + 1, "{name}: {kept:?} after {said}");
    let told = said.contains("could not be kept") || !error.is_empty();
    assert!(confirmed == MOVES || told, "{name}: {said}");
    assert!(fault.is_lasting() || met || kept == MOVES, "{name}: {kept:?}");
    met
}

#[test]
fn a_game_in_the_terminal_survives_every_fault() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let file = folder.path().join("games.db");
    let met = every_fault(|fault| a_game_survives(fault, Some(&file)));
    println!("{met} faults while a game is played in the terminal");
}

/// The same where the file has to be made first. That it is made whole or not at all is also tested in the store.
#[test]
#[ignore = "takes half a minute"]
fn the_first_game_of_all_survives_every_fault() {
    let met = every_fault(|fault| a_game_survives(fault, None));
    println!("{met} faults while the first game is played in the terminal");
}
