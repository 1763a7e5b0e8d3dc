use std::fmt;
use std::str::FromStr;

use tabiya_engine::textbook::Textbook;
use thiserror::Error;

use crate::GameKind;

/// Who plays a side, by a name that the command line, the store and the browser share.
///
/// ```
/// use tabiya_play::Player;
///
/// for name in ["human", "human:Ada", "tabiya", "tabiya:1200", "tabiya:3", "random", "minimax:2", "uci:/usr/games/stockfish"] {
///     assert_eq!(name.parse::<Player>()?.to_string(), name);
/// }
/// assert_eq!("tabiya:1200".parse::<Player>()?.title(), "Tabiya, level 1200");
/// # Ok::<(), tabiya_play::PlayerError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// A person at this table, perhaps with a name.
    Human(Option<String>),
    /// Our engine.
    Tabiya(Strength),
    /// A simple player for chess.
    Textbook(Textbook),
    /// Another program that speaks UCI, for chess: the path of the program, and perhaps arguments.
    Uci(String),
}

/// How well Tabiya plays.
///
/// ```
/// use tabiya_play::{Player, Strength};
///
/// assert_eq!("tabiya".parse(), Ok(Player::Tabiya(Strength::Full)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// As well as it can.
    Full,
    /// At a level of chess, in Elo.
    Elo(tabiya_engine::Level),
    /// At a level of the bishop-and-king game, 0 to 6.
    Step(tabiya_puzzle::Level),
}

/// Why a text names no player, or none for this game.
///
/// ```
/// use tabiya_play::Player;
///
/// let refusal = |name: &str| name.parse::<Player>().unwrap_err().to_string();
/// assert_eq!(refusal("tabiya:77"), "\"77\" is no level: choose 400 to 2400 for chess, 0 to 6 for the bishop-and-king game");
/// assert_eq!(refusal("human:A\u{202e}da"), "a name has 1 to 40 characters that can be seen");
/// assert_eq!(refusal("uci:"), "after uci: comes the program, like uci:/usr/games/stockfish");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayerError {
    /// No player has the name.
    #[error(
        "there is no player {0:?}: choose human, tabiya, tabiya:1200, random, minimax:2, alphabeta:3 or uci:PROGRAM"
    )]
    Unknown(String),
    /// A textbook player with a wrong setting.
    #[error("{}", sentence(.0))]
    Textbook(tabiya_engine::textbook::ParseTextbookError),
    /// A level that does not exist.
    #[error("{0:?} is no level: choose {min} to {top} for chess, 0 to 6 for the bishop-and-king game", min = tabiya_engine::Level::MIN, top = tabiya_engine::Level::TOP)]
    Level(String),
    /// No program was named.
    #[error("after uci: comes the program, like uci:/usr/games/stockfish")]
    NoProgram,
    /// A name that is no name.
    #[error("a name has 1 to 40 characters that can be seen")]
    Name,
    /// The player plays the other game.
    #[error("{player} does not play {game}: choose {others}", game = game(*.kind), others = others(*.kind))]
    OtherGame {
        /// Its name.
        player: String,
        /// The game at this table.
        kind: GameKind,
    },
}

fn sentence(error: &tabiya_engine::textbook::ParseTextbookError) -> String {
    error.to_string().trim_end_matches('.').to_owned()
}

const fn game(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Chess => "chess",
        GameKind::Bishops => "the bishop-and-king game",
    }
}

const fn others(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Chess => {
            "human, tabiya, tabiya:1200, random, minimax:2, alphabeta:3 or uci:PROGRAM"
        }
        GameKind::Bishops => "human, tabiya, tabiya:0 to tabiya:6, or random",
    }
}

impl Player {
    /// A person without a name.
    ///
    /// ```
    /// # use tabiya_play::Player;
    /// assert!(Player::HUMAN.is_person());
    /// ```
    pub const HUMAN: Player = Player::Human(None);

    /// Whether its moves come from a person at the table.
    ///
    /// ```
    /// # use tabiya_play::Player;
    /// assert!(!"random".parse::<Player>()?.is_person());
    /// # Ok::<(), tabiya_play::PlayerError>(())
    /// ```
    pub const fn is_person(&self) -> bool {
        matches!(self, Player::Human(_))
    }

