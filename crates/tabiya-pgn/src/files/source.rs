//! Files of games as bytes: plain or compressed, of any encoding, or standard input.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is in a file of games, ready to be read.
pub struct Source {
    /// The text, unpacked.
    pub bytes: Box<dyn Read + Send>,
    /// How long the file is, as it lies on the disk.
    pub size: Option<u64>,
    /// How much of it has been read.
    pub read: Arc<AtomicU64>,
}

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const BZIP2: &[u8] = b"BZh";

/// Opens a file; - is standard input. What it is is told by its first bytes, not by its name. An error names the file.
pub fn open(name: &str) -> io::Result<Source> {
    let named = |what: &str, error: io::Error| {
        io::Error::new(error.kind(), format!("cannot {what} {name}: {error}"))
    };
    let (raw, size): (Box<dyn Read + Send>, _) = if name == "-" {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(name).map_err(|error| named("open", error))?;
        let size = file.metadata().ok().filter(|data| data.is_file()).map(|data| data.len());
        (Box::new(file), size)
    };
    let read = Arc::new(AtomicU64::new(0));
    let counted = Counted { source: raw, read: Arc::clone(&read) };
    let bytes = unpack(counted).map_err(|error| named("read", error))?;
    Ok(Source { bytes, size, read })
}

fn unpack(mut source: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let first = beginning(&mut source, 4)?;
    let whole = io::Cursor::new(first.clone()).chain(source);
    Ok(if first.starts_with(GZIP) {
        plain(flate2::read::MultiGzDecoder::new(BufReader::with_capacity(1 << 16, whole)))?
    } else if first.starts_with(ZSTD) {
        plain(zstd::stream::read::Decoder::new(whole)?)?
    } else if first.starts_with(BZIP2) {
        plain(bzip2::read::MultiBzDecoder::new(BufReader::with_capacity(1 << 16, whole)))?
    } else {
        plain(whole)?
    })
}

/// What is UTF-16 becomes UTF-8; everything else stays as it is.
fn plain(mut source: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let first = beginning(&mut source, 2)?;
    let little = match first.as_slice() {
        [0xff, 0xfe] => true,
        [0xfe, 0xff] => false,
        _ => return Ok(Box::new(io::Cursor::new(first).chain(source))),
    };
    Ok(Box::new(Utf16 { source, little, raw: Vec::new(), ready: Vec::new(), at: 0 }))
}

/// The first bytes, as far as there are so many.
fn beginning(source: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(count);
    source.by_ref().take(count as u64).read_to_end(&mut first)?;
    Ok(first)
}

struct Counted<R> {
    source: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

struct Utf16<R> {
    source: R,
    little: bool,
    /// Bytes that are not text yet.
    raw: Vec<u8>,
    ready: Vec<u8>,
    at: usize,
}

impl<R: Read> Utf16<R> {
    fn refill(&mut self) -> io::Result<bool> {
        let before = self.raw.len();
        self.source.by_ref().take(1 << 16).read_to_end(&mut self.raw)?;
        let is_end = self.raw.len() == before;
        if is_end && before == 0 {
            return Ok(false);
        }
        let unit = |pair: &[u8]| match *pair {
            [a, b] if self.little => u16::from_le_bytes([a, b]),
            [a, b] => u16::from_be_bytes([a, b]),
            // Half a character at the very end.
            _ => 0xfffd,
        };
        let mut units: Vec<u16> = match is_end {
            true => self.raw.chunks(2).map(unit).collect(),
            false => self.raw.chunks_exact(2).map(unit).collect(),
        };
        let mut used = if is_end { self.raw.len() } else { 2 * units.len() };
        // The second half of a pair may be still to come.
        if !is_end && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            units.pop();
            used -= 2;
        }
        self.raw.drain(..used);
        self.ready = String::from_utf16_lossy(&units).into_bytes();
        self.at = 0;
        Ok(true)
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.ready.len() {
            if !self.refill()? {
                return Ok(0);
            }
        }
        let mut ready = self.ready.get(self.at..).unwrap_or_default();
        let count = ready.read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(bytes: Vec<u8>) -> String {
        let mut text = String::new();
        unpack(io::Cursor::new(bytes)).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn what_is_packed_comes_out() {
        let text = "[Event \"Réti ♘ 😀\"]\n".repeat(10_000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(text.as_bytes()).unwrap();
        let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
        for packed in [gzip.finish().unwrap(), bzip2.finish().unwrap(), zstd] {
            assert!(packed.len() < text.len() / 10);
            // Several of them, one after the other, are one file.
            assert_eq!(read(packed.repeat(2)), text.repeat(2));
        }
        for swap in [false, true] {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            let bytes = units.flat_map(|unit| match swap {
                true => unit.to_be_bytes(),
                false => unit.to_le_bytes(),
            });
            assert_eq!(read(bytes.collect()), text);
        }
        assert_eq!(read(text.clone().into_bytes()), text);
        assert_eq!(read(Vec::new()), "");
        assert_eq!(read(vec![0xff, 0xfe, b'x']), "\u{fffd}");
    }
}
