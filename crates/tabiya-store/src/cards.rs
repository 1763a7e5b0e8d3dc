//! Cards: what is to be learned, and comes back until it sits. Each has a log of its answers, to which is only added;
//! how well a card sits is what [`Scheduler`] makes of that log in the order of time, so that answers may come late, and
//! twice.

use std::fmt;
use std::str::FromStr;

use sqlx::sqlite::{Sqlite, SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Row, query};
use tabiya_coach::{Grade, Memory, Scheduler};

use crate::readers::Question;
use crate::write::{Write, Written, now};
use crate::{Store, StoreError};

/// The number of a card.
///
/// ```
/// assert_eq!(tabiya_store::CardId(7).to_string(), "7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CardId(pub i64);

impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is learned with a card.
///
/// ```
/// use tabiya_store::CardKind;
///
/// assert_eq!("ending".parse(), Ok(CardKind::Ending));
/// assert_eq!(CardKind::Opening.to_string(), "opening");
/// assert!("endings".parse::<CardKind>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CardKind {
    /// A mistake that is to be done better.
    Exercise,
    /// An ending against perfect resistance.
    Ending,
    /// The next move of a repertoire.
    Opening,
}

impl CardKind {
    /// All of them.
    pub const ALL: [CardKind; 3] = [CardKind::Exercise, CardKind::Ending, CardKind::Opening];

    /// Its name in addresses and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            CardKind::Exercise => "exercise",
            CardKind::Ending => "ending",
            CardKind::Opening => "opening",
        }
    }
}

impl fmt::Display for CardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What was read is not a kind of cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownCardKind;

impl fmt::Display for UnknownCardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the kind is none of exercise, ending, opening")
    }
}

impl std::error::Error for UnknownCardKind {}

impl FromStr for CardKind {
    type Err = UnknownCardKind;

    fn from_str(text: &str) -> Result<CardKind, UnknownCardKind> {
        CardKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or(UnknownCardKind)
    }
}

/// What a card says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewCard {
    /// What is learned with it.
    pub kind: CardKind,
    /// By what it is known again: there is one card of a kind with this key.
    pub key: String,
    /// Single words to find and to count it by, such as its topics.
    pub tags: Vec<String>,
    /// The rest, which only those understand who made it.
    pub payload: String,
}

/// A card as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Card {
    /// Its number.
    pub id: CardId,
    /// What it says.
    pub content: NewCard,
    /// How well it sits; nothing of one that was never answered.
    pub memory: Option<Memory>,
    /// Whether it was put aside, and does not come back.
    pub aside: bool,
    /// When it was made. Times are milliseconds since 1970.
    pub made: i64,
}

/// How a card was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardAnswer {
    /// Chosen by whoever answers. A second answer with the same name does not count beside the first, but takes its
    /// place.
    pub name: String,
    /// How well it was known.
    pub grade: Grade,
    /// When. One that comes from the future was given now.
    pub at: i64,
    /// How it went, for those who look back: `hint piece`, say.
    pub how: String,
}

/// Which cards are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardFilter {
    /// Only those of this kind.
    pub kind: Option<CardKind>,
    /// Only those with this tag.
    pub tag: Option<String>,
    /// What time it is.
    pub now: i64,
    /// So many at most.
    pub limit: u32,
    /// So many cards are begun in one day.
    pub new_a_day: u32,
}

impl Default for CardFilter {
    /// Those of all kinds that are due now.
    fn default() -> CardFilter {
        CardFilter { kind: None, tag: None, now: now(), limit: 20, new_a_day: 10 }
    }
}

/// What is to be learned now.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CardQueue {
    /// The cards, those first that have waited longest, new ones last.
    pub cards: Vec<Card>,
    /// How many come back by now.
    pub due: u32,
    /// How many are still to be begun today.
    pub new: u32,
    /// When the next one comes back, if none is left.
    pub next: Option<i64>,
}

