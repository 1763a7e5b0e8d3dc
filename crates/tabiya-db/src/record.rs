//! A game as it is kept.

use std::fmt;

use tabiya_base::excerpt;
use tabiya_chess::Position;
use tabiya_pgn::GameResult;

use crate::error::ParseFilterError;
use crate::signature::Signature;
use crate::{Unpack, unpack};

/// A game as it is kept: who, when, where, and the moves in about a byte each.
///
/// ```
/// use tabiya_db::records;
///
/// let (games, bad) = records("[White \"Tal\"]\n[Black \"Botvinnik\"]\n[Date \"1960.03.15\"]\n\n1. e4 c6 1-0\n");
/// assert!(bad.is_empty());
/// assert_eq!((games[0].white.as_str(), games[0].plies), ("Tal", 2));
/// assert!(games[0].pgn().ends_with("\n\n1. e4 c6 1-0\n"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StoredGame {
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// The tag Event.
    pub event: String,
    /// The tag Site.
    pub site: String,
    /// The tag Round.
    pub round: String,
    /// When it was played, as far as that is known.
    pub day: Day,
    /// White's rating; 0 if it is not known.
    pub white_elo: u16,
    /// Black's rating; 0 if it is not known.
    pub black_elo: u16,
    /// How it ended.
    pub result: GameResult,
    /// The code of the opening, as the record tells it.
    pub eco: String,
    /// The tag TimeControl.
    pub time_control: String,
    /// How fast it was.
    pub speed: Speed,
    /// Where it begins, if not at the usual place.
    pub fen: Option<String>,
    /// How many moves of either side.
    pub plies: u16,
    /// The moves; see [`unpack`].
    pub moves: Vec<u8>,
    /// What is left on the board and where pawns have stood.
    pub signature: Signature,
    /// The other tags, a line for each: name, space, value.
    pub tags: String,
    /// The moves as they stood in the file, if there was more than moves: comments, variations, judgements.
    pub movetext: Option<String>,
}

impl StoredGame {
    /// The position in which the game begins; none if the record is damaged.
    pub fn start(&self) -> Option<Position> {
        start(self.fen.as_deref())
    }

    /// The positions and steps of the game, none if it cannot begin.
    pub fn steps(&self) -> Option<Unpack<'_>> {
        self.start().map(|start| unpack(start, &self.moves))
    }

    /// The game as PGN, with all that was in its record.
    pub fn pgn(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        };
        let or = |value: &str| if value.is_empty() { "?".to_owned() } else { value.to_owned() };
        tag("Event", &or(&self.event));
        tag("Site", &or(&self.site));
        tag("Date", &self.day.to_string());
        tag("Round", &or(&self.round));
        tag("White", &or(&self.white));
        tag("Black", &or(&self.black));
        tag("Result", self.result.notation());
        for (name, elo) in [("WhiteElo", self.white_elo), ("BlackElo", self.black_elo)] {
            if elo > 0 {
                tag(name, &elo.to_string());
            }
        }
        for (name, value) in [("ECO", &self.eco), ("TimeControl", &self.time_control)] {
            if !value.is_empty() {
                tag(name, value);
            }
        }
        if let Some(fen) = &self.fen {
            tag("SetUp", "1");
            tag("FEN", fen);
        }
        for line in self.tags.lines() {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            tag(name, value);
        }
        text.push('\n');
        match &self.movetext {
            Some(movetext) => {
                text.push_str(movetext.trim());
                text.push('\n');
            }
            None => self.write_moves(&mut text),
        }
        text
    }

    fn write_moves(&self, text: &mut String) {
        let mut column = 0;
        let mut word = |word: &str| {
            if column > 0 && column + 1 + word.len() > 80 {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += word.len();
        };
        let mut first = true;
        for (before, step) in self.steps().into_iter().flatten() {
            let san = match step {
                crate::NextMove::End => break,
                crate::NextMove::Null => "--".to_owned(),
                crate::NextMove::Move(m) => before.san(m),
            };
            match before.turn() {
                tabiya_chess::Color::White => word(&format!("{}.", before.fullmove_number())),
                tabiya_chess::Color::Black if first => {
                    word(&format!("{}...", before.fullmove_number()));
                }
                tabiya_chess::Color::Black => {}
            }
            word(&san);
            first = false;
        }
        word(self.result.notation());
        text.push('\n');
    }
}

/// The position of a FEN as records keep it; the usual one if there is none.
pub(crate) fn start(fen: Option<&str>) -> Option<Position> {
    match fen {
        None => Some(Position::initial()),
        Some(fen) => Position::from_fen_prefix(fen).ok(),
    }
}

/// A date as a number, 19720711; months and days that are not known are 00, and so is an unknown year.
///
/// ```
/// use tabiya_db::Day;
///
/// let day: Day = "1972.07.??".parse()?;
/// assert_eq!((day.0, day.to_string().as_str()), (19_720_700, "1972.07.??"));
/// assert_eq!(day.latest().0, 19_720_731);
/// assert!("1972.13".parse::<Day>().is_err());
/// # Ok::<(), tabiya_db::ParseFilterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Day(pub u32);

