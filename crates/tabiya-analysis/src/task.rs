use serde::{Deserialize, Serialize};
use tabiya_chess::Position;
use tabiya_pgn::{Comment, Game};
use tabiya_review::{Review, ReviewSettings};
use thiserror::Error;

use crate::PositionAnalysis;

/// So many positions are one task at most: with few nodes a job for each would be more work than the search.
pub const MOST_POSITIONS: usize = 16;

/// How deep to look.
///
/// ```
/// use tabiya_analysis::AnalysisSettings;
///
/// assert_eq!(AnalysisSettings::default().nodes, 100_000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisSettings {
    /// How many positions the engine looks at for each position; ten times as many around mistakes in games.
    pub nodes: u64,
    /// No deeper than so many plies.
    pub depth: Option<u32>,
    /// How many lines a position has; games have one.
    pub multipv: usize,
}

impl Default for AnalysisSettings {
    fn default() -> AnalysisSettings {
        AnalysisSettings { nodes: 100_000, depth: None, multipv: 1 }
    }
}

impl AnalysisSettings {
    pub(crate) fn review(&self) -> ReviewSettings {
        ReviewSettings { nodes: self.nodes, depth: self.depth, ..ReviewSettings::default() }
    }
}

/// What is to be analysed. Written as JSON, it is what a job carries.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisTask {
    settings: AnalysisSettings,
    #[serde(flatten)]
    what: What,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
    /// A record with nothing in it that does not matter.
    Game(String),
    /// FENs.
    Positions(Vec<String>),
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub enum AnalysisAnswer {
    /// Of a game.
    Game(Box<Review>),
    /// Of positions, in their order.
    Positions(Vec<PositionAnalysis>),
}

/// Why an answer cannot be that of a task, or a task is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnswerError {
    /// The task cannot be read.
    #[error("the task cannot be read: {0}")]
    Task(String),
    /// The answer is no answer.
    #[error("the answer cannot be read: {0}")]
    Form(String),
    /// It is the answer to something else.
    #[error("the answer is to another question: {0}")]
    Other(String),
}

impl AnalysisTask {
    /// To review a game.
    pub fn of_game(game: &Game, settings: &AnalysisSettings) -> AnalysisTask {
        AnalysisTask { settings: *settings, what: What::Game(bare(game).to_string()) }
    }

    /// To search some positions, [`MOST_POSITIONS`] at most.
    pub fn of_positions(positions: &[Position], settings: &AnalysisSettings) -> AnalysisTask {
        let fens = positions.iter().take(MOST_POSITIONS).map(Position::fen).collect();
        AnalysisTask { settings: *settings, what: What::Positions(fens) }
    }

    /// Reads what a job carries.
    pub fn parse(text: &str) -> Result<AnalysisTask, AnswerError> {
        serde_json::from_str(text).map_err(|error| AnswerError::Task(error.to_string()))
    }

    /// How deep to look.
    pub const fn settings(&self) -> &AnalysisSettings {
        &self.settings
    }

    pub(crate) const fn what(&self) -> &What {
        &self.what
    }

    pub(crate) fn game(record: &str) -> Result<Game, AnswerError> {
        record.parse().map_err(|error: tabiya_pgn::ReadError| AnswerError::Task(error.to_string()))
    }

    pub(crate) fn position(fen: &str) -> Result<Position, AnswerError> {
        Position::from_fen(fen).map_err(|error| AnswerError::Task(error.to_string()))
    }

