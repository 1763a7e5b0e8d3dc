//! How long a look-up takes, in tables that are in memory: `cargo bench -p tabiya-tables --bench probe -- FOLDER`.
//!
//! Positions are drawn from all tables of the folder alike, with either side to move, and looked up in random order.

use std::path::PathBuf;
use std::time::Instant;

use tabiya_base::Random;
use tabiya_chess::{Color, Position};
use tabiya_tables::Tables;

const POSITIONS: usize = 100_000;
const ROUNDS: usize = 5;

fn main() {
    // Cargo adds words of its own.
    let folders = std::env::args_os().skip(1).filter(|word| word != "--bench").map(PathBuf::from);
    let tables = Tables::open(folders);
    let own = tables.own();
    if own.is_empty() {
        println!("probe: name a folder with tables, as `tabiya tables make 4` makes them");
        return;
    }
    let mut random = Random::new(1);
    let mut positions: Vec<Position> = Vec::new();
    while positions.len() < POSITIONS {
        let table = &own[random.below(own.len())];
        let turn = Color::ALL[random.below(2)];
        positions.extend(table.position(random.below(table.places()), turn));
    }
    let best = |work: &dyn Fn(&Position)| {
        let round = || {
            let start = Instant::now();
            positions.iter().for_each(work);
            start.elapsed().as_nanos() as f64 / POSITIONS as f64
        };
        (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
    };
    let result = best(&|position| drop(std::hint::black_box(tables.fate(position))));
    let all = best(&|position| drop(std::hint::black_box(tables.probe(position))));
    println!(
        "{} tables, {POSITIONS} positions: {result:.0} ns for the result, {all:.0} ns for result, mate and zeroing",
        own.len()
    );
    if !tables.syzygy().is_empty() {
        let theirs = best(&|position| drop(std::hint::black_box(tables.probe_syzygy(position))));
        println!("Syzygy's: {theirs:.0} ns for result and zeroing");
    }
}
