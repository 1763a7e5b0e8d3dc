use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tabiya_chess::Move;

use crate::{Bound, params};

/// What is remembered of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The best move found, or the one that refuted.
    pub(crate) best: Option<Move>,
    /// The score from this position (mates counted from here).
    pub(crate) score: i32,
    /// The static evaluation, if it is known.
    pub(crate) evaluation: Option<i32>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was on a principal variation.
    pub(crate) was_pv: bool,
}

/// The transposition table: a fixed amount of memory shared by all threads without a lock.
///
/// A slot is two words: the data, and the key mixed with the data. If two threads write at once the
/// words do not match, and the slot is not believed.
pub(crate) struct TranspositionTable {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

/// One cache line: four slots.
#[repr(align(64))]
#[derive(Default)]
struct Cluster([Slot; 4]);

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Evaluations fit 16 bits; this value stands for "not known".
const NO_EVALUATION: i16 = i16::MIN;

/// The data word. Bits: 0..16 move, 16..32 score, 32..48 evaluation, 48..56 depth, 56..58 bound,
/// 58 PV, 59..64 age. A bound is never 0, so an empty slot is never taken for an entry.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn pack(entry: &Entry, age: u8) -> Data {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, |evaluation| evaluation as i16);
        Data(
            u64::from(entry.best.map_or(0, Move::bits))
                | u64::from(entry.score as i16 as u16) << 16
                | u64::from(evaluation as u16) << 32
                | u64::from(entry.depth.clamp(0, 255) as u8) << 48
                | bound << 56
                | u64::from(entry.was_pv) << 58
                | u64::from(age & 31) << 59,
        )
    }

    fn unpack(self) -> Entry {
        let evaluation = (self.0 >> 32) as i16;
        Entry {
            best: Move::from_bits(self.0 as u16),
            score: i32::from((self.0 >> 16) as i16),
            evaluation: (evaluation != NO_EVALUATION).then_some(i32::from(evaluation)),
            depth: self.depth(),
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            was_pv: self.0 >> 58 & 1 == 1,
        }
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// How much it is worth keeping: deep and recent.
    fn worth(self, now: u8) -> i32 {
        self.depth() - params::table_age_weight() * i32::from(now.wrapping_sub(self.age()) & 31)
    }
}

impl TranspositionTable {
    /// A table of so many megabytes, or as many as memory allows.
    pub(crate) fn new(megabytes: usize) -> TranspositionTable {
        let mut count = (megabytes.max(1)).saturating_mul(1 << 20) / size_of::<Cluster>();
        let mut clusters = Vec::new();
        while clusters.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        ask_for_large_pages(&clusters);
        clusters.resize_with(count.max(1), Cluster::default);
        TranspositionTable { clusters, age: AtomicU8::new(0) }
    }

    pub(crate) fn clear(&self) {
        for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what earlier ones left may be replaced first.
    pub(crate) fn new_search(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    fn age(&self) -> u8 {
        self.age.load(Ordering::Relaxed) & 31
    }

    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Asks for the memory of a position that will be looked up soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            let address = core::ptr::from_ref(self.cluster(key)).cast::<i8>();
            // SAFETY: a prefetch reads nothing the program can see, and the address is a reference.
            unsafe {
                core::arch::x86_64::_mm_prefetch(address, core::arch::x86_64::_MM_HINT_T0);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then(|| Data(data).unpack())
        })
    }

    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age();
        let mut target = None;
        let mut least = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                let old = Data(data);
                // A deeper result of this search is not given up for a shallow bound.
                let keep = entry.bound != Bound::Exact
                    && old.age() == age
                    && old.depth() > entry.depth + params::table_depth_margin();
                if keep {
                    return;
                }
                entry.best = entry.best.or(old.unpack().best);
                target = Some(slot);
                break;
            }
            let worth = Data(data).worth(age);
            if worth < least {
                least = worth;
                target = Some(slot);
            }
        }
        if let Some(slot) = target {
            let data = Data::pack(&entry, age).0;
            slot.data.store(data, Ordering::Relaxed);
            slot.check.store(key ^ data, Ordering::Relaxed);
        }
    }

    /// How full it is with results of this search, in thousandths.
    pub(crate) fn hashfull(&self) -> u16 {
        let age = self.age();
        let sample = self.clusters.iter().take(250);
        let asked = sample.len() * 4;
        let used = sample
            .flat_map(|cluster| &cluster.0)
            .filter(|slot| {
                let data = Data(slot.data.load(Ordering::Relaxed));
                data.0 != 0 && data.age() == age
            })
            .count();
        (used * 1000 / asked.max(1)) as u16
    }
}

