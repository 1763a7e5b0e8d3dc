use tabiya_base::Score;
use tabiya_chess::{Game, Move, Position};
use tabiya_tactics::{Goal, LONGEST, Tactic};
use tabiya_thinker::{Limits, ThinkError, Thinker};

use crate::data::ScoredMove;
use crate::{judge, mating_line, score_of_elo};

/// Finds puzzles in games: positions after a mistake in which one move wins, mates or saves the game, and no other
/// does. What a quick look promises is proved with many nodes, at every move of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacticFinder {
    /// How many nodes every position of a game gets.
    pub screen: u64,
    /// How many a position after a mistake gets.
    pub look: u64,
    /// How many are searched at every move of the solver, with the two best moves compared.
    pub proof: u64,
}

impl Default for TacticFinder {
    fn default() -> TacticFinder {
        TacticFinder { screen: 4_000, look: 24_000, proof: 500_000 }
    }
}

/// What people score (see [`Score::expectation`]), in thousandths: from here a game is won, up to here it is not,
/// a draw is between these, and so much is lost.
const WON: u16 = 740;
const NOT_WON: u16 = 700;
const DRAWN: core::ops::RangeInclusive<u16> = 400..=650;
const LOST: u16 = 250;
/// The least that the best move is better than the second.
const MARGIN: u16 = 200;
/// Beside a mate, another move may win, but not as surely as that.
const NEARLY_MATE: u16 = 960;
/// What a mistake costs at least.
const MISTAKE: u16 = 150;
/// Mates up to this many moves are proved by trying every move, where at least so many men are on the board.
const LONGEST_PROVED: i32 = 3;
const FEWEST_MEN: u32 = 7;

/// What the two best moves ask for, if only one of them does.
///
/// ```
/// use tabiya_base::Score;
/// use tabiya_lab::only_move;
/// use tabiya_tactics::Goal;
///
/// let pawns = |pawns: i32| Score::Centipawns(100 * pawns);
/// assert_eq!(only_move(pawns(6), pawns(0)), Some(Goal::Win));
/// assert_eq!(only_move(pawns(9), pawns(4)), None);
/// assert_eq!(only_move(pawns(0), pawns(-5)), Some(Goal::Save));
/// assert_eq!(only_move(Score::Mate(3), pawns(4)), Some(Goal::Mate));
/// assert_eq!(only_move(Score::Mate(3), Score::Mate(5)), None);
/// ```
pub fn only_move(best: Score, second: Score) -> Option<Goal> {
    let (first, next) = (best.expectation(), second.expectation());
    if matches!(best, Score::Mate(1..)) {
        return (next <= NEARLY_MATE).then_some(Goal::Mate);
    }
    if first < next + MARGIN {
        return None;
    }
    if first >= WON && next <= NOT_WON {
        return Some(Goal::Win);
    }
    (DRAWN.contains(&first) && next <= LOST).then_some(Goal::Save)
}

/// Players of all strengths who try puzzles: given the strength, the number of the try and the game so far, a move.
pub type Solvers<'a> = dyn FnMut(u16, u64, &Game) -> Result<Option<Move>, ThinkError> + 'a;

impl TacticFinder {
    /// The puzzles of a game, with the rating that the players give them by finding them or not.
    pub fn search_game(
        &self,
        game: &Game,
        thinker: &mut dyn Thinker,
        solvers: &mut Solvers<'_>,
    ) -> Result<Vec<Tactic>, ThinkError> {
        let mut found: Vec<Tactic> = Vec::new();
        let positions: Vec<Position> = game.positions().copied().collect();
        let mut before = None;
        for (pair, &mistake) in positions.windows(2).zip(game.moves()) {
            let &[earlier, position] = pair else { continue };
            let lines = lines(thinker, &position, 1, self.screen)?;
            let now = lines.first().map(|line| line.score);
            let (is_mistake, allows_mate) = (costs_much(before, &lines), allows_mate(before, now));
            before = now;
            let men = position.board().occupied().len();
            let mate =
                (allows_mate && men >= FEWEST_MEN).then(|| mate(&earlier, mistake)).flatten();
            if let Some(tactic) = mate {
                if !is_known(&found, tactic.line().first()) {
                    found.extend(rated(&tactic, solvers)?);
                }
            } else if is_mistake {
                found.extend(self.prove(&earlier, mistake, &found, thinker, solvers)?);
            }
        }
        Ok(found)
    }

