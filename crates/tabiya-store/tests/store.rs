//! Games on disk: kept, found, changed, thrown away, and never overwritten by mistake.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tabiya_play::{
    Change, Entry, Executor, GameController, GameEnd, GameKind, GameSetup, Player, Request,
    SessionDeps, Start,
};
use tabiya_store::{GameFilter, GameId, Store, StoreError};

fn means() -> SessionDeps {
    SessionDeps { executor: Executor::here(), ..SessionDeps::default() }
}

fn standard() -> GameSetup {
    GameSetup::new(Start::standard())
}

fn open(folder: &Path) -> Store {
    Store::open(folder).unwrap()
}

fn entry(code: &str) -> Entry {
    Entry { uci: code.to_owned(), clocks: None }
}

#[test]
fn a_game_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let setup = GameSetup {
        players: ["human:Ada".parse().unwrap(), "tabiya:1200".parse().unwrap()],
        control: Some("5+3".parse().unwrap()),
        seed: u64::MAX,
        take_backs: false,
        date: Some("2026.11.15".to_owned()),
        ..GameSetup::new(Start::chess960(17).unwrap())
    };
    let id = open(folder.path()).create(&setup).unwrap();
    let added = vec![
        Entry {
            uci: "e2e4".into(),
            clocks: Some([Duration::from_millis(299_500), Duration::from_secs(300)]),
        },
        entry("e7e5"),
    ];
    let end = Some(GameEnd::drawn("Draw by agreement"));
    let change = Change { stays: 0, added: added.clone(), end: end.clone() };
    open(folder.path()).change(id, 0, &change).unwrap();
    let stored = open(folder.path()).load(id).unwrap();
    assert_eq!(stored.setup, setup);
    assert_eq!((stored.past.entries, stored.past.end), (added, end));
    assert_eq!(stored.summary.plies, 2);
    assert_eq!(stored.summary.players, ["human:Ada", "tabiya:1200"]);
}

#[test]
fn a_session_is_on_disk_at_every_step() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let setup =
        GameSetup { players: [Player::HUMAN, "random".parse().unwrap()], seed: 4, ..standard() };
    let mut game = store.begin(setup, means()).unwrap();
    let other = open(folder.path());
    let on_disk = |game: &tabiya_store::Kept| {
        let stored = other.load(game.id()).unwrap();
        assert_eq!(stored.past, game.session().past());
        stored.past.entries.len()
    };
    game.submit("e4").unwrap();
    assert_eq!(on_disk(&game), 1);
    while game.poll() {}
    assert_eq!(on_disk(&game), 2);
    game.request(&Request::TakeBack).unwrap();
    assert_eq!(on_disk(&game), 0);
    game.request(&Request::Redo).unwrap();
    assert_eq!(on_disk(&game), 2);
    game.request(&Request::Resign).unwrap();
    on_disk(&game);
    let id = game.id();
    drop(game);
    let game = other.resume(id, means()).unwrap();
    assert_eq!(game.view().end.unwrap().text, "White resigns: Black wins");
    assert_eq!(game.view().moves.len(), 2);
}

#[test]
fn the_bishop_and_king_game_is_kept_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let setup = GameSetup {
        players: [Player::HUMAN, "tabiya:2".parse().unwrap()],
        ..GameSetup::new(Start::bishops("5\nKa1, Bb1, Bc1\nKe5, Bd5, Bc5").unwrap())
    };
    let mut game = store.begin(setup, means()).unwrap();
    game.submit("a1b2").unwrap();
    while game.poll() {}
    let before = game.view();
    let id = game.id();
    drop(game);
    let again = open(folder.path()).resume(id, means()).unwrap().view();
    assert_eq!((again.pieces, again.moves, again.turn), (before.pieces, before.moves, before.turn));
    assert_eq!(again.kind, GameKind::Bishops);
}

#[test]
fn two_processes_do_not_write_over_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (open(folder.path()), open(folder.path()));
    let mut ours = here.begin(standard(), means()).unwrap();
    let mut theirs = there.resume(ours.id(), means()).unwrap();
    ours.submit("e4").unwrap();
    assert_eq!(
        theirs.submit("d4").unwrap_err().0,
        "Game 1 has been changed from elsewhere meanwhile: open it again."
    );
    assert!(theirs.view().moves.is_empty());
    ours.submit("e5").unwrap();
    assert_eq!(there.load(ours.id()).unwrap().past.entries.len(), 2);
}

