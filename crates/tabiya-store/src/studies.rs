//! Studies: each is kept whole, as the record it writes.

use std::fmt;

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Row, query};

use crate::readers::Question;
use crate::write::{Write, Written, now};
use crate::{Cursor, Store, StoreError, chapters};

/// The number of a study.
///
/// ```
/// assert_eq!(tabiya_store::StudyId(7).to_string(), "7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StudyId(pub i64);

impl fmt::Display for StudyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A study as it is kept.
///
/// ```
/// use tabiya_store::{KeptStudy, Store};
///
/// # let folder = tempfile::tempdir().unwrap();
/// let store = Store::open(folder.path())?;
/// let study = KeptStudy { title: "Ends".into(), pgn: "1. e4 *".into(), here: 1, sequence: 1 };
/// let id = store.add_study(&study)?;
/// assert_eq!(store.load_study(id)?, study);
/// # Ok::<(), tabiya_store::StoreError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptStudy {
    /// What it is called.
    pub title: String,
    /// The whole tree as PGN.
    pub pgn: String,
    /// The node one stands at.
    pub here: u32,
    /// How often it was edited.
    pub sequence: u64,
}

/// A study in a list.
///
/// ```
/// # use tabiya_store::{KeptStudy, Store};
/// # let folder = tempfile::tempdir().unwrap();
/// # let store = Store::open(folder.path())?;
/// # let study = KeptStudy { title: "Ends".into(), pgn: "*".into(), here: 0, sequence: 0 };
/// store.add_study(&study)?;
/// assert_eq!(store.list_studies(10, None)?[0].title, "Ends");
/// # Ok::<(), tabiya_store::StoreError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudySummary {
    /// Its number.
    pub id: StudyId,
    /// What it is called.
    pub title: String,
    /// When it was last touched, in milliseconds since 1970.
    pub updated: i64,
    /// The same as people read it here: `2026-11-15 12:00`.
    pub when: String,
    /// How many chapters it has.
    pub chapters: u32,
    /// The first of them.
    pub first: StudyId,
}

impl StudySummary {
    /// Its place in the list: the next come after it.
    pub fn place(&self) -> Cursor {
        Cursor { key: self.updated.to_string(), id: self.id.0 }
    }
}

impl Store {
    /// Keeps a new study.
    pub fn add_study(&self, study: &KeptStudy) -> Result<StudyId, StoreError> {
        match self.write(Write::AddStudy(study.clone()))? {
            Written::Study(id) => Ok(id),
            other => Err(StoreError::Database(format!("no study, but {other:?}, was written"))),
        }
    }

    /// Keeps a study as it is now. It had been edited so often before; if it has not, somebody else has changed it, and
    /// this does not.
    ///
    /// ```
    /// # use tabiya_store::{KeptStudy, Store, StoreError, StudyId};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// # let mut study = KeptStudy { title: "Ends".into(), pgn: "*".into(), here: 0, sequence: 0 };
    /// let id = store.add_study(&study)?;
    /// study.sequence = 1;
    /// store.keep_study(id, 0, &study)?;
    /// assert_eq!(store.load_study(id)?.sequence, 1);
    /// assert_eq!(store.keep_study(id, 0, &study), Err(StoreError::StudyChanged(id)));
    /// assert!(store.keep_study(StudyId(9), 0, &study).is_err());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn keep_study(&self, id: StudyId, had: u64, study: &KeptStudy) -> Result<(), StoreError> {
        self.write(Write::KeepStudy { id, had, study: study.clone() }).map(drop)
    }

    /// A study.
    pub fn load_study(&self, id: StudyId) -> Result<KeptStudy, StoreError> {
        self.ask(|sender| Question::LoadStudy(id, sender))
    }

    /// Studies, the latest first: those after a place in the list.
    pub fn list_studies(
        &self,
        limit: u32,
        after: Option<Cursor>,
    ) -> Result<Vec<StudySummary>, StoreError> {
        self.ask(|sender| Question::ListStudies { limit, after, sender })
    }

    /// Takes a study away; it can be brought back for a month.
    ///
    /// ```
    /// # use tabiya_store::{KeptStudy, Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// # let study = KeptStudy { title: "Ends".into(), pgn: "*".into(), here: 0, sequence: 0 };
    /// let id = store.add_study(&study)?;
    /// store.delete_study(id)?;
    /// assert!(store.load_study(id).is_err());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn delete_study(&self, id: StudyId) -> Result<(), StoreError> {
        self.write(Write::DeleteStudy { id, deleted: true }).map(drop)
    }

    /// Brings a study back.
    ///
    /// ```
    /// # use tabiya_store::{KeptStudy, Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// # let study = KeptStudy { title: "Ends".into(), pgn: "*".into(), here: 0, sequence: 0 };
    /// let id = store.add_study(&study)?;
    /// store.delete_study(id)?;
    /// store.restore_study(id)?;
    /// assert_eq!(store.load_study(id)?, study);
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn restore_study(&self, id: StudyId) -> Result<(), StoreError> {
        self.write(Write::DeleteStudy { id, deleted: false }).map(drop)
    }
}

/// A study that was not deleted, or a chapter of one that was not taken out.
const THERE: &str = "deleted IS NULL AND dropped IS NULL
    AND NOT EXISTS (SELECT 1 FROM studies AS whole WHERE whole.id = studies.book AND whole.deleted IS NOT NULL)";

