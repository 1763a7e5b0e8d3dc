//! docs/seeds.md names what shows each thing that the diaries describe: here every command is run, and every item looked for.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/seeds.md");

/// A row of the page: its name, what shows it, and what that says.
struct Row {
    name: String,
    shown_by: String,
    says: String,
}

/// The rows of the tables. A bar inside a cell is written with a backslash before it.
fn rows() -> Vec<Row> {
    let is_name = |cell: &str| {
        cell.len() == 3
            && cell.starts_with(['E', 'C', 'P', 'Y', 'R'])
            && cell[1..].bytes().all(|b| b.is_ascii_digit())
    };
    let mut rows = Vec::new();
    for line in PAGE.lines() {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let [name, _, shown_by, says] = cells[..]
            && is_name(name)
        {
            let code = |cell: &str| cell.trim_matches('`').replace('\u{1}', "|");
            let (shown_by, says) = (code(shown_by), code(says));
            rows.push(Row { name: name.to_owned(), shown_by, says });
        }
    }
    rows
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with the files of the page, in which commands find our program.
fn shell(folder: &Path, command: &str) -> (bool, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_tabiya"));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("TABIYA_DATA", folder.join("data"))
        .env("TABIYA_CONFIG", folder.join("config.toml"))
        .env("LC_ALL", "C.UTF-8")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), if output.status.success() { text } else { text + &error })
}

#[test]
fn every_row_is_on_the_page_once() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let count = |letter: char, rows: u32| (1..=rows).map(move |row| format!("{letter}{row:02}"));
    let diaries = [('E', 46), ('C', 17), ('P', 44), ('Y', 35), ('R', 28)];
    let expected: Vec<String> =
        diaries.into_iter().flat_map(|(letter, rows)| count(letter, rows)).collect();
    assert_eq!(expected.len(), 170);
    assert_eq!(rows.len(), 170);
    assert_eq!(names, expected.iter().map(String::as_str).collect());
}

#[test]
fn every_command_says_what_the_page_promises() {
    let folder = tempfile::tempdir().unwrap();
    let files = PAGE.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(shell(folder.path(), files).0);
    let mut wrong = Vec::new();
    let mut commands = 0;
    for row in rows().iter().filter(|row| row.shown_by.contains("tabiya ")) {
        commands += 1;
        let (done, text) = shell(folder.path(), &row.shown_by);
        assert!(!row.says.is_empty(), "{} promises nothing", row.name);
        if !done || !text.contains(&row.says) {
            wrong.push(format!(
                "{}: {}\n  should say {:?}, but says:\n{text}",
                row.name, row.shown_by, row.says
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(commands > 140, "{commands}");
}

/// Whether a source file below a folder defines a name.
fn defines(folder: &Path, name: &str) -> bool {
    let words = ["struct", "enum", "fn", "trait"].map(|word| format!("{word} {name}"));
    // Python's classes are made by a macro.
    let bound = format!("{name}, ");
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return path.file_name().is_some_and(|name| name != "target") && defines(&path, name);
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        path.extension().is_some_and(|ending| ending == "rs")
            && (words.iter().any(|word| text.contains(word)) || text.contains(&bound))
    })
}

#[test]
fn every_item_and_file_is_there() {
    for row in rows().iter().filter(|row| !row.shown_by.contains("tabiya ")) {
        let item = row.shown_by.as_str();
        let there = if let Some(file) = item.strip_prefix("web/") {
            root().join("crates/tabiya-web/web").join(file).exists()
        } else if let Some(name) = item.strip_prefix("chess_puzzle.") {
            defines(&root().join("python/src"), name)
        } else {
            let name = item.rsplit("::").next().unwrap_or_default();
            let ours = ["tabiya-chess", "tabiya-engine", "tabiya-puzzle"];
            ours.iter()
                .any(|name_of| defines(&root().join("crates").join(name_of).join("src"), name))
        };
        assert!(there, "{}: there is no {item}", row.name);
    }
}
