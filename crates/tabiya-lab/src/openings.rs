use std::collections::HashSet;

use tabiya_base::{Random, digest};
use tabiya_chess::{FenError, Game, Position};
use tabiya_pgn::{BadGame, Interest, Played, ReadError, Reader, Visitor};
use thiserror::Error;

use crate::epd;

/// The positions that games begin from.
///
/// An opening is a [`Game`]: moves that lead to it are part of the record, and count for
/// repetition.
///
/// ```
/// use tabiya_lab::Openings;
///
/// let book = Openings::from_epd(
///     "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"Sicilian\";\n\
///      rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n",
/// )?;
/// assert_eq!(book.len(), 2);
/// # Ok::<(), tabiya_lab::OpeningsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    games: Vec<Game>,
}

/// Why there are no openings.
///
/// ```
/// use tabiya_lab::Openings;
///
/// let error = Openings::from_epd("8/8/8 w - -").unwrap_err();
/// assert!(error.to_string().starts_with("opening on line 1: "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningsError {
    /// A line is not a position.
    #[error("opening on line {line}: {error}")]
    BadLine {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// The game is over before it has begun.
    #[error("opening on line {line}: the game is over already")]
    Over {
        /// The line, counted from 1.
        line: usize,
    },
    /// A game of a PGN file is over before the match begins.
    #[error("game {game} is over already: give a number of plies")]
    OverAtEnd {
        /// The game, counted from 1.
        game: usize,
    },
    /// A game of a PGN file cannot be read.
    #[error(transparent)]
    BadGame(#[from] BadGame),
    /// There is not one opening.
    #[error("there are no openings")]
    Empty,
    /// Random moves do not lead to a position that can be played.
    #[error("{plies} random moves end the game too often to make openings of them")]
    TooLong {
        /// How many moves were asked for.
        plies: usize,
    },
}

/// Keeps the first moves of the main line of a game that is read.
struct MainLine {
    game: Game,
    most: usize,
    /// A null move was met, after which no game can go on.
    is_broken: bool,
}

impl Visitor for MainLine {
    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.game = Game::from_position(*start);
        self.is_broken = false;
        Interest::Read
    }

    fn played(&mut self, played: &Played<'_>) {
        match played.played {
            None => self.is_broken = true,
            Some(m) if !self.is_broken && self.game.moves().len() < self.most => {
                self.game.play_unchecked(m);
            }
            Some(_) => {}
        }
    }

    fn begin_variation(&mut self) -> Interest {
        Interest::Skip
    }
}

impl Openings {
    /// One opening, the usual start of a game.
    pub fn start() -> Openings {
        Openings { games: vec![Game::new()] }
    }

    /// Openings that are games already, each played up to where the match begins.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Move, Square};
    /// # use tabiya_lab::Openings;
    /// let mut game = Game::new();
    /// game.play(Move::normal(Square::E2, Square::E4)).unwrap();
    /// assert_eq!(Openings::from_games(vec![game])?.len(), 1);
    /// assert!(Openings::from_games(vec![]).is_err());
    /// # Ok::<(), tabiya_lab::OpeningsError>(())
    /// ```
    pub fn from_games(games: Vec<Game>) -> Result<Openings, OpeningsError> {
        if games.is_empty() {
            return Err(OpeningsError::Empty);
        }
        match games.iter().position(is_over) {
            Some(index) => Err(OpeningsError::Over { line: index + 1 }),
            None => Ok(Openings { games }),
        }
    }

