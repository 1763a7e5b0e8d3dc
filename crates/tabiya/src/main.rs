//! The one program: command line and wiring, nothing else.

#[macro_use]
mod print;

mod analyse;
mod bench;
mod config;
mod data;
mod datagen;
mod db;
mod endings;
mod engines;
mod games;
mod interrupt;
mod learn;
mod manual;
mod matches;
mod openings;
mod perft;
mod pgn;
mod play;
mod puzzle;
mod puzzles;
mod queue;
mod review;
mod search;
mod serve;
mod show;
mod solve;
mod tables;
mod terminal;

use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::{ContextKind, ContextValue, ErrorKind};
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
    /// List, show, export, import, delete, back up and check kept games.
    Games(games::Args),
    /// Play or solve the bishop-and-king game, on boards from 3×3 to 26×26.
    Puzzle(puzzle::Args),
    /// Draw a position and explain it.
    Show(show::Args),
    /// Count the ways to play a number of plies.
    Perft(perft::Args),
    /// Check, cut and count files of games (PGN).
    Pgn(pgn::Args),
    /// Millions of games: import, explore, find.
    Db(Box<db::Args>),
    Review(review::Args),
    Analyse(analyse::Args),
    Worker(analyse::worker::Args),
    Queue(queue::Args),
    Learn(learn::Args),
    Endings(endings::Args),
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
    Tables(tables::Args),
    /// Find positions to solve, in games of the engine.
    Puzzles(puzzles::Args),
    /// Show and make settings: theme, level, engine, database, sounds.
    Config(config::Args),
    /// Teach a shell the commands.
    Completions(manual::CompletionsArgs),
    /// Write manual pages.
    Man(manual::ManArgs),
}

impl Command {
    /// Whether it sees to Control-C itself: it has something to put away.
    fn hears_interruptions(&self) -> bool {
        match self {
            Command::Serve(_) | Command::Play(_) | Command::Review(_) => true,
            Command::Analyse(_) | Command::Worker(_) => true,
            Command::Tables(_) | Command::Uci => true,
            Command::Puzzle(args) => args.takes_the_screen(),
            Command::Games(args) => args.takes_the_screen(),
            Command::Learn(args) => args.looks(),
            Command::Db(args) => args.serves(),
            _ => false,
        }
    }
}

fn main() -> ExitCode {
    refuse_instead_of_ending();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return usage(&error),
        Err(help) => return show_help(&help),
    };
    let command = cli.command.unwrap_or_else(|| Command::Serve(serve::Args::default()));
    if !command.hears_interruptions() {
        interrupt::listen();
    }
    let result = match command {
        Command::Serve(args) => serve::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Puzzle(args) => puzzle::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Pgn(args) => pgn::run(&args),
        Command::Db(args) => db::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Worker(args) => analyse::worker::run(&args),
        Command::Queue(args) => queue::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::Endings(args) => endings::run(&args),
        Command::Uci => tabiya_uci::run().map_err(Into::into),
        Command::Match(args) => matches::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Data(args) => data::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`tabiya show | head`) is no failure of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabiya: {}", sentence(&error));
            ExitCode::FAILURE
        }
    }
}

/// Where files may not grow beyond a size (`ulimit -f`), the system ends a program that tries. With somebody who
/// listens, the write fails instead, and is refused in words.
fn refuse_instead_of_ending() {
    #[cfg(unix)]
    {
        let nobody_asks = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_asks);
    }
}

/// Prints help or version, in bold letters where there are any.
fn show_help(help: &clap::Error) -> ExitCode {
    let text = help.render();
    let text = match terminal::is_plain() || !std::io::stdout().is_terminal() {
        true => text.to_string(),
        false => text.ansi().to_string(),
    };
    println!("{}", text.trim_end());
    ExitCode::SUCCESS
}

/// Says in one sentence what is wrong with the command line, and what may have been meant. Whoever names a group
/// of commands and none of them is shown what there is.
fn usage(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        eprint!("{}", error.render());
        return ExitCode::from(2);
    }
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let sentence = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let meant = match meant(error).as_slice() {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(" or ")),
    };
    eprintln!("tabiya: {}{meant} (try --help)", sentence.trim_start_matches("error: "));
    ExitCode::from(2)
}

/// The commands, options and values that look like what was typed.
fn meant(error: &clap::Error) -> Vec<String> {
    [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .filter_map(|kind| error.get(kind))
        .flat_map(|context| match context {
            ContextValue::String(name) => vec![name.clone()],
            ContextValue::Strings(names) => names.clone(),
            _ => Vec::new(),
        })
        .collect()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>();
        kind.or_else(|| json?.io_error_kind()) == Some(broken)
    })
}

/// An error and its causes in one sentence. Some errors tell their cause themselves: nothing is said twice.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut sentence = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if sentence.is_empty() {
            sentence = cause;
        } else if !sentence.ends_with(&cause) {
            sentence += &format!(": {cause}");
        }
    }
    sentence
}

/// The position of a FEN given on the command line, as one argument or as several; the start of a
/// game if there is none.
fn position(words: &[String]) -> anyhow::Result<Position> {
    match words {
        [] => Ok(Position::initial()),
        words => Ok(Position::from_fen_prefix(&words.join(" "))?),
    }
}
