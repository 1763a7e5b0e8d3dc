//! Files of games that belong to no database.

use std::io::{self, Write};

use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;

use crate::record::StoredGame;
use crate::segment::{GROUP, write_group, writer};

/// Writes games as Parquet to whatever takes bytes, with the columns of a database's own files. It holds 32,768 games at
/// most, which become a row group.
///
/// ```
/// use tabiya_db::{GamesWriter, records};
///
/// let (games, _) = records("[White \"Tal\"]\n\n1. e4 e5 *\n");
/// let mut writer = GamesWriter::new(Vec::new())?;
/// for game in games {
///     writer.add(game)?;
/// }
/// let file = writer.finish()?;
/// assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct GamesWriter<W> {
    out: W,
    /// Writes to memory, which is emptied after each row group.
    rows: SerializedFileWriter<Vec<u8>>,
    waiting: Vec<StoredGame>,
}

impl<W: Write> GamesWriter<W> {
    /// Begins a file.
    pub fn new(out: W) -> io::Result<GamesWriter<W>> {
        let rows = writer(Vec::new()).map_err(io_error)?;
        Ok(GamesWriter { out, rows, waiting: Vec::new() })
    }

    /// Adds a game.
    pub fn add(&mut self, game: StoredGame) -> io::Result<()> {
        self.waiting.push(game);
        if self.waiting.len() == GROUP { self.write_waiting() } else { Ok(()) }
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let games: Vec<&StoredGame> = self.waiting.iter().collect();
        write_group(&mut self.rows, &games).map_err(io_error)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records;
    use crate::segment::{Columns, Segment};

    #[test]
    fn what_is_written_is_read_back_in_row_groups() {
        let text = "[White \"Réti\"]\n[Black \"Tal\"]\n[WhiteElo \"2500\"]\n[Annotator \"me\"]\n\n\
                    1. e4 {best} e5 1-0\n\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\nKd1 *\n";
        let (games, bad) = records(text);
        assert!(bad.is_empty() && games.len() == 2);
        let count = GROUP + 3;
        let all: Vec<StoredGame> = games.iter().cycle().take(count).cloned().collect();
        let mut writer = GamesWriter::new(Vec::new()).unwrap();
        let mut largest = 0;
        for game in &all {
            writer.add(game.clone()).unwrap();
            largest = largest.max(writer.waiting.len());
        }
        assert!(largest < GROUP && !writer.out.is_empty(), "a whole row group does not wait");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        std::fs::write(&path, writer.finish().unwrap()).unwrap();
        let segment = Segment::open(&path).unwrap();
        assert_eq!((segment.groups(), segment.games() as usize), (2, count));
        let read: Vec<StoredGame> =
            (0..2).flat_map(|group| segment.read(group, Columns::ALL).unwrap()).collect();
        assert!(read == all);
    }

    #[test]
    fn a_file_without_games_is_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none.parquet");
        std::fs::write(&path, GamesWriter::new(Vec::new()).unwrap().finish().unwrap()).unwrap();
        assert_eq!(Segment::open(&path).unwrap().games(), 0);
    }
}
