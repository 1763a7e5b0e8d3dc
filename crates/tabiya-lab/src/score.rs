use std::fmt;

/// What a player thinks of its own position.
///
/// ```
/// use tabiya_lab::Score;
///
/// assert_eq!(Score::Centipawns(35).to_string(), "+0.35");
/// assert_eq!(Score::Mate(-3).to_string(), "-M3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if the player is being mated.
    Mate(i32),
}

impl Score {
    /// In hundredths of a pawn, a mate as more than any evaluation.
    ///
    /// ```
    /// # use tabiya_lab::Score;
    /// assert!(Score::Mate(9).centipawns() > Score::Centipawns(20_000).centipawns());
    /// assert!(Score::Mate(0).centipawns() < 0); // mated now
    /// ```
    pub const fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(score) => score,
            Score::Mate(moves) if moves > 0 => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(score) => {
                let sign = if score < 0 { '-' } else { '+' };
                let size = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Score::Mate(moves) if moves > 0 => write!(f, "+M{moves}"),
            Score::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}
