use super::material::Verdict;
use super::profile::{Work, measure};

/// How often a cache knew the answer.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{Tree, TreeOptions};
///
/// let options = TreeOptions { caches: true, ..TreeOptions::default() };
/// let mut tree = Tree::new(Position::initial(), options)?;
/// let hits = tree.search(4).hits;
/// // 1. e4 e5 2. Nf3 and 1. Nf3 e5 2. e4 lead to the same position.
/// assert!(hits.moves > 0 && hits.scores > 0);
/// # Ok::<(), tabiya_engine::textbook::TooSmall>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CacheHits {
    /// Positions whose moves were copied instead of generated.
    pub moves: u64,
    /// Positions whose score was remembered instead of worked out.
    pub scores: u64,
}

/// What is known of positions that were met before, by another order of moves or in an earlier search.
#[derive(Clone, Debug)]
pub(super) struct Caches {
    /// A node whose children are the moves of the position.
    pub(super) moves: Table<u32>,
    /// What the position is worth at the end of a line.
    pub(super) scores: Table<Verdict>,
}

impl Caches {
    /// Of at most so many bytes, and never more than 2 MiB.
    pub(super) fn new(max_bytes: usize) -> Caches {
        let each = max_bytes.min(2 << 20) / 2;
        Caches { moves: Table::new(each), scores: Table::new(each) }
    }

    pub(super) fn bytes(&self) -> usize {
        self.moves.bytes() + self.scores.bytes()
    }
}

/// A table with one place for each remainder of a key: the newer entry takes the place of the older.
#[derive(Clone, Debug)]
pub(super) struct Table<V> {
    slots: Vec<Slot<V>>,
    pub(super) hits: u64,
}

#[derive(Clone, Copy, Debug)]
struct Slot<V> {
    key: u64,
    value: Option<V>,
}

impl<V: Copy> Table<V> {
    fn new(max_bytes: usize) -> Table<V> {
        let slots = max_bytes / size_of::<Slot<V>>();
        Table { slots: vec![Slot { key: 0, value: None }; slots], hits: 0 }
    }

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot<V>>()
    }

    fn place(&self, key: u64) -> usize {
        // With no slots at all, a place that does not exist.
        (key % (self.slots.len() as u64).max(1)) as usize
    }

    pub(super) fn get(&mut self, key: u64) -> Option<V> {
        measure(Work::Table, || {
            let slot = self.slots.get(self.place(key))?;
            let value = slot.value.filter(|_| slot.key == key)?;
            self.hits += 1;
            Some(value)
        })
    }

    pub(super) fn put(&mut self, key: u64, value: V) {
        let place = self.place(key);
        measure(Work::Table, || {
            if let Some(slot) = self.slots.get_mut(place) {
                *slot = Slot { key, value: Some(value) };
            }
        });
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(Slot { key: 0, value: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_knows_what_was_put_and_no_more() {
        let mut table: Table<u32> = Table::new(64);
        let slots = table.slots.len() as u64;
        assert_eq!(slots, 4);
        table.put(5, 50);
        assert_eq!((table.get(5), table.get(5 + slots), table.hits), (Some(50), None, 1));
        table.put(5 + slots, 60);
        assert_eq!((table.get(5), table.get(5 + slots)), (None, Some(60)));
        table.clear();
        assert_eq!(table.get(5 + slots), None);
    }

    #[test]
    fn a_table_without_room_knows_nothing() {
        let mut table: Table<u32> = Table::new(3);
        table.put(0, 1);
        assert_eq!(table.get(0), None);
    }

    #[test]
    fn caches_keep_to_their_limit() {
        for bytes in [0, 100, 49_200, 1 << 20, usize::MAX] {
            let caches = Caches::new(bytes);
            assert!(caches.bytes() <= bytes.min(2 << 20));
        }
    }
}
