use std::fmt;
use std::path::Path;
use std::str::FromStr;

use tabiya_base::excerpt;
use tabiya_engine::Level;
use tabiya_engine::textbook::{ParseTextbookError, Textbook};
use tabiya_thinker::{EngineLimit, TimeControlError};
use tabiya_uci_protocol::Program;
use thiserror::Error;

use crate::Pace;
use crate::words::{split, write_word};

/// Who plays a side, by a name that play, matches, the server and the store share.
///
/// | name | who |
/// |---|---|
/// | `human`, `human:Ada` | a person, perhaps with a name |
/// | `tabiya`, `tabiya:1200`, `tabiya:3` | our engine, as well as it can, at an Elo level of chess, or at a level of the bishop-and-king game |
/// | `random`, `minimax:2`, `alphabeta:3`, `tree:3` | textbook players |
/// | `uci:COMMAND` | another program that speaks UCI, with its arguments |
///
/// Options follow as words, each written `KEY=VALUE`: see [`PlayerOptions`].
///
/// ```
/// use tabiya_players::Player;
///
/// for name in [
///     "human", "human:Ada", "tabiya", "tabiya:1200 seed=7", "tabiya:3", "random", "minimax:2", "tree:3",
///     "uci:/usr/games/stockfish", "uci:gnuchess --uci name=\"GNU Chess\" option.OwnBook=false",
/// ] {
///     assert_eq!(name.parse::<Player>()?.to_string(), name);
/// }
/// assert_eq!("tabiya:1200".parse::<Player>()?.title(), "Tabiya, level 1200");
/// # Ok::<(), tabiya_players::PlayerError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Who it is.
    pub kind: PlayerKind,
    /// How it plays.
    pub options: PlayerOptions,
}

/// Who it is that plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// A person, perhaps with a name.
    Human(Option<String>),
    /// Our engine.
    Tabiya(Strength),
    /// A simple player for chess.
    Textbook(Textbook),
    /// Another program that speaks UCI, for chess.
    Uci(UciCommand),
}

/// How well Tabiya plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// As well as it can.
    Full,
    /// At a level of chess, in Elo.
    Elo(Level),
    /// At a level of the bishop-and-king game, 0 to 6.
    Step(u8),
}

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciCommand {
    /// The program: a path, or a name to look for where the system looks for programs.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// The options of a player.
///
/// | option | for | |
/// |---|---|---|
/// | `name=…` | everybody | what it is called |
/// | `tc=…` | everybody | its time in a match, in seconds, if it differs from that of the others |
/// | `hash=64` | tabiya | the transposition table, in megabytes |
/// | `threads=2` | tabiya | how many threads search |
/// | `seed=7` | tabiya | a level plays the same game with the same seed |
/// | `pace=person` | tabiya | how soon it answers people: after a `moment`, or like a `person`; else at once |
/// | `option.NAME=VALUE` | uci | an option of the program; blanks in its name are written as underscores |
///
/// A value with blanks stands in double quotes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerOptions {
    /// What it is called.
    pub name: Option<String>,
    /// Its time in a match.
    pub tc: Option<EngineLimit>,
    /// Megabytes of the transposition table.
    pub hash: Option<usize>,
    /// How many threads search.
    pub threads: Option<usize>,
    /// What is random at a level depends on it.
    pub seed: Option<u64>,
    /// How soon it answers people.
    pub pace: Option<Pace>,
    /// Options of a UCI program, by name.
    pub uci: Vec<(String, String)>,
}

/// All players, for messages.
const PLAYERS: &str = "human, tabiya, tabiya:1200, random, minimax:2, alphabeta:3, tree:3 or \
                       uci:COMMAND such as uci:stockfish or 'uci:gnuchess --uci'";

