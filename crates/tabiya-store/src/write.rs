//! What changes the file. All of it runs in transactions of the keeper.

use std::time::Duration;

use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Row, query};
pub(crate) use tabiya_base::unix_milliseconds as now;
use tabiya_play::{Change, Entry, GameKind, GameSetup, Side};

use crate::catalogue::{self, Listing, Tags};
use crate::friends::{self, Guest};
use crate::{
    CardAnswer, CardId, ChapterChange, Findings, GameId, KeptStudy, Learner, NewCard, PuzzleEvent,
    StoreError, StudyId, cards, chapters, learning, puzzles, reviews, studies,
};

/// So many moves are written by one statement.
const ROWS: usize = 500;

/// A change to make.
pub(crate) enum Write {
    /// A new game.
    Create(Box<New>),
    /// New games from records, but for those that are here already.
    Import(Vec<New>),
    /// Some more games into the catalogue.
    Catalogue,
    /// A game goes on. It had so many moves before.
    Change {
        id: GameId,
        had: usize,
        change: Change,
    },
    /// What was taken back in a game of so many moves, and can be played again.
    Undone {
        id: GameId,
        plies: usize,
        codes: Vec<String>,
    },
    /// Somebody takes the seat that is open.
    Join {
        id: GameId,
        guest: Guest,
    },
    /// The game that follows another; if there is one already, that.
    Follow {
        id: GameId,
        new: Box<New>,
    },
    /// Into the bin, or out of it: all or none.
    Delete {
        ids: Vec<GameId>,
        deleted: bool,
    },
    /// Gone for good.
    Forget(GameId),
    /// From the bin for good: all or none.
    EmptyBin(Vec<GameId>),
    /// Forgets what has been in the bin for long, and games that nobody began, except some.
    Purge {
        except: Vec<i64>,
    },
    /// Keeps a new study.
    AddStudy(KeptStudy),
    /// A study of several chapters.
    AddBook(String, Vec<KeptStudy>),
    ChangeChapters(StudyId, ChapterChange),
    /// Keeps a study as it is now. It had been edited so often before.
    KeepStudy {
        id: StudyId,
        had: u64,
        study: KeptStudy,
    },
    /// Takes a study away, or brings it back.
    DeleteStudy {
        id: StudyId,
        deleted: bool,
    },
    /// A review that was made.
    KeepReview {
        key: String,
        record: String,
    },
    /// What somebody has done with a puzzle of this rating.
    Puzzle {
        person: String,
        puzzle: u64,
        rating: u16,
        event: PuzzleEvent,
    },
    /// Cards to learn, new or as they are now.
    AddCards(Vec<NewCard>),
    AnswerCard {
        card: CardId,
        answer: CardAnswer,
    },
    SetCardsAside {
        cards: Vec<CardId>,
        aside: bool,
    },
    ForgetCards(Vec<CardId>),
    KeepLearner(Learner),
    /// A game that nothing can be learned from.
    PassOver(GameId),
    /// What came of a game that was looked through, and its cards.
    KeepFindings {
        game: GameId,
        findings: Findings,
        cards: Vec<NewCard>,
    },
}

/// What a change was about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Written {
    Game(GameId),
    Study(StudyId),
    /// Games from records: new ones, and those that were here already or came back from the bin.
    Import {
        new: usize,
        known: usize,
        restored: usize,
    },
    /// So many games are not in the catalogue yet.
    Uncatalogued(u64),
    /// So many cards are new.
    Cards(usize),
    /// Several games, or none.
    Other,
}

/// A game to add.
pub(crate) struct New {
    pub(crate) setup: GameSetup,
    pub(crate) change: Change,
    pub(crate) event: Option<String>,
    pub(crate) record: Option<String>,
    pub(crate) tags: Tags,
    /// A seat for somebody who has still to come.
    pub(crate) open: Option<Side>,
}

impl New {
    /// A game that is played here.
    pub(crate) fn played(setup: GameSetup, change: Change) -> New {
        New { setup, change, event: None, record: None, tags: Tags::default(), open: None }
    }

