//! The engine for graphical programs, which start it without an argument: the same as `tabiya uci`.

#[path = "../network.rs"]
mod network;
#[path = "../uci.rs"]
mod uci;

use std::process::ExitCode;

fn main() -> ExitCode {
    match uci::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabiya-uci: {error:#}");
            ExitCode::FAILURE
        }
    }
}
