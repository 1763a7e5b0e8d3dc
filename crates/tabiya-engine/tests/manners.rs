//! What is told last is about the move that is played, whatever ended the search.

use std::time::Duration;

use tabiya_chess::{Game, Move};
use tabiya_engine::{Engine, Found, Info, Level, Limits, Settings, Timer};

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NP3/1BN1B3/PPPQ1PPP/2KR3R w - - 2 12",
    "6k1/pp3ppp/2p5/3r4/3P4/2P2P2/PP4PP/4R1K1 w - - 80 66",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
];

/// The last line of each number is legal, does not go on after the game has ended, and the first of them begins with
/// what is played.
fn check(game: &Game, infos: &[Info], found: Found, what: &str) {
    let last = infos.iter().rfind(|info| info.multipv == 1).unwrap_or_else(|| panic!("{what}"));
    let played: Vec<Move> = found.best.into_iter().chain(found.ponder).collect();
    assert!(!played.is_empty(), "{what}");
    assert!(last.pv.starts_with(&played), "{what}: {found:?} after {last:?}");
    for info in infos {
        let mut game = game.clone();
        for &m in &info.pv {
            assert_eq!((game.outcome(), game.claimable_draw()), (None, None), "{what}: {info:?}");
            game.play(m).unwrap_or_else(|error| panic!("{what}: {error}: {info:?}"));
        }
    }
    // After a cut all lines are told anew, each with another move.
    let count = infos.last().unwrap().multipv as usize;
    let mut first: Vec<_> = infos[infos.len() - count..].iter().map(|info| info.pv[0]).collect();
    first.sort_by_key(|m| m.bits());
    first.dedup();
    assert_eq!(first.len(), count, "{what}");
}

fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (Found, Vec<Info>) {
    let mut infos = Vec::new();
    let found = engine.think(game, limits, |info| infos.push(info.clone()));
    (found, infos)
}

#[test]
fn a_search_cut_by_nodes_tells_what_it_plays() {
    for multipv in [1, 3] {
        let mut engine =
            Engine::new(Settings { multipv, hash_megabytes: 1, ..Settings::default() });
        for fen in POSITIONS {
            let mut game = Game::from_position(fen.parse().unwrap());
            for number in 0..40u64 {
                if game.outcome().or(game.claimable_draw()).is_some() {
                    break;
                }
                // From less than one iteration to a dozen.
                let nodes = 1 + number * number * 7;
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let (found, infos) = search(&mut engine, &game, limits);
                check(&game, &infos, found, &format!("{multipv} lines, {nodes} nodes, {game:?}"));
                game.play(found.best.unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn a_search_cut_by_the_clock_tells_what_it_plays() {
    let mut engine = Engine::new(Settings { threads: 2, ..Settings::default() });
    for fen in POSITIONS {
        let game = Game::from_position(fen.parse().unwrap());
        for number in 0..12 {
            let (movetime, timer) = (Duration::from_millis(11 + number), Timer::start());
            let limits =
                Limits { movetime: Some(movetime), timer: Some(timer), ..Limits::default() };
            let (found, infos) = search(&mut engine, &game, limits);
            check(&game, &infos, found, &format!("{movetime:?} for {fen}"));
        }
    }
}

#[test]
fn a_level_tells_what_it_plays() {
    for level in [Level::MIN, 1000, 1600, 2200, Level::TOP] {
        let level = Some(Level::new(level));
        let mut engine = Engine::new(Settings { level, seed: 3, ..Settings::default() });
        for fen in POSITIONS {
            let game = Game::from_position(fen.parse().unwrap());
            for nodes in [1, 10, 100, 1_000, 10_000] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let (found, infos) = search(&mut engine, &game, limits);
                check(&game, &infos, found, &format!("{level:?}, {nodes} nodes for {fen}"));
            }
        }
    }
}
