//! Lists of games, page by page, sorted by anything that the catalogue has.
//!
//! No question looks at more than [`WINDOW`] games, however many are kept and whatever is asked. If an index
//! says that so few games can be meant at all, these are looked at, and that is the whole list. Otherwise what is
//! asked for is common, and one walks along the index of the order until the page is full; should a window end
//! before, the page has fewer games and says where to go on.

use serde_json::json;
use sqlx::sqlite::{Sqlite, SqliteConnection};
use sqlx::{QueryBuilder, Row, query};

use crate::fold::words;
use crate::write::kind_text;
use crate::{Cursor, GameFilter, GamePage, GameSort, GameSummary, StoreError, read};

/// So many games are looked at for one page at most.
pub(crate) const WINDOW: usize = 10_000;
/// If more names than these have a text in them, it is a common one.
const MOST_NAMES: usize = 1000;

/// Some games of a list.
pub(crate) async fn page(
    connection: &mut SqliteConnection,
    filter: &GameFilter,
) -> Result<GamePage, StoreError> {
    let order = Order::of(filter);
    if let Some(after) = &filter.after {
        after.belongs(order.sort)?;
    }
    let few = few(connection, filter).await?.map(|ids| json!(ids).to_string());
    let mut after = filter.after.clone();
    let mut games: Vec<GameSummary> = Vec::new();
    for &part in order.parts(after.as_ref()) {
        let end = match few {
            Some(_) => None,
            None => order.window(connection, part, after.as_ref()).await?,
        };
        let range = Range { part, after: after.take(), end: end.clone() };
        // One more than wanted tells whether there are more.
        let limit = filter.limit.map(|limit| i64::from(limit) - games.len() as i64 + 1);
        games.extend(order.read(connection, filter, few.as_deref(), &range, limit).await?);
        if let Some(limit) = filter.limit
            && games.len() > limit as usize
        {
            games.truncate(limit as usize);
            let next = games.last().map(|game| game.place.clone()).or(filter.after.clone());
            return Ok(GamePage { games, next });
        }
        if end.is_some() {
            return Ok(GamePage { games, next: end });
        }
    }
    Ok(GamePage { games, next: None })
}

/// How a list is sorted.
struct Order {
    sort: GameSort,
    ascending: bool,
}

/// What is not known comes last. Where it would come first, it is a part of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    Known,
    Unknown,
}

/// A stretch of a list.
struct Range {
    part: Part,
    after: Option<Cursor>,
    /// The last that is looked at.
    end: Option<Cursor>,
}

impl Order {
    fn of(filter: &GameFilter) -> Order {
        // Only what is in the bin came there.
        let sort = match filter.sort {
            GameSort::Deleted if !filter.deleted => GameSort::Updated,
            sort => sort,
        };
        Order { sort, ascending: filter.ascending }
    }

