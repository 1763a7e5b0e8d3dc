//! Glicko-2, by Mark Glickman's paper "Example of the Glicko-2 system": a rating, how sure it is, and how steady.

use core::f64::consts::PI;

/// The strength of somebody who solves puzzles, or of a puzzle.
///
/// ```
/// use tabiya_tactics::Rating;
///
/// let person = Rating::NEW;
/// let puzzle = Rating { value: 1500.0, deviation: 80.0, volatility: 0.06 };
/// assert!(person.after(&[(puzzle, 1.0)]).value > person.value);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The number itself.
    pub value: f64,
    /// How sure it is (RD): the true strength is within twice this, mostly.
    pub deviation: f64,
    /// How much the strength comes and goes.
    pub volatility: f64,
}

/// Between the scale of the paper's formulas and that of the ratings.
const SCALE: f64 = 173.7178;
/// How much volatility changes over time (τ in the paper), which recommends 0.3 to 1.2.
const TAU: f64 = 0.5;
/// Where the search for the volatility ends (ε).
const PRECISION: f64 = 1e-6;

impl Rating {
    /// Of somebody who has solved nothing yet.
    pub const NEW: Rating = Rating { value: 1200.0, deviation: 350.0, volatility: 0.06 };

    /// Ratings stay on this scale, and no rating is ever surer than this.
    const LEAST: f64 = 100.0;
    const MOST: f64 = 3500.0;
    const SUREST: f64 = 45.0;

    /// Of a puzzle. Its number is an estimate by levels, which stays as it is: one person's tries tell little of it.
    pub fn of_puzzle(rating: u16) -> Rating {
        Rating { value: f64::from(rating), deviation: 120.0, volatility: 0.06 }
    }

    /// After a rating period with these opponents and what was scored against each: 1, a half, or 0. As the paper
    /// has it, step by step.
    #[must_use]
    pub fn after(self, results: &[(Rating, f64)]) -> Rating {
        // Step 2: to the scale of the formulas.
        let (mu, phi) = ((self.value - 1500.0) / SCALE, self.deviation / SCALE);
        // Steps 3 and 4: the variance by the games alone, and the improvement they show.
        let (mut information, mut improvement) = (0.0, 0.0);
        for &(opponent, score) in results {
            let mu_j = (opponent.value - 1500.0) / SCALE;
            let phi_j = opponent.deviation / SCALE;
            let g = 1.0 / (1.0 + 3.0 * phi_j * phi_j / (PI * PI)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - mu_j)).exp());
            information += g * g * expected * (1.0 - expected);
            improvement += g * (score - expected);
        }
        if information == 0.0 {
            let deviation = (phi * phi + self.volatility * self.volatility).sqrt() * SCALE;
            return Rating { deviation: deviation.min(Rating::NEW.deviation), ..self };
        }
        let variance = 1.0 / information;
        // Steps 5 to 7.
        let volatility = self.new_volatility(phi, variance, variance * improvement);
        let before = phi * phi + volatility * volatility;
        let deviation = 1.0 / (1.0 / before + 1.0 / variance).sqrt();
        let value = mu + deviation * deviation * improvement;
        // Step 8: back.
        Rating { value: SCALE * value + 1500.0, deviation: SCALE * deviation, volatility }
    }

    /// Step 5: the root of a function between two bounds, by the Illinois algorithm.
    fn new_volatility(self, phi: f64, variance: f64, delta: f64) -> f64 {
        let a = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let e = x.exp();
            let sum = phi * phi + variance + e;
            e * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
        };
        let mut low = a;
        let mut high = if delta * delta > phi * phi + variance {
            (delta * delta - phi * phi - variance).ln()
        } else {
            let steps = (1..100).map(|k| a - f64::from(k) * TAU);
            steps.into_iter().find(|&x| f(x) >= 0.0).unwrap_or(a - 100.0 * TAU)
        };
        let (mut f_low, mut f_high) = (f(low), f(high));
        // It ends after a few rounds; the bound is for numbers that no rating has.
        for _ in 0..100 {
            if (high - low).abs() <= PRECISION {
                break;
            }
            let middle = low + (low - high) * f_low / (f_high - f_low);
            let f_middle = f(middle);
            if f_middle * f_high <= 0.0 {
                (low, f_low) = (high, f_high);
            } else {
                f_low /= 2.0;
            }
            (high, f_high) = (middle, f_middle);
        }
        (low / 2.0).exp()
    }

    /// After one puzzle, within the bounds of the scale: what a person's rating is from then on.
    #[must_use]
    pub fn after_puzzle(self, puzzle: Rating, score: f64) -> Rating {
        let next = self.after(&[(puzzle, score)]);
        Rating {
            value: next.value.clamp(Rating::LEAST, Rating::MOST),
            deviation: next.deviation.clamp(Rating::SUREST, Rating::NEW.deviation),
            ..next
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(value: f64, deviation: f64) -> Rating {
        Rating { value, deviation, volatility: 0.06 }
    }

    /// The example of the paper, with its numbers.
    #[test]
    fn the_published_example() {
        let opponents = [
            (rating(1400.0, 30.0), 1.0),
            (rating(1550.0, 100.0), 0.0),
            (rating(1700.0, 300.0), 0.0),
        ];
        let after = rating(1500.0, 200.0).after(&opponents);
        assert!((after.value - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn without_games_only_the_doubt_grows() {
        let after = rating(1500.0, 200.0).after(&[]);
        assert_eq!((after.value, after.volatility), (1500.0, 0.06));
        assert!((after.deviation - 200.2714).abs() < 0.001, "{after:?}");
    }

    #[test]
    fn a_rating_comes_to_where_half_is_solved() {
        let mut person = Rating::NEW;
        // Solves what is below 1700, and nothing else.
        for round in 0..300 {
            let puzzle = person.value + f64::from(round % 5 - 2) * 60.0;
            let solved = f64::from(u8::from(puzzle < 1700.0));
            person = person.after_puzzle(Rating::of_puzzle(puzzle as u16), solved);
        }
        assert!((person.value - 1700.0).abs() < 150.0, "{person:?}");
        assert!(person.deviation < 100.0, "{person:?}");
    }

    #[test]
    fn no_result_leaves_the_scale() {
        for score in [0.0, 0.5, 1.0] {
            let mut person = Rating::NEW;
            for _ in 0..500 {
                person = person.after_puzzle(Rating::of_puzzle(1500), score);
                assert!(person.value.is_finite() && person.volatility.is_finite());
                assert!((100.0..=3500.0).contains(&person.value), "{person:?}");
                assert!((45.0..=350.0).contains(&person.deviation), "{person:?}");
            }
        }
    }
}
