//! A writer of Syzygy's files from tables of our own.
//!
//! Every position of a table is numbered as the reader numbers it, and its values go to that number. Where a capture or a pawn
//! move decides, readers do not look, so that anything may be there: whatever comes before it packs best.

use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use tabiya_base::{Random, Stop, write_atomically};
use tabiya_chess::{Color, Role, Square};

use super::numbering::{MOST, Numbering, Places, lead};
use super::pack::{PackedPairs, pack};
use super::table::{
    HAS_PAWNS, IS_OF_THE_OTHER_SIDE, IS_OF_UNLIKE_SIDES, Kind, LOSSES_IN_PLIES, WINS_IN_PLIES, code,
};
use crate::file::{TableFile, file_name};
use crate::geometry::{OVER_DIAGONAL, turned};
use crate::layout::{Layout, Squares};
use crate::maker::{MOST_HELD, TableProgress, source};
use crate::neighbours::{Bytes, Neighbours, Source};
use crate::steps::{each_step, is_impossible};
use crate::value::{CLOCK, Fate, Metric, Value, value};
use crate::{Material, TableError};

/// Nobody asks for this number, or whatever is there will do.
const ANYTHING: u8 = u8::MAX;
/// A result that may be worse than this one, as a capture is as good.
const AT_MOST: u8 = 8;
/// Other readers look at the size of a file: it has so many bytes more than whole lines of 64. Where it comes from they are a
/// checksum, which no reader needs.
const TAIL: [u8; 16] = [0; 16];

/// Writes Syzygy's files of an ending, results (`.rtbw`) and plies to zeroing (`.rtbz`), from tables of our own. What is there
/// already is left alone; says whether there was anything to do.
///
/// Plies are written exactly; where the fifty-move rule makes a draw of it, Syzygy has moves, and a ply may be lost.
///
/// ```
/// use tabiya_tables::{Maker, Tables, write_syzygy};
///
/// let [own, theirs] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
/// let ending = "KQK".parse().unwrap();
/// Maker::new(own.path()).make(ending, &mut |_| {})?;
/// write_syzygy(own.path(), ending, theirs.path(), 1, &Default::default(), &mut |_| {})?;
///
/// let tables = Tables::open([theirs.path()]);
/// let entry = tables.probe(&"8/8/8/8/8/2k5/8/K6Q w - - 0 1".parse().unwrap())?;
/// assert_eq!((entry.to_string().as_str(), entry.zeroing), ("wins", Some(11)));
/// # Ok::<(), tabiya_tables::TableError>(())
/// ```
pub fn write_syzygy(
    tables: &Path,
    material: Material,
    folder: &Path,
    threads: usize,
    stop: &Stop,
    progress: &mut dyn FnMut(TableProgress),
) -> Result<bool, TableError> {
    let paths = [Kind::Results, Kind::Zeroing]
        .map(|kind| folder.join(format!("{material}.{}", kind.ending())));
    if paths.iter().all(|path| path.exists()) {
        return Ok(false);
    }
    fs::create_dir_all(folder).map_err(TableError::file(folder))?;
    let own = tables.join(file_name(material));
    if !own.exists() {
        return Err(TableError::Missing(material));
    }
    let table = Arc::new(TableFile::open(&own)?);
    let neighbours = Neighbours::new(&table.layout, |needed| match needed == material {
        true => {
            let table = Arc::clone(&table);
            let layout = Arc::clone(&table.layout);
            let load = Box::new(move |slice, turn| table.slice(slice, turn));
            Ok(Source::new(layout, material.is_symmetric(), load))
        }
        false => source(tables, needed),
    })?;
    let layout = &table.layout;
    let mut writing = Writing { table: &table, layout, neighbours, threads: threads.max(1) };
    let mut done = 0;
    let mut files = Vec::new();
    for file in 0..writing.files() {
        files.push(writing.file(file, stop, &mut || {
            progress(TableProgress { material, slices: done, of: layout.slices() });
            done += 1;
        })?);
    }
    progress(TableProgress { material, slices: layout.slices(), of: layout.slices() });
    let (results, zeroing): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    write_file(&paths[0], material, Kind::Results, &results)?;
    write_file(&paths[1], material, Kind::Zeroing, &zeroing)?;
    Ok(true)
}

/// What goes into a file for one file of the leading pawn (or for all positions) and each side to move.
type Parts = Vec<(Order, PackedPairs)>;

