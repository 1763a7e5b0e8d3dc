#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

use core::fmt;
use core::str::FromStr;

use tabiya_base::{Stop, excerpt};
use tabiya_chess::{Game, Move};

use super::TextbookPlayer;

/// A player that can be named: `random`, `minimax:2`, `alphabeta:3`, `tree:3`.
///
/// After the name, with colons between, come the depth (2 if left out), and `noise` for games that
/// differ; a seed makes them come again: `random:7`, `minimax:2:noise=7`.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_engine::textbook::Textbook;
///
/// let player: Textbook = "alphabeta:3".parse().unwrap();
/// assert_eq!(player, Textbook::AlphaBeta { depth: 3, noise: None });
/// assert!(player.choose(&Game::new()).is_some());
/// assert_eq!(
///     "stockfish".parse::<Textbook>().unwrap_err().to_string(),
///     "There is no player \"stockfish\": choose random, minimax, alphabeta or tree."
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Textbook {
    /// Plays any legal move.
    Random {
        /// Which moves.
        seed: u64,
    },
    /// Looks at every line.
    Minimax {
        /// So many plies.
        depth: u32,
        /// The seed of the noise; none for no noise.
        noise: Option<u64>,
    },
    /// Looks at every line that matters.
    AlphaBeta {
        /// So many plies.
        depth: u32,
        /// The seed of the noise; none for no noise.
        noise: Option<u64>,
    },
    /// Builds the game tree and keeps it from move to move.
    Tree {
        /// So many plies.
        depth: u32,
        /// The seed of the noise; none for no noise.
        noise: Option<u64>,
    },
}

impl Textbook {
    /// Its move in a game; none if there is no legal move. A [`TextbookPlayer`] can be stopped, and tells more.
    ///
    /// ```
    /// # use {tabiya_chess::Game, tabiya_engine::textbook::Textbook};
    /// let mut game = Game::new();
    /// for text in ["f3", "e5", "g4"] {
    ///     game.play(game.position().parse_san(text)?)?;
    /// }
    /// let m = Textbook::Minimax { depth: 2, noise: None }.choose(&game).unwrap();
    /// assert_eq!(game.position().san(m), "Qh4#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose(&self, game: &Game) -> Option<Move> {
        TextbookPlayer::new(*self).choose(game, &Stop::default()).best
    }
}

impl fmt::Display for Textbook {
    /// The name by which it is found again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, depth, noise) = match self {
            Textbook::Random { seed } => return write!(f, "random:{seed}"),
            Textbook::Minimax { depth, noise } => ("minimax", depth, noise),
            Textbook::AlphaBeta { depth, noise } => ("alphabeta", depth, noise),
            Textbook::Tree { depth, noise } => ("tree", depth, noise),
        };
        write!(f, "{name}:{depth}")?;
        match noise {
            Some(seed) => write!(f, ":noise={seed}"),
            None => Ok(()),
        }
    }
}

/// Why a text names no player.
///
/// ```
/// use tabiya_engine::textbook::Textbook;
///
/// let refusal = |text: &str| text.parse::<Textbook>().unwrap_err().to_string();
/// assert_eq!(refusal("minimax:0"), "A depth is a number from 1 to 99, not \"0\".");
/// assert_eq!(refusal("random:x"), "A seed is a whole number, not \"x\".");
/// assert_eq!(refusal("minimax:2:loud"), "\"loud\" means nothing after \"minimax\".");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseTextbookError {
    /// No player has the name.
    UnknownPlayer {
        /// The name.
        name: String,
    },
    /// The depth is no number, or not a depth that can be searched.
    Depth {
        /// What stood in its place.
        text: String,
    },
    /// The seed is no number.
    Seed {
        /// What stood in its place.
        text: String,
    },
    /// A word too many.
    Unexpected {
        /// The player it was said to.
        name: String,
        /// The word.
        text: String,
    },
}

