//! How many games a list has.

use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Row};

use crate::{GameCount, GameFilter, StoreError, catalogue, search};

/// So many games are looked at, the latest first.
const MOST: i64 = 200_000;

pub(crate) async fn count(
    connection: &mut SqliteConnection,
    filter: &GameFilter,
) -> Result<GameCount, StoreError> {
    let uncatalogued = catalogue::left(connection).await?;
    let (deleted, imported) = (filter.deleted, filter.imported);
    let search = filter.search.clone().filter(|text| !text.trim().is_empty());
    let all = GameFilter {
        deleted,
        imported,
        search,
        after: filter.after.clone(),
        sort: filter.sort,
        ascending: filter.ascending,
        limit: filter.limit,
        ..GameFilter::default()
    };
    let mut sql = QueryBuilder::new("SELECT ");
    let mut more = false;
    if all == *filter && all.search.is_none() {
        sql.push("sum(games) FROM tally WHERE deleted = ").push_bind(deleted);
        if let Some(imported) = imported {
            sql.push(" AND imported = ").push_bind(imported);
        }
    } else if let Some(few) = search::few(connection, filter).await? {
        sql.push("count(*) FROM (SELECT DISTINCT value FROM json_each(");
        sql.push_bind(serde_json::json!(few).to_string());
        sql.push(")) CROSS JOIN catalogue ON game = value WHERE true");
        search::meets(&mut sql, filter);
    } else {
        let kept = sqlx::raw_sql("SELECT sum(games) FROM tally").fetch_one(&mut *connection);
        more = kept.await?.try_get::<i64, _>(0)? > MOST;
        sql.push("count(*) FROM (SELECT * FROM catalogue ORDER BY game DESC LIMIT ");
        sql.push_bind(MOST).push(") AS catalogue WHERE true");
        search::meets(&mut sql, filter);
    }
    let row = sql.build().fetch_one(connection).await?;
    let games: i64 = row.try_get(0)?;
    Ok(GameCount { games: games.max(0).cast_unsigned(), more, uncatalogued })
}
