//! A table as a file.
//!
//! A head with the ending, its counts and where the parts are, then three parts for each side to move (for White alone if
//! both sides have the same men): how the game ends, plies to mate, plies to a capture or a pawn move. See `codec.rs` for what
//! is in a part. All numbers are little-endian.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tabiya_base::write_atomically;
use tabiya_chess::Color;

use crate::codec::{Cursor, Damage, Packed, is_right};
use crate::contents::Contents;
use crate::layout::{Layout, Squares};
use crate::neighbours::Bytes;
use crate::value::{CLOCK, Fate, Metric, Value, mate_value, value};
use crate::{Material, TableError};

/// The version that is written and read. 2: small blocks, and mates of 254 plies.
pub(crate) const VERSION: u32 = 2;
/// How the names of these files end.
pub(crate) const ENDING: &str = "tabiya-table";
const MAGIC: &[u8; 8] = b"Tabiya\0T";
const NAME: usize = 16;

/// What a file has of each position.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Fate,
    Mate,
    Zeroing,
}

impl Part {
    pub(crate) const ALL: [Part; 3] = [Part::Fate, Part::Mate, Part::Zeroing];
}

/// What is counted of one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions, by their [`Fate`]. Positions that look the same count once.
    pub fates: [u64; 5],
    /// The most plies to mate.
    pub longest: u64,
    /// Where such a position is: its slice and number.
    pub(crate) place: [u64; 2],
}

impl Counts {
    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.fates.iter().sum()
    }
}

/// What goes into a file for one side to move.
pub(crate) struct PackedHalf {
    pub(crate) counts: Counts,
    pub(crate) parts: [Vec<u8>; 3],
}

/// A table that is open.
pub(crate) struct TableFile {
    path: PathBuf,
    contents: Contents,
    pub(crate) layout: Arc<Layout>,
    pub(crate) counts: Vec<Counts>,
    parts: Vec<[(usize, usize); 3]>,
    opened: Vec<[OnceLock<Result<Packed, Damage>>; 3]>,
}

/// How the file of an ending is called.
pub(crate) fn file_name(material: Material) -> String {
    format!("{material}.{ENDING}")
}

pub(crate) fn write(path: &Path, layout: &Layout, halves: &[PackedHalf]) -> io::Result<()> {
    let mut head = Vec::new();
    head.extend(MAGIC);
    head.extend(VERSION.to_le_bytes());
    let mut name = layout.material.to_string().into_bytes();
    name.resize(NAME, 0);
    head.extend(&name);
    head.extend((layout.slices() as u64).to_le_bytes());
    head.extend((layout.slice_size as u64).to_le_bytes());
    head.extend((halves.len() as u32).to_le_bytes());
    let mut offset = (head.len() + halves.len() * (8 * 8 + 3 * 16) + 4) as u64;
    for half in halves {
        let Counts { fates, longest, place } = half.counts;
        for number in fates.into_iter().chain([longest]).chain(place) {
            head.extend(number.to_le_bytes());
        }
        for part in &half.parts {
            head.extend(offset.to_le_bytes());
            head.extend((part.len() as u64).to_le_bytes());
            offset += part.len() as u64;
        }
    }
    let checksum = crc32fast::hash(&head);
    head.extend(checksum.to_le_bytes());
    write_atomically(path, |file: &mut dyn Write| {
        file.write_all(&head)?;
        halves.iter().flat_map(|half| &half.parts).try_for_each(|part| file.write_all(part))
    })
}

impl TableFile {
    pub(crate) fn open(path: &Path) -> Result<TableFile, TableError> {
        TableFile::new(Contents::of_file(path)?, path)
    }

    /// `path` names the file in errors.
    pub(crate) fn new(contents: Contents, path: &Path) -> Result<TableFile, TableError> {
        let damaged = |what| TableError::damaged(path)(what);
        let short = || damaged("the file ends too early");
        let mut cursor = Cursor(&contents);
        if cursor.bytes(8) != Some(MAGIC) {
            return Err(damaged("it is no table of Tabiya's"));
        }
        let version = cursor.u32().ok_or_else(short)?;
        if version != VERSION {
            return Err(TableError::Version { path: path.to_owned(), version });
        }
        let name = cursor.bytes(NAME).ok_or_else(short)?;
        let name = String::from_utf8_lossy(name);
        let material: Material = name
            .trim_end_matches('\0')
            .parse()
            .map_err(|_| damaged("it does not say of which ending it is"))?;
        let layout = Layout::new(material).ok_or_else(|| damaged("it is of too many men"))?;
        let sizes =
            [cursor.u64(), cursor.u64()].map(|size| size.and_then(|n| usize::try_from(n).ok()));
        if sizes != [Some(layout.slices()), Some(layout.slice_size)] {
            return Err(damaged("its size is wrong"));
        }
        let halves = cursor.u32().ok_or_else(short)?;
        if halves != if material.is_symmetric() { 1 } else { 2 } {
            return Err(damaged("it does not have both sides to move"));
        }
        let (mut counts, mut parts) = (Vec::new(), Vec::new());
        for _ in 0..halves {
            let mut numbers = [0; 8];
            for number in &mut numbers {
                *number = cursor.u64().ok_or_else(short)?;
            }
            let [a, b, c, d, e, longest, slice, number] = numbers;
            counts.push(Counts { fates: [a, b, c, d, e], longest, place: [slice, number] });
            let mut own = [(0, 0); 3];
            for range in &mut own {
                let [start, len] =
                    [cursor.u64(), cursor.u64()].map(|n| n.and_then(|n| usize::try_from(n).ok()));
                let (start, len) = start.zip(len).ok_or_else(short)?;
                let end = start.checked_add(len).filter(|&end| end <= contents.len());
                *range = (start, end.ok_or_else(short)?);
            }
            parts.push(own);
        }
        let head = contents.len() - cursor.0.len();
        if !cursor.u32().is_some_and(|checksum| is_right(checksum, &contents[..head])) {
            return Err(damaged("the checksum of its head is wrong"));
        }
        let opened = parts.iter().map(|_| Default::default()).collect();
        let (path, layout) = (path.to_owned(), Arc::new(layout));
        Ok(TableFile { path, contents, layout, counts, parts, opened })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.contents.len()
    }

