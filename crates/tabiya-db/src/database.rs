//! A database, open for questions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;
use tabiya_pgn::GameResult;

use crate::collection::Collection;
use crate::error::DbError;
use crate::filter::{Chosen, Filter};
use crate::heads::{Head, eco_code};
use crate::layer::Layer;
use crate::manifest::{ImportedFile, Manifest};
use crate::record::{Day, Speed, StoredGame};
use crate::run::Run;
use crate::segment::{Columns, Segment};

/// So many answers to filters are kept.
const KEPT: usize = 8;
/// So often a database that changes while it is opened is tried again.
const TRIES: usize = 20;

/// A database, open for questions: as it was when it was opened, whatever is added meanwhile. Games have numbers from
/// 1, which they keep. Several databases that were made one by [`collect`](crate::collect) are asked like one.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_db::{Database, Filter, Importer, incoming};
///
/// let folder = tempfile::tempdir()?;
/// let mut importer = Importer::open(folder.path(), || ())?;
/// for game in incoming("1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. d4 d5 1/2-1/2\n") {
///     importer.add(game)?;
/// }
/// importer.finish()?;
/// let database = Database::open(folder.path())?;
/// let explored = database.explore(&Position::initial(), &Filter::default())?;
/// let moves: Vec<_> = explored.moves.iter().map(|m| (m.san.as_str(), m.tally.games)).collect();
/// assert_eq!(moves, [("e4", 2), ("d4", 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Database {
    folder: PathBuf,
    /// What it is a collection of, if it is one.
    collection: Option<Collection>,
    /// The databases; one, if it is no collection.
    pub(crate) parts: Vec<Part>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) runs: Vec<Run>,
    pub(crate) segments: Vec<Segment>,
    /// The number of the first game of each file, from 0, and how many games there are.
    pub(crate) firsts: Vec<u64>,
    answers: Mutex<Vec<(Filter, Choice)>>,
}

/// A folder with games.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Manifest,
}

impl Part {
    fn read(folder: &Path) -> Result<Part, DbError> {
        let manifest = Manifest::read(folder)?.ok_or_else(|| DbError::None(folder.to_owned()))?;
        Ok(Part { folder: folder.to_owned(), manifest })
    }

    /// Games that no index has.
    fn pending(&self) -> u64 {
        let pending = &self.manifest.segments[self.manifest.indexed()..];
        pending.iter().map(|one| u64::from(one.games)).sum()
    }
}

/// Games of all indexes.
pub(crate) type Choice = Arc<Vec<Chosen>>;

/// What a list shows of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameHead {
    /// Its number in the database, from 1.
    pub game: u64,
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// White's rating, if it is known.
    pub white_elo: Option<u16>,
    /// Black's rating, if it is known.
    pub black_elo: Option<u16>,
    /// How it ended: 1-0, 0-1, 1/2-1/2 or *.
    pub result: &'static str,
    /// When it was played, as a record tells it: 1972.07.??
    pub date: String,
    /// Where.
    pub event: String,
    /// The code of the opening, as the record tells it.
    pub eco: Option<String>,
    /// How fast it was.
    pub speed: &'static str,
    /// How many moves of either side.
    pub plies: u16,
}

/// What a database has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DatabaseInfo {
    /// How many games.
    pub games: u64,
    /// How many databases, if it is a collection of them.
    pub databases: Option<usize>,
    /// How many different positions: those that are in several indexes count in each.
    pub positions: u64,
    /// How many of them are in a single game of their index.
    pub single: u64,
    /// How many different moves of games from positions, the ends of the games included.
    pub steps: u64,
    /// Files of games.
    pub files: usize,
    /// Indexes.
    pub indexes: usize,
    /// Indexes over several databases.
    pub layers: usize,
    /// Bytes of the games.
    pub game_bytes: u64,
    /// Bytes of the indexes.
    pub index_bytes: u64,
    /// Games of an import that was cut off: the next one goes on with it.
    pub pending: u64,
    /// The first and the last day, as far as they are known.
    pub days: Option<(String, String)>,
    /// White's wins, draws, Black's wins and games without result.
    pub results: [u64; 4],
    /// What was imported.
    pub sources: Vec<ImportedFile>,
}

impl Database {
    /// Opens a database, or a collection of databases.
    pub fn open(folder: &Path) -> Result<Database, DbError> {
        let mut tries = 0;
        loop {
            let collection = Collection::read(folder)?;
            let folders = match &collection {
                Some(collection) => collection.databases(folder),
                None => vec![folder.to_owned()],
            };
            let parts =
                folders.iter().map(|folder| Part::read(folder)).collect::<Result<_, _>>()?;
            match Database::of(folder, collection, parts) {
                // Somebody has just put other files in their place.
                Err(DbError::Io { error, .. })
                    if error.kind() == std::io::ErrorKind::NotFound && tries < TRIES =>
                {
                    tries += 1;
                }
                opened => return opened,
            }
        }
    }

