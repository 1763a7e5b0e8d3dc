//! What changes the file. All of it runs in transactions of the keeper.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Row, query};
use tabiya_play::{Change, Entry, GameKind, GameSetup, Side};

use crate::friends::{self, Guest};
use crate::{GameId, KeptStudy, StoreError, StudyId, reviews, studies};

/// So many moves are written by one statement.
const ROWS: usize = 500;

/// A change to make.
pub(crate) enum Write {
    /// A new game.
    Create(Box<New>),
    /// New games from records.
    Import(Vec<New>),
    /// A game goes on. It had so many moves before.
    Change { id: GameId, had: usize, change: Change },
    /// Somebody takes the seat that is open.
    Join { id: GameId, guest: Guest },
    /// The game that follows another; if there is one already, that.
    Follow { id: GameId, new: Box<New> },
    /// Into the bin, or out of it.
    Delete { id: GameId, deleted: bool },
    /// Gone for good.
    Forget(GameId),
    /// Empties the bin of what has been there for long.
    Purge { older_than: Duration },
    /// Keeps a new study.
    AddStudy(KeptStudy),
    /// Keeps a study as it is now.
    KeepStudy(StudyId, KeptStudy),
    /// Takes a study away, or brings it back.
    DeleteStudy { id: StudyId, deleted: bool },
    /// A review that was made.
    KeepReview { key: String, record: String },
}

/// What a change was about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Written {
    Game(GameId),
    Study(StudyId),
    /// Several games, or none.
    Other,
}

/// A game to add.
pub(crate) struct New {
    pub(crate) setup: GameSetup,
    pub(crate) change: Change,
    pub(crate) event: Option<String>,
    pub(crate) record: Option<String>,
    /// A seat for somebody who has still to come.
    pub(crate) open: Option<Side>,
}

impl Write {
    /// Makes the change and tells what it was about.
    pub(crate) async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Written, StoreError> {
        let written = match self {
            Write::Create(new) => Written::Game(create(connection, new).await?),
            Write::Import(all) => {
                for new in all {
                    create(connection, new).await?;
                }
                Written::Other
            }
            Write::Change { id, had, change } => {
                go_on(connection, *id, *had, change).await?;
                Written::Game(*id)
            }
            Write::Join { id, guest } => {
                friends::join(connection, *id, guest).await?;
                Written::Game(*id)
            }
            Write::Follow { id, new } => {
                Written::Game(friends::follow(connection, *id, new).await?)
            }
            Write::Delete { id, deleted } => {
                let done = query("UPDATE games SET deleted = ?2 WHERE id = ?1")
                    .bind(id.0)
                    .bind(deleted.then(now))
                    .execute(connection)
                    .await?;
                if done.rows_affected() == 0 {
                    return Err(StoreError::NoGame(*id));
                }
                Written::Game(*id)
            }
            Write::Forget(id) => {
                query("DELETE FROM games WHERE id = ?1").bind(id.0).execute(connection).await?;
                Written::Game(*id)
            }
            Write::Purge { older_than } => {
                let before = now().saturating_sub(older_than.as_millis() as i64);
                query("DELETE FROM games WHERE deleted < ?1")
                    .bind(before)
                    .execute(&mut *connection)
                    .await?;
                studies::purge(connection, before).await?;
                Written::Other
            }
            Write::AddStudy(study) => Written::Study(studies::add(connection, study).await?),
            Write::KeepStudy(id, study) => {
                studies::keep(connection, *id, study).await?;
                Written::Study(*id)
            }
            Write::DeleteStudy { id, deleted } => {
                studies::delete(connection, *id, *deleted).await?;
                Written::Study(*id)
            }
            Write::KeepReview { key, record } => {
                reviews::keep(connection, key, record).await?;
                Written::Other
            }
        };
        Ok(written)
    }
}

pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as i64
}

pub(crate) const fn kind_text(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Chess => "chess",
        GameKind::Bishops => "bishops",
    }
}

pub(crate) async fn create(
    connection: &mut SqliteConnection,
    new: &New,
) -> Result<GameId, StoreError> {
    let New { setup, change, event, record, open } = new;
    let [white, black] = setup.players.each_ref().map(ToString::to_string);
    let (result, ending) = ending(change);
    // A game that begins here begins today.
    let row = query(
        "INSERT INTO games (kind, start, white, black, control, seed, take_backs, date, result, ending,
                            event, record, created, updated)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
                 CASE WHEN ?12 IS NULL THEN coalesce(?8, strftime('%Y.%m.%d', 'now', 'localtime')) ELSE ?8 END,
                 ?9, ?10, ?11, ?12, ?13, ?13)
         RETURNING id",
    )
    .bind(kind_text(setup.start.kind()))
    .bind(setup.start.text())
    .bind(white)
    .bind(black)
    .bind(setup.control.map(|control| control.to_string()))
    .bind(setup.seed.cast_signed())
    .bind(setup.take_backs)
    .bind(setup.date.clone())
    .bind(result)
    .bind(ending)
    .bind(event.clone())
    .bind(record.clone())
    .bind(now())
    .fetch_one(&mut *connection)
    .await?;
    let id = GameId(row.try_get(0)?);
    if setup.remote {
        friends::invite(connection, id, *open).await?;
    }
    add(connection, id, 0, &change.added).await?;
    Ok(id)
}

fn ending(change: &Change) -> (&'static str, String) {
    match &change.end {
        Some(end) => (end.result, end.text.clone()),
        None => ("*", String::new()),
    }
}

async fn go_on(
    connection: &mut SqliteConnection,
    id: GameId,
    had: usize,
    change: &Change,
) -> Result<(), StoreError> {
    let row = query(
        "SELECT (SELECT count(*) FROM moves WHERE game = id) FROM games WHERE id = ?1 AND deleted IS NULL",
    )
    .bind(id.0)
    .fetch_optional(&mut *connection)
    .await?
    .ok_or(StoreError::NoGame(id))?;
    if row.try_get::<i64, _>(0)? != had as i64 {
        return Err(StoreError::Changed(id));
    }
    if change.stays < had {
        query("DELETE FROM moves WHERE game = ?1 AND ply > ?2")
            .bind(id.0)
            .bind(change.stays as i64)
            .execute(&mut *connection)
            .await?;
    }
    add(connection, id, change.stays, &change.added).await?;
    let (result, ending) = ending(change);
    query(
        "UPDATE games SET result = ?2, ending = ?3, updated = max(updated + 1, ?4), record = NULL WHERE id = ?1",
    )
    .bind(id.0)
    .bind(result)
    .bind(ending)
    .bind(now())
    .execute(connection)
    .await?;
    Ok(())
}

async fn add(
    connection: &mut SqliteConnection,
    id: GameId,
    after: usize,
    entries: &[Entry],
) -> Result<(), StoreError> {
    let milliseconds = |time: Duration| time.as_millis() as i64;
    let numbered: Vec<(usize, &Entry)> = entries.iter().enumerate().collect();
    for some in numbered.chunks(ROWS) {
        let mut insert = QueryBuilder::new("INSERT INTO moves (game, ply, code, white, black) ");
        insert.push_values(some, |mut row, (index, entry)| {
            let clocks = entry.clocks.map(|clocks| clocks.map(milliseconds));
            row.push_bind(id.0)
                .push_bind((after + index + 1) as i64)
                .push_bind(entry.uci.clone())
                .push_bind(clocks.map(|[white, _]| white))
                .push_bind(clocks.map(|[_, black]| black));
        });
        // Statements of many lengths are not worth remembering.
        insert.build().persistent(some.len() == 1).execute(&mut *connection).await?;
    }
    Ok(())
}