/// Why a text names no player.
///
/// ```
/// use tabiya_players::Player;
///
/// let refusal = |name: &str| name.parse::<Player>().unwrap_err().to_string();
/// assert_eq!(
///     refusal("stockfish"),
///     "there is no player \"stockfish\": choose human, tabiya, tabiya:1200, random, minimax:2, alphabeta:3, \
///      tree:3 or uci:COMMAND such as uci:stockfish or 'uci:gnuchess --uci'"
/// );
/// assert_eq!(refusal("tabiya:77"), "\"77\" is no level: choose 400 to 2400 for chess, 0 to 6 for the bishop-and-king game");
/// assert_eq!(refusal("human:A\u{202e}da"), "a name has 1 to 40 characters that can be seen");
/// assert_eq!(refusal("uci:"), "after uci: comes the program, like uci:/usr/games/stockfish");
/// assert_eq!(refusal("random hash=64"), "random has no option \"hash\": it has name and tc");
/// assert_eq!(refusal("tabiya hash=much"), "the option hash is a whole number above 0, not \"much\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayerError {
    /// No player has the name.
    #[error("there is no player {0:?}: choose {PLAYERS}")]
    Unknown(String),
    /// A textbook player with a wrong setting.
    #[error(transparent)]
    Textbook(#[from] ParseTextbookError),
    /// A time control that is none.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// A level that does not exist.
    #[error("{0:?} is no level: choose {min} to {top} for chess, 0 to 6 for the bishop-and-king game", min = Level::MIN, top = Level::TOP)]
    Level(String),
    /// No program was named.
    #[error("after uci: comes the program, like uci:/usr/games/stockfish")]
    NoProgram,
    /// A name that is no name.
    #[error("a name has 1 to 40 characters that can be seen")]
    Name,
    /// An option that this player does not have.
    #[error("{player} has no option {option:?}: it has {options}")]
    NoSuchOption {
        /// The player.
        player: String,
        /// The option.
        option: String,
        /// Those it has.
        options: &'static str,
    },
    /// A pace that is none.
    #[error("the option pace is moment or person, not {0:?}")]
    NoPace(String),
    /// A number that is none.
    #[error("the option {option} is a whole number above 0, not {value:?}")]
    NotANumber {
        /// The option.
        option: &'static str,
        /// What was given.
        value: String,
    },
}

impl Player {
    /// A person without a name.
    pub const HUMAN: Player = Player::person(None);

    /// A person, perhaps with a name.
    pub const fn person(name: Option<String>) -> Player {
        Player { kind: PlayerKind::Human(name), options: PlayerOptions::NONE }
    }

    /// Our engine.
    pub const fn tabiya(strength: Strength) -> Player {
        Player { kind: PlayerKind::Tabiya(strength), options: PlayerOptions::NONE }
    }

    /// Whether its moves come from a person.
    pub const fn is_person(&self) -> bool {
        matches!(self.kind, PlayerKind::Human(_))
    }

    /// How many plies a textbook player looks ahead.
    ///
    /// ```
    /// # use tabiya_players::Player;
    /// assert_eq!("minimax:2:noise=7".parse::<Player>()?.depth(), Some(2));
    /// assert_eq!("tabiya".parse::<Player>()?.depth(), None);
    /// # Ok::<(), tabiya_players::PlayerError>(())
    /// ```
    pub const fn depth(&self) -> Option<u32> {
        match self.kind {
            PlayerKind::Textbook(
                Textbook::Minimax { depth, .. }
                | Textbook::AlphaBeta { depth, .. }
                | Textbook::Tree { depth, .. },
            ) => Some(depth),
            _ => None,
        }
    }

    /// As people say it.
    ///
    /// ```
    /// # use tabiya_players::Player;
    /// assert_eq!("uci:/usr/games/stockfish".parse::<Player>()?.title(), "stockfish");
    /// assert_eq!(Player::HUMAN.title(), "You");
    /// # Ok::<(), tabiya_players::PlayerError>(())
    /// ```
    pub fn title(&self) -> String {
        if let Some(name) = &self.options.name {
            return name.clone();
        }
        match &self.kind {
            PlayerKind::Human(name) => name.clone().unwrap_or_else(|| "You".to_owned()),
            PlayerKind::Tabiya(Strength::Full) => "Tabiya".to_owned(),
            PlayerKind::Tabiya(Strength::Elo(level)) => format!("Tabiya, level {}", level.elo()),
            PlayerKind::Tabiya(Strength::Step(level)) => format!("Tabiya, level {level}"),
            PlayerKind::Textbook(_) => self.kind.to_string(),
            PlayerKind::Uci(command) => command.file_name(),
        }
    }

