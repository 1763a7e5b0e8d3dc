use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tabiya_chess::{Color, Game};
use tabiya_engine::{Bound, Engine, Info, Limits, Timer};
use tabiya_play::{Refusal, Side};
use tabiya_uci::{Client, EngineError, Go, InfoMessage, PositionCommand};

use crate::line::{Worth, chances, score};
use crate::parts::side;
use crate::{Line, Report, Study};

/// So many lines are shown at most.
///
/// ```
/// assert_eq!(tabiya_study::MOST_LINES, 5);
/// ```
pub const MOST_LINES: usize = 5;

/// A search ends after this time, whoever asked.
const LONGEST: Duration = Duration::from_secs(300);

/// A position to think about, with the moves that led there, so that repetitions are seen.
///
/// ```
/// use tabiya_study::Study;
///
/// let question = Study::new().question(0, 3)?;
/// assert!(Study::new().question(0, 6).is_err());
/// # drop(question);
/// # Ok::<(), tabiya_play::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) game: Game,
    pub(crate) lines: usize,
    pub(crate) chess960: bool,
}

impl Study {
    /// Asks for the best lines after a node.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// assert_eq!(Study::new().question(0, 0).unwrap_err().0, "Lines are 1 to 5.");
    /// ```
    pub fn question(&self, node: usize, lines: usize) -> Result<Question, Refusal> {
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(Refusal(format!("Lines are 1 to {MOST_LINES}.")));
        }
        let id = self.id(node)?;
        let tree = self.game.tree();
        let mut game = Game::from_position(*tree.start());
        for id in tree.line_to(id) {
            match tree.played(id) {
                Some(m) => game.play_unchecked(m),
                // Nobody can pass in a game: what comes after is a game of its own.
                None => game = Game::from_position(tree.position(id)),
            }
        }
        Ok(Question { game, lines, chess960: self.chess960() })
    }
}

impl Question {
    fn turn(&self) -> Side {
        side(self.game.position().turn())
    }
}

/// Ends a search from anywhere.
///
/// ```
/// use tabiya_study::{Engines, OURS, Stop, Study};
///
/// let stop = Stop::default();
/// let question = Study::new().question(0, 2)?;
/// let ours = stop.clone();
/// Engines::default().think(OURS, &question, &stop, |report| {
///     assert!(report.lines.len() <= 2);
///     ours.stop();
/// }).unwrap();
/// assert!(stop.is_wanted());
/// # Ok::<(), tabiya_play::Refusal>(())
/// ```
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    wanted: AtomicBool,
    engine: tabiya_engine::Stopper,
    client: Mutex<Option<tabiya_uci::Stopper>>,
}

impl Stop {
    /// Ends the search, or has it not begin.
    ///
    /// ```
    /// tabiya_study::Stop::default().stop();
    /// ```
    pub fn stop(&self) {
        self.0.wanted.store(true, Ordering::Relaxed);
        self.0.engine.stop();
        if let Some(stopper) = &*self.client() {
            stopper.stop();
        }
    }

    /// Whether somebody wants the end.
    ///
    /// ```
    /// assert!(!tabiya_study::Stop::default().is_wanted());
    /// ```
    pub fn is_wanted(&self) -> bool {
        self.0.wanted.load(Ordering::Relaxed)
    }

    fn client(&self) -> MutexGuard<'_, Option<tabiya_uci::Stopper>> {
        self.0.client.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was heard last of each line.
struct Heard<'a> {
    question: &'a Question,
    lines: Vec<Option<Line>>,
    report: Report,
}

