//! What handlers are told about a request: which game, whose seat.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use tabiya_play::Side;
use tokio::task::spawn_blocking;

use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::studies::number;

/// The number of a game in an address.
pub(crate) struct Id(pub(crate) u64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Id, ApiError> {
        let path: Result<Path<Vec<(String, String)>>, PathRejection> =
            Path::from_request_parts(parts, state).await;
        let id = path?.0.into_iter().find(|(name, _)| name == "id");
        let id = id.and_then(|(_, text)| text.parse().ok());
        id.map(Id).ok_or_else(ApiError::no_game)
    }
}

/// The seat that a request speaks for, by its token.
pub(crate) struct SeatOwner {
    pub(crate) id: u64,
    pub(crate) side: Side,
}

impl FromRequestParts<AppState> for SeatOwner {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<SeatOwner, ApiError> {
        let Visitor { id, side } = Visitor::from_request_parts(parts, state).await?;
        let side = side.ok_or_else(|| {
            ApiError::new(StatusCode::UNAUTHORIZED, "Only those who play here may do that.")
        })?;
        Ok(SeatOwner { id, side })
    }
}

/// Somebody at a game who may have a seat there. A token that is wrong is refused.
pub(crate) struct Visitor {
    pub(crate) id: u64,
    pub(crate) side: Option<Side>,
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Visitor, ApiError> {
        let Id(id) = Id::from_request_parts(parts, state).await?;
        let Some(token) = bearer(parts) else {
            return Ok(Visitor { id, side: None });
        };
        let side = state.0.key.side(id, token);
        let side = side.ok_or_else(|| ApiError::forbidden("That is not your seat."))?;
        Ok(Visitor { id, side: Some(side) })
    }
}

/// Somebody who may take a game away and bring it back: who plays it, or the owner of the server.
pub(crate) struct GameOwner(pub(crate) u64);

impl FromRequestParts<AppState> for GameOwner {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<GameOwner, ApiError> {
        let Visitor { id, side } = Visitor::from_request_parts(parts, state).await?;
        match side.is_some() || Client::of(parts, state).is_owner {
            true => Ok(GameOwner(id)),
            false => Err(ApiError::forbidden(
                "Only those who play a game, or the owner of the server, may do that.",
            )),
        }
    }
}

/// Whoever has made a study, by the token; it is good for all chapters.
pub(crate) struct StudyOwner(pub(crate) u64);

impl FromRequestParts<AppState> for StudyOwner {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<StudyOwner, ApiError> {
        let Id(id) = Id::from_request_parts(parts, state).await?;
        let token = bearer(parts).ok_or_else(|| {
            ApiError::new(StatusCode::UNAUTHORIZED, "Only whoever has made a study may change it.")
        })?;
        if state.0.key.is_study_token(id, token) {
            return Ok(StudyOwner(id));
        }
        let (of_chapter, store) = (number(id)?, state.0.store.clone());
        let book = spawn_blocking(move || store.load_book(of_chapter).ok()).await;
        let book = book.map_err(ApiError::internal)?.map(|book| book.id.0.cast_unsigned());
        match book.is_some_and(|book| state.0.key.is_study_token(book, token)) {
            true => Ok(StudyOwner(id)),
            false => Err(ApiError::forbidden("That is not your study.")),
        }
    }
}

/// The token that a request carries.
fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::trim)
}
