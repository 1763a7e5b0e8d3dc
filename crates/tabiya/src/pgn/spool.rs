//! Games that wait in a file for their turn.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};

use anyhow::Context as _;

/// Takes games one behind the other.
pub(super) struct Spool {
    out: BufWriter<File>,
    length: u64,
}

/// Gives them back, wherever they are.
pub(super) struct Spooled {
    file: BufReader<File>,
    here: u64,
    text: Vec<u8>,
}

impl Spool {
    pub(super) fn new() -> anyhow::Result<Spool> {
        let file = tempfile::tempfile().context("cannot make a file for the games to wait in")?;
        Ok(Spool { out: BufWriter::with_capacity(1 << 20, file), length: 0 })
    }

    /// Adds a game, and tells where it begins.
    pub(super) fn add(&mut self, text: &[u8]) -> anyhow::Result<u64> {
        self.out.write_all(text).context("cannot keep the games that wait")?;
        let start = self.length;
        self.length += text.len() as u64;
        Ok(start)
    }

    /// Where the next one begins.
    pub(super) fn end(&self) -> u64 {
        self.length
    }

    pub(super) fn finish(self) -> anyhow::Result<Spooled> {
        let file = self.out.into_inner().map_err(|error| error.into_error());
        let mut file = file.context("cannot keep the games that wait")?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Spooled { file: BufReader::with_capacity(1 << 16, file), here: 0, text: Vec::new() })
    }
}

impl Spooled {
    /// The text that begins there. What waits side by side is read without a jump.
    pub(super) fn read(&mut self, start: u64, length: u32) -> anyhow::Result<&[u8]> {
        self.file.seek_relative(start as i64 - self.here as i64)?;
        self.text.clear();
        (&mut self.file).take(u64::from(length)).read_to_end(&mut self.text)?;
        self.here = start + self.text.len() as u64;
        Ok(&self.text)
    }
}
