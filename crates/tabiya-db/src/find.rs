//! Games by what happened in them.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;

use crate::database::Database;
use crate::error::DbError;
use crate::filter::Filter;
use crate::importer::threads;
use crate::record::StoredGame;
use crate::segment::Columns;
use crate::signature::{Signature, material};
use crate::{Men, NextMove, Pattern};

/// What is asked of the moves of a game: all of it.
///
/// ```
/// use tabiya_db::{Filter, Query};
///
/// let query = Query { ending: Some("KRPvKR".parse()?), ..Query::default() };
/// assert!(query.filter.is_empty());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// What is asked of players, dates and so on.
    pub filter: Filter,
    /// A position that the game goes through.
    pub position: Option<tabiya_chess::Position>,
    /// A position with squares that do not matter.
    pub pattern: Option<Pattern>,
    /// What men are left on either side at some time, and for how many plies at least.
    pub material: Option<(Men, u32)>,
    /// What men are left in the last position.
    pub ending: Option<Men>,
}

/// A game that was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// The number of the game, from 1.
    pub game: u64,
    /// After how many plies it is as asked for first; 0 if nothing was asked of its moves but a position.
    pub ply: u32,
}

impl Query {
    fn asks_moves(&self) -> bool {
        self.pattern.is_some() || self.material.is_some() || self.ending.is_some()
    }

    /// Whether a game may be as asked for, by what it has left behind.
    fn may_match(&self, signature: &Signature) -> bool {
        self.ending.is_none_or(|ending| ending.matches_packed(signature.final_material))
            && self.material.is_none_or(|(material, _)| material.may_have_been(signature))
            && self.pattern.as_ref().is_none_or(|pattern| pattern.may_have_been(signature))
    }

    /// After how many plies a game is as asked for.
    fn matches(&self, game: &StoredGame) -> Option<u32> {
        if self.pattern.is_none() && self.material.is_none() {
            return Some(game.plies.into());
        }
        let (mut patterned, mut materially) = (self.pattern.is_none(), self.material.is_none());
        let mut since = None;
        for (ply, (position, step)) in (0..).zip(game.steps()?) {
            if let (Some(pattern), false) = (&self.pattern, patterned) {
                patterned = pattern.matches(position.board());
            }
            if let (Some((wanted, lasting)), false) = (&self.material, materially) {
                let since_ply = match wanted.matches_packed(material(position.board())) {
                    true => *since.get_or_insert(ply),
                    false => {
                        since = None;
                        ply + 1
                    }
                };
                // The last position is there for a ply too.
                materially = ply + 1 - since_ply >= *lasting && since.is_some();
            }
            if patterned && materially {
                return Some(ply);
            }
            if step == NextMove::End {
                return None;
            }
        }
        None
    }
}

impl Database {
    /// The games that are as asked for, by ascending number.
    pub fn find(&self, query: &Query) -> Result<Vec<Hit>, DbError> {
        if let Some(position) = &query.position {
            let games = self.games_with(position, &query.filter)?;
            if !query.asks_moves() {
                return Ok(games.into_iter().map(|game| Hit { game, ply: 0 }).collect());
            }
            return self.among(&games, query);
        }
        let choice = self.choose(&query.filter);
        if !query.asks_moves() {
            let mut hits = Vec::new();
            for (run, chosen) in self.runs.iter().zip(choice.iter()) {
                let games = (0..run.games).filter(|&game| chosen.has(game));
                let number = |game: u32| run.first + u64::from(game) + 1;
                hits.extend(games.map(|game| Hit { game: number(game), ply: 0 }));
            }
            return Ok(hits);
        }
        let is_wanted = |game: u64| {
            let at = self.runs.partition_point(|run| run.first <= game) - 1;
            choice[at].has((game - self.runs[at].first) as u32)
        };
        let tasks: Vec<(usize, usize)> = (0..self.segments.len())
            .flat_map(|at| (0..self.segments[at].groups()).map(move |group| (at, group)))
            .collect();
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Ok(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..threads().min(tasks.len()) {
                scope.spawn(|| {
                    while let Some(&(at, group)) = tasks.get(next.fetch_add(1, Relaxed)) {
                        let hits = self.find_in(at, group, query, &is_wanted);
                        let mut found = found.lock();
                        match (&mut *found, hits) {
                            (Ok(all), Ok(hits)) => all.extend(hits),
                            (Ok(_), Err(error)) => *found = Err(error),
                            (Err(_), _) => return,
                        }
                    }
                });
            }
        });
        found.into_inner().map(|mut hits| {
            hits.sort_unstable();
            hits
        })
    }

    fn find_in(
        &self,
        at: usize,
        group: usize,
        query: &Query,
        is_wanted: &impl Fn(u64) -> bool,
    ) -> Result<Vec<Hit>, DbError> {
        let segment = &self.segments[at];
        let first = self.firsts[at] + u64::from(segment.first(group));
        let columns = if query.pattern.is_none() && query.material.is_none() {
            Columns::SIGNATURE
        } else {
            Columns::REPLAY
        };
        let games = segment.read(group, columns)?;
        let mut hits = Vec::new();
        for (game, record) in (first..).zip(&games) {
            if query.may_match(&record.signature)
                && is_wanted(game)
                && let Some(ply) = query.matches(record)
            {
                hits.push(Hit { game: game + 1, ply });
            }
        }
        Ok(hits)
    }

    fn among(&self, games: &[u64], query: &Query) -> Result<Vec<Hit>, DbError> {
        let mut hits = Vec::new();
        // Not all at once: they may be all there are.
        for games in games.chunks(crate::segment::GROUP) {
            let zero_based: Vec<u64> = games.iter().map(|game| game - 1).collect();
            let records = self.pick(&zero_based, Columns::REPLAY)?;
            for (&game, record) in games.iter().zip(&records) {
                if query.may_match(&record.signature)
                    && let Some(ply) = query.matches(record)
                {
                    hits.push(Hit { game, ply });
                }
            }
        }
        Ok(hits)
    }
}
