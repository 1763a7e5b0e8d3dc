//! Files as bytes: mapped into memory, and numbers of few bytes.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use crate::error::{At, DbError};

/// A file as bytes, read from the disk when they are looked at.
pub(crate) fn map(path: &Path) -> Result<bytes::Bytes, DbError> {
    let file = File::open(path).at(path)?;
    if file.metadata().at(path)?.len() == 0 {
        return Ok(bytes::Bytes::new());
    }
    // SAFETY: the files of a database are written once under another name, and then never changed, only removed, which
    // leaves the mapping as it is. (Whoever cuts one off from outside ends this program, as with any mapped file.)
    let map = unsafe { Mmap::map(&file) }.at(path)?;
    Ok(bytes::Bytes::from_owner(map))
}

/// Writes a file, to the disk.
pub(crate) fn write(path: &Path, parts: &[&[u8]]) -> Result<u64, DbError> {
    use io::Write as _;
    let mut file = File::create(path).at(path)?;
    for part in parts {
        file.write_all(part).at(path)?;
    }
    file.sync_all().at(path)?;
    Ok(parts.iter().map(|part| part.len() as u64).sum())
}

/// Seven bits a byte, the low ones first; the highest bit says that more come.
pub(crate) fn put(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The next number, if there is one.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The next so many bytes.
#[inline]
pub(crate) fn take_slice<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (slice, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(slice)
}

/// Four bytes at a place, the low one first.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 20, u64::MAX];
        let mut out = Vec::new();
        numbers.iter().for_each(|&number| put(number, &mut out));
        let mut bytes = out.as_slice();
        for number in numbers {
            assert_eq!(take(&mut bytes), Some(number));
        }
        assert_eq!(take(&mut bytes), None);
        assert_eq!(take(&mut &[0xff; 20][..]), None);
    }
}
