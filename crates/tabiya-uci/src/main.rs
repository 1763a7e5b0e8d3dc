//! The engine for graphical programs, which start it without an argument: the same as `tabiya uci`.

use std::io::{self, Write};
use std::process::ExitCode;

use tabiya_uci::DEEPEST_BENCH;

const HELP: &str = "\
The Tabiya chess engine. Chess programs start it without an argument and speak UCI with it.

Usage: tabiya-uci [COMMAND]

  bench [DEPTH]    Search fixed positions: a signature of the engine, and its speed
  --help, -h       Print this
  --version, -V    Print the version
";

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        [] => tabiya_uci::run(),
        ["--help" | "-h"] => print(HELP),
        ["--version" | "-V"] => print(concat!("tabiya-uci ", env!("CARGO_PKG_VERSION"), "\n")),
        ["bench"] => bench(None),
        ["bench", depth] => match depth.parse() {
            Ok(depth @ 1..=DEEPEST_BENCH) => bench(Some(depth)),
            _ => {
                return refuse(&format!(
                    "bench goes to a depth of 1 to {DEEPEST_BENCH}, not {depth:?}"
                ));
            }
        },
        [first, ..] => {
            return refuse(&format!("there is no command {first:?}; see tabiya-uci --help"));
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabiya-uci: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(depth: Option<u32>) -> io::Result<()> {
    print(&format!("{}\n", tabiya_uci::bench(depth).unwrap_or_default()))
}

/// Unlike `print!`, without a panic when nobody reads.
fn print(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

fn refuse(reason: &str) -> ExitCode {
    eprintln!("tabiya-uci: {reason}");
    ExitCode::from(2)
}
