//! Puzzles: the one of the day, an endless stream, and who has solved what. The server is the judge: a page hears the
//! solution when it was found or given up.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_store::{PuzzleEvent, PuzzleRecord, PuzzleTry};
use tabiya_tactics::{Attempt, Collection, Scene, Tactic, TacticId, Theme, Themed, attempt};

use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::json::{destinations, piece, side, square};

/// So many puzzles are told of in a history.
const HISTORY: usize = 100;
/// A move that is longer is none.
const LONGEST_MOVE: usize = 16;

fn puzzles() -> Result<&'static Collection, ApiError> {
    let all = Collection::built_in();
    match all.is_empty() {
        false => Ok(all),
        true => Err(ApiError::not_found("There are no puzzles here.")),
    }
}

fn find(text: &str) -> Result<&'static Themed, ApiError> {
    let id: Option<TacticId> = text.parse().ok();
    let found = id.and_then(|id| Collection::built_in().get(id));
    found.ok_or_else(|| ApiError::not_found("There is no such puzzle."))
}

fn since_1970() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Days since 1970, by the clock of Greenwich: a day is the same for everybody.
fn today() -> u64 {
    since_1970().as_secs() / (24 * 3600)
}

/// The date of a day, like 2026-11-16: the calendar counted in eras of 400 years that begin in March.
fn date(day: u64) -> String {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year + 400 * era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
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

pub(super) fn scene(scene: &Scene) -> Value {
    json!({
        "columns": 8,
        "rows": 8,
        "pieces": scene.pieces.iter().map(piece).collect::<Vec<_>>(),
        "destinations": scene.destinations.iter().map(destinations).collect::<Vec<_>>(),
        "last": scene.last.map(|(from, to)| [square(from), square(to)]),
        "check": scene.check.map(square),
        "turn": side(scene.turn),
        "marks": [],
        "position": scene.fen,
        "written": scene.written,
    })
}

/// How a puzzle went, in a word.
fn outcome(one: &PuzzleTry) -> Option<&'static str> {
    one.score.map(|score| match score {
        score if score >= 1.0 => "solved",
        score if score > 0.0 => "hinted",
        _ => "missed",
    })
}

/// On how many days in a row something was solved, up to today, or to yesterday as today is not over.
fn days_in_a_row(solver: &PuzzleRecord, today: u64) -> u64 {
    let solved = solver.tries.iter().filter(|one| one.score.is_some_and(|score| score > 0.0));
    let days: BTreeSet<u64> =
        solved.filter_map(|one| u64::try_from(one.at / 1000 / (24 * 3600)).ok()).collect();
    let last = if days.contains(&today) { today } else { today.saturating_sub(1) };
    (0..=last).rev().take_while(|day| days.contains(day)).count() as u64
}

fn you(solver: &PuzzleRecord) -> Value {
    let counted = || solver.tries.iter().filter_map(|one| one.score);
    json!({
        "rating": solver.rating.value.round(),
        "deviation": solver.rating.deviation.round(),
        "streak": solver.streak,
        "best": solver.best,
        "days": days_in_a_row(solver, today()),
        "tried": counted().count(),
        "solved": counted().filter(|&score| score > 0.0).count(),
    })
}

/// A puzzle as it is given to somebody, without what it is about.
fn told(one: &Themed, solver: &PuzzleRecord, day: Option<u64>) -> Value {
    let tactic = &one.tactic;
    let number = tactic.id().number();
    let before = solver.tries.iter().find(|tried| tried.puzzle == number);
    let scenes = tactic.scenes();
    json!({
        "id": tactic.id().to_string(),
        "date": day.map(date),
        "rating": tactic.rating(),
        "goal": tactic.goal().name(),
        "mate_in": (tactic.goal() == tabiya_tactics::Goal::Mate).then(|| tactic.length()),
        "solver": side(tactic.solver_side()),
        "scenes": scenes.iter().take(2).map(scene).collect::<Vec<_>>(),
        "outcome": before.and_then(outcome),
        "hinted": before.is_some_and(|tried| tried.hinted),
        "you": you(solver),
    })
}

/// What is told of a puzzle when it is over.
fn solution(one: &Themed) -> Value {
    json!({
        "scenes": one.tactic.scenes().iter().map(scene).collect::<Vec<_>>(),
        "themes": themes(one),
        "pgn": one.tactic.pgn(),
    })
}

