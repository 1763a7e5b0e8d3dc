use crate::{Move, Position};

/// Keys of the positions of a game to which it could come back: those since the last capture, and
/// no more than a few dozen, so that an endless game needs no more memory than a short one.
#[derive(Clone, Default, Debug)]
pub(crate) struct Recent(Vec<u64>);

const MOST: usize = 64;

impl Recent {
    pub(crate) fn new() -> Recent {
        Recent::default()
    }

    pub(crate) fn keys(&self) -> &[u64] {
        &self.0
    }

    /// Adds a position in which a move is about to be played.
    pub(crate) fn add(&mut self, position: &Position, m: Move) {
        if position.board().occupied().contains(m.to) {
            self.0.clear();
            return;
        }
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push(position.key());
    }
}
