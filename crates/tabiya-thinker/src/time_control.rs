use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use tabiya_base::excerpt;
use thiserror::Error;

/// How much time each side has for a game.
///
/// It has no text of its own, because there are two: people write minutes ([`Minutes`], `5+3` is five minutes and three
/// seconds a move), matches of engines seconds ([`Seconds`], `5+0.05` is five seconds and a twentieth a move).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl {
    /// The time is for so many moves, then it is given again; for the whole game if `None`.
    pub moves: Option<u32>,
    /// The time given.
    pub time: Duration,
    /// What is added after each move.
    pub increment: Duration,
}

/// A time control as people write it: minutes, and seconds for each move.
///
/// ```
/// use std::time::Duration;
/// use tabiya_thinker::Minutes;
///
/// let Minutes(blitz) = "5+3".parse()?;
/// assert_eq!(blitz.time, Duration::from_secs(300));
/// assert_eq!(blitz.increment, Duration::from_secs(3));
/// assert_eq!("0.5".parse::<Minutes>()?.0.time, Duration::from_secs(30));
/// assert_eq!(Minutes(blitz).to_string(), "5+3");
/// # Ok::<(), tabiya_thinker::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Minutes(pub TimeControl);

/// A time control as matches of engines have it: seconds, `5+0.05`, `40/60+0.5`.
///
/// ```
/// use std::time::Duration;
/// use tabiya_thinker::Seconds;
///
/// let Seconds(control) = "40/60+0.5".parse()?;
/// assert_eq!((control.moves, control.time), (Some(40), Duration::from_secs(60)));
/// assert_eq!(Seconds(control).to_string(), "40/60+0.5");
/// # Ok::<(), tabiya_thinker::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seconds(pub TimeControl);

/// Why a text is no time control.
///
/// ```
/// use tabiya_thinker::{Minutes, Seconds};
///
/// let refusal = |text: &str| text.parse::<Seconds>().unwrap_err().to_string();
/// assert_eq!(refusal("5+x"), "in the time control \"5+x\", \"x\" is not a number of seconds");
/// assert_eq!(refusal("0.0000001+0"), "the time control \"0.0000001+0\" leaves no time to think");
/// assert_eq!(
///     "soon".parse::<Minutes>().unwrap_err().to_string(),
///     "times are minutes and seconds for each move, like 5+3, 15+10 or 0.5+1"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TimeControlError {
    /// Not what people write.
    #[error("times are minutes and seconds for each move, like 5+3, 15+10 or 0.5+1")]
    NotMinutes,
    /// A part that should be a number of seconds is not, or not a sensible one.
    #[error("in the time control \"{text}\", \"{part}\" is not a number of seconds")]
    NotSeconds {
        /// The whole text.
        text: String,
        /// The part.
        part: String,
    },
    /// A part that should be a whole number, 1 or more, is not.
    #[error("in the time control \"{text}\", \"{part}\" is not a whole number above 0")]
    NotACount {
        /// The whole text.
        text: String,
        /// The part.
        part: String,
    },
    /// There is less than a millisecond.
    #[error("the time control \"{0}\" leaves no time to think")]
    NoTime(String),
}

/// A number of units as a time, in whole milliseconds. Only figures: `parse` would also take "inf", "1e3" and "-0".
fn time(text: &str, unit: f64, most: f64) -> Option<Duration> {
    let figures = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = text.parse().ok().filter(|_| figures)?;
    (value <= most).then(|| Duration::from_millis((value * unit * 1000.0).round() as u64))
}

impl FromStr for Minutes {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Minutes, TimeControlError> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        match (time(minutes, 60.0, 1440.0), time(seconds, 1.0, 3600.0)) {
            (Some(time), Some(_)) if time.is_zero() => Err(TimeControlError::NoTime(excerpt(text))),
            (Some(time), Some(increment)) => {
                Ok(Minutes(TimeControl { moves: None, time, increment }))
            }
            _ => Err(TimeControlError::NotMinutes),
        }
    }
}

impl FromStr for Seconds {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Seconds, TimeControlError> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let count = moves.parse().ok().filter(|&moves: &u32| moves > 0);
                let wrong =
                    || TimeControlError::NotACount { text: excerpt(text), part: excerpt(moves) };
                (Some(count.ok_or_else(wrong)?), rest)
            }
            None => (None, text),
        };
        let (limit, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |part: &str| Seconds::time(text, part);
        let (time, increment) = (seconds(limit)?, seconds(increment)?);
        if time.is_zero() {
            return Err(TimeControlError::NoTime(excerpt(text)));
        }
        Ok(Seconds(TimeControl { moves, time, increment }))
    }
}

impl Seconds {
    /// The number of seconds in a part of a text.
    ///
    /// ```
    /// # use tabiya_thinker::Seconds;
    /// assert_eq!(Seconds::time("movetime=0.1", "0.1")?.as_millis(), 100);
    /// # Ok::<(), tabiya_thinker::TimeControlError>(())
    /// ```
    pub fn time(text: &str, part: &str) -> Result<Duration, TimeControlError> {
        /// Long enough for any game, and far from what a `Duration` cannot hold.
        const YEAR: f64 = 366.0 * 86_400.0;
        time(part, 1.0, YEAR).ok_or_else(|| TimeControlError::NotSeconds {
            text: excerpt(text),
            part: excerpt(part),
        })
    }
}

impl fmt::Display for Minutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.0.time.as_secs_f64() / 60.0, self.0.increment.as_secs_f64())
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.0.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.0.time.as_secs_f64())?;
        match self.0.increment.is_zero() {
            true => Ok(()),
            false => write!(f, "+{}", self.0.increment.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_read_or_refused() {
        for text in ["5+3", "15+10", "0.5+0", "1440+3600", "3+0.1"] {
            assert_eq!(text.parse::<Minutes>().unwrap().to_string(), text);
        }
        for text in ["", "+", "-1+3", "5+-3", "5+3+1", "inf", "nan", "1e3", "5+3s", "1441"] {
            assert_eq!(text.parse::<Minutes>(), Err(TimeControlError::NotMinutes), "{text}");
        }
        for text in ["0+3", "0.0000001+0", "0"] {
            let refused = Err(TimeControlError::NoTime(text.to_owned()));
            assert_eq!(text.parse::<Minutes>(), refused, "{text}");
        }
    }

    #[test]
    fn seconds_are_read_or_refused() {
        for text in ["5+0.05", "0.25", "40/60", "40/1+0.01"] {
            assert_eq!(text.parse::<Seconds>().unwrap().to_string(), text);
        }
        assert_eq!("10+0".parse::<Seconds>().unwrap().to_string(), "10");
        let parse = |text: &str| text.parse::<Seconds>();
        for text in ["", "+", "5+", "x", "-1", "inf", "nan", "1e3", "40/", "1/2/3", "99999999999"] {
            assert!(matches!(parse(text), Err(TimeControlError::NotSeconds { .. })), "{text}");
        }
        for text in ["0/60", "a/60", "-1/60"] {
            assert!(matches!(parse(text), Err(TimeControlError::NotACount { .. })), "{text}");
        }
        for text in ["0+1", "0.0000001+0", "40/0"] {
            assert!(matches!(parse(text), Err(TimeControlError::NoTime(_))), "{text}");
        }
        let long = parse(&"9".repeat(10_000)).unwrap_err().to_string();
        assert!(long.len() < 200, "{long}");
    }
}
