use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Instant, UNIX_EPOCH};

use serde_json::json;
use tabiya_chess::Position;
use tabiya_db::{Collector, Importer, Incoming, Reached, SourceProgress};
use tabiya_pgn::{GameResult, Interest, Nag, Played, RawTag, Visitor};

use crate::pgn::mill::{self, BlockResult, Input, Item, Part, Place, Worker};
use crate::print::{count, grouped};

/// Files may be packed (.gz, .zst, .bz2). A game that is in the database already is left out; each bad one is a line
/// of standard output, and the next one is read. What was read until the import is cut off is not lost: give the same
/// files again, and it goes on.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    folder: super::Folder,

    /// Leave out comments, variations and judgements.
    #[arg(long)]
    bare: bool,

    /// Write so many games together: fewer take less memory, and less is lost when an import is cut off, but files
    /// become many.
    #[arg(long, value_name = "GAMES", default_value_t = 131_072, value_parser = clap::value_parser!(u32).range(1..=131_072))]
    batch: u32,

    #[command(flatten)]
    input: Input,
}

/// A collector that reads blocks of games.
struct Reading(Collector);

impl Visitor for Reading {
    fn begin_game(&mut self) {
        self.0.begin_game();
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        self.0.tag(tag);
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        self.0.begin_moves(start)
    }

    #[inline]
    fn played(&mut self, played: &Played<'_>) {
        self.0.played(played);
    }

    fn nag(&mut self, nag: Nag) {
        self.0.nag(nag);
    }

    fn comment(&mut self, text: &[u8]) {
        self.0.comment(text);
    }

    fn begin_variation(&mut self) -> Interest {
        self.0.begin_variation()
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.0.end_game(result);
    }
}

impl Worker for Reading {
    type Note = Incoming;

    fn good(&mut self, text: &[u8], result: &mut BlockResult<Incoming>) {
        match self.0.objection() {
            Some(objection) => result.remark(objection.to_owned()),
            None => result.keep(self.0.take(text), |_| ()),
        }
    }
}

pub(super) fn run(args: &Args, as_json: bool) -> anyhow::Result<()> {
    let clock = Instant::now();
    let folder = &args.folder.database;
    let mut importer =
        Importer::open(folder, super::waits(folder))?.with_batch(args.batch as usize);
    let mut names = Vec::new();
    let mut parts = Vec::new();
    let mut known = 0;
    for file in &args.input.files {
        let (name, size, modified) = identity(file);
        parts.push(match importer.source(&name, size, modified) {
            SourceProgress::Done => {
                known += 1;
                Part::None
            }
            SourceProgress::At(Reached { bytes, lines, games }) => {
                Part::From(Place { bytes, lines, games })
            }
        });
        names.push(name);
    }
    let importer = RefCell::new(importer);
    let mut told = Vec::new();
    let totals = mill::run_parts(
        &args.input,
        &parts,
        || Reading(Collector::new(!args.bare)),
        |item| {
            match item {
                Item::Game { note, .. } => {
                    importer.borrow_mut().add(note)?;
                }
                Item::Bad(line) | Item::Remark(_, line) if as_json => told.push(line),
                Item::Bad(line) | Item::Remark(_, line) => println!("{line}"),
            }
            Ok(ControlFlow::Continue(()))
        },
        |file, Place { bytes, lines, games }, done| {
            let reached = Reached { bytes, lines, games };
            Ok(importer.borrow_mut().mark(&names[file], reached, done)?)
        },
    )?;
    let imported = importer.into_inner().finish()?;
    let seconds = clock.elapsed().as_secs_f64();
    if as_json {
        return super::print_json(&json!({
            "read": totals.games,
            "added": imported.added,
            "resumed": imported.resumed,
            "duplicates": imported.duplicates,
            "bad": totals.bad,
            "known_files": known,
            "told": told,
            "seconds": seconds,
        }));
    }
    if known > 0 {
        println!("{} had been imported already", count(known, "file"));
    }
    if imported.resumed > 0 {
        println!("{} of an import that was cut off", count(imported.resumed, "game"));
    }
    println!(
        "{} added, {} left out as duplicates, {} cannot be read",
        count(imported.added, "game"),
        grouped(imported.duplicates),
        grouped(totals.bad)
    );
    eprintln!("{seconds:.3} s");
    Ok(())
}

/// By what a file is known again: its full name, its length and when it was changed last.
fn identity(file: &str) -> (String, Option<u64>, Option<u64>) {
    if file == "-" {
        return ("-".to_owned(), None, None);
    }
    let path = std::fs::canonicalize(file).unwrap_or_else(|_| Path::new(file).to_owned());
    let data = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file);
    let modified = data.as_ref().and_then(|data| data.modified().ok());
    let seconds = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (
        path.to_string_lossy().into_owned(),
        data.map(|data| data.len()),
        seconds.map(|time| time.as_secs()),
    )
}
