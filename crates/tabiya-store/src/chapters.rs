//! Chapters: a study of many games. Each chapter is kept as a study of its own, with the number of the study it belongs
//! to; the first one that a study has had gives it its number.

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Row, query};

use crate::readers::Question;
use crate::write::{Write, Written, now};
use crate::{KeptStudy, Store, StoreError, StudyId, studies};

/// So many chapters a study has at most.
pub const MOST_CHAPTERS: usize = 64;

/// A study as a whole: its name, and its chapters in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// The number of the study.
    pub id: StudyId,
    /// What it is called.
    pub title: String,
    /// Its chapters; there is at least one.
    pub chapters: Vec<Chapter>,
}

/// A chapter in the list of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chapter {
    /// Under this number it is loaded and kept, as a study.
    pub id: StudyId,
    /// What it is called.
    pub title: String,
}

/// A change to the chapters of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChapterChange {
    /// More of them, at the end.
    Add(Vec<KeptStudy>),
    /// One goes to another place, the first being 0.
    Move(StudyId, usize),
    /// One is taken out; it can be brought back for a month.
    Delete(StudyId),
    /// One that was taken out comes back.
    Restore(StudyId),
    /// Another name for the study.
    Name(String),
}

impl Store {
    /// Keeps a new study of several chapters.
    ///
    /// ```
    /// use tabiya_store::{ChapterChange, KeptStudy, Store};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// let store = Store::open(folder.path())?;
    /// let chapter = |title: &str| KeptStudy { title: title.into(), pgn: "*".into(), here: 0, sequence: 0 };
    /// let id = store.add_book("Two games", &[chapter("One"), chapter("Two")])?;
    /// let book = store.load_book(id)?;
    /// assert_eq!((book.title.as_str(), book.chapters.len()), ("Two games", 2));
    ///
    /// let second = book.chapters[1].id;
    /// store.change_chapters(id, &ChapterChange::Move(second, 0))?;
    /// store.change_chapters(id, &ChapterChange::Delete(book.chapters[0].id))?;
    /// assert_eq!(store.load_book(id)?.chapters[0].title, "Two");
    /// // One always stays.
    /// assert!(store.change_chapters(id, &ChapterChange::Delete(second)).is_err());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn add_book(&self, title: &str, chapters: &[KeptStudy]) -> Result<StudyId, StoreError> {
        match self.write(Write::AddBook(title.to_owned(), chapters.to_vec()))? {
            Written::Study(id) => Ok(id),
            other => Err(StoreError::Database(format!("no study, but {other:?}, was written"))),
        }
    }

    /// Changes the chapters of a study; gives the first that was added, or the study.
    pub fn change_chapters(
        &self,
        id: StudyId,
        change: &ChapterChange,
    ) -> Result<StudyId, StoreError> {
        match self.write(Write::ChangeChapters(id, change.clone()))? {
            Written::Study(id) => Ok(id),
            other => Err(StoreError::Database(format!("no study, but {other:?}, was written"))),
        }
    }

    /// The study that a chapter belongs to, by the number of either.
    pub fn load_book(&self, id: StudyId) -> Result<Book, StoreError> {
        self.ask(|sender| Question::LoadBook(id, sender))
    }
}

pub(crate) async fn add_book(
    connection: &mut SqliteConnection,
    title: &str,
    chapters: &[KeptStudy],
) -> Result<StudyId, StoreError> {
    let Some((first, others)) = chapters.split_first() else {
        return Err(StoreError::Database("a study has at least one chapter".to_owned()));
    };
    let id = studies::add(connection, first).await?;
    if !others.is_empty() {
        name(connection, id, title).await?;
        add(connection, id, 1, others).await?;
    }
    Ok(id)
}

async fn name(
    connection: &mut SqliteConnection,
    book: StudyId,
    title: &str,
) -> Result<(), StoreError> {
    query("UPDATE studies SET name = ?2 WHERE id = ?1")
        .bind(book.0)
        .bind(title.to_owned())
        .execute(connection)
        .await?;
    Ok(())
}

async fn add(
    connection: &mut SqliteConnection,
    book: StudyId,
    places: usize,
    chapters: &[KeptStudy],
) -> Result<Option<StudyId>, StoreError> {
    let mut first = None;
    for (place, chapter) in (places..).zip(chapters) {
        let id = studies::add(connection, chapter).await?;
        query("UPDATE studies SET book = ?2, place = ?3 WHERE id = ?1")
            .bind(id.0)
            .bind(book.0)
            .bind(place as i64)
            .execute(&mut *connection)
            .await?;
        first = first.or(Some(id));
    }
    Ok(first)
}

