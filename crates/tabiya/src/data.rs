use std::fs;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tabiya_base::write_atomically;
use tabiya_chess::Position;
use tabiya_lab::data::{DataSummary, RecordFilter, ScoredGame, games_of, write_games};

/// Look after the games of datagen: count, check, merge, make training records.
///
/// DATA is files that `tabiya datagen` has made, or folders with such files.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya data stats data/first
  tabiya data check data
  tabiya data merge --out data/all.games data/first data/second
  tabiya data export --out data/records data/all.games
  tabiya data evaluate --network network.nnue < positions.fen")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Count games, results, positions, and what can be learnt from.
    Stats {
        /// Files of games, or folders.
        #[arg(required = true, value_name = "DATA")]
        data: Vec<PathBuf>,
    },
    /// Read every game of every file and tell which files are damaged.
    Check {
        /// Files of games, or folders.
        #[arg(required = true, value_name = "DATA")]
        data: Vec<PathBuf>,
    },
    /// Put all games into one file, each once; what is damaged is left out.
    Merge {
        /// The file to make; it must not be there.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Files of games, or folders.
        #[arg(required = true, value_name = "DATA")]
        data: Vec<PathBuf>,
    },
    /// Write the positions to learn from as records of 32 bytes: train.records, and held-out.records with those
    /// of every hundredth game. The layout is told by `cargo doc`, tabiya_lab::data::Record.
    Export {
        /// The folder to write the two files to; made if it is not there.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Leave out positions before this ply.
        #[arg(long, value_name = "PLY", default_value_t = RecordFilter::default().first_ply)]
        first_ply: usize,
        /// Leave out positions with larger scores, in centipawns.
        #[arg(long, value_name = "N", default_value_t = RecordFilter::default().max_score)]
        max_score: i32,
        /// Files of games, or folders.
        #[arg(required = true, value_name = "DATA")]
        data: Vec<PathBuf>,
    },
    /// Read FENs from standard input, one a line, and print the network's evaluation of each for the side to
    /// move, in centipawns.
    Evaluate {
        /// The file of the network.
        #[arg(long, value_name = "FILE")]
        network: PathBuf,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Stats { data } => stats(data),
        Command::Check { data } => check(data),
        Command::Merge { out, data } => merge(out, data),
        Command::Export { out, first_ply, max_score, data } => {
            export(out, RecordFilter { first_ply: *first_ply, max_score: *max_score }, data)
        }
        Command::Evaluate { network } => evaluate(network),
    }
}

/// The files of games that are named, or are in folders that are named, in order.
pub(crate) fn game_files(data: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in data {
        let context = || path.display().to_string();
        if !path.is_dir() {
            anyhow::ensure!(path.exists(), "{}: there is no such file or folder", path.display());
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path).with_context(context)? {
            let file = entry.with_context(context)?.path();
            if file.extension().is_some_and(|extension| extension == "games") {
                found.push(file);
            }
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Every game of every file; a file that is damaged is complained about, and what is before is used.
fn each_game(
    data: &[PathBuf],
    mut visit: impl FnMut(ScoredGame) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    let mut complaints = 0;
    for path in game_files(data)? {
        for game in games_of(&path)? {
            match game {
                Ok(game) => visit(game)?,
                Err(error) => {
                    complaints += 1;
                    eprintln!("tabiya: {error}");
                }
            }
        }
    }
    Ok(complaints)
}

fn stats(data: &[PathBuf]) -> anyhow::Result<()> {
    let mut summary = DataSummary::new(RecordFilter::default());
    each_game(data, |game| {
        summary.add(&game);
        Ok(())
    })?;
    let mut out = io::stdout().lock();
    for path in game_files(data)? {
        let size = fs::metadata(&path).with_context(|| path.display().to_string())?.len();
        writeln!(out, "file       {}: {size} bytes, {}", path.display(), games_of(&path)?.maker())?;
    }
    Ok(write!(out, "{summary}")?)
}

fn check(data: &[PathBuf]) -> anyhow::Result<()> {
    let mut games = 0_u64;
    let complaints = each_game(data, |_| {
        games += 1;
        Ok(())
    })?;
    anyhow::ensure!(complaints == 0, "{complaints} of the files are damaged");
    println!("{games} games, all sound");
    Ok(())
}

fn merge(out: &Path, data: &[PathBuf]) -> anyhow::Result<()> {
    anyhow::ensure!(!out.exists(), "{}: the file is there already", out.display());
    let files = game_files(data)?;
    let mut summary = DataSummary::new(RecordFilter::default());
    write_games(out, &makers(&files)?, |add| {
        let written = each_game(data, |game| {
            if summary.add(&game) {
                add(&game)?;
            }
            Ok(())
        });
        written.map(drop).map_err(io::Error::other)
    })
    .with_context(|| out.display().to_string())?;
    println!(
        "{} games in {}, {} repeated left out",
        summary.games,
        out.display(),
        summary.repeated
    );
    Ok(())
}

/// How the games of files were made, each way once.
fn makers(files: &[PathBuf]) -> anyhow::Result<String> {
    let mut makers = Vec::new();
    for path in files {
        let maker = games_of(path)?.maker().to_owned();
        if !makers.contains(&maker) {
            makers.push(maker);
        }
    }
    Ok(makers.join("; "))
}

fn export(out: &Path, filter: RecordFilter, data: &[PathBuf]) -> anyhow::Result<()> {
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let (train, held_out) = (out.join("train.records"), out.join("held-out.records"));
    let (mut trained, mut held) = (0_u64, 0_u64);
    write_atomically(&train, |train| {
        write_atomically(&held_out, |held_out| {
            let written = each_game(data, |game| {
                let (file, records): (&mut dyn Write, _) = match game.is_held_out() {
                    true => (&mut *held_out, &mut held),
                    false => (&mut *train, &mut trained),
                };
                for record in filter.records(&game) {
                    file.write_all(&record.to_bytes())?;
                    *records += 1;
                }
                Ok(())
            });
            written.map(drop).map_err(io::Error::other)
        })
    })
    .with_context(|| out.display().to_string())?;
    println!("{trained} records in {}", train.display());
    println!("{held} records in {}", held_out.display());
    Ok(())
}

fn evaluate(path: &Path) -> anyhow::Result<()> {
    let network = tabiya_uci::network::read(path)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let position = Position::from_fen_prefix(line?.trim());
        let position = position.with_context(|| format!("line {}", index + 1))?;
        writeln!(out, "{}", network.evaluate(&position))?;
    }
    Ok(out.flush()?)
}