/// How learning goes. Days are those of this machine: `2026-11-19`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CardReport {
    /// All cards but those that were put aside.
    pub cards: u32,
    /// Those that were never answered.
    pub unseen: u32,
    /// On so many days in a row something was answered, today or yesterday the last.
    pub streak: u32,
    /// The most ever.
    pub best: u32,
    /// What was answered on each day on which something was, the first day first.
    pub days: Vec<CardDay>,
    /// What comes back on each of the next days, beginning with today and all that has waited.
    pub forecast: Vec<CardDay>,
    /// What was answered with each tag, the most missed first.
    pub tags: Vec<TagCount>,
}

/// How many cards on one day.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardDay {
    /// `2026-11-19`
    pub day: String,
    /// How many were answered, or come back.
    pub cards: u32,
    /// How many of the answers were "again".
    pub missed: u32,
}

/// How the cards with one tag are answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagCount {
    /// The tag.
    pub tag: String,
    /// How many cards have it.
    pub cards: u32,
    /// How many answers they got.
    pub answers: u32,
    /// How many of the answers were "again".
    pub missed: u32,
}

/// A forecast has so many days.
const FORECAST: i64 = 30;

impl Store {
    /// Keeps cards. One that is there already keeps its number and its answers, and says what it is told now. Gives how
    /// many are new.
    ///
    /// ```
    /// use tabiya_coach::Grade;
    /// use tabiya_store::{CardAnswer, CardFilter, CardKind, NewCard, Store};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let lucena = NewCard {
    ///     kind: CardKind::Ending,
    ///     key: "lucena".into(),
    ///     tags: vec!["rook".into()],
    ///     payload: "1K6/1P1k4/8/8/8/8/2r5/3R4 w - - 0 1".into(),
    /// };
    /// assert_eq!(store.add_cards(vec![lucena.clone()])?, 1);
    /// assert_eq!(store.add_cards(vec![lucena])?, 0);
    ///
    /// let filter = CardFilter::default();
    /// let card = store.due_cards(&filter)?.cards.remove(0);
    /// let answer = CardAnswer { name: "a1".into(), grade: Grade::Good, at: filter.now, how: String::new() };
    /// let card = store.answer_card(card.id, answer)?;
    /// assert_eq!(card.memory.unwrap().due, filter.now + 2 * 24 * 3_600_000); // in two days
    /// assert!(store.due_cards(&filter)?.cards.is_empty());
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn add_cards(&self, cards: Vec<NewCard>) -> Result<usize, StoreError> {
        match self.write(Write::AddCards(cards))? {
            Written::Cards(new) => Ok(new),
            other => Err(StoreError::Database(format!("no cards, but {other:?}, were written"))),
        }
    }

    /// Keeps an answer, and tells how the card stands then.
    pub fn answer_card(&self, card: CardId, answer: CardAnswer) -> Result<Card, StoreError> {
        self.write(Write::AnswerCard { card, answer })?;
        self.card(card)
    }

    /// Puts cards aside, so that they do not come back, or has them back: all, or none if one is not there.
    pub fn set_cards_aside(&self, cards: &[CardId], aside: bool) -> Result<(), StoreError> {
        self.write(Write::SetCardsAside { cards: cards.to_vec(), aside }).map(drop)
    }

    /// Forgets cards and their answers for good: all, or none if one is not there.
    pub fn forget_cards(&self, cards: &[CardId]) -> Result<(), StoreError> {
        self.write(Write::ForgetCards(cards.to_vec())).map(drop)
    }

    /// One card.
    pub fn card(&self, card: CardId) -> Result<Card, StoreError> {
        self.ask(|sender| Question::LoadCard(card, sender))
    }

    /// The card of a kind with a key.
    pub fn find_card(&self, kind: CardKind, key: &str) -> Result<Option<Card>, StoreError> {
        self.ask(|sender| Question::FindCard(kind, key.to_owned(), sender))
    }