    /// A puzzle, if there is one after a mistake: looks with more and more effort, as mostly there is none.
    fn prove(
        &self,
        earlier: &Position,
        mistake: Move,
        found: &[Tactic],
        thinker: &mut dyn Thinker,
        solvers: &mut Solvers<'_>,
    ) -> Result<Option<Tactic>, ThinkError> {
        let mut position = *earlier;
        position.play_unchecked(mistake);
        // Cheap questions first.
        let quick = lines(thinker, &position, 2, self.look / 4)?;
        let [first, second] = quick.as_slice() else { return Ok(None) };
        if first.score.expectation() < second.score.expectation() + MARGIN / 2 {
            return Ok(None);
        }
        let look = lines(thinker, &position, 2, self.look)?;
        let [first, second] = look.as_slice() else { return Ok(None) };
        if is_known(found, Some(&first.m)) || only_move(first.score, second.score).is_none() {
            return Ok(None);
        }
        let earlier_best = lines(thinker, earlier, 1, self.look)?.first().map(|line| line.score);
        if !costs_much(earlier_best, &look) {
            return Ok(None);
        }
        let is_mate = matches!(first.score, Score::Mate(_));
        if !is_mate && is_obvious(earlier, mistake, first.m, solvers)? {
            return Ok(None);
        }
        if !matches!(self.only(&position, thinker, self.proof / 5)?, Choice::Only(..)) {
            return Ok(None);
        }
        let Choice::Only(first, second, goal) = self.only(&position, thinker, self.proof)? else {
            return Ok(None);
        };
        let line = self.line(&position, first, thinker)?;

        let mut end = position;
        line.iter().for_each(|&m| end.play_unchecked(m));
        let goal = match goal {
            _ if end.is_checkmate() => Goal::Mate,
            // The way to the mate is not the only one, but no other first move wins.
            Goal::Mate if second.expectation() <= NOT_WON => Goal::Win,
            Goal::Mate => return Ok(None),
            goal => goal,
        };
        let moves = [&[mistake], line.as_slice()].concat();
        Tactic::new(*earlier, moves, goal, 0).map_or(Ok(None), |tactic| rated(&tactic, solvers))
    }

    /// What the two best moves of a position are, after so many nodes.
    fn only(
        &self,
        position: &Position,
        thinker: &mut dyn Thinker,
        nodes: u64,
    ) -> Result<Choice, ThinkError> {
        Ok(match lines(thinker, position, 2, nodes)?.as_slice() {
            [one] => Choice::Forced(one.m),
            [first, second] => match only_move(first.score, second.score) {
                Some(goal) => Choice::Only(first.m, second.score, goal),
                None => Choice::Several,
            },
            _ => Choice::Several,
        })
    }

    /// The line from a move of the solver on, as long as there is only one good move; the defender answers best. The
    /// last move of a mate may be any that mates.
    fn line(
        &self,
        start: &Position,
        first: Move,
        thinker: &mut dyn Thinker,
    ) -> Result<Vec<Move>, ThinkError> {
        let mut line = vec![first];
        let mut position = *start;
        position.play_unchecked(first);
        // Forced moves are no end of a puzzle.
        let mut end = 1;
        let mut seen = vec![start.repetition_key()];
        while line.len() < 2 * LONGEST - 1 && position.outcome().is_none() {
            let Some(answer) = lines(thinker, &position, 1, self.proof / 5)?.first().copied()
            else {
                break;
            };
            position.play_unchecked(answer.m);
            // A circle goes on for ever.
            if seen.contains(&position.repetition_key()) {
                break;
            }
            seen.push(position.repetition_key());
            if let Some(mate) = mate_in_one(&position) {
                line.extend([answer.m, mate]);
                end = line.len();
                break;
            }
            // Mostly the line ends here, and a shorter look tells.
            let mut choice = self.only(&position, thinker, self.look)?;
            if matches!(choice, Choice::Only(..)) {
                choice = self.only(&position, thinker, self.proof)?;
            }
            let (best, is_choice) = match choice {
                Choice::Forced(m) => (m, false),
                Choice::Only(m, ..) => (m, true),
                Choice::Several => break,
            };
            position.play_unchecked(best);
            line.extend([answer.m, best]);
            if is_choice {
                end = line.len();
            }
        }
        line.truncate(end);
        Ok(line)
    }
}

/// What a search of the two best moves shows.
enum Choice {
    /// There is but one legal move.
    Forced(Move),
    /// One move is the only good one; the score of the next; what it reaches.
    Only(Move, Score, Goal),
    /// Another move is as good, or none is.
    Several,
}

/// Whether the move between two positions was a mistake, by the best that was there before and what is there now.
fn costs_much(before: Option<Score>, now: &[ScoredMove]) -> bool {
    let (Some(before), Some(now)) = (before, now.first()) else { return false };
    before.expectation() + now.score.expectation() >= 1000 + MISTAKE
}

/// Whether a chance in the same game was the same, and missed.
fn is_known(found: &[Tactic], first: Option<&Move>) -> bool {
    found.iter().any(|tactic| tactic.line().first() == first)
}

/// Whether a short mate is there now that could have been avoided.
fn allows_mate(before: Option<Score>, now: Option<Score>) -> bool {
    let mated = |score| matches!(score, Score::Mate(..=0));
    before.is_some_and(|score| !mated(score))
        && now.is_some_and(|score| matches!(score, Score::Mate(1..=LONGEST_PROVED)))
}

