//! What is to be analysed, in its order: read as often as it is needed, never all at once.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context as _;
use tabiya_analysis::{AnalysisSettings, AnalysisTask, MOST_POSITIONS};
use tabiya_base::Stop;
use tabiya_chess::Position;
use tabiya_db::Database;
use tabiya_pgn::files;
use tabiya_pgn::{Game, ReadError, Reader};

/// So many games of a database are read together.
const TOGETHER: u64 = 1024;

pub(super) struct Input {
    sources: Vec<Source>,
    settings: AnalysisSettings,
    bad: AtomicU64,
}

struct Source {
    name: String,
    kind: Kind,
}

enum Kind {
    Games,
    /// What came in by standard input, which cannot be read twice.
    Copy(File),
    Positions,
    Database(Box<Database>),
}

/// What one job is about.
pub(super) struct Task {
    /// As it is entered.
    pub(super) task: AnalysisTask,
    pub(super) entries: Vec<Entry>,
}

/// One game or position of the input.
pub(super) struct Entry {
    /// The file, and the number in it.
    pub(super) file: String,
    pub(super) number: u64,
    pub(super) what: What,
}

pub(super) enum What {
    Game(Box<Game>),
    /// A position, and what stands behind it.
    Position(Position, String),
}

impl Task {
    /// In positions.
    pub(super) fn cost(&self) -> u64 {
        let of = |entry: &Entry| match &entry.what {
            What::Game(game) => game.to_play().moves().len() as u64 + 1,
            What::Position(..) => 1,
        };
        self.entries.iter().map(of).sum()
    }
}

type Take<'a> = &'a mut dyn FnMut(Entry) -> anyhow::Result<()>;

impl Input {
    pub(super) fn open(files: &[String], settings: AnalysisSettings) -> anyhow::Result<Input> {
        let mut sources = Vec::with_capacity(files.len());
        for name in files {
            let kind = kind(name)?;
            let is_game = !matches!(kind, Kind::Positions);
            anyhow::ensure!(
                settings.multipv == 1 || !is_game,
                "--multipv is for positions (.fen, .epd), and {name} has games: a review shows one better line"
            );
            sources.push(Source { name: name.clone(), kind });
        }
        let copies = sources.iter().filter(|source| matches!(source.kind, Kind::Copy(_))).count();
        anyhow::ensure!(copies < 2, "standard input (-) can be read only once");
        Ok(Input { sources, settings, bad: AtomicU64::new(0) })
    }

