//! Copies of all that is kept, what may be put in its place, and what is found wrong.

use std::path::Path;

use sqlx::ConnectOptions as _;
use tabiya_play::{GameSetup, Start};
use tabiya_store::{GameFilter, Store, StoreError, check, check_copy, restore};

fn games(folder: &Path) -> usize {
    Store::open(folder).unwrap().list(&GameFilter::default()).unwrap().len()
}

fn with_games(count: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let game = |number| format!("[White \"Player {number}\"]\n\n1. e4 e5 2. Nf3 *\n\n");
    store.import((0..count).map(game).collect::<String>().as_bytes()).unwrap();
    folder
}

/// Does something to a file that no store would do.
fn meddle(folder: &Path, statements: &'static str) {
    let path = folder.join("games.db");
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).foreign_keys(false);
        let mut connection = options.connect().await.unwrap();
        sqlx::raw_sql(statements).execute(&mut connection).await.unwrap();
        sqlx::Connection::close(connection).await.unwrap();
    });
}

#[test]
fn a_backup_is_of_one_moment_while_others_play() {
    let folder = with_games(20);
    let store = Store::open(folder.path()).unwrap();
    let copies = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..200 {
                store.create(&GameSetup::new(Start::standard())).unwrap();
            }
        });
        for number in 0..3 {
            let file = copies.path().join(number.to_string());
            store.backup(&file).unwrap();
            assert_eq!(check_copy(&file).unwrap().faults, Vec::<String>::new());
        }
        writer.join().unwrap();
    });
    assert_eq!(std::fs::read_dir(copies.path()).unwrap().count(), 3, "and nothing else");
    // What is there is not written over, and a folder that is not there is told.
    let first = copies.path().join("0");
    let before = std::fs::read(&first).unwrap();
    assert_eq!(store.backup(&first), Err(StoreError::Exists { path: first.clone() }));
    assert_eq!(std::fs::read(&first).unwrap(), before);
    let nowhere = store.backup(&copies.path().join("nowhere/copy")).unwrap_err();
    assert!(nowhere.to_string().contains("nowhere"), "{nowhere}");
}

#[test]
fn a_backup_comes_back_and_what_was_there_is_kept_aside() {
    let (ours, theirs) = (with_games(3), with_games(5));
    let file = theirs.path().join("copy");
    Store::open(theirs.path()).unwrap().backup(&file).unwrap();
    for number in 1..3 {
        let restored = restore(ours.path(), &file).unwrap();
        assert_eq!((restored.checked.games, restored.checked.moves), (5, 15));
        let aside = ours.path().join(format!("games-before-{number}.db"));
        assert_eq!(restored.before, Some(aside.clone()));
        assert_eq!(check_copy(&aside).unwrap().games, if number == 1 { 3 } else { 5 });
        assert_eq!(games(ours.path()), 5);
    }
    // Into a folder that is not there yet.
    let new = ours.path().join("new");
    assert_eq!(restore(&new, &file).unwrap().before, None);
    assert_eq!(games(&new), 5);
}

#[test]
fn nothing_is_restored_while_somebody_plays() {
    let (ours, theirs) = (with_games(3), with_games(5));
    let store = Store::open(ours.path()).unwrap();
    let error = restore(ours.path(), &theirs.path().join("games.db")).unwrap_err();
    assert_eq!(error, StoreError::InUse { path: ours.path().to_owned() });
    assert_eq!(store.list(&GameFilter::default()).unwrap().len(), 3);
    drop(store);
    assert!(restore(ours.path(), &theirs.path().join("games.db")).is_ok());
    assert_eq!(games(ours.path()), 5);
}

