use std::time::Duration;

/// The time since a moment.
///
/// In a browser the standard library has no clock: there it is the one that `set_clock` was given, and without one no
/// time passes.
///
/// ```
/// use tabiya_base::Stopwatch;
///
/// let watch = Stopwatch::start();
/// let early = watch.elapsed();
/// assert!(watch.elapsed() >= early);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(host::Moment);

impl Stopwatch {
    /// Starts to count.
    pub fn start() -> Stopwatch {
        Stopwatch(host::now())
    }

    /// How long it is since the start.
    pub fn elapsed(&self) -> Duration {
        host::since(self.0)
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod host {
    use std::time::{Duration, Instant};

    pub(super) type Moment = Instant;

    pub(super) fn now() -> Moment {
        Instant::now()
    }

    pub(super) fn since(moment: Moment) -> Duration {
        moment.elapsed()
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::sync::OnceLock;
    use std::time::Duration;

    pub(super) type Moment = Duration;

    pub(super) static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    pub(super) fn now() -> Moment {
        CLOCK.get().map_or(Duration::ZERO, |clock| clock())
    }

    pub(super) fn since(moment: Moment) -> Duration {
        now().saturating_sub(moment)
    }
}

/// Says who tells the time: the time since any moment, always the same. The first word counts.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn set_clock(clock: fn() -> Duration) {
    let _ = host::CLOCK.set(clock);
}
