//! Several databases as one, with indexes that were made for all of them: what a collection too large for one machine is.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{At, DbError};
use crate::layer::shard_files;
use crate::manifest::{Lock, Manifest, VERSION, read_list};

const FORMAT: &str = "tabiya collection";
const NAME: &str = "collection.json";

/// The list of what belongs to a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Collection {
    format: String,
    version: u32,
    /// The number of the next layer.
    next: u32,
    /// The folders of the databases, in the order of the games' numbers; relative to the collection, or whole.
    databases: Vec<String>,
    /// Indexes over several databases, each of those behind those of the one before.
    pub(crate) layers: Vec<LayerEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LayerEntry {
    pub(crate) folder: String,
    /// How many games each of its databases had when it was made, and has to have.
    pub(crate) games: Vec<u64>,
    /// So many bits of a key tell the shard.
    pub(crate) bits: u32,
    pub(crate) bytes: u64,
}

/// An index over several databases that is to be made elsewhere. See [`plan_layer`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LayerPlan {
    /// The folder into which its shards are written.
    pub folder: PathBuf,
    /// The Parquet files of the games, and the number of the first game of each, counted from 0 in this index.
    pub files: Vec<(PathBuf, u64)>,
    /// How many games each database has.
    pub games: Vec<u64>,
}

/// The most bits of a key that tell a shard.
pub(crate) const MOST_BITS: u32 = 16;

impl Collection {
    /// The list in a folder; none if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Collection>, DbError> {
        let path = folder.join(NAME);
        let Some(collection) = read_list::<Collection>(&path, FORMAT)? else { return Ok(None) };
        let covered: usize = collection.layers.iter().map(|layer| layer.games.len()).sum();
        let is_consistent = covered <= collection.databases.len()
            && collection.layers.iter().all(|layer| {
                (1..=MOST_BITS).contains(&layer.bits)
                    && Path::new(&layer.folder).components().count() == 1
            });
        match is_consistent {
            true => Ok(Some(collection)),
            false => Err(DbError::damaged(&path, "its indexes are not of its databases")),
        }
    }

    fn write(&self, folder: &Path) -> Result<(), DbError> {
        let path = folder.join(NAME);
        tabiya_base::write_atomically(&path, |file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        })
        .at(&path)
    }

    /// The folders of the databases.
    pub(crate) fn databases(&self, folder: &Path) -> Vec<PathBuf> {
        self.databases.iter().map(|one| folder.join(one)).collect()
    }

    /// How many databases have an index over several.
    fn covered(&self) -> usize {
        self.layers.iter().map(|layer| layer.games.len()).sum()
    }
}

/// How a collection names a database: both may be moved together if they lie side by side.
fn named(folder: &Path, database: &Path) -> Result<String, DbError> {
    let whole = fs::canonicalize(database).at(database)?;
    let beside = fs::canonicalize(folder).at(folder)?;
    let name = match beside.parent().and_then(|parent| whole.strip_prefix(parent).ok()) {
        Some(rest) => Path::new("..").join(rest),
        None => whole,
    };
    name.into_os_string().into_string().map_err(|name| {
        DbError::Question(format!("the name of {} is no text", Path::new(&name).display()))
    })
}

