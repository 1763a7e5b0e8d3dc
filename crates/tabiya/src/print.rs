//! `println!`, `eprint!` and `eprintln!` for whom nobody listens any more. Those of the standard library panic then, which is
//! no way to treat somebody who runs `tabiya … 2>&1 | head -1`.

use std::fmt::Arguments;
use std::io::Write;

macro_rules! println {
    () => { $crate::print::line(format_args!("")) };
    ($($text:tt)*) => { $crate::print::line(format_args!($($text)*)) };
}

macro_rules! eprint {
    ($($text:tt)*) => { $crate::print::aside(format_args!($($text)*)) };
}

macro_rules! eprintln {
    () => { $crate::print::aside(format_args!("\n")) };
    ($($text:tt)*) => { $crate::print::aside(format_args!("{}\n", format_args!($($text)*))) };
}

/// A line of standard output. When its reader is gone, there is nothing left to do.
pub(crate) fn line(text: Arguments<'_>) {
    if std::io::stdout().write_fmt(format_args!("{text}\n")).is_err() {
        std::process::exit(0);
    }
}

/// What goes to standard error, if somebody reads it.
pub(crate) fn aside(text: Arguments<'_>) {
    let _ = std::io::stderr().write_fmt(text);
}
