//! How long a look-up takes, in tables that are in memory: `cargo bench -p tabiya-tables --bench probe -- FOLDER`.
//!
//! Positions are drawn from all tables of the folder alike, with either side to move, and looked up in random order: the worst
//! there is. Then those that a search meets: what a few of them lead to within two moves of one side each. `--once` looks up the
//! near ones once and says nothing, for those who count instructions.

use std::path::PathBuf;
use std::time::Instant;

use tabiya_base::Random;
use tabiya_chess::{Color, Position};
use tabiya_tables::Tables;

const POSITIONS: usize = 100_000;
const ROUNDS: usize = 5;

/// What is done with a position.
type Work<'a> = &'a dyn Fn(&Position);

/// Nanoseconds for each position.
fn time(positions: &[Position], work: Work<'_>) -> f64 {
    let start = Instant::now();
    positions.iter().for_each(work);
    start.elapsed().as_nanos() as f64 / positions.len() as f64
}

fn after(position: &Position) -> impl Iterator<Item = Position> + use<> {
    let position = *position;
    let moves: Vec<_> = position.legal_moves().iter().copied().collect();
    moves.into_iter().map(move |m| {
        let mut next = position;
        next.play_unchecked(m);
        next
    })
}

fn main() {
    // Cargo adds words of its own.
    let words: Vec<_> = std::env::args_os().skip(1).filter(|word| word != "--bench").collect();
    let once = words.iter().any(|word| word == "--once");
    let folders = || words.iter().filter(|word| *word != "--once").map(PathBuf::from);
    let tables = Tables::open(folders());
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
    let mut near: Vec<Position> = Vec::new();
    for position in &positions {
        near.extend(after(position).flat_map(|next| after(&next)));
        if near.len() >= POSITIONS {
            near.truncate(POSITIONS);
            break;
        }
    }
    let result = |position: &Position| drop(std::hint::black_box(tables.fate(position)));
    let search = |position: &Position| drop(std::hint::black_box(tables.fate_and_mate(position)));
    let all = |position: &Position| drop(std::hint::black_box(tables.probe(position)));
    if once {
        near.iter().for_each(search);
        return;
    }
    println!("{} tables, nanoseconds for each of {POSITIONS} positions", own.len());
    let first = Tables::open(folders());
    let cold = time(&positions, &|position| drop(std::hint::black_box(first.probe(position))));
    println!("{:32} {cold:8.0}", "all three, tables just opened");
    let best = |positions: &[Position], work: Work<'_>| {
        (0..ROUNDS).map(|_| time(positions, work)).fold(f64::INFINITY, f64::min)
    };
    let works: [(&str, Work<'_>); 3] = [
        ("result", &result),
        ("result and mate (search)", &search),
        ("result, mate and zeroing", &all),
    ];
    for (name, work) in works {
        let [random, near] = [&positions, &near].map(|positions| best(positions, work));
        println!("{name:32} {random:8.0} at random {near:8.0} as in a search");
    }
    if !tables.syzygy().is_empty() {
        let theirs = best(&positions, &|position| {
            drop(std::hint::black_box(tables.probe_syzygy(position)));
        });
        println!("{:32} {theirs:8.0} at random", "Syzygy's: result and zeroing");
    }
}
