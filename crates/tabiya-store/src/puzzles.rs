//! What people have done with puzzles: their rating, and every puzzle once.

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Row, query};
use tabiya_tactics::{PuzzleEvent, PuzzleRecord, PuzzleTry, Rating};

use crate::readers::Question;
use crate::write::{Write, now};
use crate::{Store, StoreError};

/// So many people are remembered beside the owner, the latest.
const MOST_GUESTS: i64 = 10_000;
/// The name under which the owner of the server is kept: nobody else has it.
const OWNER: &str = "owner";

impl Store {
    /// Keeps what somebody has done with a puzzle. Its first result counts; what comes later changes nothing. Gives
    /// how the puzzle stands then.
    ///
    /// ```
    /// # use tabiya_store::{PuzzleEvent, Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let first = store.keep_puzzle("owner", 7, 1500, PuzzleEvent::Solved)?;
    /// assert!(first.change > 0.0);
    /// assert_eq!(store.keep_puzzle("owner", 7, 1500, PuzzleEvent::Missed)?, first);
    /// assert_eq!(store.solver("owner")?.streak, 1);
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn keep_puzzle(
        &self,
        person: &str,
        puzzle: u64,
        rating: u16,
        event: PuzzleEvent,
    ) -> Result<PuzzleTry, StoreError> {
        let person = person.to_owned();
        self.write(Write::Puzzle { person: person.clone(), puzzle, rating, event })?;
        let solver = self.ask(|sender| Question::LoadSolver(person, sender))?;
        let kept = solver.tries.into_iter().find(|one| one.puzzle == puzzle);
        kept.ok_or_else(|| StoreError::Database("a puzzle that was kept is not there".to_owned()))
    }

    /// What somebody has done; as if new, if nothing is known.
    pub fn solver(&self, person: &str) -> Result<PuzzleRecord, StoreError> {
        self.ask(|sender| Question::LoadSolver(person.to_owned(), sender))
    }
}

pub(crate) async fn keep(
    connection: &mut SqliteConnection,
    person: &str,
    puzzle: u64,
    rating: u16,
    event: PuzzleEvent,
) -> Result<(), StoreError> {
    let number = puzzle;
    let puzzle = puzzle.cast_signed();
    let row = query("SELECT hinted, score FROM puzzle_tries WHERE person = ?1 AND puzzle = ?2")
        .bind(person.to_owned())
        .bind(puzzle)
        .fetch_optional(&mut *connection)
        .await?;
    let mut solver = person_of(connection, person).await?;
    if let Some(row) = row {
        let earlier = PuzzleTry {
            hinted: row.try_get("hinted")?,
            score: row.try_get("score")?,
            ..PuzzleTry::new(number)
        };
        if earlier.score.is_some() {
            return Ok(());
        }
        solver.tries.push(earlier);
    }
    let after = solver.take(number, rating, event, now());
    query(
        "INSERT INTO solvers (person, rating, deviation, volatility, streak, best, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (person) DO UPDATE SET
             rating = ?2, deviation = ?3, volatility = ?4, streak = ?5, best = ?6, seen = ?7",
    )
    .bind(person.to_owned())
    .bind(solver.rating.value)
    .bind(solver.rating.deviation)
    .bind(solver.rating.volatility)
    .bind(solver.streak)
    .bind(solver.best)
    .bind(now())
    .execute(&mut *connection)
    .await?;
    query(
        "INSERT INTO puzzle_tries (person, puzzle, at, hinted, score, rating, change)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (person, puzzle) DO UPDATE SET
             at = ?3, hinted = ?4, score = ?5, rating = ?6, change = ?7",
    )
    .bind(person.to_owned())
    .bind(puzzle)
    .bind(after.at)
    .bind(after.hinted)
    .bind(after.score)
    .bind(after.rating)
    .bind(after.change)
    .execute(&mut *connection)
    .await?;
    query(
        "DELETE FROM solvers WHERE person IN
             (SELECT person FROM solvers WHERE person <> ?1 ORDER BY seen DESC, person LIMIT -1 OFFSET ?2)",
    )
    .bind(OWNER)
    .bind(MOST_GUESTS)
    .execute(connection)
    .await?;
    Ok(())
}

async fn person_of(
    connection: &mut SqliteConnection,
    person: &str,
) -> Result<PuzzleRecord, StoreError> {
    let row =
        query("SELECT rating, deviation, volatility, streak, best FROM solvers WHERE person = ?1")
            .bind(person.to_owned())
            .fetch_optional(connection)
            .await?;
    let Some(row) = row else { return Ok(PuzzleRecord::default()) };
    Ok(PuzzleRecord {
        rating: Rating {
            value: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
            volatility: row.try_get("volatility")?,
        },
        streak: row.try_get("streak")?,
        best: row.try_get("best")?,
        tries: Vec::new(),
    })
}

pub(crate) async fn load(
    connection: &mut SqliteConnection,
    person: &str,
) -> Result<PuzzleRecord, StoreError> {
    let mut solver = person_of(connection, person).await?;
    let rows = query(
        "SELECT puzzle, at, hinted, score, rating, change FROM puzzle_tries
         WHERE person = ?1 ORDER BY at DESC, puzzle",
    )
    .bind(person.to_owned())
    .fetch_all(connection)
    .await?;
    solver.tries = rows.iter().map(one).collect::<Result<_, _>>()?;
    Ok(solver)
}

fn one(row: &SqliteRow) -> Result<PuzzleTry, StoreError> {
    Ok(PuzzleTry {
        puzzle: row.try_get::<i64, _>("puzzle")?.cast_unsigned(),
        at: row.try_get("at")?,
        hinted: row.try_get("hinted")?,
        score: row.try_get("score")?,
        rating: row.try_get("rating")?,
        change: row.try_get("change")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_counts_once_and_is_there_again_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.solver("ada").unwrap(), PuzzleRecord::default());
        let keep = |store: &Store, puzzle, event| store.keep_puzzle("ada", puzzle, 1200, event);
        let solved = keep(&store, 1, PuzzleEvent::Solved).unwrap();
        assert_eq!((solved.score, solved.hinted), (Some(1.0), false));
        assert_eq!(keep(&store, 1, PuzzleEvent::Missed).unwrap(), solved);
        assert_eq!(keep(&store, 1, PuzzleEvent::Hint).unwrap(), solved);
        // A hint is remembered, and makes it a half.
        let hinted = keep(&store, 2, PuzzleEvent::Hint).unwrap();
        assert_eq!((hinted.score, hinted.change, hinted.hinted), (None, 0.0, true));
        let half = keep(&store, 2, PuzzleEvent::Solved).unwrap();
        assert_eq!(half.score, Some(0.5));
        assert!(half.change.abs() < solved.change);
        let missed = keep(&store, 3, PuzzleEvent::Missed).unwrap();
        assert!(missed.change < 0.0);
        let before = store.solver("ada").unwrap();
        assert_eq!((before.streak, before.best, before.tries.len()), (0, 1, 3));
        assert_eq!(before.rating.value, missed.rating);
        assert_eq!(store.solver("ben").unwrap(), PuzzleRecord::default());
        drop(store);

        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.solver("ada").unwrap(), before);
        assert!(crate::check(folder.path()).unwrap().faults.is_empty());
    }

    #[test]
    fn large_numbers_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let number = (1 << 40) - 1;
        let kept = store.keep_puzzle("ada", number, 900, PuzzleEvent::Solved).unwrap();
        assert_eq!(kept.puzzle, number);
    }
}
