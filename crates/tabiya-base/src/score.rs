use core::cmp::Ordering;
use core::fmt;

/// How good a position is, for the side to move unless something else is said.
///
/// It has a text for people (`Display`), one for UCI ([`Score::uci`]) and one for game records
/// ([`Score::pgn`]).
///
/// ```
/// use tabiya_base::Score;
///
/// assert!(Score::Mate(2) > Score::Mate(5));
/// assert!(Score::Mate(5) > Score::Centipawns(900));
/// assert!(Score::Centipawns(-900) > Score::Mate(-1));
/// assert_eq!(Score::Centipawns(135).to_string(), "+1.35");
/// assert_eq!(Score::Mate(-3).to_string(), "-#3");
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
    /// # use tabiya_base::Score;
    /// assert!(Score::Mate(1).rank() > Score::Mate(2).rank());
    /// assert!(Score::Mate(0).rank() < Score::Centipawns(-20_000).rank());
    /// ```
    pub const fn rank(self) -> i32 {
        match self {
            Score::Centipawns(score) => score,
            Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
            Score::Mate(moves) => -1_000_000 - moves,
        }
    }

    /// As UCI writes it.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// assert_eq!(Score::Centipawns(-120).uci().to_string(), "cp -120");
    /// assert_eq!(Score::Mate(3).uci().to_string(), "mate 3");
    /// ```
    pub fn uci(self) -> impl fmt::Display {
        fmt::from_fn(move |f| match self {
            Score::Centipawns(score) => write!(f, "cp {score}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        })
    }

    /// As game records write it in `[%eval …]`.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// assert_eq!(Score::Centipawns(25).pgn().to_string(), "0.25");
    /// assert_eq!(Score::Mate(-3).pgn().to_string(), "#-3");
    /// ```
    pub fn pgn(self) -> impl fmt::Display {
        fmt::from_fn(move |f| match self {
            Score::Centipawns(score) => pawns(f, if score < 0 { "-" } else { "" }, score),
            Score::Mate(moves) => write!(f, "#{moves}"),
        })
    }

    /// Reads what game records write in `[%eval …]`, without a detour over numbers that are not whole.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// assert_eq!(Score::from_pgn("-1.5"), Some(Score::Centipawns(-150)));
    /// assert_eq!(Score::from_pgn("#-2"), Some(Score::Mate(-2)));
    /// assert_eq!(Score::from_pgn("good"), None);
    /// ```
    pub fn from_pgn(text: &str) -> Option<Score> {
        if let Some(moves) = text.strip_prefix('#') {
            return moves.parse().ok().map(Score::Mate);
        }
        let (sign, size) = match text.strip_prefix('-') {
            Some(size) => (-1, size),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let figures =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (pawns, fraction) = size.split_once('.').unwrap_or((size, "0"));
        if !figures(pawns) || !figures(fraction) {
            return None;
        }
        let pawns: i32 = pawns.parse().ok()?;
        let hundredths: i32 = format!("{fraction:0<2.2}").parse().ok()?;
        Some(Score::Centipawns(sign * pawns.checked_mul(100)?.checked_add(hundredths)?))
    }

    /// A score of the side to move as White sees it.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// assert_eq!(Score::Centipawns(31).for_white(false).to_string(), "-0.31");
    /// assert_eq!(Score::Mate(0).for_white(true).to_string(), "-#0"); // White is mated
    /// ```
    pub const fn for_white(self, is_white_to_move: bool) -> WhiteScore {
        WhiteScore { score: self, is_white_to_move }
    }
}

fn pawns(f: &mut fmt::Formatter<'_>, sign: &str, centipawns: i32) -> fmt::Result {
    let size = centipawns.unsigned_abs();
    write!(f, "{sign}{}.{:02}", size / 100, size % 100)
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Score {
    /// For people: in pawns, `+1.35`, or `#3`, `-#3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(score) => pawns(f, if score < 0 { "-" } else { "+" }, score),
            Score::Mate(moves) if moves > 0 => write!(f, "#{moves}"),
            Score::Mate(moves) => write!(f, "-#{}", moves.unsigned_abs()),
        }
    }
}

/// A score as White sees it: a good number is good for White. Made by [`Score::for_white`].
///
/// ```
/// use tabiya_base::Score;
///
/// let black_is_mated = Score::Mate(0).for_white(false);
/// assert_eq!(black_is_mated.to_string(), "#0");
/// assert_eq!(black_is_mated.expectation(), 1000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WhiteScore {
    score: Score,
    is_white_to_move: bool,
}

impl WhiteScore {
    /// The points that White can expect among people, in thousandths; see [`Score::expectation`].
    pub fn expectation(self) -> u16 {
        let own = self.score.expectation();
        if self.is_white_to_move { own } else { 1000 - own }
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_white_to_move, self.score) {
            (true, score) => score.fmt(f),
            (false, Score::Centipawns(score)) => Score::Centipawns(score.saturating_neg()).fmt(f),
            (false, Score::Mate(moves)) if moves > 0 => write!(f, "-#{moves}"),
            (false, Score::Mate(moves)) => write!(f, "#{}", moves.unsigned_abs()),
        }
    }
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// At least the score.
    Lower,
    /// At most the score.
    Upper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_sees_what_is_good_for_white() {
        for (score, white, text) in [
            (Score::Centipawns(31), true, "+0.31"),
            (Score::Centipawns(31), false, "-0.31"),
            (Score::Centipawns(i32::MIN), false, "+21474836.47"),
            (Score::Mate(3), true, "#3"),
            (Score::Mate(3), false, "-#3"),
            (Score::Mate(-2), true, "-#2"),
            (Score::Mate(-2), false, "#2"),
            (Score::Mate(0), true, "-#0"),
            (Score::Mate(0), false, "#0"),
        ] {
            let seen = score.for_white(white);
            assert_eq!(seen.to_string(), text, "{score:?} {white}");
            assert_eq!(seen.expectation() > 500, !text.starts_with('-'), "{score:?} {white}");
        }
    }

    #[test]
    fn every_score_of_a_record_reads_back() {
        for score in [0, 1, -1, 9, 10, -99, 100, 12_345, i32::MAX, -i32::MAX] {
            let score = Score::Centipawns(score);
            assert_eq!(Score::from_pgn(&score.pgn().to_string()), Some(score));
        }
        for score in [Score::Mate(3), Score::Mate(-3), Score::Mate(0)] {
            assert_eq!(Score::from_pgn(&score.pgn().to_string()), Some(score));
        }
        for text in ["", "-", "#", "1.", "1.x", "--1", "99999999999", "0.5.5", "1.٣"] {
            assert_eq!(Score::from_pgn(text), None, "{text}");
        }
    }
}
