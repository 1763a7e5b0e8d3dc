//! The ladder of endings: the server plays the other side as hard as can be, and says what moves are worth.

use std::collections::HashMap;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_api::endings::{self, DoneJson, EndingMovesJson, EndingStepJson};
use tabiya_base::{Stop, unix_milliseconds as now};
use tabiya_coach::Memory;
use tabiya_drill::{Ending, Guide, Trial};
use tabiya_players::Engines;
use tabiya_store::{CardAnswer, CardKind, NewCard};
use tabiya_thinker::{ThinkError, ThinkErrorKind};

use super::bishops::{may_think, ponder};
use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;

/// The longest list of cards.
const MOST_CARDS: u32 = 10_000;
/// Among those who think for games, endings have one place.
const TURN: u64 = u64::MAX - 1;
/// Up to so many men tables are made when somebody practises.
const MEN_MADE: usize = 4;

fn find(id: &str) -> Result<&'static Ending, ApiError> {
    tabiya_drill::find(id).ok_or_else(|| ApiError::not_found("There is no such ending."))
}

/// What is known of how the endings sit, by their names. May wait for a disk.
fn memories(state: &AppState) -> Result<HashMap<String, Memory>, ApiError> {
    let cards = state.0.store.list_cards(CardKind::Ending, None, MOST_CARDS)?;
    let known = cards.into_iter().filter_map(|card| Some((card.content.key, card.memory?)));
    Ok(known.collect())
}

fn making(state: &AppState) -> Value {
    let making = state.0.tables.making();
    let now = making
        .now
        .map(|now| json!({ "ending": now.material.to_string(), "done": now.slices, "of": now.of }));
    json!({
        "running": making.is_running,
        "done": making.done,
        "of": making.of,
        "now": now,
        "failed": making.failed,
    })
}

/// All steps, with what is done of them, what comes next, and how far the tables are.
pub(super) async fn ladder(State(state): State<AppState>, client: Client) -> Answer {
    aside(move || {
        let known = match client.is_owner {
            true => memories(&state)?,
            false => HashMap::new(),
        };
        let (tables, making) = (state.0.tables.tables(), making(&state));
        let answer = endings::ladder(|id| known.get(id), &tables, now(), &making, client.is_owner);
        Ok(Json(answer).into_response())
    })
    .await
}

/// One ending, as it begins.
pub(super) async fn one(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
) -> Answer {
    let ending = find(&id)?;
    aside(move || {
        let card = match client.is_owner {
            true => state.0.store.find_card(CardKind::Ending, ending.id)?,
            false => None,
        };
        let memory = card.and_then(|card| card.memory);
        let answer = endings::begun(ending, memory.as_ref(), &state.0.tables.tables(), now());
        Ok(Json(answer).into_response())
    })
    .await
}

/// A trial that can go on.
fn legal(trial: Result<Result<Trial, String>, Invalid>) -> Result<Trial, ApiError> {
    trial.map_err(ApiError::invalid)?.map_err(ApiError::conflict)
}

/// Does something with whoever knows what moves are worth: at once where tables know it, else when those who think have
/// a place.
async fn guided<T: Send + 'static>(
    state: &AppState,
    client: Client,
    trial: &Trial,
    work: impl FnOnce(&mut Guide<'_>) -> Result<T, ThinkError> + Send + 'static,
) -> Result<T, ApiError> {
    let tables = state.0.tables.tables();
    let is_known = trial.is_known(&tables);
    let engines = std::sync::Arc::clone(&state.0.engines);
    let run = move || {
        let none = || ThinkError::new(ThinkErrorKind::Other, "there is no engine");
        let mut thinker = engines.thinker(Engines::OURS).ok_or_else(none)?;
        work(&mut Guide { tables: &tables, thinker: &mut thinker, stop: Stop::default() })
    };
    let done = match is_known {
        true => aside(move || Ok(run())).await?,
        false => {
            may_think(state, client)?;
            ponder(state, TURN, run).await?
        }
    };
    done.map_err(ApiError::internal)
}

