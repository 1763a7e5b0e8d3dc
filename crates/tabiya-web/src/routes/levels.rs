//! The levels that have names.

use axum::Json;
use axum::response::IntoResponse as _;

use super::Answer;

pub(super) async fn levels() -> Answer {
    Ok(Json(tabiya_api::levels()).into_response())
}
