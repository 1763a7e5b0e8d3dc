//! Random walks through whole games: whatever is done, everything agrees with everything.

mod common;

use common::*;
use tabiya_play::{
    GameController, GameSetup, GameView, Past, Request, Session, SessionDeps, Start,
};

/// What has to be the same for the same moves.
fn gist(view: &GameView) -> String {
    let captured = view.seats.each_ref().map(|seat| &seat.captured);
    let shown = (&view.pieces, &view.destinations, view.last, view.check, view.turn, captured);
    format!("{shown:?} {:?} {:?} {:?}", view.moves, view.end, view.draw)
}

fn walk(start: &Start, seed: u64, steps: usize) -> usize {
    let mut random = tabiya_base::Random::new(seed);
    let notes = Notes::default();
    let setup = GameSetup::new(start.clone());
    let journalled = SessionDeps { journal: Some(Box::new(notes.clone())), ..deps() };
    let mut session = Session::restore(setup.clone(), &Past::default(), journalled).unwrap();
    // What was seen after each number of moves on the way here.
    let mut seen = vec![gist(&session.view())];
    let mut special = 0;
    for _ in 0..steps {
        let view = session.view();
        let plies = view.moves.len();
        match random.below(10) {
            0 | 1 => {
                let taken = session.request(&Request::TakeBackOne).is_ok();
                assert_eq!(taken, plies > 0);
                if taken {
                    assert_eq!(gist(&session.view()), seen[plies - 1]);
                }
            }
            2 => {
                let redone = session.request(&Request::Redo).is_ok();
                assert_eq!(redone, view.redoable > 0);
                if redone {
                    assert_eq!(gist(&session.view()), seen[plies + 1]);
                }
            }
            _ if view.end.is_some() => {
                assert!(view.destinations.is_empty() && session.submit("e4").is_err());
            }
            _ => {
                let reach = &view.destinations[random.below(view.destinations.len())];
                let target = &reach.to[random.below(reach.to.len())];
                let promotion = match target.promotions.len() {
                    0 => None,
                    choices => Some(target.promotions[random.below(choices)]),
                };
                session.go(reach.from, target.square, promotion).unwrap();
                let now = session.view();
                let text = &now.moves[plies].san;
                special += usize::from(text.contains('=') || text.starts_with('O'));
                if now.redoable > 0 {
                    // It was the move that had been taken back.
                    assert_eq!(seen[plies + 1], gist(&now));
                } else {
                    seen.truncate(plies + 1);
                    seen.push(gist(&now));
                }
            }
        }
        let kept = notes.0.lock().unwrap().past.clone();
        assert_eq!(kept, session.past());
        let again = Session::restore(setup.clone(), &kept, deps()).unwrap();
        assert_eq!(gist(&again.view()), gist(&session.view()));
    }
    special
}

#[test]
fn chess_agrees_with_itself() {
    let mut special = 0;
    for (seed, fen) in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 140 90",
    ]
    .into_iter()
    .enumerate()
    {
        for round in 0..3 {
            special += walk(&start(fen), seed as u64 * 100 + round, 150);
        }
    }
    assert!(special > 10, "castling and promotion are on the way: {special}");
}

#[test]
fn bishops_agree_with_themselves() {
    for (seed, board) in [
        "3\nKa1, Bb1\nKc3, Bb3",
        "5\nBb5, Kc5, Be4, Bd1\nKb3, Bc3, Be3",
        "8\nKa1, Bb1, Bc1, Bd2\nKh8, Bg8, Bf8, Be7",
        "26\nKa1, Bb1, Bm13\nKz26, Bn14, By1",
    ]
    .into_iter()
    .enumerate()
    {
        walk(&Start::bishops(board).unwrap(), seed as u64, 150);
    }
}
