use tabiya_chess::Position;
use tabiya_engine::textbook::Textbook;
use tabiya_puzzle::Board;
use thiserror::Error;

use crate::{GameKind, Minutes, Player, PlayerKind, Strength};

/// Everything that is agreed on before a game begins.
///
/// ```
/// use tabiya_play::{Player, GameSetup, Start};
///
/// let setup = GameSetup {
///     players: [Player::HUMAN, "tabiya:1200".parse()?],
///     control: Some("5+3".parse()?),
///     ..GameSetup::new(Start::standard())
/// };
/// assert!(setup.check().is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSetup {
    /// Which game, and from which position.
    pub start: Start,
    /// Who plays White and who plays Black.
    pub players: [Player; 2],
    /// How much time each side has; none for a game without clocks.
    pub control: Option<Minutes>,
    /// What is random in the play of computers depends on it: the same seed, the same game.
    pub seed: u64,
    /// Whether moves may be taken back.
    pub take_backs: bool,
    /// Whether the game may end in a draw while there are legal moves and somebody could win: by repetition or after
    /// many quiet moves. (That it may not is for games between computers, and not kept.)
    pub draws: bool,
    /// The day of the game, for the record: `2026.11.15`.
    pub date: Option<String>,
    /// Whether each of two people is at a board of their own: then a move is taken back when the other agrees,
    /// clocks start when both have moved, and no computer helps.
    pub remote: bool,
}

/// Which game is played, and from which position.
///
/// ```
/// use tabiya_play::{GameKind, Start};
///
/// assert_eq!(Start::standard().kind(), GameKind::Chess);
/// assert_eq!(Start::chess960(518), Ok(Start::standard()));
/// let start = Start::bishops("3\nKa1, Bb1\nKc3")?;
/// assert_eq!(Start::read(start.kind(), &start.text()), Ok(start));
/// # Ok::<(), tabiya_play::GameSetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// Chess.
    Chess(Position),
    /// The bishop-and-king game; White begins.
    Bishops(Box<tabiya_puzzle::Position>),
}

/// Why a game cannot begin.
///
/// ```
/// use tabiya_play::Start;
///
/// assert_eq!(
///     Start::chess960(960).unwrap_err().to_string(),
///     "there is no Chess960 position 960: they are numbered 0 to 959"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameSetupError {
    /// A position of chess that cannot be.
    #[error("{0}")]
    Fen(String),
    /// A number that no start position has.
    #[error("there is no Chess960 position {0}: they are numbered 0 to 959")]
    Chess960(u16),
    /// A board of the bishop-and-king game that cannot be.
    #[error("{0}")]
    Board(String),
    /// A player who does not play this game.
    #[error("{player} does not play {}", match kind {
        GameKind::Chess => "chess: choose human, tabiya, tabiya:1200, random, minimax:2, alphabeta:3, tree:3 or uci:COMMAND",
        GameKind::Bishops => "the bishop-and-king game: choose human, tabiya, tabiya:0 to tabiya:6, or random",
    })]
    OtherGame {
        /// Its name.
        player: String,
        /// The game that is to be played.
        kind: GameKind,
    },
    /// A time of its own, where both have the same.
    #[error("{0} cannot have a time control of its own here")]
    OwnTime(String),
    /// A move of an earlier sitting that cannot have been played.
    #[error("move {ply} of the game, {uci:?}, cannot be played: {reason}")]
    Move {
        /// Which one, counted in half-moves from 1.
        ply: usize,
        /// The move.
        uci: String,
        /// Why not.
        reason: String,
    },
}

impl Start {
    /// Chess from the usual start.
    pub fn standard() -> Start {
        Start::Chess(Position::initial())
    }

