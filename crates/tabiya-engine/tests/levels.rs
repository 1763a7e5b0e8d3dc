//! Levels: they play the same game again, mate when they see it, keep their queens, and are in order.

use tabiya_chess::{Color, Game, Move, Outcome, Position, Role};
use tabiya_engine::textbook::{RandomMover, Textbook};
use tabiya_engine::{Engine, Level, Limits, Score, Settings};

fn settings(elo: u16, seed: u64) -> Settings {
    Settings { level: Some(Level::new(elo)), seed, hash_megabytes: 1, ..Settings::default() }
}

fn choose(elo: u16, seed: u64, game: &Game) -> Move {
    let mut engine = Engine::new(settings(elo, seed));
    engine.go(game, Limits::default(), |_| {}).wait().best.expect("a move")
}

/// Games of random moves, cut off somewhere in the middle.
fn random_games(count: u64) -> impl Iterator<Item = Game> {
    (0..count).map(|seed| {
        let mut game = Game::new();
        for _ in 0..10 + seed % 50 {
            if let Some(m) = (RandomMover { seed }).choose(&game) {
                game.play(m).unwrap();
            }
            if game.outcome().is_some() {
                game.undo();
                break;
            }
        }
        game
    })
}

/// A game between two levels from a position a few random moves into it.
fn play(white: u16, black: u16, seed: u64) -> Game {
    let mut game = random_games(1 + seed).last().unwrap();
    while game.moves().len() > 6 {
        game.undo();
    }
    while game.outcome().is_none() && game.moves().len() < 300 {
        let elo = if game.position().turn() == Color::White { white } else { black };
        let m = choose(elo, seed, &game);
        game.play(m).unwrap();
    }
    game
}

/// Mates in one, found in games of players who play at random.
fn mates_in_one(count: usize) -> Vec<Game> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut game = Game::new();
        while game.outcome().is_none() && found.len() < count {
            let position = game.position();
            let mates = |m: &&Move| position.play(**m).unwrap().is_checkmate();
            if position.legal_moves().iter().find(mates).is_some() {
                found.push(game.clone());
                break;
            }
            let m = RandomMover { seed }.choose(&game).unwrap();
            game.play(m).unwrap();
        }
        if found.len() >= count {
            break;
        }
    }
    found
}

#[test]
fn the_same_seed_plays_the_same_game() {
    assert_eq!(play(500, 900, 3).moves(), play(500, 900, 3).moves());
    // What the engine has seen before makes no difference.
    let mut used = Engine::new(settings(1300, 5));
    for game in random_games(10) {
        let best = used.go(&game, Limits::default(), |_| {}).wait().best;
        assert_eq!(best, Some(choose(1300, 5, &game)));
    }
}

#[test]
fn other_seeds_play_other_games() {
    let games: Vec<Game> = random_games(12).collect();
    let moves = |elo, seed| games.iter().map(|game| choose(elo, seed, game)).collect::<Vec<_>>();
    let differences = |elo| {
        let (first, second) = (moves(elo, 1), moves(elo, 2));
        first.iter().zip(&second).filter(|(a, b)| a != b).count()
    };
    assert!(differences(500) >= 3);
    assert_eq!(differences(Level::TOP), 0, "the top level leaves nothing to chance");
}

#[test]
fn mates_in_one_are_seen_more_and_more_and_always_from_1400() {
    let games = mates_in_one(60);
    let seen = |elo| {
        let mates = |game: &&Game| {
            let m = choose(elo, 11, game);
            game.position().play(m).unwrap().is_checkmate()
        };
        games.iter().filter(mates).count()
    };
    let counts = [400, 700, 1000, 1200, 1400, 1700].map(seen);
    assert!(counts.windows(2).all(|pair| pair[0] <= pair[1]), "{counts:?}");
    assert!((8..=30).contains(&counts[0]), "three in ten at 400: {counts:?}");
    assert_eq!(counts[4..], [games.len(); 2], "{counts:?}");
}

