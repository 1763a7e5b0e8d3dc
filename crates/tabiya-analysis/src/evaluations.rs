//! Evaluations as a Parquet file: a row for every position of a game, and for every line of a position.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use tabiya_base::Score;
use tabiya_chess::Position;
use tabiya_review::{Assessment, Evaluation, Review};

use crate::PositionAnalysis;

/// So many rows are a row group.
const GROUP: usize = 1 << 16;

const SCHEMA: &str = "message evaluation {
    required int64 number (INTEGER(64, true));
    required int32 ply (INTEGER(32, true));
    required int32 line (INTEGER(32, true));
    required binary fen (STRING);
    optional binary san (STRING);
    optional binary uci (STRING);
    optional int32 centipawns (INTEGER(32, true));
    optional int32 mate (INTEGER(32, true));
    optional binary over (STRING);
    required double chances;
    required int32 depth (INTEGER(32, true));
    required int64 nodes (INTEGER(64, true));
    optional double loss;
    optional double accuracy;
    optional binary judgement (STRING);
    optional binary best (STRING);
}";

struct Row {
    number: u64,
    ply: usize,
    line: usize,
    fen: String,
    san: Option<String>,
    uci: Option<String>,
    evaluation: Evaluation,
    loss: Option<f64>,
    accuracy: Option<f64>,
    judgement: Option<&'static str>,
    best: Option<String>,
}

/// Writes evaluations as Parquet to whatever takes bytes; `docs/analysis.md` has the columns.
pub struct EvaluationsWriter<W> {
    out: W,
    /// Writes to memory, which is emptied after each row group.
    rows: SerializedFileWriter<Vec<u8>>,
    waiting: Vec<Row>,
}

impl<W: Write> EvaluationsWriter<W> {
    /// Begins a file.
    pub fn new(out: W) -> io::Result<EvaluationsWriter<W>> {
        let begin = || {
            let schema = Arc::new(parse_message_type(SCHEMA)?);
            let properties = WriterProperties::builder()
                .set_created_by("tabiya".to_owned())
                .set_compression(Compression::ZSTD(ZstdLevel::try_new(4)?));
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build()))
        };
        Ok(EvaluationsWriter { out, rows: begin().map_err(io_error)?, waiting: Vec::new() })
    }

    /// Adds a game: a row for the start, and one behind every move.
    pub fn add_game(&mut self, number: u64, review: &Review) -> io::Result<()> {
        let mut position = review.position;
        let best = review
            .moves
            .first()
            .map(|first| first.better_codes.first().unwrap_or(&first.code).clone());
        self.add(Row {
            number,
            ply: 0,
            line: 1,
            fen: position.fen(),
            san: None,
            uci: None,
            evaluation: review.start,
            loss: None,
            accuracy: None,
            judgement: None,
            best,
        })?;
        let next = review.moves.iter().skip(1).map(Some).chain([None]);
        for ((reviewed, next), ply) in review.moves.iter().zip(next).zip(1..) {
            position.play_unchecked(reviewed.played);
            let best = next.map(|next| next.better_codes.first().unwrap_or(&next.code).clone());
            self.add(Row {
                number,
                ply,
                line: 1,
                fen: position.fen(),
                san: Some(reviewed.san.clone()),
                uci: Some(reviewed.code.clone()),
                evaluation: reviewed.evaluation,
                loss: Some(reviewed.loss),
                accuracy: Some(reviewed.accuracy),
                judgement: reviewed.judgement.map(|judgement| judgement.name()),
                best,
            })?;
        }
        Ok(())
    }

    /// Adds a position: a row for each line, at least one.
    pub fn add_position(
        &mut self,
        number: u64,
        position: &Position,
        found: &PositionAnalysis,
    ) -> io::Result<()> {
        let whole = found.evaluation(position);
        let lines = found.lines().iter().map(Some);
        let lines: Vec<_> = if found.lines().is_empty() { vec![None] } else { lines.collect() };
        for (one, line) in lines.into_iter().zip(1..) {
            let worth = one.map_or(whole.worth, |one| one.worth());
            self.add(Row {
                number,
                ply: 0,
                line,
                fen: position.fen(),
                san: None,
                uci: None,
                evaluation: Evaluation { worth, ..whole },
                loss: None,
                accuracy: None,
                judgement: None,
                best: one.and_then(|one| one.codes().first().cloned()),
            })?;
        }
        Ok(())
    }

    fn add(&mut self, row: Row) -> io::Result<()> {
        self.waiting.push(row);
        if self.waiting.len() == GROUP { self.write_waiting() } else { Ok(()) }
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        write_group(&mut self.rows, &self.waiting).map_err(io_error)?;
        self.waiting.clear();
        self.rows.flush()?;
        self.out.write_all(self.rows.inner())?;
        self.rows.inner_mut().clear();
        Ok(())
    }

    /// Ends the file, and gives back what it was written to.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.waiting.is_empty() {
            self.write_waiting()?;
        }
        let end = self.rows.into_inner().map_err(io_error)?;
        self.out.write_all(&end)?;
        Ok(self.out)
    }
}

