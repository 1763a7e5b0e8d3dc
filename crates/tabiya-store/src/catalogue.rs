//! The catalogue: what lists show, sort and search by, a row for each game.
//!
//! A new game has its row at once. Those of a file from before there was a catalogue get theirs piece by piece, the
//! latest first, while others already read and write; how far that is stands in the file, so that it goes on after an
//! interruption.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Row, query};
use tabiya_base::fold;
use tabiya_play::{Player, Side};
use tabiya_review::Opening;

use crate::{GameId, StoreError};

/// So many games come in with one piece: who plays meanwhile waits for it.
const PIECE: i64 = 500;

/// Later moves do not change the name of an opening.
const OPENING: usize = 40;

/// What the tags of a record tell beyond what a game has itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tags {
    white_elo: i64,
    black_elo: i64,
    eco: Option<String>,
    opening: Option<String>,
}

impl Tags {
    pub(crate) fn of(game: &tabiya_pgn::Game) -> Tags {
        let known = |name: &str| {
            let value = game.tag(name)?.trim();
            (!value.starts_with('?') && !value.is_empty()).then(|| value.to_owned())
        };
        let elo = |name: &str| {
            let elo = known(name).and_then(|text| text.parse().ok());
            elo.filter(|elo| (1..10_000).contains(elo)).unwrap_or(0)
        };
        Tags {
            white_elo: elo("WhiteElo"),
            black_elo: elo("BlackElo"),
            eco: known("ECO").and_then(|text| eco(&text)),
            opening: known("Opening").map(|text| text.chars().take(120).collect()),
        }
    }

    fn of_record(record: Option<&str>) -> Tags {
        let game =
            record.and_then(|text| tabiya_pgn::Reader::new(text.as_bytes()).next_game().ok());
        game.flatten().map(|game| Tags::of(&game)).unwrap_or_default()
    }
}

/// `C41` of `c41/05`.
fn eco(text: &str) -> Option<String> {
    let code = text.get(..3)?.to_ascii_uppercase();
    let [letter, tens, ones] = *code.as_bytes() else { return None };
    let is_code = (b'A'..=b'E').contains(&letter) && tens.is_ascii_digit() && ones.is_ascii_digit();
    is_code.then_some(code)
}

/// The code and the name of an opening.
#[derive(PartialEq, Eq, Default)]
struct Named {
    eco: String,
    name: String,
}

impl Named {
    /// What we call the moves from a position.
    fn of<'a>(fen: &str, codes: impl IntoIterator<Item = &'a str>) -> Named {
        let found = Opening::of_codes(Some(fen), codes.into_iter().take(OPENING));
        found.map_or_else(Named::default, |opening| Named {
            eco: opening.eco.to_owned(),
            name: opening.name.to_owned(),
        })
    }

    fn or_by_moves(tags: &Tags, found: impl FnOnce() -> Named) -> Named {
        match (&tags.eco, &tags.opening) {
            (Some(eco), Some(name)) => Named { eco: eco.clone(), name: name.clone() },
            (eco, name) => {
                let found = found();
                Named {
                    eco: eco.clone().unwrap_or(found.eco),
                    name: name.clone().unwrap_or(found.name),
                }
            }
        }
    }

    fn folded(&self) -> String {
        fold(&format!("{} {}", self.eco, self.name))
    }
}

/// A player as people search for one, by the name that is kept.
fn name(kept: &str) -> String {
    match kept.parse::<Player>() {
        Ok(player) if player == Player::HUMAN => "human".to_owned(),
        Ok(player) => fold(&player.title()),
        Err(_) => fold(kept),
    }
}

/// `1858.11.02`, with zeros for what is not known; nothing if not even the year is.
fn day(date: Option<&str>) -> String {
    let mut parts = date.unwrap_or_default().split(['.', '-', '/']);
    let mut part = |length: usize| {
        let part = parts.next().unwrap_or_default().trim();
        let is_known = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        if is_known { part.to_owned() } else { "0".repeat(length) }
    };
    let (year, month, day) = (part(4), part(2), part(2));
    if year == "0000" { String::new() } else { format!("{year}.{month}.{day}") }
}

/// A game as it is kept, before it is in the catalogue.
#[derive(Default)]
pub(crate) struct Listing<'a> {
    pub(crate) kind: &'a str,
    pub(crate) start: &'a str,
    pub(crate) players: [&'a str; 2],
    pub(crate) date: Option<&'a str>,
    pub(crate) event: Option<&'a str>,
    pub(crate) result: &'a str,
    pub(crate) codes: &'a [&'a str],
    pub(crate) is_record: bool,
}

impl Listing<'_> {
    /// By what it is known again, if it comes in once more: who played, when, what, and how it ended.
    pub(crate) fn fingerprint(&self) -> String {
        let [white, black] = self.players.map(name);
        let (day, moves) = (day(self.date), self.codes.join(" "));
        let mut hash = Sha256::new();
        for part in [&white, &black, &day, self.result, self.start, &moves] {
            hash.update(part);
            hash.update([0]);
        }
        hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What is in its row beside what the file has of it.
    pub(crate) fn entry(&self, id: GameId, tags: &Tags) -> Value {
        let opening = match self.kind {
            "chess" => {
                Named::or_by_moves(tags, || Named::of(self.start, self.codes.iter().copied()))
            }
            _ => Named::default(),
        };
        let [white, black] = self.players.map(name);
        json!([
            id.0,
            day(self.date),
            white,
            black,
            tags.white_elo,
            tags.black_elo,
            fold(self.event.unwrap_or_default()),
            opening.eco,
            opening.name,
            opening.folded(),
            self.is_record.then(|| self.fingerprint()),
        ])
    }
}

