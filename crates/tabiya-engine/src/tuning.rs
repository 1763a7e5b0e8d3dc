//! What a tuner needs to know: which weights make up the evaluation by hand of a position and, with the feature
//! `tune`, the numbers of the search.

use tabiya_chess::Position;

#[cfg(feature = "tune")]
use crate::params::tune;

use crate::evaluate::{Terms, phase, term, visit_terms};
use crate::weights::PAIRS;

/// The numbers of the search and what they are in an ordinary build.
#[cfg(feature = "tune")]
pub fn search_numbers() -> &'static [(&'static str, i32)] {
    tune::defaults()
}

/// Sets a number of the search, for all engines of this program; false if there is none of that name.
///
/// ```
/// use tabiya_engine::tuning::set_search_number;
///
/// assert!(set_search_number("razor_depth", 4));
/// assert!(!set_search_number("luck", 1));
/// ```
#[cfg(feature = "tune")]
pub fn set_search_number(name: &str, value: i32) -> bool {
    tune::set(name, value)
}

/// The number of weights, each with a value for the middlegame and one for the endgame.
pub const COUNT: usize = term::COUNT;

/// The weights in use, middlegame and endgame.
///
/// ```
/// let (middlegame, endgame) = tabiya_engine::tuning::weights()[0];
/// assert!(middlegame > 50 && endgame > 50, "a pawn is worth something");
/// ```
pub fn weights() -> &'static [(i16, i16)] {
    &PAIRS
}

/// A position as the evaluation sees it: the terms that count, White's minus Black's, and the phase
/// from 24 (all pieces) to 0.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::tuning::Sample;
///
/// let start = Sample::of(&Position::initial());
/// assert_eq!(start.phase, 24);
/// // Both sides have the same: only the right to move counts.
/// assert_eq!(start.terms.len(), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Term numbers with their counts; those that cancel out are left out.
    pub terms: Vec<(u16, i8)>,
    /// 24 for a middlegame with all pieces, 0 for a pawn ending.
    pub phase: i32,
}

impl Sample {
    /// The terms of a position.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_engine::tuning::Sample;
    /// let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    /// assert!(Sample::of(&position).terms.contains(&(0, 1)), "a pawn more");
    /// ```
    pub fn of(position: &Position) -> Sample {
        let mut counts = Counts([0; COUNT]);
        visit_terms(position, &mut counts);
        let terms = (0..COUNT as u16).zip(counts.0).filter(|(_, count)| *count != 0);
        let terms = terms.map(|(term, count)| (term, count.clamp(-128, 127) as i8)).collect();
        Sample { terms, phase: phase(position.board()) }
    }
}

struct Counts([i32; COUNT]);

impl Terms for Counts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}
