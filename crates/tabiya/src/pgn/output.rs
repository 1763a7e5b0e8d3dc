//! Where games are written to.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tabiya_base::write_atomically;
use tabiya_db::{Collector, GamesWriter};
use tabiya_pgn::Reader;

use super::form::{FormArgs, Format};
use super::mill::Totals;
use crate::print::{count, grouped};

/// Where games are written to.
#[derive(clap::Args, Debug)]
pub(super) struct OutArg {
    /// Write to this file instead of standard output. It is there when it is whole.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl OutArg {
    /// Does something with the output, which is whole afterwards or not there.
    pub(super) fn write<T>(
        &self,
        form: &FormArgs,
        work: impl FnOnce(&mut GameSink<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        match &self.out {
            None => {
                anyhow::ensure!(
                    form.format() != Format::Parquet || !io::stdout().is_terminal(),
                    "Parquet is not for reading: give --out FILE"
                );
                let mut out = BufWriter::with_capacity(1 << 18, io::stdout().lock());
                let done = GameSink::with(form, &mut out, work)?;
                out.flush()?;
                Ok(done)
            }
            Some(path) => write_file(path, |out| GameSink::with(form, out, work)),
        }
    }
}

/// What takes games as they are written: as text, or as a table that is made of it.
pub(super) enum GameSink<'a> {
    Text(&'a mut dyn Write),
    Parquet(Box<GamesWriter<&'a mut dyn Write>>),
}

impl<'a> GameSink<'a> {
    /// Begins to write, does something, and writes what stands behind all games.
    pub(super) fn with<T>(
        form: &FormArgs,
        out: &'a mut dyn Write,
        work: impl FnOnce(&mut GameSink<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut sink = match form.format() {
            Format::Parquet => GameSink::Parquet(Box::new(GamesWriter::new(out)?)),
            _ => {
                out.write_all(form.head().as_bytes())?;
                GameSink::Text(out)
            }
        };
        let done = work(&mut sink)?;
        if let GameSink::Parquet(writer) = sink {
            writer.finish()?;
        }
        Ok(done)
    }

    /// Writes the text of games. Tells how many there is no place for: a table has none for games of more than 65,000 plies.
    pub(super) fn write(&mut self, text: &[u8]) -> anyhow::Result<u64> {
        let writer = match self {
            GameSink::Text(out) => {
                out.write_all(text)?;
                return Ok(0);
            }
            GameSink::Parquet(writer) => writer,
        };
        let mut reader = Reader::in_memory(text.to_vec());
        let mut collector = Collector::new(true);
        let mut left_out = 0;
        // It was written a moment ago, so it can be read.
        while reader.visit(&mut collector)? {
            match collector.objection() {
                None => writer.add(collector.take(reader.text()).record)?,
                Some(objection) => {
                    eprintln!("{objection} in a table");
                    left_out += 1;
                }
            }
        }
        Ok(left_out)
    }
}

/// Writes a file that is whole afterwards or not there.
pub(super) fn write_file<T>(
    path: &Path,
    work: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    // What goes wrong with the games is told as it is, not as if the file could not be written.
    let mut outcome = None;
    let written = write_atomically(path, |out| {
        let mut out = BufWriter::with_capacity(1 << 18, out);
        let done = work(&mut out);
        let failed = done.is_err();
        outcome = Some(done);
        if failed { Err(io::ErrorKind::Other.into()) } else { out.flush() }
    });
    match (outcome, written) {
        (Some(Err(error)), _) => Err(error),
        (Some(Ok(done)), Ok(())) => Ok(done),
        (_, Err(error)) => Err(error).with_context(|| format!("cannot write {}", path.display())),
        (None, Ok(())) => anyhow::bail!("{} was not written", path.display()),
    }
}

/// Tells how many games were written. It is a failure if some could not be read.
pub(super) fn report(written: u64, totals: Totals) -> anyhow::Result<()> {
    eprintln!("{} of {} written", grouped(written), count(totals.games, "game"));
    match totals.bad {
        0 => Ok(()),
        bad => anyhow::bail!("{} of {} cannot be read", grouped(bad), count(totals.games, "game")),
    }
}
