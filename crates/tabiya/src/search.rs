use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use tabiya_base::random_seed;
use tabiya_chess::{Color, Game, Position};
use tabiya_engine::textbook::{
    AlphaBeta, Boards, MaterialEvaluation, MemoryUse, Minimax, Points, Profile, SearchReport, Tree,
    TreeOptions, TreeReport, Work,
};
use tabiya_engine::{Engine, Info, Limits, Score, Settings};

use crate::print::grouped;

/// The last line is for programs: "result" and then name=value, separated by blanks. A score is in pawns,
/// positive if White is better; "#2" is mate in two by White, "#-2" by Black.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya search --depth 2 --method minimax
  tabiya search --depth 4 --fen 'r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1 w kq - 0 1'
  tabiya search --depth 4 --method tree --memory 64
  tabiya search --depth 3 --noise --seed 7
  tabiya search --depth 4 --profile
  tabiya search --depth 3 --method tree --stats
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

    /// How the tree is walked: on one board that goes back and forth, or on a copy for each node.
    #[arg(long, value_enum, default_value_t = BoardsArg::Copy, value_name = "one|copy")]
    boards: BoardsArg,

    /// Show how many nodes of the tree are left after the choice and after the answer, and how many a second
    /// search from there has to make.
    #[arg(long)]
    stats: bool,

    /// Show how often each kind of work was done, and how long it took, the longest first; after a search to warm up.
    #[arg(long)]
    profile: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum BoardsArg {
    One,
    Copy,
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
    profile: Option<Profile>,
    reuse: Option<Reuse>,
}

/// What a kept tree saves when the game goes on.
struct Reuse {
    /// The nodes after the search, after the other moves were cut, and after the answer.
    nodes: [usize; 3],
    /// The answer that the tree expects.
    answer: tabiya_chess::Move,
    /// The nodes that the next search makes, and those that it would make from nothing.
    next: [u64; 2],
}

enum Kept {
    Nothing,
    Tree(TreeReport, MemoryUse),
    /// A table of so many megabytes, and so many thousandths of it in use.
    Table(usize, u16),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let position = crate::position(&args.fen)?;
    let seed = args.seed.unwrap_or_else(random_seed);
    let material = MaterialEvaluation { noise: args.noise.then_some(seed) };
    let shown = search(args, &position, material)?;
    let mut out = crate::print::out();
    show(&mut out, args, &position, material, &shown)?;
    Ok(out.flush()?)
}

fn search(args: &Args, position: &Position, material: MaterialEvaluation) -> anyhow::Result<Shown> {
    let is_tree = args.method == Method::Tree;
    anyhow::ensure!(is_tree || !args.stats, "--stats is for --method tree");
    anyhow::ensure!(is_tree || args.boards == BoardsArg::Copy, "--boards is for --method tree");
    if args.profile {
        anyhow::ensure!(
            args.method != Method::Engine,
            "--profile is for the methods of the textbook"
        );
        anyhow::ensure!(
            args.threads.get() == 1,
            "--profile looks at one thread: leave out --threads"
        );
    }
    if args.method == Method::Engine {
        anyhow::ensure!(!args.noise, "the engine adds no noise: leave out --noise");
        return Ok(search_with_engine(args, position));
    }
    anyhow::ensure!(args.nodes.is_none(), "--nodes is for --method engine only: give --depth");
    anyhow::ensure!(args.hash.is_none(), "--hash is for --method engine only");
    let depth = args.depth.unwrap_or(1);
    anyhow::ensure!(!is_tree || args.threads.get() == 1, "the tree is searched by one thread only");
    // A long search tells how far it is by what it found less deep.
    for depth in (1..depth).filter(|_| depth >= LONG) {
        let (report, ..) = textbook(args, position, material, depth)?;
        tell(position, &report);
    }
    let clock = Instant::now();
    let ((report, kept, tree), profile) = match args.profile {
        false => (textbook(args, position, material, depth)?, None),
        true => {
            textbook(args, position, material, depth)?;
            let (found, profile) = Profile::of(|| textbook(args, position, material, depth));
            (found?, Some(profile))
        }
    };
    let time = clock.elapsed();
    let reuse = match tree.filter(|_| args.stats) {
        Some(tree) => reuse(tree, &report, args.tree_options(material))?,
        None => None,
    };
    Ok(Shown { report, time, kept, profile, reuse })
}

/// Less deep, a search is there before anybody asks how far it is.
const LONG: u32 = 5;

/// A line on standard error about how far a search is.
fn tell(position: &Position, report: &SearchReport) {
    let (depth, nodes) = (report.depth, grouped(report.nodes));
    eprintln!("depth {depth}: {nodes} positions, {} {}", report.score, spell(position, report));
}

type Searched = (SearchReport, Kept, Option<Tree>);

fn textbook(
    args: &Args,
    position: &Position,
    material: MaterialEvaluation,
    depth: u32,
) -> anyhow::Result<Searched> {
    let threads = args.threads;
    Ok(match args.method {
        Method::Minimax => {
            (Minimax { depth, material, threads }.search(position), Kept::Nothing, None)
        }
        Method::Alphabeta | Method::Engine => {
            (AlphaBeta { depth, material, threads }.search(position), Kept::Nothing, None)
        }
        Method::Tree => {
            let mut tree = Tree::new(*position, args.tree_options(material))?;
            let report = tree.search(depth);
            (report.found.clone(), Kept::Tree(report, tree.memory()), Some(tree))
        }
    })
}

