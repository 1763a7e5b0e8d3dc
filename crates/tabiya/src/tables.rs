//! Tables of endings: make, tell of, ask, check.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use tabiya_base::{Random, Stop};
use tabiya_chess::{Color, Move, Position};
use tabiya_tables::{
    Fate, Maker, Material, TableEntry, TableError, TableInfo, TableProgress, Tables, check,
    write_syzygy,
};

/// Tables of endings: every position of a few men, with its result and the way to it.
///
/// They are made here, never fetched. Castling is left out of them; en passant and every promotion count.
/// Syzygy's tables in the same folders are read as well.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya tables make 4                   all endings of three and four men
  tabiya tables make KRPKR               one ending, and those that its captures and promotions lead to
  tabiya tables info
  tabiya tables probe '8/8/8/4k3/8/8/1K2P3/8 w - - 0 1'
  tabiya tables pick KRKN KPKP --result draws --count 5
  tabiya tables check KRKN
  tabiya tables syzygy ~/syzygy          files for other programs
Sizes and times: docs/tables.md")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make tables. What is interrupted goes on where it was, and what is there is left alone.
    Make {
        /// A number of men (3, 4 or 5: all endings of so many), or endings by name.
        #[arg(required = true, value_name = "MEN|ENDING")]
        what: Vec<What>,
        /// How many threads work (else as many as the machine has cores); the files are the same for any number.
        #[arg(long, value_name = "T")]
        threads: Option<NonZeroUsize>,
        #[command(flatten)]
        tables: TablesArg,
    },
    /// List the tables there are, or count what is in some of them.
    Info {
        /// Endings by name; all in a list if not given.
        #[arg(value_name = "ENDING")]
        endings: Vec<Material>,
        #[command(flatten)]
        tables: TablesArg,
    },
    /// Tell what tables know of a position, and of each move.
    Probe {
        /// The position.
        #[arg(required = true, value_name = "FEN")]
        fen: Vec<String>,
        /// Print it as JSON instead.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        tables: TablesArg,
    },
    /// Print random positions of which the result is known, to play or to practise.
    Pick {
        /// Endings by name; all there are if not given.
        #[arg(value_name = "ENDING")]
        endings: Vec<Material>,
        /// What is to become of the side to move.
        #[arg(long, value_enum, default_value_t = Wanted::Wins)]
        result: Wanted,
        /// How many positions.
        #[arg(long, value_name = "N", default_value_t = 10)]
        count: usize,
        /// Not nearer to mate than so many moves.
        #[arg(long, value_name = "MOVES", default_value_t = 0)]
        moves: i32,
        /// For other positions.
        #[arg(long, value_name = "K", default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        tables: TablesArg,
    },
    /// Hold every position of tables against the positions after it.
    Check {
        /// Endings by name; all there are if not given.
        #[arg(value_name = "ENDING")]
        endings: Vec<Material>,
        /// How many threads work (else as many as the machine has cores).
        #[arg(long, value_name = "T")]
        threads: Option<NonZeroUsize>,
        #[command(flatten)]
        tables: TablesArg,
    },
    /// Write tables as Syzygy's files, which other programs read: results (.rtbw) and distances (.rtbz).
    Syzygy {
        /// Where to write them. What is there already is left alone.
        folder: PathBuf,
        /// Endings by name, with those that their captures and promotions lead to; all there are if not given.
        #[arg(value_name = "ENDING")]
        endings: Vec<Material>,
        /// How many threads work (else as many as the machine has cores); the files are the same for any number.
        #[arg(long, value_name = "T")]
        threads: Option<NonZeroUsize>,
        #[command(flatten)]
        tables: TablesArg,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Wanted {
    Wins,
    Draws,
    Loses,
}

/// Tables are made of so many men and fewer.
const MOST_MADE: usize = 5;

/// Moves with what is known of them, the best first.
pub(crate) type Moves = Vec<(Move, TableEntry)>;

/// Where tables are.
#[derive(clap::Args, Clone, Default)]
pub(crate) struct TablesArg {
    /// The folder with tables (else that of TABIYA_TABLES, else "tables" where games are kept).
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl TablesArg {
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.tables {
            return Ok(folder.clone());
        }
        match named() {
            Some(folder) => Ok(folder),
            None => Ok(tabiya_store::folder(None)?.join("tables")),
        }
    }

    /// Opens what there is; what cannot be opened is told of.
    pub(crate) fn open(&self) -> anyhow::Result<Tables> {
        Ok(open([self.folder()?]))
    }

    /// What is known of a position and of each move; the tables of three men are part of the program.
    pub(crate) fn probe(&self, position: &Position) -> anyhow::Result<(TableEntry, Moves)> {
        let tables = self.open()?.with_three_men();
        let known = tables.probe(position).and_then(|entry| Ok((entry, tables.moves(position)?)));
        known.map_err(|error| match (&error, Material::of(position.board())) {
            (TableError::TooManyMen { .. } | TableError::Missing(_), Some((ending, _)))
                if ending.men() <= MOST_MADE =>
            {
                anyhow::anyhow!("{error}; tabiya tables make {ending} makes what is needed")
            }
            _ => error.into(),
        })
    }
}

/// The folder that the environment names.
pub(crate) fn named() -> Option<PathBuf> {
    std::env::var_os("TABIYA_TABLES").filter(|set| !set.is_empty()).map(PathBuf::from)
}

/// The tables there are for whoever has games in this folder, if there are any.
pub(crate) fn beside(games: &Path) -> Option<Arc<Tables>> {
    let tables = open([named().unwrap_or_else(|| games.join("tables"))]);
    (tables.most_men() > 0).then(|| Arc::new(tables))
}

fn open<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Tables {
    let tables = Tables::open(folders);
    tables.problems().iter().for_each(|problem| eprintln!("tabiya: {problem}"));
    tables
}

/// The tables in a folder, where there are to be some.
pub(crate) fn open_folder(folder: &PathBuf) -> anyhow::Result<Tables> {
    let tables = open([folder]);
    anyhow::ensure!(tables.most_men() > 0, "there are no tables in {}", folder.display());
    Ok(tables)
}

#[derive(Clone)]
enum What {
    Men(usize),
    Ending(Material),
}

impl std::str::FromStr for What {
    type Err = String;

    fn from_str(text: &str) -> Result<What, String> {
        match text.parse() {
            Ok(men @ 3..=5) => Ok(What::Men(men)),
            Ok(men) => Err(format!("tables are made of 3, 4 or 5 men, not of {men}")),
            Err(_) => text
                .parse()
                .map(What::Ending)
                .map_err(|error| tabiya_tables::ParseMaterialError::to_string(&error)),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Make { what, threads, tables } => make(what, *threads, tables),
        Command::Info { endings, tables } => info(endings, tables),
        Command::Probe { fen, json, tables } => probe(fen, *json, tables),
        Command::Pick { endings, result, count, moves, seed, tables } => {
            pick(endings, *result, *count, *moves, *seed, tables)
        }
        Command::Check { endings, threads, tables } => check_all(endings, *threads, tables),
        Command::Syzygy { folder, endings, threads, tables } => {
            syzygy(folder, endings, *threads, tables)
        }
    }
}

/// Ctrl-C ends the work where it can go on.
fn stop() -> anyhow::Result<Stop> {
    let stop = Stop::default();
    let theirs = stop.clone();
    ctrlc::set_handler(move || theirs.stop()).context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// Tells how far it is, on one line that is written over.
fn show(progress: TableProgress) {
    if crate::terminal::has_status_line() {
        let TableProgress { material, slices, of } = progress;
        eprint!("\r{material}: {slices} of {of} placements of pawns\x1b[K");
    }
}

fn make(what: &[What], threads: Option<NonZeroUsize>, tables: &TablesArg) -> anyhow::Result<()> {
    let mut maker = Maker::new(tables.folder()?);
    maker.threads = threads.map_or(maker.threads, NonZeroUsize::get);
    maker.stop = stop()?;
    let endings = what.iter().flat_map(|what| match what {
        What::Men(men) => (3..=*men).flat_map(Material::all).collect(),
        What::Ending(ending) => ending.with_all_before(),
    });
    for ending in endings {
        let start = Instant::now();
        let mut works = false;
        let made = maker.make(ending, &mut |progress| {
            works = true;
            show(progress);
        });
        if crate::terminal::has_status_line() && works {
            eprint!("\r\x1b[K");
        }
        made?;
        if works {
            let table = Tables::open([&maker.folder]);
            let own = table.own();
            let bytes =
                own.iter().find(|table| table.material() == ending).map_or(0, TableInfo::bytes);
            println!("{ending:8} {} in {:.1} s", size(bytes), start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

fn info(endings: &[Material], tables: &TablesArg) -> anyhow::Result<()> {
    let tables = tables.open()?;
    if endings.is_empty() {
        let own = tables.own();
        for table in &own {
            let longest = table.counts().iter().map(|counts| counts.longest).max().unwrap_or(0);
            let positions: u64 = table.counts().iter().map(|counts| counts.positions()).sum();
            println!(
                "{:8} {positions:>12} positions, longest mate {:>3} moves, {}",
                table.material().to_string(),
                longest.div_ceil(2),
                size(table.bytes())
            );
        }
        let all = own.iter().map(TableInfo::bytes).sum();
        println!("{} tables, {}", own.len(), size(all));
        return Ok(());
    }
    for &ending in endings {
        let own = tables.own();
        let table = own.into_iter().find(|table| table.material() == ending);
        let table = table.with_context(|| format!("there is no table of {ending}"))?;
        let [fates, mate, zeroing] = table.bytes_of_parts();
        println!(
            "{ending}: {} (results {}, mates {}, fifty-move rule {})",
            size(table.bytes()),
            size(fates),
            size(mate),
            size(zeroing)
        );
        for (counts, color) in table.counts().iter().zip(Color::ALL) {
            let [loss, blessed, draw, cursed, win] = counts.fates;
            println!(
                "  {} to move: {win} won, {cursed} won but for the fifty-move rule, {draw} drawn, \
                 {blessed} saved by the rule, {loss} lost; longest mate {} moves",
                color.name(),
                counts.longest.div_ceil(2)
            );
            if let Some(position) = table.longest(color) {
                println!("    {}", position.fen());
            }
        }
    }
    Ok(())
}

fn pick(
    endings: &[Material],
    result: Wanted,
    count: usize,
    moves: i32,
    seed: u64,
    tables: &TablesArg,
) -> anyhow::Result<()> {
    /// Who has found nothing after so many tries asks for what there is not.
    const TRIES: usize = 1_000_000;
    let tables = tables.open()?;
    let mut own = tables.own();
    if let Some(missing) =
        endings.iter().find(|&&ending| own.iter().all(|table| table.material() != ending))
    {
        anyhow::bail!("there is no table of {missing}");
    }
    own.retain(|table| endings.is_empty() || endings.contains(&table.material()));
    anyhow::ensure!(!own.is_empty(), "there are no tables; see tabiya tables make --help");
    let wanted = match result {
        Wanted::Wins => Fate::Win,
        Wanted::Draws => Fate::Draw,
        Wanted::Loses => Fate::Loss,
    };
    let mut random = Random::new(seed);
    let (mut found, mut tries) = (0, 0);
    while found < count {
        tries += 1;
        anyhow::ensure!(tries < TRIES, "there are hardly any such positions: {found} found");
        let table = &own[random.below(own.len())];
        let turn = Color::ALL[random.below(2)];
        let Some(position) = table.position(random.below(table.places()), turn) else { continue };
        let entry = tables.probe(&position)?;
        let is_far = entry.mate_in().is_none_or(|mate| mate.abs() >= moves);
        if entry.fate == wanted && is_far && position.outcome().is_none() {
            println!("{}", position.fen());
            (found, tries) = (found + 1, 0);
        }
    }
    Ok(())
}

/// What is known of a position, as JSON.
fn json(entry: &TableEntry) -> serde_json::Value {
    serde_json::json!({
        "result": entry.fate.number(),
        "mate": entry.mate_in(),
        "plies_to_mate": entry.mate,
        "plies_to_zeroing": entry.zeroing,
        "text": entry.to_string(),
    })
}

fn probe(fen: &[String], as_json: bool, tables: &TablesArg) -> anyhow::Result<()> {
    let position = crate::position(fen)?;
    let (entry, moves) = tables.probe(&position)?;
    if as_json {
        let mut out = std::io::stdout().lock();
        let moves = moves.iter().map(|(m, entry)| {
            let mut about = json(entry);
            about["uci"] = position.uci(*m).into();
            about["san"] = position.san(*m).to_string().into();
            about
        });
        let moves: Vec<_> = moves.collect();
        let mut about = json(&entry);
        about["moves"] = moves.into();
        serde_json::to_writer_pretty(&mut out, &about)?;
        writeln!(out)?;
        return Ok(());
    }
    Ok(write!(crate::print::out(), "{}", told(&position, &entry, &moves))?)
}

/// What tables know of a position, for people.
pub(crate) fn told(
    position: &Position,
    entry: &TableEntry,
    moves: &[(Move, TableEntry)],
) -> String {
    let turn = position.turn().name();
    let mut text = format!("{turn} {entry}\n");
    if let Some(zeroing) = entry.zeroing {
        text += &format!("{zeroing} plies to a capture, a pawn move or mate\n");
    }
    let fate = entry.fate_at(position.halfmove_clock());
    if fate != entry.fate {
        text += &format!("With the clock at {}: {turn} {fate}\n", position.halfmove_clock());
    }
    for (m, entry) in moves {
        text += &format!("  {:7} {entry}\n", position.san(*m).to_string());
    }
    text
}

fn check_all(
    endings: &[Material],
    threads: Option<NonZeroUsize>,
    tables: &TablesArg,
) -> anyhow::Result<()> {
    let folder = tables.folder()?;
    let threads = threads.map_or(Maker::new(&folder).threads, NonZeroUsize::get);
    let stop = stop()?;
    let all: Vec<Material> = match endings {
        [] => tables.open()?.own().iter().map(TableInfo::material).collect(),
        endings => endings.to_vec(),
    };
    for ending in all {
        let start = Instant::now();
        let checked = check(&folder, ending, threads, &stop, &mut show);
        if crate::terminal::has_status_line() {
            eprint!("\r\x1b[K");
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{ending:8} {} positions follow from their moves, {seconds:.1} s", checked?);
    }
    Ok(())
}

fn syzygy(
    folder: &Path,
    endings: &[Material],
    threads: Option<NonZeroUsize>,
    tables: &TablesArg,
) -> anyhow::Result<()> {
    let own = tables.folder()?;
    let threads = threads.map_or(Maker::new(&own).threads, NonZeroUsize::get);
    let stop = stop()?;
    let mut all: Vec<Material> = match endings {
        [] => tables.open()?.own().iter().map(TableInfo::material).collect(),
        // Other programs ask for what comes of captures and promotions as well.
        endings => endings.iter().copied().flat_map(Material::with_all_before).collect(),
    };
    anyhow::ensure!(!all.is_empty(), "there are no tables; see tabiya tables make --help");
    let mut seen = std::collections::HashSet::new();
    all.retain(|&ending| seen.insert(ending));
    for ending in all {
        let start = Instant::now();
        let written = write_syzygy(&own, ending, folder, threads, &stop, &mut show);
        if crate::terminal::has_status_line() {
            eprint!("\r\x1b[K");
        }
        if !written? {
            continue;
        }
        let [results, distances] = ["rtbw", "rtbz"].map(|kind| {
            let path = folder.join(format!("{ending}.{kind}"));
            size(path.metadata().map_or(0, |about| about.len() as usize))
        });
        let seconds = start.elapsed().as_secs_f64();
        println!("{ending:8} results {results}, distances {distances}, {seconds:.1} s");
    }
    Ok(())
}
