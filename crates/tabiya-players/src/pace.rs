use std::fmt;
use std::str::FromStr;

use crate::PlayerError;

/// How soon a computer answers. Without one it does at once.
///
/// ```
/// use tabiya_players::{Pace, Player};
///
/// let player: Player = "tabiya:1200 pace=person".parse()?;
/// assert_eq!(player.options.pace, Some(Pace::Person));
/// assert_eq!(player.to_string(), "tabiya:1200 pace=person");
/// let refusal = "tabiya pace=slow".parse::<Player>().unwrap_err().to_string();
/// assert_eq!(refusal, "the option pace is moment or person, not \"slow\"");
/// # Ok::<(), tabiya_players::PlayerError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// After a moment.
    Moment,
    /// As a person might: by the clock, the phase of the game and how much there is to choose from.
    Person,
}

impl FromStr for Pace {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Pace, PlayerError> {
        match text {
            "moment" => Ok(Pace::Moment),
            "person" => Ok(Pace::Person),
            _ => Err(PlayerError::NoPace(tabiya_base::excerpt(text))),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pace::Moment => "moment",
            Pace::Person => "person",
        })
    }
}
