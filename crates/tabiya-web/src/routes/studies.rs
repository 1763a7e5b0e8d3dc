use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabiya_play::{GameKind, PieceRole, Refusal};
use tabiya_study::{Outline, Study, StudyBoard};

use super::{Answer, aside};
use crate::AppState;
use crate::error::ApiError;
use crate::extract::{Client, Id, StudyOwner};
use crate::json::{place, role_named};
use crate::studies::number;
use crate::study_json::{AttacksJson, BoardJson, OutlineJson};

/// The most studies in one list.
const MOST: u32 = 200;
/// The longest move, and the longest FEN.
const LONGEST_MOVE: usize = 40;
const LONGEST_FEN: usize = 200;

/// A study and the board at one of its nodes.
struct Shown {
    id: u64,
    outline: Outline,
    main: Vec<usize>,
    board: StudyBoard,
}

impl Shown {
    fn new(id: u64, study: &Study) -> Result<Shown, Refusal> {
        let board = study.board(study.here())?;
        Ok(Shown { id, outline: study.outline(), main: study.main_line(), board })
    }

    fn json(&self) -> ShownJson<'_> {
        ShownJson {
            study: OutlineJson::new(self.id, &self.outline, self.main.clone()),
            board: BoardJson::new(&self.board),
            token: None,
        }
    }
}

#[derive(Serialize)]
struct ShownJson<'a> {
    study: OutlineJson<'a>,
    board: BoardJson<'a>,
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
    /// May wait for a disk.
    fn study(&self, state: &AppState) -> Result<Study, ApiError> {
        let unclear = ApiError::invalid;
        let mut study = match (&self.fen, &self.pgn, self.game) {
            (None, None, None) => Study::new(),
            (Some(fen), None, None) if fen.len() <= LONGEST_FEN => {
                Study::from_fen(fen).map_err(unclear)?
            }
            (Some(_), None, None) => return Err(ApiError::invalid("That is too long for a FEN.")),
            (None, Some(pgn), None) => Study::from_pgn(pgn).map_err(unclear)?,
            (None, None, Some(game)) => {
                let game = crate::persistence::number(game)?;
                if state.0.store.load(game)?.summary.kind != GameKind::Chess {
                    return Err(ApiError::invalid("Only games of chess can be studied."));
                }
                Study::from_pgn(&state.0.store.export(game)?).map_err(unclear)?
            }
            _ => {
                return Err(ApiError::invalid(
                    "A study begins with one thing: a FEN, a PGN text or a game.",
                ));
            }
        };
        if let Some(title) = &self.title {
            study.rename(title).map_err(unclear)?;
        }
        Ok(study)
    }
}

/// Begins a study. Whoever does is given the token with which it is edited.
pub(super) async fn create(
    State(state): State<AppState>,
    Client(client): Client,
    begin: Result<Json<Begin>, JsonRejection>,
) -> Answer {
    let Json(begin) = begin?;
    aside(move || {
        let server = &state.0;
        let study = begin.study(&state)?;
        let most = server.limits.studies_per_client;
        let id = server.studies.begin(&server.store, client, most, study)?;
        let shown = server.studies.read(&server.store, id, |study| Ok(Shown::new(id, study)?))?;
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
    offset: Option<u32>,
}

pub(super) async fn list(
    State(state): State<AppState>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Answer {
    let Query(Wanted { limit, offset }) = wanted?;
    let (limit, offset) = (limit.unwrap_or(50).min(MOST), offset.unwrap_or(0));
    let studies = aside(move || Ok(state.0.store.list_studies(limit, offset)?)).await?;
    let studies: Vec<Value> = studies
        .iter()
        .map(|one| json!({ "id": one.id.0, "title": one.title, "when": one.when }))
        .collect();
    Ok(Json(json!({ "studies": studies })).into_response())
}

pub(super) async fn view(State(state): State<AppState>, Id(id): Id) -> Answer {
    aside(move || {
        let server = &state.0;
        let shown = server.studies.read(&server.store, id, |study| Ok(Shown::new(id, study)?))?;
        Ok(Json(shown.json()).into_response())
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

/// The whole study as a file.
pub(super) async fn record(State(state): State<AppState>, Id(id): Id) -> Answer {
    let text = aside(move || {
        let server = &state.0;
        server.studies.read(&server.store, id, |study| Ok(study.pgn()))
    })
    .await?;
    let name = format!("attachment; filename=\"tabiya-study-{id}.pgn\"");
    let media = "application/x-chess-pgn".to_owned();
    let headers = [(header::CONTENT_TYPE, media), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

pub(super) async fn delete(State(state): State<AppState>, StudyOwner(id): StudyOwner) -> Answer {
    aside(move || {
        state.0.store.delete_study(number(id)?)?;
        state.0.studies.forget(id);
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
}

const STEPS: &str =
    "play, line, comment, judge, promote, promote-to-main, delete, undo, go, rename";

impl StepJson {
    fn take(&self, study: &mut Study) -> Result<usize, Refusal> {
        if self.sequence.is_some_and(|known| known != study.sequence()) {
            return Err(Refusal("The study has changed meanwhile: look at it again.".to_owned()));
        }
        let text = || self.text.as_deref().unwrap_or_default();
        match self.step.as_str() {
            "play" => self.play(study),
            "line" => study.add_line(self.node, self.moves.as_deref().unwrap_or_default()),
            "comment" => study.comment(self.node, text()),
            "judge" => study.judge(self.node, self.nag.unwrap_or(0)),
            "promote" => study.promote(self.node),
            "promote-to-main" => study.promote_to_main(self.node),
            "delete" => study.delete(self.node),
            "undo" => study.undo(),
            "go" => study.go_to(self.node).map(|()| self.node),
            "rename" => study.rename(text()).map(|()| study.here()),
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
        let shown = server.studies.change(&server.store, id, |study| {
            let here = step.take(study)?;
            study.go_to(here)?;
            Shown::new(id, study)
        })?;
        Ok(Json(shown.json()).into_response())
    })
    .await
}
