use std::time::Duration;

use tabiya_thinker::TimeControl;

use crate::Side;

/// The clocks of both sides. Time is told from outside.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    pub(crate) control: TimeControl,
    /// What each side had left at the beginning of the turn.
    left: [Duration; 2],
    /// Whose clock runs, and since when.
    running: Option<(Side, Duration)>,
}

impl Clocks {
    pub(crate) const fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.time; 2], running: None }
    }

    /// What a side has left at a time.
    pub(crate) fn left(&self, side: Side, now: Duration) -> Duration {
        let left = self.left[side as usize];
        match self.running {
            Some((runs, since)) if runs == side => left.saturating_sub(now.saturating_sub(since)),
            _ => left,
        }
    }

    pub(crate) fn both(&self, now: Duration) -> [Duration; 2] {
        [self.left(Side::White, now), self.left(Side::Black, now)]
    }

    pub(crate) fn is_running(&self, side: Side) -> bool {
        self.running.is_some_and(|(runs, _)| runs == side)
    }

    /// Whose clock runs, and for how long by now.
    pub(crate) fn running_since(&self, now: Duration) -> Option<(Side, Duration)> {
        self.running.map(|(side, since)| (side, now.saturating_sub(since)))
    }

    /// Who has overstepped the time.
    pub(crate) fn fallen(&self, now: Duration) -> Option<Side> {
        self.running.map(|(side, _)| side).filter(|&side| self.left(side, now).is_zero())
    }

    /// What both would have left if the side whose clock runs moved now.
    pub(crate) fn after_move(&self, now: Duration) -> [Duration; 2] {
        let mut left = self.both(now);
        if let Some((side, _)) = self.running {
            left[side as usize] += self.control.increment;
        }
        left
    }

    /// Lets a side's clock run from now on, or nobody's.
    pub(crate) fn start(&mut self, left: [Duration; 2], side: Option<Side>, now: Duration) {
        self.left = left;
        self.running = side.map(|side| (side, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn time_runs_for_one_side_and_increments_come_after_moves() {
        let mut clocks = Clocks::new("1+2".parse::<crate::Minutes>().unwrap().0);
        clocks.start([seconds(60); 2], Some(Side::White), seconds(10));
        assert_eq!(clocks.both(seconds(25)), [seconds(45), seconds(60)]);
        let left = clocks.after_move(seconds(25));
        assert_eq!(left, [seconds(47), seconds(60)]);
        clocks.start(left, Some(Side::Black), seconds(25));
        assert_eq!(clocks.fallen(seconds(84)), None);
        assert_eq!(clocks.fallen(seconds(85)), Some(Side::Black));
        clocks.start(clocks.both(seconds(30)), None, seconds(30));
        assert_eq!(clocks.both(seconds(1000)), [seconds(47), seconds(55)]);
        assert_eq!(clocks.fallen(seconds(1000)), None);
    }
}
