use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use tabiya_base::random_seed;
use tabiya_play::{GameSetup, Past, Player, SessionDeps, Start};
use tabiya_puzzle::{
    Board, BoardFileError, Disk, Files, Level, Position, Recipe, SaveError, Side, Size, Solver,
    Status, Streams, Verdict, converse,
};
use tabiya_store::Store;

use crate::play::{self, Look};

/// Chess with bishops and kings only: each side has one king and any number of bishops. You play White
/// and type moves like b5c4 or a1z26; the computer plays Black. QUIT instead of a move saves the game to a
/// file.
///
/// A file has three lines: the size, White's pieces and Black's pieces.
///
///   5
///   Bb5, Kc5, Be4, Bd1
///   Kb3, Bc3, Be3
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    subcommand_value_name = "COMMAND",
    after_help = "Examples:
  tabiya puzzle                                   asks for a file
  tabiya puzzle board.txt                         plays from that file
  tabiya puzzle board.txt --level 2               against a weaker computer
  tabiya puzzle board.txt --tui                   on a whole screen
  tabiya puzzle solve board.txt --moves 4         the shortest mate
  tabiya puzzle new --size 8 --white-bishops 4 --black-bishops 3 --mate 2 > new.txt"
)]
pub(crate) struct Args {
    /// The file to start from; asked for if not given. (A file named like a command: ./solve)
    file: Option<String>,

    /// How well the computer plays, from 0 (any move) to 6 (its best).
    #[arg(long, default_value = "6", value_name = "0-6")]
    level: Level,

    /// Make the weaker levels play the same game again.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Play on a whole screen instead; without a file, on a new 8×8 board.
    #[arg(long)]
    tui: bool,

    #[command(flatten)]
    look: Look,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Find the shortest mate, or prove that there is none.
    Solve(SolveArgs),
    /// Make a position and print it as a file.
    New(NewArgs),
}

/// Every defence is tried, so the answer is certain; large boards and long mates take their time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya puzzle solve board.txt
  tabiya puzzle solve board.txt --side black --moves 2")]
struct SolveArgs {
    /// The position.
    file: PathBuf,

    /// The side that moves first, and mates.
    #[arg(long, value_enum, default_value = "white")]
    side: SideName,

    /// The longest mate to look for, in moves of that side.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    moves: u32,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum SideName {
    White,
    Black,
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Side {
        match name {
            SideName::White => Side::White,
            SideName::Black => Side::Black,
        }
    }
}

/// White moves first. With --mate, White mates in exactly so many moves, with one first move only if such
/// a position turns up; without, the sides are about even.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya puzzle new --size 8 --white-bishops 4 --black-bishops 4
  tabiya puzzle new --size 5 --white-bishops 3 --black-bishops 1 --mate 2 --seed 7")]
struct NewArgs {
    /// Rows and columns, 3 to 26.
    #[arg(long, value_name = "S", value_parser = parse_size)]
    size: Size,

    /// Bishops of White.
    #[arg(long, value_name = "A")]
    white_bishops: usize,

    /// Bishops of Black.
    #[arg(long, value_name = "B")]
    black_bishops: usize,

    /// In how many moves White mates.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9))]
    mate: Option<u32>,

    /// Make the same position again.
    #[arg(long, value_name = "K")]
    seed: Option<u64>,
}

fn parse_size(text: &str) -> Result<Size, String> {
    text.parse().ok().and_then(Size::new).ok_or_else(|| "sizes are 3 to 26".to_owned())
}

impl Args {
    pub(crate) fn takes_the_screen(&self) -> bool {
        self.tui
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Some(Command::Solve(args)) => solve(args),
        Some(Command::New(args)) => new(args),
        None if args.tui => show(args),
        None => talk(args),
    }
}

fn talk(args: &Args) -> anyhow::Result<()> {
    let mut console = Streams::new(std::io::stdin().lock(), std::io::stdout().lock());
    let mut computer =
        tabiya_puzzle::Player::new(args.level, args.seed.unwrap_or_else(random_seed));
    let mut files = Told { tell: args.file.is_some() };
    Ok(converse(&mut console, &mut files, &mut computer, args.file.as_deref())?)
}

/// The game on a whole screen. It is kept like any other.
fn show(args: &Args) -> anyhow::Result<()> {
    anyhow::ensure!(crate::terminal::has_screen(), "--tui needs a terminal that can be drawn on");
    let seed = args.seed.unwrap_or_else(random_seed);
    let start = match &args.file {
        Some(file) => {
            let text = Board::read(Path::new(file))?.plain();
            Start::bishops(&text).with_context(|| file.clone())?
        }
        None => play::new_board(8, seed)?,
    };
    let players = [Player::HUMAN, format!("tabiya:{}", args.level).parse()?];
    let setup = GameSetup { players, seed, ..GameSetup::new(start) };
    let store = Store::open(&tabiya_store::folder(None)?)?;
    let room = play::Room::begin(Some(store), setup, &Past::default(), SessionDeps::default())?;
    play::show(room, args.look, Duration::ZERO, play::FirstSight::Game)
}

/// The disk, but if the file of the command line is no good, the reason is told. (The dialogue has its
/// own words for files that are typed.)
struct Told {
    tell: bool,
}

impl Files for Told {
    fn read(&mut self, name: &str) -> Result<Board, BoardFileError> {
        let tell = std::mem::take(&mut self.tell);
        Disk.read(name).inspect_err(|error| {
            if tell {
                eprintln!("tabiya: {error}");
            }
        })
    }

    fn save(&mut self, name: &str, board: &Board) -> Result<(), SaveError> {
        Disk.save(name, board)
    }
}

fn solve(args: &SolveArgs) -> anyhow::Result<()> {
    let side = Side::from(args.side);
    let position = Position::new(Board::read(&args.file)?, side)?;
    let mut out = crate::print::out();
    let plural = |moves| if moves == 1 { "" } else { "s" };
    // A game that is over is no riddle: that White is mated is seen whoever moves first.
    for turn in [side, !side] {
        let status = Position::new(*position.board(), turn)?.status();
        if let Status::Checkmate { winner } = status {
            return Ok(writeln!(out, "It is mate already: {winner} has won.")?);
        }
        if status == Status::Stalemate && turn == side {
            return Ok(writeln!(out, "It is stalemate: {side} has no move.")?);
        }
    }
    match Solver::new().solve(&position, args.moves) {
        Verdict::Mate(solution) => {
            let words = |moves: &[tabiya_puzzle::Move]| {
                moves.iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
            };
            let moves = solution.moves;
            writeln!(out, "{side} mates in {moves} move{}.", plural(moves))?;
            writeln!(out, "Line: {}", words(&solution.line))?;
            writeln!(out, "First moves: {}", words(&solution.keys))?;
        }
        Verdict::NoMate { within } => {
            writeln!(out, "{side} has no mate within {within} move{}.", plural(within))?;
        }
        Verdict::Unfinished { .. } => anyhow::bail!("the solver gave up"),
    }
    Ok(())
}

fn new(args: &NewArgs) -> anyhow::Result<()> {
    let recipe = Recipe {
        size: args.size,
        white_bishops: args.white_bishops,
        black_bishops: args.black_bishops,
        mate: args.mate,
        seed: args.seed.unwrap_or_else(random_seed),
    };
    write!(std::io::stdout().lock(), "{}", recipe.compose()?.plain())?;
    Ok(())
}
