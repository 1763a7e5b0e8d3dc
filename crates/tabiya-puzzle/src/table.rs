use crate::Move;

/// What is known of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What a search found out about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    key: u64,
    pub(crate) best: Option<Move>,
    pub(crate) score: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
}

/// Remembers positions by their keys, one for each slot.
#[derive(Debug)]
pub(crate) struct Table(Vec<Option<Entry>>);

const SLOTS: usize = 1 << 17;

impl Table {
    pub(crate) fn new() -> Table {
        Table(vec![None; SLOTS])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(None);
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.0[key as usize % SLOTS].filter(|entry| entry.key == key)
    }

    /// Keeps the deeper of two results for one position, and the newer of two positions.
    pub(crate) fn put(
        &mut self,
        key: u64,
        best: Option<Move>,
        score: i16,
        depth: i8,
        bound: Bound,
    ) {
        let slot = &mut self.0[key as usize % SLOTS];
        let former = slot.filter(|entry| entry.key == key);
        if former.is_some_and(|former| former.depth > depth && bound != Bound::Exact) {
            return;
        }
        let best = best.or(former.and_then(|former| former.best));
        *slot = Some(Entry { key, best, score, depth, bound });
    }
}
