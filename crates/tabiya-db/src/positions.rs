//! The index of positions: for each position and each move from it the games in which it was played.
//!
//! A file is made once and never changed. Keys are those of [`Position::repetition_key`]; they are as good as random, so
//! the first bits of a key tell its bucket. A bucket has on average some dozen positions, in two parts:
//!
//! * Positions that more games came to, by ascending key: the five bytes of the key behind those of the bucket, the low
//!   one first, how long the rest is, the rest: how many moves, then for each move its code
//!   ([`NextMove::code`](crate::NextMove::code)) and in how many games it was played; if in [`MANY`] or more, what they sum up to
//!   (White's wins, Black's, draws, sum and number of White's ratings and of Black's, newest date, how many best games
//!   and these) and how long its list of games is. Then the lists of games, in the order of the moves: the first number,
//!   then how much more than one each is beyond the one before.
//! * Positions of a single game, which are most: how far the twelve bits of the key behind those of the bucket are beyond
//!   those of the one before, then the game in three bytes. Whether it is really that position, and what was played
//!   there, the game tells.
//!
//! In front of the positions of more games stands how many they are. Where nothing else is said, numbers have seven bits a
//! byte, the low ones first, the highest bit telling that more come.
//!
//! Behind the buckets: where each begins and the last ends, four bytes each; a CRC-32 for each sixteen buckets; and 40
//! bytes: how many positions, how many of them in a single game, how many moves of games (eight bytes each), how many games
//! (four), how many bits tell the bucket (four), the CRC-32 of the table and these numbers, and `TBI1`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;

use bytes::Bytes;

use crate::bytes::{map, put, take, take_slice, u32_at};
use crate::error::{At, DbError};
use crate::heads::HeadWriter;
use crate::spill::{Entry, PARTS, Spill};
use crate::tally::Sums;

#[cfg(doc)]
use tabiya_chess::Position;

/// From so many games on, what they sum up to is kept.
pub(crate) const MANY: u64 = 64;
const MAGIC: &[u8; 4] = b"TBI1";
/// So many positions are a bucket, on average.
const FULL: u64 = 48;
const CHECKED: usize = 16;
const TAIL: usize = 40;

/// How many positions there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) positions: u64,
    pub(crate) single: u64,
    pub(crate) steps: u64,
}

/// A part of the buckets, ready to be written.
struct Encoded {
    bytes: Vec<u8>,
    /// Where each bucket ends.
    ends: Vec<usize>,
    counts: Counts,
}