    /// As people say it.
    ///
    /// ```
    /// # use tabiya_play::Player;
    /// assert_eq!("uci:/usr/games/stockfish".parse::<Player>()?.title(), "stockfish");
    /// assert_eq!(Player::HUMAN.title(), "You");
    /// # Ok::<(), tabiya_play::PlayerError>(())
    /// ```
    pub fn title(&self) -> String {
        match self {
            Player::Human(name) => name.clone().unwrap_or_else(|| "You".to_owned()),
            Player::Tabiya(Strength::Full) => "Tabiya".to_owned(),
            Player::Tabiya(Strength::Elo(level)) => format!("Tabiya, level {}", level.elo()),
            Player::Tabiya(Strength::Step(level)) => format!("Tabiya, level {level}"),
            Player::Textbook(_) => self.to_string(),
            Player::Uci(program) => {
                let path = std::path::Path::new(program);
                let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                file.split_whitespace().next().unwrap_or(program).to_owned()
            }
        }
    }

    /// Checks that it plays a game.
    ///
    /// ```
    /// # use tabiya_play::{GameKind, Player};
    /// let player: Player = "alphabeta:3".parse()?;
    /// assert!(player.check(GameKind::Chess).is_ok());
    /// assert_eq!(
    ///     player.check(GameKind::Bishops).unwrap_err().to_string(),
    ///     "alphabeta:3 does not play the bishop-and-king game: choose human, tabiya, tabiya:0 to tabiya:6, or random"
    /// );
    /// # Ok::<(), tabiya_play::PlayerError>(())
    /// ```
    pub fn check(&self, kind: GameKind) -> Result<(), PlayerError> {
        let plays = match (kind, self) {
            (_, Player::Human(_) | Player::Tabiya(Strength::Full)) => true,
            (GameKind::Chess, player) => !matches!(player, Player::Tabiya(Strength::Step(_))),
            (GameKind::Bishops, player) => matches!(
                player,
                Player::Tabiya(Strength::Step(_)) | Player::Textbook(Textbook::Random { .. })
            ),
        };
        match plays {
            true => Ok(()),
            false => Err(PlayerError::OtherGame { player: self.to_string(), kind }),
        }
    }
}

impl fmt::Display for Player {
    /// The name by which it is found again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Human(None) => f.write_str("human"),
            Player::Human(Some(name)) => write!(f, "human:{name}"),
            Player::Tabiya(Strength::Full) => f.write_str("tabiya"),
            Player::Tabiya(Strength::Elo(level)) => write!(f, "tabiya:{}", level.elo()),
            Player::Tabiya(Strength::Step(level)) => write!(f, "tabiya:{level}"),
            // Seed 0 stands for that of the game.
            Player::Textbook(Textbook::Random { seed: 0 }) => f.write_str("random"),
            Player::Textbook(textbook) => textbook.fmt(f),
            Player::Uci(program) => write!(f, "uci:{program}"),
        }
    }
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        match (name, rest) {
            ("human", None) => Ok(Player::HUMAN),
            ("human", Some(name)) => person(name),
            ("tabiya", None) => Ok(Player::Tabiya(Strength::Full)),
            ("tabiya", Some(level)) => strength(level).map(Player::Tabiya),
            ("uci", Some(program)) if !program.trim().is_empty() => {
                Ok(Player::Uci(program.to_owned()))
            }
            ("uci", _) => Err(PlayerError::NoProgram),
            ("random" | "minimax" | "alphabeta", _) => {
                text.parse().map(Player::Textbook).map_err(PlayerError::Textbook)
            }
            _ => Err(PlayerError::Unknown(start(text))),
        }
    }
}

fn person(name: &str) -> Result<Player, PlayerError> {
    let name = name.trim();
    let length = name.chars().count();
    match (1..=40).contains(&length) && !name.chars().any(is_invisible) {
        true => Ok(Player::Human(Some(name.to_owned()))),
        false => Err(PlayerError::Name),
    }
}

/// Characters that are not seen, or that turn the text around them: a name must look like what it is.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{10ffff}')
}

fn strength(level: &str) -> Result<Strength, PlayerError> {
    let elo = level.parse().map(Strength::Elo).ok();
    elo.or_else(|| level.parse().map(Strength::Step).ok())
        .ok_or_else(|| PlayerError::Level(start(level)))
}

/// The beginning of a text that may be of any length.
fn start(text: &str) -> String {
    let mut start: String = text.chars().take(20).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}
