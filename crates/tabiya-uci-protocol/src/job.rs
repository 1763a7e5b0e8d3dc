//! `go perft` and `bench`: work in the background that ends by itself, and can be stopped.

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use tabiya_base::Stop;
use tabiya_chess::{Position, perft};

use crate::output::Lines;

/// Work that goes on in its own thread.
pub(crate) struct Job<'scope> {
    stop: Stop,
    /// Says nothing, but ends with the work.
    end: Receiver<()>,
    thread: ScopedJoinHandle<'scope, ()>,
    patience: Duration,
}

/// How long what comes next waits for work that ends by itself: a script that says `quit` behind its question hears
/// the answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(3);

impl<'scope> Job<'scope> {
    /// Does the work and writes its result, or that it was stopped. What comes next waits so long for its end.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        name: &'static str,
        patience: Duration,
        lines: Lines,
        work: impl FnOnce(&Stop) -> Option<String> + Send + 'scope,
    ) -> io::Result<Job<'scope>> {
        let stop = Stop::default();
        let (ends, end) = mpsc::channel();
        let asked = stop.clone();
        // A search goes deep.
        let thread = Builder::new().name(name.into()).stack_size(16 << 20).spawn_scoped(
            scope,
            move || {
                let _ends = ends;
                match work(&asked) {
                    Some(text) => lines.text(&text),
                    None => lines.inform(format_args!("{name} was stopped")),
                }
            },
        )?;
        Ok(Job { stop, end, thread, patience })
    }

    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Lets it finish, if that does not take long, and ends it otherwise.
    pub(crate) fn settle(self) {
        let _ = self.end.recv_timeout(self.patience);
        self.stop();
        let _ = self.thread.join();
    }
}

/// The deepest count: the numbers end before.
pub(crate) const DEEPEST_COUNT: u32 = 20;

/// Counts below each legal move, and writes it down as Stockfish does. None if stopped.
pub(crate) fn count_by_move(
    position: &Position,
    depth: u32,
    chess960: bool,
    lines: &Lines,
    stop: &Stop,
) -> Option<String> {
    let total = divide(position, depth, chess960, lines, stop)?;
    Some(format!("\nNodes searched: {total}\n"))
}

/// The total, told move by move; none if stopped.
fn divide(
    position: &Position,
    depth: u32,
    chess960: bool,
    lines: &Lines,
    stop: &Stop,
) -> Option<u64> {
    let Some(left) = depth.checked_sub(1) else { return Some(1) };
    let mut total = 0u64;
    for m in position.legal_moves() {
        let mut next = *position;
        next.play_unchecked(m);
        let nodes = count(&next, left, stop)?;
        let text = if chess960 { position.uci_chess960(m) } else { position.uci(m) };
        lines.text(&format!("{text}: {nodes}"));
        total = total.saturating_add(nodes);
    }
    Some(total)
}

/// The count, asking now and then whether it is still wanted.
fn count(position: &Position, depth: u32, stop: &Stop) -> Option<u64> {
    const AT_ONCE: u32 = 4;
    if stop.is_stopped() {
        return None;
    }
    if depth <= AT_ONCE {
        return Some(perft(position, depth));
    }
    position.legal_moves().into_iter().try_fold(0u64, |total, m| {
        let mut next = *position;
        next.play_unchecked(m);
        Some(total.saturating_add(count(&next, depth - 1, stop)?))
    })
}
