use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::json;
use tabiya_base::Stop;
use tabiya_play::{MateVerdict, compose_bishops};
use tokio::sync::oneshot;

use super::{Answer, aside, live_game, must_be_of_this_site};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::Id;

/// What a new position should have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecipeJson {
    size: u8,
    white_bishops: usize,
    black_bishops: usize,
    mate: Option<u32>,
    #[serde(default)]
    seed: u64,
}

/// Has the pool work something out when the turn of this asker comes.
pub(super) async fn ponder<T: Send + 'static>(
    state: &AppState,
    turn: u64,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let (sender, answer) = oneshot::channel();
    // The asker may have gone.
    state.0.pool.submit(turn, Box::new(move || drop(sender.send(work()))));
    answer.await.map_err(|_| ApiError::internal("a thought was lost"))
}

/// The machine belongs to those who sit at it; others may ask now and then.
pub(super) fn may_think(state: &AppState, client: Client) -> Result<(), ApiError> {
    match client.is_owner || state.0.rates.may_think(client) {
        true => Ok(()),
        false => Err(ApiError::too_many("That is much to think about: wait a moment.")),
    }
}

/// Dropped, it gives the signal: whoever leaves ends what was begun for them.
struct StopWhenGone(Stop);

impl Drop for StopWhenGone {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Makes a position for the bishop-and-king game. Whoever leaves ends the work.
pub(super) async fn compose(
    State(state): State<AppState>,
    client: Client,
    recipe: Result<Json<RecipeJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = recipe?;
    may_think(&state, client)?;
    let RecipeJson { size, white_bishops, black_bishops, mate, seed } = asked;
    let stop = Stop::default();
    let _asker = StopWhenGone(stop.clone());
    let compose = move || compose_bishops(size, white_bishops, black_bishops, mate, seed, &stop);
    let board = ponder(&state, 0, compose).await?.map_err(ApiError::invalid)?;
    Ok(Json(json!({ "position": board })).into_response())
}

/// How far the solver looks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Depth {
    moves: Option<u32>,
}

/// What the solver proves about a game of bishops: does the side to move mate, and how? Whoever leaves ends the search.
pub(super) async fn verdict(
    State(state): State<AppState>,
    Id(id): Id,
    client: Client,
    headers: HeaderMap,
    depth: Result<Query<Depth>, QueryRejection>,
) -> Answer {
    must_be_of_this_site(&headers)?;
    let Query(Depth { moves }) = depth?;
    may_think(&state, client)?;
    let game = live_game(&state, id).await?;
    let search = aside(move || Ok(game.read(|session| session.mate_search(moves.unwrap_or(3)))));
    let search = search.await?.map_err(ApiError::invalid)?;
    let stop = Stop::default();
    let _asker = StopWhenGone(stop.clone());
    let verdict = ponder(&state, id, move || search.run(&stop)).await?;
    let MateVerdict { mate, first, line, text } = verdict;
    let answer = match mate {
        Some(_) => json!({ "mate": mate, "first": first, "line": line, "text": text }),
        None => json!({ "mate": null, "text": text }),
    };
    Ok(Json(answer).into_response())
}
