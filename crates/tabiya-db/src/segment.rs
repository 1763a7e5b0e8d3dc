//! Games in a Parquet file: what is true of a database stands there, and any program that reads Parquet can read it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::serialized_reader::ReadOptionsBuilder;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use tabiya_pgn::GameResult;

use crate::error::{At, DbError};
use crate::record::{Day, Speed, StoredGame};
use crate::signature::Signature;

/// So many games are a row group: what is passed over, or read, as a whole.
pub(crate) const GROUP: usize = 32_768;
/// How long a page is, of which one has to be read for a single game.
const PAGE: usize = 1 << 16;

const SCHEMA: &str = "message game {
    required binary white (STRING);
    required binary black (STRING);
    optional binary event (STRING);
    optional binary site (STRING);
    optional binary round (STRING);
    optional int32 date;
    optional int32 white_elo (INTEGER(16, false));
    optional int32 black_elo (INTEGER(16, false));
    required binary result (STRING);
    optional binary eco (STRING);
    optional binary time_control (STRING);
    optional binary speed (STRING);
    required int32 plies (INTEGER(16, false));
    optional binary fen (STRING);
    required binary moves;
    required int64 final_material;
    required int32 home_pawns (INTEGER(16, false));
    required int64 white_pawns (INTEGER(64, false));
    required int64 black_pawns (INTEGER(64, false));
    optional binary tags (STRING);
    optional binary movetext (STRING);
}";

/// The columns, in the order of the schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
enum Column {
    White,
    Black,
    Event,
    Site,
    Round,
    Date,
    WhiteElo,
    BlackElo,
    Result,
    Eco,
    TimeControl,
    Speed,
    Plies,
    Fen,
    Moves,
    FinalMaterial,
    HomePawns,
    WhitePawns,
    BlackPawns,
    Tags,
    Movetext,
}

const COLUMNS: [Column; 21] = {
    use Column::*;
    [
        White,
        Black,
        Event,
        Site,
        Round,
        Date,
        WhiteElo,
        BlackElo,
        Result,
        Eco,
        TimeControl,
        Speed,
        Plies,
        Fen,
        Moves,
        FinalMaterial,
        HomePawns,
        WhitePawns,
        BlackPawns,
        Tags,
        Movetext,
    ]
};

/// Which columns are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Columns(u32);

impl Columns {
    pub(crate) const ALL: Columns = Columns((1 << COLUMNS.len()) - 1);
    /// The moves alone.
    pub(crate) const PLAYED: Columns = Columns(1 << Column::Moves as usize);
    /// What is needed to replay a game.
    pub(crate) const MOVES: Columns =
        Columns(1 << Column::Fen as usize | 1 << Column::Moves as usize);
    /// All but comments, variations and other tags.
    pub(crate) const INDEXED: Columns =
        Columns(Columns::ALL.0 & !(1 << Column::Tags as usize | 1 << Column::Movetext as usize));

    fn has(self, column: Column) -> bool {
        self.0 >> column as usize & 1 == 1
    }
}

/// Writes games to a new file, to the disk. Tells how many bytes it has.
pub(crate) fn write(path: &Path, games: &[&StoredGame]) -> Result<u64, DbError> {
    let file = File::create(path).at(path)?;
    let mut writer = writer(BufWriter::new(file)).at(path)?;
    for group in games.chunks(GROUP) {
        write_group(&mut writer, group).at(path)?;
    }
    let file = writer.into_inner().at(path)?;
    let file = file.into_inner().map_err(|error| error.into_error()).at(path)?;
    file.sync_all().at(path)?;
    Ok(file.metadata().at(path)?.len())
}

/// What writes a file of games to something that takes bytes.
pub(crate) fn writer<W: Write + Send>(out: W) -> parquet::errors::Result<SerializedFileWriter<W>> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let plain = |builder: parquet::file::properties::WriterPropertiesBuilder, name: &str| {
        builder
            .set_column_dictionary_enabled(name.into(), false)
            .set_column_statistics_enabled(name.into(), EnabledStatistics::None)
    };
    let mut properties = WriterProperties::builder()
        .set_created_by("tabiya".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(4)?))
        .set_data_page_size_limit(PAGE)
        .set_write_batch_size(512)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for name in ["moves", "tags", "movetext", "white_pawns", "black_pawns"] {
        properties = plain(properties, name);
    }
    SerializedFileWriter::new(out, schema, Arc::new(properties.build()))
}

