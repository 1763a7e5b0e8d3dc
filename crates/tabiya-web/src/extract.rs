//! What handlers are told about a request: which game, whose seat, from where.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::rejection::PathRejection;
use axum::extract::{ConnectInfo, FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use tabiya_play::Side;

use crate::AppState;
use crate::access::is_local;
use crate::error::ApiError;

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

/// Somebody who may take a game away and bring it back: who plays it, or whoever sits at the server's machine.
pub(crate) struct GameOwner(pub(crate) u64);

impl FromRequestParts<AppState> for GameOwner {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<GameOwner, ApiError> {
        let Visitor { id, side } = Visitor::from_request_parts(parts, state).await?;
        match side.is_some() || Local::of(parts).0 {
            true => Ok(GameOwner(id)),
            false => Err(ApiError::forbidden(
                "Only those who play a game, or whoever sits at the server's machine, may do that.",
            )),
        }
    }
}

/// Whether the one who asks sits at the machine of the server. A tunnel or proxy on this machine is not somebody
/// who sits here: what comes through it has another name or says for whom it speaks.
pub(crate) struct Local(pub(crate) bool);

impl<S: Send + Sync> FromRequestParts<S> for Local {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Local, Self::Rejection> {
        Ok(Local::of(parts))
    }
}

impl Local {
    pub(crate) fn of(parts: &Parts) -> Local {
        let text =
            |name: &str| parts.headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let forwarded = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];
        let origin =
            text("origin").map(|origin| origin.strip_prefix("http://").unwrap_or_default());
        Local(
            client(parts).to_canonical().is_loopback()
                && text("host").is_some_and(is_local)
                && origin.is_none_or(is_local)
                && !forwarded.iter().any(|name| parts.headers.contains_key(*name)),
        )
    }
}

fn client(parts: &Parts) -> IpAddr {
    let address = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    address.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip())
}

/// The machine that asks; our own if there is no network between.
pub(crate) struct Client(pub(crate) IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Self::Rejection> {
        Ok(Client(client(parts)))
    }
}

/// Whoever has made a study, by the token.
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
        match state.0.key.is_study_token(id, token) {
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
