use std::time::Duration;

use tabiya_chess::Color;
use tabiya_thinker::{Clocks, EngineLimit, Limits, TimeControl};

/// One player's clock, kept by the arbiter.
pub(crate) struct Clock {
    limit: EngineLimit,
    left: Duration,
    moves_made: u32,
}

impl Clock {
    pub(crate) fn new(limit: EngineLimit) -> Clock {
        let left = match limit {
            EngineLimit::Clock(TimeControl { time, .. }) => time,
            _ => Duration::ZERO,
        };
        Clock { limit, left, moves_made: 0 }
    }

    /// What a player is told about time when it is its turn.
    pub(crate) fn limits(clocks: &[Clock; 2], turn: Color) -> Limits {
        let [white, black] = clocks;
        let own = if turn == Color::White { white } else { black };
        let mut limits = Limits::default();
        match own.limit {
            EngineLimit::Clock(_) => {
                limits.clocks = Some(Clocks {
                    time: [white.left, black.left],
                    increment: [white.increment(), black.increment()],
                    moves_to_go: own.moves_to_go(),
                });
            }
            EngineLimit::MoveTime(time) => limits.movetime = Some(time),
            EngineLimit::Nodes(nodes) => limits.nodes = Some(nodes),
            EngineLimit::Depth(depth) => limits.depth = Some(depth),
        }
        limits
    }

    fn increment(&self) -> Duration {
        match self.limit {
            EngineLimit::Clock(control) => control.increment,
            _ => Duration::ZERO,
        }
    }

    fn moves_to_go(&self) -> Option<u32> {
        let EngineLimit::Clock(TimeControl { moves: Some(moves), .. }) = self.limit else {
            return None;
        };
        Some(moves - self.moves_made.checked_rem(moves)?)
    }

    /// What is left for the move that comes.
    pub(crate) fn left(&self) -> Duration {
        match self.limit {
            EngineLimit::MoveTime(time) => time,
            _ => self.left,
        }
    }

    /// Takes the time of a move off the clock and gives what the move earns. False if the flag has
    /// fallen; what the margin forgives is not owed later.
    pub(crate) fn press(&mut self, used: Duration, margin: Duration) -> bool {
        match self.limit {
            EngineLimit::Clock(TimeControl { moves, time, increment }) => {
                if used > self.left.saturating_add(margin) {
                    self.left = Duration::ZERO;
                    return false;
                }
                self.left = self.left.saturating_sub(used).saturating_add(increment);
                self.moves_made += 1;
                if moves.is_some() && self.moves_to_go() == moves {
                    self.left = self.left.saturating_add(time);
                }
                true
            }
            EngineLimit::MoveTime(time) => used <= time.saturating_add(margin),
            EngineLimit::Nodes(_) | EngineLimit::Depth(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().unwrap())
    }

    #[test]
    fn players_are_told_both_clocks() {
        let limits = Clock::limits(&[clock("40/60+0.5"), clock("5")], Color::White);
        let clocks = limits.clocks.unwrap();
        assert_eq!(clocks.time, [ms(60_000), ms(5000)]);
        assert_eq!((clocks.increment, clocks.moves_to_go), ([ms(500), ms(0)], Some(40)));
        let limits = Clock::limits(&[clock("movetime=0.1"), clock("nodes=5")], Color::White);
        assert_eq!((limits.movetime, limits.nodes, limits.clocks), (Some(ms(100)), None, None));
    }

    #[test]
    fn time_is_taken_and_the_increment_given() {
        let mut clock = clock("1+0.1");
        assert!(clock.press(ms(300), ms(0)));
        assert_eq!(clock.left, ms(800));
        assert!(!clock.press(ms(801), ms(0)));
        assert_eq!(clock.left, ms(0));
    }

    #[test]
    fn the_margin_forgives_but_does_not_lend() {
        let mut clock = clock("1+0.1");
        assert!(clock.press(ms(1020), ms(20)));
        assert_eq!(clock.left, ms(100));
        assert!(!clock.press(ms(121), ms(20)));
    }

    #[test]
    fn a_new_period_gives_the_time_again() {
        let mut clock = clock("2/1");
        assert_eq!(clock.moves_to_go(), Some(2));
        assert!(clock.press(ms(400), ms(0)));
        assert_eq!((clock.left, clock.moves_to_go()), (ms(600), Some(1)));
        assert!(clock.press(ms(400), ms(0)));
        assert_eq!((clock.left, clock.moves_to_go()), (ms(1200), Some(2)));
    }

    #[test]
    fn move_time_is_the_same_for_each_move() {
        let mut clock = clock("movetime=0.1");
        assert!(clock.press(ms(90), ms(0)));
        assert!(clock.press(ms(110), ms(10)));
        assert!(!clock.press(ms(111), ms(10)));
    }

    #[test]
    fn without_a_clock_no_flag_falls() {
        assert!(clock("nodes=5").press(ms(1_000_000), ms(0)));
        let limits = Clock::limits(&[clock("depth=1"), clock("1")], Color::White);
        assert_eq!((limits.depth, limits.clocks, limits.movetime), (Some(1), None, None));
    }

    #[test]
    fn a_period_of_no_moves_is_no_period() {
        let control = TimeControl { moves: Some(0), time: ms(5), increment: ms(1) };
        let mut clock = Clock::new(EngineLimit::Clock(control));
        assert!(clock.press(ms(1), ms(0)));
        assert_eq!((clock.left, clock.moves_to_go()), (ms(5), None));
    }
}
