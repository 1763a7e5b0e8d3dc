//! Reads files of games with one thread or several. What comes out does not depend on how many there are.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};

use anyhow::Context;
use indicatif::ProgressBar;
use parking_lot::Mutex;
use tabiya_pgn::files::{Blocks, open};
use tabiya_pgn::{PieceLetters, ReadError, Reader, Visitor};

/// The files to read, and how.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// Threads that read [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,

    /// The letters of the pieces in the files: a language (de, fr, es, nl, …) or king, queen,
    /// rook, bishop and knight, like KDTLS.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) letters: Option<PieceLetters>,

    /// The files, also .gz, .zst, .bz2; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
}

/// How far a file has been read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    /// So many bytes of it; packed ones count unpacked.
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) games: u64,
}

/// How much of a file is wanted.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// What stands behind a place, as [`run_parts`] told it.
    From(Place),
    /// Nothing.
    None,
}

/// Looks at the games of a block. Each thread has one.
pub(crate) trait Worker: Visitor {
    /// What the next stage wants to know of a game, beside its text.
    type Note: Send;

    /// The game that the visitor has just seen is good: adds to the result what is to be kept of it. The text is
    /// how it stands in the file.
    fn good(&mut self, text: &[u8], result: &mut BlockResult<Self::Note>);

    /// Who plays in the game that has just turned out to be bad, and how far it had come.
    fn whereabouts(&self) -> Option<String> {
        None
    }

    /// How many moves it has seen so far.
    fn moves(&self) -> u64 {
        0
    }
}

/// What is kept of the games of a block.
pub(crate) struct BlockResult<N> {
    /// What is written, game after game.
    text: Vec<u8>,
    /// Number in the block, place in the text, and note.
    kept: Vec<(u64, Range<usize>, N)>,
    bad: Vec<(u64, Bad)>,
    /// Said about good games.
    remarks: Vec<(u64, String)>,
    /// How many games have been read.
    games: u64,
    /// Line ends in the block.
    lines: u64,
    /// How many moves have been seen.
    moves: u64,
    /// The block: of which file, its bytes, and whether the file ends with it.
    file: usize,
    block: Vec<u8>,
    is_last: bool,
}

struct Bad {
    line: u64,
    column: u64,
    problem: String,
    whereabouts: Option<String>,
}

impl<N> BlockResult<N> {
    /// Keeps the game, with a text that is written here.
    pub(crate) fn keep(&mut self, note: N, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        write(&mut self.text);
        self.kept.push((self.games, start..self.text.len(), note));
    }

    /// Says something about the game.
    pub(crate) fn remark(&mut self, text: String) {
        self.remarks.push((self.games, text));
    }
}

/// What comes out, in the order of the files.
pub(crate) enum Item<'a, N> {
    /// A game that was kept, by its number among all.
    Game { number: u64, text: &'a [u8], note: N },
    /// A game that cannot be read: a line that tells file, line, column, game and reason.
    Bad(String),
    /// Something about a good game, by its number among all.
    Remark(u64, String),
}

/// How many games there were.
#[derive(Clone, Copy, Default)]
pub(crate) struct Totals {
    pub(crate) games: u64,
    pub(crate) bad: u64,
    /// Moves that were seen, those of bad games and variations included.
    pub(crate) moves: u64,
}

/// What the stage after the workers answers.
pub(crate) type Next = anyhow::Result<ControlFlow<()>>;

struct Block {
    number: u64,
    file: usize,
    bytes: Vec<u8>,
    /// Whether the file ends here.
    is_last: bool,
    /// Where the result is written.
    room: Vec<u8>,
}

/// Memory for a block and for what is written of it. It is used again and again: what the system has to hand out and to
/// take back, it hands out to one thread at a time.
#[derive(Default)]
struct Buffers {
    block: Vec<u8>,
    text: Vec<u8>,
}

impl Buffers {
    fn of<N>(result: BlockResult<N>) -> Buffers {
        let BlockResult { mut block, mut text, .. } = result;
        block.clear();
        text.clear();
        Buffers { block, text }
    }
}

