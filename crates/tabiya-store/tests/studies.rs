//! Studies on the disk.

use sqlx::ConnectOptions as _;
use tabiya_play::{GameSetup, Start};
use tabiya_store::{KeptStudy, Store, StoreError, StudyId};

fn study(title: &str) -> KeptStudy {
    KeptStudy { title: title.to_owned(), pgn: "1. e4 (1. d4) *".to_owned(), here: 2, sequence: 5 }
}

#[test]
fn studies_outlive_the_house() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let first = store.add_study(&study("first")).unwrap();
    let second = store.add_study(&study("second")).unwrap();
    let changed = KeptStudy { pgn: "1. c4 *".to_owned(), sequence: u64::MAX, ..study("first") };
    // A moment later: times are kept in milliseconds.
    std::thread::sleep(std::time::Duration::from_millis(5));
    store.keep_study(first, &changed).unwrap();
    store.delete_study(second).unwrap();
    drop(store);

    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.load_study(first).unwrap(), changed);
    assert_eq!(store.load_study(second), Err(StoreError::NoStudy(second)));
    assert_eq!(store.keep_study(second, &changed), Err(StoreError::NoStudy(second)));
    assert_eq!(store.restore_study(StudyId(9)), Err(StoreError::NoStudy(StudyId(9))));
    store.restore_study(second).unwrap();
    let titles: Vec<String> =
        store.list_studies(9, 0).unwrap().into_iter().map(|one| one.title).collect();
    assert_eq!(titles, ["first", "second"], "the one that was touched last comes first");
    assert_eq!(store.list_studies(1, 1).unwrap().len(), 1);
}

/// A file of the time before there were studies and reviews is brought up to date, and keeps its games.
#[test]
fn a_file_from_before_gets_room_for_studies_and_reviews() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let game = store.create(&GameSetup::new(Start::standard())).unwrap();
    drop(store);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let file = folder.path().join("games.db");
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
        let mut connection = options.connect().await.unwrap();
        let before = "DROP TABLE studies; DROP TABLE friends; DROP TABLE reviews;
                      PRAGMA user_version = 1";
        sqlx::raw_sql(before).execute(&mut connection).await.unwrap();
        sqlx::Connection::close(connection).await.unwrap();
    });
    let store = Store::open(folder.path()).unwrap();
    assert!(store.load(game).is_ok());
    let id = store.add_study(&study("new")).unwrap();
    assert_eq!(store.load_study(id).unwrap(), study("new"));
    store.keep_review("key", "first").unwrap();
    store.keep_review("key", "second").unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.load_review("key").unwrap().as_deref(), Some("second"));
}