#[test]
fn no_queen_is_left_for_nothing_from_1000_on() {
    let full_strength = |game: &Game, only: Vec<Move>| {
        let (sender, receiver) = std::sync::mpsc::channel();
        let limits = Limits { depth: Some(6), search_moves: only, ..Limits::default() };
        let settings = Settings { hash_megabytes: 1, ..Settings::default() };
        Engine::new(settings).go(game, limits, move |info| sender.send(info.score).unwrap()).wait();
        match receiver.into_iter().last().unwrap() {
            Score::Centipawns(score) => score,
            Score::Mate(moves) => 10_000 * moves.signum(),
        }
    };
    let mut with_queen = 0;
    for (number, game) in random_games(300).enumerate() {
        let position = game.position();
        let own_queen = Role::Queen.of(position.turn());
        if !position.board().has(own_queen) {
            continue;
        }
        with_queen += 1;
        let elo = [1000, 1150, 1400][number % 3];
        let m = choose(elo, number as u64, &game);
        let after = position.play(m).unwrap();
        let loses_queen = after.legal_moves().iter().any(|taking| {
            let taken = after.play(*taking).unwrap();
            after.piece_at(taking.to()) == Some(own_queen)
                && !taken.legal_moves().iter().any(|back| back.to() == taking.to())
        });
        if loses_queen && position.piece_at(m.to()).is_none() {
            // It may still be right: when there is nothing better.
            let (best, chosen) = (full_strength(&game, vec![]), full_strength(&game, vec![m]));
            assert!(best - chosen < 300, "{elo}: {} {}", position.fen(), position.san(m));
        }
    }
    assert!(with_queen > 150, "{with_queen}");
}

#[test]
fn pieces_are_taken_back_from_600_on() {
    // Each last move has taken a knight or a bishop that was defended once.
    let mut taken_back = 0;
    let mut asked = 0;
    for opening in [
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6",
        "e2e4 e7e5 g1f3 g8f6 b1c3 f8b4 a2a3 b4c3",
        "d2d4 d7d5 c2c4 e7e6 b1c3 f8b4 a2a3 b4c3",
        "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 c6d4",
        "d2d4 g8f6 c1g5 e7e6 e2e4 h7h6 g5f6",
        "e2e4 d7d5 e4d5 g8f6 c2c4 c7c6 d5c6",
    ] {
        let mut game = Game::new();
        for m in opening.split(' ') {
            let m = game.position().parse_move(m).unwrap();
            game.play(m).unwrap();
        }
        let square = game.moves().last().unwrap().to();
        for elo in [600, 800, 1000, 1500] {
            for seed in 0..5 {
                asked += 1;
                taken_back += usize::from(choose(elo, seed, &game).to() == square);
            }
        }
    }
    assert!(taken_back * 100 >= asked * 90, "{taken_back} of {asked}");
}

#[test]
fn a_lost_game_is_defended() {
    // A rook down; one move loses the last rook as well, for nothing.
    let fen = "3r2k1/3r1ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let game = Game::from_position(fen.parse().unwrap());
    for elo in [1000, 1300, 1600, 2000] {
        for seed in 0..10 {
            let after = game.position().play(choose(elo, seed, &game)).unwrap();
            let best = Textbook::AlphaBeta { depth: 2, noise: None }
                .choose(&Game::from_position(after))
                .unwrap();
            let taken = after.piece_at(best.to()).map(|piece| piece.role);
            assert_ne!(taken, Some(Role::Rook), "{elo}, seed {seed}: {}", after.fen());
        }
    }
}

#[test]
fn a_won_game_is_not_left_in_stalemate() {
    let game = Game::from_position("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1".parse::<Position>().unwrap());
    for elo in (1000..=Level::TOP).step_by(200) {
        for seed in 0..10 {
            let after = game.position().play(choose(elo, seed, &game)).unwrap();
            assert!(!after.is_stalemate(), "{elo}, seed {seed}");
        }
    }
}

