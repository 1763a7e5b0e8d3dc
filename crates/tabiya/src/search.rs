use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use tabiya_chess::{Color, Game, Position};
use tabiya_engine::textbook::{
    AlphaBeta, Material, Memory, Minimax, Points, SearchReport, Tree, TreeOptions, TreeReport,
};
use tabiya_engine::{Engine, Info, Limits, Score, Settings};

/// The last line is for programs: "result" and then name=value, separated by blanks. A score is in pawns,
/// positive if White is better; "#2" is mate in two by White, "#-2" by Black.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya search --depth 2 --method minimax
  tabiya search --depth 4 --fen 'r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1 w kq - 0 1'
  tabiya search --depth 4 --method tree --memory 64
  tabiya search --depth 3 --noise --seed 7
  tabiya search --depth 12 --method engine --hash 64
  tabiya search --nodes 1000000 --method engine")]
pub(crate) struct Args {
    /// How to search.
    #[arg(long, value_enum, default_value_t = Method::Alphabeta)]
    method: Method,

    /// How many plies to look ahead.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99), required_unless_present = "nodes")]
    depth: Option<u32>,

    /// How many positions the engine may visit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// The position to search; the start of a game if not given.
    #[arg(long, value_name = "FEN", num_args = 1..=6)]
    fen: Vec<String>,

    /// Add less than a tenth of a pawn to every score, so that moves vary.
    #[arg(long)]
    noise: bool,

    /// Make the noise the same again.
    #[arg(long, value_name = "K", requires = "noise")]
    seed: Option<u64>,

    /// Share the moves of the position among so many threads (not for tree).
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,

    /// What the tree may take, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,

    /// The size of the engine's transposition table, in megabytes [default: 16].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: Option<u32>,

    /// Let the tree remember the moves and scores of positions it meets again.
    #[arg(long)]
    cache: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Looks at every line.
    Minimax,
    /// Leaves out the lines that cannot matter.
    Alphabeta,
    /// Keeps all lines in memory.
    Tree,
    /// Our engine, with all its tricks.
    Engine,
}

/// What a method has to show: a report, and what was kept in memory for it.
struct Shown {
    report: SearchReport,
    time: Duration,
    kept: Kept,
}

enum Kept {
    Nothing,
    Tree(TreeReport, Memory),
    /// A table of so many megabytes, and so many thousandths of it in use.
    Table(usize, u16),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let position = crate::position(&args.fen)?;
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one("tabiya"));
    let material = Material { noise: args.noise.then_some(seed) };
    let shown = search(args, &position, material)?;
    let mut out = std::io::stdout().lock();
    show(&mut out, args, &position, material, &shown)?;
    Ok(out.flush()?)
}

fn search(args: &Args, position: &Position, material: Material) -> anyhow::Result<Shown> {
    if args.method == Method::Engine {
        anyhow::ensure!(!args.noise, "the engine adds no noise: leave out --noise");
        return Ok(search_with_engine(args, position));
    }
    anyhow::ensure!(args.nodes.is_none(), "--nodes is for --method engine only: give --depth");
    anyhow::ensure!(args.hash.is_none(), "--hash is for --method engine only");
    let (depth, threads) = (args.depth.unwrap_or(1), args.threads);
    let clock = Instant::now();
    let (report, kept) = match args.method {
        Method::Minimax => (Minimax { depth, material, threads }.search(position), Kept::Nothing),
        Method::Alphabeta | Method::Engine => {
            (AlphaBeta { depth, material, threads }.search(position), Kept::Nothing)
        }
        Method::Tree => {
            anyhow::ensure!(threads.get() == 1, "the tree is searched by one thread only");
            let max_bytes = (args.memory as usize).saturating_mul(1 << 20);
            let caches = args.cache;
            let options = TreeOptions { max_bytes, caches, material, ..TreeOptions::default() };
            let mut tree = Tree::new(*position, options)?;
            let report = tree.search(depth);
            (report.found.clone(), Kept::Tree(report, tree.memory()))
        }
    };
    Ok(Shown { report, time: clock.elapsed(), kept })
}

