//! Two people at two tables: consent, fair clocks, moves that are sent twice.

mod common;

use std::time::Duration;

use common::*;
use tabiya_play::{
    GameController, GameSetup, MoveInput, Past, Request, Session, SessionDeps, Side,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn remote(control: Option<&str>) -> (Session, Hand) {
    let hand = Hand::default();
    let control = control.map(|text| text.parse().unwrap());
    let setup = GameSetup { control, remote: true, ..GameSetup::new(start(START)) };
    let deps = SessionDeps { timer: hand.timer(), ..deps() };
    (Session::restore(setup, &Past::default(), deps).unwrap(), hand)
}

fn clocks(session: &Session) -> [u64; 2] {
    session.view().seats.map(|seat| seat.clock.unwrap().as_millis() as u64)
}

fn refused(session: &mut Session, side: Side, request: &Request) -> String {
    session.request_by(side, request).unwrap_err().0
}

#[test]
fn the_first_move_of_each_is_free() {
    let (mut session, hand) = remote(Some("1+2"));
    hand.pass(ms(500_000));
    assert!(!session.poll());
    play(&mut session, "e4");
    hand.pass(ms(500_000));
    assert!(!session.view().seats[1].ticking);
    play(&mut session, "e5");
    assert_eq!(clocks(&session), [60_000, 60_000]);
    hand.pass(ms(10_000));
    assert!(session.view().seats[0].ticking);
    play(&mut session, "Nf3");
    assert_eq!(clocks(&session), [52_000, 60_000]);
    hand.pass(ms(60_000));
    assert!(session.poll());
    assert_eq!(session.view().end.unwrap().text, "Black's time is up: White wins");
}

#[test]
fn a_move_is_taken_back_when_the_other_agrees() {
    let (mut session, _) = remote(None);
    assert!(refused(&mut session, Side::White, &Request::TakeBack).contains("no move"));
    play(&mut session, "e4 e5 Nf3");
    assert!(refused(&mut session, Side::White, &Request::TakeBackOne).contains("both agree"));
    session.request_by(Side::White, &Request::TakeBack).unwrap();
    assert_eq!(session.view().take_back, Some(Side::White));
    assert_eq!(session.view().moves.len(), 3);
    assert!(refused(&mut session, Side::White, &Request::AcceptTakeBack).contains("Nobody"));
    assert!(refused(&mut session, Side::White, &Request::TakeBack).contains("already"));
    session.request_by(Side::Black, &Request::AcceptTakeBack).unwrap();
    assert_eq!(texts(&session.view()), ["e4", "e5"]);
    // The one to move takes back a move of each.
    session.request_by(Side::White, &Request::TakeBack).unwrap();
    session.request_by(Side::Black, &Request::TakeBack).unwrap();
    assert_eq!(texts(&session.view()), [] as [&str; 0]);
    assert_eq!(session.view().take_back, None);
}

#[test]
fn what_is_declined_is_not_asked_again_at_once() {
    let (mut session, _) = remote(None);
    play(&mut session, "e4 e5");
    for (offer, decline) in
        [(Request::TakeBack, Request::DeclineTakeBack), (Request::OfferDraw, Request::DeclineDraw)]
    {
        session.request_by(Side::White, &offer).unwrap();
        assert!(refused(&mut session, Side::White, &decline).contains("nothing to decline"));
        session.request_by(Side::Black, &decline).unwrap();
        let view = session.view();
        assert_eq!((view.take_back, view.draw.offered), (None, None));
        assert!(refused(&mut session, Side::White, &offer).contains("declined"));
    }
    play(&mut session, "Nf3 Nc6");
    session.request_by(Side::White, &Request::OfferDraw).unwrap();
    session.request_by(Side::White, &Request::TakeBack).unwrap();
    // Whoever moves has answered.
    play(&mut session, "Bb5 a6");
    assert_eq!((session.view().take_back, session.view().draw.offered), (None, None));
}

#[test]
fn a_game_is_aborted_before_both_have_moved() {
    let (mut session, _) = remote(None);
    play(&mut session, "e4");
    assert_eq!(session.request_by(Side::Black, &Request::Abort).unwrap(), "The game was aborted");
    let end = session.view().end.unwrap();
    assert_eq!((end.winner, end.result), (None, "*"));
    assert!(refused(&mut session, Side::White, &Request::Abort).contains("over"));
    assert!(refused(&mut session, Side::White, &Request::TakeBack).contains("over"));
    assert!(session.record().contains("1. e4 *"), "{}", session.record());
    let (mut session, _) = remote(None);
    play(&mut session, "e4 e5");
    assert!(refused(&mut session, Side::White, &Request::Abort).contains("Both have moved"));
    assert!(refused(&mut initial(), Side::White, &Request::Abort).contains("elsewhere"));
}

#[test]
fn no_computer_helps() {
    let (mut session, _) = remote(None);
    play(&mut session, "e4 d5");
    assert!(session.view().threats.is_empty());
    for request in [Request::Hint, Request::Evaluate] {
        assert!(refused(&mut session, Side::White, &request).contains("keeps quiet"));
    }
}

#[test]
fn a_move_sent_twice_is_played_once() {
    let (mut session, _) = remote(None);
    let e4 = MoveInput::Text("e4".to_owned());
    let made = MoveInput::Squares {
        from: "e2".parse().unwrap(),
        to: "e4".parse().unwrap(),
        promotion: None,
    };
    assert!(session.move_by(Side::Black, Some(0), &e4).is_err());
    session.move_by(Side::White, Some(0), &e4).unwrap();
    let before = session.view();
    session.move_by(Side::White, Some(0), &made).unwrap();
    assert_eq!(session.view(), before);
    play(&mut session, "e5");
    session.move_by(Side::White, Some(0), &e4).unwrap();
    assert_eq!(session.view().moves.len(), 2);
    // Another move for that position, the same by the other side, and one for a position that is not there.
    let d4 = MoveInput::Text("d4".to_owned());
    for (side, ply, input) in
        [(Side::White, 0, &d4), (Side::Black, 0, &e4), (Side::White, 7, &d4), (Side::White, 1, &d4)]
    {
        let refusal = session.move_by(side, Some(ply), input).unwrap_err();
        assert!(refusal.0.contains("another position"), "{refusal}");
    }
    assert_eq!(session.view().moves.len(), 2);
    session.move_by(Side::White, Some(2), &d4).unwrap();
}

/// A game in which White is to make the second move, and the way to White takes so long.
fn distant(trip: u64) -> (Session, Hand) {
    let (mut session, hand) = remote(Some("1+0"));
    play(&mut session, "e4 e5");
    session.ping(Side::White, 99);
    hand.pass(ms(trip));
    assert_eq!(session.pong(Side::White, 99), Some(ms(trip)));
    (session, hand)
}

#[test]
fn the_way_of_an_honest_player_is_given_back() {
    let (mut session, hand) = distant(80);
    hand.pass(ms(920));
    play(&mut session, "Nf3");
    assert_eq!(clocks(&session), [59_080, 60_000]);
    // The other way round nothing is known, and nothing given.
    hand.pass(ms(1000));
    play(&mut session, "Nc6");
    assert_eq!(clocks(&session), [59_080, 59_000]);
}

#[test]
fn forged_replayed_and_huge_answers_win_nothing_or_little() {
    let (mut session, hand) = distant(10);
    assert_eq!(session.pong(Side::White, 99), None, "replayed");
    assert_eq!(session.pong(Side::White, 4), None, "forged");
    assert_eq!(session.pong(Side::Black, 99), None, "of the other side");
    hand.pass(ms(4990));
    play(&mut session, "Nf3");
    assert_eq!(clocks(&session), [55_010, 60_000]);
    // Half a second is the most for one move, and no more than the time that passed.
    let (mut session, hand) = distant(4000);
    hand.pass(ms(1000));
    play(&mut session, "Nf3");
    assert_eq!(clocks(&session), [55_500, 60_000]);
    play(&mut session, "Nc6");
    hand.pass(ms(50));
    play(&mut session, "Bb5");
    assert_eq!(clocks(&session), [55_500, 60_000]);
}

#[test]
fn a_flag_falls_when_no_move_can_be_on_its_way() {
    let (mut session, hand) = distant(200);
    hand.pass(ms(59_900));
    assert!(!session.poll(), "a move may be on its way");
    assert_eq!(clocks(&session)[0], 0);
    play(&mut session, "Nf3");
    assert_eq!(clocks(&session)[0], 100);
    let (mut session, hand) = distant(200);
    hand.pass(ms(60_000));
    assert!(session.poll());
    assert_eq!(session.view().end.unwrap().result, "0-1");
}
