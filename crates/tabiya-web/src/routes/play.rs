use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::IntoResponse as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tabiya_api::asked::{self, MoveJson, REQUESTS};

use super::{Answer, aside, live_game};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::SeatOwner;

/// What happened, and what there is to show now.
#[derive(Serialize)]
struct Done {
    said: String,
    view: Box<RawValue>,
}

fn done(view: String, said: String) -> Answer {
    let view = RawValue::from_string(view);
    let view = view.map_err(ApiError::internal)?;
    Ok(Json(Done { said, view }).into_response())
}

/// Plays a move. The answer comes when the move is kept.
pub(super) async fn play(
    State(state): State<AppState>,
    SeatOwner { id, side }: SeatOwner,
    request: Result<Json<MoveJson>, JsonRejection>,
) -> Answer {
    let Json(request) = request?;
    let (ply, input) = (request.ply, request.input()?);
    let game = live_game(&state, id).await?;
    aside(move || {
        let (said, shown) = game.play(side, ply, &input)?;
        done(shown.json.clone(), said)
    })
    .await
}

/// What a player asks for besides moving.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestJson {
    request: String,
    /// Which position is to be evaluated, by the number of half-moves; the last if missing.
    ply: Option<usize>,
}

/// What needs the server as well.
const REMATCH: &str = "rematch";
const DECLINE_REMATCH: &str = "decline-rematch";

pub(super) async fn request(
    State(state): State<AppState>,
    client: Client,
    SeatOwner { id, side }: SeatOwner,
    request: Result<Json<RequestJson>, JsonRejection>,
) -> Answer {
    let Json(RequestJson { request: name, ply }) = request?;
    let known = asked::request(&name, ply)?;
    if known.is_none() && ![REMATCH, DECLINE_REMATCH].contains(&name.as_str()) {
        let names = REQUESTS.map(|(name, _)| name).join(", ");
        return Err(ApiError::invalid(format!(
            "Requests are: {names}, {REMATCH}, {DECLINE_REMATCH}."
        )));
    }
    let game = live_game(&state, id).await?;
    aside(move || {
        let said = match known {
            Some(request) => game.request(side, &request)?,
            None if name == DECLINE_REMATCH => {
                game.decline_rematch()?;
                String::new()
            }
            None => match game.offer_rematch(side)? {
                true => {
                    state.0.play_on(client, &game)?;
                    "Another game!".to_owned()
                }
                false => "You would like to play again.".to_owned(),
            },
        };
        done(game.json(), said)
    })
    .await
}
