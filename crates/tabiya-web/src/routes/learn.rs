//! Learning from one's own games: what is due, answers, progress. All of it is the owner's.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_api::exercises::exercise;
use tabiya_coach::{Grade, Memory, Scheduler, Topic};
use tabiya_learn::{Lesson, Progress, csv};
use tabiya_store::{
    Card, CardAnswer, CardDay, CardFilter, CardId, CardKind, CardReport, Learner, StoreError,
};

use super::{Answer, aside};
use crate::AppState;
use crate::error::ApiError;
use crate::json::side;

/// So many answers are sent together at most.
const ANSWERS: usize = 500;
/// So long they may be, in bytes.
pub(super) const LONGEST_ANSWERS: usize = 256 << 10;
/// A name of an answer, and how it went, in characters.
const LONGEST: usize = 80;
/// So many names of one person, and how long each may be.
const NAMES: (usize, usize) = (20, 80);
/// So many cards are told of at once.
const QUEUE: u32 = 200;
/// So many names are offered.
const OFFERED: u32 = 8;
/// So many days are told of back and ahead.
const DAYS: (usize, usize) = (60, 14);
/// The most cards in one file.
const MOST: u32 = 100_000;

/// How learning goes: who learns, what is looked through, what is due.
pub(super) async fn overview(State(state): State<AppState>) -> Answer {
    aside(move || Ok(Json(told(&state)?).into_response())).await
}

fn told(state: &AppState) -> Result<Value, ApiError> {
    let store = &state.0.store;
    let learner = store.learner()?;
    let now = CardFilter { kind: Some(CardKind::Exercise), limit: 0, ..CardFilter::default() };
    let queue = store.due_cards(&now)?;
    let report = store.card_report(Some(CardKind::Exercise), now.now)?;
    let (_, left) = store.games_to_learn(0)?;
    let names = store.names_in_games(OFFERED)?;
    let at = state.0.learning.at().map(|at| {
        let title = |kept: &String| {
            let player: Option<tabiya_play::Player> = kept.parse().ok();
            player.map_or_else(|| kept.clone(), |player| player.title())
        };
        let game = store.load(at.game).ok().map(|game| game.summary.players.each_ref().map(title));
        json!({ "game": at.game.0, "players": game, "done": at.done, "of": at.of })
    });
    Ok(json!({
        "names": learner.names,
        "goes_on": learner.goes_on,
        "offered": names.iter().map(|one| json!({ "name": one.name, "games": one.games })).collect::<Vec<_>>(),
        "left": left,
        "learned": store.learned_games()?.len(),
        "at": at,
        "due": queue.due,
        "new": queue.new,
        "next": queue.next,
        "report": report_json(&report),
    }))
}

fn report_json(report: &CardReport) -> Value {
    let day = |one: &CardDay| json!({ "day": one.day, "cards": one.cards, "missed": one.missed });
    let before = report.days.len().saturating_sub(DAYS.0);
    let topics = report.tags.iter().filter_map(|one| {
        let topic: Topic = one.tag.parse().ok()?;
        let (name, label) = (topic.name(), topic.label());
        let (cards, answers, missed) = (one.cards, one.answers, one.missed);
        Some(json!({ "name": name, "label": label, "cards": cards, "answers": answers, "missed": missed }))
    });
    json!({
        "cards": report.cards,
        "unseen": report.unseen,
        "streak": report.streak,
        "best": report.best,
        "days": report.days.iter().skip(before).map(day).collect::<Vec<_>>(),
        "forecast": report.forecast.iter().take(DAYS.1).map(day).collect::<Vec<_>>(),
        "topics": topics.collect::<Vec<_>>(),
    })
}

/// Who learns, and whether their games are looked through; what is missing stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LearnerJson {
    names: Option<Vec<String>>,
    goes_on: Option<bool>,
}

