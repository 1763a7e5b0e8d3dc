use std::collections::HashMap;
use std::fmt;

use tabiya_base::{Random, Score};
use tabiya_chess::{Game, Move, Position};
use tabiya_thinker::{Limits, ThinkError, Thinker};

use crate::data::ScoredMove;
use crate::epd::fields;
use crate::mate::{MateProof, shortest_mate};
use crate::{Openings, judge};

/// Finds puzzles in games that a thinker plays against itself, quickly and with a random move now and
/// then, so that there is something to find: forced mates, and moves that win where a shallow look
/// finds another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzleFinder {
    /// How many positions a beginner looks at, who is to miss the tactics.
    pub shallow: u64,
    /// How many the players look at for a move.
    pub quick: u64,
    /// How many for a second look after a random move, which may have been a mistake.
    pub look: u64,
    /// How many for a thorough one, where that promises something.
    pub thorough: u64,
    /// By how many hundredths of a pawn the best move has to be better than all others.
    pub gap: i32,
    /// How many moves may be played to prove a mate.
    pub proof: u64,
}

impl Default for PuzzleFinder {
    fn default() -> PuzzleFinder {
        PuzzleFinder {
            shallow: 100,
            quick: 500,
            look: 8_000,
            thorough: 300_000,
            gap: 200,
            proof: 4_000_000,
        }
    }
}

/// What a puzzle asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PuzzleKind {
    /// Mate in so many moves, proved: see [`shortest_mate`].
    Mate(u32),
    /// One move is clearly better than all others.
    Tactic,
}

/// A puzzle. As text, a line of EPD.
///
/// ```
/// use tabiya_base::Score;
/// use tabiya_lab::{Puzzle, PuzzleKind};
///
/// let position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
/// let first = tabiya_chess::Position::parse_san(&position, "Ra8").unwrap();
/// let puzzle = Puzzle { kind: PuzzleKind::Mate(1), position, first, scores: [Score::Mate(1); 2] };
/// assert_eq!(puzzle.to_string(), "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1;");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// What is asked for.
    pub kind: PuzzleKind,
    /// Where.
    pub position: Position,
    /// A move that solves it; for a tactic, the only one.
    pub first: Move,
    /// What the thinker says of it, and of the next best move.
    pub scores: [Score; 2],
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = fields(&self.position);
        match self.kind {
            PuzzleKind::Mate(moves) => write!(f, "{fields} dm {moves};"),
            PuzzleKind::Tactic => {
                let (san, [best, next]) = (self.position.san(self.first), self.scores);
                write!(f, "{fields} bm {san}; c0 \"{best}, next {next}\";")
            }
        }
    }
}

/// No endings with few men: they are known.
const FEWEST_MEN: u32 = 8;
/// Longer mates are not looked for.
const LONGEST_MATE: u32 = 5;
/// Games begin with so many random plies, and end after so many.
const RANDOM_PLIES: usize = 8;
const LONGEST_GAME: usize = 200;
/// One move in so many is random.
const DISTRACTION: usize = 5;
/// A side that is so much ahead may have a mate, in hundredths of a pawn.
const WINNING: i32 = 500;
/// Puzzles of one kind are so far apart: the next position often asks for the same.
const PLIES_BETWEEN: usize = 10;

impl PuzzleFinder {
    /// Plays a game, which depends only on its number and the thinker, and gives the puzzles met in it: only
    /// of the kinds that are wanted, and no two of one kind close together.
    pub fn search_game(
        &self,
        number: u64,
        thinker: &mut dyn Thinker,
        mut wanted: impl FnMut(PuzzleKind) -> bool,
    ) -> Result<Vec<Puzzle>, ThinkError> {
        let mut puzzles: Vec<Puzzle> = Vec::new();
        let mut random = Random::new(!number);
        let mut last: HashMap<PuzzleKind, usize> = HashMap::new();
        let mut distracted = true;
        let Ok(openings) = Openings::random(1, RANDOM_PLIES, number) else { return Ok(puzzles) };
        let mut game = openings.get(0);
        while game.outcome().or_else(|| game.claimable_draw()).is_none()
            && game.moves().len() < LONGEST_GAME
        {
            let Some(quick) = lines(thinker, &game, 1, self.quick)?.first().copied() else { break };
            let men = game.position().board().occupied().len();
            let ply = game.moves().len();
            let far = |kind| last.get(&kind).is_none_or(|&before| ply - before >= PLIES_BETWEEN);
            let mut new = |kind| far(kind) && wanted(kind);
            let any_mate = (2..=LONGEST_MATE).any(|moves| new(PuzzleKind::Mate(moves)));
            let puzzle = if men < FEWEST_MEN {
                None
            } else if quick.score.rank() >= WINNING && any_mate {
                self.mate(&game, thinker)?.filter(|puzzle| new(puzzle.kind))
            } else if distracted && new(PuzzleKind::Tactic) {
                self.tactic(&game, thinker)?
            } else {
                None
            };
            if let Some(puzzle) = puzzle {
                last.insert(puzzle.kind, ply);
                puzzles.push(puzzle);
            }
            let moves = game.position().legal_moves();
            let any = random.pick(&moves);
            distracted = random.below(DISTRACTION) == 0;
            game.play_unchecked(any.filter(|_| distracted).unwrap_or(quick.m));
        }
        Ok(puzzles)
    }

