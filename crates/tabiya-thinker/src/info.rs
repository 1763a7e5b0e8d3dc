use std::time::Duration;

use tabiya_base::{Bound, Score};
use tabiya_chess::Move;

/// What a search has found so far, of one line.
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
    /// # use tabiya_thinker::Info;
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Found {
    /// The move to play; none if there is no legal move.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
}