/// Sorts the entries and writes them. Tells how many bytes the file has.
pub(crate) fn write(
    path: &Path,
    spill: &Spill,
    heads: &HeadWriter,
    threads: usize,
) -> Result<u64, DbError> {
    let bits = (spill.entries / FULL).max(1).ilog2().clamp(8, 28);
    let mut out = Writer {
        file: BufWriter::with_capacity(1 << 20, File::create(path).at(path)?),
        ends: vec![0],
        sums: Vec::new(),
        sum: crc32fast::Hasher::new(),
        counts: Counts::default(),
    };
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (done, results) = sync_channel(threads);
        for _ in 0..threads {
            let (done, next) = (done.clone(), &next);
            scope.spawn(move || {
                loop {
                    let part = next.fetch_add(1, Relaxed);
                    if part >= PARTS {
                        return;
                    }
                    let encoded = spill
                        .sorted(part)
                        .map(|entries| encode(&entries, part as u64, bits, heads));
                    if done.send((part, encoded)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (part, encoded) in results {
            early.insert(part, encoded?);
            while let Some(encoded) = early.remove(&wanted) {
                out.part(&encoded).at(path)?;
                wanted += 1;
            }
        }
        Ok(())
    })?;
    out.finish(bits, heads.heads.len() as u32).at(path)
}

struct Writer {
    file: BufWriter<File>,
    ends: Vec<u32>,
    sums: Vec<u32>,
    sum: crc32fast::Hasher,
    counts: Counts,
}

impl Writer {
    fn part(&mut self, part: &Encoded) -> std::io::Result<()> {
        let base = self.ends.last().copied().unwrap_or(0);
        let mut start = 0;
        for &end in &part.ends {
            self.sum.update(&part.bytes[start..end]);
            start = end;
            let end = u32::try_from(end).ok().and_then(|end| base.checked_add(end));
            self.ends.push(end.ok_or_else(|| std::io::Error::other("the index is too large"))?);
            if (self.ends.len() - 1).is_multiple_of(CHECKED) {
                self.sums.push(std::mem::take(&mut self.sum).finalize());
            }
        }
        self.counts.positions += part.counts.positions;
        self.counts.single += part.counts.single;
        self.counts.steps += part.counts.steps;
        self.file.write_all(&part.bytes)
    }

    fn finish(mut self, bits: u32, games: u32) -> std::io::Result<u64> {
        let mut tail = Vec::with_capacity(5 * self.ends.len() + TAIL);
        for number in self.ends.iter().chain(&self.sums) {
            tail.extend_from_slice(&number.to_le_bytes());
        }
        for number in [self.counts.positions, self.counts.single, self.counts.steps] {
            tail.extend_from_slice(&number.to_le_bytes());
        }
        tail.extend_from_slice(&games.to_le_bytes());
        tail.extend_from_slice(&bits.to_le_bytes());
        tail.extend_from_slice(&crc32fast::hash(&tail).to_le_bytes());
        tail.extend_from_slice(MAGIC);
        self.file.write_all(&tail)?;
        let file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()?;
        Ok(file.metadata()?.len())
    }
}

fn encode(entries: &[Entry], part: u64, bits: u32, heads: &HeadWriter) -> Encoded {
    let buckets = 1u64 << (bits - 8);
    let first = part << (bits - 8);
    let mut encoded = Encoded {
        bytes: Vec::with_capacity(entries.len() * 5),
        ends: Vec::with_capacity(buckets as usize),
        counts: Counts { steps: entries.len() as u64, ..Counts::default() },
    };
    let (mut shared, mut singles, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = entries;
    for bucket in first..first + buckets {
        let count = rest.partition_point(|entry| entry.key >> (64 - bits) <= bucket);
        let (here, later) = rest.split_at(count);
        rest = later;
        shared.clear();
        singles.clear();
        let (mut positions, mut before) = (0, 0);
        for position in here.chunk_by(|one, next| one.key == next.key) {
            let behind = position[0].key << bits;
            if let [only] = position {
                let short = behind >> 52;
                put(short - before, &mut singles);
                before = short;
                singles.extend_from_slice(&only.game.to_le_bytes()[..3]);
                encoded.counts.single += 1;
            } else {
                shared.extend_from_slice(&(behind >> 24).to_le_bytes()[..5]);
                lists.clear();
                encode_moves(position, heads, &mut lists);
                put(lists.len() as u64, &mut shared);
                shared.extend_from_slice(&lists);
                positions += 1;
            }
            encoded.counts.positions += 1;
        }
        put(positions, &mut encoded.bytes);
        encoded.bytes.extend_from_slice(&shared);
        encoded.bytes.extend_from_slice(&singles);
        encoded.ends.push(encoded.bytes.len());
    }
    encoded
}

fn encode_moves(position: &[Entry], heads: &HeadWriter, out: &mut Vec<u8>) {
    let mut lists = Vec::new();
    put(position.chunk_by(|one, next| one.code == next.code).count() as u64, out);
    for games in position.chunk_by(|one, next| one.code == next.code) {
        put(games[0].code.into(), out);
        put(games.len() as u64, out);
        let start = lists.len();
        let mut before = None;
        for entry in games {
            put(before.map_or(entry.game, |before| entry.game - before - 1).into(), &mut lists);
            before = Some(entry.game);
        }
        if games.len() as u64 >= MANY {
            let mut tally = Sums::default();
            games.iter().for_each(|entry| tally.add(entry.game.into(), &heads.get(entry.game)));
            tally.write(out);
            put((lists.len() - start) as u64, out);
        }
    }
    out.extend_from_slice(&lists);
}

/// The games in which something was played, by ascending number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'a> {
    bytes: &'a [u8],
    left: u64,
    next: u32,
}

impl Iterator for List<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let game = self.next.checked_add(take(&mut self.bytes)? as u32)?;
        self.next = game.saturating_add(1);
        Some(game)
    }
}

/// What was played in a position.
#[derive(Debug)]
pub(crate) struct Played<'a> {
    pub(crate) code: u16,
    /// What the games sum up to, if they are many.
    pub(crate) tally: Option<Sums>,
    pub(crate) games: List<'a>,
}

/// What an index has of a position.
#[derive(Debug)]
pub(crate) enum Found<'a> {
    /// What was played, and by whom.
    Moves(Vec<Played<'a>>),
    /// These games may have come to it, each alone.
    Perhaps(Vec<u32>),
}

/// An index, open.
pub(crate) struct Positions {
    path: PathBuf,
    bytes: Bytes,
    bits: u32,
    table: usize,
    games: u32,
    pub(crate) counts: Counts,
}

