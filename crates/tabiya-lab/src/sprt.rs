use std::fmt;

use serde::Serialize;
use thiserror::Error;

use crate::{MatchScore, Pentanomial, Tally, score_of_elo};

/// A sequential probability ratio test: plays on until it is clear which of two claims about the
/// first player is believable.
///
/// The claims are that it is better by `elo0` (H0), and that it is better by `elo1` (H1), in logistic
/// Elo. The likelihood of each is that of the most likely distribution of results with the score
/// claimed (the *generalised* test), over pairs of games.
///
/// ```
/// use tabiya_lab::{Decision, Pentanomial, Sprt};
///
/// let test = Sprt::new(0.0, 5.0)?;
/// let llr = test.llr_of_pairs(&Pentanomial { counts: [20, 190, 470, 290, 40] });
/// assert_eq!(test.decide(llr), Decision::AcceptH1);
/// # Ok::<(), tabiya_lab::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why a test cannot be.
///
/// ```
/// use tabiya_lab::Sprt;
///
/// let error = Sprt::new(5.0, 0.0).unwrap_err();
/// assert_eq!(error.to_string(), "a test needs elo0 below elo1, not [5, 0]");
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The claims are the wrong way round, or not numbers.
    #[error("a test needs elo0 below elo1, not [{elo0}, {elo1}]")]
    Bounds {
        /// What H0 claims.
        elo0: f64,
        /// What H1 claims.
        elo1: f64,
    },
    /// The probability of an error is not one.
    #[error("the chance of an error has to be above 0 and below 0.5, not {0}")]
    Risk(f64),
}

/// What a test says.
///
/// ```
/// use tabiya_lab::Decision;
///
/// assert_eq!(Decision::AcceptH1.to_string(), "H1 accepted");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// Not clear yet.
    Continue,
    /// The first player is not better by `elo1`.
    AcceptH0,
    /// The first player is better than `elo0`.
    AcceptH1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Decision::Continue => "undecided",
            Decision::AcceptH0 => "H0 accepted",
            Decision::AcceptH1 => "H1 accepted",
        })
    }
}

impl Sprt {
    /// A test that errs either way with a probability of 5 %.
    pub fn new(elo0: f64, elo1: f64) -> Result<Sprt, SprtError> {
        let bounded = elo0.is_finite() && elo1.is_finite() && elo0.abs().max(elo1.abs()) <= 1000.0;
        if bounded && elo0 < elo1 {
            Ok(Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 })
        } else {
            Err(SprtError::Bounds { elo0, elo1 })
        }
    }

    /// The same test with other risks: `alpha` of accepting H1 when H0 is true, `beta` of accepting
    /// H0 when H1 is true.
    ///
    /// ```
    /// # use tabiya_lab::Sprt;
    /// let careful = Sprt::new(0.0, 5.0)?.with_risks(0.01, 0.01)?;
    /// assert!(careful.bounds()[1] > 4.59);
    /// # Ok::<(), tabiya_lab::SprtError>(())
    /// ```
    pub fn with_risks(self, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let possible = |risk: &&f64| **risk > 0.0 && **risk < 0.5;
        match [alpha, beta].iter().find(|risk| !possible(risk)) {
            Some(&risk) => Err(SprtError::Risk(risk)),
            None => Ok(Sprt { alpha, beta, ..self }),
        }
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    ///
    /// ```
    /// # use tabiya_lab::Sprt;
    /// let [lower, upper] = Sprt::new(0.0, 5.0)?.bounds();
    /// assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.94 2.94");
    /// # Ok::<(), tabiya_lab::SprtError>(())
    /// ```
    pub fn bounds(&self) -> [f64; 2] {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        [lower, upper]
    }

    /// The log-likelihood ratio of H1 to H0 after pairs of games.
    ///
    /// ```
    /// # use tabiya_lab::{Pentanomial, Sprt};
    /// let pairs = Pentanomial { counts: [10789, 19328, 33806, 19402, 10543] };
    /// assert_eq!(format!("{:.2}", Sprt::new(-3.0, 1.0)?.llr_of_pairs(&pairs)), "2.13");
    /// # Ok::<(), tabiya_lab::SprtError>(())
    /// ```
    pub fn llr_of_pairs(&self, pairs: &Pentanomial) -> f64 {
        self.llr_of_counts(pairs.counts)
    }

    /// The log-likelihood ratio of H1 to H0 after games that are not played in pairs.
    ///
    /// ```
    /// # use tabiya_lab::{Sprt, Tally};
    /// let games = Tally { wins: 57433, draws: 106593, losses: 57030 };
    /// assert_eq!(format!("{:.2}", Sprt::new(0.0, 2.0)?.llr_of_games(&games)), "-2.59");
    /// # Ok::<(), tabiya_lab::SprtError>(())
    /// ```
    pub fn llr_of_games(&self, games: &Tally) -> f64 {
        self.llr_of_counts([games.losses, games.draws, games.wins])
    }

    /// The log-likelihood ratio by pairs, or by games as long as no pair is finished.
    pub fn llr(&self, score: &MatchScore) -> f64 {
        match score.pairs.pairs() {
            0 => self.llr_of_games(&score.games),
            _ => self.llr_of_pairs(&score.pairs),
        }
    }

    /// What a log-likelihood ratio means.
    pub fn decide(&self, llr: f64) -> Decision {
        match self.bounds() {
            [lower, _] if llr <= lower => Decision::AcceptH0,
            [_, upper] if llr >= upper => Decision::AcceptH1,
            _ => Decision::Continue,
        }
    }

    fn llr_of_counts<const N: usize>(&self, counts: [u64; N]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // A result that has not occurred yet is rare, not impossible.
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let [x0, x1] = [self.elo0, self.elo1].map(|elo| {
            let score = score_of_elo(elo);
            (score, multiplier(&counts, score))
        });
        // The most likely probabilities p / (1 + x (value - score)), one over the other.
        let relative = |(score, x): (f64, f64), value: f64| 1.0 + x * (value - score);
        values(&counts)
            .map(|(value, count)| count * (relative(x0, value) / relative(x1, value)).ln())
            .sum()
    }
}