    /// A mate that a thorough look has seen, if it can be proved.
    fn mate(&self, game: &Game, thinker: &mut dyn Thinker) -> Result<Option<Puzzle>, ThinkError> {
        let best = lines(thinker, game, 1, self.thorough / 5)?;
        let Some(ScoredMove { score: Score::Mate(2..), .. }) = best.first() else {
            return Ok(None);
        };
        let position = *game.position();
        Ok(match shortest_mate(&position, LONGEST_MATE, self.proof) {
            MateProof::Mate { moves, first } => {
                let scores = [Score::Mate(moves as i32); 2];
                Some(Puzzle { kind: PuzzleKind::Mate(moves), position, first, scores })
            }
            _ => None,
        })
    }

    /// A move that a shallow look misses, and that is the only good one: it wins, and the others win less. Asks
    /// with more and more effort, as most are not.
    fn tactic(&self, game: &Game, thinker: &mut dyn Thinker) -> Result<Option<Puzzle>, ThinkError> {
        let shallow = lines(thinker, game, 1, self.shallow)?.first().copied();
        let look = lines(thinker, game, 1, self.look)?.first().copied();
        let (Some(shallow), Some(look)) = (shallow, look) else { return Ok(None) };
        if look.m == shallow.m || look.score.rank() < self.gap / 2 {
            return Ok(None);
        }
        let mut puzzle = None;
        for nodes in [self.thorough / 6, self.thorough] {
            let both = lines(thinker, game, 2, nodes)?;
            let &[first, second] = both.as_slice() else { return Ok(None) };
            let scores = [first.score, second.score];
            let [Score::Centipawns(best), Score::Centipawns(next)] = scores else {
                return Ok(None);
            };
            if first.m != look.m || best < self.gap || best.saturating_sub(next) < self.gap {
                return Ok(None);
            }
            let (kind, position) = (PuzzleKind::Tactic, *game.position());
            puzzle = Some(Puzzle { kind, position, first: first.m, scores });
        }
        Ok(puzzle)
    }
}

/// What the best moves are worth after so many positions.
fn lines(
    thinker: &mut dyn Thinker,
    game: &Game,
    multipv: usize,
    nodes: u64,
) -> Result<Vec<ScoredMove>, ThinkError> {
    judge(thinker, game, multipv, &Limits { nodes: Some(nodes), ..Limits::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::toy::Toy;

    /// Changes its mind when it looks longer, and then finds one move better than the next by so much.
    fn fickle(gap: i32) -> impl Thinker {
        Toy(move |game: &Game, limits: &Limits| {
            let moves = game.position().legal_moves();
            let (Some(&first), Some(&last)) = (moves.first(), moves.last()) else {
                return Vec::new();
            };
            let line = |m, score| ScoredMove { m, score: Score::Centipawns(score) };
            match limits.nodes == Some(PuzzleFinder::default().shallow) {
                true => vec![line(first, 0)],
                false => vec![line(last, 400), line(first, 400 - gap)],
            }
        })
    }

    #[test]
    fn tactics_are_clear_and_far_apart() {
        let finder = PuzzleFinder::default();
        let puzzles = finder.search_game(1, &mut fickle(200), |_| true).unwrap();
        assert!(puzzles.len() > 1);
        for puzzle in &puzzles {
            assert_eq!(puzzle.kind, PuzzleKind::Tactic);
            assert_eq!(puzzle.scores, [Score::Centipawns(400), Score::Centipawns(200)]);
            assert_eq!(puzzle.position.legal_moves().last(), Some(&puzzle.first));
            assert!(puzzle.to_string().ends_with("; c0 \"+4.00, next +2.00\";"), "{puzzle}");
        }
        let plies: Vec<u32> = puzzles.iter().map(|puzzle| puzzle.position.ply()).collect();
        assert!(plies.windows(2).all(|pair| pair[1] - pair[0] >= PLIES_BETWEEN as u32));
        assert_eq!(finder.search_game(1, &mut fickle(200), |_| true).unwrap(), puzzles);
        assert!(finder.search_game(1, &mut fickle(199), |_| true).unwrap().is_empty());
        let no_tactics = |kind| kind != PuzzleKind::Tactic;
        assert!(finder.search_game(1, &mut fickle(200), no_tactics).unwrap().is_empty());
    }

    /// Sees mates in two, and thinks highly of everything else.
    fn hopeful() -> impl Thinker {
        Toy(|game: &Game, _: &Limits| {
            let moves = game.position().legal_moves();
            let takes = |m: &&Move| game.position().piece_at(m.to()).is_some();
            let Some(&any) = moves.iter().find(takes).or(moves.first()) else { return Vec::new() };
            vec![match shortest_mate(game.position(), 2, 50_000) {
                MateProof::Mate { moves, first } => {
                    ScoredMove { m: first, score: Score::Mate(moves as i32) }
                }
                _ => ScoredMove { m: any, score: Score::Centipawns(600) },
            }]
        })
    }

    #[test]
    fn mates_are_as_long_as_they_say() {
        let mut found = Vec::new();
        for number in 0..20 {
            let puzzles = PuzzleFinder::default().search_game(number, &mut hopeful(), |_| true);
            found.extend(puzzles.unwrap());
        }
        assert!(!found.is_empty());
        for puzzle in found {
            assert_eq!(puzzle.kind, PuzzleKind::Mate(2));
            // No move mates at once, and after the first one every answer allows it.
            let mates = |position: &Position| {
                let moves = position.legal_moves();
                moves.iter().any(|&m| position.play(m).unwrap().is_checkmate())
            };
            assert!(!mates(&puzzle.position), "{puzzle}");
            let next = puzzle.position.play(puzzle.first).unwrap();
            assert!(next.legal_moves().iter().all(|&m| mates(&next.play(m).unwrap())), "{puzzle}");
        }
    }
}
