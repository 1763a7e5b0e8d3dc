//! Games by what happened in them.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;
use tabiya_chess::Position;

use crate::database::{Choice, Database};
use crate::error::DbError;
use crate::filter::Filter;
use crate::importer::threads;
use crate::replay::Replay;
use crate::segment::Columns;
use crate::signature::Signature;
use crate::{Men, Pattern};

/// What is asked of the moves of a game: all of it.
///
/// ```
/// use tabiya_db::{Filter, Query};
///
/// let query = Query { ending: Some("KRPvKR".parse()?), ..Query::default() };
/// assert!(query.filter.is_empty());
/// # Ok::<(), tabiya_db::ParseFilterError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// What is asked of players, dates and so on.
    pub filter: Filter,
    /// A position that the game goes through.
    pub position: Option<Position>,
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

    /// Whether games have to be played.
    fn needs_moves(&self) -> bool {
        self.pattern.is_some() || self.material.is_some()
    }

    /// After how many plies a game is as asked for.
    fn matches(&self, mut game: Replay<'_>) -> Option<u32> {
        let mut patterned = self.pattern.is_none();
        let mut materially = self.material.is_none();
        // The material that was looked at last, and since when it has been as asked for.
        let (mut known, mut since) = (None, None);
        for ply in 0.. {
            if let (Some(pattern), false) = (&self.pattern, patterned) {
                patterned = pattern.matches_bare(game.board());
            }
            if let (Some((wanted, lasting)), false) = (&self.material, materially) {
                if known != Some(game.material()) {
                    known = Some(game.material());
                    let is_wanted = wanted.matches_packed(game.material());
                    since = if is_wanted { since.or(Some(ply)) } else { None };
                }
                // The last position is there for a ply too.
                materially = since.is_some_and(|since| ply + 1 - since >= *lasting);
            }
            if patterned && materially {
                return Some(ply);
            }
            if !game.advance() {
                return None;
            }
        }
        None
    }
}

/// The games among which is searched, by number from 0.
enum Among<'a> {
    /// Those that a filter wants.
    Chosen(&'a Choice),
    /// These, by ascending number.
    These(&'a [u64]),
}

impl Database {
    /// The games that are as asked for, by ascending number.
    pub fn find(&self, query: &Query) -> Result<Vec<Hit>, DbError> {
        if let Some(position) = &query.position {
            let mut games = self.games_with(position, &query.filter)?;
            if !query.asks_moves() {
                return Ok(games.into_iter().map(|game| Hit { game, ply: 0 }).collect());
            }
            games.iter_mut().for_each(|game| *game -= 1);
            return self.search(query, &Among::These(&games));
        }
        let choice = self.choose(&query.filter);
        if query.asks_moves() {
            return self.search(query, &Among::Chosen(&choice));
        }
        let mut hits = Vec::new();
        for (run, chosen) in self.runs.iter().zip(choice.iter()) {
            let games = (0..run.games).filter(|&game| chosen.has(game));
            let number = |game: u32| run.first + u64::from(game) + 1;
            hits.extend(games.map(|game| Hit { game: number(game), ply: 0 }));
        }
        Ok(hits)
    }

    /// Looks at games, each row group on a thread of its own.
    fn search(&self, query: &Query, among: &Among<'_>) -> Result<Vec<Hit>, DbError> {
        let tasks: Vec<(usize, usize)> = (0..self.segments.len())
            .flat_map(|at| (0..self.segments[at].groups()).map(move |group| (at, group)))
            .collect();
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Ok(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..threads().min(tasks.len()) {
                scope.spawn(|| {
                    while let Some(&(at, group)) = tasks.get(next.fetch_add(1, Relaxed)) {
                        let hits = self.search_in(at, group, query, among);
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

    /// Looks at those games of a row group that are wanted, and reads no more of the file than it needs.
    fn search_in(
        &self,
        at: usize,
        group: usize,
        query: &Query,
        among: &Among<'_>,
    ) -> Result<Vec<Hit>, DbError> {
        let segment = &self.segments[at];
        let range = segment.range(group);
        let first = self.firsts[at] + u64::from(range.start);
        let mut rows = self.rows(first, range.len() as u32, among);
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let signatures = segment.signatures(group, &rows)?;
        let mut may_match = signatures.iter().map(|signature| query.may_match(signature));
        rows.retain(|_| may_match.next() == Some(true));
        let head = |game| self.seen(game).map(|(_, head)| head);
        if !query.needs_moves() {
            let games = rows.into_iter().map(|row| first + u64::from(row));
            let hits = games.filter_map(|game| Some((game, head(game)?.plies)));
            return Ok(hits.map(|(game, ply)| Hit { game: game + 1, ply: ply.into() }).collect());
        }
        let start = Position::initial();
        let mut hits = Vec::new();
        let mut odd = Vec::new();
        segment.each_moves(group, &rows, |at, moves| {
            let game = first + u64::from(rows[at]);
            if head(game).is_none_or(|head| head.own_start) {
                odd.push(game);
            } else if let Some(ply) = query.matches(Replay::new(&start, moves)) {
                hits.push(Hit { game: game + 1, ply });
            }
        })?;
        for (game, record) in odd.iter().zip(self.pick(&odd, Columns::MOVES)?) {
            let start = record.start();
            let replay = start.as_ref().map(|start| Replay::new(start, &record.moves));
            let ply = replay.and_then(|replay| query.matches(replay));
            hits.extend(ply.map(|ply| Hit { game: game + 1, ply }));
        }
        Ok(hits)
    }

    /// Which games of a row group are wanted, counted from its first.
    fn rows(&self, first: u64, count: u32, among: &Among<'_>) -> Vec<u32> {
        let end = first + u64::from(count);
        match among {
            Among::Chosen(choice) => {
                let at = self.runs.partition_point(|run| run.first <= first) - 1;
                let base = (first - self.runs[at].first) as u32;
                (0..count).filter(|row| choice[at].has(base + row)).collect()
            }
            Among::These(games) => {
                let from = games.partition_point(|&game| game < first);
                let to = games.partition_point(|&game| game < end);
                games[from..to].iter().map(|game| (game - first) as u32).collect()
            }
        }
    }
}
