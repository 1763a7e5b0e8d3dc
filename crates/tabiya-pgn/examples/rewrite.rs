//! Reads games from standard input and writes them again, in the form of the standard.
//!
//!     cargo run --release -p tabiya-pgn --example rewrite < games.pgn

use std::io::{self, BufWriter, Write};

use tabiya_pgn::Reader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    for game in Reader::new(io::stdin().lock()).games() {
        writeln!(out, "{}", game?)?;
    }
    Ok(out.flush()?)
}
