//! Whose games are learned from, which of them were looked through, and what came of it.

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Row, query};
use tabiya_base::fold;
use tabiya_play::Side;

use crate::readers::Question;
use crate::write::{Write, now};
use crate::{GameId, NewCard, Store, StoreError, cards};

/// So many names of one person are remembered.
const MOST_NAMES: usize = 20;
/// Shorter games have nothing to teach.
const SHORTEST: i64 = 10;

/// Whoever learns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Learner {
    /// What they are called in records.
    pub names: Vec<String>,
    /// Whether their games are looked through in the background.
    pub goes_on: bool,
}

/// A name in records, and how many games have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameCount {
    /// The name, as one of the records writes it.
    pub name: String,
    /// How many games.
    pub games: u32,
}

/// What came of a game that was looked through.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Findings {
    /// How many half-moves it had then.
    pub plies: u32,
    /// The learner's side; none if they did not play in it.
    pub side: Option<Side>,
    /// How accurately they played, in per cent.
    pub accuracy: Option<f64>,
    /// How many moves they made.
    pub moves: u32,
    /// Inaccuracies, mistakes and blunders.
    pub counts: [u32; 3],
}

/// A game of the learner, at a glance.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnedGame {
    /// Its number.
    pub id: GameId,
    /// What came of it.
    pub findings: Findings,
    /// The day, `2026.11.19`, with zeros for what is not known; empty if not even the year is.
    pub day: String,
    /// White and Black, by the names of [`tabiya_play::Player`].
    pub players: [String; 2],
    /// What they were rated, 0 if that is not known.
    pub elo: [u32; 2],
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The code of the opening; empty if it has none.
    pub eco: String,
    /// Its name.
    pub opening: String,
}

impl Store {
    /// Whose games are learned from.
    ///
    /// ```
    /// use tabiya_store::{Learner, Store};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let marta = Learner { names: vec!["Marta Kern".into()], goes_on: true };
    /// store.keep_learner(&marta)?;
    /// assert_eq!(store.learner()?, marta);
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn learner(&self) -> Result<Learner, StoreError> {
        self.ask(Question::LoadLearner)
    }

    /// Keeps whose games are learned from. Games in which nobody of that name was found are looked at again.
    pub fn keep_learner(&self, learner: &Learner) -> Result<(), StoreError> {
        self.write(Write::KeepLearner(learner.clone())).map(drop)
    }

    /// The names that most imported games have, so many at most.
    ///
    /// ```
    /// # use tabiya_store::Store;
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// store.import("[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4 *\n\n[White \"Cy\"]\n[Black \"Ada\"]\n\n1. d4 *".as_bytes())?;
    /// let most = &store.names_in_games(1)?[0];
    /// assert_eq!((most.name.as_str(), most.games), ("Ada", 2));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn names_in_games(&self, limit: u32) -> Result<Vec<NameCount>, StoreError> {
        self.ask(|sender| Question::NamesInGames(limit, sender))
    }

    /// Games that may be the learner's and were not looked through as they are now, the latest first, and how many there
    /// are. Games that go on are left out.
    pub fn games_to_learn(&self, limit: u32) -> Result<(Vec<GameId>, u32), StoreError> {
        self.ask(|sender| Question::GamesToLearn(limit, sender))
    }

    /// Keeps what came of a game, and its cards, together. Gives how many cards are new.
    pub fn keep_findings(
        &self,
        game: GameId,
        findings: Findings,
        cards: Vec<NewCard>,
    ) -> Result<usize, StoreError> {
        match self.write(Write::KeepFindings { game, findings, cards })? {
            crate::write::Written::Cards(new) => Ok(new),
            other => Err(StoreError::Database(format!("no cards, but {other:?}, were written"))),
        }
    }

    /// Counts a game as looked through that cannot be read: it is not come to again before somebody plays on in it.
    pub fn pass_over(&self, game: GameId) -> Result<(), StoreError> {
        self.write(Write::PassOver(game)).map(drop)
    }

    /// The learner's games that were looked through, the oldest first.
    pub fn learned_games(&self) -> Result<Vec<LearnedGame>, StoreError> {
        self.ask(Question::LearnedGames)
    }
}

pub(crate) async fn load(connection: &mut SqliteConnection) -> Result<Learner, StoreError> {
    let row = query("SELECT names, goes_on FROM learner").fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(Learner::default()) };
    let names = row.try_get::<&str, _>(0)?.lines().map(str::to_owned).collect();
    Ok(Learner { names, goes_on: row.try_get(1)? })
}

pub(crate) async fn keep(
    connection: &mut SqliteConnection,
    learner: &Learner,
) -> Result<(), StoreError> {
    let before = load(connection).await?;
    let names: Vec<&str> = learner.names.iter().take(MOST_NAMES).map(String::as_str).collect();
    query("INSERT OR REPLACE INTO learner (one, names, goes_on) VALUES (1, ?1, ?2)")
        .bind(names.join("\n"))
        .bind(learner.goes_on)
        .execute(&mut *connection)
        .await?;
    if before.names != names {
        query("DELETE FROM learned WHERE side IS NULL").execute(connection).await?;
    }
    Ok(())
}

