//! An index of many games: their positions, their heads, the names in them, and by what they are known again.

use std::path::{Path, PathBuf};

use tabiya_chess::Position;

use crate::bytes::map;
use crate::error::DbError;
use crate::heads::{HeadWriter, Heads, Names, write_checked};
use crate::manifest::RunEntry;
use crate::positions::{self, Positions};
use crate::record::StoredGame;
use crate::spill::{Entry, Spill, spill_path};

/// The files of an index.
pub(crate) const PARTS: [&str; 5] = ["positions", "heads", "players", "events", "seen"];

/// An index has so many games at most.
pub(crate) const LARGEST: u32 = 1 << 21;

pub(crate) fn part(folder: &Path, name: &str, part: &str) -> PathBuf {
    folder.join(format!("{name}.{part}"))
}

/// Makes an index.
pub(crate) struct RunBuilder {
    folder: PathBuf,
    spill: Spill,
    heads: HeadWriter,
    seen: Vec<u64>,
}

impl RunBuilder {
    pub(crate) fn new(folder: &Path) -> RunBuilder {
        RunBuilder {
            folder: folder.to_owned(),
            spill: Spill::new(spill_path(folder)),
            heads: HeadWriter::default(),
            seen: Vec::new(),
        }
    }

    pub(crate) fn games(&self) -> u32 {
        self.seen.len() as u32
    }

    /// The next game.
    pub(crate) fn add(
        &mut self,
        game: &StoredGame,
        steps: &[(u64, u16)],
        identity: u64,
    ) -> Result<(), DbError> {
        let number = self.games();
        self.heads.push(game);
        self.seen.push(identity);
        steps.iter().try_for_each(|&(key, code)| self.spill.push(Entry { key, code, game: number }))
    }

    /// Writes the index.
    pub(crate) fn finish(
        mut self,
        name: &str,
        segments: usize,
        threads: usize,
    ) -> Result<RunEntry, DbError> {
        let path = |kind| part(&self.folder, name, kind);
        let mut bytes = positions::write(&path("positions"), &self.spill, &self.heads, threads)?;
        let mut heads = Vec::with_capacity(self.heads.heads.len() * crate::heads::HEAD);
        self.heads.heads.iter().for_each(|head| heads.extend_from_slice(head));
        bytes += write_checked(&path("heads"), &heads)?;
        bytes += self.heads.players.write(&path("players"))?;
        bytes += self.heads.events.write(&path("events"))?;
        let games = self.games();
        self.seen.sort_unstable();
        let seen: Vec<u8> = self.seen.iter().flat_map(|one| one.to_le_bytes()).collect();
        bytes += write_checked(&path("seen"), &seen)?;
        Ok(RunEntry { name: name.to_owned(), segments, games, bytes })
    }
}

/// The positions of a game and what followed; none if its moves are damaged.
pub(crate) fn steps(game: &StoredGame) -> Option<Vec<(u64, u16)>> {
    let mut steps = Vec::with_capacity(usize::from(game.plies) + 1);
    for (position, step) in game.steps()? {
        steps.push((position.repetition_key(), step.code(&position)?));
    }
    (steps.last()?.1 == 0).then_some(steps)
}

/// By what the games of an index are known again, sorted.
pub(crate) struct Seen(bytes::Bytes);

impl Seen {
    pub(crate) fn open(folder: &Path, run: &RunEntry) -> Result<Seen, DbError> {
        let path = part(folder, &run.name, "seen");
        let bytes = map(&path)?;
        match bytes.len() == 8 * run.games as usize + 4 {
            true => Ok(Seen(bytes)),
            false => Err(DbError::damaged(&path, format!("it is not of {} games", run.games))),
        }
    }

    /// They are as good as random numbers, so that where one would be is known well enough at once.
    pub(crate) fn contains(&self, identity: u64) -> bool {
        let (all, _) = self.0[..self.0.len() - 4].as_chunks::<8>();
        let get = |at: usize| u64::from_le_bytes(all[at]);
        let (mut low, mut high) = (0, all.len());
        let mut step = 64;
        let guess = ((u128::from(identity) * all.len() as u128) >> 64) as usize;
        while low < high {
            // Around the place where it should be, wider and wider; from then on by halves.
            let (from, to) = (guess.saturating_sub(step).max(low), (guess + step).min(high));
            if from >= to {
                break;
            }
            if get(from) <= identity && identity <= get(to - 1) {
                return all[from..to]
                    .binary_search_by_key(&identity, |one| u64::from_le_bytes(*one))
                    .is_ok();
            }
            if identity < get(from) {
                high = from;
            } else {
                low = to;
            }
            step *= 4;
        }
        let rest = all.get(low..high).unwrap_or_default();
        rest.binary_search_by_key(&identity, |one| u64::from_le_bytes(*one)).is_ok()
    }
}

/// An index, open.
pub(crate) struct Run {
    pub(crate) positions: Positions,
    pub(crate) heads: Heads,
    pub(crate) players: Names,
    pub(crate) events: Names,
    /// The number of its first game in the database, and how many it has.
    pub(crate) first: u64,
    pub(crate) games: u32,
}

impl Run {
    pub(crate) fn open(folder: &Path, entry: &RunEntry, first: u64) -> Result<Run, DbError> {
        let path = |kind| part(folder, &entry.name, kind);
        Ok(Run {
            positions: Positions::open(&path("positions"), entry.games)?,
            heads: Heads::open(&path("heads"), entry.games)?,
            players: Names::open(&path("players"))?,
            events: Names::open(&path("events"))?,
            first,
            games: entry.games,
        })
    }
}

/// What was played in a position of a game, if it came about.
pub(crate) fn played_at(game: &StoredGame, key: u64) -> Option<(Position, u16)> {
    let mut steps = game.steps()?;
    let (position, step) = steps.find(|(position, _)| position.repetition_key() == key)?;
    Some((position, step.code(&position)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = tabiya_base::Random::new(5);
        for games in [0, 1, 2, 63, 1000, 100_000] {
            let mut seen: Vec<u64> = (0..games).map(|_| random.next_u64()).collect();
            seen.sort_unstable();
            let bytes: Vec<u8> = seen.iter().flat_map(|one| one.to_le_bytes()).collect();
            write_checked(&folder.path().join("x.seen"), &bytes).unwrap();
            let entry = RunEntry { name: "x".into(), segments: 1, games, bytes: 0 };
            let file = Seen::open(folder.path(), &entry).unwrap();
            assert!(seen.iter().all(|&one| file.contains(one)));
            for _ in 0..1000 {
                let other = random.next_u64();
                assert_eq!(file.contains(other), seen.binary_search(&other).is_ok());
            }
            assert_eq!((file.contains(0), file.contains(u64::MAX)), (false, false));
        }
    }
}
