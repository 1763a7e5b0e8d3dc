use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context;
use tabiya_base::write_atomically;
use tabiya_engine::{Engine, Settings};
use tabiya_lab::OpeningMaker;

/// Makes openings for matches with our own engine: moves that are almost the best, one of them at
/// random each time, as long as White comes out a little better. Positions are different from each other, and
/// not in check. The same seed makes the same openings with the same version of the engine.
///
/// The openings that `tabiya match` uses by itself were made like this: see docs/openings.md.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya openings --count 20
  tabiya openings --count 500 --plies 8..=12 --seed 7 --out mine.epd
  tabiya openings --count 100 --advantage -20..=20 --margins 30,30    level ones
  tabiya match --engine tabiya --engine alphabeta:3 --openings mine.epd")]
pub(crate) struct Args {
    /// How many openings to make.
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,

    /// How many plies each has.
    #[arg(long, value_name = "FROM..=TO", default_value = "6..=10", value_parser = range::<usize>)]
    plies: RangeInclusive<usize>,

    /// By how much White is to be better, in hundredths of a pawn.
    #[arg(long, value_name = "FROM..=TO", default_value = "60..=130", value_parser = range::<i32>, allow_hyphen_values = true)]
    advantage: RangeInclusive<i32>,

    /// By how much a move of White and of Black may be worse than the best, in hundredths of a pawn.
    #[arg(long, value_name = "WHITE,BLACK", default_value = "30,45", value_parser = margins)]
    margins: [i32; 2],

    /// How many positions to search before an opening is accepted; a tenth of them decides whether it
    /// is worth the time.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    nodes: u64,

    /// For other openings.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,

    /// Write them to a file when all are made; without it, each is printed as it is found.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn range<T: std::str::FromStr + PartialOrd>(text: &str) -> Result<RangeInclusive<T>, String> {
    let (from, to) =
        text.split_once("..=").or_else(|| text.split_once("..")).unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => Err("write it like 6..=10, the smaller number first".to_owned()),
    }
}

fn margins(text: &str) -> Result<[i32; 2], String> {
    let numbers: Vec<i32> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
    <[i32; 2]>::try_from(numbers).map_err(|_| "write it like 30,45".to_owned())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let maker = OpeningMaker {
        plies: args.plies.clone(),
        advantage: args.advantage.clone(),
        margins: args.margins,
        nodes: [args.nodes / 10, args.nodes],
        seed: args.seed,
        ..OpeningMaker::default()
    };
    let mut engine = Engine::new(Settings { hash_megabytes: 4, ..Settings::default() });
    let mut number = 0;
    let mut failed = None;
    let made = maker.make(args.count, &mut engine, |opening, tried| {
        number += 1;
        if args.out.is_some() {
            eprint!("\r{number} of {} openings from {tried} lines of play", args.count);
        } else if let Err(error) = writeln!(std::io::stdout().lock(), "{opening}") {
            failed.get_or_insert(error);
        }
    });
    if args.out.is_some() {
        eprintln!();
    }
    if let Some(error) = failed {
        return Err(error.into());
    }
    let made = made?;
    if let Some(path) = &args.out {
        let write =
            |file: &mut dyn Write| made.iter().try_for_each(|line| writeln!(file, "{line}"));
        write_atomically(path, write).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
