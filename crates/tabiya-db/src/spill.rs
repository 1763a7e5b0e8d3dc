//! Many more entries than fit into memory, sorted: they are dealt into parts by the first byte of their key, each part is
//! short enough to be sorted at once. What is too much for memory lies in a file until then.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{At, DbError};

/// Into so many parts.
pub(crate) const PARTS: usize = 256;
const ENTRY: usize = 14;
/// So much of a part stays in memory.
const KEPT: usize = ENTRY * 4096;

/// A position with what followed it in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) code: u16,
    pub(crate) game: u32,
}

/// Collects entries.
pub(crate) struct Spill {
    path: PathBuf,
    file: Option<File>,
    written: u64,
    parts: Vec<Part>,
    pub(crate) entries: u64,
}

#[derive(Default)]
struct Part {
    kept: Vec<u8>,
    /// Where its pieces are in the file; each is of the length that is kept.
    pieces: Vec<u64>,
}

impl Spill {
    pub(crate) fn new(path: PathBuf) -> Spill {
        let parts = (0..PARTS).map(|_| Part::default()).collect();
        Spill { path, file: None, written: 0, parts, entries: 0 }
    }

    pub(crate) fn push(&mut self, entry: Entry) -> Result<(), DbError> {
        let part = &mut self.parts[(entry.key >> 56) as usize];
        part.kept.extend_from_slice(&entry.key.to_le_bytes());
        part.kept.extend_from_slice(&entry.game.to_le_bytes());
        part.kept.extend_from_slice(&entry.code.to_le_bytes());
        self.entries += 1;
        if part.kept.len() < KEPT {
            return Ok(());
        }
        if self.file.is_none() {
            let file = File::options().read(true).write(true).create_new(true).open(&self.path);
            self.file = Some(file.at(&self.path)?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&part.kept).at(&self.path)?;
        }
        part.pieces.push(self.written);
        self.written += KEPT as u64;
        part.kept.clear();
        Ok(())
    }

    /// The entries of a part, sorted by key, code and game, none twice.
    pub(crate) fn sorted(&self, part: usize) -> Result<Vec<Entry>, DbError> {
        let Part { kept, pieces } = &self.parts[part];
        let mut numbers = Vec::with_capacity(pieces.len() * KEPT / ENTRY + kept.len() / ENTRY);
        let mut add = |bytes: &[u8]| {
            let (entries, _) = bytes.as_chunks::<ENTRY>();
            for entry in entries {
                let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = *entry;
                let key = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
                let game = u32::from_le_bytes([i, j, k, l]);
                let code = u16::from_le_bytes([m, n]);
                numbers.push(u128::from(key) << 64 | u128::from(code) << 32 | u128::from(game));
            }
        };
        if let Some(file) = &self.file {
            let mut piece = vec![0; KEPT];
            for &start in pieces {
                read_at(file, &mut piece, start).at(&self.path)?;
                add(&piece);
            }
        }
        add(kept);
        numbers.sort_unstable();
        numbers.dedup();
        let entry = |number: u128| Entry {
            key: (number >> 64) as u64,
            code: (number >> 32) as u16,
            game: number as u32,
        };
        Ok(numbers.into_iter().map(entry).collect())
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    static ONE_AT_A_TIME: parking_lot::Mutex<()> = parking_lot::Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

/// Where entries are collected while a run is made.
pub(crate) fn spill_path(folder: &Path) -> PathBuf {
    folder.join("spill.tmp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_out_sorted_and_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(spill_path(folder.path()));
        let mut random = tabiya_base::Random::new(3);
        let mut all = Vec::new();
        for _ in 0..60_000 {
            // Few parts, so that some go to the disk, and some entries twice.
            let key = (random.below(4) as u64) << 56 | random.below(20_000) as u64;
            let entry = Entry { key, code: random.below(3) as u16, game: random.below(2) as u32 };
            spill.push(entry).unwrap();
            all.push(entry);
        }
        assert!(spill.path.exists());
        all.sort();
        all.dedup();
        let out: Vec<Entry> = (0..PARTS).flat_map(|part| spill.sorted(part).unwrap()).collect();
        assert_eq!(out, all);
        drop(spill);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
