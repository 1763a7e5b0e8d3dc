//! The engine with tables of endings: wins are won in as many moves as tables say, draws are held.

use std::sync::Arc;

use tabiya_chess::{Game, Outcome};
use tabiya_engine::{Engine, Limits, Score, Settings, Tables};
use tabiya_tables::Maker;
use tempfile::TempDir;

fn tables(endings: &[&str]) -> (TempDir, Arc<Tables>) {
    let folder = tempfile::tempdir().unwrap();
    for ending in endings {
        Maker::new(folder.path()).make(ending.parse().unwrap(), &mut |_| {}).unwrap();
    }
    let tables = Arc::new(Tables::open([folder.path()]));
    (folder, tables)
}

fn game(fen: &str) -> Game {
    Game::from_position(fen.parse().unwrap())
}

/// A game of the engine against itself.
fn play(engine: &mut Engine, fen: &str) -> Game {
    let mut game = game(fen);
    while game.outcome().or_else(|| game.claimable_draw()).is_none() {
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let found = engine.think(&game, limits, |_| {});
        game.play(found.best.unwrap()).unwrap();
    }
    game
}

#[test]
fn a_known_win_takes_as_many_moves_as_tables_say() {
    let (_folder, tables) = tables(&["KPK"]);
    let mut engine = Engine::new(Settings::default());
    engine.set_tables(Some(Arc::clone(&tables)));
    for fen in ["8/8/8/6k1/8/8/1P4K1/8 w - - 0 1", "8/8/8/4k3/8/8/8/K6R w - - 0 1"] {
        let entry = tables.probe(&fen.parse().unwrap()).unwrap();
        let mut line = None;
        engine.think(&game(fen), Limits::default(), |info| line = Some(info.clone()));
        let line = line.unwrap();
        assert_eq!(line.score, Score::Mate(entry.mate_in().unwrap()));
        assert_eq!(line.pv.len(), usize::from(entry.mate.unwrap()));
        let played = play(&mut engine, fen);
        assert!(matches!(played.outcome(), Some(Outcome::Checkmate { .. })));
        assert_eq!(played.moves(), line.pv);
    }
}

#[test]
fn a_known_draw_is_kept_and_the_rule_of_fifty_moves_counts() {
    let (_folder, tables) = tables(&["KPK"]);
    let mut engine = Engine::new(Settings::default());
    engine.set_tables(Some(tables));
    // Only one move holds.
    let held = play(&mut engine, "8/8/4k3/8/4P3/3K4/8/8 b - - 0 1");
    assert!(!matches!(held.outcome(), Some(Outcome::Checkmate { .. })));
    // Mate in 16 comes too late for a clock at 90.
    let late = "8/8/8/3k4/8/8/8/K6R w - - 90 100";
    let mut score = None;
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    engine.think(&game(late), limits.clone(), |info| score = Some(info.score));
    assert_eq!(score, Some(Score::Centipawns(0)));
    engine.set(Settings { fifty_move_rule: false, ..Settings::default() });
    engine.think(&game(late), limits.clone(), |info| score = Some(info.score));
    assert!(matches!(score, Some(Score::Mate(1..))), "{score:?}");
    // Nor do tables speak of more men than they are asked for.
    engine.set(Settings { table_men: 2, ..Settings::default() });
    let mut nodes = 0;
    engine.think(&game("8/8/8/3k4/8/8/8/K6R w - - 0 1"), limits, |info| nodes = info.nodes);
    assert!(nodes > 0);
}

#[test]
fn the_search_sees_what_a_capture_leads_to() {
    // Rook takes bishop leaves a won ending, which tables know; what is left is too long for the search.
    let (_folder, tables) = tables(&["KRK"]);
    let fen = "8/8/8/3k4/8/8/1b6/1R5K w - - 0 1";
    let mut engine = Engine::new(Settings::default());
    engine.set_tables(Some(tables));
    let mut score = None;
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let found = engine.think(&game(fen), limits, |info| score = Some(info.score));
    let position = *game(fen).position();
    assert_eq!(position.san(found.best.unwrap()).to_string(), "Rxb2");
    assert!(matches!(score, Some(Score::Mate(1..))), "{score:?}");
}
