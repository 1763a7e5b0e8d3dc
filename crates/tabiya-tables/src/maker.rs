//! Makes tables, one after the other, and each slice by slice.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use tabiya_base::Stop;
use tabiya_chess::Color;

use crate::codec;
use crate::file::{self, Counts, PackedHalf, TableFile, file_name};
use crate::layout::Layout;
use crate::neighbours::{Bytes, Neighbours, Source};
use crate::solve::Solver;
use crate::value::{Fate, Metric, UNUSED, Value, mate_value, value};
use crate::{Material, TableError};

/// What is read of other tables is forgotten when it is more than this.
pub(crate) const MOST_HELD: usize = 3 << 30;

/// Makes tables in a folder.
///
/// ```
/// use tabiya_tables::{Maker, Tables};
///
/// let folder = tempfile::tempdir().unwrap();
/// let maker = Maker { threads: 1, ..Maker::new(folder.path()) };
/// maker.make("KQK".parse().unwrap(), &mut |_| {})?;
///
/// let tables = Tables::open([folder.path()]);
/// let entry = tables.probe(&"8/8/8/8/8/2k5/8/K6Q w - - 0 1".parse().unwrap())?;
/// assert_eq!(entry.to_string(), "mates in 6");
/// # Ok::<(), tabiya_tables::TableError>(())
/// ```
pub struct Maker {
    /// Where tables are kept.
    pub folder: PathBuf,
    /// How many threads work. The files are the same for any number.
    pub threads: usize,
    /// Ends the work between two slices.
    pub stop: Stop,
}

/// What is told while tables are made.
#[derive(Clone, Copy, Debug)]
pub struct TableProgress {
    /// The ending.
    pub material: Material,
    /// Slices (placements of the pawns) that are finished.
    pub slices: usize,
    /// Slices there are.
    pub of: usize,
}

impl Maker {
    /// One thread for each core.
    pub fn new(folder: impl Into<PathBuf>) -> Maker {
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Maker { folder: folder.into(), threads, stop: Stop::default() }
    }

    /// Makes the table of an ending, and before it all that it needs. What is there already is left alone, and what was
    /// interrupted goes on.
    pub fn make(
        &self,
        material: Material,
        progress: &mut dyn FnMut(TableProgress),
    ) -> Result<(), TableError> {
        if Layout::new(material).is_none() {
            return Err(TableError::MenToMake(material.men()));
        }
        fs::create_dir_all(&self.folder).map_err(TableError::file(&*self.folder))?;
        material.with_all_before().into_iter().try_for_each(|material| {
            let path = self.folder.join(file_name(material));
            match path.exists().then(|| TableFile::open(&path)) {
                // That of another version is made anew.
                None | Some(Err(TableError::Version { .. })) => {
                    self.make_one(material, &path, progress)
                }
                Some(opened) => opened.map(drop),
            }
        })
    }

    fn make_one(
        &self,
        material: Material,
        path: &Path,
        progress: &mut dyn FnMut(TableProgress),
    ) -> Result<(), TableError> {
        let layout = Arc::new(Layout::new(material).ok_or(TableError::MenToMake(material.men()))?);
        let unfinished = Unfinished::open(path.with_extension("unfinished"), &layout)?;
        let unfinished = Arc::new(Mutex::new(unfinished));
        let own = Arc::clone(&unfinished);
        let mut neighbours = Neighbours::new(&layout, |needed| {
            if needed == material {
                let own = Arc::clone(&own);
                let load = Box::new(move |slice, turn| own.lock().read(slice, turn));
                Ok(Source::new(Arc::clone(&layout), false, load))
            } else {
                source(&self.folder, needed)
            }
        })?;
        let done = unfinished.lock().slices;
        for slice in done..layout.slices() {
            progress(TableProgress { material, slices: slice, of: layout.slices() });
            if self.stop.is_stopped() {
                return Err(TableError::Stopped);
            }
            let solver =
                Solver { layout: &layout, slice, neighbours: &neighbours, threads: self.threads };
            let halves = solver.solve()?;
            unfinished.lock().append(&halves)?;
            neighbours.trim(MOST_HELD);
        }
        drop(neighbours);
        drop(own);
        progress(TableProgress { material, slices: layout.slices(), of: layout.slices() });
        let turns = if material.is_symmetric() { &Color::ALL[..1] } else { &Color::ALL[..] };
        let halves = turns.iter().map(|&turn| self.pack(&layout, &unfinished, turn));
        let halves = halves.collect::<Result<Vec<_>, _>>()?;
        file::write(path, &layout, &halves).map_err(TableError::file(path))?;
        let unfinished = unfinished.lock();
        fs::remove_file(&unfinished.path).map_err(TableError::file(&*unfinished.path))
    }

