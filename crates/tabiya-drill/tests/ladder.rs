//! The ladder is held to the tables: every position is what it says.

use std::collections::HashSet;
use std::path::PathBuf;

use tabiya_base::Stop;
use tabiya_chess::Outcome;
use tabiya_drill::{End, Ending, Guide, Help, Task, Trial, find, known, ladder};
use tabiya_engine::{Engine, Settings};
use tabiya_tables::{Fate, Maker, Material, Tables};

fn endings() -> impl Iterator<Item = &'static Ending> {
    ladder().iter().flat_map(|rung| rung.endings)
}

fn check(tables: &Tables, ending: &Ending) {
    let entry = tables.probe(&ending.position()).unwrap();
    let expected = if ending.task == Task::Win { Fate::Win } else { Fate::Draw };
    assert_eq!(entry.fate, expected, "{}", ending.id);
}

#[test]
fn every_position_has_a_name_and_is_there_once() {
    let ids: HashSet<&str> = endings().map(|ending| ending.id).collect();
    let positions: HashSet<u64> =
        endings().map(|ending| ending.position().repetition_key()).collect();
    assert_eq!(ids.len(), endings().count());
    assert_eq!(positions.len(), endings().count());
    assert!(endings().count() >= 100);
    for ending in endings() {
        assert_eq!(ending.position().fen(), ending.fen);
        assert!(ending.position().outcome().is_none() && (3..=5).contains(&ending.men()));
        assert_eq!(find(ending.id), Some(ending));
    }
    for rung in ladder() {
        assert!(rung.endings.iter().all(|ending| ending.id.starts_with(rung.name)));
    }
}

#[test]
fn positions_of_three_men_are_what_they_say() {
    let tables = Tables::default().with_three_men();
    let three: Vec<_> = endings().filter(|ending| ending.men() == 3).collect();
    assert!(three.len() > 35);
    three.into_iter().for_each(|ending| check(&tables, ending));
}

/// Those without pawns take seconds; with `TABIYA_TABLES` all others are checked as well.
#[test]
fn positions_of_four_men_are_what_they_say() {
    let given = std::env::var_os("TABIYA_TABLES").map(PathBuf::from);
    let made = tempfile::tempdir().unwrap();
    let folder = given.clone().unwrap_or_else(|| made.path().to_owned());
    let quick: Material = "KBBK".parse().unwrap();
    let wanted: Vec<_> = endings()
        .filter(|ending| ending.men() == 4 && (given.is_some() || ending.material() == Some(quick)))
        .collect();
    if given.is_none() {
        Maker::new(&folder).make(quick, &mut |_| {}).unwrap();
    }
    let tables = Tables::open([&folder]).with_three_men();
    assert!(wanted.len() >= if given.is_some() { 80 } else { 5 });
    wanted.into_iter().for_each(|ending| check(&tables, ending));
}

/// All tables of four men are made for it: a minute or two.
#[test]
#[ignore = "makes all tables of four men"]
fn positions_of_four_men_are_what_tables_made_for_them_say() {
    let folder = tempfile::tempdir().unwrap();
    let maker = Maker::new(folder.path());
    for ending in endings().filter(|ending| ending.men() == 4) {
        maker.make(ending.material().unwrap(), &mut |_| {}).unwrap();
    }
    let tables = Tables::open([folder.path()]);
    endings().filter(|ending| ending.men() == 4).for_each(|ending| check(&tables, ending));
}

/// Plays the best moves of both sides, and must get there.
fn play_out(ending: &'static Ending, guide: &mut Guide<'_>) -> (End, usize) {
    let mut trial = Trial::after(ending, &[""; 0]).unwrap();
    loop {
        let best = guide.best(trial.game()).unwrap().unwrap().0;
        let text = trial.game().position().uci(best);
        let step = trial.step(&text, guide, Help::Moves, None).unwrap().unwrap();
        assert!(!step.turn.gives_away, "{}: {text}", ending.id);
        if let Some(end) = step.end {
            return (end, trial.turns());
        }
        assert!(trial.turns() <= 60, "{} takes for ever", ending.id);
    }
}

#[test]
fn whoever_plays_the_best_moves_gets_there_with_three_men() {
    let tables = Tables::default().with_three_men();
    let mut engine = Engine::new(Settings::default());
    let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
    for ending in endings().filter(|ending| ending.men() == 3) {
        let mate = guide.best(&tabiya_chess::Game::from_position(ending.position())).unwrap();
        let (end, turns) = play_out(ending, &mut guide);
        assert!(end.is_done(), "{}: {end:?}", ending.id);
        if end == End::Mated {
            // The longest defence and the shortest mate are as long as the tables say.
            assert_eq!(Some(turns as u32), mate.unwrap().1.mate, "{}", ending.id);
        }
    }
}

