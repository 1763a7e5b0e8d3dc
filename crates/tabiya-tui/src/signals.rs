//! What other programs may tell us: to leave, or to go on after a stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::time::Duration;

#[derive(Default)]
struct Told {
    leave: AtomicBool,
    back: AtomicBool,
    done: AtomicBool,
}

/// Listens until it is dropped.
pub(crate) struct Signals {
    told: Arc<Told>,
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

impl Signals {
    /// Listens in a thread of its own: when a terminal is gone, reading from it may never come back, and
    /// somebody has to end the program then. (Every move is kept by that time.)
    #[cfg(unix)]
    pub(crate) fn listen(give_back: fn()) -> io::Result<Signals> {
        use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGCONT, SIGHUP, SIGINT, SIGTERM])?;
        let handle = signals.handle();
        let told = Arc::new(Told::default());
        let shared = told.clone();
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                if signal == SIGCONT {
                    shared.back.store(true, Ordering::Relaxed);
                    continue;
                }
                shared.leave.store(true, Ordering::Relaxed);
                std::thread::sleep(Duration::from_secs(2));
                if !shared.done.load(Ordering::Relaxed) {
                    give_back();
                    std::process::exit(128 + signal);
                }
            }
        })?;
        Ok(Signals { told, handle })
    }

    /// Other systems end programs in their own ways.
    #[cfg(not(unix))]
    pub(crate) fn listen(_: fn()) -> io::Result<Signals> {
        Ok(Signals { told: Arc::default() })
    }

    pub(crate) fn told_to_leave(&self) -> bool {
        self.told.leave.load(Ordering::Relaxed)
    }

    /// Whether we were stopped and go on: the shell may have used the terminal meanwhile.
    pub(crate) fn came_back(&self) -> bool {
        self.told.back.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.told.done.store(true, Ordering::Relaxed);
        #[cfg(unix)]
        self.handle.close();
    }
}