impl<'a> Heard<'a> {
    fn new(question: &'a Question, engine: String) -> Heard<'a> {
        let lines = vec![None; question.lines];
        Heard { question, lines, report: Report { engine, ..Report::default() } }
    }

    /// Notes a line; one that is only a bound does not replace a better known one.
    fn hear(&mut self, index: usize, line: Line, exact: bool) {
        if let Some(slot) = self.lines.get_mut(index)
            && (exact || slot.is_none())
        {
            *slot = Some(line);
        }
    }

    fn tell(&mut self, tell: &mut impl FnMut(&Report)) {
        self.report.lines = self.lines.iter().map_while(Clone::clone).collect();
        tell(&self.report);
    }
}

/// Has our own engine think.
pub(crate) fn ours(
    engine: &mut Engine,
    question: &Question,
    stop: &Stop,
    mut tell: impl FnMut(&Report),
) {
    let mut heard = Heard::new(question, "Tabiya".to_owned());
    let turn = question.turn();
    let limits =
        Limits { movetime: Some(LONGEST), timer: Some(Timer::start()), ..Limits::default() };
    let _ = engine.think_until(&question.game, limits, &stop.0.engine, |info: &Info| {
        let worth = match info.score {
            tabiya_engine::Score::Centipawns(score) => Worth::Centipawns(score),
            tabiya_engine::Score::Mate(moves) => Worth::Mate(moves),
        };
        let won = f32::from(info.chances.win) + f32::from(info.chances.draw) / 2.0;
        let won = won / 1000.0;
        let chances = if turn == Side::White { won } else { 1.0 - won };
        let moves = question.told(&info.pv);
        let line = Line { depth: info.depth, score: score(worth, turn), chances, moves };
        heard.hear(info.multipv.saturating_sub(1) as usize, line, info.bound == Bound::Exact);
        heard.report.depth = info.depth;
        heard.report.nodes = info.nodes;
        heard.report.nodes_per_second = info.nodes_per_second();
        heard.tell(&mut tell);
    });
}

/// Has another program think. After an error it is gone.
pub(crate) fn theirs(
    client: &mut Client,
    question: &Question,
    stop: &Stop,
    mut tell: impl FnMut(&Report),
) -> Result<(), EngineError> {
    let offered = |name: &str| client.options().iter().any(|option| option.is_named(name));
    let (many, chess960) = (offered("MultiPV"), offered("UCI_Chess960"));
    if many {
        let lines = question.lines.to_string();
        client.set_option("MultiPV", Some(&lines))?;
    }
    if chess960 {
        let value = question.chess960.to_string();
        client.set_option("UCI_Chess960", Some(&value))?;
    }
    let stopper = client.stopper();
    *stop.client() = Some(stopper.clone());
    let mut heard = Heard::new(question, client.name().to_owned());
    // Mate or stalemate: programs have been seen to hang.
    if !question.game.position().has_legal_moves() {
        heard.tell(&mut tell);
        return Ok(());
    }
    let position = PositionCommand::from_game(&question.game, question.chess960);
    let go = Go { infinite: true, ..Go::default() };
    let answer = client.go(&position, &go, LONGEST, |info| {
        // It may have been asked to stop just before it began.
        if stop.is_wanted() {
            stopper.stop();
        }
        if heard.take(info) {
            heard.tell(&mut tell);
        }
    });
    *stop.client() = None;
    answer?;
    Ok(())
}

impl Heard<'_> {
    /// Takes in what another program says; true if it is about a line.
    fn take(&mut self, info: &InfoMessage) -> bool {
        self.report.nodes = info.nodes.unwrap_or(self.report.nodes);
        self.report.nodes_per_second = info.nps.unwrap_or(self.report.nodes_per_second);
        let (Some(known), false) = (info.score, info.pv.is_empty()) else { return false };
        let worth = match known {
            tabiya_uci::Score::Centipawns(score) => Worth::Centipawns(score),
            tabiya_uci::Score::Mate(moves) => Worth::Mate(moves),
        };
        let depth = info.depth.unwrap_or(0);
        self.report.depth = depth;
        let mut position = *self.question.game.position();
        let mut moves = Vec::new();
        for text in info.pv.iter().take(32) {
            let Ok(m) = position.parse_uci(text) else { break };
            position.play_unchecked(m);
            moves.push(m);
        }
        let turn = self.question.turn();
        let line = Line {
            depth,
            score: score(worth, turn),
            chances: chances(worth, turn),
            moves: self.question.told(&moves),
        };
        let index = info.multipv.unwrap_or(1).saturating_sub(1) as usize;
        self.hear(index, line, info.bound == tabiya_uci::Bound::Exact);
        true
    }
}

/// The side to move has no move: how that is called.
pub(crate) fn over(question: &Question) -> Option<String> {
    let position = question.game.position();
    (!position.has_legal_moves()).then(|| match (position.is_check(), position.turn()) {
        (true, Color::White) => "Checkmate: Black wins".to_owned(),
        (true, Color::Black) => "Checkmate: White wins".to_owned(),
        (false, _) => "Draw by stalemate".to_owned(),
    })
}
