//! A table for tests: computers answer at once, and time passes when it is told to.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tabiya_play::{
    Change, Executor, GameController, GameSetup, GameView, Journal, Past, Player, Session,
    SessionDeps, Start, Timer,
};

/// A clock that is turned by hand.
#[derive(Clone, Default)]
pub(crate) struct Hand(Arc<AtomicU64>);

impl Hand {
    pub(crate) fn pass(&self, time: Duration) {
        self.0.fetch_add(time.as_millis() as u64, Ordering::Relaxed);
    }

    pub(crate) fn timer(&self) -> Timer {
        let hand = Arc::clone(&self.0);
        Timer::new(move || Duration::from_millis(hand.load(Ordering::Relaxed)))
    }
}

/// A journal in memory, which can be told to fail.
#[derive(Clone, Default)]
pub(crate) struct Notes(pub(crate) Arc<Mutex<Page>>);

#[derive(Default)]
pub(crate) struct Page {
    pub(crate) past: Past,
    pub(crate) broken: bool,
}

impl Journal for Notes {
    fn keep(&mut self, change: &Change) -> Result<(), String> {
        let mut page = self.0.lock().unwrap();
        if page.broken {
            return Err("The disk is full.".to_owned());
        }
        page.past.entries.truncate(change.stays);
        page.past.entries.extend(change.added.iter().cloned());
        page.past.end = change.end.clone();
        Ok(())
    }
}

pub(crate) fn deps() -> SessionDeps {
    SessionDeps { executor: Executor::here(), ..SessionDeps::default() }
}

pub(crate) fn player(name: &str) -> Player {
    name.parse().unwrap()
}

pub(crate) fn start(fen: &str) -> Start {
    Start::fen(fen).unwrap()
}

/// Two people, from a position.
pub(crate) fn people(fen: &str) -> Session {
    Session::restore(GameSetup::new(start(fen)), &Past::default(), deps()).unwrap()
}

pub(crate) fn initial() -> Session {
    Session::restore(GameSetup::new(Start::standard()), &Past::default(), deps()).unwrap()
}

/// A person with White against a computer.
pub(crate) fn against(name: &str, seed: u64) -> Session {
    let players = [Player::HUMAN, player(name)];
    let setup = GameSetup { players, seed, ..GameSetup::new(Start::standard()) };
    Session::restore(setup, &Past::default(), deps()).unwrap()
}

pub(crate) fn play(session: &mut Session, moves: &str) {
    for text in moves.split_whitespace() {
        session.submit(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
}

/// Lets computers play until it is a person's turn or the game is over.
pub(crate) fn settle(session: &mut Session) -> GameView {
    while session.poll() {}
    session.view()
}

pub(crate) fn texts(view: &GameView) -> Vec<&str> {
    view.moves.iter().map(|played| played.san.as_str()).collect()
}