    /// What it is called in a match: its name, or a short form of what it is.
    ///
    /// ```
    /// # use tabiya_players::Player;
    /// let name = |text: &str| text.parse::<Player>().unwrap().short_name();
    /// assert_eq!(name("tabiya:1200 hash=8"), "tabiya:1200");
    /// assert_eq!(name("uci:/usr/games/gnuchess --uci"), "gnuchess");
    /// assert_eq!(name("uci:./new name=new"), "new");
    /// ```
    pub fn short_name(&self) -> String {
        match (&self.options.name, &self.kind) {
            (Some(name), _) => name.clone(),
            (None, PlayerKind::Uci(command)) => command.file_name(),
            (None, kind) => kind.to_string(),
        }
    }
}

impl UciCommand {
    /// The program with options, ready to be started.
    pub fn program(&self, options: &[(String, String)]) -> Program {
        Program {
            args: self.args.clone(),
            options: options
                .iter()
                .map(|(name, value)| (name.clone(), Some(value.clone())))
                .collect(),
            ..Program::new(&self.program)
        }
    }

    fn file_name(&self) -> String {
        let path = Path::new(&self.program);
        path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    }
}

impl PlayerOptions {
    const NONE: PlayerOptions = PlayerOptions {
        name: None,
        tc: None,
        hash: None,
        threads: None,
        seed: None,
        pace: None,
        uci: Vec::new(),
    };

    /// Takes a word in; false if it is no option of this player.
    fn take(&mut self, kind: &PlayerKind, key: &str, value: &str) -> Result<bool, PlayerError> {
        let is_tabiya = matches!(kind, PlayerKind::Tabiya(_));
        match key {
            "name" => self.name = Some(visible_name(value)?),
            "tc" => self.tc = Some(value.parse()?),
            "hash" if is_tabiya => self.hash = Some(number("hash", value)?),
            "threads" if is_tabiya => self.threads = Some(number("threads", value)?),
            "seed" if is_tabiya => self.seed = Some(number::<u64>("seed", value)?),
            "pace" if is_tabiya => self.pace = Some(value.parse()?),
            _ => match (kind, key.strip_prefix("option.")) {
                (PlayerKind::Uci(_), Some(name)) if !name.is_empty() => {
                    // Words are split at blanks, so those of a name are written as underscores.
                    let name = match name.starts_with("UCI_") {
                        true => name.to_owned(),
                        false => name.replace('_', " "),
                    };
                    self.uci.push((name, value.to_owned()));
                }
                _ => return Ok(false),
            },
        }
        Ok(true)
    }
}

fn number<N: FromStr + Default + PartialEq>(
    option: &'static str,
    value: &str,
) -> Result<N, PlayerError> {
    let number = value.parse().ok().filter(|number| *number != N::default());
    number.ok_or_else(|| PlayerError::NotANumber { option, value: excerpt(value) })
}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        // The name of a person is all that follows.
        if let Some(name) = text.strip_prefix("human:") {
            return Ok(Player::person(Some(visible_name(name)?)));
        }
        // A program whose path has blanks needs no quotes if it is there.
        if let Some(path) = text.strip_prefix("uci:").filter(|path| Path::new(path).is_file()) {
            let command = UciCommand { program: path.to_owned(), args: Vec::new() };
            return Ok(Player { kind: PlayerKind::Uci(command), options: PlayerOptions::NONE });
        }
        let words = split(text);
        let first = words.first().map_or("", String::as_str);
        let mut kind: PlayerKind = first.parse()?;
        let mut options = PlayerOptions::NONE;
        for word in words.iter().skip(1) {
            let taken = match word.split_once('=') {
                Some((key, value)) => options.take(&kind, key, value)?,
                None => false,
            };
            match &mut kind {
                _ if taken => {}
                PlayerKind::Uci(command) => command.args.push(word.clone()),
                kind => {
                    let option = excerpt(word.split('=').next().unwrap_or(word));
                    let options = match kind {
                        PlayerKind::Tabiya(_) => "name, tc, hash, threads, seed and pace",
                        _ => "name and tc",
                    };
                    return Err(PlayerError::NoSuchOption {
                        player: kind.to_string(),
                        option,
                        options,
                    });
                }
            }
        }
        Ok(Player { kind, options })
    }
}

