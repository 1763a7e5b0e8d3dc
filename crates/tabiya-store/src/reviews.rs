//! Reviews of games, each under the fingerprint of what was reviewed, so that none is ever out of date.

use sqlx::sqlite::SqliteConnection;
use sqlx::{Row, query};

use crate::readers::Question;
use crate::write::{Write, now};
use crate::{Store, StoreError};

/// So many are kept, the latest; others can be made again.
const MOST: i64 = 10_000;

impl Store {
    /// Keeps a review: the record of the game with the review in it.
    ///
    /// ```
    /// # use tabiya_store::Store;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// store.keep_review("3f2a", "1. e4 {[%eval 0.20]} *")?;
    /// assert_eq!(store.load_review("3f2a")?.as_deref(), Some("1. e4 {[%eval 0.20]} *"));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn keep_review(&self, key: &str, record: &str) -> Result<(), StoreError> {
        let (key, record) = (key.to_owned(), record.to_owned());
        self.write(Write::KeepReview { key, record }).map(drop)
    }

    /// The record of a review that is kept.
    pub fn load_review(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.ask(|sender| Question::LoadReview(key.to_owned(), sender))
    }
}

pub(crate) async fn keep(
    connection: &mut SqliteConnection,
    key: &str,
    record: &str,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO reviews (key, record, made) VALUES (?1, ?2, ?3)
         ON CONFLICT (key) DO UPDATE SET record = ?2, made = ?3",
    )
    .bind(key.to_owned())
    .bind(record.to_owned())
    .bind(now())
    .execute(&mut *connection)
    .await?;
    query(
        "DELETE FROM reviews WHERE key IN
             (SELECT key FROM reviews ORDER BY made DESC, key LIMIT -1 OFFSET ?1)",
    )
    .bind(MOST)
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn load(
    connection: &mut SqliteConnection,
    key: &str,
) -> Result<Option<String>, StoreError> {
    let row = query("SELECT record FROM reviews WHERE key = ?1")
        .bind(key.to_owned())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
