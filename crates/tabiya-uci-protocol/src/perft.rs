//! `go perft`: a count in the background, which can be stopped.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use tabiya_chess::{Position, perft};

use crate::output::Lines;

/// A count that goes on in its own thread.
pub(crate) struct Count<'scope> {
    is_stopped: Arc<AtomicBool>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope> Count<'scope> {
    /// Nobody counts deeper: the numbers end before.
    pub(crate) const DEEPEST: u32 = 20;

    /// Counts below each legal move, and writes it down as Stockfish does.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        position: Position,
        depth: u32,
        chess960: bool,
        lines: Lines,
    ) -> io::Result<Count<'scope>> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_stopped);
        let thread =
            Builder::new().name("perft".into()).spawn_scoped(scope, move || {
                match divide(&position, depth, chess960, &lines, &stop) {
                    Some(total) => lines.text(&format!("\nNodes searched: {total}\n")),
                    None => lines.inform("perft was stopped"),
                }
            })?;
        Ok(Count { is_stopped, thread })
    }

    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn wait(self) {
        let _ = self.thread.join();
    }
}

/// The total, told move by move; none if stopped.
fn divide(
    position: &Position,
    depth: u32,
    chess960: bool,
    lines: &Lines,
    stop: &AtomicBool,
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
fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    const AT_ONCE: u32 = 4;
    if stop.load(Ordering::Relaxed) {
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