fn io_error(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

fn write_group(
    writer: &mut SerializedFileWriter<Vec<u8>>,
    rows: &[Row],
) -> parquet::errors::Result<()> {
    let text = |text: &Option<String>| text.as_deref().map(ByteArray::from);
    let score = |row: &Row| match row.evaluation.worth {
        Assessment::Score(score) => Some(score),
        Assessment::Over(_) => None,
    };
    let centipawns = |row: &Row| match score(row)? {
        Score::Centipawns(centipawns) => Some(centipawns),
        Score::Mate(_) => None,
    };
    let mate = |row: &Row| match score(row)? {
        Score::Mate(moves) => Some(moves),
        Score::Centipawns(_) => None,
    };
    let over = |row: &Row| match row.evaluation.worth {
        Assessment::Over(outcome) => Some(outcome.result().into()),
        Assessment::Score(_) => None,
    };
    let mut group = writer.next_row_group()?;
    let group_of = &mut group;
    required::<Int64Type>(group_of, rows, |row| row.number as i64)?;
    required::<Int32Type>(group_of, rows, |row| row.ply as i32)?;
    required::<Int32Type>(group_of, rows, |row| row.line as i32)?;
    required::<ByteArrayType>(group_of, rows, |row| row.fen.as_str().into())?;
    optional::<ByteArrayType>(group_of, rows, |row| text(&row.san))?;
    optional::<ByteArrayType>(group_of, rows, |row| text(&row.uci))?;
    optional::<Int32Type>(group_of, rows, centipawns)?;
    optional::<Int32Type>(group_of, rows, mate)?;
    optional::<ByteArrayType>(group_of, rows, over)?;
    required::<DoubleType>(group_of, rows, |row| row.evaluation.worth.chances())?;
    required::<Int32Type>(group_of, rows, |row| row.evaluation.depth as i32)?;
    required::<Int64Type>(group_of, rows, |row| row.evaluation.nodes as i64)?;
    optional::<DoubleType>(group_of, rows, |row| row.loss)?;
    optional::<DoubleType>(group_of, rows, |row| row.accuracy)?;
    optional::<ByteArrayType>(group_of, rows, |row| row.judgement.map(ByteArray::from))?;
    optional::<ByteArrayType>(group_of, rows, |row| text(&row.best))?;
    group.close().map(drop)
}

fn required<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    rows: &[Row],
    of: impl Fn(&Row) -> T::T,
) -> parquet::errors::Result<()> {
    let values: Vec<T::T> = rows.iter().map(of).collect();
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(&values, None, None)?;
    column.close()
}

fn optional<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    rows: &[Row],
    of: impl Fn(&Row) -> Option<T::T>,
) -> parquet::errors::Result<()> {
    let values: Vec<Option<T::T>> = rows.iter().map(of).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}
