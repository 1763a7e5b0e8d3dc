//! Fills a new folder with very many games, to measure what a server with a long history can bear.
//!
//!     cargo run --release -p tabiya-store --example many -- GAMES FOLDER
//!
//! The database makes them itself, as reading so many records would take long: one to twenty half-moves of the same
//! opening, by a hundred thousand people, at five hundred events, over two hundred years.

use std::path::Path;

use sqlx::{AssertSqlSafe, ConnectOptions as _, Row as _};
use tabiya_store::Store;

const LINE: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5";

const GAMES: &str = r#"
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
INSERT INTO games (kind, start, white, black, seed, take_backs, date, result, ending, event, record, created, updated, plies)
SELECT 'chess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
       printf('human:Player %d, %s', n * 7919 % 50000, substr('Ada Bea Cem Dua Eli', 1 + n % 5 * 4, 3)),
       printf('human:Rival %d', n * 104729 % 50000), 0, 1, printf('%d.%02d.01', 1826 + n % 200, 1 + n % 12),
       CASE n % 3 WHEN 0 THEN '1-0' WHEN 1 THEN '0-1' ELSE '1/2-1/2' END, 'Over',
       printf('Open of Town %d', n * 31 % 500), CASE WHEN n % 100 = 0 THEN NULL ELSE
           printf('[WhiteElo "%d"]%s[BlackElo "%d"]%s%s*', 1000 + n * 17 % 1800, char(10), 1000 + n * 29 % 1800, char(10), char(10))
       END, 1700000000000, 1700000000000 + n, 1 + n % 20
FROM numbers"#;

const MOVES: &str = "
INSERT INTO moves (game, ply, code)
SELECT games.id, key + 1, value FROM games, json_each(?1) WHERE key < plies ORDER BY games.id, key";

/// The catalogue as a whole; its indexes and triggers come after it.
const CATALOGUE: &str = "
INSERT INTO catalogue
SELECT id, kind, result, plies, updated, 0, record IS NOT NULL, date, lower(substr(white, 7)), lower(substr(black, 7)),
       iif(record IS NULL, 0, 1000 + id * 17 % 1800), iif(record IS NULL, 0, 1000 + id * 29 % 1800), lower(event),
       printf('C%02d', plies), printf('Opening %d', plies), printf('c%02d opening %d', plies, plies), randomblob(16)
FROM games;
INSERT INTO names (name)
SELECT white FROM catalogue UNION SELECT black FROM catalogue UNION SELECT event FROM catalogue
UNION SELECT opening FROM catalogue;
INSERT INTO named
SELECT names.id, game FROM catalogue JOIN names ON name = white UNION
SELECT names.id, game FROM catalogue JOIN names ON name = black UNION
SELECT names.id, game FROM catalogue JOIN names ON name = event UNION
SELECT names.id, game FROM catalogue JOIN names ON name = opening;
INSERT INTO name_search (name_search) VALUES ('rebuild');
UPDATE tally SET games = (SELECT count(*) FROM catalogue WHERE catalogue.imported = tally.imported) WHERE deleted = 0;";

const LATER: &str = "
SELECT type, name, sql FROM sqlite_schema
WHERE sql IS NOT NULL AND type IN ('index', 'trigger') AND tbl_name IN ('catalogue', 'names')";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, folder] = arguments.as_slice() else { return Err("GAMES FOLDER, please".into()) };
    let (games, folder) = (games.parse::<i64>()?, Path::new(folder));
    if folder.exists() {
        return Err(format!("{} is there already", folder.display()).into());
    }
    Store::open(folder)?.close();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("games.db"));
        let mut connection = options.connect().await?;
        sqlx::query(GAMES).bind(games).execute(&mut connection).await?;
        let line: Vec<&str> = LINE.split(' ').collect();
        let line = serde_json::json!(line).to_string();
        sqlx::query(MOVES).bind(line).execute(&mut connection).await?;
        let mut later = Vec::new();
        for row in sqlx::query(LATER).fetch_all(&mut connection).await? {
            let [kind, name, sql]: [String; 3] = [row.get(0), row.get(1), row.get(2)];
            let drop = AssertSqlSafe(format!("DROP {kind} {name}"));
            sqlx::raw_sql(drop).execute(&mut connection).await?;
            later.push(sql);
        }
        sqlx::raw_sql(CATALOGUE).execute(&mut connection).await?;
        for sql in later {
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await?;
        }
        sqlx::Connection::close(connection).await
    })?;
    println!("{games} games in {}", folder.display());
    Ok(())
}
