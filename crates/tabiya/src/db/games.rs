use std::io::{BufWriter, Write as _};

use serde_json::json;
use tabiya_db::{Database, Query};

use super::Folder;
use super::filter::FilterArgs;
use super::find::row;
use crate::print::count;

/// The games of a database.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List games, in the order of their numbers.
    List {
        #[command(flatten)]
        folder: Folder,
        /// Show so many.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Pass over so many.
        #[arg(long, value_name = "N", default_value_t = 0)]
        skip: usize,
        #[command(flatten)]
        filter: FilterArgs,
    },
    /// Show a game as a record.
    Show {
        #[command(flatten)]
        folder: Folder,
        /// Its number.
        number: u64,
    },
    /// Write games as PGN: those of the numbers given, or all that are wanted.
    Export {
        #[command(flatten)]
        folder: Folder,
        /// Their numbers.
        numbers: Vec<u64>,
        #[command(flatten)]
        filter: FilterArgs,
    },
}

pub(super) fn run(args: &Args, as_json: bool) -> anyhow::Result<()> {
    match &args.command {
        Command::List { folder, limit, skip, filter } => {
            let database = folder.open()?;
            let found = wanted(&database, filter)?;
            let heads = found.iter().skip(*skip).take(*limit).map(|&game| database.head(game));
            let heads = heads.collect::<Result<Vec<_>, _>>()?;
            if as_json {
                return super::print_json(&json!({ "found": found.len(), "games": heads }));
            }
            println!(
                "{} of {}",
                count(found.len() as u64, "game"),
                count(database.games(), "game")
            );
            heads.iter().for_each(|head| println!("{}", row(head)));
            Ok(())
        }
        Command::Show { folder, number } => {
            let database = folder.open()?;
            let text = database.game(*number)?.pgn();
            if as_json {
                return super::print_json(
                    &json!({ "head": database.head(*number)?, "record": text }),
                );
            }
            Ok(writeln!(std::io::stdout().lock(), "{}", text.trim_end())?)
        }
        Command::Export { folder, numbers, filter } => {
            let database = folder.open()?;
            let mut wanted = match numbers.is_empty() {
                true => wanted(&database, filter)?,
                false => numbers.clone(),
            };
            wanted.sort_unstable();
            wanted.dedup();
            let mut out = BufWriter::with_capacity(1 << 18, std::io::stdout().lock());
            let mut records = Vec::new();
            for numbers in wanted.chunks(4096) {
                for game in database.records(numbers)? {
                    match as_json {
                        true => records.push(game.pgn()),
                        false => writeln!(out, "{}", game.pgn())?,
                    }
                }
            }
            out.flush()?;
            drop(out);
            if as_json { super::print_json(&records) } else { Ok(()) }
        }
    }
}

fn wanted(database: &Database, filter: &FilterArgs) -> anyhow::Result<Vec<u64>> {
    let query = Query { filter: filter.filter(), ..Query::default() };
    Ok(database.find(&query)?.into_iter().map(|hit| hit.game).collect())
}
