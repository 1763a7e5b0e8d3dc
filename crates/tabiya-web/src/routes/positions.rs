use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::response::IntoResponse as _;
use tabiya_api::positions::{LineJson, SketchJson};

use super::Answer;

/// Says whether a position is possible, and if not, what is wrong with it.
pub(super) async fn check(sketch: Result<Json<SketchJson>, JsonRejection>) -> Answer {
    let Json(sketch) = sketch?;
    Ok(Json(sketch.check()?).into_response())
}

/// What the board shows after some moves.
pub(super) async fn line(line: Result<Json<LineJson>, JsonRejection>) -> Answer {
    let Json(line) = line?;
    Ok(Json(line.show()?).into_response())
}
