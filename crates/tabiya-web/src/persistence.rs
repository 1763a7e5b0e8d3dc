//! Games on their way to the disk and back.

use tabiya_play::{Change, Journal, Session, SessionDeps, Setup, Side};
use tabiya_store::{Friend, GameId, Store, StoreError};

use crate::error::ApiError;

/// Writes down one game. Why that is impossible is told to whoever runs the server, not to those who play.
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
pub(crate) fn number(id: u64) -> Result<GameId, ApiError> {
    i64::try_from(id).map(GameId).map_err(|_| ApiError::no_game())
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::NoGame(_) => ApiError::no_game(),
            StoreError::NoStudy(_) => ApiError::no_study(),
            StoreError::Taken(_) => {
                let sentence = "Somebody has taken that seat; you can watch.";
                ApiError::new(axum::http::StatusCode::CONFLICT, sentence)
            }
            error => ApiError::internal(&error.to_string()),
        }
    }
}

/// A game to go on with.
pub(crate) fn open(
    store: &Store,
    id: u64,
    means: SessionDeps,
) -> Result<(Session, Option<Friend>), ApiError> {
    let id = number(id)?;
    let stored = store.load(id)?;
    let page = Page { store: store.clone(), id, had: stored.past.entries.len() };
    let means = SessionDeps { journal: Some(Box::new(page)), ..means };
    let session = Session::restore(stored.setup, &stored.past, means)
        .map_err(|error| ApiError::internal(&format!("game {id}: {error}")))?;
    Ok((session, stored.friend))
}

/// Begins a game, perhaps with a seat that is kept free, and gives its number.
pub(crate) fn begin(store: &Store, setup: &Setup, open: Option<Side>) -> Result<u64, ApiError> {
    let id = match open {
        Some(side) => store.invite(setup, side)?,
        None => store.create(setup)?,
    };
    id_of(id)
}

/// The number of a game for everybody else.
pub(crate) fn id_of(id: GameId) -> Result<u64, ApiError> {
    u64::try_from(id.0).map_err(|error| ApiError::internal(&error.to_string()))
}
