//! What happens is kept first, or does not happen.

mod common;

use common::*;
use tabiya_play::{GameController, GameSetup, Past, Player, Request, Session, SessionDeps, Start};

fn kept(black: &str) -> (Session, Notes) {
    let notes = Notes::default();
    let setup = GameSetup {
        players: [Player::HUMAN, player(black)],
        seed: 2,
        ..GameSetup::new(Start::standard())
    };
    let deps = SessionDeps { journal: Some(Box::new(notes.clone())), ..deps() };
    (Session::restore(setup, &Past::default(), deps).unwrap(), notes)
}

fn codes(notes: &Notes) -> String {
    let page = notes.0.lock().unwrap();
    page.past.entries.iter().map(|entry| entry.uci.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn moves_take_backs_and_ends_are_written_down() {
    let (mut session, notes) = kept("human");
    play(&mut session, "f3 e5 g4");
    assert_eq!(codes(&notes), "f2f3 e7e5 g2g4");
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(codes(&notes), "f2f3 e7e5");
    session.request(&Request::Redo).unwrap();
    play(&mut session, "Qh4");
    assert_eq!(codes(&notes), "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(notes.0.lock().unwrap().past, session.past());
    assert_eq!(notes.0.lock().unwrap().past.end.as_ref().unwrap().result, "0-1");
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(notes.0.lock().unwrap().past.end, None);
    session.request(&Request::Resign).unwrap();
    assert_eq!(notes.0.lock().unwrap().past, session.past());
}

#[test]
fn what_cannot_be_kept_does_not_happen() {
    let (mut session, notes) = kept("human");
    play(&mut session, "e4 e5");
    notes.0.lock().unwrap().broken = true;
    let before = session.view();
    assert_eq!(session.submit("Nf3").unwrap_err().0, "The disk is full.");
    assert!(session.request(&Request::TakeBackOne).is_err());
    assert!(session.request(&Request::Resign).is_err());
    assert_eq!(session.view(), before);
    notes.0.lock().unwrap().broken = false;
    play(&mut session, "Nf3");
    assert_eq!(codes(&notes), "e2e4 e7e5 g1f3");
}

#[test]
fn a_computers_move_is_kept_before_it_is_shown() {
    let (mut session, notes) = kept("random");
    play(&mut session, "e4");
    notes.0.lock().unwrap().broken = true;
    let view = settle(&mut session);
    assert_eq!((view.moves.len(), view.status.as_str()), (1, "The disk is full."));
    // It can be told to try again.
    notes.0.lock().unwrap().broken = false;
    session.request(&Request::MoveNow).unwrap();
    assert_eq!(settle(&mut session).moves.len(), 2);
    assert_eq!(notes.0.lock().unwrap().past, session.past());
}

#[test]
fn a_past_that_cannot_be_is_refused() {
    let entries = vec![tabiya_play::Entry { uci: "e2e5".to_owned(), clocks: None }];
    let past = Past { entries, end: None };
    let error = Session::restore(GameSetup::new(Start::standard()), &past, deps()).err().unwrap();
    assert!(
        error.to_string().starts_with("move 1 of the game, \"e2e5\", cannot be played: "),
        "{error}"
    );
}
