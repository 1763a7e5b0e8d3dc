//! The ladder of endings: the server plays the other side as hard as can be, and says what moves are worth.

use std::collections::HashMap;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_base::{Stop, unix_milliseconds as now};
use tabiya_coach::{Grade, Memory};
use tabiya_drill::{
    Ending, Guide, Help, Judged, ShownMove, Trial, TrialStep, Turn, Verdict, Worth,
};
use tabiya_players::Engines;
use tabiya_store::{CardAnswer, CardKind, NewCard};
use tabiya_tactics::Scene;
use tabiya_thinker::{ThinkError, ThinkErrorKind};

use super::bishops::{may_think, ponder};
use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use tabiya_api::puzzles::scene;

/// No ending takes more half-moves.
const MOST_MOVES: usize = 300;
/// A move that is longer is none.
const LONGEST_MOVE: usize = 16;
/// The longest name of an answer, and the longest list of cards.
const LONGEST_NAME: usize = 64;
const MOST_CARDS: u32 = 10_000;
/// Among those who think for games, endings have one place.
const TURN: u64 = u64::MAX - 1;
/// Up to so many men tables are made when somebody practises.
const MEN_MADE: usize = 4;

fn find(id: &str) -> Result<&'static Ending, ApiError> {
    tabiya_drill::find(id).ok_or_else(|| ApiError::not_found("There is no such ending."))
}

/// How an ending stands with whoever learns.
fn standing(memory: Option<&Memory>, now: i64) -> (&'static str, Option<i64>) {
    match memory {
        None => ("new", None),
        Some(memory) if memory.due <= now => ("due", Some(memory.due)),
        Some(memory) if memory.step.is_none() => ("done", Some(memory.due)),
        Some(memory) => ("begun", Some(memory.due)),
    }
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

fn told(state: &AppState, ending: &Ending, memory: Option<&Memory>, now: i64) -> Value {
    let material = ending.material();
    let has_table = material.is_some_and(|material| state.0.tables.has(material));
    let (standing, due) = standing(memory, now);
    json!({
        "id": ending.id,
        "task": ending.task.name(),
        "solver": ending.solver().name().to_lowercase(),
        "men": ending.men(),
        "material": material.map(|material| material.to_string()),
        "known": if has_table { "tables" } else { "engine" },
        "standing": standing,
        "due": due,
    })
}

/// All steps, with what is done of them, what comes next, and how far the tables are.
pub(super) async fn ladder(State(state): State<AppState>, client: Client) -> Answer {
    aside(move || {
        let known = match client.is_owner {
            true => memories(&state)?,
            false => HashMap::new(),
        };
        let now = now();
        let rungs = tabiya_drill::ladder().iter().map(|rung| {
            let endings = rung.endings.iter();
            let endings = endings.map(|ending| told(&state, ending, known.get(ending.id), now));
            json!({
                "name": rung.name,
                "title": rung.title,
                "idea": rung.idea,
                "endings": endings.collect::<Vec<_>>(),
            })
        });
        let all = || tabiya_drill::ladder().iter().flat_map(|rung| rung.endings);
        let due = all().filter_map(|ending| Some((known.get(ending.id)?.due, ending.id)));
        let due: Vec<(i64, &str)> = due.filter(|&(due, _)| due <= now).collect();
        let fresh = || all().map(|ending| ending.id).find(|&id| !known.contains_key(id));
        let next = due.iter().min().map(|&(_, id)| id).or_else(fresh);
        let answer = json!({
            "rungs": rungs.collect::<Vec<_>>(),
            "next": next,
            "due": due.len(),
            "tables": making(&state),
            "keeps": client.is_owner,
        });
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
        let mut answer = told(&state, ending, memory.as_ref(), now());
        answer["scene"] = scene(&Scene::new(&ending.position(), None));
        let known = tabiya_drill::known(&state.0.tables.tables(), &ending.position());
        let best = known.and_then(|all| all.first().map(|&(_, verdict)| verdict));
        answer["verdict"] = best.as_ref().map_or(Value::Null, verdict);
        Ok(Json(answer).into_response())
    })
    .await
}

fn verdict(verdict: &Verdict) -> Value {
    let worth = match verdict.worth {
        Worth::Wins => "wins",
        Worth::Draws => "draws",
        Worth::Loses => "loses",
    };
    json!({ "worth": worth, "mate": verdict.mate, "sure": verdict.is_sure, "text": verdict.to_string() })
}

/// A move as it is shown.
pub(super) fn shown(m: &ShownMove) -> Value {
    json!({ "san": m.san, "uci": m.uci, "squares": m.squares })
}

fn judged((m, worth): &(ShownMove, Verdict)) -> Value {
    json!({ "move": shown(m), "verdict": verdict(worth) })
}

fn turn(turn: &Turn) -> Value {
    json!({
        "move": shown(&turn.played),
        "verdict": verdict(&turn.verdict),
        "gives_away": turn.gives_away,
        "best": turn.best.as_ref().map(judged),
    })
}

fn scenes(trial: &Trial, skip: usize) -> Vec<Value> {
    trial.scenes(skip).iter().map(scene).collect()
}

fn replay(ending: &'static Ending, moves: &[String]) -> Result<Trial, ApiError> {
    if moves.len() > MOST_MOVES || moves.iter().any(|text| text.len() > LONGEST_MOVE) {
        return Err(ApiError::invalid("That is more than an ending takes."));
    }
    Trial::after(ending, moves).map_err(ApiError::conflict)
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

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum HelpJson {
    Moves,
    Result,
    Nothing,
}

impl From<HelpJson> for Help {
    fn from(help: HelpJson) -> Help {
        match help {
            HelpJson::Moves => Help::Moves,
            HelpJson::Result => Help::Result,
            HelpJson::Nothing => Help::Nothing,
        }
    }
}

/// A move of the solver, after the moves of both sides so far.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepJson {
    #[serde(default)]
    moves: Vec<String>,
    #[serde(rename = "move")]
    played: String,
    help: HelpJson,
    /// The number of the move that gave the result away earlier.
    given_away: Option<usize>,
}

/// Plays a move: the answer says what it is worth, and has the move of the other side.
pub(super) async fn step(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<StepJson>, JsonRejection>,
) -> Answer {
    let Json(StepJson { moves, played, help, given_away }) = body?;
    let ending = find(&id)?;
    let mut trial = replay(ending, &moves)?;
    if played.len() > LONGEST_MOVE {
        return Err(ApiError::invalid("That is too long for a move."));
    }
    let asked = trial.clone();
    let (trial, step) = guided(&state, client, &asked, move |guide| {
        let step = trial.step(&played, guide, help.into(), given_away)?;
        Ok((trial, step))
    })
    .await?;
    let TrialStep { turn: one, reply, end } = step.map_err(ApiError::conflict)?;
    let answer = json!({
        "turn": turn(&one),
        "reply": reply.as_ref().map(shown),
        "moves": trial.moves(),
        "scenes": scenes(&trial, asked.moves().len()),
        "end": end.map(|end| json!({ "done": end.is_done(), "text": end.sentence() })),
    });
    Ok(Json(answer).into_response())
}

/// The moves of both sides so far.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovesJson {
    #[serde(default)]
    moves: Vec<String>,
}