    /// All cards of a kind by their numbers, so many at most after one of them.
    pub fn list_cards(
        &self,
        kind: CardKind,
        after: Option<CardId>,
        limit: u32,
    ) -> Result<Vec<Card>, StoreError> {
        self.ask(|sender| Question::ListCards { kind, after, limit, sender })
    }

    /// What is to be learned now.
    pub fn due_cards(&self, filter: &CardFilter) -> Result<CardQueue, StoreError> {
        self.ask(|sender| Question::DueCards(filter.clone(), sender))
    }

    /// The answers of a card that count, in the order of time.
    pub fn card_answers(&self, card: CardId) -> Result<Vec<CardAnswer>, StoreError> {
        self.ask(|sender| Question::CardAnswers(card, sender))
    }

    /// How learning goes, with all cards or those of one kind.
    pub fn card_report(&self, kind: Option<CardKind>, now: i64) -> Result<CardReport, StoreError> {
        self.ask(|sender| Question::CardReport(kind, now, sender))
    }
}

/// The number of a day on this machine, of a column or place with a time.
macro_rules! day {
    ($time:literal) => {
        concat!("unixepoch(date(", $time, " / 1000, 'unixepoch', 'localtime')) / 86400")
    };
}

pub(crate) async fn add(
    connection: &mut SqliteConnection,
    cards: &[NewCard],
) -> Result<usize, StoreError> {
    let mut new = 0;
    for card in cards {
        let NewCard { kind, key, tags, payload } = card;
        let known = query("SELECT 1 FROM cards WHERE kind = ?1 AND key = ?2")
            .bind(kind.name())
            .bind(key.clone())
            .fetch_optional(&mut *connection)
            .await?;
        new += usize::from(known.is_none());
        query(
            "INSERT INTO cards (kind, key, tags, payload, made) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (kind, key) DO UPDATE SET tags = ?3, payload = ?4",
        )
        .bind(kind.name())
        .bind(key.clone())
        .bind(tags.join(" "))
        .bind(payload.clone())
        .bind(now())
        .execute(&mut *connection)
        .await?;
    }
    Ok(new)
}

pub(crate) async fn answer(
    connection: &mut SqliteConnection,
    card: CardId,
    answer: &CardAnswer,
) -> Result<(), StoreError> {
    load(connection, card).await?;
    let CardAnswer { name, grade, at, how } = answer;
    let before = query(
        "SELECT grade, how, at FROM card_answers WHERE card = ?1 AND name = ?2 AND NOT replaced",
    )
    .bind(card.0)
    .bind(name.clone())
    .fetch_optional(&mut *connection)
    .await?;
    // What is told again was given when it was given first.
    let mut at = (*at).clamp(0, now());
    if let Some(row) = before {
        let same: bool =
            row.try_get::<&str, _>(0)? == grade.name() && row.try_get::<&str, _>(1)? == how;
        if same {
            return Ok(());
        }
        at = row.try_get(2)?;
        query("UPDATE card_answers SET replaced = 1 WHERE card = ?1 AND name = ?2")
            .bind(card.0)
            .bind(name.clone())
            .execute(&mut *connection)
            .await?;
    }
    query(concat!(
        "INSERT INTO card_answers (card, name, grade, at, how, day) VALUES (?1, ?2, ?3, ?4, ?5, ",
        day!("?4"),
        ")"
    ))
    .bind(card.0)
    .bind(name.clone())
    .bind(grade.name())
    .bind(at)
    .bind(how.clone())
    .execute(&mut *connection)
    .await?;
    let scheduler = Scheduler::default();
    let memory = answers(connection, card).await?.iter().fold(None, |memory, answer| {
        Some(scheduler.answer(memory.as_ref(), answer.grade, answer.at))
    });
    let Some(memory) = memory else { return Ok(()) };
    query(
        "UPDATE cards SET stability = ?2, difficulty = ?3, step = ?4, was_known = ?5, answered = ?6, due = ?7
         WHERE id = ?1",
    )
    .bind(card.0)
    .bind(memory.stability)
    .bind(memory.difficulty)
    .bind(memory.step)
    .bind(memory.was_known)
    .bind(memory.answered)
    .bind(memory.due)
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn answers(
    connection: &mut SqliteConnection,
    card: CardId,
) -> Result<Vec<CardAnswer>, StoreError> {
    let rows = query(
        "SELECT name, grade, at, how FROM card_answers WHERE card = ?1 AND NOT replaced ORDER BY at, id",
    )
    .bind(card.0)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(CardAnswer {
                name: row.try_get("name")?,
                grade: read(row, "grade")?,
                at: row.try_get("at")?,
                how: row.try_get("how")?,
            })
        })
        .collect()
}

