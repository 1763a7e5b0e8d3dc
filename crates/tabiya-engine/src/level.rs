//! Playing strength on one dial: how a level looks at the board, and how it chooses.
//!
//! A weak player is not a strong player who throws dice. It sees less (some moves, mostly long, backward
//! and of the opponent, do not come to mind), it misjudges (the same position in the same way all game
//! long), it looks less far, and it takes what seems nearly as good. Guard rails keep it from what even
//! a beginner would not do. Everything is counted in nodes and drawn from the seed of the game, never
//! from a clock, so a level is the same on every machine and a game can be had again.

mod choice;
mod sight;

use core::fmt;
use core::str::FromStr;

use tabiya_base::mix;

pub(crate) use choice::Chooser;
pub(crate) use sight::Handicap;

/// A playing strength, in Elo.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_engine::{Engine, Level, Limits, Settings};
///
/// let club_player = Level::new(1500);
/// let settings = Settings { level: Some(club_player), seed: 7, ..Settings::default() };
/// let think = || Engine::new(settings).go(&Game::new(), Limits::default(), |_| {}).wait();
/// // A level ends its own search, and the same seed plays the same game.
/// assert_eq!(think(), think());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u16);

/// What a level is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dial {
    /// What it measures: see docs/levels.md for how.
    elo: u16,
    /// Positions looked at for each of its lines: so the depth changes smoothly where the lines do not.
    pub(crate) nodes: u32,
    /// How many moves it compares before it chooses.
    pub(crate) multipv: u32,
    /// How often a move does not come to mind, in thousandths, before its geometry counts.
    pub(crate) blindness: u32,
    /// How far off its judgement of a position typically is, in centipawns.
    pub(crate) noise: u32,
    /// Winning chances it gives away without noticing, typically, in thousandths.
    pub(crate) carelessness: u32,
}

const fn dial(elo: u16, numbers: [u32; 5]) -> Dial {
    let [nodes, multipv, blindness, noise, carelessness] = numbers;
    Dial { elo, nodes, multipv, blindness, noise, carelessness }
}

/// The dial. To calibrate it, play the levels (`scripts/ladder`) and put what they measure into the
/// first column; the rest may stay.
const DIAL: [Dial; 13] = [
    dial(165, [80, 8, 800, 140, 190]),
    dial(445, [88, 8, 600, 120, 140]),
    dial(715, [115, 7, 440, 100, 100]),
    dial(995, [165, 6, 290, 75, 62]),
    dial(1195, [250, 6, 175, 55, 42]),
    dial(1300, [335, 6, 148, 50, 36]),
    dial(1415, [480, 5, 100, 40, 25]),
    dial(1570, [700, 5, 72, 30, 18]),
    dial(1785, [1_250, 4, 50, 22, 12]),
    dial(1980, [2_300, 3, 34, 16, 9]),
    dial(2100, [3_300, 3, 22, 12, 7]),
    dial(2300, [6_000, 2, 10, 6, 3]),
    dial(2400, [10_800, 1, 0, 0, 0]),
];

/// A strength with a name, for those who choose one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedLevel {
    /// The level; none for the engine without one.
    pub level: Option<Level>,
    /// What it is called.
    pub name: &'static str,
    /// What to expect, in a few words.
    pub words: &'static str,
}

impl NamedLevel {
    /// All of them, the weakest first: for terminal, pages and documents.
    pub const ALL: [NamedLevel; 7] = [
        named(400, "First steps", "leaves pieces hanging and takes what it sees"),
        named(800, "Beginner", "takes what is given and overlooks what comes from afar"),
        named(1200, "Casual", "plays sensibly and misses a tactic now and then"),
        named(1600, "Club", "punishes simple mistakes"),
        named(2000, "Strong", "sees most of what there is"),
        named(Level::TOP, "Master", "gives little away"),
        NamedLevel { level: None, name: "Full strength", words: "plays as well as it can" },
    ];
}

const fn named(elo: u16, name: &'static str, words: &'static str) -> NamedLevel {
    NamedLevel { level: Some(Level::new(elo)), name, words }
}

impl Level {
    /// The weakest level.
    pub const MIN: u16 = 400;

    /// The strongest level. The engine without a level is stronger still.
    pub const TOP: u16 = DIAL[DIAL.len() - 1].elo;

    /// The level of a rating, or the nearest that there is.
    pub const fn new(elo: u16) -> Level {
        Level(if elo < Level::MIN {
            Level::MIN
        } else if elo > Level::TOP {
            Level::TOP
        } else {
            elo
        })
    }

