use tabiya_chess::Game;
use thiserror::Error;

use crate::{ClockState, Score};

/// Somebody who plays: an engine, ours or another's, or a few lines in a test.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_lab::{Choice, ClockState, Player, PlayerError};
///
/// /// Plays the first move it finds.
/// struct Hasty;
///
/// impl Player for Hasty {
///     fn name(&self) -> &str {
///         "Hasty"
///     }
///     fn new_game(&mut self) -> Result<(), PlayerError> {
///         Ok(())
///     }
///     fn choose(&mut self, game: &Game, _: ClockState) -> Result<Choice, PlayerError> {
///         let position = game.position();
///         let first = position.legal_moves().first().copied();
///         let first = first.ok_or(PlayerError::Other("there is no move".to_owned()))?;
///         Ok(Choice::new(position.uci(first)))
///     }
/// }
/// assert_eq!(Hasty.name(), "Hasty");
/// ```
pub trait Player {
    /// What the player calls itself.
    fn name(&self) -> &str;

    /// Forgets the game before. A match can be repeated only if nothing is left of it.
    fn new_game(&mut self) -> Result<(), PlayerError>;

    /// Chooses a move. The arbiter measures how long this takes, but cannot interrupt it: a player
    /// that may hang has to give up by itself, with [`PlayerError::Timeout`], some time after
    /// [`ClockState::allowed`].
    fn choose(&mut self, game: &Game, clock: ClockState) -> Result<Choice, PlayerError>;
}

/// A move, and what the player says about it.
///
/// ```
/// use tabiya_lab::{Choice, Score};
///
/// let choice = Choice { score: Some(Score::Centipawns(30)), ..Choice::new("e2e4") };
/// assert_eq!(choice.best, "e2e4");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move as chess programs write it, `e2e4`. The arbiter judges whether it is one.
    pub best: String,
    /// How good the position is for the player.
    pub score: Option<Score>,
    /// How many plies deep it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
}

impl Choice {
    /// A move without a comment.
    pub fn new(best: impl Into<String>) -> Choice {
        Choice { best: best.into(), score: None, depth: None, nodes: None }
    }
}

/// How a player can fail. Each of these loses the game.
///
/// ```
/// use tabiya_lab::PlayerError;
///
/// assert_eq!(PlayerError::Timeout.to_string(), "the time ran out");
/// assert_eq!(PlayerError::Illegal("e2e5".to_owned()).to_string(), "\"e2e5\" is not a legal move");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayerError {
    /// It is gone.
    #[error("the player crashed")]
    Crashed,
    /// It did not answer in time.
    #[error("the time ran out")]
    Timeout,
    /// It answered with a text that is not a legal move.
    #[error("\"{0}\" is not a legal move")]
    Illegal(String),
    /// Something else, in its own words.
    #[error("{0}")]
    Other(String),
}
