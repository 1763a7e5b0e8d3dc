//! Counts the positions that so many half-moves lead to, apart for each first move:
//! `cargo run --release -p tabiya-chess --example perft -- 5 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'`

use std::error::Error;

use tabiya_chess::{Perft, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(4), |depth| depth.parse())?;
    let position: Position = match arguments.next() {
        Some(fen) => fen.parse()?,
        None => Position::initial(),
    };
    let counts = Perft::default().divide(&position, depth);
    for (m, nodes) in &counts {
        println!("{:7} {nodes:>15}", position.san(*m));
    }
    println!("{:7} {:>15}", "all", counts.iter().map(|(_, nodes)| nodes).sum::<u64>());
    Ok(())
}