    /// Reads one position a line: EPD, whose operations are ignored, or FEN. Empty lines and lines
    /// that begin with `#` are skipped.
    ///
    /// ```
    /// # use tabiya_lab::Openings;
    /// let text = "# Endings\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    /// assert_eq!(Openings::from_epd(text)?.len(), 1);
    /// # Ok::<(), tabiya_lab::OpeningsError>(())
    /// ```
    pub fn from_epd(text: &str) -> Result<Openings, OpeningsError> {
        let mut games = Vec::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let (line, number) = (line.trim(), index + 1);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (position, _) = epd::read_epd(line)
                .map_err(|error| OpeningsError::BadLine { line: number, error })?;
            let game = Game::from_position(position);
            if is_over(&game) {
                return Err(OpeningsError::Over { line: number });
            }
            games.push(game);
        }
        if games.is_empty() { Err(OpeningsError::Empty) } else { Ok(Openings { games }) }
    }

    /// Reads the main lines of a PGN file, each up to so many plies, or to its end. Games begin where
    /// their `FEN` tag says, in Chess960 too.
    ///
    /// ```
    /// # use tabiya_lab::Openings;
    /// let text = "[Event \"?\"]\n\n1. e4 e5 (1... c5) 2. Nf3 {usual} Nc6 3. Bb5 *\n";
    /// let openings = Openings::from_pgn(text, Some(4))?;
    /// assert_eq!(openings.get(0).moves().len(), 4);
    /// let error = Openings::from_pgn("1. e4 e5 2. Ke3 *", None).unwrap_err();
    /// assert!(error.to_string().starts_with("1:13: game 1: "));
    /// # Ok::<(), tabiya_lab::OpeningsError>(())
    /// ```
    pub fn from_pgn(text: &str, plies: Option<usize>) -> Result<Openings, OpeningsError> {
        let mut reader = Reader::new(text.as_bytes());
        let mut games = Vec::new();
        let mut line =
            MainLine { game: Game::new(), most: plies.unwrap_or(usize::MAX), is_broken: false };
        loop {
            match reader.visit(&mut line) {
                Ok(true) if is_over(&line.game) => {
                    return Err(OpeningsError::OverAtEnd { game: games.len() + 1 });
                }
                Ok(true) => games.push(line.game.clone()),
                Err(ReadError::BadGame(bad)) => return Err(bad.into()),
                // What is in memory can always be read.
                Ok(false) | Err(ReadError::Io(_)) => return Openings::from_games(games),
            }
        }
    }

    /// Openings of random moves from the usual start: positions that are neither over nor check,
    /// different from each other as long as there are enough. The same seed gives the same openings,
    /// and asking for more only adds to them.
    ///
    /// ```
    /// # use tabiya_lab::Openings;
    /// let eight_plies = Openings::random(10, 8, 42)?;
    /// assert_eq!(eight_plies, Openings::random(10, 8, 42)?);
    /// # Ok::<(), tabiya_lab::OpeningsError>(())
    /// ```
    pub fn random(count: usize, plies: usize, seed: u64) -> Result<Openings, OpeningsError> {
        /// Try for something new so often, then take what comes.
        const NEW: usize = 100;
        const TRIES: usize = 1000;
        let mut random = Random::new(seed);
        let mut seen = HashSet::new();
        let mut games = Vec::new();
        for _ in 0..count {
            let game = (0..TRIES).find_map(|attempt| {
                let game = random_game(plies, &mut random)?;
                let new = seen.insert(game.position().key());
                (new || attempt >= NEW).then_some(game)
            });
            games.push(game.ok_or(OpeningsError::TooLong { plies })?);
        }
        Openings::from_games(games)
    }

    /// The same openings in another order, which depends only on the seed.
    ///
    /// ```
    /// # use tabiya_lab::Openings;
    /// let openings = Openings::random(20, 4, 1)?;
    /// assert_ne!(openings.clone().shuffled(7), openings);
    /// assert_eq!(openings.clone().shuffled(7), openings.shuffled(7));
    /// # Ok::<(), tabiya_lab::OpeningsError>(())
    /// ```
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> Openings {
        Random::new(seed).shuffle(&mut self.games);
        self
    }

    /// How many there are; at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// An opening by its number; after the last comes the first again.
    ///
    /// ```
    /// # use tabiya_lab::Openings;
    /// let openings = Openings::random(3, 6, 0)?;
    /// assert_eq!(openings.get(4), openings.get(1));
    /// # Ok::<(), tabiya_lab::OpeningsError>(())
    /// ```
    pub fn get(&self, index: usize) -> Game {
        let within = index.checked_rem(self.games.len()).unwrap_or(0);
        self.games.get(within).cloned().unwrap_or_default()
    }

    /// A number that tells these openings from others, by their FENs; the same on every machine.
    pub(crate) fn digest(&self) -> u64 {
        let line = |game: &Game| game.position().fen() + "\n";
        digest(self.games.iter().flat_map(|game| line(game).into_bytes()))
    }
}

