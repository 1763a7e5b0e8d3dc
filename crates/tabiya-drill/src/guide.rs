//! Who knows what a move is worth: tables where there are some, else an engine, which is not sure.

use std::fmt;

use tabiya_base::{Random, Score, Stop};
use tabiya_chess::{Game, Move, Position};
use tabiya_tables::{TableEntry, Tables};
use tabiya_thinker::{Limits, ThinkError, Thinker, Timer};

use crate::Task;

/// So much is searched for one move where no tables are.
const NODES: u64 = 150_000;
/// From so many centipawns on an engine takes an ending of a few men for won.
const WON: i32 = 400;

/// What becomes of a game after a move, for who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// It is lost.
    Loses,
    /// Nobody wins.
    Draws,
    /// It is won.
    Wins,
}

/// What is known of a move, for who makes it.
///
/// ```
/// use tabiya_drill::{Verdict, Worth};
///
/// let verdict = Verdict { worth: Worth::Wins, mate: Some(17), is_sure: true };
/// assert_eq!(verdict.to_string(), "mates in 17");
/// assert_eq!(Verdict { is_sure: false, mate: None, ..verdict }.to_string(), "should win");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// How the game ends with best play of both sides, the fifty-move rule counted.
    pub worth: Worth,
    /// In how many moves somebody is mated, this one counted, if that is known.
    pub mate: Option<u32>,
    /// Whether tables say so, or a forced mate; an engine only thinks so.
    pub is_sure: bool,
}

impl Verdict {
    /// Whether this does what is to be done.
    pub fn does(&self, task: Task) -> bool {
        match task {
            Task::Win => self.worth == Worth::Wins,
            Task::Draw => self.worth != Worth::Loses,
        }
    }

    fn of_entry(entry: &TableEntry) -> Verdict {
        let worth = match entry.fate.number() {
            // Won, but not within fifty moves, is a draw.
            2 => Worth::Wins,
            -2 => Worth::Loses,
            _ => Worth::Draws,
        };
        let mate = entry.mate_in().filter(|_| worth != Worth::Draws).map(i32::unsigned_abs);
        Verdict { worth, mate, is_sure: true }
    }

    fn of_score(score: Score) -> Verdict {
        let mate = match score {
            Score::Mate(moves) => Some(moves),
            Score::Centipawns(_) => None,
        };
        let worth = match score {
            Score::Mate(moves) if moves > 0 => Worth::Wins,
            Score::Mate(_) => Worth::Loses,
            Score::Centipawns(points) if points >= WON => Worth::Wins,
            Score::Centipawns(points) if points <= -WON => Worth::Loses,
            Score::Centipawns(_) => Worth::Draws,
        };
        Verdict { worth, mate: mate.map(i32::unsigned_abs), is_sure: mate.is_some() }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.worth, self.mate, self.is_sure) {
            (Worth::Wins, Some(moves), _) => write!(f, "mates in {moves}"),
            (Worth::Wins, None, true) => f.write_str("wins"),
            (Worth::Wins, None, false) => f.write_str("should win"),
            (Worth::Draws, _, true) => f.write_str("draws"),
            (Worth::Draws, _, false) => f.write_str("should draw"),
            (Worth::Loses, Some(moves), _) => write!(f, "loses in {moves}"),
            (Worth::Loses, None, true) => f.write_str("loses"),
            (Worth::Loses, None, false) => f.write_str("should lose"),
        }
    }
}

/// Judges moves, and answers them as hard as can be.
pub struct Guide<'a> {
    /// What is known for sure.
    pub tables: &'a Tables,
    /// Who thinks where tables are silent.
    pub thinker: &'a mut dyn Thinker,
    /// Ends the thinking.
    pub stop: Stop,
}

