//! The file: what is in it, how it is opened, and how an older one becomes a newer one.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Row};

use crate::StoreError;

/// How our files are recognised: "Tbya".
const APPLICATION: i64 = 0x5462_7961;

/// Each step leads from one version to the next; the version of a file is the number of steps made.
/// A step that has been released is never changed.
const STEPS: &[&str] = &[
    "
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('chess', 'bishops')),
    start TEXT NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    control TEXT,
    seed INTEGER NOT NULL,
    take_backs INTEGER NOT NULL,
    date TEXT,
    result TEXT NOT NULL DEFAULT '*',
    ending TEXT NOT NULL DEFAULT '',
    -- How it was called in the record it came from, and that record, until somebody plays on.
    event TEXT,
    record TEXT,
    -- Milliseconds since 1970.
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER
) STRICT;
CREATE INDEX games_by_time ON games (updated DESC);
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    code TEXT NOT NULL,
    -- What was left on the clocks after the move, in milliseconds.
    white INTEGER,
    black INTEGER,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
",
    "
CREATE TABLE studies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    -- The whole tree, the node one stands at, and how often it was edited.
    pgn TEXT NOT NULL,
    here INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER
) STRICT;
CREATE INDEX studies_by_time ON studies (updated DESC);
",
    "
-- Games between people at two machines.
CREATE TABLE friends (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    -- The seat that was kept free for somebody who had still to come.
    seat TEXT CHECK (seat IN ('white', 'black')),
    -- By what the one who took it is known again, should the answer have been lost; nothing while it is free.
    guest TEXT,
    -- The game in which they play on.
    next INTEGER
) STRICT;
",
    "
CREATE TABLE reviews (
    -- The fingerprint of start, moves, times and settings.
    key TEXT PRIMARY KEY,
    -- The game with the review in it.
    record TEXT NOT NULL,
    made INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_by_time ON reviews (made DESC);
",
];

pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// A file up to this size is looked over before it is used.
const CHECKED_SIZE: u64 = 16 << 20;

/// How long somebody else may have the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens the file, or makes it. Nothing is written to a file that is damaged, newer or not ours.
pub(crate) async fn open(path: &Path) -> Result<SqliteConnection, StoreError> {
    let begun = Instant::now();
    loop {
        match open_once(path).await {
            // While a file is made or given up, the database refuses at once instead of waiting.
            Err(StoreError::Busy { .. }) if begun.elapsed() < PATIENCE => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            result => return result,
        }
    }
}

async fn open_once(path: &Path) -> Result<SqliteConnection, StoreError> {
    let wrong = |error: sqlx::Error| StoreError::of_file(path, &error);
    let size = look(path)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(PATIENCE);
    let mut connection = options.connect().await.map_err(wrong)?;
    let version = version(path, &mut connection).await?;
    if size > 0 && size <= CHECKED_SIZE {
        let check = sqlx::raw_sql("PRAGMA quick_check(1)").fetch_one(&mut connection).await;
        let said: String = check.and_then(|row| row.try_get(0)).map_err(wrong)?;
        if said != "ok" {
            return Err(StoreError::Damaged { path: path.to_owned(), reason: said });
        }
    }
    // Another process may be at the same: what was written survives a crash of the machine.
    for pragma in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"] {
        sqlx::raw_sql(pragma).execute(&mut connection).await.map_err(wrong)?;
    }
    migrate(path, &mut connection, version).await?;
    Ok(connection)
}

/// Looks at the first bytes of the file before the database does, and gives its size.
fn look(path: &Path) -> Result<u64, StoreError> {
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(0) };
    let folder = |error: std::io::Error| StoreError::Folder {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let size = file.metadata().map_err(folder)?.len();
    let mut magic = [0; 16];
    if size > 0 && (file.read_exact(&mut magic).is_err() || &magic != b"SQLite format 3\0") {
        let reason = "it is not a database".to_owned();
        return Err(StoreError::Damaged { path: path.to_owned(), reason });
    }
    Ok(size)
}

async fn number(
    connection: &mut SqliteConnection,
    question: &'static str,
) -> Result<i64, sqlx::Error> {
    sqlx::raw_sql(question).fetch_one(connection).await?.try_get(0)
}

/// What tells files apart: application, version, number of tables.
async fn signs(connection: &mut SqliteConnection) -> Result<(i64, i64, i64), sqlx::Error> {
    // All of one moment: somebody else may be making the file just now.
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    let tables = number(connection, "SELECT count(*) FROM sqlite_schema").await?;
    let application = number(connection, "PRAGMA application_id").await?;
    let version = number(connection, "PRAGMA user_version").await?;
    sqlx::raw_sql("COMMIT").execute(connection).await?;
    Ok((application, version, tables))
}

/// The version of the file: 0 if it is empty.
async fn version(path: &Path, connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let signs = signs(connection).await;
    let (application, found, tables) = signs.map_err(|error| StoreError::of_file(path, &error))?;
    if (application, found, tables) == (0, 0, 0) {
        return Ok(0);
    }
    if application != APPLICATION {
        return Err(StoreError::NotOurs { path: path.to_owned() });
    }
    if found > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION });
    }
    Ok(found)
}

async fn migrate(
    path: &Path,
    connection: &mut SqliteConnection,
    before: i64,
) -> Result<(), StoreError> {
    let wrong = |error: sqlx::Error| StoreError::of_file(path, &error);
    if before == VERSION {
        return Ok(());
    }
    let begin = sqlx::raw_sql("BEGIN IMMEDIATE");
    begin.execute(&mut *connection).await.map_err(wrong)?;
    // Somebody else may have done it in the meantime.
    let now = number(connection, "PRAGMA user_version").await.map_err(wrong)?;
    for (index, &step) in STEPS.iter().enumerate().skip(now.max(0) as usize) {
        sqlx::raw_sql(step).execute(&mut *connection).await.map_err(wrong)?;
        let done =
            format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {}", index + 1);
        let done = sqlx::raw_sql(sqlx::AssertSqlSafe(done));
        done.execute(&mut *connection).await.map_err(wrong)?;
    }
    sqlx::raw_sql("COMMIT").execute(connection).await.map_err(wrong)?;
    Ok(())
}
