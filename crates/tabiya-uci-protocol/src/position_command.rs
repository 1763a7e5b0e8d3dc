use std::fmt;

use tabiya_chess::{FenError, Game, ParseMoveError, Position};

use crate::words::{Words, shorten, write_list};

/// The game to think about: `position startpos moves e2e4 e7e5`.
///
/// ```
/// use tabiya_uci_protocol::{PositionCommand, StartPosition};
///
/// let command = PositionCommand { start: StartPosition::Startpos, moves: vec!["e2e4".into()] };
/// assert_eq!(command.to_string(), "position startpos moves e2e4");
/// assert_eq!(command.resolve().unwrap().moves().len(), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionCommand {
    /// Where the game began.
    pub start: StartPosition,
    /// The moves since, as the GUI writes them.
    pub moves: Vec<String>,
}

/// Where a game began.
///
/// ```
/// use tabiya_uci_protocol::{Command, PositionCommand, StartPosition};
///
/// let (command, _) = Command::parse("position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
/// let Command::Position(PositionCommand { start, .. }) = command else { panic!() };
/// assert_eq!(start, StartPosition::Fen("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum StartPosition {
    /// The usual start.
    #[default]
    Startpos,
    /// A FEN, not yet read.
    Fen(String),
}

impl PositionCommand {
    /// The command that gives a game to an engine. Castling is written as king takes rook if the
    /// engine was told to play Chess960.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_uci_protocol::PositionCommand;
    /// let mut game = Game::new();
    /// game.play(game.position().parse_san("Nf3").unwrap()).unwrap();
    /// let command = PositionCommand::from_game(&game, false);
    /// assert_eq!(command.to_string(), "position startpos moves g1f3");
    /// assert_eq!(command.resolve(), Ok(game));
    /// ```
    pub fn from_game(game: &Game, chess960: bool) -> PositionCommand {
        let start = match game.start() {
            start if *start == Position::initial() => StartPosition::Startpos,
            start => StartPosition::Fen(start.fen()),
        };
        let moves = game.positions().zip(game.moves());
        let moves = moves.map(|(position, &m)| match chess960 {
            true => position.uci_chess960(m),
            false => position.uci(m),
        });
        PositionCommand { start, moves: moves.collect() }
    }

    /// Reads the words after `position`. The word `fen` may be missing, and so may the last fields
    /// of the FEN.
    pub(crate) fn parse(mut words: Words<'_>) -> PositionCommand {
        let start = match words.peek() {
            Some("startpos") => {
                words.until(&["moves"]);
                StartPosition::Startpos
            }
            first => {
                if first == Some("fen") {
                    words.next();
                }
                StartPosition::Fen(words.until(&["moves"]).join(" "))
            }
        };
        words.next();
        PositionCommand { start, moves: words.map(str::to_owned).collect() }
    }

    /// The game with all its moves played. Castling may be written as the king's move or as king
    /// takes rook, in standard chess and in Chess960.
    ///
    /// ```
    /// # use tabiya_uci_protocol::{Command, PositionCommand};
    /// let (command, _) = Command::parse("position startpos moves e2e4 e7e5 e4e5");
    /// let Command::Position(command) = command else { panic!() };
    /// assert_eq!(
    ///     command.resolve().unwrap_err().to_string(),
    ///     "position: move 3, \"e4e5\": The pawn on e4 is blocked by the pawn on e5: a pawn captures \
    ///      diagonally."
    /// );
    /// ```
    pub fn resolve(&self) -> Result<Game, PositionError> {
        let mut game = match &self.start {
            StartPosition::Startpos => Game::new(),
            StartPosition::Fen(fen) => Position::from_fen_prefix(fen)
                .map(Game::from_position)
                .map_err(|reason| PositionError::BadFen { fen: shorten(fen), reason })?,
        };
        for (index, text) in self.moves.iter().enumerate() {
            let m = game.position().parse_uci(text).map_err(|reason| {
                PositionError::IllegalMove { number: index + 1, text: shorten(text), reason }
            })?;
            game.play_unchecked(m);
        }
        Ok(game)
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Startpos => f.write_str("position startpos")?,
            StartPosition::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        write_list(f, "moves", &self.moves)
    }
}

