use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::json;
use tabiya_db::{Database, Importer, Reached};

use super::{Folder, print_json};
use crate::print::{count, grouped};

pub(super) fn info(folder: &Folder, as_json: bool) -> anyhow::Result<()> {
    let info = folder.open()?.info();
    if as_json {
        return print_json(&info);
    }
    println!("{} in {}", count(info.games, "game"), count(info.files as u64, "file"));
    if let Some(databases) = info.databases {
        println!(
            "{} asked as one, {} over several of them",
            count(databases as u64, "database"),
            if info.layers == 1 {
                "an index".to_owned()
            } else {
                format!("{} indexes", info.layers)
            }
        );
    }
    let [white, draws, black, other] = info.results;
    println!(
        "White wins {}, draws {}, Black wins {}, without result {}",
        grouped(white),
        grouped(draws),
        grouped(black),
        grouped(other)
    );
    if let Some((first, last)) = &info.days {
        println!("played from {first} to {last}");
    }
    println!(
        "{} in {}, {} of them in a single game",
        count(info.positions, "position"),
        if info.indexes == 1 { "an index".to_owned() } else { format!("{} indexes", info.indexes) },
        grouped(info.single)
    );
    let each = |bytes: u64| bytes as f64 / info.games.max(1) as f64;
    println!(
        "games {} bytes, {:.1} each; index {} bytes, {:.1} each",
        grouped(info.game_bytes),
        each(info.game_bytes),
        grouped(info.index_bytes),
        each(info.index_bytes)
    );
    if info.pending > 0 {
        println!(
            "{} of an import that was cut off: import again to go on",
            count(info.pending, "game")
        );
    }
    Ok(())
}

/// With one database, makes as few indexes as there can be. With others, adds their games first, duplicates
/// left out.
#[derive(clap::Args)]
pub(super) struct MergeArgs {
    #[command(flatten)]
    folder: Folder,

    /// Databases whose games are added.
    others: Vec<PathBuf>,
}

pub(super) fn merge(args: &MergeArgs, as_json: bool) -> anyhow::Result<()> {
    let folder = &args.folder.database;
    // A typing error is no reason to make an empty database.
    args.folder.open()?;
    let mut importer = Importer::open(folder, super::waits(folder))?;
    for other in &args.others {
        let name = std::fs::canonicalize(other).unwrap_or_else(|_| other.clone());
        let name = name.to_string_lossy();
        importer.source(&name, None, None);
        let database = Database::open(other)?;
        let mut games = 0;
        database.each(|game| {
            games += 1;
            importer.add(game).map(|_| ())
        })?;
        importer.mark(&name, Reached { games, ..Reached::default() }, true)?;
    }
    let imported = importer.finish()?;
    let (before, after) = Importer::open(folder, super::waits(folder))?.merge()?;
    if as_json {
        return print_json(&json!({
            "added": imported.added,
            "duplicates": imported.duplicates,
            "indexes_before": before,
            "indexes": after,
        }));
    }
    if !args.others.is_empty() {
        println!(
            "{} added, {} left out as duplicates",
            count(imported.added, "game"),
            grouped(imported.duplicates)
        );
    }
    println!("{before} → {after} {}", if after == 1 { "index" } else { "indexes" });
    Ok(())
}

/// A collection is a folder with a list of databases. Whatever is asked of a database can be asked of it; games have the
/// numbers that follow from the order of the databases, and one that is in two of them counts twice.
#[derive(clap::Args)]
pub(super) struct CollectArgs {
    /// The folder of the collection, which is made if it is not there.
    collection: PathBuf,

    /// Databases that belong to it, besides those that do already.
    #[arg(value_name = "DATABASE", required = true)]
    databases: Vec<PathBuf>,
}

pub(super) fn collect(args: &CollectArgs, as_json: bool) -> anyhow::Result<()> {
    let folder = &args.collection;
    let databases = tabiya_db::collect(folder, &args.databases, super::waits(folder))?;
    let games = Database::open(folder)?.games();
    if as_json {
        return print_json(&json!({ "databases": databases, "games": games }));
    }
    println!("{} in {}", count(games, "game"), count(databases as u64, "database"));
    Ok(())
}

/// The page Explorer of tabiya serve, with these databases to choose from; that command knows more options.
#[derive(clap::Args)]
pub(super) struct ServeArgs {
    /// Databases or collections.
    #[arg(value_name = "DATABASE", required = true)]
    databases: Vec<PathBuf>,

    /// Where to listen; port 0 is any that is free.
    #[arg(long, default_value = "127.0.0.1:8064", value_name = "ADDRESS:PORT")]
    addr: SocketAddr,

    /// The folder in which games that are played are kept.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
}

pub(super) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    // What cannot be shown is told before anything is opened.
    for database in &args.databases {
        Database::open(database)?;
    }
    let (databases, data) = (args.databases.clone(), args.data.clone());
    let serve = crate::serve::Args::showing(databases, args.addr, data, args.no_open);
    crate::serve::run_explorer(&serve)
}

/// Checksums, and every game is played. What is wrong is told, a line each, and the program then ends with status 1.
#[derive(clap::Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    folder: Folder,

    /// Make the index anew as well, and compare.
    #[arg(long)]
    rebuild: bool,
}

pub(super) fn check(args: &CheckArgs, as_json: bool) -> anyhow::Result<()> {
    let database = args.folder.open()?;
    let wrong = database.check(args.rebuild, |_| ())?;
    if as_json {
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        print_json(&json!({ "games": database.games(), "wrong": wrong }))?;
    } else {
        wrong.iter().for_each(|wrong| println!("{wrong}"));
    }
    match wrong.len() {
        0 if as_json => Ok(()),
        0 => {
            println!("{}: all is sound", count(database.games(), "game"));
            Ok(())
        }
        count => anyhow::bail!("{count} things are wrong"),
    }
}
