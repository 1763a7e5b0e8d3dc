use tabiya_chess::Move;

use crate::{Goal, Tactic};

/// What is said to moves of a solver.
///
/// ```
/// use tabiya_tactics::{Tactic, Attempt, attempt};
///
/// let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 1 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
/// let tactic: Tactic = text.parse().unwrap();
/// let play = |words: &[&str]| attempt(&tactic, words.iter().copied()).unwrap();
/// assert_eq!(play(&["Rd1"]), Attempt::Wrong);
/// assert!(matches!(play(&["Ra8+"]), Attempt::Right { .. }));
/// assert_eq!(play(&["a1a8", "Rxe8#"]), Attempt::Solved);
/// assert_eq!(attempt(&tactic, ["Ra9"]).unwrap_err().0, 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The last move is not the one.
    Wrong,
    /// The last move is right; the defender answers, and the solver goes on.
    Right {
        /// The answer.
        answer: Move,
    },
    /// That was all.
    Solved,
}

/// A move that cannot be played: which one, counted from 1, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{1}")]
pub struct AttemptError(pub usize, pub String);

/// Judges the moves that a solver has made so far, in any notation, without those of the defender. Whatever mates is right
/// where the line mates.
pub fn attempt<'a>(
    tactic: &Tactic,
    moves: impl IntoIterator<Item = &'a str>,
) -> Result<Attempt, AttemptError> {
    let mut position = tactic.start();
    let mut so_far = Attempt::Wrong;
    let mut line = tactic.line().chunks(2);
    for (number, text) in (1..).zip(moves) {
        let Some(pair) = line.next() else { return Ok(so_far) };
        let m =
            position.parse_move(text).map_err(|error| AttemptError(number, error.to_string()))?;
        let mates = position.play(m).is_ok_and(|end| end.is_checkmate());
        if mates && tactic.goal() == Goal::Mate {
            return Ok(Attempt::Solved);
        }
        match *pair {
            [wanted, answer] if m == wanted => {
                position.play_unchecked(m);
                position.play_unchecked(answer);
                so_far = Attempt::Right { answer };
            }
            [wanted] if m == wanted => return Ok(Attempt::Solved),
            _ => return Ok(Attempt::Wrong),
        }
    }
    Ok(so_far)
}