    fn of(
        folder: &Path,
        collection: Option<Collection>,
        parts: Vec<Part>,
    ) -> Result<Database, DbError> {
        let mut runs = Vec::new();
        let mut first = 0;
        let mut segments = Vec::new();
        let mut firsts = vec![0];
        // How many runs there are before each database.
        let mut before = vec![0];
        for Part { folder, manifest } in &parts {
            for entry in &manifest.runs {
                runs.push(Run::open(folder, entry, first)?);
                first += u64::from(entry.games);
            }
            before.push(runs.len());
            for entry in &manifest.segments[..manifest.indexed()] {
                let path = folder.join(&entry.file);
                let segment = Segment::open(&path)?;
                if segment.games() != entry.games {
                    let what = format!("it has not {} games", entry.games);
                    return Err(DbError::damaged(&path, what));
                }
                firsts.push(firsts.last().copied().unwrap_or(0) + u64::from(entry.games));
                segments.push(segment);
            }
        }
        let mut layers = Vec::new();
        let (mut first, mut at) = (0, 0);
        for entry in collection.iter().flat_map(|collection| &collection.layers) {
            for (part, &games) in parts[at..].iter().zip(&entry.games) {
                if part.manifest.games() != games {
                    return Err(DbError::Question(format!(
                        "{} has {} games, and the index {} of {} was made of {games}",
                        part.folder.display(),
                        part.manifest.games(),
                        entry.folder,
                        folder.display(),
                    )));
                }
            }
            let end = at + entry.games.len();
            let layer = Layer::open(folder, entry, first, before[at]..before[end])?;
            (first, at) = (first + layer.games, end);
            layers.push(layer);
        }
        let (folder, answers) = (folder.to_owned(), Mutex::new(Vec::new()));
        Ok(Database { folder, collection, parts, layers, runs, segments, firsts, answers })
    }