#[test]
fn a_won_game_does_not_go_round_in_circles() {
    // A queen up, it wins or takes something; it never brings the same position about three times.
    for elo in [600, 1000, 1500, 2000] {
        for seed in 0..4 {
            let start: Position = "8/8/5k2/1p6/1P3N2/3Q4/PK6/8 w - - 0 1".parse().unwrap();
            let mut game = Game::from_position(start);
            while game.outcome().is_none() && game.moves().len() < 120 {
                let m = match game.position().turn() {
                    Color::White => choose(elo, seed, &game),
                    Color::Black => RandomMover { seed }.choose(&game).unwrap(),
                };
                game.play(m).unwrap();
                let now = game.position().key();
                let met = game.positions().filter(|past| past.key() == now).count();
                assert!(met < 3, "{elo}, seed {seed}: {}", game.position().fen());
            }
        }
    }
}

#[test]
fn pawns_become_queens_unless_there_is_a_reason() {
    let promotions = |fen: &str| {
        let game = Game::from_position(fen.parse().unwrap());
        let all =
            [400, 700, 1000, 1500].into_iter().flat_map(|elo| (0..20).map(move |seed| (elo, seed)));
        all.filter_map(|(elo, seed)| choose(elo, seed, &game).promotes_to()).collect::<Vec<_>>()
    };
    let plain = promotions("8/2P5/8/8/5k2/8/K7/8 w - - 0 1");
    assert!(plain.len() > 40 && plain.iter().all(|&role| role == Role::Queen), "{plain:?}");
    // A queen on c8 is stalemate; a rook wins.
    let wins = promotions("8/k1P5/8/1K6/8/8/8/8 w - - 0 1");
    assert!(wins.contains(&Role::Rook), "{wins:?}");
    // If nothing else is allowed, it does as it is told.
    let game = Game::from_position("8/2P5/8/8/5k2/8/K7/8 w - - 0 1".parse().unwrap());
    let rook = game.position().parse_move("c7c8r").unwrap();
    let limits = Limits { search_moves: vec![rook], ..Limits::default() };
    let found = Engine::new(settings(800, 1)).go(&game, limits, |_| {}).wait();
    assert_eq!(found.best, Some(rook));
}

#[test]
fn levels_are_far_apart() {
    let (mut strong, mut weak) = (0, 0);
    for seed in 0..10 {
        let strong_color = if seed % 2 == 0 { Color::White } else { Color::Black };
        let game = match strong_color {
            Color::White => play(1800, 600, seed),
            Color::Black => play(600, 1800, seed),
        };
        match game.outcome() {
            Some(Outcome::Checkmate { winner }) if winner == strong_color => strong += 1,
            Some(Outcome::Checkmate { .. }) => weak += 1,
            _ => {}
        }
    }
    assert!(strong >= 9 && weak == 0, "{strong} : {weak}");
}

#[test]
fn other_limits_are_kept_as_well() {
    let nodes = |limits: Limits| {
        let (sender, receiver) = std::sync::mpsc::channel();
        let on_info = move |info: &tabiya_engine::Info| sender.send(info.nodes).unwrap();
        let found = Engine::new(settings(1500, 1)).go(&Game::new(), limits, on_info).wait();
        assert!(found.best.is_some());
        receiver.into_iter().last().unwrap_or(0)
    };
    let own = nodes(Limits::default());
    // On the way out of a search a few more are counted.
    let way_out = 50;
    assert!(own <= Level::new(1500).nodes() + way_out);
    assert_eq!(nodes(Limits { nodes: Some(1_000_000), ..Limits::default() }), own);
    assert!(nodes(Limits { nodes: Some(400), ..Limits::default() }) <= 400 + way_out);
    assert!(nodes(Limits { depth: Some(1), ..Limits::default() }) < own);
    let only: Move = Position::initial().parse_move("a3").unwrap();
    let limits = Limits { search_moves: vec![only], ..Limits::default() };
    let found = Engine::new(settings(600, 1)).go(&Game::new(), limits, |_| {}).wait();
    assert_eq!(found.best, Some(only));
    // Asked to analyse without end, it waits for the word.
    let limits = Limits { infinite: true, ..Limits::default() };
    let search = Engine::new(settings(600, 1)).go(&Game::new(), limits, |_| {});
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert!(!search.is_finished());
    search.stop();
    assert!(search.wait().best.is_some());
}