pub(crate) async fn change(
    connection: &mut SqliteConnection,
    id: StudyId,
    change: &ChapterChange,
) -> Result<StudyId, StoreError> {
    let book = load(connection, id).await?;
    let mut order: Vec<StudyId> = book.chapters.iter().map(|chapter| chapter.id).collect();
    let mut told = book.id;
    let known = |chapter: StudyId| {
        let at = book.chapters.iter().position(|one| one.id == chapter);
        at.ok_or(StoreError::NoStudy(chapter))
    };
    match change {
        ChapterChange::Add(chapters) => {
            if order.len() + chapters.len() > MOST_CHAPTERS {
                return Err(StoreError::TooManyChapters(MOST_CHAPTERS));
            }
            // The study keeps its name when it is no longer that of its one chapter.
            name(connection, book.id, &book.title).await?;
            if let Some(first) = add(connection, book.id, order.len(), chapters).await? {
                told = first;
            }
        }
        ChapterChange::Move(chapter, place) => {
            let moved = order.remove(known(*chapter)?);
            order.insert((*place).min(order.len()), moved);
        }
        ChapterChange::Delete(chapter) => {
            known(*chapter)?;
            if order.len() == 1 {
                return Err(StoreError::LastChapter);
            }
            drop_chapter(connection, *chapter, Some(now())).await?;
        }
        ChapterChange::Restore(chapter) => {
            if order.len() >= MOST_CHAPTERS {
                return Err(StoreError::TooManyChapters(MOST_CHAPTERS));
            }
            let own = query("SELECT 1 FROM studies WHERE id = ?1 AND coalesce(book, id) = ?2")
                .bind(chapter.0)
                .bind(book.id.0)
                .fetch_optional(&mut *connection)
                .await?;
            own.ok_or(StoreError::NoStudy(*chapter))?;
            drop_chapter(connection, *chapter, None).await?;
            return Ok(*chapter);
        }
        ChapterChange::Name(title) => name(connection, book.id, title).await?,
    }
    if matches!(change, ChapterChange::Move(..)) {
        for (place, chapter) in order.iter().enumerate() {
            query("UPDATE studies SET place = ?2 WHERE id = ?1")
                .bind(chapter.0)
                .bind(place as i64)
                .execute(&mut *connection)
                .await?;
        }
    }
    touch(connection, book.id).await?;
    Ok(told)
}

async fn drop_chapter(
    connection: &mut SqliteConnection,
    chapter: StudyId,
    when: Option<i64>,
) -> Result<(), StoreError> {
    query("UPDATE studies SET dropped = ?2 WHERE id = ?1")
        .bind(chapter.0)
        .bind(when)
        .execute(connection)
        .await?;
    Ok(())
}

/// Puts the study of a chapter to the top of the list.
pub(crate) async fn touch(
    connection: &mut SqliteConnection,
    chapter: StudyId,
) -> Result<(), StoreError> {
    query(
        "UPDATE studies SET updated = max(updated + 1, ?2)
         WHERE id = (SELECT coalesce(book, id) FROM studies WHERE id = ?1)",
    )
    .bind(chapter.0)
    .bind(now())
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn load(
    connection: &mut SqliteConnection,
    id: StudyId,
) -> Result<Book, StoreError> {
    let row = query(
        "SELECT id, coalesce(name, title) AS title FROM studies
         WHERE id = (SELECT coalesce(book, id) FROM studies WHERE id = ?1) AND deleted IS NULL",
    )
    .bind(id.0)
    .fetch_optional(&mut *connection)
    .await?
    .ok_or(StoreError::NoStudy(id))?;
    let book = StudyId(row.try_get("id")?);
    let rows = query(
        "SELECT id, title FROM studies WHERE (id = ?1 OR book = ?1) AND dropped IS NULL
         ORDER BY place, id",
    )
    .bind(book.0)
    .fetch_all(connection)
    .await?;
    let chapter = |row: &SqliteRow| {
        Ok(Chapter { id: StudyId(row.try_get("id")?), title: row.try_get("title")? })
    };
    let chapters = rows.iter().map(chapter).collect::<Result<Vec<_>, StoreError>>()?;
    Ok(Book { id: book, title: row.try_get("title")?, chapters })
}
