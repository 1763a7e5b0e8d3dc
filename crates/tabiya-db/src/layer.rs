//! An index over several databases, which was made elsewhere: what the games of each position and move sum up to, in
//! Parquet files by the first bits of the keys. `docs/database.md` describes the columns.
//!
//! A file is sorted by key and move, so that row groups and pages tell by their statistics where a key is.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use parquet::column::reader::ColumnReader;
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::serialized_reader::ReadOptionsBuilder;
use parquet::file::statistics::Statistics;

use crate::collection::LayerEntry;
use crate::error::{At, DbError};
use crate::record::Day;
use crate::segment::each;
use crate::tally::{BEST, Sums};

/// The columns, in the order of [`Row`]; best1 to best4 follow.
const COLUMNS: [&str; 11] = [
    "key",
    "move",
    "games",
    "white",
    "draws",
    "black",
    "white_elo",
    "white_rated",
    "black_elo",
    "black_rated",
    "newest",
];
const KEY: usize = 0;
const ALL: usize = COLUMNS.len() + BEST;

/// A position and a move from it: the columns of a file, 0 where there is nothing; of the best games -1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row([i64; ALL]);

impl Row {
    const NOTHING: Row = {
        let mut row = [0; ALL];
        let mut at = COLUMNS.len();
        while at < ALL {
            row[at] = -1;
            at += 1;
        }
        Row(row)
    };

    pub(crate) fn key(&self) -> u64 {
        self.0[KEY] as u64
    }

    pub(crate) fn code(&self) -> u16 {
        self.0[1] as u16
    }

    pub(crate) fn games(&self) -> u64 {
        self.0[2] as u64
    }

    /// What its games sum up to, but for the best ones; nothing if it is a single game, which tells it itself.
    pub(crate) fn sums(&self) -> Option<Sums> {
        let [_, _, games, white, draws, black, white_elo, whites, black_elo, blacks, newest, ..] =
            self.0.map(|number| number as u64);
        (games > 1).then(|| {
            let elo = [(white_elo, whites), (black_elo, blacks)];
            Sums::new(games, [white, draws, black], elo, Day(newest as u32))
        })
    }

    /// The games of the strongest players, counted from the first of the index.
    pub(crate) fn best(&self) -> impl Iterator<Item = u64> {
        let best = self.0;
        best.into_iter().skip(COLUMNS.len()).filter_map(|game| u64::try_from(game).ok())
    }

    fn is_sound(&self, games: u64) -> bool {
        self.0[..COLUMNS.len()].iter().skip(1).all(|&number| number >= 0)
            && u16::try_from(self.0[1]).is_ok()
            && self.0[2] > 0
            && u32::try_from(self.0[10]).is_ok()
            && self.best().all(|game| game < games)
            && self.best().next().is_some()
    }
}

