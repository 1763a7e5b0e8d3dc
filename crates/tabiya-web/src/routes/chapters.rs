//! The chapters of a study: more of them, their order, what is taken out and brought back.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::json;
use tabiya_api::steps::new_chapters;
use tabiya_store::{Book, ChapterChange, KeptStudy, MOST_CHAPTERS, StudyId};
use tabiya_study::Study;

use super::{Answer, aside};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::StudyOwner;
use crate::limits::Rates;
use crate::studies::{book_json, kept, number};

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
    /// The change to a study, if it may have it. What is not allowed anyway is refused before a text is read.
    fn change(
        &self,
        book: &Book,
        rates: &Rates,
        client: Client,
    ) -> Result<ChapterChange, ApiError> {
        let chapter = || -> Result<StudyId, ApiError> {
            number(self.chapter.ok_or_else(|| ApiError::invalid("Which chapter is meant?"))?)
        };
        Ok(match self.step.as_str() {
            "add" => {
                if book.chapters.len() >= MOST_CHAPTERS {
                    let sentence = format!("A study has {MOST_CHAPTERS} chapters at most.");
                    return Err(ApiError::invalid(sentence));
                }
                rates.add_chapter(client)?;
                let (pgn, fen, text) = (&self.pgn, &self.fen, &self.text);
                let chapters = new_chapters(
                    pgn.as_deref(),
                    fen.as_deref(),
                    text.as_deref(),
                    book.chapters.len(),
                    MOST_CHAPTERS,
                )?;
                let chapters: Vec<KeptStudy> = chapters.iter().map(kept).collect();
                rates.count_chapters(client, chapters.len() - 1);
                ChapterChange::Add(chapters)
            }
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
}

/// Changes the chapters. The answer names the one to be shown: the first that is new, or one that came back.
pub(super) async fn step(
    State(state): State<AppState>,
    client: Client,
    StudyOwner(id): StudyOwner,
    step: Result<Json<StepJson>, JsonRejection>,
) -> Answer {
    let Json(step) = step?;
    aside(move || {
        let server = &state.0;
        let id = number(id)?;
        let change = step.change(&server.store.load_book(id)?, &server.rates, client)?;
        let told = server.store.change_chapters(id, &change)?;
        if let ChapterChange::Delete(chapter) = change {
            server.studies.forget(chapter.0.cast_unsigned());
        }
        let book = server.store.load_book(id)?;
        Ok(Json(json!({ "book": book_json(&book), "chapter": told.0 })).into_response())
    })
    .await
}
