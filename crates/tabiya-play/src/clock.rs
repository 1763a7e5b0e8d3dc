use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::Side;

/// How much time each side has for a game: minutes at the start, and seconds for every move.
///
/// ```
/// use std::time::Duration;
/// use tabiya_play::TimeControl;
///
/// let blitz: TimeControl = "5+3".parse()?;
/// assert_eq!(blitz.initial, Duration::from_secs(300));
/// assert_eq!(blitz.increment, Duration::from_secs(3));
/// assert_eq!("0.5".parse::<TimeControl>()?.initial, Duration::from_secs(30));
/// assert_eq!(blitz.to_string(), "5+3");
/// # Ok::<(), tabiya_play::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// At the start.
    pub initial: Duration,
    /// Added after every move.
    pub increment: Duration,
}

/// A text that is no time control.
///
/// ```
/// use tabiya_play::{TimeControl, TimeControlError};
///
/// assert_eq!("soon".parse::<TimeControl>(), Err(TimeControlError));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("times are minutes and seconds for each move, like 5+3, 15+10 or 0.5+1")]
pub struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            text.parse::<f64>().ok().filter(|_| plain)
        };
        let initial = number(minutes).filter(|&minutes| minutes > 0.0 && minutes <= 1440.0);
        let increment = number(seconds).filter(|&seconds| seconds <= 3600.0);
        match (initial, increment) {
            (Some(minutes), Some(seconds)) => Ok(TimeControl {
                initial: Duration::from_millis((minutes * 60_000.0).round() as u64),
                increment: Duration::from_millis((seconds * 1000.0).round() as u64),
            }),
            _ => Err(TimeControlError),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.initial.as_secs_f64() / 60.0, self.increment.as_secs_f64())
    }
}

/// The clocks of both sides. Time is told from outside.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    pub(crate) control: TimeControl,
    /// What each side had left at the beginning of the turn.
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Side, Duration)>,
}

impl Clocks {
    pub(crate) const fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.initial; 2], running: None }
    }

    /// What a side has left at a time.
    pub(crate) fn left(&self, side: Side, now: Duration) -> Duration {
        let left = self.left[side as usize];
        match self.running {
            Some((runs, since)) if runs == side => left.saturating_sub(now.saturating_sub(since)),
            _ => left,
        }
    }

    pub(crate) fn both(&self, now: Duration) -> [Duration; 2] {
        [self.left(Side::White, now), self.left(Side::Black, now)]
    }

    pub(crate) fn is_running(&self, side: Side) -> bool {
        self.running.is_some_and(|(runs, _)| runs == side)
    }

    /// Whose clock runs, and for how long by now.
    pub(crate) fn running_since(&self, now: Duration) -> Option<(Side, Duration)> {
        self.running.map(|(side, since)| (side, now.saturating_sub(since)))
    }

    /// Who has overstepped the time.
    pub(crate) fn fallen(&self, now: Duration) -> Option<Side> {
        self.running.map(|(side, _)| side).filter(|&side| self.left(side, now).is_zero())
    }

    /// What both would have left if the side whose clock runs moved now.
    pub(crate) fn after_move(&self, now: Duration) -> [Duration; 2] {
        let mut left = self.both(now);
        if let Some((side, _)) = self.running {
            left[side as usize] += self.control.increment;
        }
        left
    }

    /// Lets a side's clock run from now on, or nobody's.
    pub(crate) fn start(&mut self, left: [Duration; 2], side: Option<Side>, now: Duration) {
        self.left = left;
        self.running = side.map(|side| (side, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn time_runs_for_one_side_and_increments_come_after_moves() {
        let mut clocks = Clocks::new("1+2".parse().unwrap());
        clocks.start([seconds(60); 2], Some(Side::White), seconds(10));
        assert_eq!(clocks.both(seconds(25)), [seconds(45), seconds(60)]);
        let left = clocks.after_move(seconds(25));
        assert_eq!(left, [seconds(47), seconds(60)]);
        clocks.start(left, Some(Side::Black), seconds(25));
        assert_eq!(clocks.fallen(seconds(84)), None);
        assert_eq!(clocks.fallen(seconds(85)), Some(Side::Black));
        clocks.start(clocks.both(seconds(30)), None, seconds(30));
        assert_eq!(clocks.both(seconds(1000)), [seconds(47), seconds(55)]);
        assert_eq!(clocks.fallen(seconds(1000)), None);
    }

    #[test]
    fn controls_are_read_or_refused() {
        for text in ["5+3", "15+10", "0.5+0", "1440+3600", "3+0.1"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in ["", "+", "0+3", "-1+3", "5+-3", "5+3+1", "inf", "nan", "1e3", "5+3s", "1441"] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError), "{text}");
        }
    }
}
