use std::fmt;

use tabiya_base::Score;
use tabiya_chess::{Color, Outcome};

/// Beyond this many centipawns more is not better: the number that mates count as, too.
const WON: i32 = 1000;

/// What a position is worth, always from White's side.
///
/// ```
/// use tabiya_base::Score;
/// use tabiya_chess::{Color, Outcome};
/// use tabiya_review::Assessment;
///
/// let mated_in_three = Assessment::Score(Score::Mate(-3));
/// assert_eq!(mated_in_three.to_string(), "-#3");
/// assert_eq!(mated_in_three.chances(), 0.0);
/// let over = Assessment::Over(Outcome::Checkmate { winner: Color::White });
/// assert_eq!((over.to_string().as_str(), over.chances()), ("1-0", 100.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assessment {
    /// What an engine says; never `Mate(0)`.
    Score(Score),
    /// The game is over by the rules; no engine was asked.
    Over(Outcome),
}

use Assessment::Over;

impl Assessment {
    /// Nobody is better.
    pub(crate) const EVEN: Assessment = Assessment::Score(Score::Centipawns(0));

    /// What a score of the side to move is for White.
    pub(crate) fn of(score: Score, turn: Color) -> Assessment {
        match score {
            Score::Mate(0) => Over(Outcome::Checkmate { winner: !turn }),
            score => Assessment::Score(score).seen_by(turn),
        }
    }

    /// What a record says of White's side; nothing if that makes no sense.
    pub(crate) fn read(score: Score) -> Option<Assessment> {
        (score != Score::Mate(0)).then_some(Assessment::Score(score))
    }

    /// As records write it; nothing when the game is over, which anybody can see.
    pub(crate) fn written(self) -> Option<Score> {
        match self {
            Assessment::Score(score) => Some(score),
            Over(_) => None,
        }
    }

    /// The points White can expect among people ([`Score::expectation`]), in per cent: 100 is a sure win, 50 even.
    pub fn chances(self) -> f64 {
        let thousandths = match self {
            Assessment::Score(score) => score.expectation(),
            Over(outcome) => match outcome.winner() {
                Some(Color::White) => 1000,
                Some(Color::Black) => 0,
                None => 500,
            },
        };
        f64::from(thousandths) / 10.0
    }

    /// In centipawns between -1000 and 1000; mates are at the ends.
    pub fn centipawns(self) -> i32 {
        self.rank(Color::White).clamp(-WON, WON)
    }

    /// What a position is worth from which the side to move comes to this one with its best move.
    pub(crate) fn a_move_before(self, turn: Color) -> Assessment {
        let own = match self.seen_by(turn) {
            Assessment::Score(Score::Mate(moves @ 1..)) => {
                Assessment::Score(Score::Mate(moves + 1))
            }
            Over(Outcome::Checkmate { winner: Color::White }) => Assessment::Score(Score::Mate(1)),
            Over(_) => Assessment::Score(Score::Centipawns(0)),
            other => other,
        };
        own.seen_by(turn)
    }

    /// A number that sorts assessments from the worst to the best for a side.
    pub(crate) fn rank(self, color: Color) -> i32 {
        match self.seen_by(color) {
            Assessment::Score(score) => score.rank(),
            Over(Outcome::Checkmate { winner: Color::White }) => i32::MAX,
            Over(Outcome::Checkmate { winner: Color::Black }) => i32::MIN,
            Over(_) => 0,
        }
    }

    /// The same seen from a side: a good number is good for it.
    pub(crate) fn seen_by(self, color: Color) -> Assessment {
        match (color, self) {
            (Color::White, assessment) => assessment,
            (Color::Black, Assessment::Score(Score::Centipawns(score))) => {
                Assessment::Score(Score::Centipawns(score.saturating_neg()))
            }
            (Color::Black, Assessment::Score(Score::Mate(moves))) => {
                Assessment::Score(Score::Mate(moves.saturating_neg()))
            }
            (Color::Black, Over(Outcome::Checkmate { winner })) => {
                Over(Outcome::Checkmate { winner: !winner })
            }
            (Color::Black, over) => over,
        }
    }
}

impl fmt::Display for Assessment {
    /// `+0.35`, `-#3`; `1-0` and the like when it is over.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assessment::Score(score) => score.fmt(f),
            Over(outcome) => f.write_str(outcome.result()),
        }
    }
}

/// What a position is worth, and how deeply that was looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// What it is worth for White.
    pub worth: Assessment,
    /// How many plies deep; 0 if the rules have spoken.
    pub depth: u32,
    /// How many positions the engine was given to find that out; 0 if the rules have spoken.
    pub nodes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn mate(moves: i32) -> Assessment {
        Assessment::Score(Score::Mate(moves))
    }

    const fn score(centipawns: i32) -> Assessment {
        Assessment::Score(Score::Centipawns(centipawns))
    }

    #[test]
    fn what_is_good_for_one_is_bad_for_the_other() {
        let won = Over(Outcome::Checkmate { winner: Color::White });
        for worth in [score(137), mate(-4), mate(1), won, Over(Outcome::Stalemate)] {
            let other = worth.seen_by(Color::Black);
            assert_eq!(worth.chances() + other.chances(), 100.0, "{worth}");
            assert_eq!(worth.centipawns(), -other.centipawns(), "{worth}");
            assert_eq!(other.seen_by(Color::Black), worth);
        }
    }

    #[test]
    fn mates_are_a_move_longer_before_the_move() {
        use Color::{Black, White};
        let mated = |winner| Over(Outcome::Checkmate { winner });
        assert_eq!(mated(White).a_move_before(White), mate(1));
        assert_eq!(mated(Black).a_move_before(Black), mate(-1));
        assert_eq!(mate(2).a_move_before(White), mate(3));
        assert_eq!(mate(2).a_move_before(Black), mate(2));
        assert_eq!(mate(-2).a_move_before(Black), mate(-3));
        assert_eq!(Over(Outcome::Stalemate).a_move_before(Black), score(0));
        assert!(mate(-2).rank(Black) > mate(-3).rank(Black));
        assert!(score(-50).rank(Black) > score(50).rank(Black));
    }

    #[test]
    fn scores_of_black_are_turned_round() {
        assert_eq!(Assessment::of(Score::Centipawns(50), Color::Black), score(-50));
        assert_eq!(Assessment::of(Score::Mate(2), Color::Black), mate(-2));
        let mated = Assessment::of(Score::Mate(0), Color::Black);
        assert_eq!(mated, Over(Outcome::Checkmate { winner: Color::White }));
    }
}