/// The files of the shards of an index; none for a shard without positions.
pub(crate) fn shard_files(folder: &Path, bits: u32) -> Result<Vec<Option<PathBuf>>, DbError> {
    let mut files = vec![None; 1 << bits];
    for entry in std::fs::read_dir(folder).at(folder)? {
        let path = entry.at(folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(number) = name.strip_prefix("shard=") else { continue };
        let shard = number.parse().ok().and_then(|number: usize| files.get_mut(number));
        let shard = shard.ok_or_else(|| DbError::damaged(&path, "there is no such shard"))?;
        for entry in std::fs::read_dir(&path).at(&path)? {
            let file = entry.at(&path)?.path();
            if file.extension().is_none_or(|extension| extension != "parquet") {
                continue;
            }
            if shard.replace(file).is_some() {
                return Err(DbError::damaged(&path, "a shard is one file, and these are several"));
            }
        }
    }
    Ok(files)
}

/// A file of an index, open.
pub(crate) struct Shard {
    path: PathBuf,
    file: SerializedFileReader<Bytes>,
    /// Where the columns are.
    columns: [usize; ALL],
}

impl Shard {
    pub(crate) fn open(path: &Path) -> Result<Shard, DbError> {
        let bytes = crate::bytes::map(path)?;
        let options = ReadOptionsBuilder::new().with_page_index().build();
        let file = SerializedFileReader::new_with_options(bytes, options).at(path)?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        let mut columns = [0; ALL];
        for (at, column) in columns.iter_mut().enumerate() {
            let name = match COLUMNS.get(at) {
                Some(name) => (*name).to_owned(),
                None => format!("best{}", at - COLUMNS.len() + 1),
            };
            let found = schema.columns().iter().position(|one| {
                one.path().string() == name && one.max_rep_level() == 0 && one.max_def_level() < 2
            });
            *column =
                found.ok_or_else(|| DbError::damaged(path, format!("it has no column {name}")))?;
        }
        Ok(Shard { path: path.to_owned(), file, columns })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn groups(&self) -> usize {
        self.file.num_row_groups()
    }

    /// The rows of a row group.
    pub(crate) fn read(&self, group: usize, games: u64) -> Result<Vec<Row>, DbError> {
        let group = self.file.get_row_group(group).at(&self.path)?;
        let count = u32::try_from(group.metadata().num_rows()).unwrap_or(u32::MAX);
        self.rows(group.as_ref(), &(0..count).collect::<Vec<_>>(), games)
    }

    /// The rows of a position.
    fn find(&self, key: i64, games: u64) -> Result<Vec<Row>, DbError> {
        let mut found = Vec::new();
        for at in 0..self.groups() {
            let metadata = self.file.metadata().row_group(at);
            if let Some(Statistics::Int64(known)) = metadata.column(self.columns[KEY]).statistics()
                && let (Some(&least), Some(&most)) = (known.min_opt(), known.max_opt())
                && !(least..=most).contains(&key)
            {
                continue;
            }
            let group = self.file.get_row_group(at).at(&self.path)?;
            let rows = self.pages(at, key);
            let mut keys = vec![0; rows.len()];
            let wanted: Vec<u32> = rows.clone().collect();
            numbers(group.as_ref(), self.columns[KEY], &wanted, |at, key| keys[at] = key)
                .at(&self.path)?;
            let from = keys.partition_point(|&one| one < key) as u32;
            let to = keys.partition_point(|&one| one <= key) as u32;
            if from < to {
                let rows: Vec<u32> = (rows.start + from..rows.start + to).collect();
                found.extend(self.rows(group.as_ref(), &rows, games)?);
            }
        }
        Ok(found)
    }

    /// The rows of a row group among which a key is, as far as its pages tell.
    fn pages(&self, group: usize, key: i64) -> std::ops::Range<u32> {
        let metadata = self.file.metadata();
        let count = u32::try_from(metadata.row_group(group).num_rows()).unwrap_or(u32::MAX);
        let pages = metadata.page_index_for_row_group(group);
        let column = self.columns[KEY];
        let (Some(ColumnIndexMetaData::INT64(keys)), Some(places)) =
            (pages.column_index(column), pages.offset_index(column))
        else {
            return 0..count;
        };
        let places = places.page_locations();
        if places.len() != keys.min_values().len() || places.len() != keys.max_values().len() {
            return 0..count;
        }
        let from = keys.max_values().partition_point(|&most| most < key);
        let to = keys.min_values().partition_point(|&least| least <= key);
        let start = |page: usize| {
            let row = places.get(page).map(|place| place.first_row_index);
            row.and_then(|row| u32::try_from(row).ok()).unwrap_or(count)
        };
        start(from).min(count)..start(to.max(from)).min(count)
    }

    fn rows(
        &self,
        group: &dyn RowGroupReader,
        wanted: &[u32],
        games: u64,
    ) -> Result<Vec<Row>, DbError> {
        let mut rows = vec![Row::NOTHING; wanted.len()];
        for (at, &column) in self.columns.iter().enumerate() {
            numbers(group, column, wanted, |row, number| rows[row].0[at] = number).at(&self.path)?;
        }
        match rows.iter().all(|row| row.is_sound(games)) {
            true => Ok(rows),
            false => Err(DbError::damaged(&self.path, "it tells what no games sum up to")),
        }
    }
}

/// Hands on the numbers of some rows of a column.
fn numbers(
    group: &dyn RowGroupReader,
    column: usize,
    rows: &[u32],
    mut take: impl FnMut(usize, i64),
) -> parquet::errors::Result<()> {
    match group.get_column_reader(column)? {
        ColumnReader::Int64ColumnReader(reader) => each(reader, rows, |at, &value| take(at, value)),
        ColumnReader::Int32ColumnReader(reader) => {
            each(reader, rows, |at, &value| take(at, value.into()))
        }
        _ => Err(parquet::errors::ParquetError::General("a column has no numbers".to_owned())),
    }
}

/// An index over several databases, open.
pub(crate) struct Layer {
    folder: PathBuf,
    /// The number of its first game, and how many it has.
    pub(crate) first: u64,
    pub(crate) games: u64,
    /// The runs of its databases.
    pub(crate) runs: std::ops::Range<usize>,
    bits: u32,
    shards: Vec<Option<(PathBuf, OnceLock<Arc<Shard>>)>>,
}

impl Layer {
    pub(crate) fn open(
        folder: &Path,
        entry: &LayerEntry,
        first: u64,
        runs: std::ops::Range<usize>,
    ) -> Result<Layer, DbError> {
        let folder = folder.join(&entry.folder);
        let files = shard_files(&folder, entry.bits)?;
        Ok(Layer {
            folder,
            first,
            games: entry.games.iter().sum(),
            runs,
            bits: entry.bits,
            shards: files
                .into_iter()
                .map(|file| file.map(|path| (path, OnceLock::new())))
                .collect(),
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The shard of a key.
    fn number(&self, key: u64) -> usize {
        (key >> (64 - self.bits)) as usize
    }

    /// A shard, opened when it is asked for first; none if it has no positions.
    pub(crate) fn shard(&self, number: usize) -> Result<Option<Arc<Shard>>, DbError> {
        let Some((path, open)) = &self.shards[number] else { return Ok(None) };
        if let Some(shard) = open.get() {
            return Ok(Some(Arc::clone(shard)));
        }
        let shard = Arc::new(Shard::open(path)?);
        Ok(Some(Arc::clone(open.get_or_init(|| shard))))
    }

    pub(crate) fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Whether a key belongs to a shard.
    pub(crate) fn is_of(&self, key: u64, shard: usize) -> bool {
        self.number(key) == shard
    }

    /// What was played in a position.
    pub(crate) fn find(&self, key: u64) -> Result<Vec<Row>, DbError> {
        match self.shard(self.number(key))? {
            Some(shard) => shard.find(key as i64, self.games),
            None => Ok(Vec::new()),
        }
    }
}
