//! Perft: the number of ways to play a number of plies. The proof of a move generator, and its
//! race track.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::{Move, Position, count};

/// The number of ways to play `depth` plies from a position.
///
/// ```
/// use tabiya_chess::{Position, perft};
///
/// assert_eq!(perft(&Position::initial(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    if position.castles_as_in_standard_chess() {
        count::perft(position, depth)
    } else {
        match depth {
            0 => 1,
            1 => position.count_legal_moves(),
            _ => children(position).map(|(_, next)| perft(&next, depth - 1)).sum(),
        }
    }
}

fn children(position: &Position) -> impl Iterator<Item = (Move, Position)> {
    let position = *position;
    position.legal_moves().into_iter().map(move |m| {
        let mut next = position;
        next.play_unchecked(m);
        (m, next)
    })
}

/// A perft with several threads, or with a table that remembers positions met before.
///
/// ```
/// use tabiya_chess::{Perft, Position};
///
/// let perft = Perft { threads: 2.try_into().unwrap(), hash_megabytes: 1 };
/// let by_move = perft.divide(&Position::initial(), 3);
/// assert_eq!(by_move.len(), 20);
/// assert_eq!(by_move.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8_902);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perft {
    /// How many threads share the work.
    pub threads: NonZeroUsize,
    /// The size of the table in megabytes; without one, every position is counted each time.
    pub hash_megabytes: usize,
}

impl Default for Perft {
    fn default() -> Perft {
        Perft { threads: NonZeroUsize::MIN, hash_megabytes: 0 }
    }
}

impl Perft {
    /// The number of ways to play `depth` plies from a position.
    ///
    /// ```
    /// # use tabiya_chess::{Perft, Position};
    /// assert_eq!(Perft::default().count(&Position::initial(), 3), 8_902);
    /// ```
    pub fn count(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.divide(position, depth).iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    /// The count below each legal move, in the order of [`Position::legal_moves`]. Nothing at
    /// depth 0.
    ///
    /// ```
    /// # use tabiya_chess::{Perft, Position};
    /// let by_move = Perft::default().divide(&Position::initial(), 2);
    /// assert!(by_move.iter().all(|&(_, nodes)| nodes == 20));
    /// ```
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        if depth == 0 {
            return Vec::new();
        }
        let moves = position.legal_moves();
        let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let table = Table::new(self.hash_megabytes);
        // Two plies give enough parts to keep all threads busy to the end.
        let (parts, left) = if self.threads.get() > 1 && depth >= 4 {
            let parts = children(position).enumerate().flat_map(|(number, (_, next))| {
                children(&next).map(move |(_, after)| (number, after)).collect::<Vec<_>>()
            });
            (parts.collect::<Vec<_>>(), depth - 2)
        } else {
            let parts = children(position).enumerate().map(|(number, (_, next))| (number, next));
            (parts.collect::<Vec<_>>(), depth - 1)
        };
        let next_part = AtomicUsize::new(0);
        let work = || {
            while let Some((number, part)) = parts.get(next_part.fetch_add(1, Ordering::Relaxed)) {
                totals[*number].fetch_add(table.perft(part, left), Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            (1..self.threads.get()).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        moves.into_iter().zip(totals.into_iter().map(AtomicU64::into_inner)).collect()
    }
}

/// Counts already known, by position key and depth. Shared by threads without a lock: an entry
/// written by two at once does not match its own check word, and is not believed.
struct Table {
    buckets: Vec<Bucket>,
}

/// One cache line: four entries of a check word (key ^ count) and a count with its depth.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([[AtomicU64; 2]; 4]);

impl Table {
    /// Below this depth, counting is quicker than asking memory.
    const LEAST_DEPTH: u32 = 3;

    fn new(megabytes: usize) -> Table {
        let count = megabytes.saturating_mul(1 << 20) / size_of::<Bucket>();
        Table { buckets: (0..count).map(|_| Bucket::default()).collect() }
    }

    fn bucket(&self, key: u64, depth: u32) -> &[[AtomicU64; 2]; 4] {
        let mixed = (key ^ u64::from(depth)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = (u128::from(mixed) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize].0
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        if self.buckets.is_empty() || depth < Table::LEAST_DEPTH {
            return perft(position, depth);
        }
        let key = position.key();
        let bucket = self.bucket(key, depth);
        for [check, data] in bucket {
            let data = data.load(Ordering::Relaxed);
            if check.load(Ordering::Relaxed) == key ^ data && data as u8 as u32 == depth {
                return data >> 8;
            }
        }
        let nodes = children(position).map(|(_, next)| self.perft(&next, depth - 1)).sum::<u64>();
        // The smallest count is the cheapest to find again. A count of 2^56 would not fit.
        let smallest = bucket.iter().min_by_key(|[_, data]| data.load(Ordering::Relaxed) >> 8);
        if let Some([check, data]) = smallest
            && nodes < 1 << 56
        {
            let word = nodes << 8 | u64::from(depth & 0xFF);
            check.store(key ^ word, Ordering::Relaxed);
            data.store(word, Ordering::Relaxed);
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn threads_and_table_change_nothing() {
        let position: Position = KIWIPETE.parse().unwrap();
        for threads in 1..=3 {
            for hash_megabytes in [0, 1, 16] {
                let perft = Perft { threads: threads.try_into().unwrap(), hash_megabytes };
                assert_eq!(perft.count(&position, 4), 4_085_603);
                assert_eq!(perft.divide(&position, 1).len(), 48);
            }
        }
    }

    #[test]
    fn depth_zero_is_one() {
        assert_eq!(perft(&Position::initial(), 0), 1);
        assert_eq!(Perft::default().count(&Position::initial(), 0), 1);
        assert!(Perft::default().divide(&Position::initial(), 0).is_empty());
    }

    #[test]
    fn chess960_castling_is_counted() {
        let position = Position::chess960(0).unwrap();
        assert!(!position.castles_as_in_standard_chess());
        assert_eq!(perft(&position, 3), perft_by_list(&position, 3));
    }

    fn perft_by_list(position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => children(position).map(|(_, next)| perft_by_list(&next, depth - 1)).sum(),
        }
    }
}