#[test]
fn the_engine_stands_in_for_tables_of_five_men() {
    let tables = Tables::default().with_three_men();
    for ending in endings().filter(|ending| ending.men() == 5) {
        let mut engine = Engine::new(Settings::default());
        let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
        let game = tabiya_chess::Game::from_position(ending.position());
        let (_, verdict) = guide.best(&game).unwrap().unwrap();
        assert!(verdict.does(ending.task), "{}: {verdict}", ending.id);
        assert_eq!(verdict.does(Task::Win), ending.task == Task::Win, "{}: {verdict}", ending.id);
    }
}

#[test]
fn the_bridge_is_built_against_the_engine() {
    let tables = Tables::default().with_three_men();
    let mut engine = Engine::new(Settings::default());
    let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
    let (end, turns) = play_out(find("lucena-1").unwrap(), &mut guide);
    assert!(end == End::Simple && turns < 30, "{end:?} after {turns}");
}

#[test]
fn what_is_given_away_is_seen_and_told_by_the_level_of_help() {
    let tables = Tables::default().with_three_men();
    let mut engine = Engine::new(Settings::default());
    let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
    // The king must go straight back and take the opposition: to the wrong side it loses.
    let ending = find("opposition-3").unwrap();
    for help in [Help::Moves, Help::Result] {
        let mut trial = Trial::after(ending, &[""; 0]).unwrap();
        let step = trial.step("Kf8", &mut guide, help, None).unwrap().unwrap();
        assert!(step.turn.gives_away && step.reply.is_none());
        assert_eq!(step.end, Some(End::GivenAway));
        let (best, verdict) = step.turn.best.unwrap();
        assert_eq!(best.san, "Kd8");
        assert_eq!(verdict.to_string(), "draws");
    }
    // With no help the game goes on, and is punished as quickly as can be.
    let mut trial = Trial::after(ending, &[""; 0]).unwrap();
    let step = trial.step("Kf8", &mut guide, Help::Nothing, None).unwrap().unwrap();
    assert!(step.turn.gives_away && step.end.is_none());
    let reply = step.reply.unwrap();
    assert_eq!(trial.moves(), [step.turn.played.uci, reply.uci]);
    let mut end = None;
    while end.is_none() {
        let any = trial.game().position().legal_moves()[0];
        let text = trial.game().position().uci(any);
        end = trial.step(&text, &mut guide, Help::Nothing, Some(1)).unwrap().unwrap().end;
    }
    assert!(!end.unwrap().is_done());
    assert!(trial.turns() <= 7);
}

#[test]
fn stalemate_is_a_draw_for_whoever_was_to_win() {
    let tables = Tables::default().with_three_men();
    let mut engine = Engine::new(Settings::default());
    let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
    let ending = find("queen-1").unwrap();
    // 3Q4/8/2k5/8/8/3K4/8/8: to a corner, and the queen takes its last square.
    let mut line = Trial::after(ending, &["Kc4", "Kb7", "Qd6", "Ka8"]).unwrap_or_else(|error| {
        panic!("{error}");
    });
    let step = line.step("Qc7", &mut guide, Help::Moves, None).unwrap().unwrap();
    assert_eq!(step.end, Some(End::OnlyDrawn(Outcome::Stalemate)));
    assert!(step.turn.gives_away && step.reply.is_none());
}

#[test]
fn the_shortest_way_is_as_long_as_the_tables_say() {
    let tables = Tables::default().with_three_men();
    let mut engine = Engine::new(Settings::default());
    let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
    let trial = Trial::after(find("rook-6").unwrap(), &[""; 0]).unwrap();
    let way = trial.way(&mut guide).unwrap();
    assert_eq!(way.moves().len(), 31); // mate in 16
    assert_eq!(way.scenes(0).len(), 31);
    assert!(way.scenes(30)[0].written.ends_with('#'));
}

#[test]
fn a_drawn_position_asks_what_is_hardest() {
    // After Kf5 or Kd5 one move of six holds; after most others all do.
    let tables = Tables::default().with_three_men();
    let mut engine = Engine::new(Settings::default());
    let mut guide = Guide { tables: &tables, thinker: &mut engine, stop: Stop::default() };
    let position: tabiya_chess::Position = "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1".parse().unwrap();
    let game = tabiya_chess::Game::from_position(position);
    let reply = guide.reply(&game, 1).unwrap().unwrap();
    let next = position.play(reply).unwrap();
    let answers = known(&tables, &next).unwrap();
    let holding = answers.iter().filter(|(_, verdict)| verdict.does(Task::Draw)).count();
    assert_eq!(holding, 1, "{}", next.fen());
}