/// Writes games as a row group.
pub(crate) fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    games: &[&StoredGame],
) -> parquet::errors::Result<()> {
    let mut rows = writer.next_row_group()?;
    for column in COLUMNS {
        write_column(&mut rows, column, games)?;
    }
    rows.close().map(drop)
}

fn write_column<W: Write + Send>(
    rows: &mut SerializedRowGroupWriter<'_, W>,
    column: Column,
    games: &[&StoredGame],
) -> parquet::errors::Result<()> {
    use Column::*;
    let text = |of: fn(&StoredGame) -> &str| move |game: &StoredGame| Some(of(game).into());
    let some_text = |of: fn(&StoredGame) -> &str| {
        move |game: &StoredGame| Some(of(game)).filter(|text| !text.is_empty()).map(ByteArray::from)
    };
    let some = |of: fn(&StoredGame) -> u32| {
        move |game: &StoredGame| Some(of(game) as i32).filter(|number| *number != 0)
    };
    match column {
        White => required::<ByteArrayType>(rows, games, text(|game| &game.white)),
        Black => required::<ByteArrayType>(rows, games, text(|game| &game.black)),
        Event => optional::<ByteArrayType>(rows, games, some_text(|game| &game.event)),
        Site => optional::<ByteArrayType>(rows, games, some_text(|game| &game.site)),
        Round => optional::<ByteArrayType>(rows, games, some_text(|game| &game.round)),
        Date => optional::<Int32Type>(rows, games, some(|game| game.day.0)),
        WhiteElo => optional::<Int32Type>(rows, games, some(|game| game.white_elo.into())),
        BlackElo => optional::<Int32Type>(rows, games, some(|game| game.black_elo.into())),
        Result => required::<ByteArrayType>(rows, games, text(|game| game.result.notation())),
        Eco => optional::<ByteArrayType>(rows, games, some_text(|game| &game.eco)),
        TimeControl => optional::<ByteArrayType>(rows, games, some_text(|game| &game.time_control)),
        Speed => optional::<ByteArrayType>(rows, games, some_text(|game| game.speed.name())),
        Plies => required::<Int32Type>(rows, games, |game| Some(game.plies.into())),
        Fen => {
            let fen = some_text(|game| game.fen.as_deref().unwrap_or_default());
            optional::<ByteArrayType>(rows, games, fen)
        }
        Moves => required::<ByteArrayType>(rows, games, |game| Some(game.moves.clone().into())),
        FinalMaterial => {
            let of = |game: &StoredGame| Some(game.signature.final_material as i64);
            required::<Int64Type>(rows, games, of)
        }
        HomePawns => {
            required::<Int32Type>(rows, games, |game| Some(game.signature.home_pawns.into()))
        }
        WhitePawns => {
            required::<Int64Type>(rows, games, |game| Some(game.signature.white_pawns as i64))
        }
        BlackPawns => {
            required::<Int64Type>(rows, games, |game| Some(game.signature.black_pawns as i64))
        }
        Tags => optional::<ByteArrayType>(rows, games, some_text(|game| &game.tags)),
        Movetext => {
            let text = some_text(|game| game.movetext.as_deref().unwrap_or_default());
            optional::<ByteArrayType>(rows, games, text)
        }
    }
}

fn required<T: DataType>(
    rows: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    games: &[&StoredGame],
    of: impl Fn(&StoredGame) -> Option<T::T>,
) -> parquet::errors::Result<()> {
    let values: Vec<T::T> = games.iter().filter_map(|game| of(game)).collect();
    let Some(mut column) = rows.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(&values, None, None)?;
    column.close()
}