/// Reads all files. Each block of games goes to a worker; what it keeps goes to `take` in order, which
/// may put an end to it.
pub(super) fn run<W: Worker>(
    input: &Input,
    make: impl Fn() -> W + Sync,
    take: impl FnMut(Item<'_, W::Note>) -> Next,
) -> anyhow::Result<Totals> {
    let all = vec![Part::From(Place::default()); input.files.len()];
    run_parts(input, &all, make, take, |_, _, _| Ok(()))
}

/// The same for parts of the files. `reached` is told how far a file has been read, between games, and
/// whether that is all of it.
pub(crate) fn run_parts<W: Worker>(
    input: &Input,
    parts: &[Part],
    make: impl Fn() -> W + Sync,
    mut take: impl FnMut(Item<'_, W::Note>) -> Next,
    mut reached: impl FnMut(usize, Place, bool) -> anyhow::Result<()>,
) -> anyhow::Result<Totals> {
    let threads = input
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let mut merger = Merger {
        files: &input.files,
        parts,
        totals: Totals::default(),
        file: None,
        place: Place::default(),
    };
    if threads == 1 {
        let mut worker = make();
        let free = RefCell::new(Buffers::default());
        return read_files(
            &input.files,
            parts,
            || Some(free.take()),
            |block| {
                let mut result = read_block(&mut worker, block, input.letters);
                let next = merger.merge(&mut result, &mut take, &mut reached);
                free.replace(Buffers::of(result));
                next
            },
        )
        .map(|()| merger.totals);
    }
    let stop = AtomicBool::new(false);
    // So many blocks are under way at most: buffers are free again when a block has come out.
    let (free, freed) = sync_channel(4 * threads);
    for _ in 0..4 * threads {
        let _ = free.send(Buffers::default());
    }
    std::thread::scope(|scope| {
        let (blocks, waiting) = sync_channel::<Block>(4 * threads);
        let (done, results) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let (waiting, done) = (Arc::clone(&waiting), done.clone());
            let make = &make;
            scope.spawn(move || work(make(), &waiting, &done, input.letters));
        }
        drop(done);
        let stop = &stop;
        let reader = scope.spawn(move || {
            read_files(
                &input.files,
                parts,
                || freed.recv().ok().filter(|_| !stop.load(Relaxed)),
                |block| {
                    Ok(match blocks.send(block).is_ok() {
                        true => ControlFlow::Continue(()),
                        false => ControlFlow::Break(()),
                    })
                },
            )
        });
        let mut early = BTreeMap::new();
        let mut next = 0;
        let mut outcome = Ok(());
        for (number, result) in results {
            early.insert(number, result);
            while let Some(mut result) = early.remove(&next) {
                next += 1;
                if outcome.is_ok() && !stop.load(Relaxed) {
                    match merger.merge(&mut result, &mut take, &mut reached) {
                        Ok(ControlFlow::Continue(())) => {}
                        Ok(ControlFlow::Break(())) => stop.store(true, Relaxed),
                        Err(error) => {
                            stop.store(true, Relaxed);
                            outcome = Err(error);
                        }
                    }
                }
                let _ = free.try_send(Buffers::of(result));
            }
        }
        let read = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        outcome.and(read).map(|()| merger.totals)
    })
}

/// Reads blocks as long as there are any.
fn work<W: Worker>(
    mut worker: W,
    waiting: &Mutex<Receiver<Block>>,
    done: &Sender<(u64, BlockResult<W::Note>)>,
    letters: Option<PieceLetters>,
) {
    loop {
        let block = waiting.lock().recv();
        let Ok(block) = block else { return };
        let number = block.number;
        let result = read_block(&mut worker, block, letters);
        if done.send((number, result)).is_err() {
            return;
        }
    }
}

/// Reads the games of one block.
fn read_block<W: Worker>(
    worker: &mut W,
    block: Block,
    letters: Option<PieceLetters>,
) -> BlockResult<W::Note> {
    let Block { file, bytes, is_last, room, .. } = block;
    let before = worker.moves();
    let mut result = BlockResult {
        text: room,
        kept: Vec::new(),
        bad: Vec::new(),
        remarks: Vec::new(),
        games: 0,
        lines: memchr::memchr_iter(b'\n', &bytes).count() as u64,
        moves: 0,
        file,
        block: Vec::new(),
        is_last,
    };
    let mut reader = Reader::in_memory(bytes);
    if let Some(letters) = letters {
        reader = reader.with_letters(letters);
    }
    loop {
        match reader.visit(worker) {
            Ok(true) => {
                result.games += 1;
                worker.good(reader.text(), &mut result);
            }
            Err(ReadError::BadGame(bad)) => {
                result.games += 1;
                let told = Bad {
                    line: bad.place.line,
                    column: bad.place.column,
                    problem: bad.problem.to_string(),
                    whereabouts: worker.whereabouts(),
                };
                result.bad.push((result.games, told));
            }
            // Bytes in memory can always be read.
            Ok(false) | Err(ReadError::Io(_)) => break,
        }
    }
    result.moves = worker.moves() - before;
    result.block = reader.into_text();
    result
}

/// Blocks of all files, as long as buffers come, with a bar on the terminal.
fn read_files(
    files: &[String],
    parts: &[Part],
    mut free: impl FnMut() -> Option<Buffers>,
    mut give: impl FnMut(Block) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<()> {
    let mut number = 0;
    for (file, (name, part)) in files.iter().zip(parts).enumerate() {
        let Part::From(place) = part else { continue };
        let mut source = open(name)?;
        let bar = bar(name, source.size);
        let read = Arc::clone(&source.read);
        io::copy(&mut source.bytes.by_ref().take(place.bytes), &mut io::sink())
            .with_context(|| format!("cannot read {name}"))?;
        let mut blocks = Blocks::new(source.bytes);
        loop {
            let Some(Buffers { block, text: room }) = free() else {
                bar.finish_and_clear();
                return Ok(());
            };
            let next = blocks.next_into(block).with_context(|| format!("cannot read {name}"))?;
            let is_last = next.is_none();
            let bytes = next.unwrap_or_default();
            let given = bar.suspend(|| give(Block { number, file, bytes, is_last, room }))?;
            if given.is_break() {
                bar.finish_and_clear();
                return Ok(());
            }
            number += 1;
            bar.set_position(read.load(Relaxed));
            if is_last {
                break;
            }
        }
        bar.finish_and_clear();
    }
    Ok(())
}

/// Puts results of blocks together, in order: knows how many games and lines came before a block.
struct Merger<'a> {
    files: &'a [String],
    parts: &'a [Part],
    totals: Totals,
    file: Option<usize>,
    /// How far the file has been read before this block.
    place: Place,
}

impl Merger<'_> {
    fn merge<N>(
        &mut self,
        result: &mut BlockResult<N>,
        take: &mut impl FnMut(Item<'_, N>) -> Next,
        reached: &mut impl FnMut(usize, Place, bool) -> anyhow::Result<()>,
    ) -> Next {
        let BlockResult { games, lines, moves, file, is_last, .. } = *result;
        let bytes = result.block.len() as u64;
        if self.file != Some(file) {
            self.place = match self.parts[file] {
                Part::From(place) => place,
                Part::None => Place::default(),
            };
            self.file = Some(file);
        }
        self.totals.moves += moves;
        let before = self.totals.games;
        let name = &self.files[file];
        // Of the three, what belongs to the same game comes out together.
        let mut bad = result.bad.drain(..).peekable();
        let mut remarks = result.remarks.drain(..).peekable();
        let mut kept = result.kept.drain(..).peekable();
        loop {
            let numbers = [
                bad.peek().map(|one| one.0),
                remarks.peek().map(|one| one.0),
                kept.peek().map(|one| one.0),
            ];
            let Some(number) = numbers.into_iter().flatten().min() else { break };
            let in_file = self.place.games + number;
            if let Some((_, bad)) = bad.next_if(|one| one.0 == number) {
                self.totals.bad += 1;
                let line = self.place.lines + bad.line;
                let Bad { column, problem, .. } = bad;
                let who = bad.whereabouts.unwrap_or_default();
                let text = format!("{name}:{line}:{column}: game {in_file}{who}: {problem}");
                if take(Item::Bad(text))?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            } else if let Some((_, remark)) = remarks.next_if(|one| one.0 == number) {
                let text = format!("{name}: game {in_file}: {remark}");
                if take(Item::Remark(before + number, text))?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            } else if let Some((_, range, note)) = kept.next() {
                let text = &result.text[range];
                let taken = take(Item::Game { number: before + number, text, note })?;
                if taken.is_break() {
                    self.totals.games += number;
                    return Ok(taken);
                }
            }
        }
        self.totals.games += games;
        self.place.games += games;
        self.place.lines += lines;
        self.place.bytes += bytes;
        reached(file, self.place, is_last)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// A bar on standard error if somebody looks at it.
fn bar(name: &str, size: Option<u64>) -> ProgressBar {
    let short = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let template = match size {
        Some(_) => "{msg} {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        None => "{msg} {spinner} {bytes}, {bytes_per_sec}",
    };
    crate::terminal::bar(size, template).with_message(short)
}
