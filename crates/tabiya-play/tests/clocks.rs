//! Clocks that are turned by hand.

mod common;

use std::time::Duration;

use common::*;
use tabiya_play::{GameController, GameSetup, Past, Player, Request, Session, SessionDeps};

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn timed(fen: &str, control: &str) -> (Session, Hand) {
    let hand = Hand::default();
    let setup = GameSetup { control: Some(control.parse().unwrap()), ..GameSetup::new(start(fen)) };
    let deps = SessionDeps { timer: hand.timer(), ..deps() };
    (Session::restore(setup, &Past::default(), deps).unwrap(), hand)
}

fn clocks(session: &Session) -> [u64; 2] {
    session.view().seats.map(|seat| seat.clock.unwrap().as_secs())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn time_passes_for_the_side_to_move_and_comes_back_with_the_increment() {
    let (mut session, hand) = timed(START, "5+3");
    hand.pass(seconds(10));
    assert_eq!(clocks(&session), [290, 300]);
    assert!(session.view().seats[0].ticking && !session.view().seats[1].ticking);
    assert!(!session.poll(), "time alone is no change");
    play(&mut session, "e4");
    hand.pass(seconds(20));
    assert_eq!(clocks(&session), [293, 280]);
    play(&mut session, "e5");
    assert_eq!(clocks(&session), [293, 283]);
    assert!(session.record().contains("1. e4 {[%clk 0:04:53]} 1... e5 {[%clk 0:04:43]}"));
    assert!(session.record().contains("[TimeControl \"300+3\"]"));
}

#[test]
fn a_take_back_gives_the_time_back() {
    let (mut session, hand) = timed(START, "5+3");
    hand.pass(seconds(10));
    play(&mut session, "e4");
    hand.pass(seconds(20));
    play(&mut session, "e5");
    hand.pass(seconds(100));
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(clocks(&session), [293, 300]);
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(clocks(&session), [300, 300]);
    session.request(&Request::Redo).unwrap();
    session.request(&Request::Redo).unwrap();
    assert_eq!(clocks(&session), [293, 283]);
    // The same move again, more slowly: what follows can still be played again.
    session.request(&Request::TakeBackOne).unwrap();
    session.request(&Request::TakeBackOne).unwrap();
    hand.pass(seconds(50));
    play(&mut session, "e4");
    assert_eq!((clocks(&session), session.view().redoable), ([253, 300], 1));
    session.request(&Request::Redo).unwrap();
    assert!(session.view().seats[0].ticking);
}

#[test]
fn who_oversteps_the_time_loses_unless_the_other_could_never_win() {
    let (mut session, hand) = timed(START, "1+0");
    play(&mut session, "e4");
    hand.pass(seconds(59));
    assert!(!session.poll());
    hand.pass(seconds(1));
    assert!(session.poll());
    let view = session.view();
    assert_eq!(view.end.unwrap().text, "Black's time is up: White wins");
    assert_eq!(view.seats.map(|seat| seat.ticking), [false, false]);
    assert!(session.submit("e5").is_err());
    // A take-back goes to the time before the last move.
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!((session.view().moves.len(), clocks(&session)), (0, [60, 60]));

    // A move that comes too late is no move.
    let (mut session, hand) = timed(START, "1+0");
    hand.pass(seconds(61));
    assert_eq!(
        session.submit("e4").unwrap_err().0,
        "The game is over. White's time is up: Black wins."
    );

    // Black has a bare king.
    let (mut session, hand) = timed("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "1+0");
    hand.pass(seconds(60));
    session.poll();
    let end = session.view().end.unwrap();
    assert_eq!((end.winner, end.result), (None, "1/2-1/2"));
    assert_eq!(end.text, "White's time is up: a draw, as Black could not win");
}

#[test]
fn clocks_stand_still_when_the_game_is_over() {
    let (mut session, hand) = timed(START, "5+0");
    play(&mut session, "e4");
    hand.pass(seconds(30));
    session.request(&Request::Resign).unwrap();
    hand.pass(seconds(1000));
    assert!(!session.poll());
    assert_eq!(clocks(&session), [300, 270]);
}

#[test]
fn a_computer_has_a_clock_too() {
    let hand = Hand::default();
    let setup = GameSetup {
        players: [player("tabiya"), Player::HUMAN],
        control: Some("0.01+0".parse().unwrap()),
        ..GameSetup::new(start(START))
    };
    // The machine is too busy to let it think at all.
    let executor = tabiya_play::Executor::new(drop);
    let deps = SessionDeps { timer: hand.timer(), executor, ..SessionDeps::default() };
    let mut session = Session::restore(setup, &Past::default(), deps).unwrap();
    assert!(session.view().seats[0].thinking);
    hand.pass(seconds(1));
    session.poll();
    assert_eq!(session.view().end.unwrap().text, "White's time is up: Black wins");
}

#[test]
fn a_game_goes_on_with_the_time_that_was_left() {
    let (mut session, hand) = timed(START, "5+3");
    hand.pass(seconds(10));
    play(&mut session, "e4");
    hand.pass(seconds(77));
    let past = session.past();
    let later = Hand::default();
    let deps = SessionDeps { timer: later.timer(), ..deps() };
    let mut session = Session::restore(session.setup().clone(), &past, deps).unwrap();
    assert_eq!(clocks(&session), [293, 300]);
    later.pass(seconds(5));
    assert_eq!(clocks(&session), [293, 295]);
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(clocks(&session), [300, 300]);
}

#[test]
fn an_answer_is_held_until_it_is_due() {
    let hand = Hand::default();
    let begin = |past: &Past, hand: &Hand| {
        let setup = GameSetup {
            players: [Player::HUMAN, player("tabiya:400 pace=person")],
            control: Some("10+0".parse().unwrap()),
            ..GameSetup::new(start(START))
        };
        Session::restore(setup, past, SessionDeps { timer: hand.timer(), ..deps() }).unwrap()
    };
    let mut session = begin(&Past::default(), &hand);
    session.submit("e4").unwrap();
    assert!(!session.poll() && session.view().seats[1].thinking, "it has answered, and waits");
    // A hint need not wait for it, and a restart loses nothing.
    let mut again = begin(&session.past(), &Hand::default());
    assert!(!again.poll() && again.view().seats[1].thinking);
    // Ten minutes for forty moves, and it knows its opening: a few seconds, and its clock runs.
    hand.pass(seconds(21));
    assert!(session.poll());
    assert_eq!(session.view().moves.len(), 2);
    assert!(clocks(&session)[1] < 600);
    // Who does not want to wait says so.
    session.submit("a4").unwrap();
    assert!(!session.poll());
    session.request(&Request::MoveNow).unwrap();
    session.poll();
    assert_eq!(session.view().moves.len(), 4);
    // Taken back, nothing of it comes later.
    session.submit("h4").unwrap();
    session.request(&Request::TakeBackOne).unwrap();
    hand.pass(seconds(30));
    session.poll();
    assert_eq!(session.view().moves.len(), 4);
}
