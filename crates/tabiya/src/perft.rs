use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use tabiya_chess::{Perft, perft, uses_pext};

/// The result is on standard output, its last line "Nodes searched: N"; time and speed are on standard
/// error.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya perft 6
  tabiya perft 5 --divide --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  tabiya perft 9 --threads 8 --hash 4096")]
pub(crate) struct Args {
    /// How many plies to play.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=99))]
    depth: u32,

    /// The position to count from; the start of a game if not given.
    #[arg(long, value_name = "FEN", num_args = 1..=6)]
    fen: Vec<String>,

    /// Print the count below each move.
    #[arg(long)]
    divide: bool,

    /// Share the work among so many threads.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,

    /// Remember positions in a table of so many megabytes.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    hash: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let position = crate::position(&args.fen)?;
    let mut out = std::io::stdout().lock();
    let clock = Instant::now();
    let counter = Perft { threads: args.threads, hash_megabytes: args.hash };
    let nodes = if args.divide {
        let mut nodes = 0;
        for (m, below) in counter.divide(&position, args.depth) {
            writeln!(out, "{}: {below}", position.uci(m))?;
            nodes += below;
        }
        if args.depth == 0 { 1 } else { nodes }
    } else if counter == Perft::default() {
        perft(&position, args.depth)
    } else {
        counter.count(&position, args.depth)
    };
    let seconds = clock.elapsed().as_secs_f64();
    writeln!(out, "Nodes searched: {nodes}")?;
    out.flush()?;
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    let sliders = if uses_pext() { "PEXT" } else { "magic numbers" };
    eprintln!("{seconds:.3} s, {speed:.0} million nodes/s (sliders by {sliders})");
    Ok(())
}
