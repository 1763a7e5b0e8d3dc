use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use serde_json::{Value, json, value::RawValue};
use tabiya_api::new_game::NewGame;
use tabiya_play::{Coord, GameKind, Side};

use super::{Answer, aside, live_game};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::{GameOwner, Id};
use crate::json::{PieceJson, piece};
use crate::persistence::number;
use crate::random;

/// Begins a game. Whoever does is given the tokens of the seats where people sit.
pub(super) async fn create(
    State(state): State<AppState>,
    client: Client,
    request: Result<Json<NewGame>, JsonRejection>,
) -> Answer {
    let Json(new_game) = request?;
    let (setup, open) = new_game.invite(random())?;
    let people =
        Side::BOTH.map(|side| setup.players[side as usize].is_person() && open != Some(side));
    let server = state.clone();
    let (id, view) = aside(move || {
        let game = server.0.begin(client, &setup, open)?;
        Ok((game.id, game.json()))
    })
    .await?;
    let token = |side: Side| people[side as usize].then(|| state.0.key.token(id, side));
    let view = RawValue::from_string(view).map_err(ApiError::internal)?;
    #[derive(serde::Serialize)]
    struct Begun {
        id: u64,
        tokens: Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        invitation: Option<String>,
        view: Box<RawValue>,
    }
    let tokens = json!({ "white": token(Side::White), "black": token(Side::Black) });
    let invitation = open.map(|_| state.0.key.invitation(id));
    let place = [(header::LOCATION, format!("/api/games/{id}"))];
    Ok((StatusCode::CREATED, place, Json(Begun { id, tokens, invitation, view })).into_response())
}

pub(super) async fn view(State(state): State<AppState>, Id(id): Id) -> Answer {
    let game = live_game(&state, id).await?;
    Ok(super::json(aside(move || Ok(game.json())).await?))
}

/// Takes a game away, until it is restored.
pub(super) async fn delete(State(state): State<AppState>, GameOwner(id): GameOwner) -> Answer {
    aside(move || {
        state.0.store.delete(number(id)?)?;
        state.0.clear(id);
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

pub(super) async fn restore(State(state): State<AppState>, GameOwner(id): GameOwner) -> Answer {
    aside(move || {
        state.0.store.restore(number(id)?)?;
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// The game as a file: PGN for chess, the plain board for the bishop-and-king game.
pub(super) async fn record(State(state): State<AppState>, Id(id): Id) -> Answer {
    let (kind, text) = aside(move || {
        let id = number(id)?;
        let kind = state.0.store.load(id)?.summary.kind;
        Ok((kind, state.0.store.export(id)?))
    })
    .await?;
    let (media, ending) = match kind {
        GameKind::Chess => ("application/x-chess-pgn", "pgn"),
        GameKind::Bishops => ("text/plain; charset=utf-8", "txt"),
    };
    let name = format!("attachment; filename=\"tabiya-{id}.{ending}\"");
    let headers = [(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

/// The position as text: a FEN, or a plain board.
pub(super) async fn position(State(state): State<AppState>, Id(id): Id) -> Answer {
    let game = live_game(&state, id).await?;
    let text = aside(move || Ok(game.read(tabiya_play::Session::position_text))).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// What the board showed before the first move and after each.
pub(super) async fn positions(State(state): State<AppState>, Id(id): Id) -> Answer {
    let game = live_game(&state, id).await?;
    let positions = aside(move || Ok(game.past())).await?;
    Ok(Json(json!({ "positions": positions })).into_response())
}

/// What attacks a square, of either side.
pub(super) async fn attackers(
    State(state): State<AppState>,
    Path((id, square)): Path<(String, String)>,
) -> Answer {
    let id = id.parse().map_err(|_| ApiError::no_game())?;
    let place: Coord = square.parse().map_err(ApiError::invalid)?;
    let game = live_game(&state, id).await?;
    let pieces = aside(move || Ok(game.read(|session| session.attackers(place)))).await?;
    let told: Vec<PieceJson> = pieces.iter().map(piece).collect();
    Ok(Json(crate::json::attackers(place, told)).into_response())
}
