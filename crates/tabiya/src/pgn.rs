//! Files of games: check them, cut games out of them, sort, split and convert them, count what is in them.

mod check;
mod convert;
mod cut;
mod cutter;
mod dedupe;
mod form;
pub(crate) mod mill;
mod names;
mod output;
mod results;
mod select;
mod sort;
mod split;
mod spool;
mod stats;

/// Files may be of any size, and packed (.gz, .zst, .bz2): they are read piece by piece. Give - for standard
/// input. A bad game is reported with file, line and column, and the next one is read.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  tabiya pgn check games.pgn
  tabiya pgn check lichess.pgn.zst
  tabiya pgn cut --player Carlsen --result 1-0 --out wins.pgn twic*.pgn
  tabiya pgn cut --games 10-20 games.pgn
  tabiya pgn sort --by date,white games.pgn --out sorted.pgn
  tabiya pgn dedupe a.pgn b.pgn --out all.pgn
  tabiya pgn convert --format csv games.pgn > games.csv
  tabiya pgn stats games.pgn"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Check that every game can be read and every move is legal.
    Check(check::Args),
    /// Write the games that have what is asked for.
    Cut(Box<cut::Args>),
    /// Write all games in another form or format.
    Convert(Box<convert::Args>),
    /// Write games in another order.
    Sort(Box<sort::Args>),
    /// Write games into several files.
    Split(Box<split::Args>),
    /// Write each game once.
    Dedupe(Box<dedupe::Args>),
    /// Count games, moves, results, years and openings.
    Stats(stats::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Cut(args) => cut::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Sort(args) => sort::run(args),
        Command::Split(args) => split::run(args),
        Command::Dedupe(args) => dedupe::run(args),
        Command::Stats(args) => stats::run(args),
    }
}

pub(crate) use select::{range, result};
