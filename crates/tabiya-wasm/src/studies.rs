//! Studies: the ones that are worked on, with what can be undone in them.
//!
//! As with games, a study is given as it was kept, and every step tells what is to be kept.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_api::steps::{Begin, StepJson, new_chapters};
use tabiya_api::study::{AttacksJson, BoardJson, CardJson, OutlineJson, PositionJson, Shelved};
use tabiya_study::Study;

/// The most chapters of a study.
const MOST_CHAPTERS: usize = 64;
/// A longer one is listed without a picture, so that a list costs little whatever is in it.
const PICTURED: usize = 40_000;

/// What can be asked about studies.
#[derive(Deserialize)]
#[serde(tag = "call", deny_unknown_fields)]
pub(crate) enum StudyCall {
    /// What a new study is called, and its chapters; `record` is the game that it is about, if it is.
    #[serde(rename = "study-begin")]
    Begin { order: Begin, record: Option<String> },
    /// More chapters for a study that has so many.
    #[serde(rename = "study-chapters")]
    Chapters { pgn: Option<String>, fen: Option<String>, title: Option<String>, there: usize },
    /// A name as a study would have it.
    #[serde(rename = "study-title")]
    Title { text: String },
    /// Takes up a chapter that was kept.
    #[serde(rename = "study-open")]
    Open { id: u64, kept: KeptStudy },
    /// Puts a chapter away.
    #[serde(rename = "study-close")]
    Close { id: u64 },
    /// What a page shows.
    #[serde(rename = "study-view")]
    View { id: u64 },
    /// The board at a node.
    #[serde(rename = "study-board")]
    Board { id: u64, node: usize },
    /// Who attacks what at a node.
    #[serde(rename = "study-attacks")]
    Attacks { id: u64, node: usize },
    /// What the board shows after every node.
    #[serde(rename = "study-positions")]
    Positions { id: u64 },
    /// One step of work.
    #[serde(rename = "study-step")]
    Step { id: u64, step: StepJson },
    /// What a list shows of a study: by its first chapter.
    #[serde(rename = "study-card")]
    Card { id: i64, title: String, when: String, chapters: u32, kept: Option<KeptStudy> },
}

/// A chapter as it is kept between visits.
#[derive(Serialize, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptStudy {
    title: String,
    pgn: String,
    here: usize,
    sequence: u64,
}

impl KeptStudy {
    fn of(study: &Study) -> KeptStudy {
        KeptStudy {
            title: study.title().to_owned(),
            pgn: study.pgn(),
            here: study.here(),
            sequence: study.sequence(),
        }
    }

    pub(crate) fn study(&self) -> Result<Study, Invalid> {
        Study::restore(&self.title, &self.pgn, self.here, self.sequence).map_err(Invalid::new)
    }
}

/// The chapters that are open.
#[derive(Default)]
pub(crate) struct Studies {
    open: HashMap<u64, Study>,
}

impl Studies {
    pub(crate) fn answer(&mut self, call: StudyCall) -> Result<Value, Invalid> {
        match call {
            StudyCall::Begin { order, record } => {
                let record = record.ok_or_else(|| Invalid::new("there is no such game"));
                let (title, chapters) = order.book(MOST_CHAPTERS, |_| record)?;
                let chapters: Vec<KeptStudy> = chapters.iter().map(KeptStudy::of).collect();
                Ok(json!({ "title": title, "chapters": chapters }))
            }
            StudyCall::Chapters { pgn, fen, title, there } => {
                if there >= MOST_CHAPTERS {
                    let sentence = format!("A study has {MOST_CHAPTERS} chapters at most.");
                    return Err(Invalid::new(sentence));
                }
                let (pgn, fen, title) = (pgn.as_deref(), fen.as_deref(), title.as_deref());
                let new = new_chapters(pgn, fen, title, there, MOST_CHAPTERS)?;
                Ok(json!(new.iter().map(KeptStudy::of).collect::<Vec<_>>()))
            }
            StudyCall::Title { text } => {
                let mut any = Study::new();
                any.rename(&text).map_err(Invalid::new)?;
                Ok(json!(any.title()))
            }
            StudyCall::Open { id, kept } => {
                self.open.insert(id, kept.study()?);
                self.view(id)
            }
            StudyCall::Close { id } => {
                self.open.remove(&id);
                Ok(Value::Null)
            }
            StudyCall::View { id } => self.view(id),
            StudyCall::Board { id, node } => {
                let board = self.study(id)?.board(node).map_err(Invalid::new)?;
                Ok(json!(BoardJson::new(&board)))
            }
            StudyCall::Attacks { id, node } => {
                let sight = self.study(id)?.sight(node).map_err(Invalid::new)?;
                Ok(json!(AttacksJson::new(&sight)))
            }
            StudyCall::Positions { id } => {
                let study = self.study(id)?;
                let all = study.positions();
                let told: Vec<PositionJson<'_>> = all.iter().map(PositionJson::new).collect();
                Ok(json!({ "sequence": study.sequence(), "positions": told }))
            }
            StudyCall::Step { id, step } => {
                let study = self.study(id)?;
                let mut next = study.clone();
                let here = step.take(&mut next).map_err(Invalid::new)?;
                next.go_to(here).map_err(Invalid::new)?;
                *study = next;
                self.view(id)
            }
            StudyCall::Card { id, title, when, chapters, kept } => {
                let kept = kept.filter(|kept| kept.pgn.len() <= PICTURED);
                let study = kept.and_then(|kept| kept.study().ok());
                let shelved = Shelved { id, title, when, chapters };
                Ok(json!(CardJson::new(shelved, study.as_ref())))
            }
        }
    }

    fn study(&mut self, id: u64) -> Result<&mut Study, Invalid> {
        self.open.get_mut(&id).ok_or_else(|| Invalid::new("there is no such study"))
    }

    /// A chapter as a page shows it, and as it is kept.
    fn view(&mut self, id: u64) -> Result<Value, Invalid> {
        let study = self.study(id)?;
        let board = study.board(study.here()).map_err(Invalid::new)?;
        let outline = study.outline();
        Ok(json!({
            "study": OutlineJson::new(id, &outline, study.main_line()),
            "board": BoardJson::new(&board),
            "kept": KeptStudy::of(study),
        }))
    }
}
