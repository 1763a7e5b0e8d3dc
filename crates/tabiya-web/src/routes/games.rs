use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tabiya_play::{Coord, GameKind, Player, Side};
use tabiya_store::{GameFilter, GameSummary};

use super::{Answer, aside, live_game};
use crate::AppState;
use crate::error::ApiError;
use crate::extract::{Client, GameOwner, Id, Local};
use crate::json::{PieceJson, piece};
use crate::new_game::NewGame;
use crate::persistence::number;

/// The most games in one list.
const MOST: u32 = 500;

/// Begins a game. Whoever does is given the tokens of the seats where people sit.
pub(super) async fn create(
    State(state): State<AppState>,
    Client(client): Client,
    Local(local): Local,
    request: Result<Json<NewGame>, JsonRejection>,
) -> Answer {
    let Json(new_game) = request?;
    let (setup, open) = new_game.invite()?;
    let people =
        Side::BOTH.map(|side| setup.players[side as usize].is_person() && open != Some(side));
    let server = state.clone();
    let (id, view) = aside(move || {
        let game = server.0.begin(client, local, &setup, open)?;
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

/// What a list is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    player: Option<String>,
    result: Option<String>,
    unfinished: Option<bool>,
    game: Option<String>,
    since: Option<String>,
    until: Option<String>,
    limit: Option<u32>,
    offset: Option<u32>,
}

impl Wanted {
    fn filter(self) -> Result<GameFilter, ApiError> {
        let kind = match self.game.as_deref() {
            None => None,
            Some("chess") => Some(GameKind::Chess),
            Some("bishops") => Some(GameKind::Bishops),
            Some(_) => return Err(ApiError::invalid("The games are chess and bishops.")),
        };
        let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
        Ok(GameFilter {
            player: filled(self.player),
            result: filled(self.result),
            unfinished: self.unfinished.unwrap_or(false),
            kind,
            since: filled(self.since).map(|day| day.replace('-', ".")),
            until: filled(self.until).map(|day| day.replace('-', ".")),
            limit: Some(self.limit.unwrap_or(50).min(MOST)),
            skip: self.offset.unwrap_or(0),
            ..GameFilter::default()
        })
    }
}

pub(super) async fn list(
    State(state): State<AppState>,
    wanted: Result<Asked<Wanted>, QueryRejection>,
) -> Answer {
    let Asked(wanted) = wanted?;
    let filter = wanted.filter()?;
    let games = aside(move || Ok(state.0.store.list(&filter)?)).await?;
    let games: Vec<Value> = games.iter().map(summary).collect();
    Ok(Json(json!({ "games": games })).into_response())
}

fn summary(game: &GameSummary) -> Value {
    let title = |name: &String| match name.parse::<Player>() {
        Ok(player) if player == Player::HUMAN => "Human".to_owned(),
        Ok(player) => player.title(),
        Err(_) => name.clone(),
    };
    json!({
        "id": game.id.0,
        "kind": crate::json::kind(game.kind),
        "white": title(&game.players[0]),
        "black": title(&game.players[1]),
        "date": game.date,
        "plies": game.plies,
        "result": game.result,
        "end": Some(&game.ending).filter(|ending| !ending.is_empty()),
        "when": game.when,
    })
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

/// Imports the games of a PGN text, each that can be read.
pub(super) async fn import(
    State(state): State<AppState>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("text/plain") || kind.contains("pgn")) {
        let sentence = "Games are imported as text: content-type: text/plain.";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    let imported = aside(move || Ok(state.0.store.import(&body[..])?)).await?;
    let problems = &imported.complaints;
    let answer = json!({ "games": imported.games, "bad": imported.bad, "problems": problems });
    Ok(Json(answer).into_response())
}

/// The position as text: a FEN, or a plain board.
pub(super) async fn position(State(state): State<AppState>, Id(id): Id) -> Answer {
    let game = live_game(&state, id).await?;
    let text = aside(move || Ok(game.read(tabiya_play::Session::position_text))).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// What the board showed after some half-moves.
pub(super) async fn earlier(
    State(state): State<AppState>,
    Path((id, ply)): Path<(String, String)>,
) -> Answer {
    let (Ok(id), Ok(ply)) = (id.parse(), ply.parse()) else { return Err(ApiError::no_game()) };
    let game = live_game(&state, id).await?;
    let view = aside(move || game.earlier(ply).map_err(ApiError::internal));
    let missing = || ApiError::not_found("The game is not that long.");
    Ok(super::json(view.await?.ok_or_else(missing)?))
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
    let named = |piece: &PieceJson| format!("{} {} {}", piece.side, piece.role, piece.at);
    let text = match told.is_empty() {
        true => format!("Nothing attacks {place}."),
        false => {
            let names = told.iter().map(named).collect::<Vec<_>>().join(", ");
            format!("{place} is attacked by {names}.")
        }
    };
    Ok(Json(json!({ "pieces": told, "text": text })).into_response())
}
