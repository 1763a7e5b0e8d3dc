use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use tabiya_chess::Game;
use tabiya_engine::{Engine, Limits, Settings, Timer};
use tabiya_lab::data::ScoredMove;
use tabiya_lab::{Suite, TestPosition, judge};

/// Has the engine solve positions that ask for something: a best move (bm), a move to avoid (am), a mate
/// in so many moves (dm), one position a line in the format EPD. Prints which were not solved, and how
/// many were.
///
/// Without a file it solves our own suites: mates in 2 to 5, tactics, traps. Each position is
/// begun with nothing in memory, so with --nodes or --depth the counts are the same on every machine.
///
/// The last line is for programs: "solved" and then so many of so many.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya solve
  tabiya solve --nodes 1000000
  tabiya solve tactics.epd --time 0.5 --hash 64")]
pub(crate) struct Args {
    /// Suites to solve; our own if there is none.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// How many positions to search for each problem [default: 100000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["time", "depth"])]
    nodes: Option<u64>,

    /// How many seconds to search each.
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "depth")]
    time: Option<Duration>,

    /// How many plies to search each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    depth: Option<u32>,

    /// The size of the transposition table, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

const NODES: u64 = 100_000;

/// Our own suites.
const OUR_SUITES: [(&str, &str); 6] = [
    ("mate in 2", include_str!("../data/mate_2.epd")),
    ("mate in 3", include_str!("../data/mate_3.epd")),
    ("mate in 4", include_str!("../data/mate_4.epd")),
    ("mate in 5", include_str!("../data/mate_5.epd")),
    ("tactics", include_str!("../data/tactics.epd")),
    ("traps", include_str!("../data/traps.epd")),
];

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "write it like 0.5".to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut suites = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        let text = fs::read_to_string(file).with_context(|| name.clone())?;
        suites.push((name.clone(), Suite::from_epd(&text).with_context(|| name.clone())?));
    }
    if suites.is_empty() {
        for (name, text) in OUR_SUITES {
            suites.push((name.to_owned(), Suite::from_epd(text).context(name)?));
        }
    }
    let hash_megabytes = args.hash as usize;
    let mut engine = Engine::new(Settings { hash_megabytes, ..Settings::default() });
    let mut out = crate::print::out();
    let (mut all_solved, mut all) = (0, 0);
    for (name, suite) in &suites {
        let mut solved = 0;
        for problem in suite.problems() {
            let game = Game::from_position(problem.position);
            let found = judge(&mut engine, &game, 1, &limits(args))?.first().copied();
            if found.is_some_and(|found| problem.is_solved_by(found.m, found.score)) {
                solved += 1;
            } else {
                writeln!(out, "{}", failure(problem, found))?;
            }
        }
        let problems = suite.problems().len();
        writeln!(out, "{name}: {solved} of {problems}")?;
        (all_solved, all) = (all_solved + solved, all + problems);
    }
    writeln!(out, "solved {all_solved} of {all}")?;
    Ok(())
}

fn limits(args: &Args) -> Limits {
    let nodes = args.nodes.or((args.time.is_none() && args.depth.is_none()).then_some(NODES));
    let timer = args.time.map(|_| Timer::start());
    Limits { nodes, depth: args.depth, movetime: args.time, timer, ..Limits::default() }
}

fn failure(problem: &TestPosition, found: Option<ScoredMove>) -> String {
    let TestPosition { name, position, .. } = problem;
    let found = match found {
        Some(found) => format!("{} ({})", position.san(found.m), found.score),
        None => "no move".to_owned(),
    };
    format!("  not solved: {name}: {problem} wanted, {found} found, {}", position.fen())
}