pub(crate) async fn add(
    connection: &mut SqliteConnection,
    study: &KeptStudy,
) -> Result<StudyId, StoreError> {
    let row = query(
        "INSERT INTO studies (title, pgn, here, sequence, created, updated)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5) RETURNING id",
    )
    .bind(study.title.clone())
    .bind(study.pgn.clone())
    .bind(i64::from(study.here))
    .bind(study.sequence.cast_signed())
    .bind(now())
    .fetch_one(connection)
    .await?;
    Ok(StudyId(row.try_get(0)?))
}

pub(crate) async fn keep(
    connection: &mut SqliteConnection,
    id: StudyId,
    had: u64,
    study: &KeptStudy,
) -> Result<(), StoreError> {
    let row = query(sqlx::AssertSqlSafe(format!(
        "SELECT sequence FROM studies WHERE id = ?1 AND {THERE}"
    )))
    .bind(id.0)
    .fetch_optional(&mut *connection)
    .await?
    .ok_or(StoreError::NoStudy(id))?;
    if row.try_get::<i64, _>(0)? != had.cast_signed() {
        return Err(StoreError::StudyChanged(id));
    }
    query(
        "UPDATE studies SET title = ?2, pgn = ?3, here = ?4, sequence = ?5, updated = max(updated + 1, ?6)
         WHERE id = ?1",
    )
    .bind(id.0)
    .bind(study.title.clone())
    .bind(study.pgn.clone())
    .bind(i64::from(study.here))
    .bind(study.sequence.cast_signed())
    .bind(now())
    .execute(&mut *connection)
    .await?;
    chapters::touch(connection, id).await
}

pub(crate) async fn delete(
    connection: &mut SqliteConnection,
    id: StudyId,
    deleted: bool,
) -> Result<(), StoreError> {
    let done = query("UPDATE studies SET deleted = ?2 WHERE id = ?1")
        .bind(id.0)
        .bind(deleted.then(now))
        .execute(connection)
        .await?;
    found(id, done.rows_affected())
}

fn found(id: StudyId, rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::NoStudy(id)) } else { Ok(()) }
}

/// Forgets what was taken away before a moment.
pub(crate) async fn purge(
    connection: &mut SqliteConnection,
    before: i64,
) -> Result<(), StoreError> {
    // Chapters go with their study; one that gave the study its number stays with it.
    for forget in [
        "DELETE FROM studies WHERE book IN (SELECT id FROM studies WHERE deleted < ?1)",
        "DELETE FROM studies WHERE dropped < ?1 AND book IS NOT NULL",
        "DELETE FROM studies WHERE deleted < ?1",
    ] {
        query(forget).bind(before).execute(&mut *connection).await?;
    }
    Ok(())
}

pub(crate) async fn load(
    connection: &mut SqliteConnection,
    id: StudyId,
) -> Result<KeptStudy, StoreError> {
    let found = format!("SELECT title, pgn, here, sequence FROM studies WHERE id = ?1 AND {THERE}");
    let row = query(sqlx::AssertSqlSafe(found))
        .bind(id.0)
        .fetch_optional(connection)
        .await?
        .ok_or(StoreError::NoStudy(id))?;
    Ok(KeptStudy {
        title: row.try_get("title")?,
        pgn: row.try_get("pgn")?,
        here: u32::try_from(row.try_get::<i64, _>("here")?).unwrap_or(0),
        sequence: row.try_get::<i64, _>("sequence")?.cast_unsigned(),
    })
}

pub(crate) async fn list(
    connection: &mut SqliteConnection,
    limit: u32,
    after: Option<Cursor>,
) -> Result<Vec<StudySummary>, StoreError> {
    let after = after.as_ref().map(Cursor::number).transpose()?.unwrap_or((i64::MAX, i64::MAX));
    let rows = query(
        "SELECT id, coalesce(name, title) AS title, updated,
                strftime('%Y-%m-%d %H:%M', updated / 1000, 'unixepoch', 'localtime') AS moment,
                (dropped IS NULL) + (SELECT count(*) FROM studies AS one WHERE one.book = studies.id AND one.dropped IS NULL) AS chapters,
                (SELECT one.id FROM studies AS one WHERE (one.id = studies.id OR one.book = studies.id)
                    AND one.dropped IS NULL ORDER BY one.place, one.id LIMIT 1) AS first
         FROM studies WHERE deleted IS NULL AND book IS NULL AND (updated, id) < (?2, ?3)
         ORDER BY updated DESC, id DESC LIMIT ?1",
    )
    .bind(i64::from(limit))
    .bind(after.0)
    .bind(after.1)
    .fetch_all(connection)
    .await?;
    let summary = |row: &SqliteRow| {
        Ok(StudySummary {
            id: StudyId(row.try_get("id")?),
            title: row.try_get("title")?,
            updated: row.try_get("updated")?,
            when: row.try_get::<Option<String>, _>("moment")?.unwrap_or_default(),
            chapters: u32::try_from(row.try_get::<i64, _>("chapters")?).unwrap_or(1),
            first: StudyId(row.try_get::<Option<i64>, _>("first")?.unwrap_or(row.try_get("id")?)),
        })
    };
    rows.iter().map(summary).collect()
}