    /// Whether it has changed since it was opened.
    pub fn is_outdated(&self) -> bool {
        let changed = |part: &Part| {
            Manifest::read(&part.folder).is_ok_and(|known| known.as_ref() != Some(&part.manifest))
        };
        let other = Collection::read(&self.folder).is_ok_and(|known| known != self.collection);
        other || self.parts.iter().any(changed)
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// What there is.
    pub fn info(&self) -> DatabaseInfo {
        let sum = |of: fn(&Run) -> u64| self.runs.iter().map(of).sum();
        let (mut days, mut results) = (None::<(Day, Day)>, [0; 4]);
        for head in self.runs.iter().flat_map(|run| run.heads.all()) {
            results[match head.result {
                GameResult::WhiteWins => 0,
                GameResult::Draw => 1,
                GameResult::BlackWins => 2,
                GameResult::Unknown => 3,
            }] += 1;
            if head.day.0 > 0 {
                let (first, last) = days.unwrap_or((head.day, head.day));
                days = Some((first.min(head.day), last.max(head.day)));
            }
        }
        let manifests = || self.parts.iter().map(|part| &part.manifest);
        let files = manifests().flat_map(|one| &one.segments[..one.indexed()]);
        let indexes = manifests().flat_map(|one| &one.runs).map(|run| run.bytes);
        let layers = self.collection.iter().flat_map(|one| &one.layers).map(|layer| layer.bytes);
        DatabaseInfo {
            games: self.games(),
            databases: self.collection.as_ref().map(|_| self.parts.len()),
            positions: sum(|run| run.positions.counts.positions),
            single: sum(|run| run.positions.counts.single),
            steps: sum(|run| run.positions.counts.steps),
            files: self.segments.len(),
            indexes: self.runs.len(),
            layers: self.layers.len(),
            game_bytes: files.map(|file| file.bytes).sum(),
            index_bytes: indexes.chain(layers).sum(),
            pending: self.parts.iter().map(Part::pending).sum(),
            days: days.map(|(first, last)| (first.to_string(), last.to_string())),
            results,
            sources: manifests().flat_map(|one| one.sources.clone()).collect(),
        }
    }

    /// The Parquet files of the games, in the order of their numbers.
    pub fn files(&self) -> Vec<PathBuf> {
        let of = |Part { folder, manifest }: &Part| {
            let segments = &manifest.segments[..manifest.indexed()];
            segments.iter().map(|segment| folder.join(&segment.file)).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// Hands on all games with their positions, in the order of their numbers.
    pub fn each(
        &self,
        mut take: impl FnMut(crate::Incoming) -> Result<(), DbError>,
    ) -> Result<(), DbError> {
        for (path, segment) in self.files().iter().zip(&self.segments) {
            crate::importer::for_each_game(path, segment.games(), Columns::ALL, &mut take)?;
        }
        Ok(())
    }

    /// A game by its number, from 1.
    pub fn game(&self, number: u64) -> Result<StoredGame, DbError> {
        let mut games = self.records(&[number])?;
        games.pop().ok_or(DbError::NoGame { number, games: self.games() })
    }

    /// Games by ascending number.
    pub fn records(&self, numbers: &[u64]) -> Result<Vec<StoredGame>, DbError> {
        let zero_based = numbers.iter().map(|&number| self.zero_based(number));
        self.pick(&zero_based.collect::<Result<Vec<_>, _>>()?, Columns::ALL)
    }

    fn zero_based(&self, number: u64) -> Result<u64, DbError> {
        let games = self.games();
        (1..=games).contains(&number).then(|| number - 1).ok_or(DbError::NoGame { number, games })
    }

    /// Games by ascending number, from 0.
    pub(crate) fn pick(&self, games: &[u64], columns: Columns) -> Result<Vec<StoredGame>, DbError> {
        let mut records = Vec::with_capacity(games.len());
        let mut rest = games;
        while let Some(&first) = rest.first() {
            let at = self.firsts.partition_point(|&start| start <= first) - 1;
            let count = rest.partition_point(|&game| game < self.firsts[at + 1]);
            let here: Vec<u32> =
                rest[..count].iter().map(|game| (game - self.firsts[at]) as u32).collect();
            records.extend(self.segments[at].pick(&here, columns)?);
            rest = &rest[count..];
        }
        Ok(records)
    }

    /// What filters see of a game, by its number from 0, and the index that has it.
    pub(crate) fn seen(&self, game: u64) -> Option<(&Run, Head)> {
        let at = self.runs.partition_point(|run| run.first <= game).checked_sub(1)?;
        let run = &self.runs[at];
        Some((run, run.heads.get(u32::try_from(game - run.first).ok()?)?))
    }

    /// What a list shows of a game, by its number from 1.
    pub fn head(&self, number: u64) -> Result<GameHead, DbError> {
        let none = DbError::NoGame { number, games: self.games() };
        let (run, head) = self.seen(self.zero_based(number)?).ok_or(none)?;
        let elo = |elo: u16| Some(elo).filter(|&elo| elo > 0);
        Ok(GameHead {
            game: number,
            white: run.players.get(head.white).to_owned(),
            black: run.players.get(head.black).to_owned(),
            white_elo: elo(head.white_elo),
            black_elo: elo(head.black_elo),
            result: head.result.notation(),
            date: head.day.to_string(),
            event: run.events.get(head.event).to_owned(),
            eco: head.eco.map(eco_code),
            speed: Speed::name(head.speed),
            plies: head.plies,
        })
    }

    /// The names of players with a text in them, those with most games first, and in how many games they play.
    pub fn players(&self, text: &str, limit: usize) -> Vec<(String, u64)> {
        let wanted = tabiya_base::fold(text);
        let mut found = std::collections::HashMap::<&str, u64>::new();
        for run in &self.runs {
            let mut games = vec![0; run.players.len() as usize];
            for head in run.heads.all() {
                for player in [head.white, head.black] {
                    if let Some(count) = games.get_mut(player as usize) {
                        *count += 1;
                    }
                }
            }
            for (name, games) in run.players.all().zip(games) {
                if tabiya_base::fold(name).contains(&wanted) {
                    *found.entry(name).or_default() += games;
                }
            }
        }
        let mut found: Vec<_> =
            found.into_iter().map(|(name, games)| (name.to_owned(), games)).collect();
        found.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        found.truncate(limit);
        found
    }

    /// The games that a filter wants. The answers to the last few filters are kept.
    pub(crate) fn choose(&self, filter: &Filter) -> Choice {
        if filter.is_empty() {
            return Arc::new(self.runs.iter().map(|_| Chosen::All).collect());
        }
        let mut answers = self.answers.lock();
        if let Some(at) = answers.iter().position(|(known, _)| known == filter) {
            let answer = answers.remove(at);
            let choice = Arc::clone(&answer.1);
            answers.push(answer);
            return choice;
        }
        drop(answers);
        let choice: Choice = Arc::new(self.runs.iter().map(|run| filter.choose(run)).collect());
        let mut answers = self.answers.lock();
        if answers.len() == KEPT {
            answers.remove(0);
        }
        answers.push((filter.clone(), Arc::clone(&choice)));
        choice
    }
}