pub(crate) async fn set_aside(
    connection: &mut SqliteConnection,
    cards: &[CardId],
    aside: bool,
) -> Result<(), StoreError> {
    for card in cards {
        let done = query("UPDATE cards SET aside = ?2 WHERE id = ?1")
            .bind(card.0)
            .bind(aside)
            .execute(&mut *connection)
            .await?;
        if done.rows_affected() == 0 {
            return Err(StoreError::NoCard(*card));
        }
    }
    Ok(())
}

pub(crate) async fn forget(
    connection: &mut SqliteConnection,
    cards: &[CardId],
) -> Result<(), StoreError> {
    for card in cards {
        let done = query("DELETE FROM cards WHERE id = ?1").bind(card.0);
        if done.execute(&mut *connection).await?.rows_affected() == 0 {
            return Err(StoreError::NoCard(*card));
        }
    }
    Ok(())
}

const COLUMNS: &str =
    "SELECT id, kind, key, tags, payload, made, aside, stability, difficulty, step, was_known,
    answered, due FROM cards ";

pub(crate) async fn load(
    connection: &mut SqliteConnection,
    card: CardId,
) -> Result<Card, StoreError> {
    let mut question = QueryBuilder::new(COLUMNS);
    question.push("WHERE id = ").push_bind(card.0);
    let row = question.build().fetch_optional(connection).await?;
    one(&row.ok_or(StoreError::NoCard(card))?)
}

pub(crate) async fn find(
    connection: &mut SqliteConnection,
    kind: CardKind,
    key: &str,
) -> Result<Option<Card>, StoreError> {
    let mut question = QueryBuilder::new(COLUMNS);
    question.push("WHERE kind = ").push_bind(kind.name());
    question.push(" AND key = ").push_bind(key.to_owned());
    question.build().fetch_optional(connection).await?.map(|row| one(&row)).transpose()
}

pub(crate) async fn list(
    connection: &mut SqliteConnection,
    kind: CardKind,
    after: Option<CardId>,
    limit: u32,
) -> Result<Vec<Card>, StoreError> {
    let mut question = QueryBuilder::new(COLUMNS);
    question.push("WHERE kind = ").push_bind(kind.name());
    question.push(" AND id > ").push_bind(after.map_or(0, |card| card.0));
    question.push(" ORDER BY id LIMIT ").push_bind(limit);
    question.build().fetch_all(connection).await?.iter().map(one).collect()
}

/// Of the cards that come back, or of those that were never answered.
fn only(question: &mut QueryBuilder<Sqlite>, filter: &CardFilter, was_answered: bool) {
    question.push(match was_answered {
        true => "WHERE NOT aside AND answered IS NOT NULL",
        false => "WHERE NOT aside AND answered IS NULL",
    });
    if let Some(kind) = filter.kind {
        question.push(" AND kind = ").push_bind(kind.name());
    }
    if let Some(tag) = &filter.tag {
        question.push(" AND instr(' ' || tags || ' ', ").push_bind(format!(" {tag} ")).push(")");
    }
}

