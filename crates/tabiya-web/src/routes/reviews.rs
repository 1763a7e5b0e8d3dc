use std::convert::Infallible;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use axum::response::sse::Event;
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_pgn::Game;
use tabiya_play::GameKind;
use tabiya_review::Review;
use tokio::sync::mpsc;

use super::{Answer, CROWDED, aside, live};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::reviews::{Stage, none};

/// What is to be reviewed: a study or a game of the archive.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct What {
    study: Option<u64>,
    game: Option<u64>,
}

impl What {
    /// May wait for a disk.
    fn game(&self, state: &AppState) -> Result<Game, ApiError> {
        let server = &state.0;
        let record = match (self.study, self.game) {
            (Some(study), None) => {
                server.studies.read(&server.store, study, |study| Ok(study.pgn()))?
            }
            (None, Some(game)) => {
                let game = crate::persistence::number(game)?;
                if server.store.load(game)?.summary.kind != GameKind::Chess {
                    return Err(ApiError::invalid("Only games of chess can be reviewed."));
                }
                server.store.export(game)?
            }
            _ => return Err(ApiError::invalid("A review is of a study or of a game.")),
        };
        record.parse().map_err(|error: tabiya_pgn::ReadError| ApiError::internal(error))
    }
}

/// Has a game reviewed. The key tells where the review will be, or is already.
pub(super) async fn create(
    State(state): State<AppState>,
    client: Client,
    what: Result<Json<What>, JsonRejection>,
) -> Answer {
    let Json(what) = what?;
    aside(move || {
        let game = what.game(&state)?;
        if game.tree().is_empty() {
            return Err(ApiError::invalid("There are no moves to review yet."));
        }
        let key = state.0.reviews.ask(client, game)?;
        if let (Some(id), true) = (what.game, client.is_owner) {
            learn_when_done(&state, &key, crate::persistence::number(id)?);
        }
        let place = [(header::LOCATION, format!("/api/reviews/{key}"))];
        Ok((StatusCode::ACCEPTED, place, Json(json!({ "key": key }))).into_response())
    })
    .await
}

/// What a review of the owner's game finds becomes exercises, if it was theirs to play.
fn learn_when_done(state: &AppState, key: &str, game: tabiya_store::GameId) {
    let (state, stage) = (state.clone(), state.0.reviews.watch(key));
    tokio::spawn(async move {
        if let Some(mut stage) = stage {
            let is_over = |stage: &Stage| matches!(stage, Stage::Done | Stage::Abandoned);
            match stage.wait_for(is_over).await {
                Ok(stage) if *stage == Stage::Done => {}
                _ => return,
            }
        }
        state.0.learning.look(game);
    });
}

/// Looks whether there is a review of a game, without asking for one.
pub(super) async fn find(
    State(state): State<AppState>,
    what: Result<Query<What>, QueryRejection>,
) -> Answer {
    let Query(what) = what?;
    aside(move || {
        let key = state.0.reviews.key(&what.game(&state)?);
        let mut found = match state.0.reviews.watch(&key) {
            Some(stage) => stage_json(*stage.borrow()),
            None if state.0.store.load_review(&key)?.is_some() => stage_json(Stage::Done),
            None => json!({ "state": "none" }),
        };
        found["key"] = key.into();
        Ok(Json(found).into_response())
    })
    .await
}

fn stage_json(stage: Stage) -> Value {
    match stage {
        Stage::Waiting(before) => json!({ "state": "waiting", "before": before }),
        Stage::Running(done, of) => json!({ "state": "running", "done": done, "of": of }),
        Stage::Done => json!({ "state": "done" }),
        Stage::Abandoned => json!({ "state": "none" }),
    }
}