    /// Tells the catalogue of it as it is kept, with its day.
    fn listing<T>(&self, date: Option<&str>, tell: impl FnOnce(&Listing<'_>) -> T) -> T {
        let [white, black] = self.setup.players.each_ref().map(ToString::to_string);
        let codes: Vec<&str> = self.change.added.iter().map(|entry| entry.uci.as_str()).collect();
        tell(&Listing {
            kind: kind_text(self.setup.start.kind()),
            start: &self.setup.start.text(),
            players: [&white, &black],
            date,
            event: self.event.as_deref(),
            result: ending(&self.change).0,
            codes: &codes,
            is_record: self.record.is_some(),
        })
    }
}

impl Write {
    /// Makes the change and tells what it was about.
    pub(crate) async fn run(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<Written, StoreError> {
        let written = match self {
            Write::Create(new) => Written::Game(create(connection, new).await?),
            Write::Import(all) => import(connection, all).await?,
            Write::Catalogue => Written::Uncatalogued(catalogue::fill(connection).await?),
            Write::Change { id, had, change } => {
                go_on(connection, *id, *had, change).await?;
                Written::Game(*id)
            }
            Write::Undone { id, plies, codes } => {
                undone(connection, *id, *plies, codes).await?;
                Written::Game(*id)
            }
            Write::Join { id, guest } => {
                friends::join(connection, *id, guest).await?;
                Written::Game(*id)
            }
            Write::Follow { id, new } => {
                Written::Game(friends::follow(connection, *id, new).await?)
            }
            Write::Delete { ids, deleted } => {
                for id in ids {
                    let done = query("UPDATE games SET deleted = ?2 WHERE id = ?1")
                        .bind(id.0)
                        .bind(deleted.then(now))
                        .execute(&mut *connection)
                        .await?;
                    if done.rows_affected() == 0 {
                        return Err(StoreError::NoGame(*id));
                    }
                }
                Written::Other
            }
            Write::Forget(id) => {
                query("DELETE FROM games WHERE id = ?1").bind(id.0).execute(connection).await?;
                Written::Game(*id)
            }
            Write::EmptyBin(ids) => {
                for id in ids {
                    let sql = "DELETE FROM games WHERE id = ?1 AND deleted IS NOT NULL";
                    let done = query(sql).bind(id.0).execute(&mut *connection).await?;
                    if done.rows_affected() == 0 {
                        return Err(StoreError::NoGame(*id));
                    }
                }
                Written::Other
            }
            Write::Purge { except } => {
                purge(connection, except).await?;
                Written::Other
            }
            Write::AddStudy(study) => Written::Study(studies::add(connection, study).await?),
            Write::AddBook(title, all) => {
                Written::Study(chapters::add_book(connection, title, all).await?)
            }
            Write::ChangeChapters(id, change) => {
                Written::Study(chapters::change(connection, *id, change).await?)
            }
            Write::KeepStudy { id, had, study } => {
                studies::keep(connection, *id, *had, study).await?;
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
            Write::Puzzle { person, puzzle, rating, event } => {
                puzzles::keep(connection, person, *puzzle, *rating, *event).await?;
                Written::Other
            }
            Write::AddCards(all) => Written::Cards(cards::add(connection, all).await?),
            Write::AnswerCard { card, answer } => {
                cards::answer(connection, *card, answer).await?;
                Written::Other
            }
            Write::SetCardsAside { cards, aside } => {
                cards::set_aside(connection, cards, *aside).await?;
                Written::Other
            }
            Write::ForgetCards(cards) => {
                cards::forget(connection, cards).await?;
                Written::Other
            }
            Write::KeepLearner(learner) => {
                learning::keep(connection, learner).await?;
                Written::Other
            }
            Write::PassOver(game) => {
                learning::pass_over(connection, *game).await?;
                Written::Game(*game)
            }
            Write::KeepFindings { game, findings, cards } => {
                Written::Cards(learning::keep_findings(connection, *game, findings, cards).await?)
            }
        };
        Ok(written)
    }
}

/// How long a deleted game can be had back, and an invitation waits for a friend.
const MONTH: Duration = Duration::from_secs(30 * 24 * 3600);
/// How long a game waits for its first move.
const DAY: Duration = Duration::from_secs(24 * 3600);

async fn purge(connection: &mut SqliteConnection, except: &[i64]) -> Result<(), StoreError> {
    let before = |time: Duration| now().saturating_sub(time.as_millis() as i64);
    query("DELETE FROM games WHERE deleted < ?1")
        .bind(before(MONTH))
        .execute(&mut *connection)
        .await?;
    query(
        "DELETE FROM games WHERE plies = 0 AND record IS NULL AND updated < ?1
            AND (updated < ?2 OR NOT EXISTS
                (SELECT 1 FROM friends WHERE game = id AND seat IS NOT NULL AND guest IS NULL))
            AND id NOT IN (SELECT value FROM json_each(?3))",
    )
    .bind(before(DAY))
    .bind(before(MONTH))
    .bind(serde_json::json!(except).to_string())
    .execute(&mut *connection)
    .await?;
    studies::purge(connection, before(MONTH)).await
}

pub(crate) const fn kind_text(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Chess => "chess",
        GameKind::Bishops => "bishops",
    }
}

/// Adds games from records. One that is here already is not added; if it is in the bin, it comes back.
async fn import(connection: &mut SqliteConnection, all: &[New]) -> Result<Written, StoreError> {
    let (mut added, mut known, mut restored) = (0, 0, 0);
    for new in all {
        let print = new.listing(new.setup.date.as_deref(), |listing| listing.fingerprint());
        let same = query(
            "SELECT game, deleted > 0 FROM catalogue WHERE fingerprint = unhex(?1) ORDER BY deleted LIMIT 1",
        )
        .bind(print)
        .fetch_optional(&mut *connection)
        .await?;
        match same {
            None => {
                create(connection, new).await?;
                added += 1;
            }
            Some(row) if row.try_get(1)? => {
                let sql = "UPDATE games SET deleted = NULL WHERE id = ?1";
                query(sql).bind(row.try_get::<i64, _>(0)?).execute(&mut *connection).await?;
                restored += 1;
            }
            Some(_) => known += 1,
        }
    }
    Ok(Written::Import { new: added, known, restored })
}

pub(crate) async fn create(
    connection: &mut SqliteConnection,
    new: &New,
) -> Result<GameId, StoreError> {
    let New { setup, change, event, record, tags, open } = new;
    let [white, black] = setup.players.each_ref().map(ToString::to_string);
    let (result, ending) = ending(change);
    // A game that begins here begins today.
    let row = query(
        "INSERT INTO games (kind, start, white, black, control, seed, take_backs, date, result, ending,
                            event, record, created, updated, plies)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
                 CASE WHEN ?12 IS NULL THEN coalesce(?8, strftime('%Y.%m.%d', 'now', 'localtime')) ELSE ?8 END,
                 ?9, ?10, ?11, ?12, ?13, ?13, ?14)
         RETURNING id, date",
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
    .bind(change.added.len() as i64)
    .fetch_one(&mut *connection)
    .await?;
    let id = GameId(row.try_get(0)?);
    if setup.remote {
        friends::invite(connection, id, *open).await?;
    }
    add(connection, id, 0, &change.added).await?;
    // A game that begins here has its day from the file.
    let date: Option<String> = row.try_get(1)?;
    let entry = new.listing(date.as_deref(), |listing| listing.entry(id, tags));
    catalogue::add(connection, entry).await?;
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
    let row = query("SELECT plies FROM games WHERE id = ?1 AND deleted IS NULL")
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
        "UPDATE games SET result = ?2, ending = ?3, updated = max(updated + 1, ?4), record = NULL, plies = ?5
         WHERE id = ?1",
    )
    .bind(id.0)
    .bind(result)
    .bind(ending)
    .bind(now())
    .bind((change.stays + change.added.len()) as i64)
    .execute(&mut *connection)
    .await?;
    catalogue::rename_opening(connection, id, change.stays).await
}

async fn undone(
    connection: &mut SqliteConnection,
    id: GameId,
    plies: usize,
    codes: &[String],
) -> Result<(), StoreError> {
    if codes.is_empty() {
        query("DELETE FROM undone WHERE game = ?1").bind(id.0).execute(connection).await?;
        return Ok(());
    }
    // A game that is gone has nothing to play again.
    query(
        "INSERT OR REPLACE INTO undone (game, plies, codes)
         SELECT id, ?2, ?3 FROM games WHERE id = ?1",
    )
    .bind(id.0)
    .bind(plies as i64)
    .bind(codes.join(" "))
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
