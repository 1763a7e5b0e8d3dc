//! Books: what is asked, where games leave them, what is missing.

use std::collections::HashMap;
use std::convert::Infallible;

use tabiya_chess::{Color, Position};
use tabiya_drill::{Habit, Leaver, Repertoire, compose, holes};

const BOOK: &str = "[Event \"Italian\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 (2. f4 $6) 2... Nc6 3. Bc4 Bc5 \
    (3... Nf6 4. d3) 4. c3 *\n\n[Event \"Move order\"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bc4 Nf6 4. Ng5 *\n";

fn book(color: Color) -> Repertoire {
    Repertoire::read([BOOK], color).unwrap()
}

#[test]
fn positions_that_come_about_in_two_ways_are_one_and_bad_moves_are_no_answer() {
    let book = book(Color::White);
    let told: Vec<(String, Vec<String>)> = book
        .prompts()
        .iter()
        .map(|one| (one.line_text(), one.answers().into_iter().map(|m| m.san).collect()))
        .collect();
    let expected = [
        ("", vec!["e4", "Nf3"]),
        ("1.e4 e5", vec!["Nf3"]),
        ("1.e4 e5 2.Nf3 Nc6", vec!["Bc4"]),
        ("1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5", vec!["c3"]),
        ("1.e4 e5 2.Nf3 Nc6 3.Bc4 Nf6", vec!["d3", "Ng5"]),
        ("1.e4 c5", vec!["Nf3"]),
        ("1.e4 c5 2.Nf3 d6", vec!["d4"]),
        ("1.Nf3 Nc6", vec!["e4"]),
    ];
    let told: Vec<(&str, Vec<&str>)> = told
        .iter()
        .map(|(line, moves)| (line.as_str(), moves.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(told, expected);
    let scenes = book.prompts()[2].scenes();
    let written: Vec<&str> = scenes.iter().map(|scene| scene.written.as_str()).collect();
    assert_eq!(written, ["", "1.e4", "1...e5", "2.Nf3", "2...Nc6"]);
}

#[test]
fn moves_are_judged_and_answered() {
    let book = book(Color::White);
    let prompt = &book.prompts()[2];
    assert!(prompt.judge("Bc4").unwrap().right && prompt.judge("f1c4").unwrap().right);
    let wrong = prompt.judge("Bb5").unwrap();
    assert!(!wrong.right && wrong.played.san == "Bb5");
    assert!(prompt.judge("Bc5").is_err());
    let replies = book.replies(prompt, "Bc4");
    let told: Vec<(&str, bool)> =
        replies.iter().map(|one| (one.played.san.as_str(), one.next.is_some())).collect();
    assert_eq!(told, [("Bc5", true), ("Nf6", true)]);
    let next = replies[0].next.as_ref().unwrap();
    assert_eq!(book.find(next).unwrap().answers()[0].san, "c3");
    assert!(book.replies(prompt, "Bb5").is_empty());
}

#[test]
fn where_a_game_left_the_book() {
    for (color, game, plies, leaver, sentence) in [
        (
            Color::White,
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
            4,
            Leaver::Oneself,
            "You left your book with 3.Bb5: it has 3.Bc4.",
        ),
        (
            Color::White,
            "1. e4 e5 2. Nf3 Nf6 3. Nxe5 *",
            3,
            Leaver::Other,
            "Black left your book with 2…Nf6: it has 2…Nc6.",
        ),
        (
            Color::White,
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4 *",
            5,
            Leaver::Book,
            "Your book ends before 3…cxd4.",
        ),
        (Color::White, "1. e4 e5 2. Nf3 *", 3, Leaver::Game, "The whole game was in your book."),
        (
            Color::White,
            "1. Nf3 Nc6 2. e4 e5 3. Bc4 Bc5 4. d3 *",
            6,
            Leaver::Oneself,
            "You left your book with 4.d3: it has 4.c3.",
        ),
        (
            Color::Black,
            "1. e4 e6 *",
            1,
            Leaver::Oneself,
            "You left your book with 1…e6: it has 1…e5, 1…c5.",
        ),
        (
            Color::Black,
            "1. d4 d5 *",
            0,
            Leaver::Other,
            "White left your book with 1.d4: it has 1.e4, 1.Nf3.",
        ),
    ] {
        let left = book(color).departure(game).unwrap().unwrap();
        assert_eq!((left.plies, left.leaver), (plies, leaver), "{game}");
        assert_eq!(left.sentence, sentence);
    }
    // A position that the book does not know at the start.
    let game = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
    assert_eq!(book(Color::White).departure(game).unwrap(), None);
}

/// Everybody plays the same everywhere: as in a table of moves by position.
fn habits(table: &[(&str, &[(&str, u64)])]) -> impl FnMut(&str) -> Result<Vec<Habit>, Infallible> {
    let mut known = HashMap::new();
    for (line, moves) in table {
        let mut position = Position::initial();
        for text in line.split_whitespace() {
            position = position.play(position.parse_move(text).unwrap()).unwrap();
        }
        let uci = |text: &str| position.uci(position.parse_move(text).unwrap());
        let moves: Vec<Habit> =
            moves.iter().map(|&(text, games)| Habit { uci: uci(text), games }).collect();
        known.insert(position.fen(), moves);
    }
    move |fen| Ok(known.get(fen).cloned().unwrap_or_default())
}

#[test]
fn holes_are_what_is_met_and_has_no_reply() {
    let asked = habits(&[
        ("e4", &[("e5", 50), ("e6", 30), ("c5", 15), ("a6", 1), ("c6", 4)]),
        ("e4 e5 Nf3", &[("Nc6", 60), ("Nf6", 40)]),
        ("e4 e5 Nf3 Nc6 Bc4", &[("Be7", 31), ("Bc5", 20), ("Nf6", 10)]),
    ]);
    let found = holes(&book(Color::White), asked).unwrap();
    let told: Vec<(&str, &str)> =
        found.iter().map(|hole| (hole.line.as_str(), hole.sentence.as_str())).collect();
    assert_eq!(
        told,
        [
            ("1.e4", "Black's answer 1…e6 (30 %) has no reply in your book."),
            ("1.e4 e5 2.Nf3", "Black's answer 2…Nf6 (40 %) has no reply in your book."),
            (
                "1.e4 e5 2.Nf3 Nc6 3.Bc4",
                "Black's most played answer 3…Be7 (51 %) has no reply in your book."
            ),
        ]
    );
    // One of two first moves, then half of the answers, then four of ten.
    assert!((found[1].reach - 0.5 * 0.5 * 0.4).abs() < 1e-9);
}

#[test]
fn a_book_is_made_of_what_is_played() {
    let table: &[(&str, &[(&str, u64)])] = &[
        ("e4", &[("c5", 60), ("e5", 38), ("h5", 2)]),
        ("e4 c5", &[("Nf3", 40), ("Nc3", 20)]),
        ("e4 c5 Nf3", &[("d6", 30), ("Nc6", 10)]),
        ("e4 e5", &[("Nf3", 4)]),
    ];
    let game = compose(Color::White, &["e4"], habits(table)).unwrap().unwrap().unwrap();
    let book = Repertoire::read([game.to_string().as_str()], Color::White).unwrap();
    let lines: Vec<String> = book.prompts().iter().map(|one| one.line_text()).collect();
    assert_eq!(lines, ["", "1.e4 c5"]);
    assert_eq!(book.prompts()[1].answers().len(), 1);
    assert_eq!(game.tree().len(), 1 + 2 + 1 + 2);
    let none = compose(Color::White, &["d4"], habits(table)).unwrap().unwrap();
    assert!(none.is_none());
    assert!(compose(Color::White, &["e5"], habits(table)).unwrap().is_err());
}
