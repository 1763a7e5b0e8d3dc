use core::fmt;

use crate::search::MATE_IN_MAX;

/// How good a position is for the side to move.
///
/// ```
/// use tabiya_engine::Score;
///
/// assert!(Score::Mate(2) > Score::Mate(5));
/// assert!(Score::Mate(5) > Score::Centipawns(900));
/// assert!(Score::Centipawns(-900) > Score::Mate(-1));
/// assert_eq!(Score::Centipawns(135).to_string(), "+1.35");
/// assert_eq!(Score::Mate(-3).to_string(), "#-3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves of the winning side; negative if the side to move is mated. `Mate(0)`:
    /// it is mate now.
    Mate(i32),
}

impl Score {
    /// A number that sorts scores from the worst to the best.
    ///
    /// ```
    /// # use tabiya_engine::Score;
    /// assert!(Score::Mate(1).rank() > Score::Mate(2).rank());
    /// ```
    pub const fn rank(self) -> i32 {
        match self {
            Score::Centipawns(score) => score,
            Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
            Score::Mate(moves) => -1_000_000 - moves,
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> core::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Score {
    /// In pawns, `+1.35`, or `#3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(score) => {
                let sign = if *score < 0 { '-' } else { '+' };
                let size = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Score::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// Whether a score is exact.
///
/// ```
/// use tabiya_engine::Bound;
///
/// assert_ne!(Bound::Exact, Bound::Lower);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least the score.
    Lower,
    /// At most the score.
    Upper,
}

/// The chances of a win, a draw and a loss, in thousandths.
///
/// ```
/// use tabiya_engine::Chances;
///
/// let even = Chances { win: 100, draw: 800, loss: 100 };
/// assert_eq!(even.win + even.draw + even.loss, 1000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chances {
    /// Wins of the side to move.
    pub win: u16,
    /// Draws.
    pub draw: u16,
    /// Losses of the side to move.
    pub loss: u16,
}

impl Chances {
    /// The chances that a score stands for, by a logistic curve.
    ///
    /// ```
    /// # use tabiya_engine::{Chances, Score};
    /// let (better, worse) = (Chances::of(Score::Centipawns(80)), Chances::of(Score::Centipawns(-80)));
    /// assert_eq!((better.win, better.loss), (worse.loss, worse.win));
    /// assert_eq!(Chances::of(Score::Mate(3)).win, 1000);
    /// ```
    pub fn of(score: Score) -> Chances {
        let centipawns = match score {
            Score::Centipawns(centipawns) => centipawns,
            Score::Mate(moves) if moves > 0 => MATE_IN_MAX,
            Score::Mate(_) => -MATE_IN_MAX,
        };
        let wins = |advantage: i32| 1000.0 / (1.0 + ((170.0 - f64::from(advantage)) / 75.0).exp());
        let (win, loss) = (wins(centipawns) as u16, wins(-centipawns) as u16);
        Chances { win, draw: 1000 - win - loss, loss }
    }

    /// The points that can be expected, in two thousandths: 2000 is a sure win, 1000 even.
    ///
    /// ```
    /// # use tabiya_engine::{Chances, Score};
    /// assert_eq!(Chances::of(Score::Centipawns(0)).points(), 1000);
    /// assert_eq!(Chances::of(Score::Mate(-1)).points(), 0);
    /// ```
    pub const fn points(self) -> u16 {
        2 * self.win + self.draw
    }
}
