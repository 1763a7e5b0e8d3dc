//! What somebody has done with puzzles: their rating, and every puzzle once.

use crate::Rating;

/// What somebody has done.
#[derive(Clone, PartialEq, Debug)]
pub struct PuzzleRecord {
    /// How strong they are.
    pub rating: Rating,
    /// Puzzles solved in a row, without a hint.
    pub streak: u32,
    /// The most ever.
    pub best: u32,
    /// Puzzles that counted, the latest first.
    pub tries: Vec<PuzzleTry>,
}

impl Default for PuzzleRecord {
    fn default() -> PuzzleRecord {
        PuzzleRecord { rating: Rating::NEW, streak: 0, best: 0, tries: Vec::new() }
    }
}

/// How a puzzle went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuzzleTry {
    /// The number of the puzzle.
    pub puzzle: u64,
    /// Milliseconds since 1970.
    pub at: i64,
    /// Whether a hint was asked for.
    pub hinted: bool,
    /// 1 if it was solved, a half with a hint, 0 if not; none while it is open.
    pub score: Option<f64>,
    /// The rating after it.
    pub rating: f64,
    /// By how much the rating changed.
    pub change: f64,
}

/// What is to be kept of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleEvent {
    /// A hint was asked for.
    Hint,
    /// It was solved.
    Solved,
    /// A wrong move was made, or it was given up.
    Missed,
}

impl PuzzleTry {
    /// A puzzle that was not tried yet.
    ///
    /// ```
    /// # use tabiya_tactics::PuzzleTry;
    /// assert_eq!(PuzzleTry::new(7).score, None);
    /// ```
    pub const fn new(puzzle: u64) -> PuzzleTry {
        PuzzleTry { puzzle, at: 0, hinted: false, score: None, rating: 0.0, change: 0.0 }
    }
}

impl PuzzleRecord {
    /// Takes in what happened to a puzzle of a rating, at a time in milliseconds since 1970. Its first result counts; what
    /// comes later changes nothing. Gives how the puzzle stands then.
    ///
    /// ```
    /// use tabiya_tactics::{PuzzleEvent, PuzzleRecord};
    ///
    /// let mut ada = PuzzleRecord::default();
    /// let solved = ada.take(7, 1500, PuzzleEvent::Solved, 0);
    /// assert!(solved.change > 0.0);
    /// assert_eq!(ada.take(7, 1500, PuzzleEvent::Missed, 1), solved);
    /// assert_eq!(ada.streak, 1);
    /// ```
    pub fn take(&mut self, puzzle: u64, rating: u16, event: PuzzleEvent, at: i64) -> PuzzleTry {
        let known = self.tries.iter().position(|one| one.puzzle == puzzle);
        let earlier = known.map_or(PuzzleTry::new(puzzle), |index| self.tries[index]);
        if earlier.score.is_some() {
            return earlier;
        }
        let score = match event {
            PuzzleEvent::Hint => None,
            PuzzleEvent::Solved => Some(if earlier.hinted { 0.5 } else { 1.0 }),
            PuzzleEvent::Missed => Some(0.0),
        };
        let before = self.rating;
        if let Some(score) = score {
            self.rating = before.after_puzzle(Rating::of_puzzle(rating), score);
            self.streak = if score == 1.0 { self.streak + 1 } else { 0 };
            self.best = self.best.max(self.streak);
        }
        let hinted = earlier.hinted || event == PuzzleEvent::Hint;
        let (value, change) = (self.rating.value, self.rating.value - before.value);
        let now = PuzzleTry { puzzle, at, hinted, score, rating: value, change };
        if let Some(index) = known {
            self.tries.remove(index);
        }
        self.tries.insert(0, now);
        now
    }
}