/// What all moves are worth, where tables know it, and the best one.
pub(super) async fn hint(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<MovesJson>, JsonRejection>,
) -> Answer {
    let Json(MovesJson { moves }) = body?;
    let trial = replay(find(&id)?, &moves)?;
    let asked = trial.clone();
    let Judged { moves, best } =
        guided(&state, client, &asked, move |guide| trial.hint(guide)).await?;
    let answer = json!({
        "best": best.as_ref().map(judged),
        "moves": moves.iter().map(judged).collect::<Vec<_>>(),
    });
    Ok(Json(answer).into_response())
}

/// The shortest way from here, both sides at their best.
pub(super) async fn way(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<MovesJson>, JsonRejection>,
) -> Answer {
    let Json(MovesJson { moves }) = body?;
    let trial = replay(find(&id)?, &moves)?;
    let asked = trial.clone();
    let way = guided(&state, client, &asked, move |guide| trial.way(guide)).await?;
    Ok(Json(json!({ "scenes": scenes(&way, moves.len()) })).into_response())
}

/// How an ending went.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DoneJson {
    #[serde(default)]
    moves: Vec<String>,
    /// Whether the result was given away on the way.
    #[serde(default)]
    given_away: bool,
    /// Whether a hint or a move taken back helped.
    #[serde(default)]
    helped: bool,
    /// How well it was known, if whoever learns says so.
    grade: Option<String>,
    /// By what the answer is known, so that it counts once.
    name: String,
}

/// Keeps how it went, and tells when the ending comes back.
pub(super) async fn done(
    State(state): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    body: Result<Json<DoneJson>, JsonRejection>,
) -> Answer {
    let Json(DoneJson { moves, given_away, helped, grade, name }) = body?;
    let ending = find(&id)?;
    let trial = replay(ending, &moves)?;
    if name.is_empty() || name.len() > LONGEST_NAME {
        return Err(ApiError::invalid("An answer has a name of 64 letters at most."));
    }
    let chosen: Option<Grade> =
        grade.map(|grade| grade.parse()).transpose().map_err(ApiError::invalid)?;
    if !given_away {
        let asked = trial.clone();
        let end = guided(&state, client, &asked, move |guide| trial.end(guide, false)).await?;
        if !end.is_some_and(tabiya_drill::End::is_done) {
            return Err(ApiError::conflict("This ending is not over yet."));
        }
    }
    let grade = chosen.unwrap_or(tabiya_drill::grade(given_away, helped));
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
        let mut answer = told(&state, ending, card.memory.as_ref(), now());
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