pub(crate) async fn names(
    connection: &mut SqliteConnection,
    limit: u32,
) -> Result<Vec<NameCount>, StoreError> {
    let rows = query(
        "WITH named (name, games, sample) AS (
             SELECT name, count(*), max(game) FROM (
                 SELECT white AS name, game FROM catalogue WHERE imported AND deleted = 0
                 UNION ALL SELECT black, game FROM catalogue WHERE imported AND deleted = 0)
             WHERE name NOT IN ('', 'human') GROUP BY name ORDER BY 2 DESC, 1 LIMIT ?1)
         SELECT CASE WHEN catalogue.white = named.name THEN games.white ELSE games.black END, named.games
         FROM named JOIN games ON games.id = sample JOIN catalogue ON catalogue.game = sample
         ORDER BY 2 DESC, 1",
    )
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let kept: &str = row.try_get(0)?;
            let player: Option<tabiya_play::Player> = kept.parse().ok();
            let name = player.map_or_else(|| kept.to_owned(), |player| player.title());
            Ok(NameCount { name, games: row.try_get(1)? })
        })
        .collect()
}

pub(crate) async fn to_learn(
    connection: &mut SqliteConnection,
    limit: u32,
) -> Result<(Vec<GameId>, u32), StoreError> {
    let names: Vec<String> = load(connection).await?.names.iter().map(|name| fold(name)).collect();
    let names = serde_json::json!(names).to_string();
    let from = " FROM catalogue JOIN games ON games.id = game
        WHERE (catalogue.imported = 0 OR catalogue.white IN (SELECT value FROM json_each(?1))
               OR catalogue.black IN (SELECT value FROM json_each(?1)))
          AND games.deleted IS NULL AND games.kind = 'chess' AND games.plies >= ?2
          AND (catalogue.imported OR games.result <> '*')
          AND NOT EXISTS (SELECT 1 FROM learned WHERE learned.game = games.id AND learned.plies = games.plies)";
    let mut question = QueryBuilder::new("SELECT count(*)");
    question.push(from);
    let row = question.build().bind(names.clone()).bind(SHORTEST);
    let count: u32 = row.fetch_one(&mut *connection).await?.try_get(0)?;
    let mut question = QueryBuilder::new("SELECT games.id");
    question.push(from).push(" ORDER BY games.updated DESC, games.id DESC LIMIT ?3");
    let rows = question.build().bind(names).bind(SHORTEST).bind(limit);
    let rows = rows.fetch_all(connection).await?;
    let ids = rows.iter().map(|row| Ok(GameId(row.try_get(0)?)));
    Ok((ids.collect::<Result<_, StoreError>>()?, count))
}

pub(crate) async fn keep_findings(
    connection: &mut SqliteConnection,
    game: GameId,
    findings: &Findings,
    found: &[NewCard],
) -> Result<usize, StoreError> {
    let new = cards::add(connection, found).await?;
    let [inaccuracies, mistakes, blunders] = findings.counts;
    // A game that was deleted for good meanwhile is not counted; what it taught stays.
    query(
        "INSERT OR REPLACE INTO learned
             (game, plies, side, accuracy, moves, inaccuracies, mistakes, blunders, made)
         SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM games WHERE id = ?1",
    )
    .bind(game.0)
    .bind(findings.plies)
    .bind(findings.side.map(|side| match side {
        Side::White => "white",
        Side::Black => "black",
    }))
    .bind(findings.accuracy)
    .bind(findings.moves)
    .bind(inaccuracies)
    .bind(mistakes)
    .bind(blunders)
    .bind(now())
    .execute(connection)
    .await?;
    Ok(new)
}

pub(crate) async fn pass_over(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<(), StoreError> {
    query(
        "INSERT OR REPLACE INTO learned
             (game, plies, side, accuracy, moves, inaccuracies, mistakes, blunders, made)
         SELECT id, plies, NULL, NULL, 0, 0, 0, 0, ?2 FROM games WHERE id = ?1",
    )
    .bind(game.0)
    .bind(now())
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn learned(
    connection: &mut SqliteConnection,
) -> Result<Vec<LearnedGame>, StoreError> {
    let rows = query(
        "SELECT learned.*, catalogue.day, catalogue.white_elo, catalogue.black_elo, catalogue.eco, opening_name,
                games.white, games.black, games.result
         FROM learned JOIN games ON games.id = learned.game JOIN catalogue ON catalogue.game = learned.game
         WHERE side IS NOT NULL AND games.deleted IS NULL ORDER BY catalogue.day, games.updated, games.id",
    )
    .fetch_all(connection)
    .await?;
    rows.iter().map(one).collect()
}

fn one(row: &SqliteRow) -> Result<LearnedGame, StoreError> {
    let side: &str = row.try_get("side")?;
    Ok(LearnedGame {
        id: GameId(row.try_get("game")?),
        findings: Findings {
            plies: row.try_get("plies")?,
            side: Some(if side == "white" { Side::White } else { Side::Black }),
            accuracy: row.try_get("accuracy")?,
            moves: row.try_get("moves")?,
            counts: [
                row.try_get("inaccuracies")?,
                row.try_get("mistakes")?,
                row.try_get("blunders")?,
            ],
        },
        day: row.try_get("day")?,
        players: [row.try_get("white")?, row.try_get("black")?],
        elo: [row.try_get("white_elo")?, row.try_get("black_elo")?],
        result: row.try_get("result")?,
        eco: row.try_get("eco")?,
        opening: row.try_get("opening_name")?,
    })
}