/// Makes several databases one to ask, or adds some to those. They stay where they are; nothing is copied. Games have
/// the numbers that they would have in one database, those of the first folder first. Tells how many databases there
/// are now. While somebody else changes the collection, this waits, and says so by the function.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_db::{Database, Filter, Importer, collect, incoming};
///
/// let folder = tempfile::tempdir()?;
/// let mut databases = Vec::new();
/// for (name, text) in [("a.tdb", "1. e4 e5 1-0\n"), ("b.tdb", "1. e4 c5 0-1\n")] {
///     databases.push(folder.path().join(name));
///     let mut importer = Importer::open(&databases[databases.len() - 1], || ())?;
///     for game in incoming(text) {
///         importer.add(game)?;
///     }
///     importer.finish()?;
/// }
/// let all = folder.path().join("all.tdc");
/// assert_eq!(collect(&all, &databases, || ())?, 2);
/// let explored = Database::open(&all)?.explore(&Position::initial(), &Filter::default())?;
/// assert_eq!((explored.total.games, explored.moves.len()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collect(
    folder: &Path,
    databases: &[PathBuf],
    waits: impl FnOnce(),
) -> Result<usize, DbError> {
    for database in databases {
        Manifest::read(database)?.ok_or_else(|| DbError::None(database.clone()))?;
    }
    let is_new = !folder.exists();
    fs::create_dir_all(folder).at(folder)?;
    if !is_new
        && Collection::read(folder)?.is_none()
        && fs::read_dir(folder).at(folder)?.count() > 0
    {
        return Err(DbError::Question(format!(
            "{} is neither empty nor a collection of databases",
            folder.display()
        )));
    }
    let _lock = Lock::take(folder, waits)?;
    let mut collection = Collection::read(folder)?.unwrap_or_else(|| Collection {
        format: FORMAT.to_owned(),
        version: VERSION,
        next: 1,
        databases: Vec::new(),
        layers: Vec::new(),
    });
    for database in databases {
        let name = named(folder, database)?;
        if !collection.databases.contains(&name) {
            collection.databases.push(name);
        }
    }
    collection.write(folder)?;
    Ok(collection.databases.len())
}

/// What an index over several databases is to be made of: all games of the databases of a collection that have none yet.
/// No files if there are no such games. Each plan has a folder of its own, which is not there yet; once the index is in it,
/// [`add_layer`] makes it known.
pub fn plan_layer(folder: &Path) -> Result<LayerPlan, DbError> {
    let _lock = Lock::take(&known(folder)?, || ())?;
    let mut collection = Collection::read(folder)?.ok_or_else(|| none(folder))?;
    let name = format!("positions-{:06}", collection.next);
    let whole = fs::canonicalize(folder).at(folder)?;
    let mut plan = LayerPlan { folder: whole.join(name), files: Vec::new(), games: Vec::new() };
    let mut first = 0;
    for database in &collection.databases(folder)[collection.covered()..] {
        let manifest = Manifest::read(database)?.ok_or_else(|| DbError::None(database.clone()))?;
        let whole = fs::canonicalize(database).at(database)?;
        let before = first;
        for segment in &manifest.segments[..manifest.indexed()] {
            plan.files.push((whole.join(&segment.file), first));
            first += u64::from(segment.games);
        }
        plan.games.push(first - before);
    }
    if !plan.files.is_empty() {
        collection.next += 1;
        collection.write(folder)?;
    }
    Ok(plan)
}

/// Makes an index known that was made as [`plan_layer`] said, with so many bits of the keys telling the shard.
pub fn add_layer(folder: &Path, plan: &LayerPlan, bits: u32) -> Result<(), DbError> {
    if !(1..=MOST_BITS).contains(&bits) {
        return Err(DbError::Question(format!(
            "{bits} bits tell no shard: between 1 and {MOST_BITS} do"
        )));
    }
    let mut bytes = 0;
    for path in shard_files(&plan.folder, bits)?.into_iter().flatten() {
        crate::layer::Shard::open(&path)?;
        let file = File::open(&path).at(&path)?;
        file.sync_all().at(&path)?;
        bytes += file.metadata().at(&path)?.len();
    }
    let _lock = Lock::take(&known(folder)?, || ())?;
    let mut collection = Collection::read(folder)?.ok_or_else(|| none(folder))?;
    let start = collection.covered();
    let mut same = collection.databases.len() - start >= plan.games.len();
    for (database, &games) in collection.databases(folder)[start..].iter().zip(&plan.games) {
        let manifest = Manifest::read(database)?.ok_or_else(|| DbError::None(database.clone()))?;
        same &= manifest.games() == games;
    }
    if !same {
        return Err(DbError::Question(format!(
            "{} has other games than when its index was begun",
            folder.display()
        )));
    }
    let name = plan.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    collection.layers.push(LayerEntry { folder: name, games: plan.games.clone(), bits, bytes });
    collection.write(folder)
}

fn none(folder: &Path) -> DbError {
    DbError::Question(format!("there is no collection of databases in {}", folder.display()))
}

/// The folder, if there is a collection in it.
fn known(folder: &Path) -> Result<PathBuf, DbError> {
    Collection::read(folder)?.map(|_| folder.to_owned()).ok_or_else(|| none(folder))
}
