//! Whether all that is kept is sound: the file, and every game in it, move by move.

use std::path::Path;

use sqlx::sqlite::SqliteConnection;
use sqlx::{ConnectOptions as _, Row, query};
use tabiya_play::{Executor, GameSetup, Player, Session, SessionDeps};

use crate::{GameId, Store, StoreError, backup, read, schema};

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// How many games were replayed.
    pub games: usize,
    /// How many moves they have.
    pub moves: usize,
    /// How many studies were read.
    pub studies: usize,
    /// What is wrong, a sentence each.
    pub faults: Vec<String>,
}

/// Checks the games of a folder: the pages of the file, what belongs to what, and every game replayed by the rules.
/// Others may play meanwhile.
///
/// ```
/// # use {tabiya_play::{GameSetup, Start}, tabiya_store::Store};
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// Store::open(folder)?.import("1. e4 e5 2. Nf3 *".as_bytes())?;
/// let checked = tabiya_store::check(folder)?;
/// assert_eq!((checked.games, checked.moves, checked.faults.len()), (1, 3, 0));
/// # Ok::<(), tabiya_store::StoreError>(())
/// ```
pub fn check(folder: &Path) -> Result<Checked, StoreError> {
    check_open(&Store::open(folder)?)
}

/// Checks a copy of the games, which is left as it is.
pub fn check_copy(file: &Path) -> Result<Checked, StoreError> {
    let folder = tempfile::tempdir().map_err(|error| StoreError::copy(file, error))?;
    backup::copy(file, &folder.path().join("games.db"))?;
    let store = Store::open(folder.path()).map_err(|error| error.about(file))?;
    check_open(&store)
}

pub(crate) fn check_open(store: &Store) -> Result<Checked, StoreError> {
    let wrong = |error: sqlx::Error| StoreError::of_file(store.path(), &error);
    backup::runtime()?.block_on(async {
        let mut connection = schema::options(store.path()).connect().await.map_err(wrong)?;
        let mut checked = Checked::default();
        // A file that is damaged in the midst of this is a fault like others.
        if let Err(error) = look_through(&mut connection, &mut checked).await {
            match StoreError::of_file(store.path(), &error) {
                StoreError::Damaged { reason, .. } => {
                    checked.faults.push(format!("the file is damaged: {reason}"));
                }
                other => return Err(other),
            }
        }
        let _ = sqlx::Connection::close(connection).await;
        Ok(checked)
    })
}

async fn look_through(
    connection: &mut SqliteConnection,
    checked: &mut Checked,
) -> Result<(), sqlx::Error> {
    for row in sqlx::raw_sql("PRAGMA integrity_check").fetch_all(&mut *connection).await? {
        let said: String = row.try_get(0)?;
        if said != "ok" {
            checked.faults.push(format!("the file is damaged: {said}"));
        }
    }
    for row in sqlx::raw_sql("PRAGMA foreign_key_check").fetch_all(&mut *connection).await? {
        let (table, of): (String, String) = (row.try_get(0)?, row.try_get(2)?);
        checked.faults.push(format!("something in {table} belongs to none of the {of}"));
    }
    let miscounted = "SELECT id, plies FROM games WHERE plies <>
        (SELECT count(*) FROM moves WHERE game = id AND ply BETWEEN 1 AND plies) OR plies <>
        (SELECT count(*) FROM moves WHERE game = id)";
    for row in sqlx::raw_sql(miscounted).fetch_all(&mut *connection).await? {
        let (id, plies): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        checked.faults.push(format!("game {id} should have moves 1 to {plies}, and has not"));
    }
    let ids = sqlx::raw_sql("SELECT id FROM games ORDER BY id").fetch_all(&mut *connection).await?;
    for row in ids {
        let id = GameId(row.try_get(0)?);
        match replay(connection, id).await {
            Ok(moves) => {
                checked.games += 1;
                checked.moves += moves;
            }
            // It was deleted meanwhile.
            Err(StoreError::NoGame(_)) => {}
            Err(error) => checked.faults.push(error.to_string()),
        }
    }
    let ids = sqlx::raw_sql("SELECT id FROM studies ORDER BY id").fetch_all(&mut *connection);
    for row in ids.await? {
        let id: i64 = row.try_get(0)?;
        let study = query("SELECT pgn FROM studies WHERE id = ?1").bind(id);
        let Some(row) = study.fetch_optional(&mut *connection).await? else { continue };
        let pgn: String = row.try_get(0)?;
        match tabiya_pgn::Reader::new(pgn.as_bytes()).next_game() {
            Ok(_) => checked.studies += 1,
            Err(error) => checked.faults.push(format!("study {id} cannot be read: {error}")),
        }
    }
    Ok(())
}

/// How many moves a game has, all of them legal.
async fn replay(connection: &mut SqliteConnection, id: GameId) -> Result<usize, StoreError> {
    let stored = read::load(connection, id, true).await?;
    // Whoever plays it, nobody shall think now.
    let setup = GameSetup { players: [Player::HUMAN, Player::HUMAN], ..stored.setup };
    let deps = SessionDeps { executor: Executor::new(drop), ..SessionDeps::default() };
    Session::restore(setup, &stored.past, deps).map_err(|error| StoreError::bad_game(id, error))?;
    Ok(stored.past.entries.len())
}
