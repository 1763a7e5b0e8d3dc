//! Levels from the outside: games in the terminal, and players of a match.

use std::process::{Command, Output};

fn tabiya(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabiya")).args(args).output().unwrap()
}

#[test]
fn levels_play_a_game_in_the_terminal() {
    let game = |seed: &str| {
        let args = ["play", "--white", "tabiya:700", "--black", "tabiya:500", "--seed", seed];
        let output = tabiya(&args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let first = game("3");
    assert!(first.trim_end().ends_with("Game over!"), "{first}");
    assert_eq!(game("3"), first);
    assert_ne!(game("4"), first);
}

#[test]
fn the_document_names_the_levels_that_there_are() {
    let document = include_str!("../../../docs/levels.md");
    let rows: Vec<String> = tabiya_play::NamedLevel::ALL
        .iter()
        .map(|named| {
            let elo = named.level.map_or("–".to_owned(), |level| level.elo().to_string());
            format!("| {} | {elo} | {} |\n", named.name, named.words)
        })
        .collect();
    assert!(document.contains(&rows.concat()), "{}", rows.concat());
}

#[test]
fn a_stronger_level_wins_a_match() {
    let args = ["match", "--engine", "tabiya:1200", "--engine", "tabiya:400 name=beginner"];
    let play = || {
        let output = tabiya(&[&args[..], &["--pairs", "3", "--tc", "nodes=100000"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let table = play();
    let place = |name: &str| table.find(name).unwrap_or_else(|| panic!("no {name} in {table}"));
    assert!(place("tabiya:1200") < place("beginner"), "{table}");
    assert_eq!(play(), table, "the same seeds play the same match");
}

#[test]
fn what_is_no_level_is_refused() {
    let refusals = [
        tabiya(&["play", "--white", "tabiya:9"]),
        tabiya(&["match", "--engine", "tabiya:strong", "--engine", "random"]),
    ];
    for output in refusals {
        assert!(!output.status.success());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(" 400 to "), "{text}");
    }
}

#[test]
fn a_player_can_meet_itself() {
    let output = tabiya(&["match", "--engine", "random", "--engine", "random", "--pairs", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Score of random 1 vs random 2: "), "{text}");
}