impl Day {
    /// As a text of a record has it; unknown if there is none in it.
    pub fn of_tag(text: &str) -> Day {
        let mut parts = text.split(['.', '-', '/']);
        let mut number = |most: u32| {
            let part = parts.next().and_then(|part| part.trim().parse::<u32>().ok());
            part.filter(|part| (1..=most).contains(part))
        };
        let Some(year) = number(9999) else { return Day(0) };
        let Some(month) = number(12) else { return Day(year * 10_000) };
        Day(year * 10_000 + month * 100 + number(31).unwrap_or(0))
    }

    /// The last day that it may be.
    pub fn latest(self) -> Day {
        Day(match self.0 {
            day if day % 10_000 == 0 => day + 1231,
            day if day % 100 == 0 => day + 31,
            day => day,
        })
    }
}

impl std::str::FromStr for Day {
    type Err = ParseFilterError;

    fn from_str(text: &str) -> Result<Day, ParseFilterError> {
        let day = Day::of_tag(text);
        let known = [day.0, day.0 / 100 % 100, day.0 % 100].into_iter().filter(|part| *part > 0);
        let is_told = |part: &&str| !part.trim().chars().all(|c| c == '?');
        let told = text.split(['.', '-', '/']).filter(is_told);
        match known.count() == told.count() && day.0 > 0 {
            true => Ok(day),
            false => Err(ParseFilterError::Day(excerpt(text))),
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 / 10_000 {
            0 => f.write_str("????")?,
            year => write!(f, "{year:04}")?,
        }
        for part in [self.0 / 100 % 100, self.0 % 100] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

/// How fast a game is, by the time for forty moves.
///
/// ```
/// use tabiya_db::Speed;
///
/// assert_eq!(Speed::of("180+2", ""), Speed::Blitz);
/// assert_eq!(Speed::of("", "World Rapid 2024"), Speed::Rapid);
/// assert_eq!(Speed::of("?", "Linares"), Speed::Unknown);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Speed {
    /// Nobody says.
    #[default]
    Unknown,
    /// Less than three minutes.
    Bullet,
    /// Less than eight minutes.
    Blitz,
    /// Less than 25 minutes, or an hour where the event says that it is rapid chess.
    Rapid,
    /// Longer.
    Classical,
    /// Days.
    Correspondence,
}

impl Speed {
    /// All of them.
    pub const ALL: [Speed; 6] = [
        Speed::Unknown,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    /// What the tags TimeControl and Event tell.
    pub fn of(time_control: &str, event: &str) -> Speed {
        if let Some((_, time)) = time_control.split_once('/')
            && time.split('+').next().and_then(|time| time.parse::<u32>().ok()) >= Some(86_400)
        {
            return Speed::Correspondence;
        }
        let last = time_control.rsplit('/').next().unwrap_or_default();
        let (base, increment) = last.split_once('+').unwrap_or((last, "0"));
        if let (Ok(base), Ok(increment)) = (base.parse::<f64>(), increment.parse::<f64>()) {
            return match base + 40.0 * increment {
                time if time < 180.0 => Speed::Bullet,
                time if time < 480.0 => Speed::Blitz,
                time if time < 1500.0 => Speed::Rapid,
                time if time < 86_400.0 => Speed::Classical,
                _ => Speed::Correspondence,
            };
        }
        let event = event.to_ascii_lowercase();
        let says = |word: &str| event.contains(word);
        match () {
            () if says("bullet") => Speed::Bullet,
            () if says("blitz") => Speed::Blitz,
            () if says("rapid") => Speed::Rapid,
            () if says("classical") => Speed::Classical,
            () if says("correspondence") || says("iccf") => Speed::Correspondence,
            () => Speed::Unknown,
        }
    }

    /// Its name: bullet, blitz, rapid, classical, correspondence; empty if it is not known.
    pub const fn name(self) -> &'static str {
        match self {
            Speed::Unknown => "",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }
}

impl std::str::FromStr for Speed {
    type Err = ParseFilterError;

    fn from_str(text: &str) -> Result<Speed, ParseFilterError> {
        let is_it = |speed: &Speed| match speed {
            Speed::Unknown => text == "unknown",
            speed => speed.name() == text,
        };
        let found = Speed::ALL.into_iter().find(is_it);
        found.ok_or_else(|| ParseFilterError::Speed(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_far_as_they_are_known() {
        for (text, day) in [
            ("1972.07.11", 19_720_711),
            ("2024-01-31", 20_240_131),
            ("1972.??.??", 19_720_000),
            ("1972", 19_720_000),
            ("1972.13.01", 19_720_000),
            ("????.??.??", 0),
            ("", 0),
        ] {
            assert_eq!(Day::of_tag(text).0, day, "{text}");
        }
        assert_eq!(Day(0).to_string(), "????.??.??");
    }

    #[test]
    fn speeds_are_told_by_the_time_for_forty_moves() {
        for (control, speed) in [
            ("60", Speed::Bullet),
            ("180+0", Speed::Blitz),
            ("300+5", Speed::Rapid),
            ("900+10", Speed::Rapid),
            ("40/7200", Speed::Classical),
            ("5400+30", Speed::Classical),
            ("1/259200", Speed::Correspondence),
        ] {
            assert_eq!(Speed::of(control, ""), speed, "{control}");
        }
    }
}
