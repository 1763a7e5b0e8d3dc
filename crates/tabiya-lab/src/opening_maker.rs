use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::RangeInclusive;

use tabiya_base::Random;
use tabiya_chess::{Bitboard, Color, Game, Piece, Role};
use tabiya_thinker::{Limits, ThinkError, Thinker};
use thiserror::Error;

use crate::data::ScoredMove;
use crate::epd::fields;
use crate::judge;

/// Makes openings: sensible moves with some chance in them, as long as White comes out a little better.
///
/// From level openings two good engines draw most of their games, and a match tells little. From
/// openings that are a little unbalanced, each played with both colours, they do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningMaker {
    /// How many plies an opening has; it ends as soon as White seems to be better as asked for, but not
    /// always as early as possible.
    pub plies: RangeInclusive<usize>,
    /// How many of the best moves are considered on each ply.
    pub lines: usize,
    /// By how many hundredths of a pawn a move of White and of Black may be worse than the best one; the
    /// first move of each by twice as many.
    pub margins: [i32; 2],
    /// How many positions the thinker looks at for each ply; ten times as many for the first two.
    pub walk_nodes: u64,
    /// By how much White has to be better, in hundredths of a pawn, ...
    pub advantage: RangeInclusive<i32>,
    /// ... in the eyes of a quick judge and of a thorough one, who look at so many positions.
    pub nodes: [u64; 2],
    /// How many openings may have the same pawns on the same squares.
    pub same_pawns: usize,
    /// The same seed makes the same openings; asking for more only adds to them.
    pub seed: u64,
}

impl Default for OpeningMaker {
    fn default() -> OpeningMaker {
        OpeningMaker {
            plies: 6..=10,
            lines: 10,
            margins: [30, 45],
            walk_nodes: 10_000,
            advantage: 60..=130,
            nodes: [10_000, 100_000],
            same_pawns: 3,
            seed: 1,
        }
    }
}

/// An opening, and what the thorough judge thinks of it. As text, a line of EPD.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_lab::MadeOpening;
///
/// let opening = MadeOpening { game: Game::new(), score: 30, nodes: 1000 };
/// assert_eq!(
///     opening.to_string(),
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - acn 1000; ce 30; c0 \"\";"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeOpening {
    /// The moves that lead to it.
    pub game: Game,
    /// Hundredths of a pawn, for the side to move.
    pub score: i32,
    /// How many positions the judge looked at.
    pub nodes: u64,
}

impl fmt::Display for MadeOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = &self.game;
        let moves: Vec<String> =
            game.positions().zip(game.moves()).map(|(position, &m)| position.san(m)).collect();
        let fields = fields(game.position());
        let (nodes, score, moves) = (self.nodes, self.score, moves.join(" "));
        write!(f, "{fields} acn {nodes}; ce {score}; c0 \"{moves}\";")
    }
}

/// Why there are not as many openings as were asked for.
///
/// ```
/// use tabiya_lab::OpeningMakerError;
///
/// let error = OpeningMakerError::TooFew { found: 3, wanted: 10, tried: 100 };
/// assert_eq!(error.to_string(), "100 tries gave only 3 of 10 openings: ask for less, or allow more");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningMakerError {
    /// What is asked for is rare, or there is no more of it.
    #[error("{tried} tries gave only {found} of {wanted} openings: ask for less, or allow more")]
    TooFew {
        /// Openings found.
        found: usize,
        /// Openings asked for.
        wanted: usize,
        /// Lines of play tried.
        tried: usize,
    },
    /// Whoever judges the openings does not answer.
    #[error("the judge of openings: {0}")]
    NoAnswer(#[from] ThinkError),
}

/// What was said is kept for so many plies from the start.
const SHARED_PLIES: usize = 6;

impl OpeningMaker {
    /// Makes so many openings, all different. Calls `on_found` for each, with the number of lines tried
    /// so far.
    pub fn make(
        &self,
        count: usize,
        thinker: &mut dyn Thinker,
        mut on_found: impl FnMut(&MadeOpening, usize),
    ) -> Result<Vec<MadeOpening>, OpeningMakerError> {
        /// Give up after so many lines for each opening.
        const TRIES: usize = 1000;
        let mut random = Random::new(self.seed);
        let mut seen = HashSet::new();
        let mut asked = HashMap::new();
        let mut pawns: HashMap<[Bitboard; 2], usize> = HashMap::new();
        let mut found = Vec::new();
        let most = count.saturating_mul(TRIES);
        for tried in 1..=most {
            if found.len() == count {
                break;
            }
            let Some(game) = self.walk(thinker, &mut asked, &mut random)? else { continue };
            let skeleton = skeleton(&game);
            if pawns.get(&skeleton).is_some_and(|&known| known >= self.same_pawns)
                || !seen.insert(game.position().repetition_key())
            {
                continue;
            }
            let Some(opening) = self.weigh(game, thinker)? else { continue };
            on_found(&opening, tried);
            found.push(opening);
            *pawns.entry(skeleton).or_default() += 1;
        }
        if found.len() < count {
            let found = found.len();
            return Err(OpeningMakerError::TooFew { found, wanted: count, tried: most });
        }
        Ok(found)
    }

