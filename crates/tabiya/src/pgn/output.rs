//! Where games are written to.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tabiya_base::write_atomically;

use super::count;
use super::mill::Totals;

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
        work: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        match &self.out {
            None => {
                let mut out = BufWriter::with_capacity(1 << 18, io::stdout().lock());
                let done = work(&mut out)?;
                out.flush()?;
                Ok(done)
            }
            Some(path) => write_file(path, work),
        }
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
    eprintln!("{} of {} written", super::grouped(written), count(totals.games, "game"));
    match totals.bad {
        0 => Ok(()),
        bad => anyhow::bail!(
            "{} of {} cannot be read",
            super::grouped(bad),
            count(totals.games, "game")
        ),
    }
}