#[test]
fn what_is_not_sound_is_not_restored() {
    let ours = with_games(3);
    let before = std::fs::read(ours.path().join("games.db")).unwrap();
    let refused = |file: &Path| {
        let error = restore(ours.path(), file).unwrap_err();
        assert_eq!(std::fs::read(ours.path().join("games.db")).unwrap(), before);
        let names = std::fs::read_dir(ours.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        let said = error.to_string();
        assert!(said.contains(file.to_str().unwrap()), "{said}");
        said
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let text = elsewhere.path().join("notes.txt");
    std::fs::write(&text, "not a database, but a text").unwrap();
    assert!(refused(&text).contains("is damaged"));
    assert!(refused(&elsewhere.path().join("missing")).contains("No such file"));
    let illegal = with_games(2);
    meddle(illegal.path(), "UPDATE moves SET code = 'e2e5' WHERE game = 2 AND ply = 1");
    let said = refused(&illegal.path().join("games.db"));
    assert!(said.contains("is not sound") && said.contains("game 2 cannot be read"), "{said}");
    let damaged = with_games(300);
    let path = damaged.path().join("games.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0x55);
    std::fs::write(&path, bytes).unwrap();
    assert!(refused(&path).contains("is damaged"));
}

#[test]
fn every_fault_is_a_sentence() {
    let folder = with_games(4);
    assert_eq!(check(folder.path()).unwrap().faults, Vec::<String>::new());
    meddle(
        folder.path(),
        "UPDATE moves SET code = 'e7e4' WHERE game = 1 AND ply = 2;
         DELETE FROM moves WHERE game = 2 AND ply = 2;
         UPDATE games SET start = 'nowhere' WHERE id = 3;
         INSERT INTO moves VALUES (77, 1, 'e2e4', NULL, NULL);
         INSERT INTO studies (title, pgn, here, sequence, created, updated) VALUES ('', '1. e5 *', 0, 0, 0, 0)",
    );
    let checked = check(folder.path()).unwrap();
    let begin = |text: &str| checked.faults.iter().any(|fault| fault.starts_with(text));
    assert!(begin("game 1 cannot be read: "), "{:?}", checked.faults);
    assert!(begin("game 2 should have moves 1 to 3, and has not"), "{:?}", checked.faults);
    assert!(begin("game 3 cannot be read: "), "{:?}", checked.faults);
    assert!(begin("something in moves belongs to none of the games"), "{:?}", checked.faults);
    assert!(begin("study 1 cannot be read: "), "{:?}", checked.faults);
    assert_eq!(checked.games, 1);
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("games");
    let store = Store::open(&folder).unwrap();
    store.create(&GameSetup::new(Start::standard())).unwrap();
    assert_eq!(mode(&folder), 0o700);
    store.backup(&folder.join("copy.db")).unwrap();
    let private = |folder: &Path, names: &[&str]| {
        for name in names {
            assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
        }
    };
    private(&folder, &["games.db", "games.db-wal", "games.db-shm", "games.lock", "copy.db"]);
    drop(store);
    // Files of earlier versions could be read by everybody.
    let path = folder.join("games.db");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let store = Store::open(&folder).unwrap();
    private(&folder, &["games.db", "games.db-wal", "games.db-shm"]);
    drop(store);
    restore(&folder, &folder.join("copy.db")).unwrap();
    private(&folder, &["games.db", "games-before-1.db"]);
}

#[test]
fn games_that_nobody_began_are_forgotten() {
    let folder = with_games(1);
    let setup = GameSetup::new(Start::standard());
    let friends = GameSetup { remote: true, ..setup.clone() };
    let store = Store::open(folder.path()).unwrap();
    for _ in 0..4 {
        store.create(&setup).unwrap();
    }
    store.invite(&friends, tabiya_play::Side::Black).unwrap();
    store.invite(&friends, tabiya_play::Side::Black).unwrap();
    drop(store);
    // Game 1 has a record, 2 is new, 3, 4 and 5 are two days old; 5 was resigned. 6 waits for two days, 7 for forty.
    meddle(
        folder.path(),
        "UPDATE games SET updated = updated - 2 * 86400000 WHERE id IN (1, 3, 4, 5, 6);
         UPDATE games SET result = '0-1', ending = 'White resigns: Black wins' WHERE id = 5;
         UPDATE games SET updated = updated - 40 * 86400000 WHERE id = 7",
    );
    let ids = |store: &Store| {
        let mut ids: Vec<_> =
            store.list(&GameFilter::default()).unwrap().iter().map(|game| game.id.0).collect();
        ids.sort_unstable();
        ids
    };
    // While somebody has the folder open, those who come leave their games alone.
    let lock = std::fs::File::open(folder.path().join("games.lock")).unwrap();
    lock.lock_shared().unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(ids(&store), [1, 2, 3, 4, 5, 6, 7]);
    store.purge(&[tabiya_store::GameId(4)]).unwrap();
    assert_eq!(ids(&store), [1, 2, 4, 6]);
    drop((store, lock));
    assert_eq!(ids(&Store::open(folder.path()).unwrap()), [1, 2, 6]);
}
