use std::fmt;

use tabiya_base::Score;
use tabiya_chess::{FenError, Move, ParseMoveError, Position};
use thiserror::Error;

use crate::epd;

/// Positions that ask for something: a best move (`bm`), a move to avoid (`am`), a mate in so many
/// moves (`dm`).
///
/// ```
/// use tabiya_lab::Suite;
///
/// let suite = Suite::from_epd(
///     "# Two rooks\n\
///      7k/8/8/8/8/8/R7/1R5K w - - bm Ra7 Rb7; dm 2; id \"ladder\";\n",
/// )?;
/// assert_eq!(suite.problems()[0].name, "ladder");
/// # Ok::<(), tabiya_lab::SuiteError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    problems: Vec<TestPosition>,
}

/// One position of a [`Suite`].
///
/// ```
/// use tabiya_base::Score;
/// use tabiya_lab::Suite;
///
/// let suite = Suite::from_epd("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1;")?;
/// let problem = &suite.problems()[0];
/// let mate = problem.position.parse_san("Ra8#").unwrap();
/// let other = problem.position.parse_san("Ra7").unwrap();
/// assert!(problem.is_solved_by(mate, Score::Mate(1)));
/// assert!(!problem.is_solved_by(other, Score::Mate(1)));
/// assert!(!problem.is_solved_by(mate, Score::Centipawns(900)));
/// assert_eq!(problem.to_string(), "Ra8#, mate in 1");
/// # Ok::<(), tabiya_lab::SuiteError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestPosition {
    /// What it is called: its `id`, or its line.
    pub name: String,
    /// The position.
    pub position: Position,
    /// The moves to find; any of them will do. Empty if it does not matter.
    pub best: Vec<Move>,
    /// The moves not to fall for.
    pub avoid: Vec<Move>,
    /// The side to move mates in so many moves.
    pub mate: Option<u32>,
}

/// Why a text is not a suite.
///
/// ```
/// use tabiya_lab::Suite;
///
/// let error = |text| Suite::from_epd(text).unwrap_err().to_string();
/// assert_eq!(
///     error("4k3/8/8/8/8/8/8/R3K3 w - - bm Rb2;"),
///     "problem on line 1, bm: No rook of yours can go to b2."
/// );
/// assert_eq!(error("4k3/8/8/8/8/8/8/R3K3 w - -"), "problem on line 1: neither bm, am nor dm is asked for");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SuiteError {
    /// A line does not begin with a position.
    #[error("problem on line {line}: {error}")]
    BadPosition {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// A move cannot be made.
    #[error("problem on line {line}, {operation}: {error}")]
    BadMove {
        /// The line, counted from 1.
        line: usize,
        /// `bm` or `am`.
        operation: &'static str,
        /// What is wrong with the move.
        error: ParseMoveError,
    },
    /// The number of moves to mate is none.
    #[error("problem on line {line}: dm wants a number of moves from 1 to 999")]
    BadMate {
        /// The line, counted from 1.
        line: usize,
    },
    /// Nothing is asked for.
    #[error("problem on line {line}: neither bm, am nor dm is asked for")]
    NothingAsked {
        /// The line, counted from 1.
        line: usize,
    },
    /// There is not one problem.
    #[error("there are no problems")]
    Empty,
}

impl Suite {
    /// Reads one problem a line, as EPD (a FEN followed by operations will do). Empty lines and lines
    /// that begin with `#` are skipped, as are other operations.
    pub fn from_epd(text: &str) -> Result<Suite, SuiteError> {
        let mut problems = Vec::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                problems.push(problem(line, index + 1)?);
            }
        }
        if problems.is_empty() { Err(SuiteError::Empty) } else { Ok(Suite { problems }) }
    }

    /// The problems, in the order of the file. There is at least one.
    ///
    /// ```
    /// # use tabiya_lab::Suite;
    /// let suite = Suite::from_epd("7k/8/8/8/8/8/R7/1R5K w - - dm 2;\n")?;
    /// assert_eq!(suite.problems()[0].name, "line 1");
    /// # Ok::<(), tabiya_lab::SuiteError>(())
    /// ```
    pub fn problems(&self) -> &[TestPosition] {
        &self.problems
    }
}

