use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use tabiya_base::write_atomically;

const TITLE: &str = "Tabiya review in progress";
/// No record is longer than a game that was read, with a review.
const LONGEST: u64 = 1 << 28;

/// Finished games of a review that is not: each is on the disk before the next thing happens, in the order in which
/// they were finished. A record that was being written when everything ended is cut off.
pub struct SideFile {
    path: PathBuf,
    file: File,
    /// Where the record of each game lies, and how long it is.
    records: BTreeMap<u64, (u64, u64)>,
    end: u64,
}

impl SideFile {
    /// Opens the side file of a result, or makes it. One that belongs to other games or settings, or that somebody
    /// else is writing, is refused.
    pub fn open(out: &Path, fingerprint: &str) -> io::Result<SideFile> {
        let Some(name) = out.file_name().filter(|_| !out.is_dir()) else {
            return Err(io::Error::other(format!("{} is no file", out.display())));
        };
        let mut name = name.to_owned();
        name.push(".part");
        let path = out.with_file_name(name);
        let told = |error: io::Error| within(&error, "cannot use", &path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(told)?;
        if file.try_lock().is_err() {
            let sentence = format!("{} is in use: another review is writing it", path.display());
            return Err(io::Error::other(sentence));
        }
        let title = format!("{TITLE} {fingerprint}\n");
        let begins = starts(&mut file, &title).map_err(told)?;
        let mut side = SideFile { path: path.clone(), file, records: BTreeMap::new(), end: 0 };
        match begins {
            Start::Ours => side.read(title.len() as u64).map_err(told)?,
            Start::Torn => {
                side.file.set_len(0).map_err(told)?;
                side.write(title.as_bytes()).map_err(told)?;
            }
            Start::Other => {
                return Err(io::Error::other(format!(
                    "{} was begun with other games or settings: finish that review, or delete the file",
                    path.display()
                )));
            }
        }
        Ok(side)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many games are done.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether a game is done.
    pub fn has(&self, number: u64) -> bool {
        self.records.contains_key(&number)
    }

    /// The record of a game that is done.
    pub fn get(&mut self, number: u64) -> io::Result<Option<String>> {
        let Some(&(at, length)) = self.records.get(&number) else { return Ok(None) };
        let mut bytes = vec![0; length as usize];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map(Some).map_err(io::Error::other)
    }

    /// Keeps a finished game: when this returns, it is on the disk.
    pub fn append(&mut self, number: u64, record: &str) -> io::Result<()> {
        let head = head(number, record.as_bytes());
        let at = self.end + head.len() as u64;
        let whole = format!("{head}{record}");
        self.write(whole.as_bytes()).map_err(|error| within(&error, "cannot write", &self.path))?;
        self.records.insert(number, (at, record.len() as u64));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(bytes)?;
        self.file.sync_data()?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Finds the records, and cuts off what is not whole.
    fn read(&mut self, start: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(start))?;
        self.end = start;
        let mut reader = BufReader::new(&self.file);
        loop {
            let mut line = Vec::new();
            let read = reader.by_ref().take(100).read_until(b'\n', &mut line)?;
            let Some((number, length)) = numbers(&line).filter(|&(_, length)| length <= LONGEST)
            else {
                break;
            };
            let mut bytes = Vec::new();
            reader.by_ref().take(length).read_to_end(&mut bytes)?;
            let is_whole = bytes.len() as u64 == length && head(number, &bytes).as_bytes() == line;
            if !is_whole || std::str::from_utf8(&bytes).is_err() {
                break;
            }
            let at = self.end + read as u64;
            self.records.insert(number, (at, length));
            self.end = at + length;
        }
        self.file.set_len(self.end)
    }

    /// Writes the result, all games in their order, and removes the side file.
    pub fn finish(mut self, out: &Path) -> io::Result<()> {
        let numbers: Vec<u64> = self.records.keys().copied().collect();
        write_atomically(out, |file| {
            for (index, &number) in numbers.iter().enumerate() {
                let record = self.get(number)?.unwrap_or_default();
                let between = if index == 0 { "" } else { "\n" };
                write!(file, "{between}{record}")?;
            }
            Ok(())
        })
        .map_err(|error| within(&error, "cannot write", out))?;
        std::fs::remove_file(&self.path)
            .map_err(|error| within(&error, "cannot remove", &self.path))
    }
}

/// An error with what was tried.
fn within(error: &io::Error, what: &str, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{what} {}: {error}", path.display()))
}

enum Start {
    /// The right title.
    Ours,
    /// Nothing, or a title that was being written.
    Torn,
    /// Anything else.
    Other,
}

fn starts(file: &mut File, title: &str) -> io::Result<Start> {
    let mut found = Vec::new();
    file.rewind()?;
    file.take(title.len() as u64).read_to_end(&mut found)?;
    Ok(match found.as_slice() {
        found if found == title.as_bytes() => Start::Ours,
        found if found.len() < title.len() && title.as_bytes().starts_with(found) => Start::Torn,
        _ => Start::Other,
    })
}

/// `game 7 1234 89abcdef`: number, length and checksum of the record that follows.
fn head(number: u64, record: &[u8]) -> String {
    format!("game {number} {} {:08x}\n", record.len(), crc32fast::hash(record))
}

fn numbers(line: &[u8]) -> Option<(u64, u64)> {
    let mut words = std::str::from_utf8(line).ok()?.strip_prefix("game ")?.split(' ');
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_kept_and_a_torn_tail_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.pgn");
        let mut side = SideFile::open(&out, "abc").unwrap();
        side.append(3, "third\n").unwrap();
        side.append(1, "first\n").unwrap();
        assert!(SideFile::open(&out, "abc").is_err(), "two at once");
        let path = side.path().to_owned();
        drop(side);
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut side = SideFile::open(&out, "abc").unwrap();
            let kept = side.len();
            assert!(kept < 2);
            side.append(2, "second\n").unwrap();
            drop(side);
            let mut side = SideFile::open(&out, "abc").unwrap();
            assert_eq!(side.len(), kept + 1, "cut at {cut}");
            assert_eq!(side.get(2).unwrap().as_deref(), Some("second\n"));
        }
        // A byte that has changed.
        let mut wrong = whole.clone();
        let last = wrong.len() - 2;
        wrong[last] ^= 1;
        std::fs::write(&path, &wrong).unwrap();
        assert_eq!(SideFile::open(&out, "abc").unwrap().len(), 1);

        // What is no text, though its checksum is right: nobody wrote that here, and no result could be made of it.
        let record = b"\xff\xfe\n";
        let foreign = [&whole[..], head(7, record).as_bytes(), record].concat();
        std::fs::write(&path, &foreign).unwrap();
        let side = SideFile::open(&out, "abc").unwrap();
        assert!(side.len() == 2 && !side.has(7));
        drop(side);

        std::fs::write(&path, &whole).unwrap();
        let error = SideFile::open(&out, "other").err().unwrap().to_string();
        assert!(error.contains("other games or settings"), "{error}");
        SideFile::open(&out, "abc").unwrap().finish(&out).unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "first\n\nthird\n");
        assert!(!path.exists());
    }
}
