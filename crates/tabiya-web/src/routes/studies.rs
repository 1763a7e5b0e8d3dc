use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tabiya_api::steps::{Begin, StepJson};
use tabiya_play::{GameKind, Refusal};
use tabiya_store::{Book, MOST_CHAPTERS, StudySummary};
use tabiya_study::{Outline, Study, StudyBoard};

use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::{Id, StudyOwner};
use crate::studies::{book_json, number};
use crate::study_json::{
    AttacksJson, BoardJson, BookJson, CardJson, OutlineJson, PositionJson, Shelved,
};

/// The most studies in one list: each is opened to be shown.
const MOST: u32 = 60;
/// A longer one is listed without a picture, so that a list costs little whatever is in it.
const PICTURED: usize = 40_000;

/// A chapter of a study, and the board at one of its nodes.
struct Shown {
    id: u64,
    book: Book,
    outline: Outline,
    main: Vec<usize>,
    board: StudyBoard,
}

impl Shown {
    fn new(id: u64, book: Book, study: &Study) -> Result<Shown, Refusal> {
        let board = study.board(study.here())?;
        Ok(Shown { id, book, outline: study.outline(), main: study.main_line(), board })
    }

    /// What a number stands for: a chapter, or a study, whose first chapter is shown. May wait for a disk.
    fn find(state: &AppState, id: u64) -> Result<Shown, ApiError> {
        let server = &state.0;
        let book = server.store.load_book(number(id)?)?;
        let own = book.chapters.iter().find(|chapter| chapter.id.0.cast_unsigned() == id);
        let is_whole = book.id.0.cast_unsigned() == id;
        let chapter = own.or_else(|| book.chapters.first().filter(|_| is_whole));
        let id = chapter.ok_or_else(ApiError::no_study)?.id.0.cast_unsigned();
        server.studies.refresh(&server.store, id)?;
        server.studies.read(&server.store, id, |study| Ok(Shown::new(id, book, study)?))
    }

    fn json(&self) -> ShownJson<'_> {
        ShownJson {
            study: OutlineJson::new(self.id, &self.outline, self.main.clone()),
            board: BoardJson::new(&self.board),
            book: book_json(&self.book),
            token: None,
        }
    }
}

#[derive(Serialize)]
struct ShownJson<'a> {
    study: OutlineJson<'a>,
    board: BoardJson<'a>,
    book: BookJson<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// The record of a game that is to be studied. May wait for a disk.
fn record_of(state: &AppState, game: u64) -> Result<String, ApiError> {
    let game = crate::persistence::number(game)?;
    match state.0.store.load(game)?.summary.kind {
        GameKind::Chess => Ok(state.0.store.export(game)?),
        GameKind::Bishops => Err(ApiError::invalid("Only games of chess can be studied.")),
    }
}