/// What a puzzle is about.
fn themes(one: &Themed) -> Value {
    let told = |theme: Theme| json!({ "name": theme.name(), "label": theme.label() });
    one.themes.iter().map(told).collect()
}

/// All there is: themes, the day's puzzle, and how whoever asks stands.
pub(super) async fn overview(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
) -> Answer {
    let all = puzzles()?;
    let solver = solver(&state, person(&state, client, &headers)).await?;
    let day = today();
    let daily = all.daily(day).map(|one| told(one, &solver, Some(day)));
    let themes = Theme::ALL.map(
        |theme| json!({ "name": theme.name(), "label": theme.label(), "count": all.count(theme) }),
    );
    let answer =
        json!({ "count": all.len(), "themes": themes, "daily": daily, "you": you(&solver) });
    Ok(with_cookie(answer, None))
}

/// The puzzle of the day.
pub(super) async fn daily(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
) -> Answer {
    let day = today();
    let none = || ApiError::not_found("There are no puzzles here.");
    let one = puzzles()?.daily(day).ok_or_else(none)?;
    let solver = solver(&state, person(&state, client, &headers)).await?;
    Ok(with_cookie(told(one, &solver, Some(day)), None))
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
    let theme: Option<Theme> =
        theme.map(|name| name.parse()).transpose().map_err(ApiError::invalid)?;
    let solver = solver(&state, person(&state, client, &headers)).await?;
    let left = after.and_then(|text| text.parse::<TacticId>().ok());
    let tried = solver.tries.iter().filter_map(|one| TacticId::from_number(one.puzzle));
    let seen: Vec<TacticId> = left.into_iter().chain(tried).collect();
    let random = since_1970().as_nanos() as u64;
    let none = || ApiError::not_found("There is no puzzle with that theme.");
    let one = puzzles()?.next(solver.rating.value, theme, &seen, random).ok_or_else(none)?;
    Ok(with_cookie(told(one, &solver, None), None))
}

/// One puzzle by its number.
pub(super) async fn one(
    State(state): State<AppState>,
    client: Client,
    Path(puzzle): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let one = find(&puzzle)?;
    let solver = solver(&state, person(&state, client, &headers)).await?;
    let day = today();
    let is_daily = Collection::built_in().daily(day).is_some_and(|daily| daily == one);
    Ok(with_cookie(told(one, &solver, is_daily.then_some(day)), None))
}

/// What was solved and missed, the latest first.
pub(super) async fn history(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
) -> Answer {
    let solver = solver(&state, person(&state, client, &headers)).await?;
    let tried = solver.tries.iter().filter(|one| one.score.is_some()).take(HISTORY);
    let tries = tried.filter_map(|tried| {
        Some(json!({
            "id": TacticId::from_number(tried.puzzle)?.to_string(),
            "at": tried.at,
            "outcome": outcome(tried),
            "rating": tried.rating.round(),
            "change": tried.change.round(),
        }))
    });
    let answer = json!({ "tries": tries.collect::<Vec<_>>(), "you": you(&solver) });
    Ok(with_cookie(answer, None))
}

/// The moves of the solver so far, in any notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovesJson {
    #[serde(default)]
    moves: Vec<String>,
}

impl MovesJson {
    fn judged(&self, tactic: &Tactic) -> Result<(Vec<&str>, Attempt), ApiError> {
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        if moves.len() > tactic.length() || moves.iter().any(|text| text.len() > LONGEST_MOVE) {
            return Err(ApiError::invalid("That is more than this puzzle takes."));
        }
        let verdict = attempt(tactic, moves.iter().copied()).map_err(ApiError::conflict)?;
        Ok((moves, verdict))
    }
}