/// In which order pieces are numbered.
#[derive(Clone)]
struct Order {
    pieces: Vec<u8>,
    /// When the first group, and the other side's pawns, are multiplied in.
    orders: [u8; 2],
    /// Where each piece is in [`Layout::pieces`].
    from: Vec<usize>,
}

fn write_file(
    path: &PathBuf,
    material: Material,
    kind: Kind,
    files: &[Parts],
) -> Result<(), TableError> {
    let mut out = kind.magic().to_vec();
    let flag = |is_set, flag| if is_set { flag } else { 0 };
    out.push(
        (material.men() as u8) << 4
            | flag(!material.is_symmetric(), IS_OF_UNLIKE_SIDES)
            | flag(material.has_pawns(), HAS_PAWNS),
    );
    // A nibble for each side to move.
    let both = |parts: &Parts, byte: &dyn Fn(&Order) -> u8| {
        parts.iter().rev().fold(0, |all, (order, _)| all << 4 | byte(order))
    };
    for parts in files {
        out.push(both(parts, &|order| order.orders[0]));
        if both_have_pawns(material) {
            out.push(both(parts, &|order| order.orders[1]));
        }
        for piece in 0..material.men() {
            out.push(both(parts, &|order| order.pieces[piece]));
        }
    }
    let even = |out: &mut Vec<u8>| out.resize(out.len().next_multiple_of(2), 0);
    even(&mut out);
    let all = || files.iter().flatten().map(|(_, packed)| packed);
    all().for_each(|packed| out.extend(&packed.head));
    all().for_each(|packed| out.extend(&packed.index));
    all().for_each(|packed| out.extend(&packed.sizes));
    write_atomically(path, |file: &mut dyn Write| {
        let mut written = out.len();
        file.write_all(&out)?;
        for data in all().map(|packed| &packed.data[..]).chain([&TAIL[..]]) {
            if data.is_empty() {
                continue;
            }
            file.write_all(&[0; 64][..written.next_multiple_of(64) - written])?;
            written = written.next_multiple_of(64) + data.len();
            file.write_all(data)?;
        }
        Ok(())
    })
    .map_err(TableError::file(path))
}

fn both_have_pawns(material: Material) -> bool {
    Color::ALL.into_iter().all(|color| material.count(Role::Pawn.of(color)) > 0)
}

struct Writing<'a> {
    table: &'a TableFile,
    layout: &'a Layout,
    neighbours: Neighbours,
    threads: usize,
}

