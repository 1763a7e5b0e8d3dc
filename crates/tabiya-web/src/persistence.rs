//! Games on their way to the disk and back.

use tabiya_play::{GameSetup, Session, SessionDeps, Side};
use tabiya_store::{Friend, GameId, Store, StoreError};

use crate::error::ApiError;

/// The number of a game in the store.
pub(crate) fn number(id: u64) -> Result<GameId, ApiError> {
    i64::try_from(id).map(GameId).map_err(|_| ApiError::no_game())
}

/// A game to go on with. Why it cannot be kept is told to whoever runs the server, not to those who play.
pub(crate) fn open(
    store: &Store,
    id: u64,
    deps: SessionDeps,
) -> Result<(Session, Option<Friend>), ApiError> {
    let explain = |error: &StoreError| {
        tracing::error!("{error}");
        "The game could not be kept, so nothing has changed.".to_owned()
    };
    Ok(store.session(number(id)?, deps, explain)?)
}

/// Begins a game, perhaps with a seat that is kept free, and gives its number.
pub(crate) fn begin(store: &Store, setup: &GameSetup, open: Option<Side>) -> Result<u64, ApiError> {
    let id = match open {
        Some(side) => store.invite(setup, side)?,
        None => store.create(setup)?,
    };
    id_of(id)
}

/// The number of a game for everybody else.
pub(crate) fn id_of(id: GameId) -> Result<u64, ApiError> {
    u64::try_from(id.0).map_err(ApiError::internal)
}
