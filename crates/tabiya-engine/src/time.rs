//! How long to think.

use std::time::Duration;

use tabiya_chess::Color;

use crate::{Clocks, Limits};

/// Without a number of moves to go, count on so many more, whatever the move number.
const MOVES_TO_COME: u32 = 20;

/// Ways to the board that are kept back beyond those of the moves to come: a machine that has more to do than
/// it has cores can make a program wait for 60 milliseconds, and again on the next move.
const WAITS: u32 = 10;

/// Two limits: after the soft one no new iteration begins, at the hard one the search is cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Budget {
    pub(crate) soft: Duration,
    pub(crate) hard: Duration,
}

impl Budget {
    /// No limit of time.
    pub(crate) const UNLIMITED: Budget = Budget { soft: Duration::MAX, hard: Duration::MAX };

    /// What the limits allow to a side, with some time kept back for the way to the board.
    pub(crate) fn of(limits: &Limits, color: Color, overhead: Duration) -> Budget {
        let of_clocks = limits.clocks.map(|clocks| Budget::of_clocks(&clocks, color, overhead));
        let of_move = limits.movetime.map(|time| {
            let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
            Budget { soft: time, hard: time }
        });
        match (of_clocks, of_move) {
            (Some(a), Some(b)) => Budget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) },
            (Some(budget), None) | (None, Some(budget)) => budget,
            (None, None) => Budget::UNLIMITED,
        }
    }

    fn of_clocks(clocks: &Clocks, color: Color, overhead: Duration) -> Budget {
        let left = clocks.time[color as usize];
        let increment = clocks.increment[color as usize];
        let moves = clocks.moves_to_go.map_or(MOVES_TO_COME, |moves| moves.clamp(1, 40));
        // Every move to come has a way to the board as well: together with the waits a reserve for the moment
        // when the machine is busy with something else.
        let all = left + increment * (moves - 1);
        let share = all.saturating_sub(overhead * (moves + WAITS)).max(left / 50) / moves;
        let usable = left.saturating_sub(overhead).max(Duration::from_millis(1));
        let most = match moves {
            1..=4 => usable / 2,
            _ => usable / 4,
        };
        let hard = (share * 4).min(most).max(Duration::from_millis(1));
        Budget { soft: share.min(hard), hard }
    }
}

/// What the last iterations tell about how settled the choice is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Certainty {
    /// Iterations since the best move changed.
    pub(crate) stable: u32,
    /// By how much the score has fallen since the last iteration, in centipawns.
    pub(crate) fallen: i32,
    /// The share of all nodes spent on the best move, in thousandths.
    pub(crate) share: u32,
}

impl Certainty {
    /// The soft limit, longer in doubt and shorter when all is clear.
    pub(crate) fn adjust(&self, soft: Duration) -> Duration {
        let stable = [1500, 1250, 1100, 1000, 900, 850][self.stable.min(5) as usize];
        let fallen = 1000 + 8 * self.fallen.clamp(-20, 60);
        let share = 1750_u32.saturating_sub(self.share).clamp(750, 1500);
        let factor = stable as u128 * fallen as u128 * u128::from(share);
        Duration::from_nanos((soft.as_nanos() * factor / 1_000_000_000).min(u64::MAX.into()) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(left: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let ms = Duration::from_millis;
        let clocks = Clocks { time: [ms(left); 2], increment: [ms(increment); 2], moves_to_go };
        let limits = Limits { clocks: Some(clocks), ..Limits::default() };
        Budget::of(&limits, Color::White, ms(10))
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for left in [0, 1, 5, 11, 20, 50, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 30_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(1_000)] {
                    let budget = clocks(left, increment, moves_to_go);
                    assert!(budget.soft <= budget.hard);
                    let usable = left.saturating_sub(10).max(1);
                    assert!(budget.hard <= Duration::from_millis(usable), "{left} {increment}");
                }
            }
        }
    }

    #[test]
    fn a_session_lasts() {
        // Forty moves in one second: using the soft limit each time never runs dry.
        let mut left = Duration::from_secs(1);
        for moves in (1..=40).rev() {
            let budget = clocks(left.as_millis() as u64, 0, Some(moves));
            left = left.saturating_sub(budget.soft.max(Duration::from_millis(1)));
            assert!(left > Duration::ZERO, "{moves} moves to go");
        }
    }

    #[test]
    fn doubt_takes_time() {
        let soft = Duration::from_secs(1);
        let sure = Certainty { stable: 6, fallen: 0, share: 950 }.adjust(soft);
        let unsure = Certainty { stable: 0, fallen: 40, share: 300 }.adjust(soft);
        assert!(sure < soft && soft < unsure);
    }
}
