//! Prints the signature of the engine, as `tabiya bench DEPTH` does, without the command line around it:
//! `scripts/signatures` builds it in several ways.

use tabiya_engine::{BENCH_DEPTH, Network, Stop, bench};

fn main() {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok());
    let depth = depth.unwrap_or(BENCH_DEPTH);
    let network = Some(Network::built_in());
    println!("Bench: {}", bench(depth, network, &Stop::default(), |_, _| {}).nodes);
}
