//! Reviews of the games of a file.

mod input;
mod summary;
mod work;

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use indicatif::ProgressBar;
use tabiya_base::Stop;
use tabiya_pgn::Game;
use tabiya_review::{Graph, Review, ReviewSettings, SideFile};

use input::Input;
use work::{Done, Work};

/// Review games: what each move was worth, mistakes with the better line, accuracy, opening.
///
/// The engine looks at every position of the main line of each game. A move is an inaccuracy (?!), a mistake (?) or a
/// blunder (??) when it gives away 5, 10 or 15 points of winning chances in a hundred. The same game with the same
/// --nodes always has the same review.
///
/// Without -o and --json a summary is printed. With -o FILE every finished game is kept in FILE.part at once: after
/// a break, the same command goes on where it was. Nothing else has to be remembered.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya review game.pgn                            a summary for people
  tabiya review games.pgn -o reviewed.pgn           [%eval], glyphs, comments and better lines
  tabiya review games.pgn --nodes 1000000 -o deep.pgn
  tabiya review game.pgn --svg graph.svg            a picture of the game
  tabiya review games.pgn --json > reviews.jsonl    one line of JSON for each game
  tabiya games export 12 | tabiya review -          a game you have played
What the numbers mean: docs/review.md")]
pub(crate) struct Args {
    /// The games, as PGN; - for standard input.
    #[arg(value_name = "FILE")]
    file: String,

    /// How many positions the engine looks at for each position of a game.
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(ReviewSettings::LEAST_NODES..=10_000_000_000))]
    nodes: u64,

    /// How many games to review at a time (else as many as the machine has cores).
    #[arg(long, value_name = "T")]
    threads: Option<NonZeroUsize>,

    /// Write the games with their reviews to this file; - for standard output.
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,

    /// Draw winning chances; of several games GRAPH-1.svg, GRAPH-2.svg and so on.
    #[arg(long, value_name = "GRAPH")]
    svg: Option<PathBuf>,

    /// Ask the tables of endings in this folder first.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Print reviews as JSON, one line for each game.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let to_stdout = args.out.as_deref() == Some(Path::new("-"));
    anyhow::ensure!(!(to_stdout && args.json), "standard output cannot take both PGN and JSON");
    let tables = args.tables.as_ref().map(crate::tables::open_folder).transpose()?.map(Arc::new);
    let settings = ReviewSettings { nodes: args.nodes, tables, ..ReviewSettings::default() };
    let mut input = Input::open(&args.file)?;
    for complaint in &input.complaints {
        eprintln!("{}:{complaint}", args.file);
    }
    let mut side = match &args.out {
        Some(out) if !to_stdout => Some(SideFile::open(out, &input.fingerprint(&settings))?),
        _ => None,
    };
    let stop = Stop::default();
    let theirs = stop.clone();
    ctrlc::set_handler(move || theirs.stop()).context("cannot listen for Ctrl-C")?;
    let bar = bar(input.positions());
    let threads = args
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let games = input.games.len();
    let mut printer = Printer { args, to_stdout, games, printed: 0 };
    let work = Work { settings: &settings, stop: &stop, bar: &bar };
    let result =
        work.run(input.reader()?, threads, side.as_mut(), |done| printer.print(done, &bar));
    bar.finish_and_clear();
    let finished = result?;
    if stop.is_stopped() && finished < games {
        match side {
            Some(side) => anyhow::bail!(
                "stopped: {} of {games} games are done and kept in {}; the same command goes on from there",
                side.len(),
                side.path().display()
            ),
            None => anyhow::bail!("stopped after {finished} of {games} games"),
        }
    }
    if let (Some(side), Some(out)) = (side, &args.out) {
        side.finish(out)?;
    }
    match input.complaints.len() {
        0 => Ok(()),
        1 => anyhow::bail!("1 game of {} cannot be read", args.file),
        bad => anyhow::bail!("{bad} games of {} cannot be read", args.file),
    }
}

/// A bar on standard error if somebody looks at it.
fn bar(positions: u64) -> ProgressBar {
    let template = "{msg} {wide_bar} {human_pos} of {human_len} positions, {eta} left";
    crate::terminal::bar(Some(positions), template).with_message("reviewing")
}

/// Tells of finished games in the order of the file.
struct Printer<'a> {
    args: &'a Args,
    to_stdout: bool,
    games: usize,
    printed: usize,
}

impl Printer<'_> {
    fn print(&mut self, done: &Done, bar: &ProgressBar) -> anyhow::Result<()> {
        let Done { number, game, review } = done;
        if let Some(svg) = &self.args.svg {
            draw(&self.graph_name(svg, *number), game, review)?;
        }
        let text = if self.args.json {
            format!("{}\n", json(*number, game, review))
        } else if self.to_stdout {
            format!("{}{game}", if self.printed == 0 { "" } else { "\n" })
        } else if self.args.out.is_none() {
            let between = if self.printed == 0 { "" } else { "\n" };
            format!("{between}{}", summary::summary(*number, self.games, game, review))
        } else {
            String::new()
        };
        self.printed += 1;
        bar.suspend(|| {
            let is_for_people = !self.args.json && self.args.out.is_none();
            let mut out: Box<dyn io::Write> = match is_for_people {
                true => Box::new(crate::print::out()),
                false => Box::new(io::stdout().lock()),
            };
            out.write_all(text.as_bytes())?;
            out.flush()
        })?;
        Ok(())
    }

    /// `graph.svg`, or `graph-7.svg` for the seventh game of several.
    fn graph_name(&self, svg: &Path, number: u64) -> PathBuf {
        if self.games == 1 {
            return svg.to_owned();
        }
        let stem = svg.file_stem().unwrap_or_default().to_string_lossy();
        let ending =
            svg.extension().map_or_else(|| "svg".into(), |ending| ending.to_string_lossy());
        svg.with_file_name(format!("{stem}-{number}.{ending}"))
    }
}

fn draw(path: &Path, game: &Game, review: &Review) -> anyhow::Result<()> {
    let name = |tag, unknown: &str| match game.tag(tag) {
        None | Some("?" | "") => unknown.to_owned(),
        Some(name) => name.to_owned(),
    };
    let players = [name("White", "White"), name("Black", "Black")];
    let svg = review.graph(&Graph { players, ..Graph::default() });
    tabiya_base::write_atomically(path, |file| file.write_all(svg.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn json(number: u64, game: &Game, review: &Review) -> serde_json::Value {
    let tags: serde_json::Map<String, serde_json::Value> =
        game.tags().map(|(name, value)| (name.to_owned(), value.into())).collect();
    serde_json::json!({ "game": number, "tags": tags, "review": review.json() })
}
