//! What asks the file.

use std::time::Duration;

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Row, query};
use tabiya_play::{Entry, GameEnd, GameKind, GameSetup, Past, Start};

use crate::write::kind_text;
use crate::{Friend, GameFilter, GameId, GameSummary, StoreError, Stored, friends};

pub(crate) async fn list(
    connection: &mut SqliteConnection,
    filter: &GameFilter,
) -> Result<Vec<GameSummary>, StoreError> {
    let rows = query(
        "SELECT * FROM (
            SELECT id, kind, white, black, result, ending, date, event, updated, deleted, record,
                   strftime('%Y-%m-%d %H:%M', updated / 1000, 'unixepoch', 'localtime') AS moment,
                   (SELECT count(*) FROM moves WHERE game = id) AS plies
            FROM games)
         WHERE (deleted IS NOT NULL) = ?1
           AND (?2 IS NULL OR instr(lower(white), lower(?2)) OR instr(lower(black), lower(?2)))
           AND (?3 IS NULL OR result = ?3)
           AND (?4 IS NULL OR kind = ?4)
           AND (?5 IS NULL OR date >= ?5)
           AND (?6 IS NULL OR substr(date, 1, length(?6)) <= ?6)
           AND (NOT ?7 OR (result = '*' AND ending = ''))
           AND (NOT ?8 OR plies > 0 OR result <> '*')
           AND (NOT ?11 OR (record IS NULL AND id NOT IN (SELECT game FROM friends)))
         ORDER BY updated DESC, id DESC
         LIMIT ?9 OFFSET ?10",
    )
    .bind(filter.deleted)
    .bind(filter.player.clone())
    .bind(filter.result.clone())
    .bind(filter.kind.map(kind_text))
    .bind(filter.since.clone())
    .bind(filter.until.clone())
    .bind(filter.unfinished)
    .bind(filter.begun)
    .bind(filter.limit.map_or(-1, i64::from))
    .bind(i64::from(filter.skip))
    .bind(filter.played_here)
    .fetch_all(connection)
    .await?;
    rows.iter().map(summary).collect()
}

fn summary(row: &SqliteRow) -> Result<GameSummary, StoreError> {
    Ok(GameSummary {
        id: GameId(row.try_get("id")?),
        kind: kind(row)?,
        players: [row.try_get("white")?, row.try_get("black")?],
        result: row.try_get("result")?,
        ending: row.try_get("ending")?,
        plies: row.try_get::<i64, _>("plies")? as u32,
        date: row.try_get("date")?,
        event: row.try_get("event")?,
        updated: row.try_get("updated")?,
        when: row.try_get::<Option<String>, _>("moment")?.unwrap_or_default(),
    })
}

fn kind(row: &SqliteRow) -> Result<GameKind, StoreError> {
    Ok(match row.try_get::<&str, _>("kind")? {
        "bishops" => GameKind::Bishops,
        _ => GameKind::Chess,
    })
}

pub(crate) async fn load(
    connection: &mut SqliteConnection,
    id: GameId,
) -> Result<Stored, StoreError> {
    let row = query(
        "SELECT games.*, friends.game IS NOT NULL AS remote, friends.seat,
                friends.guest IS NOT NULL AS taken, friends.next, strftime('%Y-%m-%d %H:%M', updated / 1000, 'unixepoch', 'localtime') AS moment,
                (SELECT count(*) FROM moves WHERE game = id) AS plies
         FROM games LEFT JOIN friends ON friends.game = games.id
         WHERE id = ?1 AND deleted IS NULL",
    )
    .bind(id.0)
    .fetch_optional(&mut *connection)
    .await?
    .ok_or(StoreError::NoGame(id))?;
    let moves = query("SELECT code, white, black FROM moves WHERE game = ?1 ORDER BY ply")
        .bind(id.0)
        .fetch_all(connection)
        .await?;
    let summary = summary(&row)?;
    let setup = setup(id, &row)?;
    let entries = moves.iter().map(entry).collect::<Result<_, _>>()?;
    let end = GameEnd::read(&summary.result, &summary.ending);
    let friend = match setup.remote {
        true => Some(Friend {
            seat: friends::side(row.try_get("seat")?),
            taken: row.try_get("taken")?,
            next: row.try_get::<Option<i64>, _>("next")?.map(GameId),
        }),
        false => None,
    };
    let record = row.try_get("record")?;
    Ok(Stored { setup, past: Past { entries, end }, record, summary, friend })
}

fn setup(id: GameId, row: &SqliteRow) -> Result<GameSetup, StoreError> {
    let player = |column: &str| {
        let name: &str = row.try_get(column)?;
        name.parse().map_err(|error| StoreError::bad_game(id, error))
    };
    let control: Option<&str> = row.try_get("control")?;
    Ok(GameSetup {
        start: Start::read(kind(row)?, row.try_get("start")?)
            .map_err(|error| StoreError::bad_game(id, error))?,
        players: [player("white")?, player("black")?],
        control: control
            .map(|text| text.parse().map_err(|error| StoreError::bad_game(id, error)))
            .transpose()?,
        seed: row.try_get::<i64, _>("seed")?.cast_unsigned(),
        take_backs: row.try_get("take_backs")?,
        date: row.try_get("date")?,
        remote: row.try_get("remote")?,
    })
}

fn entry(row: &SqliteRow) -> Result<Entry, StoreError> {
    let clock = |column: &str| -> Result<Option<Duration>, sqlx::Error> {
        let left: Option<i64> = row.try_get(column)?;
        Ok(left.map(|left| Duration::from_millis(left.max(0) as u64)))
    };
    let clocks = clock("white")?.zip(clock("black")?).map(|(white, black)| [white, black]);
    Ok(Entry { uci: row.try_get("code")?, clocks })
}
