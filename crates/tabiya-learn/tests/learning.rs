//! Games are looked through, and their mistakes become cards.

use tabiya_coach::Answer;
use tabiya_learn::{LearnError, Lesson, Progress, csv, learn_from};
use tabiya_play::Side;
use tabiya_review::{ReviewSettings, Stop};
use tabiya_store::{CardKind, GameId, Learner, Store};

/// White hangs the queen, Black gives it back.
const MOVES: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 5. Ng5 O-O 6. Qh5 Nxh5 7. a3 g6 8. a4 a6 9. h3 b6";

fn record(white: &str, black: &str, moves: &str) -> String {
    format!(
        "[Event \"Club, \\\"A\\\"\"]\n[Date \"2026.11.09\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[BlackElo \"1500\"]\n[Result \"0-1\"]\n\n{moves} 0-1\n\n"
    )
}

fn settings() -> ReviewSettings {
    ReviewSettings { nodes: 2_000, ..ReviewSettings::default() }
}

fn look(store: &Store, id: i64) -> tabiya_learn::Learned {
    let names = store.learner().unwrap().names;
    let stop = Stop::default();
    learn_from(store, GameId(id), &names, &settings(), &mut |_, _| {}, &stop).unwrap()
}

fn cards(store: &Store) -> Vec<Lesson> {
    let cards = store.list_cards(CardKind::Exercise, None, 100).unwrap();
    cards.iter().map(|card| Lesson::read(&card.content.payload).unwrap()).collect()
}

#[test]
fn every_mistake_becomes_one_card() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let file = record("Marta", "Ada, Countess", MOVES)
        + &record("Marta", "Bob", &MOVES.replace("h3 b6", "h4 b6"))
        + &record("Ada", "Bob", &MOVES.replace("h3 b6", "f3 b6"));
    store.import(file.as_bytes()).unwrap();
    let learner = Learner { names: vec!["Marta".into()], goes_on: true };
    store.keep_learner(&learner).unwrap();
    let first = look(&store, 1);
    assert_eq!(first.side, Some(Side::White));
    assert_eq!((first.exercises, first.new), (cards(&store).len(), first.exercises));
    let queen = cards(&store).into_iter().find(|one| one.ply == 11).unwrap();
    assert_eq!(queen.exercise.task(), "You played 6.Qh5. Find better.");
    assert_eq!((queen.opponent(), queen.day.as_deref()), ("Ada, Countess", Some("2026.11.09")));
    assert_eq!(queen.last.as_deref(), Some("e8g8"));
    assert_eq!(queen.exercise.judge("Qh5"), Ok(Answer::AsPlayed));
    for &m in &queen.exercise.good {
        let san = queen.exercise.mistake.before.san(m);
        assert_eq!(queen.exercise.judge(&san), Ok(Answer::Good));
    }
    // As a record it can be read again, with the mistake beside the better move.
    let game: tabiya_pgn::Game = queen.pgn().parse().unwrap();
    assert_eq!(game.tree().start(), &queen.exercise.mistake.before);
    assert!(game.to_string().contains("Qh5"), "{game}");

    // The same mistake in another game is the same card, and stays that of the first.
    let second = look(&store, 2);
    assert!(second.exercises > 0 && second.new < second.exercises);
    assert!(cards(&store).iter().any(|one| one.ply == 11 && one.game == GameId(1)));
    // Nobody of that name played the third; nothing is left then.
    assert_eq!(look(&store, 3).side, None);
    assert_eq!(store.games_to_learn(9).unwrap().1, 0);
    // The review that was made is there for everybody, and is not made again.
    let mut told = 0;
    let stop = Stop::default();
    learn_from(&store, GameId(1), &learner.names, &settings(), &mut |_, _| told += 1, &stop)
        .unwrap();
    assert_eq!(told, 0);

    let progress = Progress::of(&store.learned_games().unwrap());
    assert_eq!((progress.games.len(), progress.games[0].points), (2, Some(0.0)));
    assert_eq!((progress.levels[0].rating, progress.levels[0].games), (1500, 2));
    assert_eq!(progress.games[1].performance, Some(1100));
    let table = csv(&progress);
    assert!(table.contains(",2026-11-09,white,\"Ada, Countess\",1500,0,"), "{table}");
}

#[test]
fn what_was_stopped_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.import(record("Marta", "Ada", MOVES).as_bytes()).unwrap();
    let names = ["Marta".to_owned()];
    store.keep_learner(&Learner { names: names.to_vec(), goes_on: true }).unwrap();
    let stop = Stop::default();
    let mut progress = |done, _| {
        if done == 3 {
            stop.stop()
        }
    };
    let result = learn_from(&store, GameId(1), &names, &settings(), &mut progress, &stop);
    assert!(matches!(result, Err(LearnError::Stopped(_))));
    assert_eq!(store.games_to_learn(9).unwrap().1, 1);
    assert!(look(&store, 1).new > 0);
}