/// Keeps what happened, and tells how whoever asked stands then: what changed is told once.
fn kept(
    state: &AppState,
    person: &str,
    tactic: &Tactic,
    event: PuzzleEvent,
) -> Result<Value, ApiError> {
    let number = tactic.id().number();
    let store = &state.0.store;
    let earlier = store.solver(person)?;
    let counted = earlier.tries.iter().any(|one| one.puzzle == number && one.score.is_some());
    let now = store.keep_puzzle(person, number, tactic.rating(), event)?;
    let result = (!counted).then(|| outcome(&now)).flatten().map(|outcome| {
        json!({ "outcome": outcome, "change": now.change.round(), "rating": now.rating.round() })
    });
    Ok(json!({ "result": result, "outcome": outcome(&now), "you": you(&store.solver(person)?) }))
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
    let (moves, verdict) = asked.judged(&one.tactic)?;
    if moves.is_empty() {
        return Err(ApiError::invalid("A try has a move."));
    }
    let scenes: Vec<Value> = one.tactic.scenes_after(&moves, verdict).iter().map(scene).collect();
    let event = match verdict {
        Attempt::Right { .. } => {
            return Ok(with_cookie(json!({ "verdict": "right", "scenes": scenes }), None));
        }
        Attempt::Wrong => PuzzleEvent::Missed,
        Attempt::Solved => PuzzleEvent::Solved,
    };
    let (person, cookie) = keeps(&state, client, &headers)?;
    aside(move || {
        let mut answer = kept(&state, &person, &one.tactic, event)?;
        let solved = verdict == Attempt::Solved;
        answer["verdict"] = json!(if solved { "solved" } else { "wrong" });
        answer["scenes"] = json!(scenes);
        if solved {
            answer["solution"] = solution(one);
        }
        Ok(with_cookie(answer, cookie))
    })
    .await
}

/// What is told of the next move, one step after the other.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Step {
    /// The part of the board where it ends.
    Where,
    /// The piece that moves.
    Piece,
    /// The move itself: then nothing is left to be found.
    Move,
    /// What the puzzle is about.
    Why,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HintJson {
    #[serde(default)]
    moves: Vec<String>,
    step: Step,
}

/// Helps a step further: the puzzle then counts half, and nothing once the move was told.
pub(super) async fn hint(
    State(state): State<AppState>,
    client: Client,
    Path(puzzle): Path<String>,
    headers: HeaderMap,
    body: Result<Json<HintJson>, JsonRejection>,
) -> Answer {
    let Json(HintJson { moves, step }) = body?;
    let one = find(&puzzle)?;
    let asked = MovesJson { moves };
    let (moves, verdict) = asked.judged(&one.tactic)?;
    let next = one
        .tactic
        .next_move(moves.len())
        .filter(|_| moves.is_empty() || matches!(verdict, Attempt::Right { .. }));
    let (from, to) = next.ok_or_else(|| ApiError::conflict("There is no next move to hint at."))?;
    let (person, cookie) = keeps(&state, client, &headers)?;
    aside(move || {
        let event = if step == Step::Move { PuzzleEvent::Missed } else { PuzzleEvent::Hint };
        let mut answer = kept(&state, &person, &one.tactic, event)?;
        let (name, told) = match step {
            Step::Where => ("files", json!(tabiya_chess_view::square(to).map(tabiya_coach::wing))),
            Step::Piece => ("at", json!(square(from))),
            Step::Move => ("move", json!([square(from), square(to)])),
            Step::Why => ("themes", themes(one)),
        };
        answer[name] = told;
        Ok(with_cookie(answer, cookie))
    })
    .await
}

/// Gives up: the whole line, and the puzzle counts as missed if it was still open.
pub(super) async fn give_up(
    State(state): State<AppState>,
    client: Client,
    Path(puzzle): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let one = find(&puzzle)?;
    let (person, cookie) = keeps(&state, client, &headers)?;
    aside(move || {
        let mut answer = kept(&state, &person, &one.tactic, PuzzleEvent::Missed)?;
        answer["solution"] = solution(one);
        Ok(with_cookie(answer, cookie))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_a_row_end_today_or_yesterday() {
        let solver = |days: &[(i64, f64)]| {
            let one = |&(day, score): &(i64, f64)| PuzzleTry {
                puzzle: 1,
                at: (day * 24 + 23) * 3_600_000,
                hinted: false,
                score: Some(score),
                rating: 1200.0,
                change: 0.0,
            };
            PuzzleRecord { tries: days.iter().map(one).collect(), ..PuzzleRecord::default() }
        };
        for (days, expected) in [
            (vec![], 0),
            (vec![(100, 1.0)], 1),
            (vec![(99, 0.5)], 1),
            (vec![(98, 1.0)], 0),
            (vec![(100, 1.0), (100, 1.0), (99, 1.0), (97, 1.0)], 2),
            (vec![(100, 0.0), (99, 1.0), (98, 1.0)], 2),
            (vec![(99, 1.0), (98, 0.0), (97, 1.0)], 1),
        ] {
            assert_eq!(days_in_a_row(&solver(&days), 100), expected, "{days:?}");
        }
    }

    #[test]
    fn days_have_their_dates() {
        for (day, text) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_773, "2026-11-16"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(day), text, "{day}");
        }
    }
}
