//! Computers at the table: they think elsewhere, can be interrupted, and play the same game again.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::*;
use tabiya_play::{
    Executor, GameController, GameSetup, Past, Player, Request, Session, SessionDeps, Side, Start,
    ThinkingTask,
};

/// Waits for a computer on another thread.
fn wait(session: &mut Session, until: impl Fn(&Session) -> bool) {
    let start = Instant::now();
    while !until(session) {
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", session.view().status);
        std::thread::sleep(Duration::from_millis(1));
        session.poll();
    }
}

fn watch(white: &str, black: &str, seed: u64, plies: usize) -> Vec<String> {
    let players = [player(white), player(black)];
    let setup = GameSetup { players, seed, ..GameSetup::new(Start::standard()) };
    let mut session = Session::restore(setup, &Past::default(), deps()).unwrap();
    while session.view().moves.len() < plies && session.poll() {}
    session.view().moves.into_iter().map(|played| played.uci).collect()
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for (white, black) in
        [("random", "random"), ("tabiya:800", "tabiya:1500"), ("minimax:1", "alphabeta:2")]
    {
        let game = watch(white, black, 7, 12);
        assert_eq!(game.len(), 12, "{white} {black}");
        assert_eq!(game, watch(white, black, 7, 12), "{white} {black}");
    }
    assert_ne!(watch("random", "random", 7, 12), watch("random", "random", 8, 12));
    assert_ne!(watch("tabiya:600", "tabiya:600", 1, 12), watch("tabiya:600", "tabiya:600", 2, 12));
}

#[test]
fn random_players_play_to_the_end() {
    let setup = GameSetup {
        players: [player("random"), player("random")],
        seed: 3,
        ..GameSetup::new(Start::standard())
    };
    let mut session = Session::restore(setup, &Past::default(), deps()).unwrap();
    let mut before = 0;
    while session.poll() {
        // Each move can be shown.
        let moves = session.view().moves.len();
        assert!(moves == before + 1 || session.view().end.is_some());
        before = moves;
    }
    assert!(session.view().end.is_some());
}

#[test]
fn a_computer_answers_from_another_thread_and_says_so() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let deps = SessionDeps {
        on_change: Some(Arc::new(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        })),
        ..SessionDeps::default()
    };
    let setup = GameSetup {
        players: [Player::HUMAN, player("tabiya:900")],
        ..GameSetup::new(Start::standard())
    };
    let mut session = Session::restore(setup, &Past::default(), deps).unwrap();
    play(&mut session, "e4");
    assert!(session.view().seats[1].thinking);
    assert_eq!(session.view().status, "Tabiya, level 900 is thinking");
    assert_eq!(
        session.submit("d4").map_err(|refusal| refusal.0),
        Err("It is not your turn: Tabiya, level 900 is to move.".to_owned()),
    );
    wait(&mut session, |session| session.view().moves.len() == 2);
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    assert_eq!(session.view().status, "Your move");
}

#[test]
fn a_long_thought_is_cut_short() {
    let long = GameSetup {
        players: [Player::HUMAN, player("tabiya")],
        control: Some("600+0".parse().unwrap()),
        ..GameSetup::new(Start::standard())
    };
    // By a move now.
    let mut session = Session::new(long.clone()).unwrap();
    play(&mut session, "e4");
    session.request(&Request::MoveNow).unwrap();
    let start = Instant::now();
    wait(&mut session, |session| session.view().moves.len() == 2);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(session.request(&Request::MoveNow).is_err());
    // By a move taken back.
    play(&mut session, "Nf3");
    session.request(&Request::TakeBack).unwrap();
    assert_eq!((session.view().moves.len(), session.view().status.as_str()), (2, "Your move"));
    // The old answer does not come any more.
    std::thread::sleep(Duration::from_millis(50));
    session.poll();
    assert_eq!(session.view().moves.len(), 2);
    // By resigning, and by leaving.
    play(&mut session, "Nf3");
    session.request(&Request::Resign).unwrap();
    assert!(!session.view().seats[1].thinking);
    let mut session = Session::new(long).unwrap();
    play(&mut session, "d4");
    drop(session);
}

#[test]
fn jobs_go_to_the_house_that_runs_them() {
    let queue: Arc<Mutex<Vec<ThinkingTask>>> = Arc::default();
    let ours = Arc::clone(&queue);
    let executor = Executor::new(move |job| ours.lock().unwrap().push(job));
    let setup = GameSetup {
        players: [Player::HUMAN, player("random")],
        ..GameSetup::new(Start::standard())
    };
    let mut session = Session::restore(
        setup,
        &Past::default(),
        SessionDeps { executor, ..SessionDeps::default() },
    )
    .unwrap();
    play(&mut session, "e4");
    assert!(!session.poll());
    let job = queue.lock().unwrap().pop().unwrap();
    job();
    assert!(session.poll());
    assert_eq!(session.view().moves.len(), 2);
}

