//! The engine through its façade: what it finds, and when it stops.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use tabiya_chess::{Game, Move, Position};
use tabiya_engine::{Clocks, Engine, Found, Info, Limits, Score, Settings, Timer};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn search(settings: Settings, game: &Game, limits: Limits) -> (Found, Vec<Info>) {
    let (sender, receiver) = channel();
    let mut engine = Engine::new(settings);
    let found = engine.go(game, limits, move |info| sender.send(info.clone()).unwrap()).wait();
    (found, receiver.into_iter().collect())
}

fn to_depth(fen: &str, depth: u32) -> (Position, Found, Vec<Info>) {
    let position = position(fen);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (found, infos) = search(Settings::default(), &Game::from_position(position), limits);
    (position, found, infos)
}

#[test]
fn mates_are_found() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        let position = position(fen);
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let (found, infos) = search(Settings::default(), &Game::from_position(position), limits);
        let last = infos.last().unwrap();
        assert_eq!(last.score, Score::Mate(moves), "{fen}");
        // The line is legal and ends in mate.
        let mut game = Game::from_position(position);
        for &m in &last.pv {
            game.play(m).unwrap();
        }
        assert!(game.position().is_checkmate(), "{fen}: {:?}", last.pv);
        assert_eq!(found.best, last.pv.first().copied());
    }
}

#[test]
fn the_losing_side_sees_its_mate() {
    let (_, _, infos) = to_depth("6k1/5ppp/8/8/8/r7/1r6/7K w - - 0 1", 8);
    assert_eq!(infos.last().unwrap().score, Score::Mate(-1));
}

#[test]
fn no_move_is_no_panic() {
    for (fen, score) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Score::Mate(0)),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", Score::Centipawns(0)),
    ] {
        let (_, found, infos) = to_depth(fen, 5);
        assert_eq!((found.best, infos[0].score), (None, score), "{fen}");
    }
}

#[test]
fn stalemate_is_avoided_and_repetition_is_seen() {
    // Many queen moves stalemate; a winner does not play them.
    let (position, found, infos) = to_depth("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 8);
    let next = position.play(found.best.unwrap()).unwrap();
    assert!(!next.is_stalemate());
    assert!(matches!(infos.last().unwrap().score, Score::Mate(1..)));
    // A queen down, perpetual check is the best there is.
    let (_, _, infos) = to_depth("6k1/6p1/8/8/4Q3/8/qq6/6K1 w - - 0 1", 12);
    assert_eq!(infos.last().unwrap().score, Score::Centipawns(0));
}

#[test]
fn what_the_game_has_seen_counts() {
    // White has a queen against a knight, and goes to and fro with it.
    let mut game = Game::from_position(position("4k3/8/8/8/8/8/3Q4/4K1n1 w - - 0 1"));
    let mut score_of = |m: &str, again: usize| {
        for m in ["d2d3", "g1h3", "d3d2", "h3g1"].repeat(again) {
            let m = game.position().parse_move(m).unwrap();
            game.play(m).unwrap();
        }
        let only = game.position().parse_move(m).unwrap();
        let limits = Limits { depth: Some(6), search_moves: vec![only], ..Limits::default() };
        search(Settings::default(), &game, limits).1.last().unwrap().score
    };
    // The first time back is no draw yet, and neither is the second; the third is.
    assert!(score_of("d2d3", 0) > Score::Centipawns(300));
    assert!(score_of("d2d3", 1) > Score::Centipawns(300));
    assert_eq!(score_of("d2d3", 1), Score::Centipawns(0));
}

#[test]
fn the_knight_check_does_not_overlook_the_pawn() {
    let fen = "r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1 w kq - 0 1";
    let (position, found, infos) = to_depth(fen, 10);
    assert_ne!(position.san(found.best.unwrap()), "Nd6+");
    // Asked about that move alone, it expects the knight to be taken.
    let check = position.parse_san("Nd6+").unwrap();
    let limits = Limits { depth: Some(8), search_moves: vec![check], ..Limits::default() };
    let (found, only) = search(Settings::default(), &Game::from_position(position), limits);
    assert_eq!(found.best, Some(check));
    let after = position.play(check).unwrap();
    let answer = after.san(found.ponder.unwrap());
    assert!(["cxd6", "Qxd6"].contains(&answer.as_str()), "{answer}");
    assert!(only.last().unwrap().score < infos.last().unwrap().score);
}

#[test]
fn every_line_is_legal_and_searches_repeat() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    ] {
        let (position, _, infos) = to_depth(fen, 9);
        for info in &infos {
            let mut game = Game::from_position(position);
            assert!(!info.pv.is_empty());
            for &m in &info.pv {
                game.play(m).unwrap_or_else(|error| panic!("{fen} depth {}: {error}", info.depth));
            }
        }
        let nodes = |infos: &[Info]| infos.iter().map(|info| info.nodes).collect::<Vec<_>>();
        assert_eq!(nodes(&infos), nodes(&to_depth(fen, 9).2));
    }
}

