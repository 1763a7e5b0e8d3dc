//! The two curves from scores to points. Both are tables of whole numbers, made when the program is compiled, so that
//! they are the same on every machine.
//!
//! * [`Score::wdl`] is what *engines* score: a game between engines that is three pawns up is won. The search, the levels
//!   and UCI's `wdl` use it.
//! * [`Score::expectation`] is what *people* score: three pawns up win three games of four. Bars, reviews and accuracy use
//!   it, whoever the engine is; it is gentle enough that a mistake at six pawns up still shows.

use core::fmt;

use crate::Score;

/// The chances of a win, a draw and a loss for the side to move, in thousandths.
///
/// ```
/// use tabiya_base::{Score, Wdl};
///
/// let (better, worse) = (Score::Centipawns(80).wdl(), Score::Centipawns(-80).wdl());
/// assert_eq!((better.win, better.loss), (worse.loss, worse.win));
/// assert_eq!(Wdl { win: 30, draw: 940, loss: 30 }.to_string(), "30 940 30");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wdl {
    /// Wins.
    pub win: u16,
    /// Draws.
    pub draw: u16,
    /// Losses.
    pub loss: u16,
}

impl fmt::Display for Wdl {
    /// As UCI writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

impl Score {
    /// What engines score: the chances between two engines, by a logistic curve.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// assert_eq!(Score::Mate(3).wdl().win, 1000);
    /// assert_eq!(Score::Centipawns(300).wdl().win, 849);
    /// ```
    pub fn wdl(self) -> Wdl {
        let win = |advantage: i32| {
            let index = advantage.saturating_sub(ENGINE_FIRST);
            match usize::try_from(index) {
                Ok(index) if index < ENGINES.len() => ENGINES[index],
                Ok(_) if advantage < ENGINE_SURE => 999,
                Ok(_) => 1000,
                Err(_) => 0,
            }
        };
        let (win, loss) = match self {
            Score::Centipawns(score) => (win(score), win(score.saturating_neg())),
            Score::Mate(moves) if moves > 0 => (1000, 0),
            Score::Mate(_) => (0, 1000),
        };
        Wdl { win, draw: 1000 - win - loss, loss }
    }

    /// What people score: the points that a person can expect against another of the same strength, in
    /// thousandths. 1000 is a sure win, 500 even.
    ///
    /// ```
    /// # use tabiya_base::Score;
    /// assert_eq!(Score::Centipawns(300).expectation(), 751);
    /// assert_eq!(Score::Centipawns(600).expectation(), 901);
    /// assert_eq!(Score::Mate(-1).expectation(), 0);
    /// ```
    pub fn expectation(self) -> u16 {
        match self {
            Score::Centipawns(score) => {
                let size = (score.unsigned_abs() as usize).min(PEOPLE.len() - 1);
                if score < 0 { 1000 - PEOPLE[size] } else { PEOPLE[size] }
            }
            Score::Mate(moves) if moves > 0 => 1000,
            Score::Mate(_) => 0,
        }
    }
}

/// Wins of engines in thousandths, from the first advantage in centipawns at which there are any. Above the table it is
/// 999, and from `ENGINE_SURE` on 1000.
const ENGINES: [u16; 1038] = engines();
const ENGINE_FIRST: i32 = -348;
const ENGINE_SURE: i32 = 2926;

const fn engines() -> [u16; 1038] {
    let mut table = [0; 1038];
    let mut index = 0;
    while index < table.len() {
        let advantage = ENGINE_FIRST + index as i32;
        table[index] = (1000.0 / (1.0 + exp((170.0 - advantage as f64) / 75.0))) as u16;
        index += 1;
    }
    table
}

/// What people score who are so many centipawns up, in thousandths. Ten pawns up is as good as it gets without a mate.
const PEOPLE: [u16; 1001] = people();

const fn people() -> [u16; 1001] {
    let mut table = [0; 1001];
    let mut score = 0;
    while score < table.len() {
        table[score] = (1000.0 / (1.0 + exp(-0.003_682_08 * score as f64)) + 0.5) as u16;
        score += 1;
    }
    table
}

/// The exponential function, by its series: there is none at compile time.
const fn exp(x: f64) -> f64 {
    if x < 0.0 {
        return 1.0 / exp(-x);
    }
    // e^x = (e^(x/1024))^1024
    let small = x / 1024.0;
    let (mut sum, mut term, mut n) = (1.0, 1.0, 1.0);
    while n < 20.0 {
        term *= small / n;
        sum += term;
        n += 1.0;
    }
    let mut doubled = 0;
    while doubled < 10 {
        sum *= sum;
        doubled += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_curves_they_stand_for() {
        for score in -4000..=4000 {
            let wins = |advantage: i32| {
                (1000.0 / (1.0 + ((170.0 - f64::from(advantage)) / 75.0).exp())) as u16
            };
            let wdl = Score::Centipawns(score).wdl();
            assert_eq!((wdl.win, wdl.loss), (wins(score), wins(-score)), "{score}");
            let clamped = f64::from(score.clamp(-1000, 1000));
            let people = 1000.0 / (1.0 + (-0.003_682_08 * clamped).exp());
            let told = f64::from(Score::Centipawns(score).expectation());
            assert!((told - people).abs() < 0.51, "{score}: {told} {people}");
        }
        for score in [i32::MIN, i32::MAX] {
            let wdl = Score::Centipawns(score).wdl();
            assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
        }
    }

    #[test]
    fn both_curves_rise_and_mirror() {
        for score in 0..3000 {
            let (now, next) = (Score::Centipawns(score), Score::Centipawns(score + 1));
            assert!(now.expectation() <= next.expectation() && now.wdl().win <= next.wdl().win);
            assert_eq!(now.expectation() + Score::Centipawns(-score).expectation(), 1000);
        }
        assert!(Score::Mate(9).expectation() > Score::Centipawns(9_999).expectation());
    }

    #[test]
    fn a_mistake_at_six_pawns_up_shows() {
        let lost = Score::Centipawns(600).expectation() - Score::Centipawns(300).expectation();
        assert!(lost >= 100, "{lost}");
    }
}