fn search_with_engine(args: &Args, position: &Position) -> Shown {
    let hash_megabytes = args.hash.map_or(Settings::default().hash_megabytes, |hash| hash as usize);
    let threads = args.threads.get();
    let mut engine = Engine::new(Settings { hash_megabytes, threads, ..Settings::default() });
    let limits = Limits { depth: args.depth, nodes: args.nodes, ..Limits::default() };
    let mut last = Info::default();
    let clock = Instant::now();
    let found = engine.think(&Game::from_position(*position), limits, |info| last = info.clone());
    let time = clock.elapsed();
    // The best move may be a newer discovery than the last line told.
    let pv = if last.pv.first() == found.best.as_ref() {
        last.pv
    } else {
        found.best.into_iter().collect()
    };
    let score = points(last.score, position.turn());
    let report = SearchReport { best: found.best, score, depth: last.depth, pv, nodes: last.nodes };
    Shown { report, time, kept: Kept::Table(hash_megabytes, last.hashfull) }
}

/// The engine's score for the side to move, as points seen from White.
fn points(score: Score, turn: Color) -> Points {
    match score {
        Score::Centipawns(score) if turn == Color::White => Points::from_hundredths(score),
        Score::Centipawns(score) => Points::from_hundredths(-score),
        Score::Mate(moves) if moves > 0 => Points::mate(turn, moves.unsigned_abs() * 2 - 1),
        Score::Mate(moves) => Points::mate(!turn, moves.unsigned_abs() * 2),
    }
}

fn show(
    out: &mut impl Write,
    args: &Args,
    position: &Position,
    material: Material,
    shown: &Shown,
) -> std::io::Result<()> {
    let Shown { report, time, kept } = shown;
    let depth = report.depth;
    let seconds = time.as_secs_f64();
    let method = clap::ValueEnum::to_possible_value(&args.method);
    let method = method.as_ref().map_or("", |value| value.get_name());
    writeln!(out, "method   {method} to depth {depth}")?;
    if let Some(seed) = material.noise {
        writeln!(out, "noise    seed {seed}")?;
    }
    match (report.best, position.outcome()) {
        (Some(best), _) => {
            writeln!(out, "move     {} ({})", position.san(best), best.coordinates())?;
        }
        (None, Some(outcome)) => writeln!(out, "move     none: {outcome}")?,
        (None, None) => writeln!(out, "move     none")?,
    }
    writeln!(out, "score    {}", report.score)?;
    writeln!(out, "path     {}", spell(position, report))?;
    let speed = report.nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "nodes    {}", grouped(report.nodes as usize))?;
    writeln!(out, "time     {seconds:.6} s, {speed:.1} million nodes/s")?;
    let bytes = match kept {
        Kept::Nothing => {
            writeln!(out, "memory   nothing is kept")?;
            0
        }
        Kept::Tree(report, memory) => {
            show_memory(out, args, report, memory)?;
            memory.bytes
        }
        Kept::Table(megabytes, full) => {
            let percent = f64::from(*full) / 10.0;
            writeln!(out, "memory   a table of {megabytes} MB, {percent:.1} % of it in use")?;
            megabytes << 20
        }
    };
    writeln!(out, "{}", report.line(position))?;
    let best = report.best.map_or("none".to_owned(), |m| position.uci(m));
    let (score, nodes) = (report.score, report.nodes);
    write!(out, "result method={method} depth={depth} move={best} score={score} nodes={nodes}")?;
    writeln!(out, " seconds={seconds:.6} bytes={bytes}")
}

fn show_memory(
    out: &mut impl Write,
    args: &Args,
    report: &TreeReport,
    memory: &Memory,
) -> std::io::Result<()> {
    writeln!(
        out,
        "memory   {} nodes of {} bytes, {} bytes in all of {} allowed",
        grouped(memory.nodes),
        memory.bytes_per_node,
        grouped(memory.bytes),
        grouped(memory.max_bytes)
    )?;
    if report.full {
        writeln!(out, "full     no room for depth {}: raise --memory", report.found.depth + 1)?;
    }
    if args.cache {
        let (moves, scores) = (report.hits.moves as usize, report.hits.scores as usize);
        writeln!(out, "cache    {} moves, {} scores known", grouped(moves), grouped(scores))?;
    }
    Ok(())
}

/// The principal variation in algebraic notation.
fn spell(position: &Position, report: &SearchReport) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &m in &report.pv {
        words.push(position.san(m));
        position.play_unchecked(m);
    }
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}

/// A number with a comma after each three digits: 206,604.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
