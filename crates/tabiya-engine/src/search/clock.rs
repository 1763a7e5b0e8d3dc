//! The time of a search: what has passed, what of it counts, and whether it is enough.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tabiya_base::Stop;
use tabiya_chess::Color;
use tabiya_thinker::Limits;

use crate::time::{Budget, Certainty};

/// How the caller and the search talk.
#[derive(Default)]
pub(crate) struct Control {
    pub(crate) stop: Stop,
    pub(crate) pondering: AtomicBool,
    /// When the ponder hit came, in nanoseconds of the timer: thinking time counts from there.
    pub(crate) hit_at: AtomicU64,
}

/// One search's view of its timer, its limits and its caller.
pub(crate) struct SearchClock<'a> {
    limits: &'a Limits,
    control: &'a Control,
    budget: Budget,
}

impl<'a> SearchClock<'a> {
    pub(crate) fn new(
        limits: &'a Limits,
        control: &'a Control,
        turn: Color,
        move_overhead: Duration,
    ) -> SearchClock<'a> {
        SearchClock { limits, control, budget: Budget::of(limits, turn, move_overhead) }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.limits.timer.as_ref().map_or(Duration::ZERO, |timer| timer.elapsed())
    }

    /// Whether the search has to end at once: it was told to, or its time is up.
    pub(super) fn is_over(&self) -> bool {
        self.control.stop.is_stopped()
            || self.thinking_time().is_some_and(|time| time >= self.budget.hard)
    }

    /// Whether to begin no other iteration.
    pub(super) fn is_enough(&self, certainty: &Certainty, only_move: bool) -> bool {
        if self.limits.clocks.is_none() || self.limits.infinite {
            return false;
        }
        let most = certainty.adjust(self.budget.soft).min(self.budget.hard);
        self.thinking_time().is_some_and(|time| only_move || time >= most)
    }

    /// The time that counts against the clock: while pondering, none.
    fn thinking_time(&self) -> Option<Duration> {
        if self.limits.timer.is_none() || self.control.pondering.load(Ordering::Relaxed) {
            return None;
        }
        let now = self.elapsed();
        if !self.limits.ponder {
            return Some(now);
        }
        // The first to look after the ponder hit notes the time.
        let nanos = now.as_nanos().min(u64::MAX.into()) as u64;
        let hit = self.control.hit_at.compare_exchange(
            0,
            nanos.max(1),
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        Some(now.saturating_sub(Duration::from_nanos(hit.err().unwrap_or(nanos))))
    }
}
