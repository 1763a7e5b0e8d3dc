//! The chapters of a study: more of them, their order, what is taken out and brought back.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::json;
use tabiya_play::Refusal;
use tabiya_store::{Book, ChapterChange, KeptStudy, MOST_CHAPTERS, StudyId};
use tabiya_study::Study;

use super::studies::LONGEST_FEN;
use super::{Answer, aside};
use crate::AppState;
use crate::error::ApiError;
use crate::extract::StudyOwner;
use crate::studies::{kept, number};
use crate::study_json::BookJson;

/// A change to the chapters of a study.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepJson {
    step: String,
    /// The chapter that is meant.
    chapter: Option<u64>,
    /// The place where it goes, the first being 0.
    place: Option<usize>,
    /// What a new one begins with: all games of a record, a position, else the first move.
    pgn: Option<String>,
    fen: Option<String>,
    /// What the study is called from now on, or a new chapter.
    text: Option<String>,
}

impl StepJson {
    fn change(&self, book: &Book) -> Result<ChapterChange, ApiError> {
        let chapter = || -> Result<StudyId, ApiError> {
            number(self.chapter.ok_or_else(|| ApiError::invalid("Which chapter is meant?"))?)
        };
        Ok(match self.step.as_str() {
            "add" => ChapterChange::Add(self.new_ones(book)?),
            "move" => {
                let place = self.place.ok_or_else(|| ApiError::invalid("Where does it go?"))?;
                ChapterChange::Move(chapter()?, place)
            }
            "delete" => ChapterChange::Delete(chapter()?),
            "restore" => ChapterChange::Restore(chapter()?),
            "name" => {
                // The same rule as for any name.
                let mut any = Study::new();
                any.rename(self.text.as_deref().unwrap_or_default()).map_err(ApiError::invalid)?;
                ChapterChange::Name(any.title().to_owned())
            }
            _ => return Err(ApiError::invalid("Steps are: add, move, delete, restore, name.")),
        })
    }

    fn new_ones(&self, book: &Book) -> Result<Vec<KeptStudy>, ApiError> {
        let room = MOST_CHAPTERS.saturating_sub(book.chapters.len());
        let one = |study: Result<Study, Refusal>| -> Result<Vec<Study>, ApiError> {
            let mut study = study.map_err(ApiError::invalid)?;
            let usual = format!("Chapter {}", book.chapters.len() + 1);
            study.rename(self.text.as_deref().unwrap_or(&usual)).map_err(ApiError::invalid)?;
            Ok(vec![study])
        };
        let chapters = match (&self.pgn, &self.fen) {
            (Some(pgn), None) => Study::chapters(pgn, MOST_CHAPTERS).map_err(ApiError::invalid)?,
            (None, Some(fen)) if fen.len() <= LONGEST_FEN => one(Study::from_fen(fen))?,
            (None, Some(_)) => return Err(ApiError::invalid("That is too long for a FEN.")),
            (None, None) => one(Ok(Study::new()))?,
            _ => return Err(ApiError::invalid("A chapter begins with a FEN or a PGN text.")),
        };
        if chapters.len() > room {
            let sentence = format!("A study has {MOST_CHAPTERS} chapters at most.");
            return Err(ApiError::invalid(sentence));
        }
        Ok(chapters.iter().map(kept).collect())
    }
}

/// Changes the chapters. The answer names the one to be shown: the first that is new, or one that came back.
pub(super) async fn step(
    State(state): State<AppState>,
    StudyOwner(id): StudyOwner,
    step: Result<Json<StepJson>, JsonRejection>,
) -> Answer {
    let Json(step) = step?;
    aside(move || {
        let server = &state.0;
        let id = number(id)?;
        let change = step.change(&server.store.load_book(id)?)?;
        let told = server.store.change_chapters(id, &change)?;
        if let ChapterChange::Delete(chapter) = change {
            server.studies.forget(chapter.0.cast_unsigned());
        }
        let book = server.store.load_book(id)?;
        Ok(Json(json!({ "book": BookJson::new(&book), "chapter": told.0 })).into_response())
    })
    .await
}
