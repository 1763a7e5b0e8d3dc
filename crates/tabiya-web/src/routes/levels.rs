//! The levels that have names.

use axum::Json;
use axum::response::IntoResponse as _;
use serde_json::json;
use tabiya_play::{BISHOP_LEVELS, NamedLevel};

use super::Answer;

pub(super) async fn levels() -> Answer {
    let chess = NamedLevel::ALL.map(|named| {
        let elo = named.level.map(|level| level.elo());
        json!({ "elo": elo, "name": named.name, "words": named.words })
    });
    Ok(Json(json!({ "chess": chess, "bishops": BISHOP_LEVELS })).into_response())
}