pub(crate) async fn due(
    connection: &mut SqliteConnection,
    filter: &CardFilter,
) -> Result<CardQueue, StoreError> {
    let mut question = QueryBuilder::new("SELECT count(*) FROM cards ");
    only(&mut question, filter, true);
    question.push(" AND due <= ").push_bind(filter.now);
    let due: u32 = question.build().fetch_one(&mut *connection).await?.try_get(0)?;

    let mut question = QueryBuilder::new(COLUMNS);
    only(&mut question, filter, true);
    question.push(" AND due <= ").push_bind(filter.now);
    question.push(" ORDER BY due, id LIMIT ").push_bind(filter.limit);
    let rows = question.build().fetch_all(&mut *connection).await?;
    let mut cards: Vec<Card> = rows.iter().map(one).collect::<Result<_, _>>()?;

    let begun = begun(connection, filter).await?;
    let more = filter.new_a_day.saturating_sub(begun);
    let mut question = QueryBuilder::new(COLUMNS);
    only(&mut question, filter, false);
    question.push(" ORDER BY id LIMIT ").push_bind(more);
    let rows = question.build().fetch_all(&mut *connection).await?;
    let new = rows.len() as u32;
    let room = (filter.limit as usize).saturating_sub(cards.len());
    for row in rows.iter().take(room) {
        cards.push(one(row)?);
    }
    let mut next = None;
    if cards.is_empty() {
        let mut question = QueryBuilder::new("SELECT min(due) FROM cards ");
        only(&mut question, filter, true);
        next = question.build().fetch_one(connection).await?.try_get(0)?;
    }
    Ok(CardQueue { cards, due, new, next })
}

/// How many cards were answered for the first time on the day of the filter.
async fn begun(connection: &mut SqliteConnection, filter: &CardFilter) -> Result<u32, StoreError> {
    let row = query(concat!(
        "SELECT count(DISTINCT card) FROM card_answers AS given JOIN cards ON cards.id = card
         WHERE day = ",
        day!("?1"),
        " AND (?2 IS NULL OR kind = ?2)
          AND NOT EXISTS (SELECT 1 FROM card_answers WHERE card = given.card AND day < given.day)"
    ))
    .bind(filter.now)
    .bind(filter.kind.map(CardKind::name))
    .fetch_one(connection)
    .await?;
    Ok(row.try_get(0)?)
}

