//! `tabiya endings` from the outside.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

fn run(folder: &Path, arguments: &[&str], input: &str) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.arg("endings").args(arguments).arg("--data").arg(folder);
    command.env_remove("TABIYA_TABLES").env("NO_COLOR", "1").env("TERM", "dumb");
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // Who has seen enough hangs up.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn an_ending_is_played_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (done, list) = run(folder.path(), &[], "");
    assert!(done && list.contains("queen-1 to 6") && list.contains("begins two-rooks-1"), "{list}");

    // The wrong step gives it away; the way from there is told, and it comes back today.
    let (done, text) = run(folder.path(), &["opposition-3"], "Kf8\n");
    assert!(done, "{text}");
    for part in [
        "Black to move and draw.",
        "Kf8 loses in",
        "Kf8 gives it away: Kd8 draws.",
        "The shortest way: 1...Kd8",
        "It comes back today.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Taken back in time, or not at all.
    let (done, text) = run(folder.path(), &["queen-1"], "nonsense\nKc4\nback\nhint\nquit\n");
    assert!(done && text.contains("Kc4 mates in 4.") && !text.contains("comes back"), "{text}");
    let (done, text) = run(folder.path(), &["two-rooks-11"], "");
    assert!(!done && text.contains("there is no ending \"two-rooks-11\""), "{text}");
    let (_, list) = run(folder.path(), &[], "");
    let opposition = list.lines().find(|line| line.contains("opposition-1")).unwrap();
    assert!(opposition.contains("..-......"), "{opposition}");
}
