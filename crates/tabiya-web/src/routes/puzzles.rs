//! Puzzles: the one of the day, an endless stream, and who has solved what. The server is the judge: a page hears the
//! solution when it was found or given up.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value;
use tabiya_api::puzzles::{self, Done, HintJson, MovesJson, Sitting, Unfit};
use tabiya_base::{random_seed, unix_time};
use tabiya_store::PuzzleRecord;
use tabiya_tactics::{Collection, Themed};

use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;

fn none() -> ApiError {
    ApiError::not_found("There are no puzzles here.")
}

fn find(text: &str) -> Result<&'static Themed, ApiError> {
    puzzles::find(text).ok_or_else(|| ApiError::not_found("There is no such puzzle."))
}

impl From<Unfit> for ApiError {
    fn from(unfit: Unfit) -> ApiError {
        match unfit {
            Unfit::Invalid(invalid) => invalid.into(),
            Unfit::Now(refusal) => refusal.into(),
        }
    }
}

/// Days since 1970, by the clock of Greenwich: a day is the same for everybody.
fn today() -> u64 {
    unix_time().as_secs() / (24 * 3600)
}

/// Somebody who solves puzzles, as far as the server knows them: the owner, or a browser with a cookie.
fn person(state: &AppState, client: Client, headers: &HeaderMap) -> Option<String> {
    match client.is_owner {
        true => Some("owner".to_owned()),
        false => state.solver_of(headers),
    }
}

/// The person whose try is kept, and the cookie by which a guest is known from now on.
fn keeps(
    state: &AppState,
    client: Client,
    headers: &HeaderMap,
) -> Result<(String, Option<HeaderValue>), ApiError> {
    if let Some(person) = person(state, client, headers) {
        let cookie = (!client.is_owner).then(|| state.solver_cookie(headers, &person)).flatten();
        return Ok((person, cookie));
    }
    state.0.rates.new_solver(client)?;
    let person = state.new_solver()?;
    let cookie = state.solver_cookie(headers, &person);
    Ok((person, cookie))
}

fn with_cookie(answer: Value, cookie: Option<HeaderValue>) -> Response {
    let mut response = Json(answer).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn solver(state: &AppState, person: Option<String>) -> Result<PuzzleRecord, ApiError> {
    let Some(person) = person else { return Ok(PuzzleRecord::default()) };
    let state = state.clone();
    aside(move || Ok(state.0.store.solver(&person)?)).await
}

/// Tells something to somebody who solves puzzles.
async fn tell(
    state: &AppState,
    client: Client,
    headers: &HeaderMap,
    tell: impl FnOnce(&Sitting<'_>) -> Result<Value, ApiError>,
) -> Answer {
    if Collection::built_in().is_empty() {
        return Err(none());
    }
    let solver = solver(state, person(state, client, headers)).await?;
    let told = tell(&Sitting { solver: &solver, day: today() })?;
    Ok(with_cookie(told, None))
}

/// All there is: themes, the day's puzzle, and how whoever asks stands.
pub(super) async fn overview(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
) -> Answer {
    tell(&state, client, &headers, |sitting| Ok(sitting.overview())).await
}

/// The puzzle of the day.
pub(super) async fn daily(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
) -> Answer {
    tell(&state, client, &headers, |sitting| sitting.daily().ok_or_else(none)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NextQuery {
    theme: Option<String>,
    /// The puzzle that was left, which is not given again.
    after: Option<String>,
}

/// A puzzle near the rating of whoever asks, that they have not seen.
pub(super) async fn next(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    query: Result<Query<NextQuery>, QueryRejection>,
) -> Answer {
    let Query(NextQuery { theme, after }) = query?;
    tell(&state, client, &headers, |sitting| {
        let random = random_seed();
        let none = || ApiError::not_found("There is no puzzle with that theme.");
        sitting.next(theme.as_deref(), after.as_deref(), random)?.ok_or_else(none)
    })
    .await
}

/// One puzzle by its number.
pub(super) async fn one(
    State(state): State<AppState>,
    client: Client,
    Path(puzzle): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let one = find(&puzzle)?;
    tell(&state, client, &headers, |sitting| Ok(sitting.told(one))).await
}

/// What was solved and missed, the latest first.
pub(super) async fn history(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
) -> Answer {
    tell(&state, client, &headers, |sitting| Ok(sitting.history())).await
}

/// Keeps what was done, and tells how whoever did it stands then.
async fn keep(
    state: AppState,
    client: Client,
    headers: HeaderMap,
    one: &'static Themed,
    done: Done,
) -> Answer {
    let Some(event) = done.event else { return Ok(with_cookie(done.told(None), None)) };
    let (person, cookie) = keeps(&state, client, &headers)?;
    aside(move || {
        let number = one.tactic.id().number();
        let store = &state.0.store;
        let earlier = store.solver(&person)?;
        let counted = earlier.tries.iter().any(|one| one.puzzle == number && one.score.is_some());
        let now = store.keep_puzzle(&person, number, one.tactic.rating(), event)?;
        let sitting = Sitting { solver: &store.solver(&person)?, day: today() };
        Ok(with_cookie(done.told(Some((counted, &now, &sitting))), cookie))
    })
    .await
}

/// Tries a move: the answer says whether it is right, and how the defender replies.
pub(super) async fn tries(
    State(state): State<AppState>,
    client: Client,
    Path(puzzle): Path<String>,
    headers: HeaderMap,
    body: Result<Json<MovesJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = body?;
    let one = find(&puzzle)?;
    keep(state, client, headers, one, Done::tried(one, &asked)?).await
}

/// Helps a step further.
pub(super) async fn hint(
    State(state): State<AppState>,
    client: Client,
    Path(puzzle): Path<String>,
    headers: HeaderMap,
    body: Result<Json<HintJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = body?;
    let one = find(&puzzle)?;
    keep(state, client, headers, one, Done::hinted(one, asked)?).await
}

/// Gives up: the whole line.
pub(super) async fn give_up(
    State(state): State<AppState>,
    client: Client,
    Path(puzzle): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let one = find(&puzzle)?;
    keep(state, client, headers, one, Done::given_up(one)).await
}
