//! Another engine as a [`Thinker`].

use std::time::{Duration, Instant};

use tabiya_base::{Score, Stop};
use tabiya_chess::{Color, Game, Move};
use tabiya_thinker::{Found, Info, Limits, ThinkError, ThinkErrorKind, Thinker};

use crate::{Client, EngineError, Go, InfoMessage, PositionCommand};

/// How much later than its time an answer may come before the engine is told to stop.
const GRACE: Duration = Duration::from_secs(5);

impl Go {
    /// What UCI can say of limits, for a game.
    ///
    /// ```
    /// use tabiya_chess::Game;
    /// use tabiya_thinker::Limits;
    /// use tabiya_uci_protocol::Go;
    ///
    /// let limits = Limits { nodes: Some(500), ..Limits::default() };
    /// assert_eq!(Go::from_limits(&limits, &Game::new()).nodes, Some(500));
    /// assert!(Go::from_limits(&Limits::default(), &Game::new()).infinite);
    /// ```
    pub fn from_limits(limits: &Limits, game: &Game) -> Go {
        let chess960 = !game.start().castles_as_in_standard_chess();
        let write = |m: &Move| match chess960 {
            true => game.position().uci_chess960(*m),
            false => game.position().uci(*m),
        };
        let mut go = Go {
            searchmoves: limits.search_moves.iter().map(write).collect(),
            depth: limits.depth,
            nodes: limits.nodes.or(limits.soft_nodes),
            mate: limits.mate,
            movetime: limits.movetime,
            ponder: limits.ponder,
            ..Go::default()
        };
        if let Some(clocks) = limits.clocks {
            let ([white, black], [white_increment, black_increment]) =
                (clocks.time, clocks.increment);
            (go.wtime, go.btime) = (Some(white), Some(black));
            (go.winc, go.binc) = (Some(white_increment), Some(black_increment));
            go.movestogo = clocks.moves_to_go;
        }
        let is_limited = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let is_timed = go.movetime.is_some() || go.wtime.is_some();
        go.infinite = limits.infinite || !(is_limited || is_timed);
        go
    }
}

impl Thinker for Client {
    fn name(&self) -> &str {
        Client::name(self)
    }

    fn new_game(&mut self) -> Result<(), ThinkError> {
        Ok(Client::new_game(self)?)
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        // Mate or stalemate: programs have been seen to hang.
        if !game.position().has_legal_moves() {
            return Ok(Found { best: None, ponder: None });
        }
        let chess960 = !game.start().castles_as_in_standard_chess();
        self.set_if_offered("MultiPV", limits.multipv.map(|lines| lines.to_string()))?;
        self.set_if_offered("UCI_Chess960", Some(chess960.to_string()))?;
        let go = Go::from_limits(limits, game);
        let clock = limits.clocks.map(|clocks| match game.position().turn() {
            Color::White => clocks.time[0],
            Color::Black => clocks.time[1],
        });
        let limit = match limits.movetime.or(clock) {
            Some(limit) => limit + GRACE,
            None if go.infinite => Duration::MAX,
            None => Limits::LONGEST_UNTIMED,
        };
        let position = PositionCommand::from_game(game, chess960);
        let start = Instant::now();
        let answer = self.go(&position, &go, limit, stop, |message| {
            if let Some(info) = message.line(game, start.elapsed()) {
                on_info(&info);
            }
        })?;
        let read = |text: Option<String>| game.position().parse_uci(&text?).ok();
        let best = read(answer.best_move.best);
        let ponder = best.zip(answer.best_move.ponder).and_then(|(best, text)| {
            let mut next = *game.position();
            next.play_unchecked(best);
            next.parse_uci(&text).ok()
        });
        Ok(Found { best, ponder })
    }
}

