//! What a search remembers changes how long it takes, not what is true.

use std::sync::mpsc::channel;

use tabiya_base::Random;
use tabiya_chess::{Game, Position};
use tabiya_engine::textbook::{AlphaBeta, Tree, TreeOptions};
use tabiya_engine::{Engine, Limits, Score, Settings};

/// Positions of random games, the same in every run.
fn random_positions(count: usize) -> Vec<Position> {
    let mut random = Random::new(1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = Game::new();
        let plies = random.below(80);
        for _ in 0..plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play_unchecked(moves[random.below(moves.len())]);
        }
        positions.push(*game.position());
    }
    positions
}

/// Alpha-beta without any memory, and the kept tree with its caches: one leaves out lines, the other
/// moves and scores it has seen before.
#[test]
fn the_textbook_searches_agree_with_and_without_a_cache() {
    let mut hits = 0;
    let quick = random_positions(300).into_iter().map(|position| (position, 2));
    // Four plies where there is not much to look at.
    let mut few_moves = random_positions(1500);
    few_moves.retain(|position| (1..=8).contains(&position.count_legal_moves()));
    assert!(few_moves.len() >= 30, "{}", few_moves.len());
    let deep = few_moves.into_iter().take(30).flat_map(|position| [(position, 3), (position, 4)]);
    for (position, depth) in quick.chain(deep) {
        let plain = AlphaBeta::to_depth(depth).search(&position);
        let options = TreeOptions { caches: true, ..TreeOptions::default() };
        let cached = Tree::new(position, options).unwrap().search(depth);
        hits += cached.hits.moves + cached.hits.scores;
        assert!(!cached.full);
        let found = cached.found;
        assert_eq!((plain.best, plain.score), (found.best, found.score), "{position} {depth}");
        assert_eq!(plain.pv, found.pv, "{position} {depth}");
    }
    assert!(hits > 10_000, "the cache was hardly asked: {hits}");
}

#[derive(Debug, PartialEq, Eq)]
enum Class {
    Win,
    Draw,
    Loss,
    Unclear,
}

fn class(score: Score) -> Class {
    match score {
        Score::Mate(1..) => Class::Win,
        Score::Mate(_) => Class::Loss,
        Score::Centipawns(400..) => Class::Win,
        Score::Centipawns(..=-400) => Class::Loss,
        Score::Centipawns(-40..=40) => Class::Draw,
        Score::Centipawns(_) => Class::Unclear,
    }
}

fn score(engine: &mut Engine, position: Position, depth: u32) -> Score {
    let (sender, receiver) = channel();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let search = engine
        .go(&Game::from_position(position), limits, move |info| sender.send(info.score).unwrap());
    search.wait();
    receiver.into_iter().last().unwrap()
}

/// Endings with pawns, whose results are in every primer. A small table loses most of what it is told,
/// a warm one brings scores from elsewhere; the result stays.
#[test]
fn pawn_endings_come_out_the_same_whatever_the_table_holds() {
    let endings = [
        // The king on the sixth rank before its pawn wins, whoever moves; so does the opposition.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Class::Win),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Class::Loss),
        ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", Class::Loss),
        // Nobody can stop this pawn: the king is outside its square.
        ("8/8/8/8/7k/8/P7/K7 w - - 0 1", Class::Win),
        // The king behind its pawn: stalemate at the end. A rook's pawn never wins against the corner.
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", Class::Draw),
        ("4k3/8/4P3/4K3/8/8/8/8 w - - 0 1", Class::Draw),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Class::Draw),
        ("k7/8/1K6/P7/8/8/8/8 b - - 0 1", Class::Draw),
        // The breakthrough of three pawns, and the one that comes too late.
        ("8/ppp5/8/PPP5/8/8/8/k1K5 w - - 0 1", Class::Win),
        // Each side promotes; White first, with check.
        ("7k/P7/8/8/8/8/5p2/K7 w - - 0 1", Class::Win),
    ];
    let mut small = Engine::new(Settings { hash_megabytes: 1, ..Settings::default() });
    let mut large = Engine::new(Settings { hash_megabytes: 64, ..Settings::default() });
    let mut warm = Engine::new(Settings::default());
    for (fen, expected) in endings {
        let position: Position = fen.parse().unwrap();
        for (name, engine) in [("small", &mut small), ("large", &mut large)] {
            engine.clear();
            let found = score(engine, position, 20);
            assert_eq!(class(found), expected, "{fen}, {name} table: {found}");
        }
        // Never cleared: it has seen the other endings, and this one from both sides.
        for depth in [20, 12, 20] {
            let found = score(&mut warm, position, depth);
            if depth == 20 {
                assert_eq!(class(found), expected, "{fen}, warm table: {found}");
            }
        }
    }
}