#[test]
fn games_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let pgn = "[White \"Morphy, Paul\"]\n[Black \"Duke\"]\n[Date \"1858.11.02\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
               [White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Date \"1851.06.21\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. f4 1-0\n\n\
               [White \"Zukertort\"]\n[Black \"Morphy, Paul\"]\n[Result \"1/2-1/2\"]\n\n1. c4 1/2-1/2\n";
    assert_eq!(store.import(pgn.as_bytes()).unwrap().games, 3);
    store.create(&standard()).unwrap();
    let bishops = GameSetup::new(Start::bishops("3\nKa1\nKc3").unwrap());
    store.create(&bishops).unwrap();
    let ids = |filter: GameFilter| -> Vec<i64> {
        store.list(&filter).unwrap().into_iter().map(|game| game.id.0).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(ids(GameFilter::default()), [5, 4, 3, 2, 1]);
    assert_eq!(ids(GameFilter { search: some("MORPHY"), ..GameFilter::default() }), [3, 1]);
    assert!(ids(GameFilter { search: some("%"), ..GameFilter::default() }).is_empty());
    assert_eq!(ids(GameFilter { result: some("1-0"), ..GameFilter::default() }), [2, 1]);
    assert_eq!(ids(GameFilter { kind: Some(GameKind::Bishops), ..GameFilter::default() }), [5]);
    assert_eq!(ids(GameFilter { unfinished: true, ..GameFilter::default() }), [5, 4]);
    assert_eq!(ids(GameFilter { begun: true, ..GameFilter::default() }), [3, 2, 1]);
    assert_eq!(ids(GameFilter { played_here: true, ..GameFilter::default() }), [5, 4]);
    assert_eq!(
        ids(GameFilter { since: some("1852"), until: some("1900"), ..GameFilter::default() }),
        [1]
    );
    assert_eq!(ids(GameFilter { until: some("1858.11"), ..GameFilter::default() }), [2, 1]);
    assert_eq!(ids(GameFilter { limit: Some(2), ..GameFilter::default() }), [5, 4]);
}

#[test]
fn a_deleted_game_can_be_had_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let id = store.create(&standard()).unwrap();
    store.change(id, 0, &Change { stays: 0, added: vec![entry("e2e4")], end: None }).unwrap();
    store.delete(id).unwrap();
    assert_eq!(store.load(id), Err(StoreError::NoGame(id)));
    assert!(store.list(&GameFilter::default()).unwrap().is_empty());
    assert_eq!(
        store.list(&GameFilter { deleted: true, ..GameFilter::default() }).unwrap().len(),
        1
    );
    store.restore(id).unwrap();
    assert_eq!(store.load(id).unwrap().past.entries.len(), 1);
    assert_eq!(store.delete(GameId(99)), Err(StoreError::NoGame(GameId(99))));
}

#[test]
fn records_go_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let pgn = "[Event \"Blindfold\"]\n[Site \"Paris\"]\n[Date \"1858.11.02\"]\n[Round \"?\"]\n[White \"Morphy, Paul\"]\n\
               [Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 $1 {good} 1... e5 (1... c5 2. Nf3) 2. Nf3 1-0\n";
    let two = format!("{pgn}\n[White \"Bad\"]\n\n1. e5 *\n\n{pgn}");
    let imported = store.import(two.as_bytes()).unwrap();
    assert_eq!((imported.games, imported.known, imported.bad), (1, 1, 1));
    let bad = &imported.complaints[0];
    assert_eq!((bad.number, bad.place.line), (2, 13), "{bad}");
    let id = store.list(&GameFilter::default()).unwrap()[0].id;
    assert_eq!(
        store.export(id).unwrap().split_whitespace().collect::<Vec<_>>(),
        pgn.split_whitespace().collect::<Vec<_>>()
    );
    // It can be taken up where it ended, and is then a record of its own.
    let mut game = store.resume(id, means()).unwrap();
    assert_eq!(game.view().end.clone().unwrap().result, "1-0");
    game.request(&Request::TakeBackOne).unwrap();
    game.submit("Nc6").unwrap();
    let record = store.export(id).unwrap();
    assert!(record.contains("1. e4 e5 2. Nf3 Nc6 *"), "{record}");
    assert!(record.contains("[White \"Morphy, Paul\"]"));
}

