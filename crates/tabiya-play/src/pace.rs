//! How long a computer waits before it answers, for those who do not want it at once.

use std::time::Duration;

use tabiya_base::mix;
use tabiya_players::Pace;

/// What the time for a move depends on.
pub(crate) struct Situation {
    /// How many half-moves were played.
    pub(crate) ply: usize,
    /// How many moves there are to choose from.
    pub(crate) choices: usize,
    /// How many pieces are on the board.
    pub(crate) pieces: usize,
    /// What is left on its clock, and what comes after each move.
    pub(crate) clock: Option<(Duration, Duration)>,
    /// What is random depends on it, so that a game can be looked at again.
    pub(crate) seed: u64,
}

const MOMENT: Duration = Duration::from_millis(700);
/// What a person takes for a move without clocks, on average.
const UNHURRIED: Duration = Duration::from_millis(3500);
const LONGEST: Duration = Duration::from_secs(20);
/// A game is planned to have so many moves more.
const MOVES: u32 = 40;

impl Situation {
    /// How long the answer is held, from when the turn began. Never so long that the time could run out: a thirtieth of
    /// what is left at most, and nothing in the last two seconds.
    pub(crate) fn pause(&self, pace: Pace) -> Duration {
        let wanted = match pace {
            Pace::Moment => MOMENT,
            Pace::Person => self.as_a_person(),
        };
        let most = match self.clock {
            Some((left, _)) if left < Duration::from_secs(2) => Duration::ZERO,
            Some((left, increment)) => left / 30 + increment.min(left / 3),
            None => LONGEST,
        };
        wanted.min(most).min(LONGEST)
    }

    fn as_a_person(&self) -> Duration {
        let share = match self.clock {
            Some((left, increment)) => left / MOVES + increment * 3 / 4,
            None => UNHURRIED,
        };
        // What is known or forced is played quickly, what there is to think about is not; in hundredths.
        let forced = match self.choices {
            0 | 1 => 15,
            2 | 3 => 60,
            _ => 100,
        };
        let phase = match (self.ply, self.pieces) {
            (0..12, _) => 35,
            (_, 0..=10) => 70,
            _ => 115,
        };
        share * forced / 100 * phase / 100 * self.mood() / 100
    }

    /// From a half to nearly twice the usual time: people are not regular.
    fn mood(&self) -> u32 {
        50 + (mix(self.seed ^ (self.ply as u64 + 1)) % 130) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn situation(ply: usize, choices: usize, pieces: usize) -> Situation {
        Situation { ply, choices, pieces, clock: None, seed: 7 }
    }

    #[test]
    fn what_is_forced_or_known_comes_sooner() {
        let pause = |situation: &Situation| situation.pause(Pace::Person);
        let usual = pause(&situation(30, 30, 24));
        assert!(pause(&situation(30, 1, 24)) < usual / 5);
        assert!(pause(&situation(30, 30, 8)) < usual);
        let sum = |plies: std::ops::Range<usize>| -> Duration {
            plies.map(|ply| pause(&situation(ply, 30, 24))).sum()
        };
        assert!(sum(0..10) * 2 < sum(30..40));
        assert_eq!(situation(30, 30, 24).pause(Pace::Moment), MOMENT);
    }

    /// Every control that people play, to the end of a very long game, with an engine that needs time itself.
    #[test]
    fn nobody_loses_on_time() {
        for (time, increment) in [(60, 0), (60, 1), (180, 2), (300, 0), (900, 10), (15, 0), (1, 0)]
        {
            for seed in 0..20 {
                let mut left = Duration::from_secs(time);
                let increment = Duration::from_secs(increment);
                for ply in 0..600 {
                    let clock = Some((left, increment));
                    let now = Situation { ply, choices: 30, pieces: 24, clock, seed };
                    for pace in [Pace::Moment, Pace::Person] {
                        let pause = now.pause(pace);
                        assert!(pause <= left / 2, "{time}+{increment:?}: {pause:?} of {left:?}");
                    }
                    left = left - now.pause(Pace::Person) + increment;
                }
            }
        }
    }
}