impl Positions {
    pub(crate) fn open(path: &Path, games: u32) -> Result<Positions, DbError> {
        let bytes = map(path)?;
        let wrong = |what: &str| DbError::damaged(path, what);
        let tail_at = bytes.len().checked_sub(TAIL).ok_or_else(|| wrong("it is too short"))?;
        let tail = &bytes[tail_at..];
        if !tail.ends_with(MAGIC) {
            return Err(wrong("it is no index of positions, or the end is missing"));
        }
        let number = |at: usize| u32_at(tail, at).unwrap_or(0);
        let long = |at: usize| u64::from(number(at + 4)) << 32 | u64::from(number(at));
        let bits = number(28);
        if number(24) != games || !(8..=28).contains(&bits) {
            return Err(wrong("it is of other games"));
        }
        let buckets = 1usize << bits;
        let length = 4 * (buckets + 1) + 4 * (buckets / CHECKED);
        let table = tail_at.checked_sub(length).ok_or_else(|| wrong("it is too short"))?;
        if u32_at(&bytes, table + 4 * buckets) != Some(table as u32) {
            return Err(wrong("its table is wrong"));
        }
        let counts = Counts { positions: long(0), single: long(8), steps: long(16) };
        Ok(Positions { path: path.to_owned(), bytes, bits, table, games, counts })
    }

    fn start(&self, bucket: usize) -> usize {
        u32_at(&self.bytes, self.table + 4 * bucket).unwrap_or(0) as usize
    }

    fn bucket(&self, bucket: usize) -> Option<&[u8]> {
        self.bytes.get(self.start(bucket)..self.start(bucket + 1).min(self.table))
    }

    /// Whether sixteen buckets are as they were written.
    fn is_sound(&self, first: usize) -> bool {
        let at = self.table + 4 * ((1 << self.bits) + 1) + first / CHECKED * 4;
        let bytes = self.bytes.get(self.start(first)..self.start(first + CHECKED));
        bytes.is_some_and(|bytes| u32_at(&self.bytes, at) == Some(crc32fast::hash(bytes)))
    }

    /// Looks at all there is.
    pub(crate) fn check(&self) -> Result<(), DbError> {
        let tail = self.bytes.len() - 8;
        if u32_at(&self.bytes, tail) != Some(crc32fast::hash(&self.bytes[self.table..tail])) {
            return Err(DbError::damaged(&self.path, "the checksum of its table is wrong"));
        }
        for first in (0..1usize << self.bits).step_by(CHECKED) {
            if !self.is_sound(first) {
                return Err(self.damaged(first));
            }
        }
        Ok(())
    }

    fn damaged(&self, bucket: usize) -> DbError {
        let at = self.start(bucket);
        DbError::damaged(&self.path, format!("the checksum at byte {at} is wrong"))
    }

    /// What is known of a position.
    pub(crate) fn find(&self, key: u64) -> Result<Found<'_>, DbError> {
        let bucket = (key >> (64 - self.bits)) as usize;
        // Long lists are of a bucket with a position that everybody knows: that is not summed up anew each time.
        let first = bucket / CHECKED * CHECKED;
        let length = self.start(first + CHECKED).saturating_sub(self.start(first));
        if length <= 1 << 16 && !self.is_sound(first) {
            return Err(self.damaged(first));
        }
        let found = self.bucket(bucket).and_then(|bytes| self.find_in(bytes, key << self.bits));
        found.ok_or_else(|| self.damaged(first))
    }

    fn find_in<'a>(&'a self, mut bytes: &'a [u8], behind: u64) -> Option<Found<'a>> {
        let wanted = (behind >> 24).to_le_bytes();
        for _ in 0..take(&mut bytes)? {
            let key = take_slice(&mut bytes, 5)?;
            let length = take(&mut bytes)? as usize;
            let body = take_slice(&mut bytes, length)?;
            if *key == wanted[..5] {
                return moves(body).map(Found::Moves);
            }
        }
        let short = behind >> 52;
        let mut here = 0;
        let mut games = Vec::new();
        while !bytes.is_empty() {
            here += take(&mut bytes)?;
            let &[a, b, c] = take_slice(&mut bytes, 3)? else { return None };
            if here > short {
                break;
            }
            if here == short {
                games.push(
                    Some(u32::from_le_bytes([a, b, c, 0])).filter(|&game| game < self.games)?,
                );
            }
        }
        // A game may have several positions that look alike here.
        games.sort_unstable();
        games.dedup();
        Some(Found::Perhaps(games))
    }
}

fn moves(mut body: &[u8]) -> Option<Vec<Played<'_>>> {
    let count = take(&mut body)?;
    let mut heads = Vec::with_capacity(count.min(256) as usize);
    for _ in 0..count {
        let (code, n) = (u16::try_from(take(&mut body)?).ok()?, take(&mut body)?);
        let summed = match n >= MANY {
            true => Some((Sums::read(n, &mut body)?, take(&mut body)? as usize)),
            false => None,
        };
        heads.push((code, n, summed));
    }
    let mut moves = Vec::with_capacity(heads.len());
    for (code, n, summed) in heads {
        let list = match summed {
            Some((_, length)) => take_slice(&mut body, length)?,
            None => {
                let start = body;
                for _ in 0..n {
                    take(&mut body)?;
                }
                &start[..start.len() - body.len()]
            }
        };
        let games = List { bytes: list, left: n, next: 0 };
        moves.push(Played { code, tally: summed.map(|(tally, _)| tally), games });
    }
    Some(moves)
}