#[test]
fn several_lines_come_in_order() {
    let settings = Settings { multipv: 4, ..Settings::default() };
    let limits = Limits { depth: Some(7), ..Limits::default() };
    let (found, infos) = search(settings, &Game::new(), limits);
    let last: Vec<&Info> = infos.iter().filter(|info| info.depth == 7).collect();
    assert_eq!(last.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let firsts: Vec<Move> = last.iter().map(|info| info.pv[0]).collect();
    assert!(firsts.iter().enumerate().all(|(i, m)| !firsts[..i].contains(m)));
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(found.best, Some(firsts[0]));
}

#[test]
fn a_soft_limit_lets_a_depth_end() {
    let soft = Limits { soft_nodes: Some(2_000), ..Limits::default() };
    let (_, infos) = search(Settings::default(), &Game::new(), soft);
    let (last, before) = (infos.last().unwrap(), &infos[infos.len() - 2]);
    assert!(last.nodes >= 2_000 && before.nodes < 2_000);
    let (_, same) = search(
        Settings::default(),
        &Game::new(),
        Limits { depth: Some(last.depth), ..Limits::default() },
    );
    assert_eq!(same.last().unwrap().nodes, last.nodes);
}

#[test]
fn node_limits_are_kept() {
    for nodes in [1, 100, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (found, infos) = search(Settings::default(), &Game::new(), limits);
        assert!(found.best.is_some(), "there is a move even after one node");
        assert!(infos.iter().all(|info| info.nodes <= nodes));
    }
}

#[test]
fn time_limits_are_kept() {
    let ms = Duration::from_millis;
    let by_clock = |time: u64| {
        let clocks = Clocks { time: [ms(time); 2], ..Clocks::default() };
        Limits { clocks: Some(clocks), timer: Some(Timer::start()), ..Limits::default() }
    };
    // Generous, because machines are busy; without a limit the search would never end.
    for limits in [
        Limits { movetime: Some(ms(60)), timer: Some(Timer::start()), ..Limits::default() },
        by_clock(1),
        by_clock(0),
        by_clock(1_000),
    ] {
        let clock = Timer::start();
        let (found, _) = search(Settings::default(), &Game::new(), limits);
        assert!(found.best.is_some());
        assert!(clock.elapsed() < ms(5_000), "{:?}", clock.elapsed());
    }
}

#[test]
fn threads_find_the_same_mate() {
    let settings = Settings { threads: 3, ..Settings::default() };
    let game =
        Game::from_position(position("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1"));
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let (found, infos) = search(settings, &game, limits);
    assert_eq!(infos.last().unwrap().score, Score::Mate(3));
    assert_eq!(game.position().san(found.best.unwrap()), "Qd1+");
}

#[test]
fn mate_limits_end_the_search() {
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let game =
        Game::from_position(position("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1"));
    let (_, infos) = search(Settings::default(), &game, limits);
    assert_eq!(infos.last().unwrap().score, Score::Mate(3));
}

#[test]
fn endless_searches_wait_for_the_word() {
    let mut engine = Engine::new(Settings::default());
    let mated = Game::from_position(position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"));
    let limits = Limits { infinite: true, depth: Some(2), ..Limits::default() };
    let search = engine.go(&mated, limits, |_| {});
    std::thread::sleep(Duration::from_millis(100));
    assert!(!search.is_finished());
    search.stop();
    assert!(search.wait().best.is_some());
    let limits = Limits { ponder: true, depth: Some(2), ..Limits::default() };
    let search = engine.go(&mated, limits, |_| {});
    std::thread::sleep(Duration::from_millis(100));
    assert!(!search.is_finished());
    search.ponder_hit();
    assert!(search.wait().best.is_some());
}

#[test]
fn what_was_learnt_is_forgotten_on_request() {
    let nodes = |engine: &mut Engine| {
        let (sender, receiver) = channel();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        engine.go(&Game::new(), limits, move |info| sender.send(info.nodes).unwrap()).wait();
        receiver.into_iter().last().unwrap()
    };
    let mut engine = Engine::new(Settings::default());
    let first = nodes(&mut engine);
    assert!(nodes(&mut engine) < first);
    engine.clear();
    assert_eq!(nodes(&mut engine), first);
}

#[test]
fn a_network_can_evaluate() {
    // Castling, captures, promotions, null moves: the network follows them all (it checks itself in debug
    // builds), and with random weights it has an opinion of its own.
    let fen = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    let game = Game::from_position(fen.parse().unwrap());
    let limits = || Limits { depth: Some(7), ..Limits::default() };
    let nodes = |engine: &mut Engine| {
        let mut nodes = 0;
        engine.think(&game, limits(), |info| nodes = info.nodes);
        nodes
    };
    let network = Arc::new(tabiya_engine::Network::random(3));
    let mut engine = Engine::new(Settings::default());
    engine.set_network(None);
    let by_hand = nodes(&mut engine);
    engine.set_network(Some(Arc::clone(&network)));
    let by_network = nodes(&mut engine);
    assert_ne!(by_network, by_hand);
    engine.set_network(Some(network));
    assert_eq!(nodes(&mut engine), by_network);
    engine.set_network(None);
    assert_eq!(nodes(&mut engine), by_hand);
}

#[test]
fn the_longest_basic_mates_are_won_in_time() {
    // The bare king begins in the middle of the board, or in the wrong corner.
    for fen in ["8/8/8/4k3/8/8/8/KBB5 w - - 0 1", "k7/8/8/8/8/8/8/K1B4N b - - 0 1"] {
        let mut game = Game::from_position(position(fen));
        let settings = Settings { hash_megabytes: 4, ..Settings::default() };
        let mut engines = [Engine::new(settings), Engine::new(settings)];
        while game.outcome().or_else(|| game.claimable_draw()).is_none() {
            let limits = Limits { nodes: Some(10_000), ..Limits::default() };
            let turn = game.position().turn() as usize;
            let best = engines[turn].think(&game, limits, |_| {}).best.unwrap();
            game.play(best).unwrap();
        }
        assert!(game.outcome().is_some_and(|end| end.winner().is_some()), "{fen}: {game:?}");
    }
}