/// Says whose games are learned from, begins to look them through, or stops.
pub(super) async fn set(
    State(state): State<AppState>,
    body: Result<Json<LearnerJson>, JsonRejection>,
) -> Answer {
    let Json(LearnerJson { names, goes_on }) = body?;
    let names = names.map(|names| -> Vec<String> {
        let tidy = names.iter().map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
        tidy.filter(|name| !name.is_empty()).collect()
    });
    let (most, longest) = NAMES;
    let is_bad = |names: &Vec<String>| {
        names.len() > most || names.iter().any(|name| name.chars().count() > longest)
    };
    if names.as_ref().is_some_and(is_bad) {
        return Err(ApiError::invalid("That is more than a person is called."));
    }
    aside(move || {
        let before = state.0.store.learner()?;
        let learner = Learner {
            names: names.unwrap_or(before.names),
            goes_on: goes_on.unwrap_or(before.goes_on),
        };
        state.0.learning.set(&learner)?;
        Ok(Json(told(&state)?).into_response())
    })
    .await
}

/// Which cards are wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QueueQuery {
    kind: Option<String>,
    tag: Option<String>,
    limit: Option<u32>,
    new: Option<u32>,
}

/// What is to be learned now, with all that a page needs while there is no server.
pub(super) async fn queue(
    State(state): State<AppState>,
    wanted: Result<Query<QueueQuery>, QueryRejection>,
) -> Answer {
    let Query(wanted) = wanted?;
    let kind = wanted.kind.as_deref().map(str::parse).transpose().map_err(ApiError::invalid)?;
    let usual = CardFilter::default();
    let filter = CardFilter {
        kind,
        tag: wanted.tag,
        limit: wanted.limit.unwrap_or(usual.limit).min(QUEUE),
        new_a_day: wanted.new.unwrap_or(usual.new_a_day).min(QUEUE),
        ..usual
    };
    aside(move || {
        let queue = state.0.store.due_cards(&filter)?;
        let cards: Vec<Value> =
            queue.cards.iter().map(|card| card_json(card, filter.now)).collect();
        let told = json!({
            "cards": cards, "due": queue.due, "new": queue.new, "next": queue.next, "now": filter.now,
        });
        Ok(([(header::CACHE_CONTROL, "no-store")], Json(told)).into_response())
    })
    .await
}

/// A card; an exercise with all there is to show.
fn card_json(card: &Card, now: i64) -> Value {
    let exercise = match card.content.kind {
        CardKind::Exercise => Lesson::read(&card.content.payload).ok(),
        CardKind::Ending | CardKind::Opening => None,
    };
    let payload = exercise.is_none().then(|| card.content.payload.clone());
    json!({
        "id": card.id.0,
        "kind": card.content.kind.name(),
        "key": card.content.key,
        "tags": card.content.tags,
        "payload": payload,
        "is_new": card.memory.is_none(),
        "due": card.memory.map(|memory| memory.due),
        "waits": waits(card.memory.as_ref(), now),
        "exercise": exercise.as_ref().map(exercise_json),
    })
}

/// After how many milliseconds a card comes back, by the answer.
fn waits(memory: Option<&Memory>, now: i64) -> Value {
    let scheduler = Scheduler::default();
    let wait = |grade: Grade| {
        (grade.name().to_owned(), json!(scheduler.answer(memory, grade, now).due - now))
    };
    Value::Object(Grade::ALL.into_iter().map(wait).collect())
}

fn exercise_json(lesson: &Lesson) -> Value {
    let mut told = exercise(&lesson.exercise);
    told["players"] = json!(lesson.players);
    told["opponent"] = json!(lesson.opponent());
    told["game"] = json!(lesson.game.0);
    told["ply"] = json!(lesson.ply);
    told["day"] = json!(lesson.day);
    told["last"] = json!(lesson.last);
    told["worth"] = json!(lesson.worth);
    told
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswersJson {
    answers: Vec<AnswerJson>,
}

/// How a card was answered, perhaps some time ago.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerJson {
    card: i64,
    name: String,
    grade: String,
    at: i64,
    #[serde(default)]
    how: String,
}