/// Plays a move: the answer says what it is worth, and has the move of the other side.
pub(super) async fn step(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<EndingStepJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = body?;
    let before = legal(asked.trial(find(&id)?))?;
    let mut trial = before.clone();
    let (trial, step) = guided(&state, client, &before, move |guide| {
        let step = trial.step(&asked.played, guide, asked.help.into(), asked.given_away)?;
        Ok((trial, step))
    })
    .await?;
    let step = step.map_err(ApiError::conflict)?;
    Ok(Json(endings::stepped(&step, &trial, &before)).into_response())
}

/// What all moves are worth, where tables know it, and the best one.
pub(super) async fn hint(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<EndingMovesJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = body?;
    let trial = legal(asked.trial(find(&id)?))?;
    let at = trial.clone();
    let known = guided(&state, client, &at, move |guide| trial.hint(guide)).await?;
    Ok(Json(endings::hint(&known)).into_response())
}

/// The shortest way from here, both sides at their best.
pub(super) async fn way(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<EndingMovesJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = body?;
    let trial = legal(asked.trial(find(&id)?))?;
    let at = trial.clone();
    let way = guided(&state, client, &at, move |guide| trial.way(guide)).await?;
    let scenes = endings::scenes(&way, at.moves().len());
    Ok(Json(json!({ "scenes": scenes })).into_response())
}

/// Keeps how it went, and tells when the ending comes back.
pub(super) async fn done(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<DoneJson>, JsonRejection>,
) -> Answer {
    let Json(asked) = body?;
    let ending = find(&id)?;
    let trial = legal(asked.trial(ending))?;
    let grade = asked.grade().map_err(ApiError::invalid)?;
    let DoneJson { given_away, helped, name, .. } = asked;
    if !given_away {
        let at = trial.clone();
        let end = guided(&state, client, &at, move |guide| trial.end(guide, false)).await?;
        if !end.is_some_and(tabiya_drill::End::is_done) {
            return Err(ApiError::conflict("This ending is not over yet."));
        }
    }
    aside(move || {
        let store = &state.0.store;
        let card = NewCard {
            kind: CardKind::Ending,
            key: ending.id.to_owned(),
            tags: ending.rung().map(|rung| rung.name.to_owned()).into_iter().collect(),
            payload: ending.card(),
        };
        store.add_cards(vec![card])?;
        let card = store.find_card(CardKind::Ending, ending.id)?;
        let card = card.ok_or_else(|| ApiError::internal("a card is not there"))?;
        let how = if helped { "helped" } else { "" }.to_owned();
        let card = store.answer_card(card.id, CardAnswer { name, grade, at: now(), how })?;
        let tables = state.0.tables.tables();
        let mut answer = endings::ending(ending, card.memory.as_ref(), &tables, now());
        answer["grade"] = json!(grade.name());
        Ok(Json(answer).into_response())
    })
    .await
}

/// How far the tables are.
pub(super) async fn tables(State(state): State<AppState>) -> Answer {
    Ok(Json(making(&state)).into_response())
}

/// Which tables are wanted first; all of the ladder follow.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WantedJson {
    ending: Option<String>,
}

/// Has the tables of four men that the ladder needs made, those of one ending first.
pub(super) async fn make_tables(
    State(state): State<AppState>,
    body: Result<Json<WantedJson>, JsonRejection>,
) -> Answer {
    let Json(WantedJson { ending }) = body?;
    let first = ending.map(|id| find(&id)).transpose()?;
    aside(move || {
        let all = tabiya_drill::ladder().iter().flat_map(|rung| rung.endings);
        let wanted = first.into_iter().chain(all).filter_map(Ending::material);
        state.0.tables.make(wanted.filter(|material| material.men() <= MEN_MADE));
        Ok((StatusCode::ACCEPTED, Json(making(&state))).into_response())
    })
    .await
}
