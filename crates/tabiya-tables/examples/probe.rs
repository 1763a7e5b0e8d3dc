//! Reads positions (FEN) from standard input, a line each, and writes what the tables in the folders given say: the result from -2
//! to 2 and plies to zeroing. For `scripts/referee-syzygy`.

use std::io::{BufRead, Write};

use tabiya_chess::Position;
use tabiya_tables::Tables;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tables = Tables::open(std::env::args_os().skip(1).map(std::path::PathBuf::from));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let position: Position = line?.parse()?;
        match tables.probe(&position) {
            Ok(entry) => {
                let result = entry.fate.number();
                let plies = i32::from(entry.zeroing.unwrap_or(0)) * result.signum();
                writeln!(out, "{result} {plies}")?;
            }
            Err(error) => writeln!(out, "{error}")?,
        }
    }
    Ok(())
}
