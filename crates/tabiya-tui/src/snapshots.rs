//! What the screen looks like, as text. `INSTA_UPDATE=always cargo test -p tabiya-tui` writes new pictures;
//! look at them before keeping them.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tabiya_view::{Captured, EvaluationView, GameEnd, GameView, PastPosition, Refusal, Side};

use crate::testing::{bishops, middle_game, place};
use crate::{
    AnalysisView, App, Depth, Intent, KeptGame, KeyCommand, NewGameQuestion, ThemeName, draw,
};

fn picture(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw::draw(app, frame)).unwrap();
    terminal.backend().to_string()
}

fn look(view: GameView, size: (u16, u16), depth: Depth, ascii: bool, keys: &str) -> String {
    let mut app = App::new(view, size, ThemeName::Walnut, depth, ascii);
    if app.view.evaluation.is_some() {
        app.handle(Intent::KeyCommand(KeyCommand::Evaluation));
    }
    if !app.view.threats.is_empty() {
        app.handle(Intent::KeyCommand(KeyCommand::Threats));
    }
    for key in keys.chars() {
        app.handle(if key == '\n' { Intent::Accept } else { Intent::Type(key) });
    }
    picture(&app, size.0, size.1)
}

/// Everything that can be marked at once.
fn marked() -> GameView {
    let mut view = middle_game();
    view.check = Some(place("e1"));
    view.hint = Some((place("c4"), place("b5")));
    view.threats = vec![place("f7"), place("d5")];
    view.evaluation = Some(EvaluationView { chances: 0.75, text: "+1.20".into() });
    view.status = "Check".into();
    view
}

#[test]
fn small() {
    insta::assert_snapshot!(look(middle_game(), (40, 20), Depth::True, false, "f3"));
}

#[test]
fn a_refusal_in_a_small_window() {
    let mut app = App::new(middle_game(), (40, 20), ThemeName::Walnut, Depth::True, false);
    "Ke5".chars().for_each(|key| drop(app.handle(Intent::Type(key))));
    app.told(Err(Refusal("The king goes one step.".into())));
    let text = picture(&app, 40, 20);
    assert!(text.contains("The king goes one step."), "{text}");
}

#[test]
fn a_long_refusal_is_told_to_its_end() {
    let reason =
        "That knight is pinned by the bishop on b5: moving it would leave your king in check.";
    for (width, height) in [(40, 20), (80, 24), (30, 12)] {
        let mut app =
            App::new(middle_game(), (width, height), ThemeName::Walnut, Depth::True, false);
        app.told(Err(Refusal(reason.into())));
        let text = picture(&app, width, height);
        let words: Vec<&str> = text.split([' ', '"', '\n']).collect();
        let told = reason.split(' ').filter(|word| words.contains(word)).count();
        assert_eq!(told, reason.split(' ').count(), "{text}");
    }
}

#[test]
fn an_engine_and_an_earlier_position() {
    let mut view = middle_game();
    let captured = || [Captured::default(), Captured::default()];
    let past = (0..=view.moves.len())
        .map(|_| PastPosition { pieces: view.pieces.clone(), check: None, captured: captured() })
        .collect();
    view.status = "Your move".into();
    let mut app = App::new(view, (80, 24), ThemeName::Walnut, Depth::None, false);
    app.remember(past, 4);
    app.handle(Intent::KeyCommand(KeyCommand::Analysis));
    let line = |score: &str, moves: &str| (score.to_owned(), moves.to_owned());
    app.found(Some(AnalysisView {
        title: "Tabiya, depth 14, 1.2 million positions".into(),
        lines: vec![
            line("+0.35", "Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3"),
            line("+0.31", "d4 exd4 Nxd4 Nf6"),
            line("-#3", "Bc4 Bc5"),
        ],
    }));
    insta::assert_snapshot!("analysis", picture(&app, 80, 24));
    app.handle(Intent::Resize(40, 20));
    let text = picture(&app, 40, 20);
    assert!(text.contains("+0.35 Bb5 a6 Ba4 Nf6"), "{text}");
}

#[test]
fn usual() {
    insta::assert_snapshot!(look(middle_game(), (80, 24), Depth::True, false, "c4"));
}

#[test]
fn windows_usual() {
    insta::assert_snapshot!(look(marked(), (120, 30), Depth::True, false, ""));
}

#[test]
fn large() {
    insta::assert_snapshot!(look(middle_game(), (120, 40), Depth::Indexed, false, "c4\n"));
}

#[test]
fn without_colours() {
    insta::assert_snapshot!(look(marked(), (80, 24), Depth::None, false, "c4\n"));
}

#[test]
fn letters() {
    insta::assert_snapshot!(look(marked(), (80, 24), Depth::None, true, "f3\n"));
}

#[test]
fn letters_in_a_large_window() {
    let text = look(marked(), (120, 40), Depth::Sixteen, true, "f3\n");
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn many_bishops_in_a_small_window() {
    insta::assert_snapshot!(look(bishops(26), (40, 20), Depth::True, false, "b1"));
}

#[test]
fn many_bishops() {
    insta::assert_snapshot!(look(bishops(26), (80, 24), Depth::None, true, "b1"));
}

#[test]
fn the_end() {
    let mut view = middle_game();
    let text = "Checkmate: White wins".to_owned();
    view.status = text.clone();
    view.end = Some(GameEnd { winner: Some(Side::White), text, result: "1-0" });
    view.destinations.clear();
    insta::assert_snapshot!(look(view, (60, 30), Depth::None, true, ""));
}

#[test]
fn help_and_menu() {
    insta::assert_snapshot!("help", look(middle_game(), (80, 44), Depth::None, false, "?"));
    insta::assert_snapshot!("menu", look(middle_game(), (40, 20), Depth::None, true, " "));
}

#[test]
fn questions() {
    let mut app = App::new(middle_game(), (60, 20), ThemeName::Walnut, Depth::None, false);
    let question = |label: &str, choices: &[&str]| NewGameQuestion {
        label: label.into(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
        chosen: 0,
    };
    app.ask_new(vec![
        question("White", &["You", "Tabiya, level 1200"]),
        question("Clock", &["none", "5+3"]),
    ]);
    insta::assert_snapshot!("new_game", picture(&app, 60, 20));
    app.offer(vec![KeptGame { id: "1".into(), text: "You - Tabiya, move 14".into() }]);
    insta::assert_snapshot!("open", picture(&app, 60, 20));
}

#[test]
fn every_mark_is_a_shape_too() {
    // The same position with and without each mark must differ where there are no colours.
    let plain = look(middle_game(), (40, 20), Depth::None, true, "");
    let with = |change: &dyn Fn(&mut GameView)| {
        let mut view = middle_game();
        change(&mut view);
        look(view, (40, 20), Depth::None, true, "")
    };
    assert_ne!(with(&|view| view.check = Some(place("e1"))), plain);
    assert_ne!(with(&|view| view.last = None), plain);
    assert_ne!(with(&|view| view.threats = vec![place("e5")]), plain);
    assert_ne!(with(&|view| view.hint = Some((place("a2"), place("a3")))), plain);
    assert_ne!(look(middle_game(), (40, 20), Depth::None, true, "f3\n"), plain);
}
