use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tabiya_play::{GameKind, PieceRole, Refusal};
use tabiya_store::{Book, MOST_CHAPTERS, StudySummary};
use tabiya_study::{Outline, Study, StudyBoard};

use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::{Id, StudyOwner};
use crate::json::{place, role_named};
use crate::studies::{CHANGED, number};
use crate::study_json::{AttacksJson, BoardJson, BookJson, CardJson, OutlineJson, PositionJson};

/// The most studies in one list: each is opened to be shown.
const MOST: u32 = 60;
/// A longer one is listed without a picture, so that a list costs little whatever is in it.
const PICTURED: usize = 40_000;
/// The longest move, and the longest FEN.
const LONGEST_MOVE: usize = 40;
pub(super) const LONGEST_FEN: usize = 200;

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
            book: BookJson::new(&self.book),
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

/// What a study begins with: one of these, or the start of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Begin {
    fen: Option<String>,
    pgn: Option<String>,
    /// A game of the archive.
    game: Option<u64>,
    title: Option<String>,
}

impl Begin {
    /// The name of the study, and its chapters. May wait for a disk.
    fn book(&self, state: &AppState) -> Result<(String, Vec<Study>), ApiError> {
        let unclear = ApiError::invalid;
        let one = |study: Result<Study, Refusal>| study.map(|one| vec![one]).map_err(unclear);
        let mut chapters = match (&self.fen, &self.pgn, self.game) {
            (None, None, None) => vec![Study::new()],
            (Some(fen), None, None) if fen.len() <= LONGEST_FEN => one(Study::from_fen(fen))?,
            (Some(_), None, None) => return Err(ApiError::invalid("That is too long for a FEN.")),
            (None, Some(pgn), None) => Study::chapters(pgn, 0, MOST_CHAPTERS).map_err(unclear)?,
            (None, None, Some(game)) => {
                let game = crate::persistence::number(game)?;
                if state.0.store.load(game)?.summary.kind != GameKind::Chess {
                    return Err(ApiError::invalid("Only games of chess can be studied."));
                }
                one(Study::from_pgn(&state.0.store.export(game)?))?
            }
            _ => {
                return Err(ApiError::invalid(
                    "A study begins with one thing: a FEN, a PGN text or a game.",
                ));
            }
        };
        let mut title = common_title(&chapters);
        if let Some(wanted) = &self.title {
            let mut named = Study::new();
            let first = chapters.first_mut().unwrap_or(&mut named);
            let own = first.title().to_owned();
            first.rename(wanted).map_err(unclear)?;
            title = first.title().to_owned();
            // Of several chapters, the first keeps its own name.
            if chapters.len() > 1
                && let Some(first) = chapters.first_mut()
            {
                first.rename(&own).map_err(unclear)?;
            }
        }
        Ok((title, chapters))
    }
}

/// What a study of several games is called: what they all are part of, else how many there are.
fn common_title(chapters: &[Study]) -> String {
    let [first, others @ ..] = chapters else { return String::new() };
    let event = |study: &Study| study.game().tag("Event").unwrap_or_default().to_owned();
    let named = event(first);
    match others.iter().all(|study| event(study) == named) && !named.trim_matches('?').is_empty() {
        true => named.chars().take(120).collect(),
        false => format!("{} games", chapters.len()),
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
            let (title, chapters) = begin.book(&state)?;
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
            CardJson::new(summary, study.as_ref())
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

/// One step of work on a study.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepJson {
    step: String,
    /// The edit count that the numbers of nodes are from; if it is missing, they are taken as they are now.
    sequence: Option<u64>,
    #[serde(default)]
    node: usize,
    text: Option<String>,
    from: Option<String>,
    to: Option<String>,
    promotion: Option<String>,
    moves: Option<Vec<String>>,
    nag: Option<u8>,
    drawings: Option<Vec<String>>,
}

const STEPS: &str =
    "play, line, comment, judge, draw, promote, promote-to-main, delete, undo, go, rename, orient";

impl StepJson {
    fn take(&self, study: &mut Study) -> Result<usize, Refusal> {
        if self.sequence.is_some_and(|known| known != study.sequence()) {
            return Err(Refusal(CHANGED.to_owned()));
        }
        let text = || self.text.as_deref().unwrap_or_default();
        match self.step.as_str() {
            "play" => self.play(study),
            "line" => study.add_line(self.node, self.moves.as_deref().unwrap_or_default()),
            "comment" => study.comment(self.node, text()),
            "judge" => study.judge(self.node, self.nag.unwrap_or(0)),
            "draw" => study.draw(self.node, self.drawings.as_deref().unwrap_or_default()),
            "promote" => study.promote(self.node),
            "promote-to-main" => study.promote_to_main(self.node),
            "delete" => study.delete(self.node),
            "undo" => study.undo(),
            "go" => study.go_to(self.node).map(|()| self.node),
            "rename" => study.rename(text()).map(|()| study.here()),
            "orient" => study.orient(text() == "black"),
            _ => Err(Refusal(format!("Steps are: {STEPS}."))),
        }
    }

    fn play(&self, study: &mut Study) -> Result<usize, Refusal> {
        let at = |text: &str| place(text).map_err(|error| Refusal(error.to_owned()));
        match (&self.text, &self.from, &self.to) {
            (Some(text), None, None) if text.len() <= LONGEST_MOVE => study.play(self.node, text),
            (Some(_), None, None) => Err(Refusal("That is too long for a move.".to_owned())),
            (None, Some(from), Some(to)) => {
                let promotion = self.promotion.as_deref().map(|name| {
                    role_named(name).ok_or_else(|| {
                        Refusal("A pawn becomes a queen, rook, bishop or knight.".to_owned())
                    })
                });
                let promotion: Option<PieceRole> = promotion.transpose()?;
                study.go(self.node, at(from)?, at(to)?, promotion)
            }
            _ => Err(Refusal("A move is a text, or the squares from and to.".to_owned())),
        }
    }
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
