//! Whose games are learned from, and which of them are left.

use tabiya_play::{GameController as _, GameSetup, Player, Request, SessionDeps, Side, Start};
use tabiya_store::{CardKind, Findings, GameFilter, GameId, Learner, NewCard, Store};

const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";

fn record(white: &str, black: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
}

fn findings(plies: u32, side: Option<Side>) -> Findings {
    Findings { plies, side, accuracy: Some(81.5), moves: 5, counts: [1, 2, 3] }
}

#[test]
fn games_wait_until_they_were_looked_through() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let file = record("Marta Kern", "Ada", MOVES)
        + &record("Ada", "MARTA KERN", &MOVES.replace("Ba4", "Bxc6"))
        + &record("Ada", "Bob", MOVES)
        + &record("Marta Kern", "Bob", "1. e4");
    store.import(file.as_bytes()).unwrap();
    let names: Vec<_> =
        store.names_in_games(9).unwrap().into_iter().map(|one| (one.name, one.games)).collect();
    assert_eq!(names[..2], [("Ada".to_owned(), 3), ("Marta Kern".to_owned(), 3)]);
    // Nobody has said who they are, and nothing was played here.
    assert_eq!(store.games_to_learn(9).unwrap(), (vec![], 0));
    store.keep_learner(&Learner { names: vec!["Márta Kern".into()], goes_on: true }).unwrap();
    let (games, count) = store.games_to_learn(1).unwrap();
    assert_eq!((games.len(), count), (1, 2));

    let card =
        NewCard { kind: CardKind::Exercise, key: "1".into(), tags: vec![], payload: String::new() };
    let new = store.keep_findings(GameId(1), findings(10, Some(Side::White)), vec![card.clone()]);
    assert_eq!(new, Ok(1));
    assert_eq!(store.keep_findings(GameId(2), findings(10, None), vec![card]), Ok(0));
    assert_eq!(store.games_to_learn(9).unwrap().1, 0);
    let learned = store.learned_games().unwrap();
    assert_eq!(
        (learned.len(), learned[0].id, learned[0].findings),
        (1, GameId(1), findings(10, Some(Side::White)))
    );
    assert_eq!((learned[0].result.as_str(), learned[0].eco.is_empty()), ("1-0", false));
    // Another name: those without a side are asked about again.
    let both = Learner { names: vec!["Marta Kern".into(), "Bob".into()], goes_on: false };
    store.keep_learner(&both).unwrap();
    assert_eq!(store.games_to_learn(9).unwrap(), (vec![GameId(3), GameId(2)], 2));
    store.pass_over(GameId(3)).unwrap();
    assert_eq!(store.games_to_learn(9).unwrap(), (vec![GameId(2)], 1));
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.learner().unwrap(), both);
    store.delete(GameId(1)).unwrap();
    assert!(store.learned_games().unwrap().is_empty());
    assert!(tabiya_store::check(folder.path()).unwrap().faults.is_empty());
}

#[test]
fn a_game_that_is_played_here_waits_when_it_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let setup =
        GameSetup { players: [Player::HUMAN, Player::HUMAN], ..GameSetup::new(Start::standard()) };
    let mut game = store.begin(setup, SessionDeps::default()).unwrap();
    for text in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"] {
        game.submit(text).unwrap();
    }
    assert_eq!(store.games_to_learn(9).unwrap().1, 0);
    game.request(&Request::Resign).unwrap();
    let id = game.id();
    assert_eq!(store.games_to_learn(9).unwrap(), (vec![id], 1));
    assert_eq!(store.list(&GameFilter::default()).unwrap().len(), 1);
}
