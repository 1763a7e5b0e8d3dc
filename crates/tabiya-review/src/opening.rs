use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use tabiya_chess::{Game, Position};

const LIST: &str = include_str!("../data/openings.txt");

/// Longer than any line of the list.
const MOST_PLIES: usize = 40;

/// The name of an opening. It is found by positions, so that any order of moves will do.
///
/// ```
/// use tabiya_review::Opening;
///
/// let game: tabiya_pgn::Game = "1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 4. h4 *".parse()?;
/// let opening = Opening::of(&game.to_play()).unwrap();
/// assert_eq!((opening.eco, opening.name, opening.plies), ("C70", "Ruy Lopez: Morphy Defence", 6));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The code of the encyclopaedia: A00 to E99.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
    /// After how many plies of the game the name was found.
    pub plies: usize,
}

impl Opening {
    /// The opening of a game: the name of the last position that has one.
    pub fn of(game: &Game) -> Option<Opening> {
        let positions = game.positions().enumerate().take(MOST_PLIES + 1);
        positions
            .filter_map(|(plies, position)| Some(Opening { plies, ..Opening::at(position)? }))
            .last()
    }

    /// The same from moves as programs write them, and the FEN of the start if that is not the usual one.
    ///
    /// ```
    /// # use tabiya_review::Opening;
    /// let opening = Opening::of_codes(None, ["e2e4", "c7c5", "a2a3"]).unwrap();
    /// assert_eq!((opening.name, opening.plies), ("Sicilian Defence", 2));
    /// assert_eq!(Opening::of_codes(Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), ["e1e2"]), None);
    /// ```
    pub fn of_codes<'a>(
        fen: Option<&str>,
        codes: impl IntoIterator<Item = &'a str>,
    ) -> Option<Opening> {
        Opening::along(fen, codes).into_iter().next_back().flatten()
    }

    /// What the opening was called before the first move and after each; the list ends where names do.
    ///
    /// ```
    /// # use tabiya_review::Opening;
    /// let names = Opening::along(None, ["e2e4", "c7c5", "a2a3"]);
    /// let names: Vec<_> = names.iter().map(|one| one.map(|opening| opening.name)).collect();
    /// assert_eq!(names[0], None);
    /// assert_eq!(names[2..], [Some("Sicilian Defence"); 2]);
    /// ```
    pub fn along<'a>(
        fen: Option<&str>,
        codes: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Option<Opening>> {
        let start = fen.map_or_else(|| Some(Position::initial()), |fen| fen.parse().ok());
        let Some(start) = start else { return Vec::new() };
        let mut game = Game::from_position(start);
        for code in codes.into_iter().take(MOST_PLIES) {
            let Ok(m) = game.position().parse_uci(code) else { break };
            game.play_unchecked(m);
        }
        let mut last = None;
        let named = game.positions().enumerate().map(|(plies, position)| {
            let here = Opening::at(position).map(|found| Opening { plies, ..found });
            last = here.or(last);
            last
        });
        named.collect()
    }

    /// The opening that the position of a FEN belongs to; see [`Opening::at`].
    ///
    /// ```
    /// # use tabiya_review::Opening;
    /// let sicilian = Opening::at_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    /// assert_eq!(sicilian.unwrap().to_string(), "B20 Sicilian Defence");
    /// assert_eq!(Opening::at_fen("no FEN"), None);
    /// ```
    pub fn at_fen(fen: &str) -> Option<Opening> {
        Opening::at(&Position::from_fen_prefix(fen).ok()?)
    }

    /// The opening that a position belongs to, if it is one of the list.
    ///
    /// ```
    /// # use tabiya_review::Opening;
    /// let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".parse().unwrap();
    /// assert_eq!(Opening::at(&sicilian).unwrap().name, "Sicilian Defence");
    /// ```
    pub fn at(position: &Position) -> Option<Opening> {
        static BY_KEY: OnceLock<HashMap<u64, Opening>> = OnceLock::new();
        let by_key = BY_KEY.get_or_init(|| {
            let last = |(eco, name, moves)| {
                let mut position = Position::initial();
                let mut plies = 0;
                for san in str::split_whitespace(moves) {
                    position = position.play(position.parse_san(san).ok()?).ok()?;
                    plies += 1;
                }
                Some((position.repetition_key(), Opening { eco, name, plies }))
            };
            openings().filter_map(last).collect()
        });
        by_key.get(&position.repetition_key()).copied()
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// All openings that are known: code, name, and moves in algebraic notation.
///
/// ```
/// let (eco, name, moves) = tabiya_review::openings().find(|(_, name, _)| *name == "Evans Gambit").unwrap();
/// assert_eq!((eco, moves), ("C51", "e4 e5 Nf3 Nc6 Bc4 Bc5 b4"));
/// ```
pub fn openings() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    LIST.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut parts = line.split('|').map(str::trim);
        Some((parts.next()?, parts.next()?, parts.next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_exact_and_there_once() {
        let mut names = HashMap::new();
        let mut keys = HashMap::new();
        for (eco, name, moves) in openings() {
            let code = eco.as_bytes();
            assert!(code.len() == 3 && (b'A'..=b'E').contains(&code[0]), "{eco} {name}");
            assert!(code[1..].iter().all(u8::is_ascii_digit), "{eco} {name}");
            let mut position = Position::initial();
            for san in moves.split(' ') {
                let m = position
                    .parse_san(san)
                    .unwrap_or_else(|error| panic!("{name}: {san}: {error}"));
                assert_eq!(
                    position.san(m).trim_end_matches(['+', '#']),
                    san.trim_end_matches('+'),
                    "{name}"
                );
                position = position.play(m).unwrap();
            }
            assert!(moves.split(' ').count() <= MOST_PLIES, "{name}");
            let before = names.insert(name, moves);
            assert_eq!(before, None, "two lines are called {name}");
            let before = keys.insert(position.repetition_key(), name);
            assert_eq!(before, None, "{name} is the same position");
        }
        assert_eq!(LIST.lines().filter(|line| !line.starts_with('#')).count(), names.len());
        assert!(names.len() >= 350, "{}", names.len());
    }

    #[test]
    fn games_have_the_names_of_their_openings() {
        for (moves, eco, name) in [
            (
                "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6",
                "B94",
                "Sicilian Defence: Najdorf, Main Line",
            ),
            ("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4", "E20", "Nimzo-Indian Defence"),
            // The same by other roads.
            ("1. c4 e6 2. Nc3 Nf6 3. d4 Bb4", "E20", "Nimzo-Indian Defence"),
            (
                "1. Nf3 d5 2. d4 e6 3. c4 Nf6 4. Nc3",
                "D37",
                "Queen's Gambit Declined: Three Knights",
            ),
            ("1. d4 d5 2. c4 e6 3. a3", "D30", "Queen's Gambit Declined"),
        ] {
            let game: tabiya_pgn::Game = format!("{moves} *").parse().unwrap();
            let opening = Opening::of(&game.to_play()).unwrap();
            assert_eq!((opening.eco, opening.name), (eco, name), "{moves}");
        }
    }
}