    fn parts(&self, after: Option<&Cursor>) -> &'static [Part] {
        let Some(unknown) = self.sort.unknown().filter(|_| self.ascending) else {
            return &[Part::All];
        };
        match after {
            Some(place) if place.key == unknown.trim_matches('\'') => &[Part::Unknown],
            _ => &[Part::Known, Part::Unknown],
        }
    }

    /// `ORDER BY` this.
    fn by(&self) -> String {
        let direction = if self.ascending { "ASC" } else { "DESC" };
        format!("catalogue.{} {direction}, catalogue.game {direction}", self.sort.column())
    }

    fn index(&self) -> String {
        format!("catalogue INDEXED BY catalogue_by_{}", self.sort.column())
    }

    /// Adds what a stretch asks of a game.
    fn within(&self, sql: &mut QueryBuilder<Sqlite>, range: &Range) {
        let column = self.sort.column();
        sql.push(match (range.part, self.sort.unknown()) {
            (Part::Known, Some(unknown)) => format!("catalogue.{column} > {unknown}"),
            (Part::Unknown, Some(unknown)) => format!("catalogue.{column} = {unknown}"),
            _ if self.sort == GameSort::Deleted => "catalogue.deleted > 0".to_owned(),
            _ => "true".to_owned(),
        });
        let (beyond, up_to) = if self.ascending { (">", "<=") } else { ("<", ">=") };
        for (place, compare) in [(&range.after, beyond), (&range.end, up_to)] {
            if let Some(place) = place {
                sql.push(format!(" AND (catalogue.{column}, catalogue.game) {compare} ("));
                match self.sort.is_number() {
                    true => sql.push_bind(place.key.parse::<i64>().unwrap_or_default()),
                    false => sql.push_bind(place.key.clone()),
                };
                sql.push(", ").push_bind(place.id).push(")");
            }
        }
    }

    /// The end of a window; nothing if it reaches to the end of the part.
    async fn window(
        &self,
        connection: &mut SqliteConnection,
        part: Part,
        after: Option<&Cursor>,
    ) -> Result<Option<Cursor>, StoreError> {
        let column = self.sort.column();
        let mut sql = QueryBuilder::new(format!("SELECT CAST({column} AS TEXT), game FROM "));
        sql.push(self.index()).push(" WHERE ");
        self.within(&mut sql, &Range { part, after: after.cloned(), end: None });
        sql.push(format!(" ORDER BY {} LIMIT 1 OFFSET {}", self.by(), WINDOW - 1));
        let row = sql.build().fetch_optional(connection).await?;
        let place = row
            .map(|row| Ok::<_, sqlx::Error>(Cursor { key: row.try_get(0)?, id: row.try_get(1)? }));
        Ok(place.transpose()?)
    }

    /// The games of a stretch that are meant, among few or by the index.
    async fn read(
        &self,
        connection: &mut SqliteConnection,
        filter: &GameFilter,
        few: Option<&str>,
        range: &Range,
        limit: Option<i64>,
    ) -> Result<Vec<GameSummary>, StoreError> {
        let column = self.sort.column();
        let mut sql = QueryBuilder::new(format!("SELECT {}, place FROM (", read::SUMMARY));
        sql.push(format!("SELECT catalogue.game AS found, CAST({column} AS TEXT) AS place FROM "));
        match few {
            Some(few) => {
                sql.push("(SELECT DISTINCT value FROM json_each(").push_bind(few.to_owned());
                sql.push(")) CROSS JOIN catalogue ON catalogue.game = value");
            }
            None => {
                sql.push(self.index());
            }
        }
        sql.push(" WHERE ");
        self.within(&mut sql, range);
        meets(&mut sql, filter);
        sql.push(format!(" ORDER BY {}", self.by()));
        if let Some(limit) = limit {
            sql.push(" LIMIT ").push_bind(limit);
        }
        sql.push(
            ") CROSS JOIN games ON games.id = found CROSS JOIN catalogue ON catalogue.game = found",
        );
        sql.push(format!(" ORDER BY {}", self.by()));
        let rows = sql.build().fetch_all(connection).await?;
        let summary = |row| {
            let place = Cursor { key: Row::try_get(row, "place")?, id: Row::try_get(row, "id")? };
            read::summary(row, place)
        };
        rows.iter().map(summary).collect()
    }
}

/// Adds what a filter asks of a game of the catalogue.
pub(crate) fn meets(sql: &mut QueryBuilder<Sqlite>, filter: &GameFilter) {
    sql.push(if filter.deleted {
        " AND catalogue.deleted > 0"
    } else {
        " AND catalogue.deleted = 0"
    });
    for word in words(filter.search.as_deref().unwrap_or_default()) {
        sql.push(" AND (substr(day, 1, 4) = ").push_bind(word.clone());
        for column in ["white", "black", "event", "opening"] {
            sql.push(format!(" OR instr(catalogue.{column}, ")).push_bind(word.clone()).push(")");
        }
        sql.push(")");
    }
    if let Some(result) = &filter.result {
        sql.push(" AND catalogue.result = ").push_bind(result.clone());
    }
    if let Some(kind) = filter.kind {
        sql.push(" AND catalogue.kind = ").push_bind(kind_text(kind));
    }
    if let Some(imported) = filter.imported {
        sql.push(" AND imported = ").push_bind(imported);
    }
    if filter.since.is_some() || filter.until.is_some() {
        sql.push(" AND day > ''");
    }
    // A game of which only the year is known may be of any day of it.
    if let Some(since) = &filter.since {
        sql.push(" AND replace(day, '.00', '.99') >= ").push_bind(since.clone());
    }
    if let Some(until) = &filter.until {
        sql.push(" AND day < ").push_bind(beyond(until));
    }
    if filter.unfinished {
        sql.push(
            " AND catalogue.result = '*'
              AND (SELECT ending FROM games WHERE games.id = catalogue.game) = ''",
        );
    }
    if filter.begun {
        sql.push(" AND (catalogue.result <> '*' OR catalogue.plies > 0)");
    }
    if filter.played_here {
        sql.push(
            " AND imported = 0
              AND NOT EXISTS (SELECT 1 FROM friends WHERE friends.game = catalogue.game)",
        );
    }
}

