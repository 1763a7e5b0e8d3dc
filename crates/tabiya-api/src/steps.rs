//! What is asked of a study: how it begins, and every step of work on it.

use serde::Deserialize;
use tabiya_play::{PieceRole, Refusal};
use tabiya_study::Study;

use crate::Invalid;
use crate::game::{place, role_named};

/// The longest move, and the longest FEN.
const LONGEST_MOVE: usize = 40;
const LONGEST_FEN: usize = 200;
/// What somebody hears whose view of a study is old. The page shows the study anew then.
pub const CHANGED: &str = "The study has changed meanwhile: look at it again.";

fn too_long() -> Invalid {
    Invalid::new("That is too long for a FEN.")
}

/// What a study begins with: one of these, or the start of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begin {
    fen: Option<String>,
    pgn: Option<String>,
    /// A game of the archive.
    game: Option<u64>,
    title: Option<String>,
}

impl Begin {
    /// The name of the study, and its chapters, `most` at most. `record` has the PGN text of a game of the archive.
    pub fn book<E: From<Invalid>>(
        &self,
        most: usize,
        record: impl FnOnce(u64) -> Result<String, E>,
    ) -> Result<(String, Vec<Study>), E> {
        let unclear = |refusal: Refusal| Invalid::new(refusal);
        let one = |study: Result<Study, Refusal>| study.map(|one| vec![one]).map_err(unclear);
        let mut chapters = match (&self.fen, &self.pgn, self.game) {
            (None, None, None) => vec![Study::new()],
            (Some(fen), None, None) if fen.len() <= LONGEST_FEN => one(Study::from_fen(fen))?,
            (Some(_), None, None) => return Err(too_long().into()),
            (None, Some(pgn), None) => Study::chapters(pgn, 0, most).map_err(unclear)?,
            (None, None, Some(game)) => one(Study::from_pgn(&record(game)?))?,
            _ => {
                let sentence = "A study begins with one thing: a FEN, a PGN text or a game.";
                return Err(Invalid::new(sentence).into());
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

/// New chapters for a study that has so many: all games of a record, else one with a position, or a game's start.
pub fn new_chapters(
    pgn: Option<&str>,
    fen: Option<&str>,
    title: Option<&str>,
    there: usize,
    most: usize,
) -> Result<Vec<Study>, Invalid> {
    let one = |study: Result<Study, Refusal>| {
        let mut study = study.map_err(Invalid::new)?;
        let usual = format!("Chapter {}", there + 1);
        study.rename(title.unwrap_or(&usual)).map_err(Invalid::new)?;
        Ok(vec![study])
    };
    match (pgn, fen) {
        (Some(pgn), None) => Study::chapters(pgn, there, most).map_err(Invalid::new),
        (None, Some(fen)) if fen.len() <= LONGEST_FEN => one(Study::from_fen(fen)),
        (None, Some(_)) => Err(too_long()),
        (None, None) => one(Ok(Study::new())),
        _ => Err(Invalid::new("A chapter begins with a FEN or a PGN text.")),
    }
}

/// One step of work on a study.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepJson {
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
    /// Takes the step; the answer is the node to be shown.
    pub fn take(&self, study: &mut Study) -> Result<usize, Refusal> {
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
