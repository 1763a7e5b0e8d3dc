use std::collections::VecDeque;
use std::time::Duration;

/// What can be given back for a single move at most, and what a player who moves without delay saves up.
const BANK: Duration = Duration::from_millis(500);
/// What each move adds to it.
const GAIN: Duration = Duration::from_millis(100);
/// So many round trips are remembered; the shortest counts.
const TRIPS: usize = 4;
/// So many questions may wait for an answer: a player may have the game on several pages.
const QUESTIONS: usize = 4;
/// An answer that comes later than that tells of a line that was cut, not of a slow one.
const LATE: Duration = Duration::from_secs(5);

/// How long the way between a player and this table is, and what of it is given back on the clock.
///
/// Nothing that a player says about time is believed: the table asks with a number that cannot be guessed and
/// looks at its own clock when the number comes back. Whoever answers slowly on purpose wins no more
/// than the bank allows, [`GAIN`] a move in the long run.
#[derive(Clone, Debug)]
pub(crate) struct Lag {
    asked: VecDeque<(u64, Duration)>,
    trips: VecDeque<Duration>,
    bank: Duration,
}

impl Lag {
    pub(crate) const fn new() -> Lag {
        Lag { asked: VecDeque::new(), trips: VecDeque::new(), bank: BANK }
    }

    /// A question goes out.
    pub(crate) fn ask(&mut self, nonce: u64, now: Duration) {
        if self.asked.len() == QUESTIONS {
            self.asked.pop_front();
        }
        self.asked.push_back((nonce, now));
    }

    /// An answer comes in. It counts once, and only if it was asked for.
    pub(crate) fn answer(&mut self, nonce: u64, now: Duration) -> Option<Duration> {
        let index = self.asked.iter().position(|&(asked, _)| asked == nonce)?;
        let (_, since) = self.asked.remove(index)?;
        let trip = now.saturating_sub(since);
        if trip <= LATE {
            if self.trips.len() == TRIPS {
                self.trips.pop_front();
            }
            self.trips.push_back(trip);
        }
        Some(trip)
    }

    /// What is given back for a move that came after so much time.
    pub(crate) fn allowance(&self, elapsed: Duration) -> Duration {
        let trip = self.trips.iter().min().copied().unwrap_or_default();
        trip.min(self.bank).min(elapsed)
    }

    /// A move was made for which so much was given back.
    pub(crate) fn spend(&mut self, given: Duration) {
        self.bank = (self.bank.saturating_sub(given) + GAIN).min(BANK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// A player whose answers take so long.
    fn slow(trip: Duration) -> Lag {
        let mut lag = Lag::new();
        lag.ask(1, ms(1000));
        assert_eq!(lag.answer(1, ms(1000) + trip), Some(trip));
        lag
    }

    #[test]
    fn an_honest_way_is_given_back_whole() {
        let mut lag = slow(ms(80));
        for _ in 0..100 {
            assert_eq!(lag.allowance(ms(2000)), ms(80));
            lag.spend(ms(80));
        }
    }

    #[test]
    fn no_more_is_given_back_than_has_passed() {
        assert_eq!(slow(ms(80)).allowance(ms(30)), ms(30));
        assert_eq!(slow(ms(80)).allowance(ms(0)), ms(0));
    }

    #[test]
    fn nobody_is_believed_who_was_not_asked() {
        let mut lag = Lag::new();
        lag.ask(7, ms(0));
        assert_eq!(lag.answer(8, ms(400)), None);
        assert_eq!(lag.allowance(ms(1000)), ms(0));
    }

    #[test]
    fn an_answer_counts_once() {
        let mut lag = Lag::new();
        lag.ask(7, ms(0));
        assert_eq!(lag.answer(7, ms(50)), Some(ms(50)));
        assert_eq!(lag.answer(7, ms(450)), None);
        assert_eq!(lag.allowance(ms(1000)), ms(50));
    }

    #[test]
    fn whoever_answers_late_on_purpose_wins_little() {
        let mut lag = slow(ms(4000));
        let mut won = Duration::ZERO;
        for _ in 0..40 {
            let given = lag.allowance(ms(10_000));
            lag.spend(given);
            won += given;
        }
        assert_eq!(won, BANK + 39 * GAIN);
        // One quick answer betrays the slow ones.
        lag.ask(2, ms(90_000));
        lag.answer(2, ms(90_010));
        assert_eq!(lag.allowance(ms(10_000)), ms(10));
    }

    #[test]
    fn a_line_that_was_cut_is_no_slow_line() {
        let mut lag = slow(ms(3_600_000));
        assert_eq!(lag.allowance(ms(10_000)), ms(0));
        for nonce in 10..1000 {
            lag.ask(nonce, ms(0));
        }
        assert_eq!(lag.asked.len(), QUESTIONS);
        assert_eq!(lag.answer(10, ms(10)), None);
    }
}