/// The possible results in even steps from 0 to 1, and how often each occurred.
fn values(counts: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let last = counts.len().saturating_sub(1).max(1) as f64;
    counts.iter().enumerate().map(move |(index, &count)| (index as f64 / last, count))
}

/// The Lagrange multiplier x with which the probabilities `p / (1 + x (value - score))` have the
/// mean `score`: those are the most likely ones, given that mean (M. Van den Bergh, "Comments on
/// multinomial maximum likelihood"). It is the zero of a falling function between two poles.
fn multiplier(counts: &[f64], score: f64) -> f64 {
    let excess = |x: f64| -> f64 {
        values(counts)
            .map(|(value, count)| count * (value - score) / (1.0 + x * (value - score)))
            .sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr<const N: usize>(elo0: f64, elo1: f64, counts: [u64; N]) -> f64 {
        Sprt::new(elo0, elo1).unwrap().llr_of_counts(counts)
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    // Expectations: the constrained likelihoods maximised numerically with scipy (SLSQP).
    #[test]
    fn likelihood_ratios_of_pairs() {
        // The example of fishtest's own statistics, then those of the tests of fastchess, which
        // has them as -3.07 and -4.98.
        assert_close(llr(-3.0, 1.0, [10789, 19328, 33806, 19402, 10543]), 2.131067811);
        assert_close(llr(0.2, 0.9, [39, 2226, 31451, 2412, 40]), 2.162542580);
        assert_close(llr(0.5, 2.5, [223, 9863, 21279, 10037, 246]), -3.074126440);
        assert_close(llr(0.0, 2.0, [871, 26175, 55983, 26678, 821]), -4.978672863);
        assert_close(llr(0.0, 10.0, [2, 5, 20, 9, 4]), 0.412714816);
    }

    #[test]
    fn likelihood_ratios_of_games() {
        // fastchess has the first two as -1.57 and -2.59.
        assert_close(llr(0.5, 2.5, [21184, 40708, 21404]), -1.571888793);
        assert_close(llr(0.0, 2.0, [57030, 106593, 57433]), -2.593024164);
        assert_close(llr(0.0, 10.0, [20, 50, 30]), 0.494041388);
    }

    #[test]
    fn results_that_never_occurred() {
        assert_close(llr(0.0, 5.0, [0, 0, 0, 0, 3]), 0.042891149);
        assert_close(llr(0.0, 5.0, [0, 0, 0, 0, 104]), 1.485939569);
        assert_close(llr(0.0, 10.0, [0, 0, 10, 0, 0]), -0.285795862);
        assert_eq!(llr(0.0, 5.0, [0, 0, 0, 0, 0]), 0.0);
    }

    #[test]
    fn turning_the_board_turns_the_sign() {
        let there = llr(-2.0, 3.0, [7, 40, 90, 55, 9]);
        let back = llr(-3.0, 2.0, [9, 55, 90, 40, 7]);
        assert_close(there, -back);
    }

    #[test]
    fn impossible_tests_are_refused() {
        for (elo0, elo1) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(matches!(Sprt::new(elo0, elo1), Err(SprtError::Bounds { .. })));
        }
        let test = Sprt::new(0.0, 5.0).unwrap();
        for risk in [0.0, 0.5, -0.1, f64::NAN] {
            assert!(matches!(test.with_risks(0.05, risk), Err(SprtError::Risk(_))));
            assert!(matches!(test.with_risks(risk, 0.05), Err(SprtError::Risk(_))));
        }
    }
}
