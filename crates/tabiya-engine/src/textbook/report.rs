use core::fmt;

use tabiya_base::Stop;
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
/// assert_eq!((report.depth, report.pv.len()), (2, 2));
/// assert_eq!(report.best, report.pv.first().copied());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchReport {
    /// The best move; none if there is no legal move, or none was asked for (depth 0).
    pub best: Option<Move>,
    /// What it leads to, seen from White.
    pub score: Points,
    /// How many plies were looked ahead. If the search was stopped, not all moves need have been looked at.
    pub depth: u32,
    /// The principal variation: the best moves of both sides.
    pub pv: Vec<Move>,
    /// Positions visited, not counting the one searched from.
    pub nodes: u64,
}

impl SearchReport {
    pub(super) fn new(score: Points, depth: u32, pv: Vec<Move>, nodes: u64) -> SearchReport {
        SearchReport { best: pv.first().copied(), score, depth, pv, nodes }
    }

    /// The result in a line, with the moves of the variation in algebraic notation, without marks for check.
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

/// A report as a line of text: see [`SearchReport::line`].
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
    report: &'a SearchReport,
    position: &'a Position,
}

impl fmt::Display for ResultLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "optimal move with score {} and move path: ||", self.report.score)?;
        let mut position = *self.position;
        for (i, &m) in self.report.pv.iter().enumerate() {
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

    pub(super) fn report(mut self, depth: u32, nodes: u64) -> SearchReport {
        self.reversed.reverse();
        SearchReport::new(self.score, depth, self.reversed, nodes)
    }
}

/// Counts the positions that a search visits, and looks up now and then: was it told to stop?
pub(super) struct NodeCounter<'a> {
    pub(super) nodes: u64,
    stop: &'a Stop,
}

/// The search was told to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

impl NodeCounter<'_> {
    const POLL_NODES: u64 = 1024;

    pub(super) const fn new(stop: &Stop) -> NodeCounter<'_> {
        NodeCounter { nodes: 0, stop }
    }

    #[inline]
    pub(super) fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(Self::POLL_NODES) && self.stop.is_stopped() {
            return Err(Stopped);
        }
        Ok(())
    }
}