pub(crate) fn is_over(game: &Game) -> bool {
    game.outcome().or_else(|| game.claimable_draw()).is_some()
}

fn random_game(plies: usize, random: &mut Random) -> Option<Game> {
    let mut game = Game::new();
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        game.play_unchecked(random.pick(&moves)?);
        if is_over(&game) {
            return None;
        }
    }
    (!game.position().is_check()).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str, plies: Option<usize>) -> Vec<String> {
        let openings = Openings::from_pgn(text, plies).unwrap();
        let games = (0..openings.len()).map(|index| openings.get(index));
        let spelt = |game: Game| {
            let moves = game.positions().zip(game.moves()).map(|(position, &m)| position.san(m));
            moves.collect::<Vec<_>>().join(" ")
        };
        games.map(spelt).collect()
    }

    #[test]
    fn main_lines_of_games_are_openings() {
        let text = "[Event \"A\"]\n\n1.e4! {a ) comment} $1 e5 (1... c5 2.Nf3) 2. Nf3 Nc6?? 3. Bc4 *\n\n\
            [Event \"B\"]\n[FEN \"4k3/8/8/8/8/8/8/1RK4R w HB - 0 1\"]\n\n1. O-O-O *\n\n\
            [Event \"A threat\"]\n\n1. d4 -- 2. e4 *\n";
        assert_eq!(moves(text, None), ["e4 e5 Nf3 Nc6 Bc4", "O-O-O", "d4"]);
        assert_eq!(moves(text, Some(2)), ["e4 e5", "O-O-O", "d4"]);
    }

    #[test]
    fn a_game_that_cannot_be_an_opening_is_named() {
        let error = |text: &str| Openings::from_pgn(text, None).unwrap_err().to_string();
        assert_eq!(
            error("[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n1. e4 e5\n2. Nf6 *\n"),
            "8:4: game 2: No knight of yours can go to f6."
        );
        let mate = "1. f3 e5 2. g4 Qh4# 0-1";
        assert_eq!(error(mate), "game 1 is over already: give a number of plies");
        assert_eq!(moves(mate, Some(3)), ["f3 e5 g4"]);
        assert_eq!(error(""), "there are no openings");
    }

    #[test]
    fn counters_are_optional_and_kept() {
        let book = Openings::from_epd(
            "\u{feff}4k3/8/8/8/8/8/4P3/4K3 b - - 7 31\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 b - - id 31;\n",
        );
        let book = book.unwrap();
        assert_eq!(book.get(0).position().fen(), "4k3/8/8/8/8/8/4P3/4K3 b - - 7 31");
        assert_eq!(book.get(1).position().fen(), "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
    }

    #[test]
    fn bad_lines_are_named() {
        let good = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let error = |text: String| Openings::from_epd(&text).unwrap_err().to_string();
        assert!(error(format!("{good}\n\nhello")).starts_with("opening on line 3: "));
        let mate = format!("{good}\nR5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(error(mate), "opening on line 2: the game is over already");
        let missing = error("4k3/8/8/8/8/8/4P3/4K3 w".to_owned());
        assert_eq!(missing, "opening on line 1: the FEN ends before the castling field");
        assert_eq!(error("# nothing\n".to_owned()), "there are no openings");
    }

    #[test]
    fn random_openings_are_playable_and_different() {
        let openings = Openings::random(200, 9, 3).unwrap();
        let mut keys = HashSet::new();
        for index in 0..200 {
            let game = openings.get(index);
            assert_eq!(game.moves().len(), 9);
            assert!(!game.position().is_check() && !is_over(&game));
            assert!(keys.insert(game.position().key()));
        }
        let more = Openings::random(201, 9, 3).unwrap();
        assert!((0..200).all(|index| more.get(index) == openings.get(index)));
        assert_ne!(openings.digest(), more.digest());
        // One ply has only twenty.
        assert_eq!(Openings::random(30, 1, 3).unwrap().len(), 30);
        assert!(Openings::random(1, 5000, 3).is_err());
    }
}