impl fmt::Display for ParseTextbookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseTextbookError::UnknownPlayer { name } => {
                write!(f, "There is no player {name:?}: choose random, minimax, alphabeta or tree.")
            }
            ParseTextbookError::Depth { text } => {
                write!(f, "A depth is a number from 1 to 99, not {text:?}.")
            }
            ParseTextbookError::Seed { text } => {
                write!(f, "A seed is a whole number, not {text:?}.")
            }
            ParseTextbookError::Unexpected { name, text } => {
                write!(f, "{text:?} means nothing after {name:?}.")
            }
        }
    }
}

impl core::error::Error for ParseTextbookError {}

impl FromStr for Textbook {
    type Err = ParseTextbookError;

    fn from_str(text: &str) -> Result<Textbook, ParseTextbookError> {
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let player = match name {
            "random" => Textbook::Random { seed: words.next().map_or(Ok(0), seed)? },
            "minimax" | "alphabeta" | "tree" => {
                let depth = words.next().map_or(Ok(2), depth)?;
                let noise = words.next().map(|word| noise(name, word)).transpose()?;
                match name {
                    "minimax" => Textbook::Minimax { depth, noise },
                    "alphabeta" => Textbook::AlphaBeta { depth, noise },
                    _ => Textbook::Tree { depth, noise },
                }
            }
            _ => return Err(ParseTextbookError::UnknownPlayer { name: excerpt(name) }),
        };
        match words.next() {
            None => Ok(player),
            Some(word) => Err(unexpected(name, word)),
        }
    }
}

fn depth(text: &str) -> Result<u32, ParseTextbookError> {
    let number = text.parse().ok().filter(|depth| (1..=99).contains(depth));
    number.ok_or_else(|| ParseTextbookError::Depth { text: excerpt(text) })
}

fn seed(text: &str) -> Result<u64, ParseTextbookError> {
    text.parse().map_err(|_| ParseTextbookError::Seed { text: excerpt(text) })
}

fn noise(name: &str, text: &str) -> Result<u64, ParseTextbookError> {
    match text.strip_prefix("noise") {
        Some("") => Ok(0),
        Some(rest) => rest.strip_prefix('=').map_or_else(|| Err(unexpected(name, text)), seed),
        None => Err(unexpected(name, text)),
    }
}

fn unexpected(name: &str, text: &str) -> ParseTextbookError {
    ParseTextbookError::Unexpected { name: name.to_owned(), text: excerpt(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_players_and_back() {
        for (text, player) in [
            ("random:0", Textbook::Random { seed: 0 }),
            ("random:18446744073709551615", Textbook::Random { seed: u64::MAX }),
            ("minimax:1", Textbook::Minimax { depth: 1, noise: None }),
            ("minimax:2:noise=7", Textbook::Minimax { depth: 2, noise: Some(7) }),
            ("alphabeta:99:noise=0", Textbook::AlphaBeta { depth: 99, noise: Some(0) }),
            ("tree:3", Textbook::Tree { depth: 3, noise: None }),
        ] {
            assert_eq!(text.parse(), Ok(player));
            assert_eq!(player.to_string(), text);
        }
        assert_eq!("random".parse(), Ok(Textbook::Random { seed: 0 }));
        assert_eq!("minimax".parse(), Ok(Textbook::Minimax { depth: 2, noise: None }));
        assert_eq!(
            "alphabeta:2:noise".parse(),
            Ok(Textbook::AlphaBeta { depth: 2, noise: Some(0) })
        );
    }

    #[test]
    fn other_names_are_refused_in_one_line() {
        let long = "x".repeat(10_000);
        for text in [
            "",
            ":",
            "Minimax",
            "minimax:",
            "minimax:100",
            "minimax:-1",
            "minimax:2:",
            "minimax:2:noise=",
            "minimax:2:noisy",
            "minimax:2:noise:3",
            "random:1:2",
            "random:",
            "alphabeta:2\n",
            &long,
        ] {
            let refusal = text.parse::<Textbook>().unwrap_err().to_string();
            assert!(refusal.ends_with('.') && refusal.len() < 120, "{refusal}");
            assert_eq!(refusal.lines().count(), 1, "{refusal}");
        }
    }
}
