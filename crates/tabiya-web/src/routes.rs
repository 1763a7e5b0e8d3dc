//! The interface that the pages and other programs speak; `docs/http.md` tells of it.

mod bishops;
mod events;
mod friends;
mod games;
mod lines;
mod password;
mod play;
mod positions;
mod reviews;
mod studies;

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{ConnectInfo, DefaultBodyLimit, FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use tabiya_play::Side;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::ReceiverStream;

use crate::AppState;
use crate::access::is_local;
use crate::error::ApiError;
use crate::live_game::LiveGame;

type Answer = Result<Response, ApiError>;

pub(crate) fn api(state: &AppState) -> Router<AppState> {
    Router::new()
        .route("/games", post(games::create).get(games::list))
        .route("/games/{id}", get(games::view).merge(delete(games::delete)))
        .route("/games/{id}/restore", post(games::restore))
        .route("/games/{id}/record", get(games::record))
        .route("/games/{id}/position", get(games::position))
        .route("/games/{id}/positions/{ply}", get(games::earlier))
        .route("/games/{id}/attackers/{square}", get(games::attackers))
        .route("/games/{id}/events", get(events::events))
        .route("/games/{id}/moves", post(play::play))
        .route("/games/{id}/requests", post(play::request))
        .route("/games/{id}/verdict", get(bishops::verdict))
        .route("/games/{id}/invitation", get(friends::invitation))
        .route("/games/{id}/join", post(friends::join))
        .route("/games/{id}/next", post(friends::next))
        .route("/games/{id}/phrases", post(friends::say))
        .route("/games/{id}/pong", post(friends::pong))
        .route("/games/{id}/enter", post(password::enter))
        .route("/phrases", get(friends::phrases))
        .route("/password", get(password::asked).post(password::say))
        .route("/import", post(games::import).layer(DefaultBodyLimit::max(state.0.limits.import)))
        .route("/bishops", post(bishops::compose))
        .route("/studies", post(studies::create).get(studies::list))
        .route("/studies/{id}", get(studies::view).merge(delete(studies::delete)))
        .route("/studies/{id}/restore", post(studies::restore))
        .route("/studies/{id}/record", get(studies::record))
        .route("/studies/{id}/steps", post(studies::step))
        .route("/studies/{id}/boards/{node}", get(studies::board))
        .route("/studies/{id}/boards/{node}/sight", get(studies::sight))
        .route("/studies/{id}/lines", get(lines::lines))
        .route("/engines", get(lines::engines))
        .route("/positions/check", post(positions::check))
        .route("/reviews", post(reviews::create).get(reviews::find))
        .route("/reviews/{key}", get(reviews::view))
        .route("/reviews/{key}/events", get(reviews::events))
        .route("/reviews/{key}/record", get(reviews::record))
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(DefaultBodyLimit::max(state.0.limits.body))
}

async fn nothing() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "There is nothing here.")
}

async fn other_method() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "That cannot be done here.")
}

/// Does something that may wait for a disk or for a game.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(ApiError::internal(&error.to_string())))
}

/// How often a silent line shows that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// For whoever finds no place to listen.
const CROWDED: &str = "Too many pages are open; close some and try again.";

/// What comes in, as server-sent events.
fn live(events: mpsc::Receiver<Result<Event, Infallible>>) -> Response {
    let stream = Sse::new(ReceiverStream::new(events));
    stream.keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response()
}

/// A game in memory, brought there from the store if need be.
async fn live_game(state: &AppState, id: u64) -> Result<Arc<LiveGame>, ApiError> {
    if let Some(game) = state.0.live_game_if_open(id) {
        return Ok(game);
    }
    let state = state.clone();
    aside(move || state.0.live_game(id)).await
}

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], text)
        .into_response()
}

/// The number of a game in an address.
struct Id(u64);

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
struct SeatOwner {
    id: u64,
    side: Side,
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
struct Visitor {
    id: u64,
    side: Option<Side>,
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Visitor, ApiError> {
        let Id(id) = Id::from_request_parts(parts, state).await?;
        let token = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some(token) = token.and_then(|value| value.strip_prefix("Bearer ")) else {
            return Ok(Visitor { id, side: None });
        };
        let side = state.0.key.side(id, token.trim());
        let side =
            side.ok_or_else(|| ApiError::new(StatusCode::FORBIDDEN, "That is not your seat."))?;
        Ok(Visitor { id, side: Some(side) })
    }
}

/// Somebody who may take a game away and bring it back: who plays it, or whoever sits at the server's machine.
struct GameOwner(u64);

impl FromRequestParts<AppState> for GameOwner {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<GameOwner, ApiError> {
        let Visitor { id, side } = Visitor::from_request_parts(parts, state).await?;
        match side.is_some() || is_local_request(parts) {
            true => Ok(GameOwner(id)),
            false => Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "Only those who play a game, or whoever sits at the server's machine, may do that.",
            )),
        }
    }
}

/// Whether the one who asks sits at the machine of the server. A tunnel or proxy on this machine is not somebody
/// who sits here: what comes through it has another name or says for whom it speaks.
pub(crate) struct Local(pub(crate) bool);

impl<S: Send + Sync> FromRequestParts<S> for Local {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Local, Self::Rejection> {
        Ok(Local(is_local_request(parts)))
    }
}

fn is_local_request(parts: &Parts) -> bool {
    let text = |name: &str| parts.headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let forwarded = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];
    let origin = text("origin").map(|origin| origin.strip_prefix("http://").unwrap_or_default());
    client(parts).to_canonical().is_loopback()
        && text("host").is_some_and(is_local)
        && origin.is_none_or(is_local)
        && !forwarded.iter().any(|name| parts.headers.contains_key(*name))
}

fn client(parts: &Parts) -> IpAddr {
    let address = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    address.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip())
}

/// The machine that asks; our own if there is no network between.
pub(crate) struct Client(pub(crate) IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Self::Rejection> {
        Ok(Client(client(parts)))
    }
}
