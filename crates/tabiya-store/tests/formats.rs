//! Files of earlier versions are brought up to date, and keep what is in them.

use std::path::Path;

use sqlx::{ConnectOptions as _, Connection as _};
use tabiya_play::{GameSetup, Side, Start};
use tabiya_store::{GameFilter, GameId, Store, StoreError, StudyId};

/// Writes a file by the statements of another.
fn write(folder: &Path, statements: &'static str) {
    let path = folder.join("games.db");
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
        let mut connection = options.create_if_missing(true).connect().await.unwrap();
        sqlx::raw_sql(statements).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

fn found(store: &Store, player: &str) -> Vec<i64> {
    let filter = GameFilter { search: Some(player.to_owned()), ..GameFilter::default() };
    store.list(&filter).unwrap().into_iter().map(|game| game.id.0).collect()
}

/// The games that both formats hold. In the last of them nobody ever moved.
fn has_its_games(store: &Store) {
    let ada = store.load(GameId(1)).unwrap();
    let moves: Vec<_> = ada.past.entries.iter().map(|entry| entry.uci.as_str()).collect();
    assert_eq!(moves, ["e2e4", "e7e5"]);
    assert_eq!(ada.summary.result, "1-0");
    assert_eq!(found(store, ""), [2, 1]);
    assert_eq!(store.load(GameId(4)), Err(StoreError::NoGame(GameId(4))));
    assert_eq!(found(store, "morphy"), [2]);
    assert_eq!(found(store, "DA"), [1]);
    assert!(found(store, "zoe").is_empty());
    assert!(store.export(GameId(2)).unwrap().contains("1. e4 *"));
    store.restore(GameId(3)).unwrap();
    assert_eq!(found(store, "ada"), [3, 1]);
    assert_eq!(found(store, "zoe"), [3]);
}

#[test]
fn a_file_of_the_first_format_becomes_one_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), include_str!("data/format-1.sql"));
    let store = Store::open(folder.path()).unwrap();
    has_its_games(&store);
    assert_eq!(store.load(GameId(1)).unwrap().friend, None);
    let setup = GameSetup { remote: true, ..GameSetup::new(Start::standard()) };
    assert_eq!(store.invite(&setup, Side::White), Ok(GameId(5)));
    store.keep_review("3f2a", "1. e4 *").unwrap();
}

#[test]
fn a_file_of_the_fourth_format_becomes_one_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), include_str!("data/format-4.sql"));
    for _ in 0..2 {
        let store = Store::open(folder.path()).unwrap();
        has_its_games(&store);
        assert!(store.load(GameId(1)).unwrap().friend.unwrap().taken);
        assert_eq!(store.load_study(StudyId(1)).unwrap().title, "Ends");
        // It has become a study of one chapter.
        let book = store.load_book(StudyId(1)).unwrap();
        assert_eq!((book.title.as_str(), book.chapters.len()), ("Ends", 1));
        assert!(store.load_review("3f2a").unwrap().is_some());
        store.delete(GameId(3)).unwrap();
    }
}