/// Plays the choice and the expected answer, and searches again.
fn reuse(
    mut tree: Tree,
    report: &SearchReport,
    options: TreeOptions,
) -> anyhow::Result<Option<Reuse>> {
    let [best, answer] = report.pv[..report.pv.len().min(2)] else { return Ok(None) };
    let mut nodes = [tree.memory().nodes; 3];
    tree.cut_all_but(best);
    nodes[1] = tree.memory().nodes;
    tree.play(best)?;
    tree.play(answer)?;
    nodes[2] = tree.memory().nodes;
    let again = tree.search(report.depth).created;
    let from_nothing = Tree::new(*tree.position(), options)?.search(report.depth).created;
    Ok(Some(Reuse { nodes, answer, next: [again, from_nothing] }))
}

impl Args {
    fn tree_options(&self, material: MaterialEvaluation) -> TreeOptions {
        let max_bytes = (self.memory as usize).saturating_mul(1 << 20);
        let boards = match self.boards {
            BoardsArg::One => Boards::OneBoard,
            BoardsArg::Copy => Boards::CopyPerNode,
        };
        TreeOptions { max_bytes, caches: self.cache, material, boards }
    }
}

fn search_with_engine(args: &Args, position: &Position) -> Shown {
    let hash_megabytes = args.hash.map_or(Settings::default().hash_megabytes, |hash| hash as usize);
    let threads = args.threads.get();
    let mut engine = Engine::new(Settings { hash_megabytes, threads, ..Settings::default() });
    let limits = Limits { depth: args.depth, nodes: args.nodes, ..Limits::default() };
    let mut last = Info::default();
    let clock = Instant::now();
    let found = engine.think(&Game::from_position(*position), limits, |info| {
        if info.depth >= 12 && info.depth > last.depth {
            let (depth, nodes) = (info.depth, grouped(info.nodes));
            eprintln!("depth {depth}: {nodes} positions, {}", points(info.score, position.turn()));
        }
        last = info.clone();
    });
    let time = clock.elapsed();
    // The best move may be a newer discovery than the last line told.
    let pv = if last.pv.first() == found.best.as_ref() {
        last.pv
    } else {
        found.best.into_iter().collect()
    };
    let score = points(last.score, position.turn());
    let report = SearchReport { best: found.best, score, depth: last.depth, pv, nodes: last.nodes };
    let kept = Kept::Table(hash_megabytes, last.hashfull);
    Shown { report, time, kept, profile: None, reuse: None }
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
    material: MaterialEvaluation,
    shown: &Shown,
) -> std::io::Result<()> {
    let Shown { report, time, kept, profile, reuse } = shown;
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
    writeln!(out, "nodes    {}", grouped(report.nodes))?;
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
    if let Some(Reuse { nodes: [all, chosen, left], answer, next: [made, from_nothing] }) = reuse {
        let [all, chosen, left] = [*all, *chosen, *left].map(|nodes| grouped(nodes as u64));
        let [made, from_nothing] = [*made, *from_nothing].map(grouped);
        writeln!(out, "cut      {all} nodes before the choice, {chosen} after")?;
        let after = report.best.map_or(*position, |best| {
            let mut after = *position;
            after.play_unchecked(best);
            after
        });
        let answer = after.san(*answer);
        writeln!(
            out,
            "reuse    {left} nodes after {answer}; {made} more to depth {depth}, {from_nothing} from nothing"
        )?;
    }
    if let Some(profile) = profile {
        show_profile(out, profile)?;
    }
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
    memory: &MemoryUse,
) -> std::io::Result<()> {
    writeln!(
        out,
        "memory   {} nodes of {} bytes, {} bytes in all of {} allowed",
        grouped(memory.nodes as u64),
        memory.bytes_per_node,
        grouped(memory.bytes as u64),
        grouped(memory.max_bytes as u64)
    )?;
    if report.full {
        writeln!(out, "full     no room for depth {}: raise --memory", report.found.depth + 1)?;
    }
    if args.cache {
        let (moves, scores) = (report.hits.moves as usize, report.hits.scores as usize);
        writeln!(
            out,
            "cache    {} moves, {} scores known",
            grouped(moves as u64),
            grouped(scores as u64)
        )?;
    }
    Ok(())
}

/// The kinds of work, the longest first, and what is left for the search itself.
fn show_profile(out: &mut impl Write, profile: &Profile) -> std::io::Result<()> {
    let total = profile.total.as_secs_f64();
    let mut rows: Vec<(String, u64, f64)> = Work::ALL
        .into_iter()
        .map(|work| (work.to_string(), profile.calls(work), profile.time(work).as_secs_f64()))
        .filter(|&(_, calls, _)| calls > 0)
        .collect();
    let measured: f64 = rows.iter().map(|(.., time)| time).sum();
    rows.push(("the search itself".to_owned(), 1, (total - measured).max(0.0)));
    rows.sort_by(|a, b| b.2.total_cmp(&a.2));
    writeln!(
        out,
        "\n{:>12} {:>10} {:>12} {:>7}  function",
        "ncalls", "tottime", "percall", "share"
    )?;
    for (name, calls, time) in rows {
        let each = time / calls as f64;
        let share = 100.0 * time / total.max(1e-12);
        let calls = grouped(calls);
        writeln!(out, "{calls:>12} {time:>10.6} {each:>12.9} {share:>5.1} %  {name}")?;
    }
    writeln!(out)
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
