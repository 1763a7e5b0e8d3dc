//! What was played in a position, in databases of games.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::json;
use tabiya_db::{DbError, Filter};
use tabiya_review::Opening;

use super::{Answer, aside, must_be_of_this_site};
use crate::AppState;
use crate::error::ApiError;

/// The longest text in a question.
const LONGEST: usize = 200;
/// So many names are proposed.
const NAMES: usize = 12;

/// Which position, and which games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    fen: String,
    player: Option<String>,
    color: Option<String>,
    event: Option<String>,
    /// The lowest rating of both players.
    elo: Option<u16>,
    since: Option<String>,
    until: Option<String>,
    speed: Option<String>,
}

impl Question {
    fn filter(&self) -> Result<Filter, ApiError> {
        let list = |text: &Option<String>| -> Result<Vec<String>, ApiError> {
            match text.as_deref().filter(|text| !text.is_empty()) {
                Some(text) if text.len() > LONGEST => Err(ApiError::invalid("That is too long.")),
                text => Ok(text.map(ToOwned::to_owned).into_iter().collect()),
            }
        };
        let day = |text: &Option<String>| {
            let text = text.as_deref().filter(|text| !text.is_empty());
            text.map(str::parse).transpose().map_err(ApiError::invalid)
        };
        let color = self.color.as_deref().filter(|color| !color.is_empty());
        let color = color.map(str::parse).transpose();
        let speed = list(&self.speed)?.iter().map(|speed| speed.parse()).collect::<Result<_, _>>();
        Ok(Filter {
            player: list(&self.player)?,
            color: color.map_err(|_| ApiError::invalid("The colours are white and black."))?,
            event: list(&self.event)?,
            elo: self.elo.filter(|&elo| elo > 0).map(|elo| elo..=u16::MAX),
            since: day(&self.since)?,
            until: day(&self.until)?,
            speed: speed.map_err(ApiError::invalid)?,
            ..Filter::default()
        })
    }
}

/// The databases there are.
pub(super) async fn list(State(state): State<AppState>) -> Answer {
    let names = state.0.explorer.names();
    Ok(Json(json!({ "databases": names })).into_response())
}

/// What was played in a position.
pub(super) async fn explore(
    State(state): State<AppState>,
    Path(name): Path<String>,
    question: Result<Asked<Question>, QueryRejection>,
    headers: HeaderMap,
) -> Answer {
    must_be_of_this_site(&headers)?;
    let Asked(question) = question?;
    let filter = question.filter()?;
    if question.fen.len() > LONGEST {
        return Err(ApiError::invalid("That is too long for a FEN."));
    }
    let answer = aside(move || {
        let (database, renewing) = state.0.explorer.database(&name)?;
        Ok((database.answer_fen(&question.fen, &filter).map_err(refused)?, renewing))
    });
    let (answer, renewing) = answer.await?;
    let opening = Opening::at_fen(&answer.fen).map(|opening| opening.to_string());
    let told = json!({ "opening": opening, "explored": answer, "renewing": renewing });
    Ok(Json(told).into_response())
}

/// A game as PGN.
pub(super) async fn game(
    State(state): State<AppState>,
    Path((name, number)): Path<(String, u64)>,
) -> Answer {
    let text = aside(move || {
        let (database, _) = state.0.explorer.database(&name)?;
        Ok(database.game(number).map_err(refused)?.pgn())
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/x-chess-pgn")], text).into_response())
}

/// A part of a name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    name: String,
}

/// The players whose names have a part in them.
pub(super) async fn players(
    State(state): State<AppState>,
    Path(name): Path<String>,
    part: Result<Asked<Part>, QueryRejection>,
    headers: HeaderMap,
) -> Answer {
    must_be_of_this_site(&headers)?;
    let Asked(part) = part?;
    if part.name.len() > LONGEST {
        return Err(ApiError::invalid("That is too long for a name."));
    }
    let found =
        aside(move || Ok(state.0.explorer.database(&name)?.0.players(&part.name, NAMES))).await?;
    let players = found.into_iter().map(|(name, games)| json!({ "name": name, "games": games }));
    Ok(Json(json!({ "players": players.collect::<Vec<_>>() })).into_response())
}

fn refused(error: DbError) -> ApiError {
    match error {
        DbError::NoGame { .. } => ApiError::no_game(),
        DbError::Question(why) => ApiError::invalid(why),
        error => ApiError::internal(error),
    }
}
