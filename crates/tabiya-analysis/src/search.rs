//! Positions on their own.

use serde::{Deserialize, Serialize};
use tabiya_base::{Bound, Score, Stop};
use tabiya_chess::{Color, Game, Move, Outcome, Position};
use tabiya_engine::Engine;
use tabiya_review::{Assessment, Evaluation};
use tabiya_thinker::{Limits, Lines, Thinker};

use crate::{AnalysisSettings, AnswerError};

/// Longer lines are cut: nobody reads on.
const LONGEST: usize = 16;

/// What was found in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// How many plies deep; 0 when the game is over.
    depth: u32,
    /// How many positions the engine was given.
    nodes: u64,
    /// The best line first; none when the game is over.
    lines: Vec<AnalysedLine>,
}

/// A line of moves, and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysedLine {
    /// For White, as records write it: `-0.35`, `#3`.
    score: String,
    /// The moves as programs write them.
    moves: Vec<String>,
}

impl AnalysedLine {
    /// What it is worth for White.
    pub fn worth(&self) -> Assessment {
        Assessment::Score(Score::from_pgn(&self.score).unwrap_or(Score::Centipawns(0)))
    }

    /// Its moves from a position on, as far as they can be played.
    pub fn moves(&self, from: &Position) -> Vec<Move> {
        let mut position = *from;
        let mut moves = Vec::with_capacity(self.moves.len());
        for code in &self.moves {
            let Ok(m) = position.parse_uci(code) else { break };
            position.play_unchecked(m);
            moves.push(m);
        }
        moves
    }

    /// Its moves as programs write them.
    pub fn codes(&self) -> &[String] {
        &self.moves
    }
}

impl PositionAnalysis {
    /// The lines, the best one first.
    pub fn lines(&self) -> &[AnalysedLine] {
        &self.lines
    }

    /// What a position is worth in which this was found.
    pub fn evaluation(&self, position: &Position) -> Evaluation {
        let over = outcome(position).map(Assessment::Over);
        let worth = over.or_else(|| self.lines.first().map(AnalysedLine::worth));
        let worth = worth.unwrap_or(Assessment::Score(Score::Centipawns(0)));
        Evaluation { worth, depth: self.depth, nodes: self.nodes }
    }

    /// Whether this can be what was found in a position.
    pub(crate) fn check(
        &self,
        position: &Position,
        settings: &AnalysisSettings,
    ) -> Result<(), AnswerError> {
        let other = |what: &str| Err(AnswerError::Other(format!("{what} in {}", position.fen())));
        let wanted = match outcome(position) {
            Some(_) => 0,
            None => settings.multipv.clamp(1, position.legal_moves().len()),
        };
        if self.lines.len() != wanted {
            return other(&format!("{} lines instead of {wanted}", self.lines.len()));
        }
        if self.nodes != if wanted == 0 { 0 } else { settings.nodes } {
            return other("another number of nodes");
        }
        if settings.depth.is_some_and(|depth| self.depth > depth) {
            return other("a search that is too deep");
        }
        let mut firsts = Vec::new();
        for line in &self.lines {
            let moves = line.moves(position);
            if moves.is_empty() || moves.len() != line.moves.len() || moves.len() > LONGEST {
                return other(&format!("moves that cannot be played ({})", line.moves.join(" ")));
            }
            if Score::from_pgn(&line.score).is_none_or(|score| score == Score::Mate(0)) {
                return other(&format!("a score that is none ({})", line.score));
            }
            firsts.extend(moves.first().copied());
        }
        firsts.sort_unstable_by_key(|m| m.bits());
        firsts.dedup();
        if firsts.len() == self.lines.len() { Ok(()) } else { other("the same line twice") }
    }
}

/// How a position stands by the rules alone.
fn outcome(position: &Position) -> Option<Outcome> {
    Game::from_position(*position).outcome()
}

/// Searches a position with an engine that remembers nothing. None if it was stopped.
pub(crate) fn search(
    engine: &mut Engine,
    position: &Position,
    settings: &AnalysisSettings,
    stop: &Stop,
) -> Option<Result<PositionAnalysis, String>> {
    let game = Game::from_position(*position);
    if game.outcome().is_some() {
        return Some(Ok(PositionAnalysis { depth: 0, nodes: 0, lines: Vec::new() }));
    }
    let most = position.legal_moves().len();
    let multipv = settings.multipv.clamp(1, most);
    let limits = Limits {
        nodes: Some(settings.nodes),
        depth: settings.depth,
        multipv: Some(multipv),
        ..Limits::default()
    };
    // With very few nodes not even the first depth may be done.
    let first_depth = Limits { nodes: None, depth: Some(1), ..limits.clone() };
    for limits in [limits, first_depth] {
        if let Err(error) = engine.new_game() {
            return Some(Err(error.to_string()));
        }
        let mut rounds = Rounds::new(multipv);
        let thought = Thinker::think(engine, &game, &limits, stop, &mut |info| rounds.hear(info));
        if stop.is_stopped() {
            return None;
        }
        if let Err(error) = thought {
            return Some(Err(error.to_string()));
        }
        if let Some((depth, lines)) = rounds.whole {
            let turn = position.turn();
            let lines = lines.all().map(|info| {
                let score = match (turn, info.score) {
                    (Color::White, score) => score,
                    (Color::Black, Score::Centipawns(score)) => Score::Centipawns(-score),
                    (Color::Black, Score::Mate(moves)) => Score::Mate(-moves),
                };
                let mut at = *position;
                let mut moves = Vec::new();
                for &m in info.pv.iter().take(LONGEST) {
                    moves.push(at.uci(m));
                    at.play_unchecked(m);
                }
                AnalysedLine { score: score.pgn().to_string(), moves }
            });
            return Some(Ok(PositionAnalysis {
                depth,
                nodes: settings.nodes,
                lines: lines.collect(),
            }));
        }
    }
    Some(Err(format!("the engine has found nothing in {}", position.fen())))
}

/// All lines of one depth belong together: the last depth that has all of them counts.
struct Rounds {
    multipv: usize,
    depth: u32,
    now: Lines,
    whole: Option<(u32, Lines)>,
}

impl Rounds {
    fn new(multipv: usize) -> Rounds {
        Rounds { multipv, depth: 0, now: Lines::new(multipv), whole: None }
    }

    fn hear(&mut self, info: &tabiya_thinker::Info) {
        if info.bound != Bound::Exact || info.pv.is_empty() {
            return;
        }
        if info.depth != self.depth {
            self.depth = info.depth;
            self.now = Lines::new(self.multipv);
        }
        self.now.hear(info);
        if self.now.all().count() == self.multipv {
            self.whole = Some((self.depth, self.now.clone()));
        }
    }
}
