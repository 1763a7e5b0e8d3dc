//! The interface that the pages and other programs speak; `docs/http.md` tells of it.

mod bishops;
mod chapters;
mod endings;
mod events;
mod explorer;
mod friends;
mod games;
mod learn;
mod levels;
mod library;
mod lines;
mod openings;
mod owner;
mod password;
mod play;
mod positions;
mod puzzles;
mod reviews;
mod studies;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, Uri, header};
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
                get("/owner/{secret}", owner::enter),
                get("/api/phrases", friends::phrases),
                get("/api/levels", levels::levels),
                get("/api/password", password::asked),
                post("/api/password", password::give).with_body_limit(limits.entry),
                post("/api/games/{id}/enter", password::enter).with_body_limit(limits.entry),
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
                get("/api/games/{id}/positions", games::positions),
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
                get("/puzzles", assets::serve),
                get("/learn", assets::serve),
                get("/explorer", assets::serve),
                get("/endings", assets::serve),
                get("/openings", assets::serve),
                get("/api/endings", endings::ladder),
                get("/api/endings/tables", endings::tables),
                get("/api/endings/{ending}", endings::one),
                post("/api/endings/{ending}/moves", endings::step),
                post("/api/endings/{ending}/hint", endings::hint),
                post("/api/endings/{ending}/way", endings::way),
                get("/api/puzzles", puzzles::overview),
                get("/api/puzzles/daily", puzzles::daily),
                get("/api/puzzles/next", puzzles::next),
                get("/api/puzzles/history", puzzles::history),
                get("/api/puzzles/{puzzle}", puzzles::one),
                post("/api/puzzles/{puzzle}/tries", puzzles::tries),
                post("/api/puzzles/{puzzle}/hint", puzzles::hint),
                post("/api/puzzles/{puzzle}/solution", puzzles::give_up),
                get("/api/games", library::list),
                get("/api/games/count", library::count),
                post("/api/games/bin", library::dispose).with_body_limit(library::LONGEST),
                post("/api/games/export", library::export).with_body_limit(library::LONGEST),
                post("/api/games", games::create),
                post("/api/bishops", bishops::compose),
                get("/api/studies", studies::list),
                post("/api/studies", studies::create).with_body_limit(limits.study),
                get("/api/studies/{id}", studies::view),
                get("/api/studies/{id}/record", studies::record),
                get("/api/studies/{id}/positions", studies::positions),
                get("/api/studies/{id}/boards/{node}", studies::board),
                get("/api/studies/{id}/boards/{node}/attacks", studies::attacks),
                get("/api/studies/{id}/lines", lines::lines),
                get("/api/engines", lines::engines),
                get("/api/explorer", explorer::list),
                get("/api/explorer/{database}", explorer::explore),
                get("/api/explorer/{database}/players", explorer::players),
                get("/api/explorer/{database}/games/{number}", explorer::game),
                post("/api/positions/check", positions::check),
                post("/api/positions/line", positions::line),
                get("/api/reviews", reviews::find),
                post("/api/reviews", reviews::create),
                get("/api/reviews/{key}", reviews::view),
                get("/api/reviews/{key}/events", reviews::events),
                get("/api/reviews/{key}/record", reviews::record),
                post("/api/reviews/{key}/deeper", reviews::deepen),
                delete("/api/reviews/{key}/deeper", reviews::cancel),
            ],
        )
        .group(
            Audience::StudyOwner,
            [
                delete("/api/studies/{id}", studies::delete),
                post("/api/studies/{id}/restore", studies::restore),
                post("/api/studies/{id}/steps", studies::step).with_body_limit(limits.study),
                post("/api/studies/{id}/chapters", chapters::step).with_body_limit(limits.study),
            ],
        )
        .group(
            Audience::Admin,
            [
                post("/api/import", library::import).with_body_limit(limits.import),
                get("/api/learn", learn::overview),
                post("/api/learn", learn::set),
                get("/api/learn/queue", learn::queue),
                post("/api/learn/answers", learn::answers).with_body_limit(learn::LONGEST_ANSWERS),
                post("/api/learn/cards/{card}/aside", learn::put_aside),
                get("/api/learn/progress", learn::progress),
                get("/api/learn/games.csv", learn::games_csv),
                get("/api/learn/exercises.pgn", learn::exercises_pgn),
                post("/api/endings/tables", endings::make_tables),
                post("/api/endings/{ending}/done", endings::done),
                get("/api/openings", openings::overview),
                post("/api/openings", openings::create),
                delete("/api/openings/{study}/{color}", openings::remove),
                get("/api/openings/next", openings::next),
                post("/api/openings/tries", openings::tries),
                get("/api/openings/holes", openings::missing),
                get("/api/openings/composed", openings::composed),
                get("/api/openings/games", openings::games),
                get("/api/openings/games/{game}", openings::game),
            ],
        )
}

/// What is said where there is no route.
pub(crate) async fn nothing(uri: Uri) -> Response {
    match uri.path().starts_with("/api") {
        true => ApiError::not_found("There is nothing here.").into_response(),
        false => assets::missing(),
    }
}

/// Does something that may wait for a disk or for a game.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(ApiError::internal(error)))
}

/// Looking is free, but some questions cost the machine time: no page of another site shall have it.
fn must_be_of_this_site(headers: &HeaderMap) -> Result<(), ApiError> {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    match site {
        Some(b"cross-site" | b"same-site") => {
            Err(ApiError::forbidden("Requests from other sites are refused."))
        }
        _ => Ok(()),
    }
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
