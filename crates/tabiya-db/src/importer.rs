//! How games come into a database.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use crate::collect::Incoming;
use crate::error::{At, DbError};
use crate::manifest::{ImportedFile, Lock, Manifest, SegmentEntry, is_left_at_first};
use crate::record::StoredGame;
use crate::run::{LARGEST, RunBuilder, Seen, part, steps};
use crate::segment::{self, Columns, Segment};

/// So many games are a file.
const SEGMENT: usize = 131_072;
/// So many indexes of about the same size become one.
const FAN: usize = 4;

/// Adds games to a database. Nothing of them is seen in it before [`Importer::finish`]; what was written until an
/// import is cut off is not lost: the next one goes on with it.
///
/// ```
/// use tabiya_db::{Database, Importer, incoming};
///
/// let folder = tempfile::tempdir()?;
/// let mut importer = Importer::open(folder.path(), || eprintln!("waiting"))?;
/// for game in incoming("1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. e4 e5 1-0\n") {
///     importer.add(game)?;
/// }
/// let imported = importer.finish()?;
/// assert_eq!((imported.added, imported.duplicates), (2, 1));
/// assert_eq!(Database::open(folder.path())?.games(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Importer {
    folder: PathBuf,
    manifest: Manifest,
    /// What has been read, also of what is not on the disk yet.
    sources: Vec<ImportedFile>,
    indexed: Vec<Seen>,
    /// The games that are not in an index.
    fresh: HashSet<u64>,
    batch: Vec<(Incoming, u64)>,
    /// So many games are written together.
    together: usize,
    builder: Option<RunBuilder>,
    /// Writes a batch while the next one is read.
    writing: Option<JoinHandle<Result<Written, DbError>>>,
    imported: ImportCount,
    _lock: Lock,
}

struct Written {
    builder: RunBuilder,
    entry: SegmentEntry,
    sources: Vec<ImportedFile>,
}

/// What an import did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImportCount {
    /// Games that are new.
    pub added: u64,
    /// Games that an import that was cut off had brought.
    pub resumed: u64,
    /// Games that were there already, and were left out.
    pub duplicates: u64,
}