    fn pack(
        &self,
        layout: &Layout,
        unfinished: &Mutex<Unfinished>,
        turn: Color,
    ) -> Result<PackedHalf, TableError> {
        let mut counts = Counts::default();
        let mut parts = [const { Vec::new() }; 3];
        // One part after the other, so that only one is in memory.
        for (part, packed) in parts.iter_mut().enumerate() {
            let mut bytes = Vec::with_capacity(layout.size());
            let mut last = 0;
            for slice in 0..layout.slices() {
                let known = unfinished.lock().read(slice, turn)?;
                for (number, (&mate, &zeroing)) in known.mate.iter().zip(&known.zeroing).enumerate()
                {
                    if (mate, zeroing) != UNUSED {
                        let fate = Fate::of(value(Metric::Zeroing, mate, zeroing));
                        if part == 0 {
                            counts.fates[fate as usize] += 1;
                            if let Value::Win(plies) | Value::Loss(plies) = mate_value(mate)
                                && u64::from(plies) > counts.longest
                            {
                                counts.longest = plies.into();
                                counts.place = [slice as u64, number as u64];
                            }
                        }
                        match part {
                            0 => last = fate as u8,
                            1 => last = mate,
                            _ if mate != 0 => last = zeroing,
                            _ => {}
                        }
                    }
                    // What nobody asks for is as what comes before it: that packs best.
                    bytes.push(last);
                }
            }
            *packed = codec::pack(&bytes, self.threads);
        }
        Ok(PackedHalf { counts, parts })
    }
}

/// A finished table, to look into.
pub(crate) fn source(folder: &Path, material: Material) -> Result<Source, TableError> {
    let table = TableFile::open(&folder.join(file_name(material)))?;
    let layout = Arc::clone(&table.layout);
    let only_white = material.is_symmetric();
    Ok(Source::new(layout, only_white, Box::new(move |slice, turn| table.slice(slice, turn))))
}

/// The slices of a table so far, in a file: each with four stretches of bytes and a checksum.
struct Unfinished {
    path: PathBuf,
    file: File,
    slice_size: usize,
    slices: usize,
}

impl Unfinished {
    /// Goes on with a file, up to the first slice that is not whole.
    fn open(path: PathBuf, layout: &Layout) -> Result<Unfinished, TableError> {
        let open =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = open.map_err(TableError::file(&*path))?;
        let mut unfinished = Unfinished { path, file, slice_size: layout.slice_size, slices: 0 };
        let mut record = vec![0; unfinished.record()];
        while unfinished.slices < layout.slices() && unfinished.file.read_exact(&mut record).is_ok()
        {
            let (bytes, checksum) = record.split_at(4 * layout.slice_size);
            // What another version has left is not gone on with.
            let mut expected = crc32fast::Hasher::new();
            expected.update(&file::VERSION.to_le_bytes());
            expected.update(bytes);
            if expected.finalize().to_le_bytes() != checksum {
                break;
            }
            unfinished.slices += 1;
        }
        let whole = (unfinished.slices * unfinished.record()) as u64;
        unfinished.file.set_len(whole).map_err(TableError::file(&*unfinished.path))?;
        Ok(unfinished)
    }

    fn record(&self) -> usize {
        4 * self.slice_size + 4
    }

    fn append(&mut self, halves: &[Bytes; 2]) -> Result<(), TableError> {
        let start = (self.slices * self.record()) as u64;
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&file::VERSION.to_le_bytes());
        let [white, black] = halves;
        let write = |file: &mut File| {
            file.seek(SeekFrom::Start(start))?;
            for bytes in [&white.mate, &white.zeroing, &black.mate, &black.zeroing] {
                checksum.update(bytes);
                file.write_all(bytes)?;
            }
            file.write_all(&checksum.finalize().to_le_bytes())
        };
        write(&mut self.file).map_err(TableError::file(&*self.path))?;
        self.slices += 1;
        Ok(())
    }

    fn read(&mut self, slice: usize, turn: Color) -> Result<Bytes, TableError> {
        if slice >= self.slices {
            return Err(TableError::Inconsistent);
        }
        let start = slice * self.record() + turn as usize * 2 * self.slice_size;
        let mut bytes = Bytes { mate: vec![0; self.slice_size], zeroing: vec![0; self.slice_size] };
        let mut read = || {
            self.file.seek(SeekFrom::Start(start as u64))?;
            self.file.read_exact(&mut bytes.mate)?;
            self.file.read_exact(&mut bytes.zeroing)
        };
        read().map_err(TableError::file(&*self.path))?;
        Ok(bytes)
    }
}