/// Begins a study. Whoever does is given the token with which it is edited.
pub(super) async fn create(
    State(state): State<AppState>,
    client: Client,
    begin: Result<Json<Begin>, JsonRejection>,
) -> Answer {
    let Json(begin) = begin?;
    state.0.rates.begin_study(client)?;
    state.0.rates.add_chapter(client)?;
    aside(move || {
        let server = &state.0;
        let most = server.limits.studies_per_client;
        let make = || {
            let (title, chapters) = begin.book(MOST_CHAPTERS, |game| record_of(&state, game))?;
            server.rates.count_chapters(client, chapters.len().saturating_sub(1));
            Ok((title, chapters))
        };
        let id = server.studies.begin(&server.store, client, most, make)?;
        let shown = Shown::find(&state, id)?;
        let token = Some(server.key.study_token(id));
        let place = [(header::LOCATION, format!("/api/studies/{id}"))];
        let answer = Json(ShownJson { token, ..shown.json() });
        Ok((StatusCode::CREATED, place, answer).into_response())
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    limit: Option<u32>,
    after: Option<String>,
}

pub(super) async fn list(
    State(state): State<AppState>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Answer {
    let Query(Wanted { limit, after }) = wanted?;
    let limit = limit.unwrap_or(24).min(MOST);
    let after = after.map(|after| after.parse()).transpose().map_err(ApiError::invalid)?;
    let (cards, next) = aside(move || {
        let store = &state.0.store;
        let studies = store.list_studies(limit, after)?;
        let full = studies.len() == limit as usize;
        let next = studies.last().filter(|_| full).map(|last| last.place().to_string());
        let card = |summary: &StudySummary| {
            let kept =
                store.load_study(summary.first).ok().filter(|kept| kept.pgn.len() <= PICTURED);
            let study = kept.and_then(|kept| {
                Study::restore(&kept.title, &kept.pgn, kept.here as usize, kept.sequence).ok()
            });
            let shelved = Shelved {
                id: summary.id.0,
                title: summary.title.clone(),
                when: summary.when.clone(),
                chapters: summary.chapters,
            };
            CardJson::new(shelved, study.as_ref())
        };
        Ok((studies.iter().map(card).collect::<Vec<_>>(), next))
    })
    .await?;
    Ok(Json(json!({ "studies": cards, "next": next })).into_response())
}

pub(super) async fn view(State(state): State<AppState>, Id(id): Id) -> Answer {
    aside(move || {
        let shown = Shown::find(&state, id)?;
        Ok(Json(shown.json()).into_response())
    })
    .await
}

/// What the board shows after every node, so that no step through a study waits for the network.
pub(super) async fn positions(State(state): State<AppState>, Id(id): Id) -> Answer {
    aside(move || {
        let server = &state.0;
        let (sequence, all) = server
            .studies
            .read(&server.store, id, |study| Ok((study.sequence(), study.positions())))?;
        let told: Vec<PositionJson<'_>> = all.iter().map(PositionJson::new).collect();
        Ok(Json(json!({ "sequence": sequence, "positions": told })).into_response())
    })
    .await
}

/// The number of a node in an address.
fn node(text: &str) -> Result<usize, ApiError> {
    text.parse().map_err(|_| ApiError::not_found("There is no such move."))
}

/// The node of a study that an address names.
type At = Path<(String, String)>;

/// Something that is to be seen of a node, and how it is told.
async fn seen<T>(
    state: AppState,
    Path((id, at)): At,
    look: impl FnOnce(&Study, usize) -> Result<T, Refusal> + Send + 'static,
    tell: impl FnOnce(&T) -> Response + Send + 'static,
) -> Answer {
    let (id, at) = (id.parse().map_err(|_| ApiError::no_study())?, node(&at)?);
    aside(move || {
        let server = &state.0;
        Ok(tell(&server.studies.read(&server.store, id, |study| gone(look(study, at)))?))
    })
    .await
}

pub(super) async fn board(State(state): State<AppState>, at: At) -> Answer {
    seen(state, at, Study::board, |board| Json(BoardJson::new(board)).into_response()).await
}

/// Who attacks what.
pub(super) async fn attacks(State(state): State<AppState>, at: At) -> Answer {
    seen(state, at, Study::sight, |sight| Json(AttacksJson::new(sight)).into_response()).await
}

pub(super) fn gone<T>(result: Result<T, Refusal>) -> Result<T, ApiError> {
    result.map_err(ApiError::not_found)
}

/// What is wanted of a study.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// All chapters, and not only the one that is named.
    #[serde(default)]
    all: bool,
}

/// A chapter, or the whole study, as a file.
pub(super) async fn record(
    State(state): State<AppState>,
    Id(id): Id,
    part: Result<Query<Part>, QueryRejection>,
) -> Answer {
    let Query(Part { all }) = part?;
    let text = aside(move || {
        let server = &state.0;
        let pgn = |id| server.studies.read(&server.store, id, |study| Ok(study.pgn()));
        if !all {
            return pgn(id);
        }
        let chapters = server.store.load_book(number(id)?)?.chapters;
        let texts: Result<Vec<String>, ApiError> =
            chapters.iter().map(|chapter| pgn(chapter.id.0.cast_unsigned())).collect();
        Ok(texts?.join("\n"))
    })
    .await?;
    let name = format!("attachment; filename=\"tabiya-study-{id}.pgn\"");
    let media = "application/x-chess-pgn".to_owned();
    let headers = [(header::CONTENT_TYPE, media), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

pub(super) async fn delete(State(state): State<AppState>, StudyOwner(id): StudyOwner) -> Answer {
    aside(move || {
        let book = state.0.store.load_book(number(id)?)?;
        state.0.store.delete_study(book.id)?;
        state.0.studies.forget(book.id.0.cast_unsigned());
        book.chapters.iter().for_each(|one| state.0.studies.forget(one.id.0.cast_unsigned()));
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

pub(super) async fn restore(State(state): State<AppState>, StudyOwner(id): StudyOwner) -> Answer {
    aside(move || {
        state.0.store.restore_study(number(id)?)?;
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// Takes a step. The answer comes when it is kept.
pub(super) async fn step(
    State(state): State<AppState>,
    StudyOwner(id): StudyOwner,
    step: Result<Json<StepJson>, JsonRejection>,
) -> Answer {
    let Json(step) = step?;
    aside(move || {
        let server = &state.0;
        server.studies.change(&server.store, id, |study| {
            let here = step.take(study)?;
            study.go_to(here)
        })?;
        Ok(Json(Shown::find(&state, id)?.json()).into_response())
    })
    .await
}
