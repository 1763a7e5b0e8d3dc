//! One game, whole.

use std::time::Duration;

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, Connection, Row, query};
use tabiya_play::{Entry, GameEnd, GameKind, GameSetup, Past, Start};

use crate::{Cursor, Friend, GameId, GameSummary, StoreError, Stored, friends};

/// What lists show of `games`, a game, and `catalogue`, its row there.
pub(crate) const SUMMARY: &str = "games.id, games.kind, games.white, games.black, games.result, games.ending,
    games.date, games.event, games.updated, games.plies, games.deleted, eco, opening_name, white_elo, black_elo,
    coalesce(imported, record IS NOT NULL) AS imported,
    strftime('%Y-%m-%d %H:%M', games.updated / 1000, 'unixepoch', 'localtime') AS moment";

pub(crate) fn summary(row: &SqliteRow, place: Cursor) -> Result<GameSummary, StoreError> {
    let known = |column: &str| -> Result<Option<String>, sqlx::Error> {
        Ok(row.try_get::<Option<String>, _>(column)?.filter(|text| !text.is_empty()))
    };
    let elo = |column: &str| -> Result<Option<u32>, sqlx::Error> {
        let elo: Option<i64> = row.try_get(column)?;
        Ok(elo.filter(|&elo| elo > 0).and_then(|elo| elo.try_into().ok()))
    };
    Ok(GameSummary {
        id: GameId(row.try_get("id")?),
        kind: kind(row)?,
        players: [row.try_get("white")?, row.try_get("black")?],
        result: row.try_get("result")?,
        ending: row.try_get("ending")?,
        plies: row.try_get::<i64, _>("plies")? as u32,
        date: row.try_get("date")?,
        event: row.try_get("event")?,
        eco: known("eco")?,
        opening: known("opening_name")?,
        elo: [elo("white_elo")?, elo("black_elo")?],
        imported: row.try_get("imported")?,
        deleted: row.try_get("deleted")?,
        updated: row.try_get("updated")?,
        when: row.try_get::<Option<String>, _>("moment")?.unwrap_or_default(),
        place,
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
    from_the_bin: bool,
) -> Result<Stored, StoreError> {
    // The game and its moves are of one moment.
    let mut moment = connection.begin().await?;
    let connection = &mut *moment;
    let sql = format!(
        "SELECT {SUMMARY}, start, control, seed, take_backs, record, friends.game IS NOT NULL AS remote,
                friends.seat, friends.guest IS NOT NULL AS taken, friends.next, undone.codes AS undone
         FROM games LEFT JOIN friends ON friends.game = games.id
              LEFT JOIN undone ON undone.game = games.id AND undone.plies = games.plies
              LEFT JOIN catalogue ON catalogue.game = games.id
         WHERE id = ?1 AND (games.deleted IS NULL OR ?2)"
    );
    let row = query(AssertSqlSafe(sql))
        .bind(id.0)
        .bind(from_the_bin)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or(StoreError::NoGame(id))?;
    let moves = query("SELECT code, white, black FROM moves WHERE game = ?1 ORDER BY ply")
        .bind(id.0)
        .fetch_all(connection)
        .await?;
    let place = Cursor { key: row.try_get::<i64, _>("updated")?.to_string(), id: id.0 };
    let summary = summary(&row, place)?;
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
    let undone: Option<String> = row.try_get("undone")?;
    let undone = undone.unwrap_or_default().split_ascii_whitespace().map(str::to_owned).collect();
    Ok(Stored { setup, past: Past { entries, end }, undone, record, summary, friend })
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
        draws: true,
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
