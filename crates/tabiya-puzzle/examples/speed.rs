//! Writes boards of growing size into a folder, and says how fast this machine is on each: its file, the
//! number of legal moves, seconds to list them, and positions a second in search.
//!
//!   cargo run --release -p tabiya-puzzle --example speed FOLDER
//!
//! The script `bench/puzzle` sets these numbers beside those of a plain program in Python.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_puzzle::{Limits, Position, Recipe, Search, Side, Size};

const BOARDS: [(u8, usize); 8] =
    [(5, 3), (8, 7), (16, 29), (26, 1), (26, 10), (26, 38), (26, 150), (26, 300)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("give me a folder")?);
    for (rows, bishops) in BOARDS {
        let size = Size::new(rows).ok_or("no such size")?;
        let recipe =
            Recipe { size, white_bishops: bishops, black_bishops: bishops, mate: None, seed: 1 };
        let position = Position::new(recipe.compose()?, Side::White)?;
        let path = folder.join(format!("{rows}x{rows}-{bishops}.txt"));
        position.board().save(&path)?;
        let moves = position.legal_moves().len();
        println!("{} {moves} {:e} {:.0}", path.display(), listing(&position), nodes(&position));
    }
    Ok(())
}

/// Seconds to list the legal moves: the best of many short rounds, as machines are noisy.
fn listing(position: &Position) -> f64 {
    const CALLS: u32 = 200;
    let round = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box(black_box(position).legal_moves());
        }
        start.elapsed() / CALLS
    };
    let best = (0..200).map(|_| round()).min();
    best.unwrap_or_default().as_secs_f64()
}

/// Positions a second in search.
fn nodes(position: &Position) -> f64 {
    let limits = Limits { time: Some(Duration::from_millis(500)), ..Limits::default() };
    let round = || {
        let start = Instant::now();
        let found = Search::new().think(position, &[], limits);
        found.map_or(0.0, |found| found.nodes as f64 / start.elapsed().as_secs_f64())
    };
    (0..5).map(|_| round()).fold(0.0, f64::max)
}
