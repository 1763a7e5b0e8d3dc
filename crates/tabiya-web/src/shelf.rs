//! Games on their way to the disk and back.

use tabiya_play::{Change, Journal, Means, Session, Setup};
use tabiya_store::{GameId, Store, StoreError};

use crate::trouble::Trouble;

/// Writes down one game. Why that is impossible is told to whoever runs the house, not to those who play.
struct Page {
    store: Store,
    id: GameId,
    /// How many moves are written down.
    had: usize,
}

impl Journal for Page {
    fn keep(&mut self, change: &Change) -> Result<(), String> {
        self.store.change(self.id, self.had, change).map_err(|error| {
            eprintln!("tabiya: {error}");
            "The game could not be kept, so nothing has changed.".to_owned()
        })?;
        self.had = change.stays + change.added.len();
        Ok(())
    }
}

/// The number of a game in the store.
pub(crate) fn number(id: u64) -> Result<GameId, Trouble> {
    i64::try_from(id).map(GameId).map_err(|_| Trouble::no_game())
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        match error {
            StoreError::NoGame(_) => Trouble::no_game(),
            StoreError::NoStudy(_) => Trouble::no_study(),
            error => Trouble::ours(&error.to_string()),
        }
    }
}

/// A game to go on with.
pub(crate) fn open(store: &Store, id: u64, means: Means) -> Result<Session, Trouble> {
    let id = number(id)?;
    let stored = store.load(id)?;
    let page = Page { store: store.clone(), id, had: stored.past.entries.len() };
    let means = Means { journal: Some(Box::new(page)), ..means };
    Session::restore(stored.setup, &stored.past, means)
        .map_err(|error| Trouble::ours(&format!("game {id}: {error}")))
}

/// Begins a game; `means` is told its number.
pub(crate) fn begin(
    store: &Store,
    setup: &Setup,
    means: impl FnOnce(u64) -> Means,
) -> Result<(u64, Session), Trouble> {
    let id = store.create(setup)?.0;
    let id = u64::try_from(id).map_err(|error| Trouble::ours(&error.to_string()))?;
    // As it is kept, with the day of the game.
    Ok((id, open(store, id, means(id))?))
}
