//! The one program: command line and wiring, nothing else.

mod bench;
mod data;
mod datagen;
mod engines;
mod games;
mod matches;
mod openings;
mod perft;
mod pgn;
mod play;
mod puzzle;
mod puzzles;
mod review;
mod search;
mod serve;
mod show;
mod solve;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use tabiya_chess::Position;
use tabiya_engine::Network;

/// Chess: play, study, review, and let engines play.
///
/// Positions are given as FEN, for Chess960 too (castling as KQkq or by rook files). The last fields
/// may be left out: "4k3/8/8/8/8/8/8/4K3" is White to move, no castling.
#[derive(Parser)]
#[command(name = "tabiya", version, propagate_version = true, subcommand_value_name = "COMMAND")]
struct Cli {
    /// What to do; without a command Tabiya opens in the browser.
    #[command(subcommand)]
    command: Option<Command>,
}

/// Which network evaluates.
#[derive(clap::Args)]
pub(crate) struct NetworkArg {
    /// Evaluate with the network in this file; "by-hand" is without one.
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    network: String,
}

impl NetworkArg {
    pub(crate) fn load(&self) -> anyhow::Result<Option<Arc<Network>>> {
        Ok(tabiya_uci::network::named(&self.network)?)
    }
}

#[derive(Subcommand)]
enum Command {
    /// Play in the browser (so does tabiya without a command).
    Serve(serve::Args),
    /// Play a game in the terminal, or watch one.
    Play(Box<play::Args>),
    /// List, show, export, import and delete kept games.
    Games(games::Args),
    /// Play or solve the bishop-and-king game, on boards from 3×3 to 26×26.
    Puzzle(puzzle::Args),
    /// Draw a position and explain it.
    Show(show::Args),
    /// Count the ways to play a number of plies.
    Perft(perft::Args),
    /// Check, cut and count files of games (PGN).
    Pgn(pgn::Args),
    Review(review::Args),
    /// Speak UCI with a chess program (so does the program tabiya-uci).
    Uci,
    /// Let players play each other, and measure.
    Match(matches::Args),
    /// Make openings for matches.
    Openings(openings::Args),
    /// Search fixed positions: a signature of the engine, and its speed.
    Bench(bench::Args),
    /// Search a position with the methods of a textbook, or with the engine.
    Search(search::Args),
    Datagen(datagen::Args),
    Data(data::Args),
    /// Solve positions that ask for a move or a mate, and count.
    Solve(solve::Args),
    /// Find positions to solve, in games of the engine.
    Puzzles(puzzles::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return usage(&error),
        Err(help) => help.exit(),
    };
    let result = match cli.command.unwrap_or_else(|| Command::Serve(serve::Args::default())) {
        Command::Serve(args) => serve::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Puzzle(args) => puzzle::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Pgn(args) => pgn::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Uci => tabiya_uci::run().map_err(Into::into),
        Command::Match(args) => matches::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Data(args) => data::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
        Command::Openings(args) => openings::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`tabiya show | head`) is no failure of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabiya: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Says in one sentence what is wrong with the command line.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let sentence = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    eprintln!("tabiya: {} (try --help)", sentence.trim_start_matches("error: "));
    ExitCode::from(2)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The position of a FEN given on the command line, as one argument or as several; the start of a
/// game if there is none.
fn position(words: &[String]) -> anyhow::Result<Position> {
    match words {
        [] => Ok(Position::initial()),
        words => Ok(Position::from_fen_prefix(&words.join(" "))?),
    }
}