/// Whether something lies in a folder that an import which was cut off at its very beginning does not leave behind.
fn holds_others(folder: &Path) -> Result<bool, DbError> {
    for entry in std::fs::read_dir(folder).at(folder)? {
        let name = entry.at(folder)?.file_name();
        if !is_left_at_first(&name.to_string_lossy()) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Importer {
    /// The database in a folder, which is made if it is not there. While somebody else changes it, this waits, and
    /// says so by the function.
    pub fn open(folder: &Path, waits: impl FnOnce()) -> Result<Importer, DbError> {
        std::fs::create_dir_all(folder).at(folder)?;
        // In this order: another import that begins now writes the list before anything else that is seen here.
        if holds_others(folder)? && Manifest::read(folder)?.is_none() {
            return Err(DbError::Question(format!(
                "{} is neither empty nor a database of games",
                folder.display()
            )));
        }
        let lock = Lock::take(folder, waits)?;
        let known = Manifest::read(folder)?;
        if known.is_none() {
            Manifest::empty().write(folder)?;
        }
        let manifest = known.unwrap_or_else(Manifest::empty);
        manifest.sweep(folder)?;
        let indexed =
            manifest.runs.iter().map(|run| Seen::open(folder, run)).collect::<Result<_, _>>()?;
        let mut importer = Importer {
            folder: folder.to_owned(),
            sources: manifest.sources.clone(),
            manifest,
            indexed,
            fresh: HashSet::new(),
            batch: Vec::new(),
            together: SEGMENT,
            builder: None,
            writing: None,
            imported: ImportCount::default(),
            _lock: lock,
        };
        importer.take_up()?;
        Ok(importer)
    }

    /// So many games are written together: fewer take less memory, and less is lost when an import is cut off, but
    /// files become many. 131,072 if nothing is said.
    #[must_use]
    pub fn with_batch(self, games: usize) -> Importer {
        Importer { together: games.clamp(1, SEGMENT), ..self }
    }

    /// Indexes what an import that was cut off has brought.
    fn take_up(&mut self) -> Result<(), DbError> {
        let pending = self.manifest.segments[self.manifest.indexed()..].to_vec();
        if pending.is_empty() {
            return Ok(());
        }
        let mut builder = RunBuilder::new(&self.folder);
        for segment in &pending {
            let path = self.folder.join(&segment.file);
            for_each_game(&path, segment.games, Columns::INDEXED, |incoming| {
                let identity = incoming.identity();
                self.fresh.insert(identity);
                self.imported.resumed += 1;
                builder.add(&incoming.record, &incoming.steps, identity)
            })?;
        }
        self.builder = Some(builder);
        Ok(())
    }

    /// Begins with a source, and tells how much of it has been read already.
    pub fn source(
        &mut self,
        name: &str,
        size: Option<u64>,
        modified: Option<u64>,
    ) -> SourceProgress {
        let same = |source: &ImportedFile| {
            source.name == name && source.size == size && source.modified == modified
        };
        match self.sources.iter().position(|source| source.name == name) {
            Some(at) if same(&self.sources[at]) && size.is_some() => {
                let source = self.sources.remove(at);
                let progress = match source.done {
                    true => SourceProgress::Done,
                    false => SourceProgress::At(Reached {
                        bytes: source.read,
                        lines: source.lines,
                        games: source.games,
                    }),
                };
                self.sources.push(source);
                progress
            }
            known => {
                if let Some(at) = known {
                    self.sources.remove(at);
                }
                self.sources.push(ImportedFile {
                    name: name.to_owned(),
                    size,
                    modified,
                    read: 0,
                    lines: 0,
                    games: 0,
                    done: false,
                });
                SourceProgress::At(Reached::default())
            }
        }
    }

    /// The games of a source have been added as far as this, or all of them.
    pub fn mark(&mut self, name: &str, reached: Reached, done: bool) -> Result<(), DbError> {
        if let Some(source) = self.sources.iter_mut().rfind(|source| source.name == name) {
            (source.read, source.lines, source.games) =
                (reached.bytes, reached.lines, reached.games);
            source.done = done;
        }
        if self.batch.len() >= self.together { self.flush() } else { Ok(()) }
    }

    /// Adds a game; false if it is there already.
    pub fn add(&mut self, game: Incoming) -> Result<bool, DbError> {
        let identity = game.identity();
        let is_known =
            self.indexed.iter().any(|seen| seen.contains(identity)) || !self.fresh.insert(identity);
        if is_known {
            self.imported.duplicates += 1;
            return Ok(false);
        }
        self.imported.added += 1;
        self.batch.push((game, identity));
        // A source that never says how far it is must not fill the memory.
        if self.batch.len() >= 2 * self.together {
            self.flush()?;
        }
        Ok(true)
    }

    /// Games added so far.
    pub fn imported(&self) -> ImportCount {
        self.imported
    }

    /// Begins to write what has been read.
    fn flush(&mut self) -> Result<(), DbError> {
        self.settle()?;
        if self.batch.is_empty() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        let mut builder = self.builder.take().unwrap_or_else(|| RunBuilder::new(&self.folder));
        if u64::from(builder.games()) + batch.len() as u64 > u64::from(LARGEST) {
            self.finish_run(builder)?;
            builder = RunBuilder::new(&self.folder);
        }
        let file = self.manifest.fresh("games") + ".parquet";
        let path = self.folder.join(&file);
        let sources = self.sources.clone();
        self.writing = Some(std::thread::spawn(move || {
            let (mut batch, mut builder) = (batch, builder);
            // By date, so that a question about some years passes over most of a file.
            batch.sort_by_key(|(game, _)| game.record.day);
            let games: Vec<&StoredGame> = batch.iter().map(|(game, _)| &game.record).collect();
            let bytes = segment::write(&path, &games)?;
            let games = games.len() as u32;
            for (game, identity) in &batch {
                builder.add(&game.record, &game.steps, *identity)?;
            }
            Ok(Written { builder, entry: SegmentEntry { file, games, bytes }, sources })
        }));
        Ok(())
    }

    /// Waits until what is being written is on the disk, and enters it.
    fn settle(&mut self) -> Result<(), DbError> {
        let Some(writing) = self.writing.take() else { return Ok(()) };
        let written = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        self.manifest.segments.push(written.entry);
        self.manifest.sources = written.sources;
        self.manifest.write(&self.folder)?;
        self.builder = Some(written.builder);
        Ok(())
    }

    /// Writes the index of all that has none.
    fn finish_run(&mut self, builder: RunBuilder) -> Result<(), DbError> {
        let name = self.manifest.fresh("index");
        let segments = self.manifest.segments.len() - self.manifest.indexed();
        let run = builder.finish(&name, segments, threads())?;
        self.indexed.push(Seen::open(&self.folder, &run)?);
        self.manifest.runs.push(run);
        self.manifest.write(&self.folder)?;
        self.fresh.clear();
        Ok(())
    }

    /// Writes what is left and the index, and lets others see all of it. Several small indexes become one.
    pub fn finish(mut self) -> Result<ImportCount, DbError> {
        self.flush()?;
        self.settle()?;
        if let Some(builder) = self.builder.take() {
            self.finish_run(builder)?;
        }
        if self.manifest.sources != self.sources {
            self.manifest.sources.clone_from(&self.sources);
            self.manifest.write(&self.folder)?;
        }
        self.merge_last()?;
        Ok(self.imported)
    }

    /// Makes as few indexes as there can be. Tells how many there were and are.
    pub fn merge(mut self) -> Result<(usize, usize), DbError> {
        if let Some(builder) = self.builder.take() {
            self.finish_run(builder)?;
        }
        let before = self.manifest.runs.len();
        let mut first = 0;
        while first < self.manifest.runs.len() {
            let mut games = 0;
            let sizes = self.manifest.runs[first..].iter().map(|run| u64::from(run.games));
            let count = sizes
                .take_while(|size| {
                    games += size;
                    games <= LARGEST.into()
                })
                .count();
            if count > 1 {
                self.merge_runs(first, first + count)?;
            }
            first += 1;
        }
        Ok((before, self.manifest.runs.len()))
    }

    /// Several indexes at the end of about the same size become one, so that there are never many.
    fn merge_last(&mut self) -> Result<(), DbError> {
        loop {
            let runs = &self.manifest.runs;
            let Some(first) = runs.len().checked_sub(FAN) else { return Ok(()) };
            let last = &runs[first..];
            let level =
                |games: u32| (games / 4096).checked_ilog(FAN as u32).map_or(0, |log| log + 1);
            let newest = level(last[FAN - 1].games);
            let all: u64 = last.iter().map(|run| u64::from(run.games)).sum();
            if last.iter().any(|run| level(run.games) > newest) || all > LARGEST.into() {
                return Ok(());
            }
            self.merge_runs(first, first + FAN)?;
        }
    }

    /// Makes one index of several; of small files of games one as well. No game changes its number.
    fn merge_runs(&mut self, first: usize, end: usize) -> Result<(), DbError> {
        let count = |runs: &[crate::manifest::RunEntry]| runs.iter().map(|run| run.segments).sum();
        let start: usize = count(&self.manifest.runs[..first]);
        let segments: usize = count(&self.manifest.runs[first..end]);
        let old = self.manifest.segments[start..start + segments].to_vec();
        let games: u64 = old.iter().map(|one| u64::from(one.games)).sum();
        let joins = segments > 1 && games <= SEGMENT as u64;
        let columns = if joins { Columns::ALL } else { Columns::INDEXED };
        let mut builder = RunBuilder::new(&self.folder);
        let mut all = Vec::new();
        for segment in &old {
            let path = self.folder.join(&segment.file);
            for_each_game(&path, segment.games, columns, |incoming| {
                builder.add(&incoming.record, &incoming.steps, incoming.identity())?;
                if joins {
                    all.push(incoming.record);
                }
                Ok(())
            })?;
        }
        let mut manifest = self.manifest.clone();
        if joins {
            let file = manifest.fresh("games") + ".parquet";
            let bytes = segment::write(&self.folder.join(&file), &all.iter().collect::<Vec<_>>())?;
            let entry = SegmentEntry { file, games: games as u32, bytes };
            manifest.segments.splice(start..start + segments, [entry]);
        }
        let name = manifest.fresh("index");
        let run = builder.finish(&name, if joins { 1 } else { segments }, threads())?;
        let seen = Seen::open(&self.folder, &run)?;
        manifest.runs.splice(first..end, [run]);
        manifest.write(&self.folder)?;
        self.indexed.splice(first..end, [seen]);
        self.manifest = manifest;
        self.manifest.sweep(&self.folder)
    }
}

/// How much of a source has been imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceProgress {
    /// All of it, and it has not changed since.
    Done,
    /// So much; it goes on from there.
    At(Reached),
}

/// How far a source has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// So many bytes; packed ones count unpacked.
    pub bytes: u64,
    /// So many lines.
    pub lines: u64,
    /// So many games, bad ones and duplicates included.
    pub games: u64,
}

pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The games of a file with their positions.
pub(crate) fn for_each_game(
    path: &Path,
    games: u32,
    columns: Columns,
    mut take: impl FnMut(Incoming) -> Result<(), DbError>,
) -> Result<(), DbError> {
    let segment = Segment::open(path)?;
    if segment.games() != games {
        return Err(DbError::damaged(path, format!("it has not {games} games")));
    }
    let mut number = 0;
    for group in 0..segment.groups() {
        for record in segment.read(group, columns)? {
            number += 1;
            let Some(steps) = steps(&record) else {
                let what = format!("the moves of its game {number} cannot be played");
                return Err(DbError::damaged(path, what));
            };
            take(Incoming { record, steps })?;
        }
    }
    Ok(())
}

/// Compares an index with one that is made anew of the games.
pub(crate) fn compare_index(
    folder: &Path,
    segments: &[SegmentEntry],
    run: &crate::manifest::RunEntry,
) -> Result<(), DbError> {
    // Beside the database, so that nothing in it changes.
    let beside = folder.join(format!("check-{}", std::process::id()));
    std::fs::create_dir_all(&beside).at(&beside)?;
    let compared = (|| {
        let mut builder = RunBuilder::new(&beside);
        for segment in segments {
            for_each_game(&folder.join(&segment.file), segment.games, Columns::INDEXED, |game| {
                builder.add(&game.record, &game.steps, game.identity())
            })?;
        }
        builder.finish(&run.name, run.segments, threads())?;
        for kind in crate::run::PARTS {
            let (ours, anew) = (part(folder, &run.name, kind), part(&beside, &run.name, kind));
            if crate::bytes::map(&ours)? != crate::bytes::map(&anew)? {
                return Err(DbError::damaged(&ours, "it is not the index of the games"));
            }
        }
        Ok(())
    })();
    let removed = std::fs::remove_dir_all(&beside).at(&beside);
    compared.and(removed)
}
