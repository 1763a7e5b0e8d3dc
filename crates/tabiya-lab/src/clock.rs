use std::time::Duration;

use tabiya_chess::Color;

use crate::TimeControl;

/// What a player is told about time when it is its turn.
///
/// ```
/// use std::time::Duration;
/// use tabiya_chess::Color;
/// use tabiya_lab::{ClockState, TimeControl};
///
/// let control: TimeControl = "40/60+0.5".parse()?;
/// let clock = ClockState::at_start(Color::White, [control; 2]);
/// assert_eq!(clock.time, [Duration::from_secs(60); 2]);
/// assert_eq!(clock.moves_to_go, Some(40));
/// assert_eq!(clock.allowed(), Some(Duration::from_secs(60)));
/// # Ok::<(), tabiya_lab::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockState {
    /// Whose turn it is.
    pub turn: Color,
    /// How the player whose turn it is is limited.
    pub control: TimeControl,
    /// The time left to White and to Black; zero for a player without a clock.
    pub time: [Duration; 2],
    /// What White and Black get for a move.
    pub increment: [Duration; 2],
    /// Moves until the player whose turn it is gets more time.
    pub moves_to_go: Option<u32>,
}

impl ClockState {
    /// The clocks before the first move.
    ///
    /// ```
    /// # use tabiya_chess::Color;
    /// # use tabiya_lab::{ClockState, TimeControl};
    /// let odds = [TimeControl::Depth(1), TimeControl::Nodes(5000)];
    /// let clock = ClockState::at_start(Color::Black, odds);
    /// assert_eq!(clock.control, TimeControl::Nodes(5000));
    /// ```
    pub fn at_start(turn: Color, controls: [TimeControl; 2]) -> ClockState {
        ClockState::of(turn, &controls.map(Clock::new))
    }

    /// What two clocks show.
    pub(crate) fn of(turn: Color, clocks: &[Clock; 2]) -> ClockState {
        let [white, black] = clocks;
        let own = if turn == Color::White { white } else { black };
        ClockState {
            turn,
            control: own.control,
            time: [white.left, black.left],
            increment: [white.increment(), black.increment()],
            moves_to_go: own.moves_to_go(),
        }
    }

    /// How long the player may think about this move; none if it has no clock.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_chess::Color;
    /// # use tabiya_lab::{ClockState, TimeControl};
    /// let second = TimeControl::MoveTime(Duration::from_secs(1));
    /// let clock = ClockState::at_start(Color::White, [second, TimeControl::Depth(3)]);
    /// assert_eq!(clock.allowed(), Some(Duration::from_secs(1)));
    /// ```
    pub fn allowed(&self) -> Option<Duration> {
        let [white, black] = self.time;
        match self.control {
            TimeControl::Clock { .. } if self.turn == Color::White => Some(white),
            TimeControl::Clock { .. } => Some(black),
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        }
    }
}

/// One player's clock, kept by the arbiter.
pub(crate) struct Clock {
    control: TimeControl,
    left: Duration,
    moves_made: u32,
}

impl Clock {
    pub(crate) fn new(control: TimeControl) -> Clock {
        let left = match control {
            TimeControl::Clock { time, .. } | TimeControl::MoveTime(time) => time,
            TimeControl::Nodes(_) | TimeControl::Depth(_) => Duration::ZERO,
        };
        Clock { control, left, moves_made: 0 }
    }

    fn increment(&self) -> Duration {
        match self.control {
            TimeControl::Clock { increment, .. } => increment,
            _ => Duration::ZERO,
        }
    }

    fn moves_to_go(&self) -> Option<u32> {
        let TimeControl::Clock { moves: Some(moves), .. } = self.control else { return None };
        Some(moves - self.moves_made.checked_rem(moves)?)
    }

    /// Takes the time of a move off the clock and gives what the move earns. False if the flag has
    /// fallen; what the margin forgives is not owed later.
    pub(crate) fn press(&mut self, used: Duration, margin: Duration) -> bool {
        match self.control {
            TimeControl::Clock { moves, time, increment } => {
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
            TimeControl::MoveTime(time) => used <= time.saturating_add(margin),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => true,
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
        assert_eq!(ClockState::of(Color::White, &[clock("depth=1"), clock("1")]).allowed(), None);
    }

    #[test]
    fn a_period_of_no_moves_is_no_period() {
        let control = TimeControl::Clock { moves: Some(0), time: ms(5), increment: ms(1) };
        let mut clock = Clock::new(control);
        assert!(clock.press(ms(1), ms(0)));
        assert_eq!((clock.left, clock.moves_to_go()), (ms(5), None));
    }
}
