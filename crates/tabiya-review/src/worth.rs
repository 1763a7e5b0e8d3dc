use std::fmt;

use tabiya_chess::{Color, Outcome};
use tabiya_engine::{Chances, Score};
use tabiya_pgn::EvalScore;

/// Beyond this many centipawns more is not better: the number that mates count as, too.
const WON: i32 = 1000;

/// What a position is worth, always from White's side.
///
/// ```
/// use tabiya_review::Worth;
///
/// assert_eq!(Worth::Centipawns(-35).to_string(), "-0.35");
/// assert_eq!(Worth::Mate(-3).to_string(), "-#3"); // White is mated in three
/// assert!(Worth::Mate(3).chances() > Worth::Centipawns(500).chances());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// White mates in so many moves; if negative, Black does. Never 0.
    Mate(i32),
    /// The game is over by the rules; no engine was asked.
    Over(Outcome),
}

impl Worth {
    /// What a score of the side to move is for White.
    pub(crate) fn of(score: Score, turn: Color) -> Worth {
        let sign = if turn == Color::White { 1 } else { -1 };
        match score {
            Score::Centipawns(centipawns) => Worth::Centipawns(sign * centipawns),
            Score::Mate(0) => Worth::Over(Outcome::Checkmate { winner: !turn }),
            Score::Mate(moves) => Worth::Mate(sign * moves),
        }
    }

    pub(crate) fn read(score: EvalScore) -> Option<Worth> {
        match score {
            EvalScore::Centipawns(centipawns) => Some(Worth::Centipawns(centipawns)),
            EvalScore::Mate(0) => None,
            EvalScore::Mate(moves) => Some(Worth::Mate(moves)),
        }
    }

    /// As records write it; nothing when the game is over, which anybody can see.
    pub(crate) fn written(self) -> Option<EvalScore> {
        match self {
            Worth::Centipawns(centipawns) => Some(EvalScore::Centipawns(centipawns)),
            Worth::Mate(moves) => Some(EvalScore::Mate(moves)),
            Worth::Over(_) => None,
        }
    }

    /// The points White can expect, in per cent: 100 is a sure win, 50 even.
    ///
    /// ```
    /// # use tabiya_review::Worth;
    /// assert_eq!(Worth::Centipawns(0).chances(), 50.0);
    /// assert_eq!(Worth::Mate(-1).chances(), 0.0);
    /// ```
    pub fn chances(self) -> f64 {
        let points = match self {
            Worth::Centipawns(centipawns) => Chances::of(Score::Centipawns(centipawns)).points(),
            Worth::Mate(moves) => Chances::of(Score::Mate(moves)).points(),
            Worth::Over(outcome) => match outcome.winner() {
                Some(Color::White) => 2000,
                Some(Color::Black) => 0,
                None => 1000,
            },
        };
        f64::from(points) / 20.0
    }

    /// In centipawns between -1000 and 1000; mates are at the ends.
    ///
    /// ```
    /// # use tabiya_review::Worth;
    /// assert_eq!(Worth::Mate(2).centipawns(), 1000);
    /// ```
    pub fn centipawns(self) -> i32 {
        match self {
            Worth::Centipawns(centipawns) => centipawns.clamp(-WON, WON),
            Worth::Mate(moves) => WON * moves.signum(),
            Worth::Over(outcome) => match outcome.winner() {
                Some(Color::White) => WON,
                Some(Color::Black) => -WON,
                None => 0,
            },
        }
    }

    /// What a position is worth from which the side to move comes to this one with its best move.
    pub(crate) fn a_move_before(self, turn: Color) -> Worth {
        let own = match self.seen_by(turn) {
            Worth::Mate(moves @ 1..) => Worth::Mate(moves + 1),
            Worth::Over(Outcome::Checkmate { winner: Color::White }) => Worth::Mate(1),
            Worth::Over(_) => Worth::Centipawns(0),
            other => other,
        };
        own.seen_by(turn)
    }