fn optional<T: DataType>(
    rows: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    games: &[&StoredGame],
    of: impl Fn(&StoredGame) -> Option<T::T>,
) -> parquet::errors::Result<()> {
    let mut levels = Vec::with_capacity(games.len());
    let mut values = Vec::new();
    for game in games {
        let value = of(game);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    let Some(mut column) = rows.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

/// A file of games, open.
pub(crate) struct Segment {
    path: PathBuf,
    file: SerializedFileReader<Bytes>,
    /// How many games come before each row group, and how many there are.
    firsts: Vec<u32>,
}

impl Segment {
    pub(crate) fn open(path: &Path) -> Result<Segment, DbError> {
        let bytes = crate::bytes::map(path)?;
        let options = ReadOptionsBuilder::new().with_page_index().build();
        let file = SerializedFileReader::new_with_options(bytes, options).at(path)?;
        let mut firsts = vec![0u32];
        let metadata = file.metadata();
        let schema = metadata.file_metadata().schema_descr();
        let same = schema.num_columns() == COLUMNS.len()
            && parse_message_type(SCHEMA).is_ok_and(|ours| {
                let ours = parquet::schema::types::SchemaDescriptor::new(Arc::new(ours));
                (0..COLUMNS.len()).all(|at| {
                    let (one, other) = (schema.column(at), ours.column(at));
                    one.name() == other.name()
                        && one.physical_type() == other.physical_type()
                        && one.max_def_level() == other.max_def_level()
                })
            });
        if !same {
            return Err(DbError::damaged(path, "it has not the columns of a file of games"));
        }
        for group in metadata.row_groups() {
            let last = firsts.last().copied().unwrap_or(0);
            let games = u32::try_from(group.num_rows()).unwrap_or(u32::MAX);
            firsts.push(last.saturating_add(games));
        }
        Ok(Segment { path: path.to_owned(), file, firsts })
    }

    pub(crate) fn games(&self) -> u32 {
        self.firsts.last().copied().unwrap_or(0)
    }

    pub(crate) fn groups(&self) -> usize {
        self.firsts.len() - 1
    }

    /// The first game of a row group, and the first one behind it.
    pub(crate) fn range(&self, group: usize) -> std::ops::Range<u32> {
        self.firsts[group]..self.firsts[group + 1]
    }

    /// The games of a row group, with the columns that are wanted.
    pub(crate) fn read(&self, group: usize, columns: Columns) -> Result<Vec<StoredGame>, DbError> {
        let rows: Vec<u32> = (0..self.firsts[group + 1] - self.firsts[group]).collect();
        self.read_rows(group, &rows, columns)
    }

    /// Some of the games, by ascending number.
    pub(crate) fn pick(&self, games: &[u32], columns: Columns) -> Result<Vec<StoredGame>, DbError> {
        let mut records = Vec::with_capacity(games.len());
        let mut rest = games;
        while let Some(&first) = rest.first() {
            let group = self.firsts.partition_point(|&start| start <= first) - 1;
            if group >= self.groups() {
                return Err(DbError::damaged(&self.path, "it has fewer games than it should"));
            }
            let count = rest.partition_point(|&game| game < self.firsts[group + 1]);
            let rows: Vec<u32> =
                rest[..count].iter().map(|game| game - self.firsts[group]).collect();
            records.extend(self.read_rows(group, &rows, columns)?);
            rest = &rest[count..];
        }
        Ok(records)
    }

    /// What some games of a row group have left behind.
    pub(crate) fn signatures(&self, group: usize, rows: &[u32]) -> Result<Vec<Signature>, DbError> {
        let mut signatures = vec![Signature::default(); rows.len()];
        let group = self.file.get_row_group(group).at(&self.path)?;
        for column in
            [Column::FinalMaterial, Column::HomePawns, Column::WhitePawns, Column::BlackPawns]
        {
            let signatures = &mut signatures;
            match group.get_column_reader(column as usize).at(&self.path)? {
                ColumnReader::Int64ColumnReader(reader) => each(reader, rows, |at, &value| {
                    sign(&mut signatures[at], column, value as u64);
                }),
                ColumnReader::Int32ColumnReader(reader) => each(reader, rows, |at, &value| {
                    sign(&mut signatures[at], column, value as u64);
                }),
                _ => Ok(()),
            }
            .at(&self.path)?;
        }
        Ok(signatures)
    }

    /// Hands on the packed moves of some games of a row group.
    pub(crate) fn each_moves(
        &self,
        group: usize,
        rows: &[u32],
        mut take: impl FnMut(usize, &[u8]),
    ) -> Result<(), DbError> {
        let group = self.file.get_row_group(group).at(&self.path)?;
        match group.get_column_reader(Column::Moves as usize).at(&self.path)? {
            ColumnReader::ByteArrayColumnReader(reader) => {
                each(reader, rows, |at, value| take(at, value.data())).at(&self.path)
            }
            _ => Ok(()),
        }
    }

    fn read_rows(
        &self,
        group: usize,
        rows: &[u32],
        columns: Columns,
    ) -> Result<Vec<StoredGame>, DbError> {
        let mut records = vec![StoredGame::default(); rows.len()];
        let group = self.file.get_row_group(group).at(&self.path)?;
        for column in COLUMNS.into_iter().filter(|&column| columns.has(column)) {
            read_column(group.as_ref(), column, rows, &mut records).at(&self.path)?;
        }
        Ok(records)
    }
}

fn read_column(
    group: &dyn RowGroupReader,
    column: Column,
    rows: &[u32],
    records: &mut [StoredGame],
) -> parquet::errors::Result<()> {
    match group.get_column_reader(column as usize)? {
        ColumnReader::ByteArrayColumnReader(reader) => each(reader, rows, |at, value| {
            let bytes = value.data();
            let text = || String::from_utf8_lossy(bytes).into_owned();
            let game = &mut records[at];
            match column {
                Column::White => game.white = text(),
                Column::Black => game.black = text(),
                Column::Event => game.event = text(),
                Column::Site => game.site = text(),
                Column::Round => game.round = text(),
                Column::Result => {
                    let text = std::str::from_utf8(bytes).unwrap_or_default();
                    game.result = GameResult::from_text(text).unwrap_or_default();
                }
                Column::Eco => game.eco = text(),
                Column::TimeControl => game.time_control = text(),
                Column::Speed => game.speed = text().parse::<Speed>().unwrap_or_default(),
                Column::Fen => game.fen = Some(text()),
                Column::Moves => game.moves = bytes.to_vec(),
                Column::Tags => game.tags = text(),
                Column::Movetext => game.movetext = Some(text()),
                _ => {}
            }
        }),
        ColumnReader::Int32ColumnReader(reader) => each(reader, rows, |at, &value| {
            let game = &mut records[at];
            match column {
                Column::Date => game.day = Day(value as u32),
                Column::WhiteElo => game.white_elo = value as u16,
                Column::BlackElo => game.black_elo = value as u16,
                Column::Plies => game.plies = value as u16,
                _ => sign(&mut game.signature, column, value as u64),
            }
        }),
        ColumnReader::Int64ColumnReader(reader) => each(reader, rows, |at, &value| {
            sign(&mut records[at].signature, column, value as u64);
        }),
        _ => Ok(()),
    }
}

/// Enters what a column tells of what a game has left behind.
fn sign(signature: &mut Signature, column: Column, value: u64) {
    match column {
        Column::FinalMaterial => signature.final_material = value,
        Column::HomePawns => signature.home_pawns = value as u16,
        Column::WhitePawns => signature.white_pawns = value,
        Column::BlackPawns => signature.black_pawns = value,
        _ => {}
    }
}

/// Hands on the values of some rows; a row without one is passed over.
pub(crate) fn each<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: &[u32],
    mut take: impl FnMut(usize, &T::T),
) -> parquet::errors::Result<()> {
    const PIECE: usize = 4096;
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut next = 0;
    let mut at = 0;
    while at < rows.len() {
        let gap = rows[at] as usize - next;
        if gap > 0 && reader.skip_records(gap)? < gap {
            return Err(parquet::errors::ParquetError::EOF("a column is too short".to_owned()));
        }
        let run = (1..PIECE.min(rows.len() - at))
            .take_while(|&more| rows[at + more] as usize == rows[at] as usize + more)
            .count()
            + 1;
        values.clear();
        levels.clear();
        let mut got = 0;
        while got < run {
            let (records, ..) =
                reader.read_records(run - got, Some(&mut levels), None, &mut values)?;
            if records == 0 {
                return Err(parquet::errors::ParquetError::EOF("a column is too short".to_owned()));
            }
            got += records;
        }
        match levels.is_empty() {
            true => values.iter().enumerate().for_each(|(more, value)| take(at + more, value)),
            false => {
                let rows = levels.iter().enumerate().filter(|(_, level)| **level > 0);
                rows.zip(&values).for_each(|((more, _), value)| take(at + more, value));
            }
        }
        next = rows[at] as usize + run;
        at += run;
    }
    Ok(())
}
