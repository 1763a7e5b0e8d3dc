//! `tabiya match` from the outside. Alone in its file, so that no other test takes its time.

use std::process::Command;

#[test]
fn a_short_match_ends_without_forfeit() {
    let output = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["match", "--engine", "tabiya", "--engine", "random"])
        .args(["--engine", &format!("uci:{} uci", env!("CARGO_BIN_EXE_tabiya"))])
        .args(["--tc", "0.3+0.03", "--pairs", "2", "--format", "round-robin", "--adjudicate"])
        // A shared machine may stop for a moment; a player that forgets its clock takes longer.
        .args(["--margin", "5000"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.to_lowercase().contains("forfeit"), "{text}");
    assert!(text.contains("random"), "{text}");
    // How far it is is told all the way.
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("Game 1 of 12, ") && told.contains("Game 12 of 12, 0:00 left. "),
        "{told}"
    );
}