/// Brings a game into the catalogue that is in the file already.
pub(crate) async fn add(connection: &mut SqliteConnection, entry: Value) -> Result<(), StoreError> {
    insert(connection, vec![entry]).await
}

async fn insert(connection: &mut SqliteConnection, entries: Vec<Value>) -> Result<(), StoreError> {
    query(
        "INSERT INTO catalogue (game, kind, result, plies, updated, deleted, imported, day, white, black,
                                white_elo, black_elo, event, eco, opening_name, opening, fingerprint)
         SELECT games.id, kind, result, plies, updated, coalesce(deleted, 0), record IS NOT NULL, value ->> 1, value ->> 2,
                value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9,
                unhex(value ->> 10)
         FROM json_each(?1) CROSS JOIN games ON games.id = value ->> 0",
    )
    .bind(Value::from(entries).to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Somebody has moved, or taken back: the opening may have another name now.
pub(crate) async fn rename_opening(
    connection: &mut SqliteConnection,
    id: GameId,
    stays: usize,
) -> Result<(), StoreError> {
    if stays >= OPENING {
        return Ok(());
    }
    let sql = "SELECT start FROM games WHERE id = ?1 AND kind = 'chess'";
    let Some(game) = query(sql).bind(id.0).fetch_optional(&mut *connection).await? else {
        return Ok(());
    };
    let moves = query("SELECT code FROM moves WHERE game = ?1 AND ply <= ?2 ORDER BY ply")
        .bind(id.0)
        .bind(OPENING as i64)
        .fetch_all(&mut *connection)
        .await?;
    let codes = moves.iter().map(|row| row.try_get(0)).collect::<Result<Vec<&str>, _>>()?;
    let found = Named::of(game.try_get(0)?, codes);
    query(
        "UPDATE catalogue SET eco = ?2, opening_name = ?3, opening = ?4
         WHERE game = ?1 AND (eco <> ?2 OR opening_name <> ?3)",
    )
    .bind(id.0)
    .bind(&found.eco)
    .bind(&found.name)
    .bind(found.folded())
    .execute(connection)
    .await?;
    Ok(())
}

/// Somebody has sat down at a seat that was free.
pub(crate) async fn rename(
    connection: &mut SqliteConnection,
    id: GameId,
    side: Side,
    player: &Player,
) -> Result<(), StoreError> {
    let sql = match side {
        Side::White => "UPDATE catalogue SET white = ?2 WHERE game = ?1",
        Side::Black => "UPDATE catalogue SET black = ?2 WHERE game = ?1",
    };
    query(sql).bind(id.0).bind(name(&player.to_string())).execute(connection).await?;
    Ok(())
}

/// How many games are not in the catalogue yet.
pub(crate) async fn left(connection: &mut SqliteConnection) -> Result<u64, StoreError> {
    let row = query("SELECT games FROM uncatalogued").fetch_optional(connection).await?;
    let left: Option<i64> = row.map(|row| row.try_get(0)).transpose()?;
    Ok(left.unwrap_or_default().max(0).cast_unsigned())
}

/// Fills in some games of a file from before there was a catalogue; tells how many are left.
pub(crate) async fn fill(connection: &mut SqliteConnection) -> Result<u64, StoreError> {
    let sql = "SELECT below, games FROM uncatalogued";
    let Some(row) = query(sql).fetch_optional(&mut *connection).await? else { return Ok(0) };
    let (mut below, mut games): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    let rows = query(
        "SELECT id, kind, start, white, black, date, event, result, record,
                (SELECT group_concat(code, ' ' ORDER BY ply) FROM moves WHERE game = id) AS codes
         FROM games WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
    )
    .bind(below)
    .bind(PIECE)
    .fetch_all(&mut *connection)
    .await?;
    if rows.is_empty() {
        query("DELETE FROM uncatalogued").execute(connection).await?;
        return Ok(0);
    }
    let entries = rows.iter().map(stored).collect::<Result<Vec<Value>, _>>()?;
    if let Some(last) = rows.last() {
        below = last.try_get("id")?;
    }
    games = (games - rows.len() as i64).max(1);
    insert(connection, entries).await?;
    query("UPDATE uncatalogued SET below = ?1, games = ?2")
        .bind(below)
        .bind(games)
        .execute(connection)
        .await?;
    Ok(games.cast_unsigned())
}

fn stored(row: &SqliteRow) -> Result<Value, sqlx::Error> {
    let codes: Option<&str> = row.try_get("codes")?;
    let codes: Vec<&str> = codes.unwrap_or_default().split(' ').collect();
    let record: Option<&str> = row.try_get("record")?;
    let listing = Listing {
        kind: row.try_get("kind")?,
        start: row.try_get("start")?,
        players: [row.try_get("white")?, row.try_get("black")?],
        date: row.try_get("date")?,
        event: row.try_get("event")?,
        result: row.try_get("result")?,
        codes: if codes == [""] { &[] } else { &codes },
        is_record: record.is_some(),
    };
    Ok(listing.entry(GameId(row.try_get("id")?), &Tags::of_record(record)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_zeros_for_what_is_not_known() {
        for (date, expected) in [
            (Some("1858.11.02"), "1858.11.02"),
            (Some("1929.??.??"), "1929.00.00"),
            (Some("1929"), "1929.00.00"),
            (Some("2026-11-16"), "2026.11.16"),
            (Some("unknown"), ""),
            (Some("????.??.??"), ""),
            (None, ""),
        ] {
            assert_eq!(day(date), expected);
        }
    }

    #[test]
    fn codes_are_those_of_the_encyclopaedia() {
        assert_eq!(eco("c41/05").as_deref(), Some("C41"));
        for wrong in ["", "C4", "F00", "Cxx", "ÄÖÜ"] {
            assert_eq!(eco(wrong), None, "{wrong}");
        }
    }
}
