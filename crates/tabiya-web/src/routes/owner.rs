//! The owner of the server shows who they are.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::AppState;
use crate::client::Client;

/// Where the link of the owner leads: the secret becomes a cookie, and leaves the address.
pub(super) async fn enter(
    State(state): State<AppState>,
    client: Client,
    Path(secret): Path<String>,
    headers: HeaderMap,
) -> Response {
    if !client.is_owner && !state.0.rates.may_try(client) {
        return (StatusCode::TOO_MANY_REQUESTS, "Too many tries: wait a moment.\n").into_response();
    }
    if !state.0.key.is_owner_secret(&secret) {
        let sentence =
            "That is not the link of this server's owner: it is told when the server begins.\n";
        return (StatusCode::FORBIDDEN, sentence).into_response();
    }
    let place = [(header::LOCATION, "/"), (header::CACHE_CONTROL, "no-store")];
    let mut response = (StatusCode::SEE_OTHER, place).into_response();
    // Where nobody else can come, nothing has to be shown.
    if state.0.access.is_reachable()
        && let Some(cookie) = state.0.key.owner_cookie(&headers)
    {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}