/// Why a `position` gives no game.
///
/// ```
/// use tabiya_uci_protocol::{PositionCommand, PositionError, StartPosition};
///
/// let command = PositionCommand { start: StartPosition::Fen("8/8".into()), moves: Vec::new() };
/// let error = command.resolve().unwrap_err();
/// assert!(matches!(error, PositionError::BadFen { .. }));
/// assert_eq!(
///     error.to_string(),
///     "position: \"8/8\": the FEN has 2 ranks instead of eight"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// The FEN is not one.
    BadFen {
        /// The FEN (cut short if long).
        fen: String,
        /// What is wrong with it.
        reason: FenError,
    },
    /// A move cannot be played.
    IllegalMove {
        /// Which of the moves it is, from 1.
        number: usize,
        /// The move as it was written (cut short if long).
        text: String,
        /// Why it cannot be played.
        reason: ParseMoveError,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::BadFen { fen, reason } => write!(f, "position: {fen:?}: {reason}"),
            PositionError::IllegalMove { number, text, reason } => {
                write!(f, "position: move {number}, {text:?}: {reason}")
            }
        }
    }
}

impl std::error::Error for PositionError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;

    fn position(line: &str) -> PositionCommand {
        match Command::parse(line).0 {
            Command::Position(position) => position,
            other => panic!("{line} gives {other:?}"),
        }
    }

    fn error(line: &str) -> String {
        position(line).resolve().unwrap_err().to_string()
    }

    #[test]
    fn from_the_start_or_from_a_fen() {
        let game = position("position startpos moves e2e4 c7c5 g1f3").resolve().unwrap();
        assert_eq!(game.moves().len(), 3);
        assert_eq!(
            game.position().fen(),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
        );
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20";
        let game = position(&format!("position fen {fen} moves e8c8")).resolve().unwrap();
        assert_eq!(game.start().fen(), fen);
        assert_eq!(game.position().fen(), "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 4 21");
    }

    #[test]
    fn a_fen_may_lack_its_name_or_its_end() {
        let short = position("position fen 4k3/8/8/8/8/8/8/4K2R w K moves e1g1");
        assert_eq!(short.resolve().unwrap().position().fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        let unnamed = position("position 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(unnamed.resolve().unwrap().position().fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    }

    #[test]
    fn castling_either_way_in_chess960_too() {
        let fen = "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1";
        for castle in ["f1g1", "f1b1", "f1c1"] {
            let game = position(&format!("position fen {fen} moves {castle}")).resolve().unwrap();
            assert!(game.moves()[0].castling_rook().is_some(), "{castle}");
            let written = PositionCommand::from_game(&game, true);
            assert_eq!(written.resolve(), Ok(game));
        }
        let standard = position("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
        let game = standard.resolve().unwrap();
        assert_eq!(PositionCommand::from_game(&game, false), standard);
        assert_eq!(PositionCommand::from_game(&game, true).moves, ["e1h1"]);
    }

    #[test]
    fn errors_name_the_place() {
        assert_eq!(error("position"), "position: \"\": the FEN is empty");
        assert_eq!(error("position moves e2e4"), "position: \"\": the FEN is empty");
        assert_eq!(
            error("position fen 8/8/8/8/8/8/8/8 w - - 0 1"),
            "position: \"8/8/8/8/8/8/8/8 w - - 0 1\": White has no king"
        );
        assert_eq!(
            error("position startpos moves e2e4 0000"),
            "position: move 2, \"0000\": \"0000\" is not a move: write it like e4, Nf3 or e2e4."
        );
        let long = error(&format!("position fen {}", "rnbq/".repeat(10_000)));
        assert!(long.chars().count() < 200, "{long}");
    }
}