/// What comes after all days that begin so.
fn beyond(until: &str) -> String {
    format!("{until}{}", char::MAX)
}

/// All games that one part of the filter leaves, if they are few; the index of that part tells.
pub(crate) async fn few(
    connection: &mut SqliteConnection,
    filter: &GameFilter,
) -> Result<Option<Vec<i64>>, StoreError> {
    let most = WINDOW as i64 + 1;
    let mut parts = Vec::new();
    for word in words(filter.search.as_deref().unwrap_or_default()) {
        if let Some(names) = names(connection, &word).await? {
            let sql = "SELECT game FROM named WHERE name IN (SELECT value FROM json_each(?1))
                 UNION ALL SELECT game FROM catalogue WHERE day >= ?2 AND day < ?3 LIMIT ?4";
            // A year, or nothing.
            let is_year = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
            let until = if is_year { beyond(&word) } else { word.clone() };
            let names = json!(names).to_string();
            parts.push(query(sql).bind(names).bind(word).bind(until).bind(most));
        }
    }
    if filter.deleted {
        let sql = "SELECT game FROM catalogue WHERE deleted > 0 LIMIT ?1";
        parts.push(query(sql).bind(most));
    }
    if filter.since.is_some() || filter.until.is_some() {
        let sql = "SELECT game FROM catalogue WHERE day >= ?1 AND day < ?2 LIMIT ?3";
        // The whole year of the first day, and never what has no day.
        let since: String = filter.since.as_deref().unwrap_or("0").chars().take(4).collect();
        let until = beyond(filter.until.as_deref().unwrap_or_default());
        parts.push(query(sql).bind(since).bind(until).bind(most));
    }
    let unfinished = filter.unfinished.then(|| "*".to_owned());
    if let Some(result) = filter.result.clone().or(unfinished) {
        let sql = "SELECT game FROM catalogue WHERE result = ?1 LIMIT ?2";
        parts.push(query(sql).bind(result).bind(most));
    }
    if filter.kind.is_some_and(|kind| kind_text(kind) != "chess") {
        let sql = "SELECT game FROM catalogue WHERE kind <> 'chess' LIMIT ?1";
        parts.push(query(sql).bind(most));
    }
    if let Some(imported) = filter.imported.or(filter.played_here.then_some(false)) {
        let sql = "SELECT game FROM catalogue WHERE imported = ?1 LIMIT ?2";
        parts.push(query(sql).bind(imported).bind(most));
    }
    for part in parts {
        let rows = part.fetch_all(&mut *connection).await?;
        if rows.len() <= WINDOW {
            let ids = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
            return Ok(Some(ids));
        }
    }
    Ok(None)
}

/// The names that have a word in them; nothing if they are many.
async fn names(
    connection: &mut SqliteConnection,
    word: &str,
) -> Result<Option<Vec<i64>>, StoreError> {
    // The index knows every three letters in a row.
    let sql = match word.chars().count() {
        0..3 => "SELECT id FROM names WHERE instr(name, ?1) LIMIT ?2",
        _ => {
            "SELECT id FROM names
             WHERE id IN (SELECT rowid FROM name_search WHERE name_search MATCH ?3)
               AND instr(name, ?1) LIMIT ?2"
        }
    };
    let quoted = format!("\"{}\"", word.replace('"', "\"\""));
    let rows = query(sql)
        .bind(word.to_owned())
        .bind(MOST_NAMES as i64 + 1)
        .bind(quoted)
        .fetch_all(connection)
        .await?;
    if rows.len() > MOST_NAMES {
        return Ok(None);
    }
    Ok(Some(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?))
}

/// As many games as the filter allows, window by window; others may ask in between.
pub(crate) fn all(
    filter: &GameFilter,
    page: impl Fn(&GameFilter) -> Result<GamePage, StoreError>,
) -> Result<Vec<GameSummary>, StoreError> {
    let mut games = Vec::new();
    let mut rest = filter.clone();
    loop {
        let some = page(&rest)?;
        rest.limit = rest.limit.map(|limit| limit - some.games.len() as u32);
        games.extend(some.games);
        rest.after = some.next;
        if rest.after.is_none() || rest.limit == Some(0) {
            return Ok(games);
        }
    }
}