#[test]
fn long_games_are_imported_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    // Longer than one statement takes.
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(300);
    let game = |number| format!("[White \"A{number}\"]\n\n{long} 1/2-1/2\n\n");
    let games: String = (0..31).map(game).collect();
    assert_eq!(store.import(games.as_bytes()).unwrap().games, 31);
    assert_eq!(store.list(&GameFilter::default()).unwrap().len(), 31);
    let last = store.load(GameId(31)).unwrap();
    assert_eq!(last.past.entries.len(), 1200);
    assert_eq!(last.past.entries[1199].uci, "f6g8");
}

#[test]
fn hundreds_of_games_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let done = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..200)
        .map(|_| {
            let (store, done) = (store.clone(), Arc::clone(&done));
            thread::spawn(move || {
                let mut game = store.begin(standard(), means()).unwrap();
                for text in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
                    game.submit(text).unwrap();
                }
                done.fetch_add(1, Ordering::Relaxed);
                game.id()
            })
        })
        .collect();
    let ids: Vec<GameId> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert_eq!(done.load(Ordering::Relaxed), 200);
    let again = open(folder.path());
    for id in ids {
        assert_eq!(again.load(id).unwrap().past.entries.len(), 5);
    }
}

#[test]
fn a_wrong_change_leaves_the_others_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let good = store.create(&standard()).unwrap();
    let threads: Vec<_> = (0..20)
        .map(|number| {
            let store = store.clone();
            thread::spawn(move || {
                let change = Change { stays: 0, added: vec![entry("e2e4")], end: None };
                let id = if number == 7 { good } else { GameId(1000 + number) };
                store.change(id, 0, &change)
            })
        })
        .collect();
    let results: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(store.load(good).unwrap().past.entries.len(), 1);
}

/// The store refuses, says why, and has not touched the file.
fn refuses(folder: &Path, bytes: &[u8]) -> StoreError {
    let path = folder.join("games.db");
    std::fs::write(&path, bytes).unwrap();
    let error = Store::open(folder).unwrap_err();
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "{error}");
    error
}

#[test]
fn a_damaged_file_is_told_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = open(folder.path());
        let game =
            |number| format!("[White \"A{number}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n\n");
        store.import((0..300).map(game).collect::<String>().as_bytes()).unwrap();
    }
    let path = folder.path().join("games.db");
    let good = std::fs::read(&path).unwrap();
    for damage in [
        b"hello".to_vec(),
        [&b"SQLite format 3\0"[..], &[7; 5000]].concat(),
        good[..good.len() / 2].to_vec(),
        good.iter()
            .enumerate()
            .map(|(at, &byte)| if at > 4096 { byte ^ 0x55 } else { byte })
            .collect(),
    ] {
        let elsewhere = tempfile::tempdir().unwrap();
        let error = refuses(elsewhere.path(), &damage);
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("is damaged"), "{error}");
    }
    // The good one still opens.
    assert_eq!(open(folder.path()).list(&GameFilter::default()).unwrap().len(), 300);
}

#[test]
fn a_newer_or_foreign_file_is_told_and_left_alone() {
    let elsewhere = tempfile::tempdir().unwrap();
    drop(open(elsewhere.path()));
    let path = elsewhere.path().join("games.db");
    let ours = std::fs::read(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // The version is a number at byte 60 of the file, the application at byte 68.
    let mut newer = ours.clone();
    newer[60..64].copy_from_slice(&99u32.to_be_bytes());
    let known = i64::from(u32::from_be_bytes(ours[60..64].try_into().unwrap()));
    assert_eq!(
        refuses(folder.path(), &newer),
        StoreError::Newer { path: folder.path().join("games.db"), found: 99, known }
    );
    let mut foreign = ours;
    foreign[68..72].copy_from_slice(&7u32.to_be_bytes());
    assert!(matches!(refuses(folder.path(), &foreign), StoreError::NotOurs { .. }));
}

#[test]
fn a_folder_that_cannot_be_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Store::open(&file.join("games")).unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error}");
    assert!(error.to_string().starts_with("games cannot be kept in "), "{error}");
    // A folder where the file should be.
    std::fs::create_dir(folder.path().join("games.db")).unwrap();
    assert!(Store::open(folder.path()).is_err());
}

#[test]
fn many_open_a_new_folder_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let path = path.clone();
                thread::spawn(move || Store::open(&path)?.create(&standard()))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap().unwrap();
        }
        assert_eq!(open(&path).list(&GameFilter::default()).unwrap().len(), 8);
    }
}
