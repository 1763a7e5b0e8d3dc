use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tabiya_play::{Change, End, Journal, Kind, Past, Setup};

/// Where the games of the house are kept. Everything here may wait for a disk, and an error is a sentence
/// for whoever runs the house.
pub trait Shelf: Send + Sync + 'static {
    /// Puts a new game there, and gives its number and where its moves are written down.
    fn create(&self, setup: &Setup, past: &Past) -> Result<(u64, Box<dyn Journal>), String>;

    /// A game to go on with.
    fn open(&self, id: u64) -> Result<Option<Kept>, String>;

    /// Games, the latest first.
    fn list(&self, query: &Query) -> Result<Vec<Summary>, String>;

    /// Takes a game away; false if there is none.
    fn delete(&self, id: u64) -> Result<bool, String>;

    /// Brings back a game that was taken away; false if there is none.
    fn undelete(&self, id: u64) -> Result<bool, String>;
}

/// A game that was kept.
pub struct Kept {
    /// What was agreed on.
    pub setup: Setup,
    /// What was played.
    pub past: Past,
    /// Where it goes on.
    pub journal: Box<dyn Journal>,
}

/// Which games are wanted.
///
/// ```
/// let unfinished = tabiya_web::Query { unfinished: Some(true), ..Default::default() };
/// # drop(unfinished);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Part of the name of a player.
    pub player: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`.
    pub result: Option<String>,
    /// Only games that go on, or only others.
    pub unfinished: Option<bool>,
    /// Only one of the two games.
    pub kind: Option<Kind>,
    /// The first day, like `2026.11.15`.
    pub since: Option<String>,
    /// The last day.
    pub until: Option<String>,
    /// How many at most.
    pub limit: usize,
    /// How many to pass over.
    pub offset: usize,
}

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Its number.
    pub id: u64,
    /// Which game it is.
    pub kind: Kind,
    /// Who played White and Black.
    pub players: [String; 2],
    /// The day, like `2026.11.15`.
    pub date: Option<String>,
    /// How many half-moves were played.
    pub plies: usize,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while it goes on.
    pub result: String,
    /// How it ended, in a sentence.
    pub end: Option<String>,
}

/// Games kept for as long as the program runs: for tests, and where nothing may be written.
///
/// ```
/// use tabiya_play::{Past, Setup, Start};
/// use tabiya_web::{Memory, Shelf as _};
///
/// let shelf = Memory::default();
/// let (id, _journal) = shelf.create(&Setup::new(Start::standard()), &Past::default())?;
/// assert!(shelf.open(id)?.is_some());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<BTreeMap<u64, Row>>>);

struct Row {
    setup: Setup,
    past: Past,
    deleted: bool,
}

impl Memory {
    fn rows(&self) -> MutexGuard<'_, BTreeMap<u64, Row>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn mark(&self, id: u64, deleted: bool) -> bool {
        match self.rows().get_mut(&id) {
            Some(row) if row.deleted != deleted => {
                row.deleted = deleted;
                true
            }
            _ => false,
        }
    }
}

/// Writes down one game.
struct Page {
    memory: Memory,
    id: u64,
}

impl Journal for Page {
    fn keep(&mut self, change: &Change) -> Result<(), String> {
        let mut rows = self.memory.rows();
        let row = rows.get_mut(&self.id).ok_or("The game is gone.")?;
        row.past.entries.truncate(change.stays);
        row.past.entries.extend(change.added.iter().cloned());
        row.past.end = change.end.clone();
        Ok(())
    }
}

impl Shelf for Memory {
    fn create(&self, setup: &Setup, past: &Past) -> Result<(u64, Box<dyn Journal>), String> {
        let mut rows = self.rows();
        let id = rows.last_key_value().map_or(1, |(id, _)| id + 1);
        rows.insert(id, Row { setup: setup.clone(), past: past.clone(), deleted: false });
        Ok((id, Box::new(Page { memory: self.clone(), id })))
    }

    fn open(&self, id: u64) -> Result<Option<Kept>, String> {
        let journal = Box::new(Page { memory: self.clone(), id });
        let rows = self.rows();
        Ok(rows.get(&id).filter(|row| !row.deleted).map(|row| Kept {
            setup: row.setup.clone(),
            past: row.past.clone(),
            journal,
        }))
    }

    fn list(&self, query: &Query) -> Result<Vec<Summary>, String> {
        let rows = self.rows();
        let present = rows.iter().rev().filter(|(_, row)| !row.deleted);
        let wanted = present.map(|(&id, row)| summary(id, row)).filter(|game| query.wants(game));
        Ok(wanted.skip(query.offset).take(query.limit).collect())
    }

    fn delete(&self, id: u64) -> Result<bool, String> {
        Ok(self.mark(id, true))
    }

    fn undelete(&self, id: u64) -> Result<bool, String> {
        Ok(self.mark(id, false))
    }
}

fn summary(id: u64, row: &Row) -> Summary {
    let end: Option<&End> = row.past.end.as_ref();
    Summary {
        id,
        kind: row.setup.start.kind(),
        players: [0, 1].map(|side| row.setup.players[side].title()),
        date: row.setup.date.clone(),
        plies: row.past.entries.len(),
        result: end.map_or("*", |end| end.result).to_owned(),
        end: end.map(|end| end.text.clone()),
    }
}

impl Query {
    fn wants(&self, game: &Summary) -> bool {
        let named = |part: &String| {
            let part = part.to_lowercase();
            game.players.iter().any(|name| name.to_lowercase().contains(&part))
        };
        let day = game.date.as_deref().unwrap_or("");
        self.player.as_ref().is_none_or(named)
            && self.result.as_ref().is_none_or(|result| *result == game.result)
            && self.unfinished.is_none_or(|unfinished| unfinished == (game.result == "*"))
            && self.kind.is_none_or(|kind| kind == game.kind)
            && self.since.as_deref().is_none_or(|since| day >= since)
            && self.until.as_deref().is_none_or(|until| day <= until)
    }
}

/// Today, as records write it.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The date of a day since the first of January 1970, in the calendar that leaps by fours.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years that begin in March have their leap day at the end.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (20_772, (2026, 11, 15)),
        ] {
            assert_eq!(civil(days), date);
        }
    }
}