    /// Reads an answer to this task. What cannot be one, because moves in it are not legal or it is to another question,
    /// is refused.
    pub fn read(&self, text: &str) -> Result<AnalysisAnswer, AnswerError> {
        match &self.what {
            What::Game(record) => {
                let asked = AnalysisTask::game(record)?;
                let told: Game = text
                    .parse()
                    .map_err(|error: tabiya_pgn::ReadError| AnswerError::Form(error.to_string()))?;
                if bare(&told) != asked {
                    return Err(AnswerError::Other("it has other moves".to_owned()));
                }
                let review = Review::read(&told)
                    .ok_or_else(|| AnswerError::Form("there is no review in it".to_owned()))?;
                let fewest =
                    review.evaluations().map(|one| one.nodes).filter(|&nodes| nodes > 0).min();
                let asked = self.settings.nodes.max(ReviewSettings::LEAST_NODES);
                if review.nodes != self.settings.nodes || fewest.is_some_and(|nodes| nodes < asked)
                {
                    let sentence = format!("{} nodes were asked for", self.settings.nodes);
                    return Err(AnswerError::Other(sentence));
                }
                Ok(AnalysisAnswer::Game(Box::new(review)))
            }
            What::Positions(fens) => {
                let found: Vec<PositionAnalysis> = serde_json::from_str(text)
                    .map_err(|error| AnswerError::Form(error.to_string()))?;
                if found.len() != fens.len() {
                    let sentence = format!("{} positions were asked for", fens.len());
                    return Err(AnswerError::Other(sentence));
                }
                for (found, fen) in found.iter().zip(fens) {
                    found.check(&AnalysisTask::position(fen)?, &self.settings)?;
                }
                Ok(AnalysisAnswer::Positions(found))
            }
        }
    }
}

/// Writes the task as JSON.
impl std::fmt::Display for AnalysisTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What is made of texts and numbers can always be written.
        f.write_str(&serde_json::to_string(self).unwrap_or_default())
    }
}

/// A game with all that a review depends on, and nothing else: start, moves, times, time control, result.
pub(crate) fn bare(game: &Game) -> Game {
    let tree = game.tree();
    let mut bare = Game::from_position(*tree.start());
    bare.set_result(game.result());
    if let Some(control) = game.tag("TimeControl") {
        // It was a tag before.
        let _ = bare.set_tag("TimeControl", control);
    }
    let mut at = bare.tree().root();
    for id in tree.main_line() {
        let next = tree.played(id).and_then(|m| bare.tree_mut().add(at, m).ok());
        let Some(next) = next else { break };
        let times: Vec<String> = tree
            .comments(id)
            .iter()
            .flat_map(Comment::commands)
            .filter(|(name, _)| matches!(*name, "clk" | "emt"))
            .map(|(name, value)| format!("[%{name} {value}]"))
            .collect();
        if !times.is_empty() {
            bare.tree_mut().add_comment(next, Comment::new(&times.join(" ")));
        }
        at = next;
    }
    bare
}

#[cfg(test)]
mod tests {
    use tabiya_review::fingerprint;

    use super::*;

    #[test]
    fn a_bare_game_has_the_same_review() {
        let settings = ReviewSettings::default();
        for record in [
            "[White \"Me\"]\n[TimeControl \"60+1\"]\n\n1. e4! {[%clk 0:01:00] fine} (1. d4) e5 {[%emt 0:00:03]} *",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1... Kd7 2. e4 1/2-1/2",
            "[FEN \"bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w KQkq - 0 1\"]\n[Variant \"Chess960\"]\n\n1. e4 *",
            "1. e4 -- 2. d4 1-0",
        ] {
            let game: Game = record.parse().unwrap();
            let bare = bare(&game);
            assert_eq!(fingerprint(&bare, &settings), fingerprint(&game, &settings), "{record}");
            let written: Game = bare.to_string().parse().unwrap();
            assert_eq!(written, bare, "{record}");
            assert!(!bare.to_string().contains("fine") && !bare.to_string().contains("Me\""));
        }
    }

    #[test]
    fn a_task_is_read_as_it_was_written() {
        let settings = AnalysisSettings { nodes: 5, depth: Some(3), multipv: 2 };
        let positions = AnalysisTask::of_positions(&[Position::initial()], &settings);
        let game = AnalysisTask::of_game(&"1. e4 *".parse().unwrap(), &settings);
        for task in [positions, game] {
            assert_eq!(AnalysisTask::parse(&task.to_string()), Ok(task));
        }
        assert!(AnalysisTask::parse("{}").is_err());
    }
}
