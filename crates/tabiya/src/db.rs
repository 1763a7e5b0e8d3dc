//! Millions of games: import, explore, find.

mod explore;
mod filter;
mod find;
mod games;
mod import;
mod manage;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;
use tabiya_chess::Position;
use tabiya_db::Database;

/// A database is a folder: Parquet files with a row for each game, which other programs can read, and an index of
/// every position.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  tabiya db import games.tdb *.pgn lichess.pgn.zst
  tabiya db explore games.tdb
  tabiya db explore games.tdb e4 c5 Nf3 --elo 2500- --since 2020
  tabiya db explore games.tdb --player Carlsen --color white
  tabiya db find games.tdb --material KRPvKR --lasting 20
  tabiya db find games.tdb --pattern '*/*/*/*/*/*/PPP*/1K1R*' --player Tal
  tabiya db games list games.tdb --event Candidates --result 1-0
  tabiya db games export games.tdb --player Tal > tal.pgn
  tabiya db collect all.tdc january.tdb february.tdb
  tabiya db serve all.tdc"
)]
pub(crate) struct Args {
    /// Answer as JSON.
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Add the games of PGN files.
    Import(import::Args),
    /// Tell what a database has.
    Info(Folder),
    /// Show what was played in a position, and how it went.
    Explore(explore::Args),
    /// Find games by positions, patterns, material, players and so on.
    Find(Box<find::Args>),
    /// List, show and export games.
    Games(Box<games::Args>),
    /// Add the games of other databases, and make one index of several.
    Merge(manage::MergeArgs),
    /// Make several databases one to ask, and leave them where they are.
    Collect(manage::CollectArgs),
    /// Show databases in the browser.
    Serve(manage::ServeArgs),
    /// Check that all is sound.
    Check(manage::CheckArgs),
}

impl Args {
    /// Whether it goes on until somebody ends it.
    pub(crate) fn serves(&self) -> bool {
        matches!(self.command, Command::Serve(_))
    }
}

/// A database.
#[derive(clap::Args)]
struct Folder {
    /// The folder of the database.
    #[arg(value_name = "DATABASE")]
    database: PathBuf,
}

impl Folder {
    fn open(&self) -> anyhow::Result<Database> {
        Ok(Database::open(&self.database)?)
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let json = args.json;
    match &args.command {
        Command::Import(args) => import::run(args, json),
        Command::Info(folder) => manage::info(folder, json),
        Command::Explore(args) => explore::run(args, json),
        Command::Find(args) => find::run(args, json),
        Command::Games(args) => games::run(args, json),
        Command::Merge(args) => manage::merge(args, json),
        Command::Collect(args) => manage::collect(args, json),
        Command::Serve(args) => manage::serve(args),
        Command::Check(args) => manage::check(args, json),
    }
}

fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(value)?)?)
}

/// A FEN, or moves from the start.
fn position(words: &[String]) -> anyhow::Result<Position> {
    if words.iter().any(|word| word.contains('/')) {
        return crate::position(words);
    }
    let mut here = Position::initial();
    let text = words.join(" ");
    let moves = text
        .split([' ', '.'])
        .filter(|word| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit()));
    for word in moves {
        let m = here.parse_move(word).with_context(|| word.to_owned())?;
        here = here.play(m)?;
    }
    Ok(here)
}

/// Says that a database is waited for.
fn waits(folder: &Path) -> impl FnOnce() + '_ {
    move || eprintln!("{} is being changed by another program: waiting", folder.display())
}