impl Guide<'_> {
    /// Every legal move with its verdict, the best first; nothing where no table knows them.
    pub fn known(&self, position: &Position) -> Option<Vec<(Move, Verdict)>> {
        known(self.tables, position)
    }

    /// What a move is worth.
    pub fn judge(&mut self, game: &Game, m: Move) -> Result<Verdict, ThinkError> {
        if let Some(all) = self.known(game.position()) {
            let verdict =
                all.into_iter().find(|&(known, _)| known == m).map(|(_, verdict)| verdict);
            return Ok(verdict.unwrap_or(Verdict {
                worth: Worth::Draws,
                mate: None,
                is_sure: true,
            }));
        }
        Ok(self.search(game, vec![m])?.1)
    }

    /// The best move: the shortest way to win, the longest to lose.
    pub fn best(&mut self, game: &Game) -> Result<Option<(Move, Verdict)>, ThinkError> {
        if let Some(all) = self.known(game.position()) {
            return Ok(all.first().copied());
        }
        let (m, verdict) = self.search(game, Vec::new())?;
        Ok(m.map(|m| (m, verdict)))
    }

    /// The answer that is hardest to meet. Who is lost defends as long as possible, who wins does so as quickly as
    /// possible, and where nobody does, the other is given the most chances to go wrong.
    pub fn reply(&mut self, game: &Game, seed: u64) -> Result<Option<Move>, ThinkError> {
        let position = game.position();
        let Some(all) = self.known(position) else { return Ok(self.search(game, Vec::new())?.0) };
        let Some(&(best, verdict)) = all.first() else { return Ok(None) };
        if verdict.worth != Worth::Draws {
            return Ok(Some(best));
        }
        let mut random = Random::new(seed);
        let even = all.iter().filter(|(_, verdict)| verdict.worth == Worth::Draws);
        let ranked = even.map(|&(m, _)| {
            let mut next = *position;
            next.play_unchecked(m);
            let seen = game.positions().filter(|old| is_same(old, &next)).count();
            // What has been before is no new question.
            let ease = ease(self.tables, &next, 2) + 2.0 * seen as f64;
            (ease + random.below(100) as f64 / 100_000.0, m)
        });
        Ok(ranked.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, m)| m))
    }

    fn search(
        &mut self,
        game: &Game,
        only: Vec<Move>,
    ) -> Result<(Option<Move>, Verdict), ThinkError> {
        let limits = Limits {
            nodes: Some(NODES),
            search_moves: only,
            timer: Some(Timer::start()),
            ..Limits::default()
        };
        let mut score = Score::Centipawns(0);
        let found =
            self.thinker.think(game, &limits, &self.stop, &mut |info| score = info.score)?;
        Ok((found.best, Verdict::of_score(score)))
    }
}

fn is_same(one: &Position, other: &Position) -> bool {
    one.repetition_key() == other.repetition_key()
}

/// Every legal move with its verdict, the best first; nothing where no table knows them.
pub fn known(tables: &Tables, position: &Position) -> Option<Vec<(Move, Verdict)>> {
    let moves = tables.moves(position).ok()?;
    Some(moves.into_iter().map(|(m, entry)| (m, Verdict::of_entry(&entry))).collect())
}

/// How easy a drawn position is to hold: the share of the moves that hold it, and of those after the next question. A
/// position in which nothing can go wrong any more is the easiest.
fn ease(tables: &Tables, position: &Position, depth: u32) -> f64 {
    const NOTHING_LEFT: f64 = 4.0;
    let Some(all) = known(tables, position) else { return 1.0 };
    let holding: Vec<Move> =
        all.iter().filter(|(_, verdict)| verdict.worth != Worth::Loses).map(|&(m, _)| m).collect();
    if all.is_empty() || position.is_insufficient_material() {
        return NOTHING_LEFT;
    }
    let share = holding.len() as f64 / all.len() as f64;
    // Who could win now is not to be asked.
    let gives = all.first().is_some_and(|(_, verdict)| verdict.worth == Worth::Wins);
    if depth == 0 || gives {
        return share + if gives { NOTHING_LEFT } else { 0.0 };
    }
    let after = holding.iter().map(|&m| {
        let mut next = *position;
        next.play_unchecked(m);
        let answers = known(tables, &next).unwrap_or_default();
        let even = answers.iter().filter(|(_, verdict)| verdict.worth == Worth::Draws);
        let asked = even.map(|&(answer, _)| {
            let mut then = next;
            then.play_unchecked(answer);
            ease(tables, &then, depth.saturating_sub(2))
        });
        asked.fold(NOTHING_LEFT, f64::min)
    });
    share + 0.5 * after.sum::<f64>() / holding.len().max(1) as f64
}