fn problem(line: &str, number: usize) -> Result<TestPosition, SuiteError> {
    let (position, rest) =
        epd::read_epd(line).map_err(|error| SuiteError::BadPosition { line: number, error })?;
    let moves = |operation, text: &str| -> Result<Vec<Move>, SuiteError> {
        let read = |word| {
            let read = position.parse_san(word);
            read.map_err(|error| SuiteError::BadMove { line: number, operation, error })
        };
        // Some write `bm Nf3, Nd2`.
        text.split([' ', '\t', ',']).filter(|word| !word.is_empty()).map(read).collect()
    };
    let name = format!("line {number}");
    let mut problem = TestPosition { name, position, best: vec![], avoid: vec![], mate: None };
    for (operation, given) in epd::operations(rest) {
        match operation {
            "bm" => problem.best = moves("bm", given)?,
            "am" => problem.avoid = moves("am", given)?,
            "dm" => {
                let mate = given.parse().ok().filter(|mate| (1..=999).contains(mate));
                problem.mate = Some(mate.ok_or(SuiteError::BadMate { line: number })?);
            }
            "id" if !given.is_empty() => problem.name = given.chars().take(80).collect(),
            _ => {}
        }
    }
    if problem.best.is_empty() && problem.avoid.is_empty() && problem.mate.is_none() {
        return Err(SuiteError::NothingAsked { line: number });
    }
    Ok(problem)
}

impl TestPosition {
    /// Whether a move, with what its player expects of it, is what was asked for. A mate that is
    /// shorter than asked for solves the problem too.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// # use tabiya_lab::Suite;
    /// let suite = Suite::from_epd("7k/8/8/8/8/8/R7/1R5K w - - am Ra8+;")?;
    /// let check = suite.problems()[0].position.parse_san("Ra8").unwrap();
    /// assert!(!suite.problems()[0].is_solved_by(check, Score::Mate(9)));
    /// # Ok::<(), tabiya_lab::SuiteError>(())
    /// ```
    pub fn is_solved_by(&self, played: Move, score: Score) -> bool {
        let in_time = self.mate.is_none_or(|mate| match score {
            Score::Mate(moves) => moves > 0 && moves.unsigned_abs() <= mate,
            Score::Centipawns(_) => false,
        });
        let found = self.best.is_empty() || self.best.contains(&played);
        in_time && found && !self.avoid.contains(&played)
    }
}

impl fmt::Display for TestPosition {
    /// What is asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spell = |moves: &[Move]| -> String {
            let words: Vec<String> = moves.iter().map(|&m| self.position.san(m)).collect();
            words.join(" or ")
        };
        let mut asked = Vec::new();
        if !self.best.is_empty() {
            asked.push(spell(&self.best));
        }
        if !self.avoid.is_empty() {
            asked.push(format!("not {}", spell(&self.avoid)));
        }
        if let Some(mate) = self.mate {
            asked.push(format!("mate in {mate}"));
        }
        f.write_str(&asked.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named() {
        let error = |text: &str| Suite::from_epd(text).unwrap_err().to_string();
        let good = "7k/8/8/8/8/8/R7/1R5K w - - dm 2;";
        assert!(error(&format!("{good}\n\nhello")).starts_with("problem on line 3: "));
        for mate in ["0", "-1", "two", "1000", ""] {
            let text = format!("{good}\n7k/8/8/8/8/8/R7/1R5K w - - dm {mate};");
            let expected = "problem on line 2: dm wants a number of moves from 1 to 999";
            assert_eq!(error(&text), expected);
        }
    }

    #[test]
    fn every_condition_has_to_be_met() {
        let text = "7k/8/8/8/8/8/R7/1R5K w - - 0 1 bm Ra7, Rb7; am Ra8+; dm 2;";
        let suite = Suite::from_epd(text).unwrap();
        let problem = &suite.problems()[0];
        assert_eq!(problem.to_string(), "Ra7 or Rb7, not Ra8+, mate in 2");
        let solved = |san, score| {
            let played = problem.position.parse_san(san).unwrap();
            problem.is_solved_by(played, score)
        };
        assert!(solved("Ra7", Score::Mate(2)) && solved("Rb7", Score::Mate(1)));
        assert!(!solved("Ra7", Score::Mate(3)) && !solved("Ra7", Score::Mate(-2)));
        assert!(!solved("Ra3", Score::Mate(2)) && !solved("Ra8+", Score::Mate(2)));
    }
}
