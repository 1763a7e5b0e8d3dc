//! The password that the server may ask for.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::json;

use super::Answer;
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::Id;

/// Whether the password is still to be given.
pub(super) async fn asked(State(state): State<AppState>, headers: HeaderMap) -> Answer {
    Ok(Json(json!({ "asked": !state.is_member(&headers) })).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PasswordJson {
    password: String,
}

/// Gives the password.
pub(super) async fn give(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    password: Result<Json<PasswordJson>, JsonRejection>,
) -> Answer {
    let Json(PasswordJson { password }) = password?;
    if !state.0.access.has_password() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    if !state.0.rates.may_try(client) {
        let sentence = "Too many tries: wait a moment.";
        return Err(ApiError::too_many(sentence));
    }
    let cookie = state.password_cookie(&headers, &password);
    with(cookie.ok_or_else(|| ApiError::forbidden("That is not the password."))?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EnterJson {
    invitation: String,
}

/// Lets somebody who is invited to a game see it without the password.
pub(super) async fn enter(
    State(state): State<AppState>,
    Id(id): Id,
    headers: HeaderMap,
    asked: Result<Json<EnterJson>, JsonRejection>,
) -> Answer {
    let Json(EnterJson { invitation }) = asked?;
    let cookie = state.game_cookie(&headers, id);
    match cookie.filter(|_| state.0.key.is_invitation(id, &invitation)) {
        Some(cookie) => with(cookie),
        None => Err(ApiError::forbidden("That is no invitation to this game.")),
    }
}

fn with(cookie: HeaderValue) -> Answer {
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}
