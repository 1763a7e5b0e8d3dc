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