/// The puzzle of a mate that is proved by trying every move.
fn mate(earlier: &Position, mistake: Move) -> Option<Tactic> {
    let mut position = *earlier;
    position.play_unchecked(mistake);
    if position.count_legal_moves() < 2 {
        return None;
    }
    let line = mating_line(&position, LONGEST_PROVED as u32)?;
    let moves = [&[mistake], line.as_slice()].concat();
    Tactic::new(*earlier, moves, Goal::Mate, 0).ok()
}

/// The puzzle with its rating; none if it is too easy.
fn rated(tactic: &Tactic, solvers: &mut Solvers<'_>) -> Result<Option<Tactic>, ThinkError> {
    let rating = rate(tactic, solvers)?;
    if tactic.goal() != Goal::Mate && tactic.length() == 1 && rating < SINGLE_MOVE {
        return Ok(None);
    }
    let (before, moves) = (*tactic.before(), tactic.moves().to_vec());
    Ok(Tactic::new(before, moves, tactic.goal(), rating).ok())
}

fn mate_in_one(position: &Position) -> Option<Move> {
    let mates = |m: &Move| position.play(*m).is_ok_and(|next| next.is_checkmate());
    position.legal_moves().iter().copied().find(mates)
}

fn lines(
    thinker: &mut dyn Thinker,
    position: &Position,
    multipv: usize,
    nodes: u64,
) -> Result<Vec<ScoredMove>, ThinkError> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    judge(thinker, &Game::from_position(*position), multipv, &limits)
}

/// The strengths that try a puzzle, and how often each.
const LEVELS: [u16; 11] = [400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400];
const TRIES: u64 = 3;
/// A move that these find more often than not is no puzzle, unless it mates; nor is a single move that is easier than this.
const BEGINNERS: &[u16] = &[400, 600, 800];
const MISSED: usize = 4;
const SINGLE_MOVE: u16 = 900;

/// Whether beginners see the move, too.
fn is_obvious(
    earlier: &Position,
    mistake: Move,
    best: Move,
    solvers: &mut Solvers<'_>,
) -> Result<bool, ThinkError> {
    let mut game = Game::from_position(*earlier);
    game.play_unchecked(mistake);
    let mut missed = 0;
    for &level in BEGINNERS {
        for number in 0..TRIES {
            missed += usize::from(solvers(level, number, &game)? != Some(best));
        }
    }
    Ok(missed < MISSED)
}

/// How hard a puzzle is: its rating is where half of the players find the whole line.
fn rate(tactic: &Tactic, solvers: &mut Solvers<'_>) -> Result<u16, ThinkError> {
    let mut tries = Vec::new();
    for level in LEVELS {
        for number in 0..TRIES {
            tries.push((level, solves(tactic, |game| solvers(level, number, game))?));
        }
    }
    Ok(rating_of(&tries))
}

/// Whether a player finds the line. The last move may be any that mates, where the line mates.
fn solves(
    tactic: &Tactic,
    mut player: impl FnMut(&Game) -> Result<Option<Move>, ThinkError>,
) -> Result<bool, ThinkError> {
    let mut game = Game::from_position(*tactic.before());
    game.play_unchecked(tactic.mistake());
    for pair in tactic.line().chunks(2) {
        let found = player(&game)?;
        let mates = |m: Move| game.position().play(m).is_ok_and(|end| end.is_checkmate());
        if found != pair.first().copied() && !found.is_some_and(mates) {
            return Ok(false);
        }
        pair.iter().for_each(|&m| game.play_unchecked(m));
    }
    Ok(true)
}

/// The rating under which tries are most likely. One more that succeeds at 3000 and one that fails at 0 keep it on the scale
/// when all went the same way.
fn rating_of(tries: &[(u16, bool)]) -> u16 {
    let too_high = |rating: u16| {
        let mut surplus = 0.0;
        for &(level, solved) in tries.iter().chain(&[(3000, true), (0, false)]) {
            let expected = score_of_elo(f64::from(level) - f64::from(rating));
            surplus += f64::from(u8::from(solved)) - expected;
        }
        surplus > 0.0
    };
    let ratings: Vec<u16> = (0..=300).map(|step| 10 * step).collect();
    let place = ratings.partition_point(|&rating| !too_high(rating));
    ratings.get(place).copied().unwrap_or(3000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_where_half_of_the_tries_succeed() {
        let tries = |solves: &dyn Fn(u16) -> bool| -> Vec<(u16, bool)> {
            LEVELS.iter().map(|&level| (level, solves(level))).collect()
        };
        let middle = rating_of(&tries(&|level| level >= 1400));
        assert!((1250..=1350).contains(&middle), "{middle}");
        let (easy, hard) = (rating_of(&tries(&|_| true)), rating_of(&tries(&|_| false)));
        assert!(easy < 400 && hard > 2400, "{easy} {hard}");
    }
}
