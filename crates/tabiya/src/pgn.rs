//! Files of games: check them, cut games out of them, count what is in them.

mod check;
mod cut;
mod stats;

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use tabiya_pgn::{ReadError, Reader, Visitor};

/// Files may be of any size: they are read piece by piece. Give - for standard input. A bad game is
/// reported with file, line and column, and the next one is read.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn check games.pgn
  zcat lichess.pgn.gz | tabiya pgn check -
  tabiya pgn cut --player Carlsen --result 1-0 --out wins.pgn twic*.pgn
  tabiya pgn cut --games 10-20 games.pgn
  tabiya pgn stats games.pgn")]
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
    /// Count games, moves, results, years and openings.
    Stats(stats::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Cut(args) => cut::run(args),
        Command::Stats(args) => stats::run(args),
    }
}

/// What happens to each game of a file.
trait Desk: Visitor {
    /// The game that the visitor has just seen is good.
    fn good(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    /// A game is bad, for the reason in the line.
    fn bad(&mut self, line: &str) -> anyhow::Result<()>;

    /// Whether nothing that follows can matter.
    fn is_done(&self) -> bool {
        false
    }
}

/// Reads all files one after the other, with a bar on the terminal.
fn read_all(files: &[String], desk: &mut impl Desk) -> anyhow::Result<()> {
    for file in files {
        let (source, size): (Box<dyn Read>, _) = if file == "-" {
            (Box::new(io::stdin()), None)
        } else {
            let source = File::open(file).with_context(|| format!("cannot open {file}"))?;
            let size = source.metadata().ok().filter(|data| data.is_file()).map(|data| data.len());
            (Box::new(source), size)
        };
        read_one(file, source, size, desk)?;
    }
    Ok(())
}

fn read_one(
    name: &str,
    source: impl Read,
    size: Option<u64>,
    desk: &mut impl Desk,
) -> anyhow::Result<()> {
    /// Drawing costs more than reading a game, so it is asked for once in so many.
    const GAMES_A_STEP: u64 = 1024;

    let bar = bar(name, size);
    let mut reader = Reader::new(source);
    while !desk.is_done() {
        match reader.visit(desk) {
            Ok(true) => desk.good()?,
            Ok(false) => break,
            Err(ReadError::BadGame(bad)) => {
                let line = format!("{name}:{bad}");
                bar.suspend(|| desk.bad(&line))?;
            }
            Err(ReadError::Io(error)) => {
                return Err(error).with_context(|| format!("cannot read {name}"));
            }
        }
        if reader.games_read().is_multiple_of(GAMES_A_STEP) {
            bar.set_position(reader.bytes());
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// A bar on standard error if that is a terminal and there is something to wait for.
fn bar(name: &str, size: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let short = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (bar, template) = match size {
        Some(size) => (
            ProgressBar::new(size),
            "{msg} {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::no_length(), "{msg} {spinner} {bytes}, {bytes_per_sec}"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.with_message(short)
}

/// `1 game`, `1,234 games`.
fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// A number in groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