    /// Plays moves that are good enough, one of them each time, until White seems to be better as asked
    /// for. `None` if the game ends or the king is in check: a match does not begin like that.
    fn walk(
        &self,
        thinker: &mut dyn Thinker,
        asked: &mut HashMap<u64, Vec<ScoredMove>>,
        random: &mut Random,
    ) -> Result<Option<Game>, ThinkError> {
        let choice = self.plies.end().saturating_sub(*self.plies.start()).saturating_add(1);
        let fewest = self.plies.start().saturating_add(random.below(choice));
        let [white, black] = self.margins;
        let mut game = Game::new();
        for ply in 0..*self.plies.end() {
            // All lines share their first plies: nobody is asked twice.
            let mut lines = match asked.get(&game.position().repetition_key()) {
                Some(lines) => lines.clone(),
                None => {
                    // Few questions, on which all lines depend.
                    let effort = if ply < 2 { 10 } else { 1 };
                    let nodes = self.walk_nodes.saturating_mul(effort);
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let lines = judge(thinker, &game, self.lines, &limits)?;
                    if game.moves().len() < SHARED_PLIES {
                        asked.insert(game.position().repetition_key(), lines.clone());
                    }
                    lines
                }
            };
            let Some(best) = lines.first().map(|best| best.score.rank()) else {
                return Ok(None);
            };
            let (margin, for_white) = match game.position().turn() {
                Color::White => (white, best),
                Color::Black => (black, -best),
            };
            let enough = ply >= fewest && self.advantage.contains(&for_white);
            if enough && !game.position().is_check() {
                break;
            }
            // Games begin in many ways.
            let margin = if ply < 2 { margin.saturating_mul(2) } else { margin };
            lines.retain(|other| other.score.rank() >= best.saturating_sub(margin));
            let Some(chosen) = random.pick(&lines) else { return Ok(None) };
            game.play_unchecked(chosen.m);
        }
        let over = game.outcome().or_else(|| game.claimable_draw()).is_some();
        Ok((!over && !game.position().is_check()).then_some(game))
    }

    /// The opening, if both judges agree that White is better by as much as was asked for.
    fn weigh(
        &self,
        game: Game,
        thinker: &mut dyn Thinker,
    ) -> Result<Option<MadeOpening>, ThinkError> {
        let mut weighed = None;
        for nodes in self.nodes {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let lines = judge(thinker, &game, 1, &limits)?;
            let Some(score) = lines.first().map(|best| best.score.rank()) else {
                return Ok(None);
            };
            let for_white = if game.position().turn() == Color::White { score } else { -score };
            if !self.advantage.contains(&for_white) {
                return Ok(None);
            }
            weighed = Some((score, nodes));
        }
        Ok(weighed.map(|(score, nodes)| MadeOpening { game, score, nodes }))
    }
}

/// Where the pawns stand.
fn skeleton(game: &Game) -> [Bitboard; 2] {
    let board = game.position().board();
    [Color::White, Color::Black].map(|color| board.pieces(Piece { color, role: Role::Pawn }))
}

#[cfg(test)]
mod tests {
    use tabiya_base::Score;

    use super::*;
    use crate::judge::toy::Toy;

    /// Prefers moves that come early in the list, and White by a number made of the position.
    fn toy() -> impl Thinker {
        Toy(|game: &Game, _: &Limits| {
            let position = game.position();
            let white = 50 + (position.key() % 100) as i32;
            let score = if position.turn() == Color::White { white } else { -white };
            let moves = position.legal_moves();
            (0..)
                .zip(moves.iter())
                .map(|(rank, &m)| ScoredMove { m, score: Score::Centipawns(score - 10 * rank) })
                .collect()
        })
    }

    fn maker() -> OpeningMaker {
        OpeningMaker { plies: 5..=8, ..OpeningMaker::default() }
    }

    #[test]
    fn openings_are_different_and_as_asked_for() {
        let made = maker().make(100, &mut toy(), |_, _| {}).unwrap();
        let mut keys = HashSet::new();
        let mut pawns: HashMap<_, usize> = HashMap::new();
        for opening in &made {
            let position = opening.game.position();
            assert!((5..=8).contains(&opening.game.moves().len()));
            assert!(!position.is_check() && position.outcome().is_none());
            let white =
                if position.turn() == Color::White { opening.score } else { -opening.score };
            assert!((60..=130).contains(&white));
            assert!(keys.insert(position.repetition_key()), "{opening}");
            *pawns.entry(skeleton(&opening.game)).or_default() += 1;
        }
        assert!(pawns.values().all(|&openings| openings <= 3));
    }

    #[test]
    fn openings_repeat_and_more_only_add() {
        let few = maker().make(5, &mut toy(), |_, _| {}).unwrap();
        assert_eq!(maker().make(9, &mut toy(), |_, _| {}).unwrap()[..5], few);
        let other = OpeningMaker { seed: 2, ..maker() };
        assert_ne!(other.make(5, &mut toy(), |_, _| {}).unwrap(), few);
    }

    #[test]
    fn what_is_impossible_is_given_up() {
        let never = OpeningMaker { advantage: 500..=600, ..maker() };
        let error = never.make(1, &mut toy(), |_, _| {}).unwrap_err();
        assert_eq!(error, OpeningMakerError::TooFew { found: 0, wanted: 1, tried: 1000 });
    }

    #[test]
    fn margins_keep_to_the_best_moves() {
        // The next best is ten worse: only the first is good enough.
        let strict = OpeningMaker { margins: [4; 2], advantage: -1000..=1000, ..maker() };
        let opening = &strict.make(1, &mut toy(), |_, _| {}).unwrap()[0];
        for (position, &m) in opening.game.positions().zip(opening.game.moves()) {
            assert_eq!(position.legal_moves().first(), Some(&m));
        }
    }
}