    /// How many bytes each part has, for both sides to move.
    pub(crate) fn bytes_of(&self, part: Part) -> usize {
        self.parts.iter().map(|parts| parts[part as usize]).map(|(start, end)| end - start).sum()
    }

    #[inline]
    fn part(&self, turn: Color, part: Part) -> Result<(&Packed, &[u8]), TableError> {
        let damaged = TableError::damaged(&*self.path);
        let half = turn as usize;
        let (Some(parts), Some(opened)) = (self.parts.get(half), self.opened.get(half)) else {
            return Err(TableError::Inconsistent);
        };
        let (start, end) = parts[part as usize];
        let bytes = &self.contents[start..end];
        let packed = opened[part as usize].get_or_init(|| {
            let packed = Packed::open(bytes)?;
            if packed.len() == self.layout.size() { Ok(packed) } else { Err("a part is too short") }
        });
        match packed {
            Ok(packed) => Ok((packed, bytes)),
            Err(what) => Err(damaged(what)),
        }
    }

    #[inline]
    fn get(&self, turn: Color, part: Part, place: usize) -> Result<u8, TableError> {
        let (packed, bytes) = self.part(turn, part)?;
        packed.get(bytes, place).map_err(|what| TableError::damaged(&*self.path)(what))
    }

    /// A slice with a side to move, for making and checking.
    pub(crate) fn slice(&self, slice: usize, turn: Color) -> Result<Bytes, TableError> {
        let from = slice * self.layout.slice_size;
        let to = from + self.layout.slice_size;
        let unpack = |part| {
            let (packed, bytes) = self.part(turn, part)?;
            packed.unpack(bytes, from, to).map_err(|what| TableError::damaged(&*self.path)(what))
        };
        Ok(Bytes { mate: unpack(Part::Mate)?, zeroing: unpack(Part::Zeroing)? })
    }

    /// The fates of a slice with a side to move.
    pub(crate) fn fates(&self, slice: usize, turn: Color) -> Result<Vec<u8>, TableError> {
        let from = slice * self.layout.slice_size;
        let (packed, bytes) = self.part(turn, Part::Fate)?;
        let unpacked = packed.unpack(bytes, from, from + self.layout.slice_size);
        unpacked.map_err(|what| TableError::damaged(&*self.path)(what))
    }

    /// Where a position is kept; the place and whose turn it is there.
    #[inline]
    fn place(&self, squares: &Squares, turn: Color) -> Result<(usize, Color), TableError> {
        let mut squares = *squares;
        let mut turn = turn;
        if self.layout.material.is_symmetric() && turn == Color::Black {
            squares = self.layout.with_colors_swapped(&squares);
            turn = Color::White;
        }
        let (slice, number) = self.layout.locate(&squares).ok_or(TableError::Inconsistent)?;
        Ok((slice * self.layout.slice_size + number, turn))
    }

    /// How the game ends, en passant left out.
    #[inline]
    pub(crate) fn fate(&self, squares: &Squares, turn: Color) -> Result<Fate, TableError> {
        let (place, turn) = self.place(squares, turn)?;
        self.fate_at(turn, place)
    }

    /// How the game ends and plies to mate, en passant left out. A mate that comes in time says both, so that hardly ever more
    /// than one part is read.
    #[inline]
    pub(crate) fn fate_and_mate(
        &self,
        squares: &Squares,
        turn: Color,
    ) -> Result<(Fate, Option<u16>), TableError> {
        let (place, turn) = self.place(squares, turn)?;
        let value = mate_value(self.get(turn, Part::Mate, place)?);
        match value {
            Value::Draw => Ok((Fate::Draw, None)),
            Value::Win(plies) | Value::Loss(plies) if plies > CLOCK => {
                Ok((self.fate_at(turn, place)?, Some(plies.into())))
            }
            Value::Win(plies) | Value::Loss(plies) => Ok((Fate::of(value), Some(plies.into()))),
        }
    }

    #[inline]
    fn fate_at(&self, turn: Color, place: usize) -> Result<Fate, TableError> {
        let number = self.get(turn, Part::Fate, place)?;
        let wrong = || TableError::damaged(&*self.path)("a code is wrong");
        Fate::ALL.get(usize::from(number)).copied().ok_or_else(wrong)
    }

    /// Both distances, en passant left out.
    #[inline]
    pub(crate) fn values(&self, squares: &Squares, turn: Color) -> Result<[Value; 2], TableError> {
        let (place, turn) = self.place(squares, turn)?;
        let mate = self.get(turn, Part::Mate, place)?;
        let zeroing = match mate {
            0 => 0,
            _ => self.get(turn, Part::Zeroing, place)?,
        };
        Ok([Metric::Mate, Metric::Zeroing].map(|metric| value(metric, mate, zeroing)))
    }
}