    /// Its rating.
    pub const fn elo(self) -> u16 {
        self.0
    }

    /// How many positions it looks at for a move.
    pub fn nodes(self) -> u64 {
        let dial = self.dial();
        u64::from(dial.nodes) * u64::from(dial.multipv)
    }

    /// How many moves it compares before it chooses.
    pub(crate) fn multipv(self) -> usize {
        self.dial().multipv as usize
    }

    /// What it is made of: between two rows of the dial, in proportion.
    pub(crate) fn dial(self) -> Dial {
        let after = DIAL.iter().position(|row| row.elo >= self.0).unwrap_or(DIAL.len() - 1).max(1);
        let (low, high) = (DIAL[after - 1], DIAL[after]);
        let width = i64::from(high.elo - low.elo).max(1);
        let way = i64::from(self.0) - i64::from(low.elo);
        let between = |a: u32, b: u32| {
            let (a, b) = (i64::from(a), i64::from(b));
            (a + (b - a) * way / width).max(0) as u32
        };
        Dial {
            elo: self.0,
            nodes: between(low.nodes, high.nodes),
            multipv: between(low.multipv, high.multipv),
            blindness: between(low.blindness, high.blindness),
            noise: between(low.noise, high.noise),
            carelessness: between(low.carelessness, high.carelessness),
        }
    }

    /// How likely it is to see a mate in one, in thousandths: always from 1400 on.
    fn sees_mate(self) -> u64 {
        let above = u64::from(self.0 - Level::MIN);
        (300 + above * 700 / 1000).min(1000)
    }

    /// How likely it is to see that a piece can be taken back, however strange the move: always from 600.
    fn sees_recaptures(self) -> u64 {
        (850 + u64::from(self.0 - Level::MIN) * 150 / 200).min(1000)
    }

    /// How likely it is to see that a queen can be taken: always from 1000 on.
    fn sees_queen_captures(self) -> u64 {
        (700 + u64::from(self.0 - Level::MIN) * 300 / 600).min(1000)
    }

    /// Whether it never leaves its queen to be taken for nothing, nor a won game in stalemate.
    fn guards_its_queen(self) -> bool {
        self.0 >= 1000
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        match text.parse() {
            Ok(elo) if Level::new(elo).0 == elo => Ok(Level(elo)),
            _ => Err(ParseLevelError),
        }
    }
}

/// What was read is not a level.
///
/// ```
/// use tabiya_engine::{Level, ParseLevelError};
///
/// assert_eq!("1200".parse(), Ok(Level::new(1200)));
/// assert_eq!("7".parse::<Level>(), Err(ParseLevelError));
/// assert!(ParseLevelError.to_string().starts_with("a level is a number from 400 to "));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a level is a number from {} to {}", Level::MIN, Level::TOP)
    }
}

impl core::error::Error for ParseLevelError {}

/// A number drawn from a seed and whatever it is about: the same for the same, and else as if random.
fn draw(seed: u64, about: &[u64]) -> u64 {
    about.iter().fold(mix(seed), |state, &part| mix(state ^ part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dial_goes_one_way() {
        for rows in DIAL.windows(2) {
            let (low, high) = (rows[0], rows[1]);
            assert!(low.elo < high.elo && low.nodes < high.nodes, "{low:?} {high:?}");
            assert!(low.multipv >= high.multipv && low.blindness >= high.blindness);
            assert!(low.noise >= high.noise && low.carelessness >= high.carelessness);
        }
        let mut before = Level::new(Level::MIN).dial();
        for elo in Level::MIN..=Level::TOP {
            let now = Level::new(elo).dial();
            assert!(before.nodes <= now.nodes && before.blindness >= now.blindness, "{elo}");
            assert!(now.multipv >= 1);
            before = now;
        }
    }

    #[test]
    fn rows_are_taken_as_they_are() {
        for row in DIAL.iter().filter(|row| row.elo >= Level::MIN) {
            assert_eq!(Level::new(row.elo).dial(), *row);
        }
    }

    #[test]
    fn mates_are_seen_more_and_more() {
        let seen = |elo| Level::new(elo).sees_mate();
        assert_eq!((seen(400), seen(1400), seen(Level::TOP)), (300, 1000, 1000));
        assert!((400..1400).all(|elo| seen(elo) <= seen(elo + 1)));
    }
}
