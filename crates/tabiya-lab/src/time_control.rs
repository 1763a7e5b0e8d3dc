use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

/// How long a player may think.
///
/// Written as players write it, in seconds:
///
/// | text | meaning |
/// |---|---|
/// | `5+0.05` | five seconds for the game, and a twentieth for each move |
/// | `40/60` | sixty seconds for every forty moves |
/// | `40/60+0.5` | the same, and half a second for each move |
/// | `movetime=0.1` | a tenth of a second for each move |
/// | `nodes=20000` | no clock, 20,000 positions for each move |
/// | `depth=8` | no clock, eight plies deep |
///
/// ```
/// use std::time::Duration;
/// use tabiya_lab::TimeControl;
///
/// let control: TimeControl = "40/60+0.5".parse()?;
/// let expected = TimeControl::Clock {
///     moves: Some(40),
///     time: Duration::from_secs(60),
///     increment: Duration::from_millis(500),
/// };
/// assert_eq!(control, expected);
/// assert_eq!(control.to_string(), "40/60+0.5");
/// # Ok::<(), tabiya_lab::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(into = "String")]
pub enum TimeControl {
    /// A chess clock.
    Clock {
        /// The time is for so many moves, then it is given again; for the whole game if `None`.
        moves: Option<u32>,
        /// The time given.
        time: Duration,
        /// What is added after each move.
        increment: Duration,
    },
    /// The same time for each move; what is left over is lost.
    MoveTime(Duration),
    /// So many positions for each move, without a clock.
    Nodes(u64),
    /// So many plies deep, without a clock.
    Depth(u32),
}

impl TimeControl {
    /// The time control as game records write it: `-` if there is no clock.
    ///
    /// ```
    /// # use tabiya_lab::TimeControl;
    /// let tag = |text: &str| text.parse::<TimeControl>().unwrap().pgn_tag();
    /// assert_eq!(tag("5+0.05"), "5+0.05");
    /// assert_eq!(tag("movetime=0.1"), "1/0.1"); // one move in a tenth of a second
    /// assert_eq!(tag("nodes=20000"), "-");
    /// ```
    pub fn pgn_tag(self) -> String {
        match self {
            TimeControl::Clock { .. } => self.to_string(),
            TimeControl::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => "-".to_owned(),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Clock { moves, time, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", time.as_secs_f64())?;
                if !increment.is_zero() {
                    write!(f, "+{}", increment.as_secs_f64())?;
                }
                Ok(())
            }
            TimeControl::MoveTime(time) => write!(f, "movetime={}", time.as_secs_f64()),
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// Why a text is not a time control.
///
/// ```
/// use tabiya_lab::TimeControl;
///
/// let error = "5+x".parse::<TimeControl>().unwrap_err();
/// assert_eq!(error.to_string(), "in the time control \"5+x\", \"x\" is not a number of seconds");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TimeControlError {
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
    /// The limit before the `=` is none that we know.
    #[error("there is no limit called \"{0}\": write movetime=0.1, nodes=20000 or depth=8")]
    UnknownLimit(String),
    /// There is no time at all.
    #[error("the time control \"{0}\" leaves no time to think")]
    NoTime(String),
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let text = text.trim();
        let seconds = |part: &str| seconds(part).ok_or_else(|| not_seconds(text, part));
        let control = if let Some((name, value)) = text.split_once('=') {
            match name {
                "movetime" => TimeControl::MoveTime(seconds(value)?),
                "nodes" => TimeControl::Nodes(count(text, value)?),
                "depth" => TimeControl::Depth(count(text, value)?),
                _ => return Err(TimeControlError::UnknownLimit(cut(name))),
            }
        } else {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(count(text, moves)?), rest),
                None => (None, text),
            };
            let (time, increment) = match rest.split_once('+') {
                Some((time, increment)) => (seconds(time)?, seconds(increment)?),
                None => (seconds(rest)?, Duration::ZERO),
            };
            TimeControl::Clock { moves, time, increment }
        };
        match control {
            TimeControl::Clock { time, .. } | TimeControl::MoveTime(time) if time.is_zero() => {
                Err(TimeControlError::NoTime(cut(text)))
            }
            control => Ok(control),
        }
    }
}

fn seconds(text: &str) -> Option<Duration> {
    /// Long enough for any game, and far from what a `Duration` cannot hold.
    const YEAR: f64 = 366.0 * 86_400.0;
    // Only figures: `parse` would also take "inf", "1e3" and "-0".
    let figures = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = text.parse().ok().filter(|_| figures)?;
    Duration::try_from_secs_f64(value).ok().filter(|_| value <= YEAR)
}

fn not_seconds(text: &str, part: &str) -> TimeControlError {
    TimeControlError::NotSeconds { text: cut(text), part: cut(part) }
}

fn count<N: FromStr + Default + PartialEq>(text: &str, part: &str) -> Result<N, TimeControlError> {
    let number = part.parse().ok().filter(|number| *number != N::default());
    number.ok_or_else(|| TimeControlError::NotACount { text: cut(text), part: cut(part) })
}

/// A text short enough for a message of one line.
pub(crate) fn cut(text: &str) -> String {
    const LONGEST: usize = 40;
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match clean.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", clean.get(..end).unwrap_or_default()),
        None => clean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }

    #[test]
    fn every_form_is_read_and_written_alike() {
        for text in ["5+0.05", "0.25", "40/60", "40/1+0.01", "movetime=0.1", "nodes=1", "depth=8"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse(" 10+0 ").unwrap().to_string(), "10");
        assert_eq!(parse("movetime=2"), Ok(TimeControl::MoveTime(Duration::from_secs(2))));
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for text in ["", "+", "5+", "x", "-1", "inf", "nan", "1e3", "40/", "1/2/3", "99999999999"] {
            assert!(matches!(parse(text), Err(TimeControlError::NotSeconds { .. })), "{text}");
        }
        for text in ["0/60", "a/60", "-1/60", "nodes=0", "nodes=", "depth=1.5", "depth=-1"] {
            assert!(matches!(parse(text), Err(TimeControlError::NotACount { .. })), "{text}");
        }
        assert_eq!(parse("0+1"), Err(TimeControlError::NoTime("0+1".to_owned())));
        assert_eq!(parse("movetime=0"), Err(TimeControlError::NoTime("movetime=0".to_owned())));
        assert!(matches!(parse("moves=3"), Err(TimeControlError::UnknownLimit(_))));
        let long = parse(&"9".repeat(10_000)).unwrap_err().to_string();
        assert!(long.len() < 200, "{long}");
    }
}
