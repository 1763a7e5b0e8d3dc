//! `tabiya learn` from the outside: mistakes are found, asked, answered and kept.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// White hangs the queen.
const GAME: &str = "[Date \"2026.11.09\"]\n[White \"Marta Kern\"]\n[Black \"Ada\"]\n[BlackElo \"1500\"]\n[Result \"0-1\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. Qh5 Nxh5 0-1\n";

/// Whether it went well, and all that was said.
fn tabiya(data: &Path, arguments: &[&str], typed: &str) -> (bool, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(arguments)
        .env("TABIYA_DATA", data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

#[test]
fn mistakes_are_found_asked_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let (ok, said) = tabiya(data, &["learn"], "");
    assert!(ok && said.contains("There are no exercises yet."), "{said}");
    let file = data.join("games.pgn");
    std::fs::write(&file, GAME).unwrap();
    tabiya(data, &["games", "import", file.to_str().unwrap()], "");
    let (ok, said) = tabiya(data, &["learn", "look"], "");
    assert!(
        ok && said.contains("Ada (1), Marta Kern (1)") && said.contains("0 games of yours"),
        "{said}"
    );
    let look = ["learn", "look", "--name", "marta kern", "--nodes", "2000"];
    let (ok, said) = tabiya(data, &look, "");
    assert!(ok && said.contains("1 game of yours") && !said.contains("0 new"), "{said}");
    let (_, again) = tabiya(data, &["learn", "look", "--nodes", "2000"], "");
    assert!(
        again.contains("0 games of yours"),
        "the name is remembered, and the game done: {again}"
    );

    let (ok, pgn) = tabiya(data, &["learn", "export", "exercises"], "");
    let count = pgn.matches("[FEN ").count();
    assert!(ok && count > 0 && pgn.contains("You played 5.Qh5. Find better."), "{pgn}");
    // All in one sitting: the mistake again, nonsense, hints, the answer, a grade by hand.
    let one = "Qh5\nZz9\n?\n?\n=\nx\nh\n";
    let (ok, said) = tabiya(data, &["learn"], &one.repeat(count));
    assert!(ok && said.contains("You played 5.Qh5. Find better. White to move."), "{said}");
    for words in [
        "Against Ada, 2026-11-09",
        "The move goes to a square",
        "Look at the",
        "How did it go? [again]",
        "a letter will do",
    ] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    assert!(said.contains(&format!("Done for today: {count} of {count} known.")), "{said}");
    let (_, said) = tabiya(data, &["learn"], "");
    assert!(
        said.contains("Nothing is due.") && said.contains("The next one comes back in"),
        "{said}"
    );

    let (ok, said) = tabiya(data, &["learn", "report"], "");
    assert!(
        ok && said.contains(&format!("{count} of {count} begun"))
            && said.contains("In a row    1 day, 1 at most"),
        "{said}"
    );
    let (ok, table) = tabiya(data, &["learn", "export", "games"], "");
    assert!(
        ok && table.lines().nth(1).unwrap().starts_with("1,2026-11-09,white,Ada,1500,0,"),
        "{table}"
    );
}
