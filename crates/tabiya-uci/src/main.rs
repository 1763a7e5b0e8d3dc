//! The engine for graphical programs, which start it without an argument: the same as `tabiya uci`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match tabiya_uci::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabiya-uci: {error}");
            ExitCode::FAILURE
        }
    }
}