impl Writing<'_> {
    /// Files that the leading pawn may be on.
    fn files(&self) -> usize {
        if self.layout.material.has_pawns() { 4 } else { 1 }
    }

    /// The pawns that lead: White's, or Black's if there are fewer.
    fn leading(&self) -> Option<Color> {
        let [white, black] =
            Color::ALL.map(|color| self.layout.material.count(Role::Pawn.of(color)));
        match (white, black) {
            (0, 0) => None,
            (_, 0) => Some(Color::White),
            (0, _) => Some(Color::Black),
            _ => Some(if black < white { Color::Black } else { Color::White }),
        }
    }

    /// The slices with the leading pawn on a file.
    fn slices(&self, file: usize) -> Vec<usize> {
        let all = 0..self.layout.slices();
        let Some(color) = self.leading() else { return all.collect() };
        let file_of = |&slice: &usize| {
            let squares = self.layout.squares(slice, 0);
            let pieces = self.layout.pieces.iter().zip(&squares);
            let mut pawns: Vec<u8> = pieces
                .filter(|(piece, _)| **piece == Role::Pawn.of(color))
                .map(|(_, &square)| square as u8)
                .collect();
            lead(&mut pawns)
        };
        all.filter(|slice| file_of(slice) == file).collect()
    }

    /// Results of each side to move, and distances of the side whose are smaller.
    fn file(
        &mut self,
        file: usize,
        stop: &Stop,
        progress: &mut dyn FnMut(),
    ) -> Result<(Parts, Parts), TableError> {
        let material = self.layout.material;
        let slices = self.slices(file);
        let turns = if material.is_symmetric() { &Color::ALL[..1] } else { &Color::ALL[..] };
        let mut results = Parts::new();
        let mut zeroing: Option<(Order, PackedPairs)> = None;
        for &turn in turns {
            let order = self.order(&slices, turn)?;
            let numbering =
                Numbering::new(order.pieces.clone(), order.orders, both_have_pawns(material), file)
                    .map_err(|_| TableError::Inconsistent)?;
            let room = || (0..numbering.size).map(|_| AtomicU8::new(ANYTHING)).collect();
            let values: [Vec<AtomicU8>; 2] = [room(), room()];
            for &slice in &slices {
                if turn == Color::White {
                    progress();
                }
                if stop.is_stopped() {
                    return Err(TableError::Stopped);
                }
                let bytes = self.table.slice(slice, turn)?;
                self.fill(slice, turn, &bytes, &order, &numbering, &values)?;
                self.neighbours.take_failure()?;
                self.neighbours.trim(MOST_HELD);
            }
            let [fates, plies] = values;
            let fates = settled(fates, Kind::Results);
            results.push((order.clone(), pack(&fates, Kind::Results, 0, self.threads)));
            drop(fates);
            let plies = settled(plies, Kind::Zeroing);
            let side = if turn == Color::White { 0 } else { IS_OF_THE_OTHER_SIDE };
            let flags = side | WINS_IN_PLIES | LOSSES_IN_PLIES;
            let packed = pack(&plies, Kind::Zeroing, flags, self.threads);
            if zeroing.as_ref().is_none_or(|(_, other)| packed.bytes() < other.bytes()) {
                zeroing = Some((order, packed));
            }
        }
        Ok((results, zeroing.into_iter().collect()))
    }

    /// Writes what is known of the positions of a slice to their numbers.
    fn fill(
        &self,
        slice: usize,
        turn: Color,
        bytes: &Bytes,
        order: &Order,
        numbering: &Numbering,
        values: &[Vec<AtomicU8>; 2],
    ) -> Result<(), TableError> {
        const PORTION: usize = 1 << 14;
        let layout = self.layout;
        let next = AtomicUsize::new(0);
        let leading = order.pieces.iter().take_while(|&&piece| piece == order.pieces[0]).count();
        let leading = if layout.material.has_pawns() { leading } else { 0 };
        let work = || {
            let mut places: Places = [0; MOST];
            loop {
                let from = next.fetch_add(PORTION, Relaxed);
                if from >= layout.slice_size {
                    return Ok(());
                }
                for number in from..(from + PORTION).min(layout.slice_size) {
                    let squares = layout.squares(slice, number);
                    let is_position = layout.is_used(&squares, number)
                        && !is_impossible(layout, &squares, turn, layout.occupied(&squares));
                    if !is_position {
                        continue;
                    }
                    let known = value(Metric::Zeroing, bytes.mate[number], bytes.zeroing[number]);
                    let found = self.values(&squares, turn, known);
                    // Images have one number here, and may have two there.
                    let images = match leading {
                        0 if layout.may_be_turned(&squares) => [0, OVER_DIAGONAL],
                        2.. => [0, 1],
                        _ => [0, 0],
                    };
                    for image in &images[..1 + usize::from(images[1] != 0)] {
                        for (place, &piece) in places.iter_mut().zip(&order.from) {
                            *place = turned(squares[piece], *image) as u8;
                        }
                        lead(&mut places[..leading]);
                        let number = numbering.number(places);
                        let number = number.map_err(|_| TableError::Inconsistent)? as usize;
                        for (values, found) in values.iter().zip(found) {
                            values[number].store(found, Relaxed);
                        }
                    }
                }
            }
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            let failed = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or(Err(TableError::Inconsistent))
            };
            threads.into_iter().try_for_each(failed)
        })
    }

    /// What readers are to find for a position: its result and its plies to zeroing.
    fn values(&self, squares: &Squares, turn: Color, known: Value) -> [u8; 2] {
        let fate = Fate::of(known);
        let (mut by_capture, mut by_zeroing) = (None, None);
        each_step(self.layout, squares, turn, true, |step| {
            let fate = Fate::of(self.neighbours.value(Metric::Zeroing, squares, turn, &step));
            by_zeroing = by_zeroing.max(Some(fate));
            if step.taken.is_some() {
                by_capture = by_capture.max(Some(fate));
            }
        });
        let result = fate as u8 | if by_capture == Some(fate) { AT_MOST } else { 0 };
        let plies = match known {
            Value::Draw => ANYTHING,
            Value::Win(_) if by_zeroing == Some(fate) => ANYTHING,
            // Plies before the one that zeroes; where the rule makes it a draw, moves beyond fifty.
            Value::Win(plies @ ..=CLOCK) | Value::Loss(plies @ ..=CLOCK) => plies.saturating_sub(1),
            Value::Win(plies) | Value::Loss(plies) => (plies - CLOCK - 1) / 2,
        };
        [result, plies]
    }

    /// The order that packs well: pawns are numbered highest, and of the others those lowest whose moves change the result least.
    fn order(&self, slices: &[usize], turn: Color) -> Result<Order, TableError> {
        let layout = self.layout;
        let pieces = &layout.pieces;
        let restless = self.restlessness(slices, turn)?;
        let like = |n: usize| pieces.iter().filter(|&&piece| piece == pieces[n]).count();
        let pawns_of =
            |color: Color| (0..pieces.len()).filter(move |&n| pieces[n] == Role::Pawn.of(color));
        let mut from: Vec<usize> = Vec::new();
        let mut others: Vec<usize> =
            (0..pieces.len()).filter(|&n| pieces[n].role != Role::Pawn).collect();
        let leading = self.leading();
        match leading {
            Some(color) => from.extend(pawns_of(color).chain(pawns_of(!color))),
            None => {
                // The kings lead, and with them the single piece that changes most.
                let single = others[2..].iter().copied().filter(|&n| like(n) == 1);
                let third = single.max_by_key(|&n| (restless[n], usize::MAX - n));
                from.extend([0, 1].into_iter().chain(third));
            }
        }
        others.retain(|n| !from.contains(n));
        // Like pieces stay together.
        let of_group = |n: usize| (0..pieces.len()).find(|&m| pieces[m] == pieces[n]).unwrap_or(n);
        others.sort_by_key(|&n| (restless[of_group(n)], of_group(n)));
        let groups = others.chunk_by(|&a, &b| pieces[a] == pieces[b]).count() as u8;
        let orders = match leading {
            Some(_) if both_have_pawns(layout.material) => [groups + 1, groups],
            Some(_) => [groups, 15],
            None => [groups, 15],
        };
        from.extend(others);
        Ok(Order { pieces: from.iter().map(|&n| code(pieces[n])).collect(), orders, from })
    }

    /// In how many of some random positions the result changes when a piece goes to the next square, for each piece.
    fn restlessness(&self, slices: &[usize], turn: Color) -> Result<Vec<usize>, TableError> {
        const POSITIONS: usize = 4000;
        let layout = self.layout;
        let mut random = Random::new(1);
        let mut changes = vec![0; layout.pieces.len()];
        let Some(&slice) = slices.get(slices.len() / 2) else { return Ok(changes) };
        let bytes = self.table.slice(slice, turn)?;
        let fate = |squares: &Squares| {
            let number = layout.number_in_slice(squares)?;
            let occupied = layout.occupied(squares);
            let is_position = occupied.len() as usize == layout.pieces.len()
                && !is_impossible(layout, squares, turn, occupied);
            let [mate, zeroing] = [bytes.mate[number], bytes.zeroing[number]];
            is_position.then(|| Fate::of(value(Metric::Zeroing, mate, zeroing)))
        };
        for _ in 0..POSITIONS {
            let squares = layout.squares(slice, random.below(layout.slice_size));
            let Some(before) = fate(&squares) else { continue };
            for (piece, changes) in changes.iter_mut().enumerate() {
                let mut next = squares;
                next[piece] = Square::ALL[(squares[piece] as usize + 1) % 64];
                let is_pawn = layout.pieces[piece].role == Role::Pawn;
                *changes += usize::from(!is_pawn && fate(&next).is_some_and(|fate| fate != before));
            }
        }
        Ok(changes)
    }
}

/// The values of all numbers: where anything may be, the one before.
fn settled(values: Vec<AtomicU8>, kind: Kind) -> Vec<u8> {
    // The value that is to be there, and whether that may be less.
    let known = |found: u8| match kind {
        Kind::Results => (found & !AT_MOST, found & AT_MOST != 0),
        Kind::Zeroing => (found, false),
    };
    let first = values.iter().map(|found| found.load(Relaxed)).find(|&found| found != ANYTHING);
    let mut last = first.map_or(0, |found| known(found).0);
    let settle = |found: AtomicU8| {
        let found = found.into_inner();
        let (value, may_be_less) = known(found);
        if found != ANYTHING && !(may_be_less && last <= value) {
            last = value;
        }
        last
    };
    values.into_iter().map(settle).collect()
}
