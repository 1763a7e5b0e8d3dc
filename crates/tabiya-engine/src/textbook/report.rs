use core::fmt;

use tabiya_chess::{Move, Position};

use super::Points;
use super::order::after;

/// What a search has found.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::Minimax;
///
/// let report = Minimax::to_depth(2).search(&Position::initial());
/// assert_eq!(report.nodes, 20 + 400);
/// assert_eq!(report.path.len(), 2);
/// assert_eq!(report.best, report.path.first().copied());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The best move; none if there is no legal move, or none was asked for (depth 0).
    pub best: Option<Move>,
    /// What it leads to, seen from White.
    pub score: Points,
    /// The line that leads there, with the best moves of both sides.
    pub path: Vec<Move>,
    /// Positions visited, not counting the one searched from.
    pub nodes: u64,
}

impl Report {
    pub(super) fn new(score: Points, path: Vec<Move>, nodes: u64) -> Report {
        Report { best: path.first().copied(), score, path, nodes }
    }

    /// The result in a line, with the moves of the path in algebraic notation, without marks for check.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::Minimax};
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
    /// let report = Minimax::to_depth(2).search(&position);
    /// assert_eq!(
    ///     report.line(&position).to_string(),
    ///     "optimal move with score #1 and move path: ||Ra8"
    /// );
    /// ```
    pub const fn line<'a>(&'a self, position: &'a Position) -> ResultLine<'a> {
        ResultLine { report: self, position }
    }
}

/// A report as a line of text: see [`Report::line`].
///
/// ```
/// # use {tabiya_chess::Position, tabiya_engine::textbook::Minimax};
/// let start = Position::initial();
/// let report = Minimax::to_depth(1).search(&start);
/// assert_eq!(
///     report.line(&start).to_string(),
///     "optimal move with score 0 and move path: ||a3"
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ResultLine<'a> {
    report: &'a Report,
    position: &'a Position,
}

impl fmt::Display for ResultLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "optimal move with score {} and move path: ||", self.report.score)?;
        let mut position = *self.position;
        for (i, &m) in self.report.path.iter().enumerate() {
            let bar = if i == 0 { "" } else { "|" };
            write!(f, "{bar}{}", position.san(m).trim_end_matches(['+', '#']))?;
            position = after(&position, m);
        }
        Ok(())
    }
}

/// A score and the moves that lead to it, the last one first: each node adds its move at the end.
pub(super) struct Line {
    pub(super) score: Points,
    reversed: Vec<Move>,
}

impl Line {
    pub(super) const fn leaf(score: Points) -> Line {
        Line { score, reversed: Vec::new() }
    }

    pub(super) fn preceded_by(mut self, m: Move) -> Line {
        self.reversed.push(m);
        self
    }

    pub(super) fn report(mut self, nodes: u64) -> Report {
        self.reversed.reverse();
        Report::new(self.score, self.reversed, nodes)
    }
}
