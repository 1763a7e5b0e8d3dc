use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use tabiya_base::write_atomically;
use tabiya_chess::Game;
use tabiya_engine::{Engine, Limits, Settings};
use tabiya_lab::{Puzzle, PuzzleFinder, PuzzleKind, judge};
use tabiya_uci_protocol::{Client, Program};

/// Finds puzzles in games that our engine plays against itself, quickly: forced mates, each proved by trying
/// every move of both sides, and moves that win where a quick look finds another one. Writes the
/// files mate_2.epd to mate_5.epd and tactics.epd, for `tabiya solve`.
///
/// The suites that `tabiya solve` uses by itself were made like this: see docs/suites.md.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya puzzles suites --count 10 --out puzzles
  tabiya puzzles suites --count 100 --seed 5000 --only mates --out puzzles
  tabiya puzzles suites --only tactics --play 50 --referee stockfish --out puzzles
  tabiya solve puzzles/tactics.epd")]
pub(super) struct Args {
    /// How many of each kind to find.
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,

    /// The most games to play.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,

    /// The number of the first game; every number is another one.
    #[arg(long, value_name = "K", default_value_t = 1)]
    seed: u64,

    /// How many positions the players look at for a move: the fewer, the more tactics they allow.
    #[arg(long, value_name = "N", default_value_t = 500)]
    play: u64,

    /// Look for one kind only.
    #[arg(long, value_enum)]
    only: Option<Only>,

    /// A UCI engine that has to agree with tactics.
    #[arg(long, value_name = "PROGRAM")]
    referee: Option<String>,

    /// The folder for the files; made if there is none.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    Mates,
    Tactics,
}

impl Args {
    /// The kinds that are looked for, and their files.
    fn files(&self) -> impl Iterator<Item = (PuzzleKind, &'static str)> + '_ {
        let wants = |kind| match self.only {
            Some(Only::Mates) => kind != PuzzleKind::Tactic,
            Some(Only::Tactics) => kind == PuzzleKind::Tactic,
            None => true,
        };
        FILES.into_iter().filter(move |&(kind, _)| wants(kind))
    }
}

/// The kinds of puzzles and their files.
const FILES: [(PuzzleKind, &str); 5] = [
    (PuzzleKind::Mate(2), "mate_2"),
    (PuzzleKind::Mate(3), "mate_3"),
    (PuzzleKind::Mate(4), "mate_4"),
    (PuzzleKind::Mate(5), "mate_5"),
    (PuzzleKind::Tactic, "tactics"),
];

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut referee = args.referee.as_deref().map(|path| Program::new(path).start()).transpose()?;
    let mut engine = Engine::new(Settings { hash_megabytes: 4, ..Settings::default() });
    let finder = PuzzleFinder { quick: args.play, ..PuzzleFinder::default() };
    let mut found: HashMap<PuzzleKind, Vec<Puzzle>> = HashMap::new();
    let mut seen = HashSet::new();
    let few = |found: &HashMap<PuzzleKind, Vec<Puzzle>>, kind| {
        args.files().any(|(known, _)| known == kind)
            && found.get(&kind).map_or(0, Vec::len) < args.count
    };
    for game in args.seed..args.seed.saturating_add(args.games) {
        if args.files().all(|(kind, _)| !few(&found, kind)) {
            break;
        }
        for puzzle in finder.search_game(game, &mut engine, |kind| few(&found, kind))? {
            let new = seen.insert(puzzle.position.repetition_key());
            if new && referee.as_mut().map_or(Ok(true), |referee| confirms(referee, &puzzle))? {
                found.entry(puzzle.kind).or_default().push(puzzle);
            }
        }
        eprint!("\rgame {game}:");
        for (kind, name) in args.files() {
            eprint!(" {} {name}", found.get(&kind).map_or(0, Vec::len));
        }
        // Often, so that it may be stopped at any time.
        for (kind, name) in args.files() {
            let puzzles = found.get(&kind).map_or(&[][..], Vec::as_slice);
            let path = args.out.join(name).with_extension("epd");
            let write = |file: &mut dyn Write| {
                let mut lines = (1..).zip(puzzles);
                lines.try_for_each(|(i, puzzle)| writeln!(file, "{puzzle} id \"{name} {i}\";"))
            };
            write_atomically(&path, write).with_context(|| path.display().to_string())?;
        }
    }
    eprintln!();
    Ok(())
}

/// Whether another engine agrees: the move is the best, and much better than the next. A mate is proved,
/// so that there is nothing to ask.
fn confirms(referee: &mut Client, puzzle: &Puzzle) -> anyhow::Result<bool> {
    const NODES: u64 = 300_000;
    const GAP: i32 = 150;
    if puzzle.kind != PuzzleKind::Tactic {
        return Ok(true);
    }
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let lines = judge(referee, &Game::from_position(puzzle.position), 2, &limits)?;
    let &[first, second] = lines.as_slice() else { return Ok(false) };
    let (best, next) = (first.score.rank(), second.score.rank());
    Ok(first.m == puzzle.first && best >= GAP && best.saturating_sub(next) >= GAP)
}