    /// A number that sorts worths from the worst to the best for a side.
    pub(crate) fn rank(self, color: Color) -> i32 {
        match self.seen_by(color) {
            Worth::Centipawns(centipawns) => Score::Centipawns(centipawns).rank(),
            Worth::Mate(moves) => Score::Mate(moves).rank(),
            Worth::Over(Outcome::Checkmate { winner: Color::White }) => i32::MAX,
            Worth::Over(Outcome::Checkmate { winner: Color::Black }) => i32::MIN,
            Worth::Over(_) => 0,
        }
    }

    /// The same seen from a side: a good number is good for it.
    pub(crate) fn seen_by(self, color: Color) -> Worth {
        match (color, self) {
            (Color::White, worth) => worth,
            (Color::Black, Worth::Centipawns(centipawns)) => Worth::Centipawns(-centipawns),
            (Color::Black, Worth::Mate(moves)) => Worth::Mate(-moves),
            (Color::Black, Worth::Over(Outcome::Checkmate { winner })) => {
                Worth::Over(Outcome::Checkmate { winner: !winner })
            }
            (Color::Black, over) => over,
        }
    }
}

impl fmt::Display for Worth {
    /// `+0.35`, `-#3`; `1-0` and the like when it is over.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Centipawns(centipawns) => Score::Centipawns(*centipawns).fmt(f),
            Worth::Mate(moves @ ..0) => write!(f, "-#{}", moves.unsigned_abs()),
            Worth::Mate(moves) => write!(f, "#{moves}"),
            Worth::Over(outcome) => f.write_str(outcome.result()),
        }
    }
}

/// What a position is worth, and how deeply that was looked into.
///
/// ```
/// use tabiya_review::{Evaluation, Worth};
///
/// let evaluation = Evaluation { worth: Worth::Centipawns(20), depth: 14 };
/// assert_eq!(evaluation.worth.to_string(), "+0.20");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// What it is worth for White.
    pub worth: Worth,
    /// How many plies deep; 0 if the rules have spoken.
    pub depth: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_good_for_one_is_bad_for_the_other() {
        let mate = Worth::Over(Outcome::Checkmate { winner: Color::White });
        let worths = [Worth::Centipawns(137), Worth::Mate(-4), Worth::Mate(1), mate];
        for worth in worths.into_iter().chain([Worth::Over(Outcome::Stalemate)]) {
            let other = worth.seen_by(Color::Black);
            assert_eq!(worth.chances() + other.chances(), 100.0, "{worth}");
            assert_eq!(worth.centipawns(), -other.centipawns(), "{worth}");
            assert_eq!(other.seen_by(Color::Black), worth);
        }
    }

    #[test]
    fn mates_are_a_move_longer_before_the_move() {
        use Color::{Black, White};
        let mate = |winner| Worth::Over(Outcome::Checkmate { winner });
        assert_eq!(mate(White).a_move_before(White), Worth::Mate(1));
        assert_eq!(mate(Black).a_move_before(Black), Worth::Mate(-1));
        assert_eq!(Worth::Mate(2).a_move_before(White), Worth::Mate(3));
        assert_eq!(Worth::Mate(2).a_move_before(Black), Worth::Mate(2));
        assert_eq!(Worth::Mate(-2).a_move_before(Black), Worth::Mate(-3));
        assert_eq!(Worth::Over(Outcome::Stalemate).a_move_before(Black), Worth::Centipawns(0));
        assert!(Worth::Mate(-2).rank(Black) > Worth::Mate(-3).rank(Black));
        assert!(Worth::Centipawns(-50).rank(Black) > Worth::Centipawns(50).rank(Black));
    }

    #[test]
    fn scores_of_black_are_turned_round() {
        assert_eq!(Worth::of(Score::Centipawns(50), Color::Black), Worth::Centipawns(-50));
        assert_eq!(Worth::of(Score::Mate(2), Color::Black), Worth::Mate(-2));
        let mated = Worth::of(Score::Mate(0), Color::Black);
        assert_eq!(mated, Worth::Over(Outcome::Checkmate { winner: Color::White }));
    }
}