impl Client {
    /// Sets an option if the engine has it and it is not so already.
    fn set_if_offered(&mut self, name: &str, value: Option<String>) -> Result<(), EngineError> {
        let offered = self.options().iter().any(|option| option.is_named(name));
        match value {
            Some(value) if offered && self.current.get(name) != Some(&value) => {
                self.set_option(name, Some(&value))?;
                self.current.insert(name.to_owned(), value);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl InfoMessage {
    /// What an engine says of a line of a game, as far as it makes sense; none if it is about something else. If it does
    /// not tell the time, so much has passed.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabiya_chess::Game;
    /// use tabiya_uci_protocol::Message;
    ///
    /// let Message::Info(message) = Message::parse("info depth 9 score cp 31 pv e2e4 e7e5 e1e8") else { panic!() };
    /// let info = message.line(&Game::new(), Duration::ZERO).unwrap();
    /// assert_eq!((info.depth, info.pv.len()), (9, 2)); // no king goes so far
    /// ```
    pub fn line(&self, game: &Game, elapsed: Duration) -> Option<Info> {
        let score = self.score?;
        let mut position = *game.position();
        let mut pv = Vec::new();
        for text in &self.pv {
            let Ok(m) = position.parse_uci(text) else { break };
            position.play_unchecked(m);
            pv.push(m);
        }
        // Scores of no position at all are cut to what people can read.
        let score = match score {
            Score::Centipawns(score) => Score::Centipawns(score.clamp(-100_000, 100_000)),
            mate => mate,
        };
        let nodes = self.nodes.unwrap_or(0);
        let time = self.time.or_else(|| {
            let nps = self.nps.filter(|&nps| nps > 0)?;
            Duration::try_from_secs_f64(nodes as f64 / nps as f64).ok()
        });
        Some(Info {
            depth: self.depth.unwrap_or(0),
            seldepth: self.seldepth.unwrap_or(0),
            multipv: self.multipv.unwrap_or(1),
            score,
            bound: self.bound,
            nodes,
            time: time.unwrap_or(elapsed),
            hashfull: self.hashfull.unwrap_or(0).min(1000) as u16,
            pv,
        })
    }
}

impl From<EngineError> for ThinkError {
    fn from(error: EngineError) -> ThinkError {
        use ThinkErrorKind::{Crashed, IllegalMove, Other, Timeout};
        let detail = error.to_string();
        let (engine, kind, message) = match error {
            EngineError::NotStarted { engine, .. } => {
                (engine, Other, "cannot be started".to_owned())
            }
            EngineError::Exited { engine, task, .. } => {
                (engine, Crashed, format!("ended when asked to {task}"))
            }
            EngineError::Silent { engine, task, .. }
            | EngineError::NotListening { engine, task } => {
                (engine, Timeout, format!("was asked to {task} and does not answer; it was ended"))
            }
            EngineError::BadOption { engine, error } => {
                (engine, Other, format!("cannot be set up: {error}"))
            }
            EngineError::BadPosition { engine, .. } => {
                (engine, Other, "cannot think about this position".to_owned())
            }
            EngineError::IllegalMove { engine, text, .. } => {
                (engine, IllegalMove, format!("wants to play {text:?}"))
            }
        };
        ThinkError { kind, thinker: engine, message, detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    #[test]
    fn numbers_of_no_engine_are_no_panic() {
        let most = u64::MAX;
        let text =
            format!("info depth 1 score cp -{most} nodes {most} nps 1 hashfull {most} pv e2e4");
        for text in [text, "info score mate -2147483648 nodes 5 nps 0 pv e2e4".to_owned()] {
            let Message::Info(message) = Message::parse(&text) else { panic!("{text}") };
            let line = message.line(&Game::new(), Duration::from_secs(7));
            assert!(line.is_none_or(|line| line.time == Duration::from_secs(7)), "{text}");
        }
        let message = InfoMessage {
            score: Some(Score::Centipawns(3)),
            nodes: Some(most),
            nps: Some(1),
            ..InfoMessage::default()
        };
        let line = message.line(&Game::new(), Duration::from_secs(7)).unwrap();
        assert_eq!(line.time, Duration::from_secs(7));
    }
}