impl FromStr for PlayerKind {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<PlayerKind, PlayerError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        match (name, rest) {
            ("human", None) => Ok(PlayerKind::Human(None)),
            ("tabiya", None) => Ok(PlayerKind::Tabiya(Strength::Full)),
            ("tabiya", Some(level)) => strength(level).map(PlayerKind::Tabiya),
            ("uci", Some(program)) if !program.is_empty() => {
                let command = UciCommand { program: program.to_owned(), args: Vec::new() };
                Ok(PlayerKind::Uci(command))
            }
            ("uci", _) => Err(PlayerError::NoProgram),
            ("random" | "minimax" | "alphabeta" | "tree", _) => {
                Ok(PlayerKind::Textbook(text.parse()?))
            }
            _ => Err(PlayerError::Unknown(excerpt(text))),
        }
    }
}

impl fmt::Display for Player {
    /// The name by which it is found again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        let PlayerOptions { name, tc, hash, threads, seed, pace, uci } = &self.options;
        let mut option = |key: &str, value: Option<String>| match value {
            Some(value) => {
                write!(f, " {key}=")?;
                write_word(f, &value)
            }
            None => Ok(()),
        };
        option("name", name.clone())?;
        option("tc", tc.map(|tc| tc.to_string()))?;
        option("hash", hash.map(|hash| hash.to_string()))?;
        option("threads", threads.map(|threads| threads.to_string()))?;
        option("seed", seed.map(|seed| seed.to_string()))?;
        option("pace", pace.map(|pace| pace.to_string()))?;
        uci.iter().try_for_each(|(name, value)| {
            option(&format!("option.{}", name.replace(' ', "_")), Some(value.clone()))
        })
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerKind::Human(None) => f.write_str("human"),
            PlayerKind::Human(Some(name)) => write!(f, "human:{name}"),
            PlayerKind::Tabiya(Strength::Full) => f.write_str("tabiya"),
            PlayerKind::Tabiya(Strength::Elo(level)) => write!(f, "tabiya:{}", level.elo()),
            PlayerKind::Tabiya(Strength::Step(level)) => write!(f, "tabiya:{level}"),
            // Seed 0 stands for that of the game.
            PlayerKind::Textbook(Textbook::Random { seed: 0 }) => f.write_str("random"),
            PlayerKind::Textbook(textbook) => textbook.fmt(f),
            PlayerKind::Uci(UciCommand { program, args }) => {
                f.write_str("uci:")?;
                write_word(f, program)?;
                args.iter().try_for_each(|arg| {
                    f.write_str(" ")?;
                    write_word(f, arg)
                })
            }
        }
    }
}

fn visible_name(name: &str) -> Result<String, PlayerError> {
    let name = name.trim();
    let length = name.chars().count();
    match (1..=40).contains(&length) && !name.chars().any(is_invisible) {
        true => Ok(name.to_owned()),
        false => Err(PlayerError::Name),
    }
}

/// Characters that are not seen, or that turn the text around them: what people write must look like what it is.
///
/// ```
/// assert!(tabiya_players::is_invisible('\u{202e}') && !tabiya_players::is_invisible('é'));
/// ```
pub fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{10ffff}')
}

fn strength(level: &str) -> Result<Strength, PlayerError> {
    let step = level.parse().ok().filter(|&step: &u8| step <= 6 && level.len() == 1);
    let elo = || level.parse().map(Strength::Elo).ok();
    step.map(Strength::Step).or_else(elo).ok_or_else(|| PlayerError::Level(excerpt(level)))
}
