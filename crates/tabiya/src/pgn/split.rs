use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::cutter::{Cutter, Note};
use super::form::{FormArgs, Writer};
use super::mill::{self, Input, Item};
use super::output::report;
use super::select::{Criteria, Select, day};

/// Nothing is overwritten: a file that is there already is an error.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn split --per-file 10000 --dir parts games.pgn
  tabiya pgn split --by year --dir years games.pgn")]
#[command(group = clap::ArgGroup::new("how").required(true))]
pub(super) struct Args {
    /// So many games in a file: 1.pgn, 2.pgn, …
    #[arg(long, value_name = "N", group = "how", value_parser = clap::value_parser!(u64).range(1..))]
    per_file: Option<u64>,

    /// A file for each of these.
    #[arg(long, value_enum, group = "how")]
    by: Option<By>,

    /// The folder for the files.
    #[arg(long, value_name = "FOLDER")]
    dir: PathBuf,

    #[command(flatten)]
    select: Select,

    #[command(flatten)]
    form: FormArgs,

    #[command(flatten)]
    input: Input,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Year,
    Event,
    Site,
    Eco,
    White,
    Black,
    Result,
}

/// So many files at most: a folder with more is a mistake.
const MOST_FILES: usize = 20_000;
/// So many are open at a time.
const MOST_OPEN: usize = 200;
/// What waits for a file is written when it is so long.
const WAITS: usize = 1 << 16;

#[derive(Default)]
struct Facts;

impl Note for Facts {
    type Value = [String; 7];

    fn value(&mut self, writer: &Writer<'_>) -> [String; 7] {
        let game = writer.game();
        let tag = |name: &str| game.tag_value(name).unwrap_or_default().to_owned();
        let year = day(&tag("Date")).map_or_else(String::new, |day| (day / 10_000).to_string());
        let result = match game.result() {
            tabiya_pgn::GameResult::WhiteWins => "1-0",
            tabiya_pgn::GameResult::BlackWins => "0-1",
            tabiya_pgn::GameResult::Draw => "draw",
            tabiya_pgn::GameResult::Unknown => "",
        };
        [year, tag("Event"), tag("Site"), tag("ECO"), tag("White"), tag("Black"), result.to_owned()]
    }
}

/// A name for a file on every system.
fn file_name(text: &str) -> String {
    let letters = text.trim().chars().map(|c| match c {
        c if c.is_control() => '_',
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        c => c,
    });
    let name: String = letters.take(80).collect();
    let name = name.trim_matches(['.', ' ', '_']);
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

/// The files, of which not too many are open.
struct Files<'a> {
    dir: &'a Path,
    head: String,
    /// What waits to be written, by name, and whether the file is there.
    all: HashMap<String, (Vec<u8>, bool)>,
    open: HashMap<String, File>,
}

impl Files<'_> {
    fn write(&mut self, name: String, text: &[u8]) -> anyhow::Result<()> {
        if !self.all.contains_key(&name) && self.all.len() == MOST_FILES {
            anyhow::bail!("that makes more than {MOST_FILES} files: split by something else");
        }
        let head = &self.head;
        let (waiting, _) =
            self.all.entry(name.clone()).or_insert_with(|| (head.clone().into_bytes(), false));
        waiting.extend_from_slice(text);
        if waiting.len() >= WAITS { self.flush(&name) } else { Ok(()) }
    }

    fn flush(&mut self, name: &str) -> anyhow::Result<()> {
        let Some((waiting, is_there)) = self.all.get_mut(name) else { return Ok(()) };
        let path = self.dir.join(format!("{name}.pgn"));
        let told = || format!("cannot write {}", path.display());
        if !self.open.contains_key(name) {
            if self.open.len() == MOST_OPEN {
                self.open.clear();
            }
            let mut options = OpenOptions::new();
            match *is_there {
                true => options.append(true),
                false => options.write(true).create_new(true),
            };
            self.open.insert(name.to_owned(), options.open(&path).with_context(told)?);
            *is_there = true;
        }
        if let Some(file) = self.open.get_mut(name) {
            file.write_all(waiting).with_context(told)?;
        }
        waiting.clear();
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let criteria = Criteria::new(&args.select)?;
    let network = args.form.network()?;
    let make = || Cutter::<Facts>::new(&criteria, &args.form, network.clone(), args.input.letters);
    std::fs::create_dir_all(&args.dir)
        .with_context(|| format!("cannot make {}", args.dir.display()))?;
    let mut files =
        Files { dir: &args.dir, head: args.form.head(), all: HashMap::new(), open: HashMap::new() };
    let mut written = 0_u64;
    let totals = mill::run(&args.input, make, |item| {
        match item {
            Item::Bad(line) => eprintln!("{line}"),
            Item::Remark(_) => {}
            Item::Game { text, note, .. } => {
                let name = match (args.per_file, args.by) {
                    (Some(most), _) => (written / most + 1).to_string(),
                    (None, Some(by)) => file_name(&note[by as usize]),
                    (None, None) => "games".to_owned(),
                };
                files.write(name, text)?;
                written += 1;
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let names: Vec<String> = files.all.keys().cloned().collect();
    for name in &names {
        files.flush(name)?;
    }
    eprintln!("{}", super::count(names.len() as u64, "file"));
    report(written, totals)
}