    /// The names of all files.
    pub(super) fn names(&self) -> String {
        self.sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// How many entries could not be read, the last time.
    pub(super) fn bad(&self) -> u64 {
        self.bad.load(Ordering::Relaxed)
    }

    /// Hands on all jobs in their order. What cannot be read is left out, and told if somebody wants to hear it.
    pub(super) fn tasks(
        &self,
        tells: bool,
        stop: &Stop,
        mut take: impl FnMut(Task) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut positions: Vec<Entry> = Vec::new();
        let hand_on = |positions: &mut Vec<Entry>,
                       take: &mut dyn FnMut(Task) -> anyhow::Result<()>| {
            let entries = std::mem::take(positions);
            let found: Vec<Position> = entries
                .iter()
                .filter_map(|entry| match &entry.what {
                    What::Position(position, _) => Some(*position),
                    What::Game(_) => None,
                })
                .collect();
            match found.is_empty() {
                true => Ok(()),
                false => {
                    take(Task { task: AnalysisTask::of_positions(&found, &self.settings), entries })
                }
            }
        };
        self.bad.store(0, Ordering::Relaxed);
        for source in &self.sources {
            source.each(&self.bad, tells, &mut |entry| {
                anyhow::ensure!(
                    !stop.is_stopped(),
                    "stopped while the input was read; the same command goes on from there"
                );
                match &entry.what {
                    What::Game(game) => {
                        let task = AnalysisTask::of_game(game, &self.settings);
                        take(Task { task, entries: vec![entry] })
                    }
                    What::Position(..) => {
                        positions.push(entry);
                        if positions.len() == MOST_POSITIONS {
                            hand_on(&mut positions, &mut take)?;
                        }
                        Ok(())
                    }
                }
            })?;
            // Games that follow come behind.
            hand_on(&mut positions, &mut take)?;
        }
        Ok(())
    }
}

fn kind(name: &str) -> anyhow::Result<Kind> {
    if name == "-" {
        let mut copy = tempfile::tempfile().context("cannot keep what comes in")?;
        io::copy(&mut files::open(name)?.bytes, &mut copy).context("cannot read standard input")?;
        return Ok(Kind::Copy(copy));
    }
    if Path::new(name).is_dir() {
        return Ok(Kind::Database(Box::new(Database::open(Path::new(name))?)));
    }
    // It is there, and can be read.
    files::open(name)?;
    let plain = [".gz", ".zst", ".bz2"].iter().find_map(|packed| name.strip_suffix(packed));
    let plain = plain.unwrap_or(name).to_ascii_lowercase();
    let is_positions = plain.ends_with(".fen") || plain.ends_with(".epd");
    Ok(if is_positions { Kind::Positions } else { Kind::Games })
}

impl Source {
    fn each(&self, bad: &AtomicU64, tells: bool, take: Take<'_>) -> anyhow::Result<()> {
        match &self.kind {
            Kind::Games => self.games(files::open(&self.name)?.bytes, bad, tells, take),
            Kind::Copy(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(0))?;
                self.games(Box::new(file), bad, tells, take)
            }
            Kind::Positions => self.positions(bad, tells, take),
            Kind::Database(database) => self.database(database, take),
        }
    }

    fn complain(&self, bad: &AtomicU64, tells: bool, complaint: &dyn std::fmt::Display) {
        bad.fetch_add(1, Ordering::Relaxed);
        if tells {
            eprintln!("{}:{complaint}", self.name);
        }
    }

    fn entry(&self, number: u64, what: What) -> Entry {
        Entry { file: self.name.clone(), number, what }
    }

    fn games(
        &self,
        bytes: Box<dyn io::Read + Send>,
        bad: &AtomicU64,
        tells: bool,
        take: Take<'_>,
    ) -> anyhow::Result<()> {
        let mut reader = Reader::new(bytes);
        loop {
            match reader.next_game() {
                Ok(Some(game)) => {
                    take(self.entry(reader.games_read(), What::Game(Box::new(game))))?;
                }
                Ok(None) => return Ok(()),
                Err(ReadError::BadGame(game)) => self.complain(bad, tells, &game),
                Err(ReadError::Io(error)) => {
                    return Err(error).with_context(|| format!("cannot read {}", self.name));
                }
            }
        }
    }

    fn positions(&self, bad: &AtomicU64, tells: bool, take: Take<'_>) -> anyhow::Result<()> {
        let lines = BufReader::new(files::open(&self.name)?.bytes).lines();
        for (line, number) in lines.zip(1..) {
            let line = line.with_context(|| format!("cannot read {}", self.name))?;
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            match tabiya_lab::read_epd(&line) {
                Ok((position, rest)) => {
                    let rest = rest.trim().to_owned();
                    take(self.entry(number, What::Position(position, rest)))?;
                }
                Err(error) => self.complain(bad, tells, &format!("{number}: {error}")),
            }
        }
        Ok(())
    }

    fn database(&self, database: &Database, take: Take<'_>) -> anyhow::Result<()> {
        let mut next = 1;
        while next <= database.games() {
            let last = database.games().min(next + TOGETHER - 1);
            let numbers: Vec<u64> = (next..=last).collect();
            for (stored, number) in database.records(&numbers)?.iter().zip(next..) {
                let game = stored
                    .pgn()
                    .parse()
                    .with_context(|| format!("{}: game {number}", self.name))?;
                take(self.entry(number, What::Game(Box::new(game))))?;
            }
            next = last + 1;
        }
        Ok(())
    }
}
