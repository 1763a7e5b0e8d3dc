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

/// How long an engine may think. Written as matches of engines have it, in seconds:
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
/// use tabiya_thinker::EngineLimit;
///
/// let limit: EngineLimit = "movetime=0.1".parse()?;
/// assert_eq!(limit, EngineLimit::MoveTime(Duration::from_millis(100)));
/// assert_eq!(limit.to_string(), "movetime=0.1");
/// # Ok::<(), tabiya_thinker::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineLimit {
    /// A chess clock.
    Clock(TimeControl),
    /// The same time for each move; what is left over is lost.
    MoveTime(Duration),
    /// So many positions for each move, without a clock.
    Nodes(u64),
    /// So many plies deep, without a clock.
    Depth(u32),
}

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
    /// The limit before the `=` is none that we know.
    #[error("there is no limit called \"{0}\": write movetime=0.1, nodes=20000 or depth=8")]
    UnknownLimit(String),
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
            Some((moves, rest)) => (Some(count(text, moves)?), rest),
            None => (None, text),
        };
        let (limit, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (time, increment) = (some_seconds(text, limit)?, seconds(text, increment)?);
        Ok(Seconds(TimeControl { moves, time, increment }))
    }
}

impl FromStr for EngineLimit {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<EngineLimit, TimeControlError> {
        let text = text.trim();
        Ok(match text.split_once('=') {
            None => EngineLimit::Clock(text.parse::<Seconds>()?.0),
            Some(("movetime", time)) => EngineLimit::MoveTime(some_seconds(text, time)?),
            Some(("nodes", nodes)) => EngineLimit::Nodes(count(text, nodes)?),
            Some(("depth", depth)) => EngineLimit::Depth(count(text, depth)?),
            Some((name, _)) => return Err(TimeControlError::UnknownLimit(excerpt(name))),
        })
    }
}

/// A part of a text that is a number of seconds.
fn seconds(text: &str, part: &str) -> Result<Duration, TimeControlError> {
    /// Long enough for any game, and far from what a `Duration` cannot hold.
    const YEAR: f64 = 366.0 * 86_400.0;
    time(part, 1.0, YEAR)
        .ok_or_else(|| TimeControlError::NotSeconds { text: excerpt(text), part: excerpt(part) })
}

/// The same, but not none.
fn some_seconds(text: &str, part: &str) -> Result<Duration, TimeControlError> {
    match seconds(text, part)? {
        Duration::ZERO => Err(TimeControlError::NoTime(excerpt(text))),
        time => Ok(time),
    }
}

/// A part of a text that is a whole number, 1 or more.
fn count<N: FromStr + Default + PartialEq>(text: &str, part: &str) -> Result<N, TimeControlError> {
    let number = part.parse().ok().filter(|number| *number != N::default());
    number.ok_or_else(|| TimeControlError::NotACount { text: excerpt(text), part: excerpt(part) })
}

impl EngineLimit {
    /// The time control as game records write it: `-` if there is no clock.
    ///
    /// ```
    /// # use tabiya_thinker::EngineLimit;
    /// let tag = |text: &str| text.parse::<EngineLimit>().unwrap().pgn_tag();
    /// assert_eq!(tag("5+0.05"), "5+0.05");
    /// assert_eq!(tag("movetime=0.1"), "1/0.1"); // one move in a tenth of a second
    /// assert_eq!(tag("nodes=20000"), "-");
    /// ```
    pub fn pgn_tag(self) -> String {
        match self {
            EngineLimit::Clock(_) => self.to_string(),
            EngineLimit::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
            EngineLimit::Nodes(_) | EngineLimit::Depth(_) => "-".to_owned(),
        }
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

impl fmt::Display for EngineLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EngineLimit::Clock(control) => Seconds(control).fmt(f),
            EngineLimit::MoveTime(time) => write!(f, "movetime={}", time.as_secs_f64()),
            EngineLimit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            EngineLimit::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_accepted_is_written_and_read_back_as_the_same(
            whole in "[0-9]{1,6}",
            text in "([0-9]{1,3}/)?[0-9]{0,6}(\\.[0-9]{0,12})?(\\+[0-9]{0,5}(\\.[0-9]{0,12})?)?",
            any in "[0-9./+=a-z-]{0,20}",
            milliseconds in 1..86_400_000_u64,
        ) {
            let exact = format!("{}", milliseconds as f64 / 60_000.0);
            for text in [&whole, &text, &any, &exact] {
                if let Ok(control) = text.parse::<Minutes>() {
                    prop_assert_eq!(control.to_string().parse(), Ok(control));
                    prop_assert!(!control.0.time.is_zero());
                }
                if let Ok(control) = text.parse::<Seconds>() {
                    prop_assert_eq!(control.to_string().parse(), Ok(control));
                }
                if let Ok(limit) = text.parse::<EngineLimit>() {
                    prop_assert_eq!(limit.to_string().parse(), Ok(limit));
                }
            }
            prop_assert_eq!(exact.parse::<Minutes>().unwrap().0.time, Duration::from_millis(milliseconds));
        }
    }

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
    fn limits_of_engines_are_read_or_refused() {
        let parse = |text: &str| text.parse::<EngineLimit>();
        for text in ["5+0.05", "0.25", "40/60", "40/1+0.01", "movetime=0.1", "nodes=1", "depth=8"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse(" 10+0 ").unwrap().to_string(), "10");
        assert_eq!(parse("movetime=2"), Ok(EngineLimit::MoveTime(Duration::from_secs(2))));
        for text in ["", "+", "5+", "x", "-1", "inf", "nan", "1e3", "40/", "1/2/3", "99999999999"] {
            assert!(matches!(parse(text), Err(TimeControlError::NotSeconds { .. })), "{text}");
        }
        for text in ["0/60", "a/60", "-1/60", "nodes=0", "nodes=", "depth=1.5", "depth=-1"] {
            assert!(matches!(parse(text), Err(TimeControlError::NotACount { .. })), "{text}");
        }
        for text in ["0+1", "0.0000001+0", "40/0", "movetime=0", "movetime=0.0004"] {
            assert_eq!(parse(text), Err(TimeControlError::NoTime(text.to_owned())));
        }
        assert!(matches!(parse("moves=3"), Err(TimeControlError::UnknownLimit(_))));
        let long = parse(&"9".repeat(10_000)).unwrap_err().to_string();
        assert!(long.len() < 200, "{long}");
    }
}