/// With large pages, fewer look-ups first miss the page and then the line. Only a wish: the system
/// may not have any.
fn ask_for_large_pages(clusters: &Vec<Cluster>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let start = clusters.as_ptr() as usize;
        let first = start.next_multiple_of(PAGE);
        let end = (start + clusters.capacity() * size_of::<Cluster>()) / PAGE * PAGE;
        if first < end {
            // SAFETY: the pages lie within memory that is ours, and how large they are changes
            // nothing of what is read from or written to them.
            unsafe {
                libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = clusters;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_chess::Square;

    fn entry(depth: i32) -> Entry {
        Entry {
            best: Some(Move::normal(Square::E2, Square::E4)),
            score: -123,
            evaluation: Some(45),
            depth,
            bound: Bound::Lower,
            was_pv: true,
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.probe(7), None);
        for (key, changed) in [
            (1, entry(9)),
            (2 << 60, Entry { best: None, evaluation: None, score: 31_000, ..entry(0) }),
            (u64::MAX, Entry { bound: Bound::Exact, was_pv: false, ..entry(255) }),
        ] {
            table.store(key, changed);
            assert_eq!(table.probe(key), Some(changed));
        }
    }

    #[test]
    fn shallow_bounds_do_not_replace_deep_results() {
        let table = TranspositionTable::new(1);
        table.store(5, entry(20));
        table.store(5, entry(3));
        assert_eq!(table.probe(5).unwrap().depth, 20);
        table.new_search();
        table.store(5, entry(3));
        assert_eq!(table.probe(5).unwrap().depth, 3);
        table.store(5, Entry { best: None, ..entry(4) });
        assert_eq!(table.probe(5).unwrap().best, entry(3).best);
    }

    /// An entry that follows from its key, so that one made of the words of two would be seen.
    fn entry_of(key: u64) -> Entry {
        Entry {
            best: Some(Move::normal(Square::A1, Square::H8)).filter(|_| key.is_multiple_of(3)),
            score: i32::from(key as i16),
            evaluation: Some(i32::from((key >> 16) as i16 / 2)),
            depth: i32::from((key >> 32) as u8),
            bound: Bound::Exact,
            was_pv: key.is_multiple_of(2),
        }
    }

    fn one_cluster() -> TranspositionTable {
        TranspositionTable { clusters: vec![Cluster::default()], age: AtomicU8::new(0) }
    }

    /// However threads get in each other's way, a reader sees for each of the two words one that somebody wrote: here
    /// are all ways in which two writers, or one and an empty slot, can mix.
    #[test]
    fn torn_entries_are_not_believed() {
        let keys: Vec<u64> = (0..40).map(tabiya_base::mix).collect();
        let words = |key: u64| {
            let table = one_cluster();
            table.store(key, entry_of(key));
            let slot = &table.clusters[0].0[0];
            (slot.check.load(Ordering::Relaxed), slot.data.load(Ordering::Relaxed))
        };
        let written: Vec<(u64, u64)> = keys.iter().map(|&key| words(key)).chain([(0, 0)]).collect();
        for (one, &(check, _)) in written.iter().enumerate() {
            for (other, &(_, data)) in written.iter().enumerate() {
                let table = one_cluster();
                table.clusters[0].0[0].check.store(check, Ordering::Relaxed);
                table.clusters[0].0[0].data.store(data, Ordering::Relaxed);
                for (number, &key) in keys.iter().enumerate() {
                    let whole = one == other && one == number;
                    assert_eq!(table.probe(key), whole.then(|| entry_of(key)));
                }
            }
        }
    }

    /// Four threads write and read the same cache line, as fast as they can: whatever is believed is what belongs to its
    /// key, to the last bit.
    #[test]
    fn threads_that_share_a_cluster_never_read_what_nobody_wrote() {
        const ROUNDS: usize = 200_000;
        let table = one_cluster();
        let keys: Vec<u64> = (0..9).map(tabiya_base::mix).collect();
        let (table, keys) = (&table, &keys);
        let found: usize = std::thread::scope(|scope| {
            let threads = [1, 2, 3, 4].map(|seed| {
                scope.spawn(move || {
                    let mut random = tabiya_base::Random::new(seed);
                    let mut found = 0;
                    for _ in 0..ROUNDS {
                        let written = keys[random.below(keys.len())];
                        table.store(written, entry_of(written));
                        let asked = keys[random.below(keys.len())];
                        if let Some(entry) = table.probe(asked) {
                            assert_eq!(entry, entry_of(asked));
                            found += 1;
                        }
                    }
                    found
                })
            });
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        // Nine keys share four slots.
        assert!(found > ROUNDS / 10, "only {found} were found");
        assert!(found < 4 * ROUNDS, "nothing was in anybody's way");
    }

    #[test]
    fn memory_is_what_was_asked_for() {
        assert_eq!(TranspositionTable::new(4).clusters.len() * size_of::<Cluster>(), 4 << 20);
        let table = TranspositionTable::new(1);
        table.store(1, entry(1));
        table.clear();
        assert_eq!((table.probe(1), table.hashfull()), (None, 0));
    }
}
