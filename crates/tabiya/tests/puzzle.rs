//! The bishop-and-king game as its players meet it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn puzzle(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .arg("puzzle")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(folder: &Path, args: &[&str], input: &str) -> String {
    let output = puzzle(folder, args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("board.txt", "4\nKa2, Bc1, Bb4\nKd1, Ba3\n");
    write("mate.txt", "5\nKc3, Bd3, Be3\nKa1\n");
    write("over.txt", "3\nKa1\nKa3, Bc3, Bc2\n");
    write("bad.txt", "5\nKa1, Bz9\nKe5\n");
    folder
}

#[test]
fn a_game_from_the_first_question_to_the_saved_file() {
    let folder = folder();
    let text = stdout(folder.path(), &[], "bad.txt\nboard.txt\na1a2\nb4a3\nQUIT\nkept.txt\n");
    let expected = "File name for initial configuration: \
        This is not a valid file. File name for initial configuration: \
        The initial configuration is:\n.♗..\n♝...\n♔...\n..♗♚\n\
        Next move of White: This is not a valid move. Next move of White: \
        The configuration after White's move is:\n....\n♗...\n♔...\n..♗♚\n\
        Next move of Black is d1c2. The configuration after Black's move is:\n\
        ....\n♗...\n♔.♚.\n..♗.\n\
        Next move of White: File name to store the configuration: \
        The game configuration saved.\n";
    assert_eq!(text.replace('\u{2001}', "."), expected);
    let kept = std::fs::read_to_string(folder.path().join("kept.txt")).unwrap();
    assert_eq!(kept, "4\nKa2, Bc1, Ba3\nKc2\n");
    assert!(stdout(folder.path(), &["kept.txt"], "").ends_with("\nNext move of White: "));
}

#[test]
fn a_file_on_the_command_line() {
    let folder = folder();
    let text = stdout(folder.path(), &["board.txt", "--level", "0", "--seed", "1"], "QUIT\n");
    assert!(text.starts_with("The initial configuration is:\n"), "{text}");
    assert!(text.ends_with("Next move of White: File name to store the configuration: "), "{text}");
    let output = puzzle(folder.path(), &["bad.txt"], "QUIT\n");
    assert!(output.status.success());
    let asked = "This is not a valid file. File name for initial configuration: ";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), asked);
    let reason = "tabiya: bad.txt: line 2: `Bz9` is outside a 5×5 board\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), reason);
}

#[test]
fn mates_are_told() {
    let folder = folder();
    let text = stdout(folder.path(), &["solve", "mate.txt", "--moves", "4"], "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "White mates in 4 moves.");
    assert_eq!(lines[1].split(' ').count(), 8);
    assert_eq!(lines[2], "First moves: c3c2 e3c1");
    let text = stdout(folder.path(), &["solve", "mate.txt"], "");
    assert_eq!(text, "White has no mate within 3 moves.\n");
    let text = stdout(folder.path(), &["solve", "mate.txt", "--side", "black", "--moves", "1"], "");
    assert_eq!(text, "Black has no mate within 1 move.\n");
    // Whoever is to move: White is mated.
    for side in ["white", "black"] {
        let text = stdout(folder.path(), &["solve", "over.txt", "--side", side], "");
        assert_eq!(text, "It is mate already: Black has won.\n");
    }
}

#[test]
fn new_positions_can_be_solved() {
    let folder = folder();
    let size = ["--size", "5", "--white-bishops", "3", "--black-bishops", "1"];
    let args = [&["new"], &size[..], &["--mate", "2", "--seed", "5"]].concat();
    let plain = stdout(folder.path(), &args, "");
    assert_eq!(plain, stdout(folder.path(), &args, ""));
    std::fs::write(folder.path().join("new.txt"), plain).unwrap();
    let text = stdout(folder.path(), &["solve", "new.txt"], "");
    assert!(text.starts_with("White mates in 2 moves.\n"), "{text}");
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let folder = folder();
    for (args, status, words) in [
        (&["solve", "bad.txt"][..], 1, "tabiya: bad.txt: line 2: `Bz9` is outside a 5×5 board\n"),
        (&["solve", "none.txt"], 1, "tabiya: none.txt: No such file or directory (os error 2)\n"),
        (
            &["new", "--size", "3", "--white-bishops", "9", "--black-bishops", "9"],
            1,
            "tabiya: 20 pieces do not fit on a 3×3 board",
        ),
        (
            &["new", "--size", "27", "--white-bishops", "1", "--black-bishops", "1"],
            2,
            "sizes are 3 to 26",
        ),
        (&["board.txt", "--level", "7"], 2, "levels are 0 to 6"),
        (&["solve", "board.txt", "--moves", "0"], 2, "--moves"),
    ] {
        let output = puzzle(folder.path(), args, "");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {text}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn the_prompt_is_there_before_the_answer_and_a_closed_pipe_is_no_failure() {
    let folder = folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["puzzle", "board.txt"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..5 {
        out.read_line(&mut String::new()).unwrap();
    }
    let mut prompt = [0; "Next move of White: ".len()];
    out.read_exact(&mut prompt).unwrap();
    assert_eq!(&prompt, b"Next move of White: ");
    drop(out);
    child.stdin.take().unwrap().write_all(b"b4a3\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
