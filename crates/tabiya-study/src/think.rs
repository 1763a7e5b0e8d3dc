use tabiya_base::Stop;
use tabiya_chess::{Color, Game};
use tabiya_thinker::{Info, Limits, Lines, ThinkError, ThinkErrorKind, Thinker, Timer};
use tabiya_view::Refusal;

use crate::{LineView, Report, Study};

/// So many lines are shown at most.
pub const MOST_LINES: usize = 5;

/// A position to think about, with the moves that led there, so that repetitions are seen.
///
/// ```
/// use tabiya_study::Study;
///
/// assert!(Study::new().question(0, 3).is_ok());
/// assert_eq!(Study::new().question(0, 6).unwrap_err().0, "Lines are 1 to 5.");
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) game: Game,
    pub(crate) lines: usize,
    pub(crate) chess960: bool,
}

impl Study {
    /// Asks for the best lines after a node.
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
    /// Has somebody think about it until there is nothing more to find or it is stopped, and tells whenever it knows
    /// more. If the game is over, that is said instead.
    pub fn ask(
        &self,
        thinker: &mut dyn Thinker,
        stop: &Stop,
        mut tell: impl FnMut(&Report),
    ) -> Result<(), ThinkError> {
        if stop.is_stopped() {
            return Ok(());
        }
        let position = self.game.position();
        if let Some(outcome) = position.outcome().filter(|_| !position.has_legal_moves()) {
            return Err(ThinkError::new(ThinkErrorKind::Other, outcome.to_string()));
        }
        let mut report = Report { engine: thinker.name().to_owned(), ..Report::default() };
        let mut lines = Lines::new(self.lines);
        let limits =
            Limits { multipv: Some(self.lines), timer: Some(Timer::start()), ..Limits::default() };
        thinker.think(&self.game, &limits, stop, &mut |info| {
            if lines.hear(info) {
                report.depth = info.depth;
                report.nodes = info.nodes;
                report.nodes_per_second = info.nodes_per_second();
                report.lines = lines.all().map(|info| self.line(info)).collect();
                tell(&report);
            }
        })?;
        Ok(())
    }

    fn line(&self, info: &Info) -> LineView {
        let score = info.score.for_white(self.game.position().turn() == Color::White);
        LineView {
            depth: info.depth,
            score: score.to_string(),
            expectation: f32::from(score.expectation()) / 1000.0,
            moves: self.told(&info.pv),
        }
    }
}