    /// Chess from any position. The last fields of the FEN may be missing.
    ///
    /// ```
    /// # use tabiya_play::Start;
    /// assert!(Start::fen("4k3/8/8/8/8/8/8/4K2R w K").is_ok());
    /// assert_eq!(Start::fen("8/8/8/8/8/8/8/8").unwrap_err().to_string(), "White has no king");
    /// ```
    pub fn fen(text: &str) -> Result<Start, GameSetupError> {
        let position = Position::from_fen_prefix(text);
        position.map(Start::Chess).map_err(|error| GameSetupError::Fen(error.to_string()))
    }

    /// One of the 960 start positions of Chess960.
    pub fn chess960(number: u16) -> Result<Start, GameSetupError> {
        Position::chess960(number).map(Start::Chess).ok_or(GameSetupError::Chess960(number))
    }

    /// The bishop-and-king game from a plain board configuration.
    ///
    /// ```
    /// # use tabiya_play::Start;
    /// assert!(Start::bishops("5\nKc3, Bd3, Be3\nKa1").is_ok());
    /// assert_eq!(
    ///     Start::bishops("5\nKa1, Bz9\nKe5").unwrap_err().to_string(),
    ///     "line 2: `Bz9` is outside a 5×5 board"
    /// );
    /// ```
    pub fn bishops(text: &str) -> Result<Start, GameSetupError> {
        let board: Board = text.parse().map_err(|error| wrong_board(&error))?;
        let position = tabiya_puzzle::Position::new(board, tabiya_puzzle::Side::White);
        position
            .map(|position| Start::Bishops(Box::new(position)))
            .map_err(|error| wrong_board(&error))
    }

    /// Which game it is.
    pub const fn kind(&self) -> GameKind {
        match self {
            Start::Chess(_) => GameKind::Chess,
            Start::Bishops(_) => GameKind::Bishops,
        }
    }

    /// The position as text: a FEN, or a plain board configuration.
    pub fn text(&self) -> String {
        match self {
            Start::Chess(position) => position.fen(),
            Start::Bishops(position) => position.board().plain(),
        }
    }

    /// The position from its text.
    pub fn read(kind: GameKind, text: &str) -> Result<Start, GameSetupError> {
        match kind {
            GameKind::Chess => Start::fen(text),
            GameKind::Bishops => Start::bishops(text),
        }
    }
}

fn wrong_board(error: &impl ToString) -> GameSetupError {
    GameSetupError::Board(error.to_string())
}

impl GameSetup {
    /// Two people, no clocks, moves may be taken back.
    pub fn new(start: Start) -> GameSetup {
        GameSetup {
            start,
            players: [Player::HUMAN, Player::HUMAN],
            control: None,
            seed: 0,
            take_backs: true,
            draws: true,
            date: None,
            remote: false,
        }
    }

    /// Checks that both players play this game.
    ///
    /// ```
    /// # use tabiya_play::{Player, GameSetup, Start};
    /// let players = [Player::HUMAN, "tabiya:3".parse()?];
    /// assert!(GameSetup { players, ..GameSetup::new(Start::standard()) }.check().is_err());
    /// # Ok::<(), tabiya_play::PlayerError>(())
    /// ```
    pub fn check(&self) -> Result<(), GameSetupError> {
        let kind = self.start.kind();
        self.players.iter().try_for_each(|player| {
            let plays = match (kind, &player.kind) {
                (_, PlayerKind::Human(_) | PlayerKind::Tabiya(Strength::Full)) => true,
                (GameKind::Chess, player) => {
                    !matches!(player, PlayerKind::Tabiya(Strength::Step(_)))
                }
                (GameKind::Bishops, player) => matches!(
                    player,
                    PlayerKind::Tabiya(Strength::Step(_))
                        | PlayerKind::Textbook(Textbook::Random { .. })
                ),
            };
            match (plays, player.options.tc) {
                (true, None) => Ok(()),
                (true, Some(_)) => Err(GameSetupError::OwnTime(player.kind.to_string())),
                (false, _) => Err(GameSetupError::OtherGame { player: player.to_string(), kind }),
            }
        })
    }
}
