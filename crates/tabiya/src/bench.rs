use std::io::Write;

use tabiya_engine::{BENCH_DEPTH, Stop};

use crate::NetworkArg;

/// Searches fixed positions to a fixed depth with one thread. The last line on standard output,
/// "Bench: N", is the number of nodes: the same for every build of the same source.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya bench
  tabiya bench 8
  tabiya bench --network by-hand")]
pub(crate) struct Args {
    /// How deep to search.
    #[arg(default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    #[command(flatten)]
    network: NetworkArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let network = args.network.load()?;
    let bench = tabiya_engine::bench(args.depth, network, &Stop::default(), |number, nodes| {
        eprintln!("position {number:>2}: {nodes} nodes");
    });
    let mut out = std::io::stdout().lock();
    let seconds = bench.time.as_secs_f64();
    writeln!(out, "{seconds:.2} s, {:.0} nodes/s", bench.nodes_per_second())?;
    writeln!(out, "Bench: {}", bench.nodes)?;
    Ok(())
}
