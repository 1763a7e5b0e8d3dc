use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use crate::{Limits, Move, Position, Search, text};
use tabiya_base::{Random, Stop};

/// How well the computer plays: from 0, any legal move, to 6, as well as it can.
///
/// ```
/// use tabiya_puzzle::Level;
///
/// assert_eq!("6".parse(), Ok(Level::FULL));
/// assert_eq!(Level::RANDOM.to_string(), "0");
/// assert_eq!("7".parse::<Level>().unwrap_err().to_string(), "`7` is not a level: levels are 0 to 6");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

impl Level {
    /// Any legal move.
    pub const RANDOM: Level = Level(0);

    /// The best move it finds in less than a second.
    pub const FULL: Level = Level(6);

    /// A level by its number; beyond the last it is the last.
    pub const fn new(number: u8) -> Level {
        if number < Level::FULL.0 { Level(number) } else { Level::FULL }
    }

    /// All levels by what to expect of them, the weakest first.
    pub const NAMES: [&str; 7] =
        ["any move", "careless", "easy", "fair", "firm", "hard", "its best"];

    /// How long a player of this level thinks.
    pub const fn limits(self) -> Limits {
        let depth = match self.0 {
            0..=2 => 1,
            3 | 4 => 2,
            5 => 4,
            _ => 64,
        };
        Limits { depth, nodes: 250_000, time: Some(Duration::from_millis(500)) }
    }

    /// How many moves of a hundred are played without thinking.
    const fn careless(self) -> usize {
        match self.0 {
            0 => 100,
            1 => 60,
            2 => 30,
            3 => 10,
            _ => 0,
        }
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Level, LevelError> {
        let number = if text == "0" { Some(0) } else { text::number(text) };
        let level = number.map(Level).filter(|&level| level <= Level::FULL);
        level.ok_or_else(|| LevelError { text: text::excerpt(text) })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A text that is no level.
///
/// ```
/// use tabiya_puzzle::Level;
///
/// assert!("full".parse::<Level>().unwrap_err().to_string().starts_with("`full` is not a level"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} is not a level: levels are 0 to 6")]
pub struct LevelError {
    /// The text, in backquotes, shortened if long.
    pub text: String,
}

/// The computer as a player.
///
/// ```
/// use tabiya_puzzle::{Level, Player, Position, Side};
///
/// let position = Position::new("3\nKa1\nKc1, Ba3, Bb3".parse()?, Side::Black)?;
/// let mut player = Player::new(Level::FULL, 0);
/// assert_eq!(player.choose(&position, &[]).unwrap().to_string(), "a3b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Player {
    level: Level,
    limits: Limits,
    random: Random,
    search: Search,
}

impl Player {
    /// A player of a level. What is random in its play depends on the seed.
    pub fn new(level: Level, seed: u64) -> Player {
        Player { level, limits: level.limits(), random: Random::new(seed), search: Search::new() }
    }

    /// The player with other limits than its level has.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Player {
        Player { limits, ..self }
    }

    /// The player who plays the best move found so far when it is told to stop.
    #[must_use]
    pub fn with_stop(self, stop: Stop) -> Player {
        Player { search: self.search.with_stop(stop), ..self }
    }

    /// The level it plays at.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// A legal move, or none if there is none. `recent` has the keys of earlier positions of the game,
    /// which a player who is ahead does not go back to.
    ///
    /// ```
    /// # use tabiya_puzzle::{Level, Player, Position, Side};
    /// let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let m = Player::new(Level::RANDOM, 7).choose(&position, &[]).unwrap();
    /// assert!(position.legal_moves().contains(&m));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose(&mut self, position: &Position, recent: &[u64]) -> Option<Move> {
        if self.random.below(100) < self.level.careless() {
            return self.random.pick(&position.legal_moves());
        }
        Some(self.search.think(position, recent, self.limits)?.best)
    }
}
