//! The interface that the pages and other programs speak; `docs/http.md` tells of it.

mod bishops;
mod events;
mod friends;
mod games;
mod levels;
mod lines;
mod password;
mod play;
mod positions;
mod reviews;
mod studies;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::ReceiverStream;

use crate::audience::{Audience, Routes, delete, get, post};
use crate::error::ApiError;
use crate::live_game::LiveGame;
use crate::{AppState, ServerLimits, assets};

type Answer = Result<Response, ApiError>;

/// Everything that can be asked for, in groups by who may ask.
pub(crate) fn routes(limits: &ServerLimits) -> Routes {
    Routes::default()
        .group(Audience::Public, assets::parts())
        .group(
            Audience::Public,
            [
                get("/api/phrases", friends::phrases),
                get("/api/levels", levels::levels),
                get("/api/password", password::asked),
                post("/api/password", password::give),
                post("/api/games/{id}/enter", password::enter),
            ],
        )
        .group(
            Audience::Invited,
            [
                get("/", assets::serve),
                get("/bishops", assets::serve),
                get("/api/games/{id}", games::view),
                get("/api/games/{id}/record", games::record),
                get("/api/games/{id}/position", games::position),
                get("/api/games/{id}/positions/{ply}", games::earlier),
                get("/api/games/{id}/attackers/{square}", games::attackers),
                get("/api/games/{id}/events", events::events),
                get("/api/games/{id}/verdict", bishops::verdict),
                post("/api/games/{id}/join", friends::join),
                post("/api/games/{id}/next", friends::next),
            ],
        )
        .group(
            Audience::Player,
            [
                post("/api/games/{id}/moves", play::play),
                post("/api/games/{id}/requests", play::request),
                get("/api/games/{id}/invitation", friends::invitation),
                post("/api/games/{id}/phrases", friends::say),
                post("/api/games/{id}/pong", friends::pong),
            ],
        )
        .group(
            Audience::GameOwner,
            [
                delete("/api/games/{id}", games::delete),
                post("/api/games/{id}/restore", games::restore),
            ],
        )
        .group(
            Audience::Member,
            [
                get("/games", assets::serve),
                get("/study", assets::serve),
                get("/password", assets::serve),
                get("/api/games", games::list),
                post("/api/games", games::create),
                post("/api/bishops", bishops::compose),
                get("/api/studies", studies::list),
                post("/api/studies", studies::create),
                get("/api/studies/{id}", studies::view),
                get("/api/studies/{id}/record", studies::record),
                get("/api/studies/{id}/boards/{node}", studies::board),
                get("/api/studies/{id}/boards/{node}/attacks", studies::attacks),
                get("/api/studies/{id}/lines", lines::lines),
                get("/api/engines", lines::engines),
                post("/api/positions/check", positions::check),
                get("/api/reviews", reviews::find),
                post("/api/reviews", reviews::create),
                get("/api/reviews/{key}", reviews::view),
                get("/api/reviews/{key}/events", reviews::events),
                get("/api/reviews/{key}/record", reviews::record),
            ],
        )
        .group(
            Audience::StudyOwner,
            [
                delete("/api/studies/{id}", studies::delete),
                post("/api/studies/{id}/restore", studies::restore),
                post("/api/studies/{id}/steps", studies::step),
            ],
        )
        .group(Audience::Admin, [post("/api/import", games::import).with_body_limit(limits.import)])
}

/// What is said where there is no route.
pub(crate) async fn nothing(uri: Uri) -> Response {
    match uri.path().starts_with("/api") {
        true => ApiError::not_found("There is nothing here.").into_response(),
        false => (StatusCode::NOT_FOUND, "There is no such page.\n").into_response(),
    }
}

/// Does something that may wait for a disk or for a game.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(ApiError::internal(error)))
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
