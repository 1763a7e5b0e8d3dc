use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// Asks work on another thread to end early; the work looks at it now and then. Clones are the same signal, and one
/// that has been given stays given.
///
/// ```
/// use tabiya_base::Stop;
///
/// let stop = Stop::default();
/// let mine = stop.clone();
/// let work = std::thread::spawn(move || (1u64..).find(|_| mine.is_stopped()));
/// stop.stop();
/// assert!(work.join().unwrap().is_some(), "it has ended");
/// ```
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    is_stopped: AtomicBool,
    guard: Mutex<()>,
    changed: Condvar,
}

impl Stop {
    /// Gives the signal.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
        self.notify();
    }

    /// Whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }

    /// Waits until the signal is given or the condition no longer holds; it is looked at again at every
    /// [`Stop::notify`].
    pub fn wait_while(&self, condition: impl Fn() -> bool) {
        let mut guard = self.0.guard.lock();
        while !self.is_stopped() && condition() {
            self.0.changed.wait(&mut guard);
        }
    }

    /// Waits until the signal is given, but no longer than this.
    pub fn wait_for(&self, longest: Duration) {
        let until = Instant::now() + longest;
        let mut guard = self.0.guard.lock();
        while !self.is_stopped() {
            if self.0.changed.wait_until(&mut guard, until).timed_out() {
                return;
            }
        }
    }

    /// Has those who wait look at their conditions again.
    pub fn notify(&self) {
        let _guard = self.0.guard.lock();
        self.0.changed.notify_all();
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.is_stopped()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_wait_are_woken_by_the_signal_or_by_their_condition() {
        let (stop, waits) = (Stop::default(), Arc::new(AtomicBool::new(true)));
        let waiting = {
            let (stop, waits) = (stop.clone(), Arc::clone(&waits));
            std::thread::spawn(move || stop.wait_while(|| waits.load(Ordering::Relaxed)))
        };
        waits.store(false, Ordering::Relaxed);
        stop.notify();
        waiting.join().unwrap();
        assert!(!stop.is_stopped());
        let waiting = {
            let stop = stop.clone();
            std::thread::spawn(move || stop.wait_while(|| true))
        };
        stop.stop();
        waiting.join().unwrap();
    }

    #[test]
    fn a_wait_ends_with_its_time_or_with_the_signal() {
        let stop = Stop::default();
        let begun = Instant::now();
        stop.wait_for(Duration::from_millis(20));
        assert!(begun.elapsed() >= Duration::from_millis(20));
        let waiting = {
            let stop = stop.clone();
            std::thread::spawn(move || stop.wait_for(Duration::from_secs(3600)))
        };
        stop.stop();
        waiting.join().unwrap();
        stop.wait_for(Duration::from_secs(3600));
    }
}
