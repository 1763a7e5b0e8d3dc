//! Control-C, for commands that have nothing to put away.

use std::fs::File;
use std::io::{IsTerminal, Write};

/// What is said when somebody ends a command that is at work.
pub(crate) const INTERRUPTED: &str = "Execution interrupted.";

/// From now on Control-C, or a request to end, ends the program with a sentence.
pub(crate) fn listen() {
    // Where there are no signals, there is nothing to catch.
    let _ = ctrlc::set_handler(|| {
        // A terminal has written ^C on the line.
        let start = if std::io::stdin().is_terminal() { "\n" } else { "" };
        if let Some(mut out) = own_stdout() {
            let _ = writeln!(out, "{start}{INTERRUPTED}");
        }
        std::process::exit(130);
    });
}

/// Standard output without its lock, which the thread at work may hold.
fn own_stdout() -> Option<File> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&std::io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&std::io::stdout()).try_clone_to_owned();
    handle.ok().map(File::from)
}