#[test]
fn what_nobody_waits_for_is_not_thought_about() {
    let queue: Arc<Mutex<Vec<ThinkingTask>>> = Arc::default();
    let calls = Arc::new(AtomicUsize::new(0));
    let (ours, counter) = (Arc::clone(&queue), Arc::clone(&calls));
    let deps = SessionDeps {
        executor: Executor::new(move |job| ours.lock().unwrap().push(job)),
        on_change: Some(Arc::new(move || {
            counter.fetch_add(1, Ordering::SeqCst);
        })),
        ..SessionDeps::default()
    };
    // It would take hours.
    let players = [Player::HUMAN, player("minimax:20")];
    let setup = GameSetup { players, ..GameSetup::new(Start::standard()) };
    let mut session = Session::restore(setup, &Past::default(), deps).unwrap();
    play(&mut session, "e4");
    session.request(&Request::TakeBack).unwrap();
    play(&mut session, "d4");
    session.request(&Request::Resign).unwrap();
    let jobs: Vec<ThinkingTask> = std::mem::take(&mut *queue.lock().unwrap());
    assert_eq!(jobs.len(), 2);
    jobs.into_iter().for_each(|job| job());
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    assert!(!session.poll());
}

#[test]
fn a_hint_and_an_evaluation_come_when_they_are_ready() {
    let mut session = people("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    session.request(&Request::Hint).unwrap();
    let view = settle(&mut session);
    assert_eq!(view.hint, Some(("a1".parse().unwrap(), "a8".parse().unwrap())));
    session.request(&Request::Evaluate).unwrap();
    let evaluation = settle(&mut session).evaluation.unwrap();
    assert_eq!(evaluation.text, "#1");
    assert!(evaluation.chances > 0.99);
    // They belong to the position.
    play(&mut session, "Ke2");
    let view = settle(&mut session);
    assert_eq!((view.hint, view.evaluation), (None, None));
    session.request(&Request::Evaluate).unwrap();
    let view = settle(&mut session);
    assert!(view.evaluation.is_some());
    // Whoever else asks finds it there.
    session.request(&Request::Evaluate).unwrap();
    assert_eq!(settle(&mut session), view);
    session.request(&Request::TakeBackOne).unwrap();
    assert_eq!(settle(&mut session).evaluation.unwrap().text, "#1", "it is known still");
    // From White's side, whoever is to move.
    let mut session = people("r3k3/8/8/8/8/8/5PPP/6K1 b q - 0 1");
    session.request(&Request::Evaluate).unwrap();
    let evaluation = settle(&mut session).evaluation.unwrap();
    assert_eq!((evaluation.text.as_str(), evaluation.chances < 0.01), ("-#1", true));
}

#[test]
fn a_computer_accepts_a_draw_only_if_it_is_not_better() {
    let offer = |fen: &str, name: &str| {
        let setup =
            GameSetup { players: [Player::HUMAN, player(name)], ..GameSetup::new(start(fen)) };
        let mut session = Session::restore(setup, &Past::default(), deps()).unwrap();
        let said = session.request(&Request::OfferDraw).unwrap();
        (said, session.view().end.map(|end| end.text))
    };
    let better = "3qk3/8/8/8/8/8/PP6/4K3 w - - 0 40";
    let worse = "4k3/pp6/8/8/8/8/8/3QK3 w - - 0 40";
    assert_eq!(
        offer(better, "tabiya"),
        ("Tabiya declines the draw: it likes its position.".to_owned(), None)
    );
    let agreed = Some("Draw by agreement".to_owned());
    assert_eq!(
        offer(worse, "tabiya:1200"),
        ("Tabiya, level 1200 accepts the draw.".to_owned(), agreed.clone())
    );
    assert_eq!(offer(better, "random").1, agreed);
    assert_eq!(offer(better, "minimax:1").1, None);
    assert_eq!(offer(worse, "minimax:1").1, agreed);
    let begun = offer(tabiya_chess::Position::initial().fen().as_str(), "tabiya");
    assert_eq!(begun.1, None);
}

#[test]
fn another_program_plays_and_its_failure_is_told() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tabiya-uci-protocol/tests/reed.sh");
    let name = format!("uci:sh {script}");
    let setup =
        GameSetup { players: [player(&name), Player::HUMAN], ..GameSetup::new(Start::standard()) };
    let mut session = Session::new(setup).unwrap();
    wait(&mut session, |session| session.view().moves.len() == 1);
    assert_eq!(session.view().seats[0].name, "Reed 2");

    let setup = GameSetup {
        players: [Player::HUMAN, player("uci:/nowhere/at-all")],
        ..GameSetup::new(Start::standard())
    };
    let mut session = Session::restore(setup, &Past::default(), deps()).unwrap();
    play(&mut session, "e4");
    let view = settle(&mut session);
    assert!(view.status.contains("at-all"), "{}", view.status);
    assert!(!view.seats[1].thinking);
    session.request(&Request::TakeBack).unwrap();
    assert_eq!(session.view().status, "Your move");
}

#[test]
fn seats_have_names() {
    let session = against("tabiya:1200", 1);
    let view = session.view();
    assert_eq!(view.seats.map(|seat| seat.name), ["You", "Tabiya, level 1200"]);
    assert_eq!(session.people(), [Side::White]);
    let players = [player("human:Ada"), Player::HUMAN];
    let session = Session::new(GameSetup { players, ..GameSetup::new(Start::standard()) }).unwrap();
    assert_eq!(session.view().seats.map(|seat| seat.name), ["Ada", "Black"]);
    // A person with Black sits below.
    let players = [player("random"), Player::HUMAN];
    let setup = GameSetup { players, ..GameSetup::new(Start::standard()) };
    assert_eq!(Session::new(setup).unwrap().view().only_person(), Some(Side::Black));
}

#[test]
fn a_session_may_go_to_another_thread() {
    let mut session = against("random", 1);
    let moved = std::thread::spawn(move || {
        play(&mut session, "e4");
        settle(&mut session).moves.len()
    });
    assert_eq!(moved.join().unwrap(), 2);
}
