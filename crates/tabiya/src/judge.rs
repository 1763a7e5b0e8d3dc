//! Our engine, and any UCI engine, as judges of moves.

use std::time::Duration;

use tabiya_chess::{Game, Move};
use tabiya_engine::{Engine, Limits, Settings};
use tabiya_lab::{Judge, Opinion, PlayerError, Score};
use tabiya_uci_protocol::{Client, Go, PositionCommand, Program};

/// Our engine, which begins each question with nothing in memory, so that answers repeat.
pub(crate) struct EngineJudge {
    engine: Engine,
}

impl EngineJudge {
    pub(crate) fn new(hash_megabytes: usize) -> EngineJudge {
        EngineJudge { engine: Engine::new(Settings { hash_megabytes, ..Settings::default() }) }
    }

    /// Asks within any limits.
    pub(crate) fn ask(&mut self, game: &Game, lines: usize, limits: Limits) -> Vec<Opinion> {
        self.engine.set(Settings { multipv: lines, ..*self.engine.settings() });
        self.engine.clear();
        let mut said = Said::default();
        let found = self.engine.think(game, limits, |info| {
            if let Some(&best) = info.pv.first() {
                said.hear(info.depth, info.multipv, best, info.score);
            }
        });
        // With very few nodes there is a move, but no line was finished.
        if let Some(best) = found.best
            && said.last.is_empty()
        {
            said.hear(0, 1, best, self.engine.evaluation(game.position()));
        }
        said.opinions(lines.min(game.position().legal_moves().len()))
    }
}

impl Judge for EngineJudge {
    fn judge(
        &mut self,
        game: &Game,
        lines: usize,
        nodes: u64,
    ) -> Result<Vec<Opinion>, PlayerError> {
        Ok(self.ask(game, lines, Limits { nodes: Some(nodes), ..Limits::default() }))
    }
}

/// Another engine, to confirm what ours has found.
pub(crate) struct Referee {
    client: Client,
}

impl Referee {
    pub(crate) fn start(program: &str) -> anyhow::Result<Referee> {
        Ok(Referee { client: Program::new(program).start()? })
    }
}

impl Judge for Referee {
    fn judge(
        &mut self,
        game: &Game,
        lines: usize,
        nodes: u64,
    ) -> Result<Vec<Opinion>, PlayerError> {
        let failed =
            |error: tabiya_uci_protocol::EngineError| PlayerError::Other(error.to_string());
        self.client.set_option("MultiPV", Some(&lines.to_string())).map_err(failed)?;
        self.client.new_game().map_err(failed)?;
        let chess960 = !game.start().castles_as_in_standard_chess();
        let position = PositionCommand::from_game(game, chess960);
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let mut said = Said::default();
        let hear = |info: &tabiya_uci_protocol::InfoMessage| {
            let first = info.pv.first().and_then(|text| game.position().parse_uci(text).ok());
            if let (Some(best), Some(told), tabiya_uci_protocol::Bound::Exact) =
                (first, info.score, info.bound)
            {
                said.hear(info.depth.unwrap_or(0), info.multipv.unwrap_or(1), best, told);
            }
        };
        self.client
            .go(&position, &go, Duration::from_secs(600), &tabiya_base::Stop::default(), hear)
            .map_err(failed)?;
        Ok(said.opinions(lines.min(game.position().legal_moves().len())))
    }
}

/// What an engine says of its lines while it looks deeper and deeper.
#[derive(Default)]
struct Said {
    depth: u32,
    /// The lines of this depth so far, and those of the last depth that was finished.
    now: Vec<Opinion>,
    last: Vec<Opinion>,
}

impl Said {
    fn hear(&mut self, depth: u32, line: u32, best: Move, score: Score) {
        if depth != self.depth {
            self.depth = depth;
            self.now.clear();
        }
        // A line may be told again, better.
        self.now.truncate(line.saturating_sub(1) as usize);
        self.now.push(Opinion { best, score });
        if self.now.len() >= self.last.len() {
            self.last = self.now.clone();
        }
    }

    /// As many lines as there should be, or the best one at least.
    fn opinions(self, lines: usize) -> Vec<Opinion> {
        let mut opinions = self.last;
        opinions.truncate(lines.max(1));
        opinions
    }
}
