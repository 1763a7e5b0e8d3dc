use std::fmt;

use tabiya_chess::{Color, Outcome};

/// How a game ended, as records tell it.
///
/// ```
/// use tabiya_pgn::GameResult;
///
/// assert_eq!(GameResult::from_text("1/2-1/2"), Some(GameResult::Draw));
/// assert_eq!(GameResult::Draw.to_string(), "1/2-1/2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// All of them.
    ///
    /// ```
    /// # use tabiya_pgn::GameResult;
    /// for result in GameResult::ALL {
    ///     assert_eq!(GameResult::from_text(result.notation()), Some(result));
    /// }
    /// ```
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

    /// The result that a text means; `1/2` and `½-½` are draws too.
    ///
    /// ```
    /// # use tabiya_pgn::GameResult;
    /// assert_eq!(GameResult::from_text("0-1"), Some(GameResult::BlackWins));
    /// assert_eq!(GameResult::from_text("2-0"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<GameResult> {
        match text {
            "1-0" => Some(GameResult::WhiteWins),
            "0-1" => Some(GameResult::BlackWins),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Some(GameResult::Draw),
            "*" => Some(GameResult::Unknown),
            _ => None,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    ///
    /// ```
    /// # use tabiya_pgn::GameResult;
    /// assert_eq!(GameResult::WhiteWins.notation(), "1-0");
    /// ```
    pub const fn notation(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Who has won, if anybody.
    ///
    /// ```
    /// # use tabiya_chess::Color;
    /// # use tabiya_pgn::GameResult;
    /// assert_eq!(GameResult::BlackWins.winner(), Some(Color::Black));
    /// assert_eq!(GameResult::Draw.winner(), None);
    /// ```
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unknown => None,
        }
    }
}

/// ```
/// # use tabiya_chess::Outcome;
/// # use tabiya_pgn::GameResult;
/// assert_eq!(GameResult::from(Outcome::Stalemate), GameResult::Draw);
/// ```
impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome.winner() {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.notation())
    }
}