pub(crate) async fn report(
    connection: &mut SqliteConnection,
    kind: Option<CardKind>,
    now: i64,
) -> Result<CardReport, StoreError> {
    let kind = kind.map(CardKind::name);
    let counts = query(
        "SELECT count(*), count(*) FILTER (WHERE answered IS NULL) FROM cards
         WHERE NOT aside AND (?1 IS NULL OR kind = ?1)",
    )
    .bind(kind)
    .fetch_one(&mut *connection)
    .await?;
    let rows = query(
        "SELECT date(day * 86400, 'unixepoch'), count(*), count(*) FILTER (WHERE grade = 'again'), day
         FROM card_answers JOIN cards ON cards.id = card
         WHERE NOT replaced AND (?1 IS NULL OR kind = ?1) GROUP BY day ORDER BY day",
    )
    .bind(kind)
    .fetch_all(&mut *connection)
    .await?;
    let days: Vec<CardDay> = rows.iter().map(day).collect::<Result<_, _>>()?;
    let numbers: Vec<i64> = rows.iter().map(|row| row.try_get(3)).collect::<Result<_, _>>()?;
    let today = query(concat!("SELECT ", day!("?1"))).bind(now);
    let today: i64 = today.fetch_one(&mut *connection).await?.try_get(0)?;
    let (streak, best) = streaks(&numbers, today);
    let rows = query(concat!(
        "WITH RECURSIVE ahead (day) AS (SELECT ?2 UNION ALL SELECT day + 1 FROM ahead WHERE day + 1 < ?2 + ?3),
         back (day, cards) AS (
             SELECT max(?2, ",
        day!("due"),
        ") AS day, count(*) FROM cards
             WHERE NOT aside AND answered IS NOT NULL AND due < ?4 AND (?1 IS NULL OR kind = ?1) GROUP BY 1)
         SELECT date(ahead.day * 86400, 'unixepoch'), coalesce(cards, 0), 0
         FROM ahead LEFT JOIN back ON back.day = ahead.day ORDER BY ahead.day"
    ))
    .bind(kind)
    .bind(today)
    .bind(FORECAST)
    .bind(now.saturating_add((FORECAST + 1) * 86_400_000))
    .fetch_all(&mut *connection)
    .await?;
    let forecast = rows.iter().map(day).collect::<Result<_, _>>()?;
    Ok(CardReport {
        cards: counts.try_get(0)?,
        unseen: counts.try_get(1)?,
        streak,
        best,
        days,
        forecast,
        tags: tags(connection, kind).await?,
    })
}

/// Days in a row up to today or yesterday, and the most ever; the days come in order.
fn streaks(days: &[i64], today: i64) -> (u32, u32) {
    let (mut run, mut best, mut last) = (0, 0, None);
    for &day in days {
        run = if last == Some(day - 1) { run + 1 } else { 1 };
        best = best.max(run);
        last = Some(day);
    }
    let goes_on = last.is_some_and(|last| last >= today - 1);
    (if goes_on { run } else { 0 }, best)
}

async fn tags(
    connection: &mut SqliteConnection,
    kind: Option<&'static str>,
) -> Result<Vec<TagCount>, StoreError> {
    let rows = query(
        "SELECT tags, count(DISTINCT cards.id), count(grade), count(*) FILTER (WHERE grade = 'again')
         FROM cards LEFT JOIN card_answers ON card = cards.id AND NOT replaced
         WHERE NOT aside AND tags <> '' AND (?1 IS NULL OR kind = ?1) GROUP BY tags",
    )
    .bind(kind)
    .fetch_all(connection)
    .await?;
    let mut all = std::collections::BTreeMap::<String, TagCount>::new();
    for row in &rows {
        let (cards, answers, missed): (u32, u32, u32) =
            (row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
        for tag in row.try_get::<&str, _>(0)?.split_whitespace() {
            let none = TagCount { tag: tag.to_owned(), cards: 0, answers: 0, missed: 0 };
            let count = all.entry(tag.to_owned()).or_insert(none);
            count.cards += cards;
            count.answers += answers;
            count.missed += missed;
        }
    }
    let mut all: Vec<TagCount> = all.into_values().collect();
    all.sort_by_key(|count| std::cmp::Reverse((count.missed, count.cards)));
    Ok(all)
}

fn day(row: &SqliteRow) -> Result<CardDay, StoreError> {
    Ok(CardDay { day: row.try_get(0)?, cards: row.try_get(1)?, missed: row.try_get(2)? })
}

fn one(row: &SqliteRow) -> Result<Card, StoreError> {
    let memory = match row.try_get("answered")? {
        None => None,
        Some(answered) => Some(Memory {
            stability: row.try_get("stability")?,
            difficulty: row.try_get("difficulty")?,
            step: row.try_get("step")?,
            was_known: row.try_get("was_known")?,
            answered,
            due: row.try_get("due")?,
        }),
    };
    let tags = row.try_get::<&str, _>("tags")?.split_whitespace().map(str::to_owned).collect();
    Ok(Card {
        id: CardId(row.try_get("id")?),
        content: NewCard {
            kind: read(row, "kind")?,
            key: row.try_get("key")?,
            tags,
            payload: row.try_get("payload")?,
        },
        memory,
        aside: row.try_get("aside")?,
        made: row.try_get("made")?,
    })
}

fn read<T: FromStr<Err: fmt::Display>>(row: &SqliteRow, column: &str) -> Result<T, StoreError> {
    let text: &str = row.try_get(column)?;
    text.parse().map_err(|error| StoreError::Database(format!("{text:?} in a card: {error}")))
}
