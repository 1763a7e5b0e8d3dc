//! Many games: lists, counts, the bin, files in and out.

use std::collections::HashMap;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query as Asked, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_play::{GameKind, Player, Refusal};
use tabiya_store::{Cursor, GameFilter, GameId, GameSort, GameSummary};

use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::persistence::number;

/// The most games in one list.
const MOST: u32 = 500;
/// The most games that go into the bin, come back or are saved together.
const TOGETHER: usize = 1000;
/// So long a request about so many may be, with a token for each.
pub(super) const LONGEST: usize = 160 << 10;

/// What a list is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    #[serde(alias = "player")]
    search: Option<String>,
    result: Option<String>,
    unfinished: Option<bool>,
    game: Option<String>,
    source: Option<String>,
    since: Option<String>,
    until: Option<String>,
    bin: Option<bool>,
    sort: Option<String>,
    order: Option<String>,
    limit: Option<u32>,
    after: Option<String>,
}

impl Wanted {
    fn filter(self) -> Result<GameFilter, ApiError> {
        let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
        let kind = match filled(self.game).as_deref() {
            None => None,
            Some("chess") => Some(GameKind::Chess),
            Some("bishops") => Some(GameKind::Bishops),
            Some(_) => return Err(ApiError::invalid("The games are chess and bishops.")),
        };
        let imported = match filled(self.source).as_deref() {
            None => None,
            Some("mine") => Some(false),
            Some("imported") => Some(true),
            Some(_) => return Err(ApiError::invalid("The sources are mine and imported.")),
        };
        let ascending = match filled(self.order).as_deref() {
            None | Some("descending") => false,
            Some("ascending") => true,
            Some(_) => return Err(ApiError::invalid("The orders are ascending and descending.")),
        };
        let sort = filled(self.sort).map(|sort| sort.parse::<GameSort>()).transpose();
        let after = self.after.map(|after| after.parse::<Cursor>()).transpose();
        Ok(GameFilter {
            search: filled(self.search),
            result: filled(self.result),
            unfinished: self.unfinished.unwrap_or(false),
            kind,
            imported,
            since: filled(self.since).map(|day| day.replace('-', ".")),
            until: filled(self.until).map(|day| day.replace('-', ".")),
            deleted: self.bin.unwrap_or(false),
            sort: sort?.unwrap_or_default(),
            ascending,
            limit: Some(self.limit.unwrap_or(50).min(MOST)),
            after: after?,
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
    let page = aside(move || Ok(state.0.store.page(&filter)?)).await?;
    let games: Vec<Value> = page.games.iter().map(summary).collect();
    let next = page.next.map(|next| next.to_string());
    Ok(Json(json!({ "games": games, "next": next })).into_response())
}

/// How many games a list has.
pub(super) async fn count(
    State(state): State<AppState>,
    wanted: Result<Asked<Wanted>, QueryRejection>,
) -> Answer {
    let Asked(wanted) = wanted?;
    let filter = wanted.filter()?;
    let count = aside(move || Ok(state.0.store.count(&filter)?)).await?;
    let answer =
        json!({ "games": count.games, "more": count.more, "uncatalogued": count.uncatalogued });
    Ok(Json(answer).into_response())
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
        "white_elo": game.elo[0],
        "black_elo": game.elo[1],
        "date": game.date,
        "event": game.event,
        "eco": game.eco,
        "opening": game.opening,
        "plies": game.plies,
        "result": game.result,
        "end": Some(&game.ending).filter(|ending| !ending.is_empty()),
        "source": if game.imported { "imported" } else { "mine" },
        "deleted": game.deleted,
        "when": game.when,
    })
}

/// What shall become of some games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Disposal {
    action: Action,
    games: Vec<u64>,
    /// By the numbers of games: the token of a seat there. The owner of the server needs none.
    #[serde(default)]
    tokens: HashMap<u64, String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Delete,
    Restore,
    Forget,
}

/// Puts games into the bin, takes them out, or away for ever: all of them, or none.
pub(super) async fn dispose(
    State(state): State<AppState>,
    client: Client,
    request: Result<Json<Disposal>, JsonRejection>,
) -> Answer {
    let Json(Disposal { action, games, tokens }) = request?;
    let ids = numbers(&games)?;
    let owns = |&id: &u64| {
        client.is_owner
            || tokens.get(&id).is_some_and(|token| state.0.key.side(id, token).is_some())
    };
    if !games.iter().all(owns) {
        return Err(ApiError::forbidden(
            "Only those who play a game, or the owner of the server, may do that.",
        ));
    }
    aside(move || {
        let store = &state.0.store;
        match action {
            Action::Delete => store.delete_all(&ids)?,
            Action::Restore => store.restore_all(&ids)?,
            Action::Forget => store.empty_bin(&ids)?,
        }
        for &id in &games {
            state.0.clear(id);
        }
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

fn numbers(games: &[u64]) -> Result<Vec<GameId>, ApiError> {
    match games.len() {
        0 => Err(ApiError::invalid("Which games?")),
        count if count > TOGETHER => {
            Err(ApiError::invalid(format!("{TOGETHER} games at a time at most, please.")))
        }
        _ => games.iter().map(|&id| number(id)).collect(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Selection {
    games: Vec<u64>,
}

/// Games of chess as one PGN text, in the order in which they are named.
pub(super) async fn export(
    State(state): State<AppState>,
    request: Result<Json<Selection>, JsonRejection>,
) -> Answer {
    let Json(Selection { games }) = request?;
    let ids = numbers(&games)?;
    let text = aside(move || {
        let mut text = String::new();
        for id in ids {
            if state.0.store.load(id)?.summary.kind == GameKind::Chess {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&state.0.store.export(id)?);
            }
        }
        Ok(text)
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/x-chess-pgn")], text).into_response())
}

/// Imports the games of a PGN text, each that can be read and is not here yet.
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
    let problem = |bad: &tabiya_pgn::BadGame| {
        let text = Refusal::new(&bad.problem).0;
        json!({ "game": bad.number, "line": bad.place.line, "column": bad.place.column, "text": text })
    };
    let problems: Vec<Value> = imported.complaints.iter().map(problem).collect();
    let answer = json!({
        "games": imported.games,
        "known": imported.known,
        "restored": imported.restored,
        "bad": imported.bad,
        "problems": problems,
    });
    Ok(Json(answer).into_response())
}
