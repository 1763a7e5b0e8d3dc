use std::time::Duration;

use tabiya_chess::Move;

use crate::{Bound, Chances, Score};

/// What a search has found so far.
///
/// ```
/// use tabiya_engine::{Info, Score};
///
/// let info = Info { depth: 3, score: Score::Centipawns(20), ..Info::default() };
/// assert_eq!(info.multipv, 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// How deep it looked at everything.
    pub depth: u32,
    /// How deep it looked at the most forced lines.
    pub seldepth: u32,
    /// Which of several lines this is, from 1, the best.
    pub multipv: u32,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The chances that the score stands for.
    pub chances: Chances,
    /// Positions visited, by all threads.
    pub nodes: u64,
    /// The time since the search was asked for; zero without a timer.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u16,
    /// The line expected: legal to its end.
    pub pv: Vec<Move>,
}

impl Default for Info {
    fn default() -> Info {
        Info {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::Centipawns(0),
            bound: Bound::Exact,
            chances: Chances { win: 0, draw: 1000, loss: 0 },
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
        }
    }
}

impl Info {
    /// Positions a second; 0 if no time has passed.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_engine::Info;
    /// let info = Info { nodes: 500, time: Duration::from_millis(250), ..Info::default() };
    /// assert_eq!(info.nodes_per_second(), 2000);
    /// ```
    pub fn nodes_per_second(&self) -> u64 {
        match self.time.as_nanos() {
            0 => 0,
            nanos => (u128::from(self.nodes) * 1_000_000_000 / nanos) as u64,
        }
    }
}

/// What a search ends with.
///
/// ```
/// use tabiya_engine::Found;
///
/// let nothing = Found { best: None, ponder: None };
/// assert_eq!(nothing.best, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Found {
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
}
