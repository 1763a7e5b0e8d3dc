use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tabiya_db::Day;
use tabiya_pgn::files::Blocks;

use super::cutter::{Cutter, Note};
use super::form::{FormArgs, Format, Writer};
use super::mill::{self, Input, Item};
use super::output::{GameSink, report};
use super::select::{Criteria, Select};
use crate::print::count;

/// Nothing is overwritten: a file that is there already is an error.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabiya pgn split --per-file 10000 --dir parts games.pgn
  tabiya pgn split --by year --dir years games.pgn")]
#[command(group = clap::ArgGroup::new("how").required(true))]
pub(super) struct Args {
    /// So many games in a file: 1.pgn, 2.pgn, … (other formats have other endings)
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
        let year = match Day::of_tag(&tag("Date")).0 / 10_000 {
            0 => String::new(),
            year => year.to_string(),
        };
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
    /// How their names end.
    ending: &'static str,
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
        let path = self.dir.join(format!("{name}.{}", self.ending));
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
    // A table is written in one go: until then its games wait as text.
    let texts = match args.form.format() {
        Format::Parquet => Some(
            tempfile::tempdir_in(&args.dir).context("cannot make a folder for games to wait in")?,
        ),
        _ => None,
    };
    let mut files = Files {
        dir: texts.as_ref().map_or(args.dir.as_path(), |texts| texts.path()),
        ending: if texts.is_some() { "pgn" } else { args.form.format().ending() },
        head: args.form.head(),
        all: HashMap::new(),
        open: HashMap::new(),
    };
    let mut written = 0_u64;
    let totals = mill::run(&args.input, make, |item| {
        match item {
            Item::Bad(line) | Item::Remark(_, line) => eprintln!("{line}"),
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
    if let Some(texts) = &texts {
        for name in &names {
            let text = texts.path().join(format!("{name}.pgn"));
            written -= make_table(args, &text, &args.dir.join(format!("{name}.parquet")))?;
        }
    }
    eprintln!("{}", count(names.len() as u64, "file"));
    report(written, totals)
}

/// Makes a table of the games of a file. Tells how many there is no place for.
fn make_table(args: &Args, text: &Path, table: &Path) -> anyhow::Result<u64> {
    let told = || format!("cannot write {}", table.display());
    let file = OpenOptions::new().write(true).create_new(true).open(table).with_context(told)?;
    let mut out = BufWriter::new(file);
    let mut blocks = Blocks::new(File::open(text)?);
    let left_out = GameSink::with(&args.form, &mut out, |sink| {
        let mut left_out = 0;
        while let Some(block) = blocks.next()? {
            left_out += sink.write(&block)?;
        }
        Ok(left_out)
    })?;
    out.flush().with_context(told)?;
    Ok(left_out)
}
