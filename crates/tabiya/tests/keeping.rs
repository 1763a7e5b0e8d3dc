//! What is kept, as one file: copied, brought back, checked, and never lost to a limit of the system.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use tabiya_store::{GameFilter, Store};

fn tabiya(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(arguments).arg("--data").arg(folder);
    run(&mut command, input)
}

fn run(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = command.spawn().unwrap();
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    program.wait_with_output().unwrap()
}

const PLAY: [&str; 4] = ["play", "--plain", "--black", "human"];

/// A server on a folder, which ends with its test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server, once it is there.
fn serve(folder: &Path) -> Server {
    let mut server = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"])
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("http://"), "{line}");
    Server(server)
}

/// How many games are in a file that is copied alone.
fn alone(file: &Path) -> usize {
    let other = tempfile::tempdir().unwrap();
    std::fs::copy(file, other.path().join("games.db")).unwrap();
    Store::open(other.path()).unwrap().list(&GameFilter::default()).unwrap().len()
}

#[test]
fn the_file_can_be_copied_alone_when_a_program_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    assert!(tabiya(folder.path(), &PLAY, "e4\nquit\n").status.success());
    assert_eq!(alone(&file), 1);
    // While a server has it open, another program plays; then the server is told to end.
    let mut server = serve(folder.path());
    assert!(tabiya(folder.path(), &PLAY, "d4\nquit\n").status.success());
    let told = Command::new("kill").arg(server.0.id().to_string()).status().unwrap();
    assert!(told.success() && server.0.wait().unwrap().success());
    assert_eq!(alone(&file), 2);
    assert!(!folder.path().join("games.db-wal").exists());
}

#[test]
fn backups_are_made_while_a_server_runs_and_restored_when_none_does() {
    let folder = tempfile::tempdir().unwrap();
    assert!(tabiya(folder.path(), &PLAY, "e4\nquit\n").status.success());
    let server = serve(folder.path());
    let copy = folder.path().join("copy.db");
    let name = copy.to_str().unwrap();
    let said = |output: &Output| {
        let text = [&output.stdout[..], &output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = said(&tabiya(folder.path(), &["games", "backup", name], ""));
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(alone(&copy), 1);
    let (code, text) = said(&tabiya(folder.path(), &["games", "backup", name], ""));
    assert!(code == Some(1) && text.contains("is there already"), "{text}");
    let (code, text) = said(&tabiya(folder.path(), &["games", "restore", name], ""));
    assert!(code == Some(1) && text.contains("are in use: end the server"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    drop(server);
    assert!(tabiya(folder.path(), &PLAY, "d4\nquit\n").status.success());
    let (code, text) = said(&tabiya(folder.path(), &["games", "restore", name], ""));
    assert!(
        code == Some(0) && text.contains("are in place: 1 game with 1 move, 0 studies."),
        "{text}"
    );
    assert!(text.contains("games-before-1.db"), "{text}");
    assert_eq!(alone(&folder.path().join("games-before-1.db")), 2);
    let (code, text) = said(&tabiya(folder.path(), &["games", "check"], ""));
    assert!(code == Some(0) && text.contains("is sound: 1 game with 1 move"), "{text}");
    // What is wrong is told, and nothing is touched.
    std::fs::write(&copy, "no database").unwrap();
    for command in ["check", "restore"] {
        let (code, text) = said(&tabiya(folder.path(), &["games", command, name], ""));
        assert!(code == Some(1) && text.contains("copy.db is damaged"), "{text}");
    }
    let (code, text) = said(&tabiya(folder.path(), &["games", "restore", "12"], ""));
    assert!(code == Some(1) && text.contains("tabiya games undelete 12"), "{text}");
    assert_eq!(alone(&folder.path().join("games.db")), 1);
}

#[test]
fn all_games_are_exported_the_oldest_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.pgn");
    let name = file.to_str().unwrap();
    let names = || (0..1200).map(|number| format!("[White \"Ada {number}\"]\n"));
    std::fs::write(&file, names().map(|name| name + "\n1. e4 1-0\n\n").collect::<String>())
        .unwrap();
    assert!(tabiya(folder.path(), &["games", "import", name], "").status.success());
    let output = tabiya(folder.path(), &["games", "export"], "");
    let text = String::from_utf8(output.stdout).unwrap();
    let exported = text.lines().filter(|line| line.starts_with("[White "));
    assert!(exported.map(|line| format!("{line}\n")).eq(names()));
}

#[test]
fn where_files_may_not_grow_a_move_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    assert!(tabiya(folder.path(), &PLAY, "e4\nquit\n").status.success());
    // As long as it is now no file may become: what is written beside it soon is.
    let length = std::fs::metadata(folder.path().join("games.db")).unwrap().len();
    let limit = format!("ulimit -f {} && exec \"$0\" \"$@\"", length / 1024);
    let mut command = Command::new("bash");
    command.args(["-c", &limit, env!("CARGO_BIN_EXE_tabiya")]);
    command.args(PLAY).arg("--data").arg(folder.path());
    let output = run(&mut command, &("Nf3\nNf6\nNg1\nNg8\n".repeat(20) + "quit\n"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code().is_some(), "ended by a signal: {text}");
    assert!(text.contains("The game could not be kept: "), "{text}");
    let confirmed = text.lines().filter(|line| line.contains(" moves: ")).count();
    assert!(confirmed > 0 && confirmed < 80, "{confirmed}");
    let checked = tabiya_store::check(folder.path()).unwrap();
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    let store = Store::open(folder.path()).unwrap();
    let plies = store.list(&GameFilter::default()).unwrap()[0].plies as usize;
    assert!((confirmed..=confirmed + 1).contains(&plies), "{plies} for {confirmed}");
}