/// Keeps answers: all that can be kept. The same answer may come again, and counts once.
pub(super) async fn answers(
    State(state): State<AppState>,
    body: Result<Json<AnswersJson>, JsonRejection>,
) -> Answer {
    let Json(AnswersJson { answers }) = body?;
    if answers.len() > ANSWERS {
        return Err(ApiError::invalid(format!("Send {ANSWERS} answers at a time, not more.")));
    }
    let read = |one: AnswerJson| {
        let is_short = |text: &str| text.chars().count() <= LONGEST;
        if one.name.is_empty() || !is_short(&one.name) || !is_short(&one.how) {
            return Err(ApiError::invalid(format!(
                "An answer has a name of 1 to {LONGEST} characters."
            )));
        }
        let grade: Grade = one.grade.parse().map_err(ApiError::invalid)?;
        let answer = CardAnswer { name: one.name, grade, at: one.at, how: one.how };
        Ok((CardId(one.card), answer))
    };
    let read: Vec<(CardId, CardAnswer)> =
        answers.into_iter().map(read).collect::<Result<_, _>>()?;
    aside(move || {
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for (card, answer) in read {
            match state.0.store.answer_card(card, answer) {
                Ok(card) => kept
                    .push(json!({ "id": card.id.0, "due": card.memory.map(|memory| memory.due) })),
                Err(StoreError::NoCard(card)) => gone.push(card.0),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Json(json!({ "kept": kept, "gone": gone })).into_response())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AsideJson {
    aside: bool,
}

/// Puts a card aside, or has it back.
pub(super) async fn put_aside(
    State(state): State<AppState>,
    card: Result<Path<i64>, PathRejection>,
    body: Result<Json<AsideJson>, JsonRejection>,
) -> Answer {
    let Path(card) = card.map_err(|_| ApiError::not_found("There is no such card."))?;
    let Json(AsideJson { aside: is_aside }) = body?;
    aside(move || {
        state.0.store.set_cards_aside(&[CardId(card)], is_aside)?;
        Ok(Json(json!({ "id": card, "aside": is_aside })).into_response())
    })
    .await
}

fn progress_of(state: &AppState) -> Result<Progress, ApiError> {
    Ok(Progress::of(&state.0.store.learned_games()?))
}

/// How games go: accuracy, performance, levels, openings.
pub(super) async fn progress(State(state): State<AppState>) -> Answer {
    aside(move || {
        let progress = progress_of(&state)?;
        let games = progress.games.iter().map(|one| {
            json!({
                "game": one.game.id.0, "day": one.game.day, "side": side(one.side), "opponent": one.opponent,
                "rating": one.rating, "points": one.points, "performance": one.performance,
                "accuracy": one.game.findings.accuracy, "counts": one.game.findings.counts,
                "opening": one.game.opening,
            })
        });
        let levels = progress.levels.iter().map(|one| {
            json!({ "rating": one.rating, "games": one.games, "points": one.points })
        });
        let openings = progress.openings.iter().map(|one| {
            json!({
                "name": one.name, "side": side(one.side), "games": one.games, "points": one.points,
                "accuracy": one.accuracy,
            })
        });
        let told = json!({
            "games": games.collect::<Vec<_>>(),
            "levels": levels.collect::<Vec<_>>(),
            "openings": openings.collect::<Vec<_>>(),
        });
        Ok(Json(told).into_response())
    })
    .await
}

fn file(kind: &'static str, name: &str, text: String) -> axum::response::Response {
    let name = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response()
}

/// The games and how they went, as a table.
pub(super) async fn games_csv(State(state): State<AppState>) -> Answer {
    aside(move || {
        let text = csv(&progress_of(&state)?);
        Ok(file("text/csv; charset=utf-8", "tabiya-games.csv", text))
    })
    .await
}

/// All exercises as game records.
pub(super) async fn exercises_pgn(State(state): State<AppState>) -> Answer {
    aside(move || {
        let cards = state.0.store.list_cards(CardKind::Exercise, None, MOST)?;
        let lessons = cards.iter().filter_map(|card| Lesson::read(&card.content.payload).ok());
        let text = lessons.map(|lesson| lesson.pgn()).collect::<Vec<_>>().join("\n");
        Ok(file("application/x-chess-pgn", "tabiya-exercises.pgn", text))
    })
    .await
}
