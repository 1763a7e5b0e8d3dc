//! The file: what is in it, how it is opened, and how an older one becomes a newer one.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Row};

use crate::{StoreError, folder};

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
    "
-- Lists go on where they ended, and searches look into an index.
DROP INDEX games_by_time;
DROP INDEX studies_by_time;
ALTER TABLE games ADD COLUMN plies INTEGER NOT NULL DEFAULT 0;
UPDATE games SET plies = (SELECT count(*) FROM moves WHERE game = id);
CREATE INDEX games_by_time ON games (updated DESC, id DESC);
CREATE INDEX games_not_begun ON games (updated) WHERE plies = 0;
CREATE INDEX games_by_white ON games (white);
CREATE INDEX games_by_black ON games (black);
CREATE INDEX games_by_date ON games (date);
CREATE INDEX games_by_result ON games (result);
CREATE INDEX games_by_kind ON games (kind);
CREATE INDEX games_in_the_bin ON games (deleted) WHERE deleted IS NOT NULL;
CREATE INDEX studies_by_time ON studies (updated DESC, id DESC);
-- Each name once, so that a part of it is found without a look at every game.
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE VIRTUAL TABLE player_search USING fts5 (name, content = 'players', content_rowid = 'id', tokenize = 'trigram');
CREATE TRIGGER player_comes AFTER INSERT ON players BEGIN
    INSERT INTO player_search (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER player_goes AFTER DELETE ON players BEGIN
    INSERT INTO player_search (player_search, rowid, name) VALUES ('delete', old.id, old.name);
END;
INSERT INTO players (name) SELECT white FROM games UNION SELECT black FROM games;
CREATE TRIGGER game_comes AFTER INSERT ON games BEGIN
    INSERT INTO players (name) VALUES (new.white), (new.black) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER game_is_joined AFTER UPDATE OF white, black ON games BEGIN
    INSERT INTO players (name) VALUES (new.white), (new.black) ON CONFLICT DO NOTHING;
    DELETE FROM players WHERE name IN (old.white, old.black)
        AND NOT EXISTS (SELECT 1 FROM games WHERE white = name)
        AND NOT EXISTS (SELECT 1 FROM games WHERE black = name);
END;
CREATE TRIGGER game_goes AFTER DELETE ON games BEGIN
    DELETE FROM players WHERE name IN (old.white, old.black)
        AND NOT EXISTS (SELECT 1 FROM games WHERE white = name)
        AND NOT EXISTS (SELECT 1 FROM games WHERE black = name);
END;
",
    "
-- Those who solve puzzles, and every puzzle that somebody has tried.
CREATE TABLE solvers (
    person TEXT PRIMARY KEY,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    -- Solved in a row, and the most ever.
    streak INTEGER NOT NULL,
    best INTEGER NOT NULL,
    seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE puzzle_tries (
    person TEXT NOT NULL REFERENCES solvers (person) ON DELETE CASCADE,
    puzzle INTEGER NOT NULL,
    at INTEGER NOT NULL,
    hinted INTEGER NOT NULL,
    -- Nothing while it is open.
    score REAL,
    -- After it, and by how much it changed.
    rating REAL NOT NULL,
    change REAL NOT NULL,
    PRIMARY KEY (person, puzzle)
) STRICT, WITHOUT ROWID;
CREATE INDEX puzzle_tries_by_time ON puzzle_tries (person, at DESC);
",
    "
-- Chapters: studies that belong to another one. That one may be taken out as a chapter and stays as the study.
ALTER TABLE studies ADD COLUMN book INTEGER;
ALTER TABLE studies ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE studies ADD COLUMN dropped INTEGER;
-- What a study of several chapters is called.
ALTER TABLE studies ADD COLUMN name TEXT;
CREATE INDEX studies_by_book ON studies (book, place, id) WHERE book IS NOT NULL;
",
    "
-- What lists show, sort and search by, a row for each game: narrow, so that a long list is walked quickly. Names are
-- folded (small letters, no accents); what is not known is '' or 0. Games from before are filled in piece by piece.
DROP TRIGGER game_comes;
DROP TRIGGER game_is_joined;
DROP TRIGGER game_goes;
DROP TABLE player_search;
DROP TABLE players;
DROP INDEX games_by_time;
DROP INDEX games_by_white;
DROP INDEX games_by_black;
DROP INDEX games_by_date;
DROP INDEX games_by_result;
DROP INDEX games_by_kind;
CREATE TABLE catalogue (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    result TEXT NOT NULL,
    plies INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    -- When it came into the bin.
    deleted INTEGER NOT NULL,
    -- Whether it came from a record, and nobody has played on.
    imported INTEGER NOT NULL,
    -- 1858.11.02, 1858.00.00
    day TEXT NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    white_elo INTEGER NOT NULL,
    black_elo INTEGER NOT NULL,
    event TEXT NOT NULL,
    -- The code and the name as people read them, and both folded.
    eco TEXT NOT NULL,
    opening_name TEXT NOT NULL,
    opening TEXT NOT NULL,
    -- Of players, day, result and moves, if it came from a record: the same game is not kept twice.
    fingerprint BLOB
) STRICT;
CREATE INDEX catalogue_by_updated ON catalogue (updated, game);
CREATE INDEX catalogue_by_deleted ON catalogue (deleted, game) WHERE deleted > 0;
CREATE INDEX catalogue_by_day ON catalogue (day, game);
CREATE INDEX catalogue_by_white ON catalogue (white, game);
CREATE INDEX catalogue_by_black ON catalogue (black, game);
CREATE INDEX catalogue_by_white_elo ON catalogue (white_elo, game);
CREATE INDEX catalogue_by_black_elo ON catalogue (black_elo, game);
CREATE INDEX catalogue_by_event ON catalogue (event, game);
CREATE INDEX catalogue_by_opening ON catalogue (opening, game);
CREATE INDEX catalogue_by_result ON catalogue (result, game);
CREATE INDEX catalogue_by_plies ON catalogue (plies, game);
CREATE INDEX catalogue_by_kind ON catalogue (kind) WHERE kind <> 'chess';
CREATE INDEX catalogue_by_imported ON catalogue (imported);
CREATE INDEX catalogue_by_fingerprint ON catalogue (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE TRIGGER game_changes AFTER UPDATE OF result, plies, updated, deleted, record ON games BEGIN
    UPDATE catalogue SET result = new.result, plies = new.plies, updated = new.updated,
        deleted = coalesce(new.deleted, 0), imported = new.record IS NOT NULL,
        fingerprint = CASE WHEN new.record IS NULL THEN NULL ELSE fingerprint END
    WHERE game = new.id;
END;
-- Each name of a player, event or opening once, so that a part of it is found without a look at every game.
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE VIRTUAL TABLE name_search USING fts5 (name, content = 'names', content_rowid = 'id', tokenize = 'trigram');
CREATE TRIGGER name_comes AFTER INSERT ON names BEGIN
    INSERT INTO name_search (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER name_goes AFTER DELETE ON names BEGIN
    INSERT INTO name_search (name_search, rowid, name) VALUES ('delete', old.id, old.name);
END;
CREATE TABLE named (name INTEGER NOT NULL, game INTEGER NOT NULL, PRIMARY KEY (name, game)) STRICT, WITHOUT ROWID;
-- How many games there are of each sort, so that nobody needs to count them.
CREATE TABLE tally (
    imported INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (imported, deleted)
) STRICT, WITHOUT ROWID;
INSERT INTO tally VALUES (0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0);
CREATE TRIGGER entry_comes AFTER INSERT ON catalogue BEGIN
    UPDATE tally SET games = games + 1 WHERE imported = new.imported AND deleted = (new.deleted > 0);
    INSERT INTO names (name)
        SELECT name FROM (SELECT new.white AS name UNION SELECT new.black UNION SELECT new.event UNION SELECT new.opening)
        WHERE name <> '' ON CONFLICT DO NOTHING;
    INSERT INTO named SELECT id, new.game FROM names WHERE name IN (new.white, new.black, new.event, new.opening);
END;
CREATE TRIGGER entry_moves AFTER UPDATE OF imported, deleted ON catalogue
WHEN old.imported <> new.imported OR (old.deleted > 0) <> (new.deleted > 0) BEGIN
    UPDATE tally SET games = games - 1 WHERE imported = old.imported AND deleted = (old.deleted > 0);
    UPDATE tally SET games = games + 1 WHERE imported = new.imported AND deleted = (new.deleted > 0);
END;
CREATE TRIGGER entry_is_renamed AFTER UPDATE OF white, black, event, opening ON catalogue BEGIN
    DELETE FROM named WHERE game = old.game
        AND name IN (SELECT id FROM names WHERE name IN (old.white, old.black, old.event, old.opening));
    INSERT INTO names (name)
        SELECT name FROM (SELECT new.white AS name UNION SELECT new.black UNION SELECT new.event UNION SELECT new.opening)
        WHERE name <> '' ON CONFLICT DO NOTHING;
    INSERT INTO named SELECT id, new.game FROM names WHERE name IN (new.white, new.black, new.event, new.opening);
    DELETE FROM names WHERE name IN (old.white, old.black, old.event, old.opening)
        AND NOT EXISTS (SELECT 1 FROM named WHERE named.name = names.id);
END;
CREATE TRIGGER entry_goes AFTER DELETE ON catalogue BEGIN
    UPDATE tally SET games = games - 1 WHERE imported = old.imported AND deleted = (old.deleted > 0);
    DELETE FROM named WHERE game = old.game
        AND name IN (SELECT id FROM names WHERE name IN (old.white, old.black, old.event, old.opening));
    DELETE FROM names WHERE name IN (old.white, old.black, old.event, old.opening)
        AND NOT EXISTS (SELECT 1 FROM named WHERE named.name = names.id);
END;
-- The games below this number, so many, are not in the catalogue yet; nothing when all are.
CREATE TABLE uncatalogued (below INTEGER NOT NULL, games INTEGER NOT NULL) STRICT;
INSERT INTO uncatalogued SELECT max(id) + 1, count(*) FROM games HAVING count(*) > 0;
",
    "
-- What was taken back and can be played again, as codes with blanks between, and after how many moves: if the game has
-- another number by now, it is old news.
CREATE TABLE undone (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    plies INTEGER NOT NULL,
    codes TEXT NOT NULL
) STRICT;
",
    "
-- What is to be learned. How well a card sits follows from its answers; a card that was never answered has nothing there.
CREATE TABLE cards (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('exercise', 'ending', 'opening')),
    -- By what it is known again.
    key TEXT NOT NULL,
    -- Words with blanks between.
    tags TEXT NOT NULL,
    payload TEXT NOT NULL,
    made INTEGER NOT NULL,
    aside INTEGER NOT NULL DEFAULT 0,
    stability REAL,
    difficulty REAL,
    step INTEGER,
    was_known INTEGER,
    answered INTEGER,
    due INTEGER,
    UNIQUE (kind, key)
) STRICT;
CREATE INDEX cards_by_due ON cards (due, id) WHERE NOT aside AND answered IS NOT NULL;
CREATE INDEX cards_of_a_kind_by_due ON cards (kind, due, id) WHERE NOT aside AND answered IS NOT NULL;
CREATE INDEX cards_to_begin ON cards (id) WHERE NOT aside AND answered IS NULL;
CREATE INDEX cards_of_a_kind_to_begin ON cards (kind, id) WHERE NOT aside AND answered IS NULL;
-- Every answer that was ever given. One that was corrected stays, and counts no more.
CREATE TABLE card_answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    card INTEGER NOT NULL REFERENCES cards (id) ON DELETE CASCADE,
    -- Chosen by whoever answered: what comes twice is known by it.
    name TEXT NOT NULL,
    grade TEXT NOT NULL CHECK (grade IN ('again', 'hard', 'good', 'easy')),
    at INTEGER NOT NULL,
    how TEXT NOT NULL,
    -- The day here, counted from 1970.
    day INTEGER NOT NULL,
    replaced INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX card_answers_by_name ON card_answers (card, name) WHERE NOT replaced;
CREATE INDEX card_answers_by_card ON card_answers (card, day, at);
CREATE INDEX card_answers_by_day ON card_answers (day, card);
",
    "
-- Whose games are learned from: their names in records, one in a line, and whether the games are looked through.
CREATE TABLE learner (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    names TEXT NOT NULL,
    goes_on INTEGER NOT NULL
) STRICT;
-- Games that were looked through when they had so many half-moves. Without a side, nobody in it was the learner.
CREATE TABLE learned (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    plies INTEGER NOT NULL,
    side TEXT CHECK (side IN ('white', 'black')),
    accuracy REAL,
    moves INTEGER NOT NULL,
    inaccuracies INTEGER NOT NULL,
    mistakes INTEGER NOT NULL,
    blunders INTEGER NOT NULL,
    made INTEGER NOT NULL
) STRICT;
",
];

pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// A file up to this size is looked over before it is used.
const CHECKED_SIZE: u64 = 16 << 20;

/// How long somebody else may have the file.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

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
    if size == 0 {
        // Whatever the database writes beside the file later has the same rights. If it cannot be made, the database
        // says why.
        let _ = folder::make_private_file(path);
    }
    let options = options(path).create_if_missing(true);
    let mut connection = options.connect().await.map_err(wrong)?;
    let version = version(path, &mut connection).await?;
    if size > 0 && size <= CHECKED_SIZE {
        let check = sqlx::raw_sql("PRAGMA quick_check(1)").fetch_one(&mut connection).await;
        let said: String = check.and_then(|row| row.try_get(0)).map_err(wrong)?;
        if said != "ok" {
            return Err(StoreError::Damaged { path: path.to_owned(), reason: said });
        }
    }
    // Files of earlier versions could be read by everybody.
    folder::make_private(path);
    // Another process may be at the same: what was written survives a crash of the machine. A game that comes in touches
    // a page of every index; 64 MiB of them are remembered.
    for pragma in
        ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA cache_size = -65536"]
    {
        sqlx::raw_sql(pragma).execute(&mut connection).await.map_err(wrong)?;
    }
    migrate(path, &mut connection, version).await?;
    Ok(connection)
}

pub(crate) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(PATIENCE)
}

/// One more connection to a file that is open already, to read from.
pub(crate) async fn open_to_read(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = options(path).pragma("query_only", "ON");
    options.connect().await.map_err(|error| StoreError::of_file(path, &error))
}

/// Looks at the first bytes of the file before the database does, and gives its size.
fn look(path: &Path) -> Result<u64, StoreError> {
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(folder::unusable(path, &error)),
    };
    let size = file.metadata().map_err(|error| folder::unusable(path, &error))?.len();
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