/// A review that is kept, and its game. May wait for a disk.
fn kept(state: &AppState, key: &str) -> Result<Option<(Game, Review)>, ApiError> {
    let Some(record) = state.0.store.load_review(key)? else { return Ok(None) };
    let game: Option<Game> = record.parse().ok();
    let both = game.and_then(|game| Some((Review::read(&game)?, game)));
    let (review, game) = both.ok_or_else(|| ApiError::internal("a review cannot be read"))?;
    Ok(Some((game, review)))
}

/// How far a review has come; when it is done, all of it.
pub(super) async fn view(State(state): State<AppState>, Path(key): Path<String>) -> Answer {
    aside(move || {
        if let Some(stage) = state.0.reviews.watch(&key) {
            return Ok(Json(stage_json(*stage.borrow())).into_response());
        }
        let (_, review) = kept(&state, &key)?.ok_or_else(none)?;
        let done = json!({ "state": "done", "review": review.json() });
        Ok(Json(done).into_response())
    })
    .await
}

/// Where a deeper look is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Deeper {
    /// A half-move, the first being 1; all if it is missing.
    ply: Option<usize>,
}

/// Has a review look deeper; how far that has come is told like the review itself.
pub(super) async fn deepen(
    State(state): State<AppState>,
    client: Client,
    Path(key): Path<String>,
    deeper: Result<Json<Deeper>, JsonRejection>,
) -> Answer {
    let Json(Deeper { ply }) = deeper?;
    aside(move || {
        state.0.reviews.deepen(client, &key, ply)?;
        Ok((StatusCode::ACCEPTED, Json(json!({ "key": key }))).into_response())
    })
    .await
}

/// Calls off a deeper look.
pub(super) async fn cancel(State(state): State<AppState>, Path(key): Path<String>) -> Answer {
    aside(move || {
        state.0.reviews.cancel(&key);
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// Tells how far a review has come, until it is done.
pub(super) async fn events(
    State(state): State<AppState>,
    client: Client,
    Path(key): Path<String>,
) -> Answer {
    let place = state
        .0
        .rates
        .stream(client)
        .ok_or_else(|| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, CROWDED))?;
    let (sender, receiver) = mpsc::channel(4);
    let stage = state.0.reviews.watch(&key);
    let is_kept = {
        let state = state.clone();
        aside(move || Ok(state.0.store.load_review(&key)?.is_some())).await?
    };
    if stage.is_none() && !is_kept {
        return Err(none());
    }
    let mut closing = state.0.closing.subscribe();
    tokio::spawn(async move {
        let _place = place;
        let told =
            |stage| Ok::<_, Infallible>(Event::default().data(stage_json(stage).to_string()));
        let Some(mut stage) = stage else {
            let _ = sender.send(told(Stage::Done)).await;
            return;
        };
        loop {
            let latest = *stage.borrow_and_update();
            if sender.send(told(latest)).await.is_err()
                || matches!(latest, Stage::Done | Stage::Abandoned)
            {
                return;
            }
            tokio::select! {
                changed = stage.changed() => if changed.is_err() { return },
                _ = closing.wait_for(|closing| *closing) => return,
                () = sender.closed() => return,
            }
        }
    });
    Ok(live(receiver))
}

/// Whose comments and variations are wanted beside the review.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beside {
    study: Option<u64>,
}

/// The game with the review in it; that of a study with what was said there meanwhile.
pub(super) async fn record(
    State(state): State<AppState>,
    Path(key): Path<String>,
    beside: Result<Query<Beside>, QueryRejection>,
) -> Answer {
    let Query(Beside { study }) = beside?;
    let text = aside(move || {
        let (mut game, review) = kept(&state, &key)?.ok_or_else(none)?;
        if study.is_some() {
            let latest = What { study, game: None }.game(&state)?;
            if state.0.reviews.key(&latest) == key {
                game = latest;
                review.annotate(&mut game);
            }
        }
        Ok(game.to_string())
    })
    .await?;
    let name = "attachment; filename=\"tabiya-review.pgn\"";
    let headers =
        [(header::CONTENT_TYPE, "application/x-chess-pgn"), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}
