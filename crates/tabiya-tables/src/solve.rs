//! Retrograde analysis of one slice: from mates and moves out of the slice back to everything that leads there.

use core::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use tabiya_chess::{Color, Role, Square, attacks};

use crate::TableError;
use crate::geometry::{OVER_DIAGONAL, turned};
use crate::layout::{Layout, Squares};
use crate::neighbours::{Bytes, Neighbours};
use crate::steps::{each_step, is_check, is_impossible};
use crate::value::{MOST_PLIES, Metric, UNUSED, Value, mate_code};

/// States beyond a number of moves that do not lose yet.
const NO_POSITION: u8 = 255;
const WON: u8 = 254;
const LOST: u8 = 253;
/// Not lost in any case, as there is a move out of the slice that draws.
const SAFE: u8 = 252;
const MOST_MOVES: u8 = 200;

/// Numbers that are looked at together.
const BLOCK: usize = 128;
/// Blocks that a thread takes at once.
const PORTION: usize = 128;

/// One side to move.
struct Half {
    /// Won or lost: in how many plies, which may still fall for a win. Else the least for a loss.
    plies: Vec<AtomicU8>,
    state: Vec<AtomicU8>,
    /// For each block, which plies it may hold, modulo 64.
    holds: Vec<AtomicU64>,
}

impl Half {
    fn new(size: usize) -> Half {
        let bytes = || (0..size).map(|_| AtomicU8::new(0)).collect();
        let holds = (0..size.div_ceil(BLOCK)).map(|_| AtomicU64::new(0)).collect();
        Half { plies: bytes(), state: bytes(), holds }
    }

    fn settle(&self, number: usize, state: u8, plies: u8) {
        self.plies[number].store(plies, Relaxed);
        self.state[number].store(state, Relaxed);
        if state == WON || state == LOST {
            let bit = 1 << (plies & 63);
            let holds = &self.holds[number / BLOCK];
            if holds.load(Relaxed) & bit == 0 {
                holds.fetch_or(bit, Relaxed);
            }
        }
    }

    /// What is written down of each position.
    fn into_bytes(self, metric: Metric) -> Vec<u8> {
        let code = |(state, plies): (AtomicU8, AtomicU8)| {
            let plies = plies.into_inner();
            match (state.into_inner(), metric) {
                (WON, Metric::Mate) => mate_code(Value::Win(plies)),
                (LOST, Metric::Mate) => mate_code(Value::Loss(plies)),
                (WON | LOST | NO_POSITION, Metric::Zeroing) => plies,
                _ => 0,
            }
        };
        self.state.into_iter().zip(self.plies).map(code).collect()
    }

    /// There is a move that wins in so many plies.
    #[inline]
    fn win(&self, number: usize, plies: u8) {
        match self.state[number].load(Relaxed) {
            NO_POSITION => {}
            WON if self.plies[number].load(Relaxed) <= plies => {}
            _ => self.settle(number, WON, plies),
        }
    }

    /// One more move loses; if it is the last, the position is lost in so many plies or in more.
    #[inline]
    fn lose(&self, number: usize, plies: u8) {
        let one_less = |moves: u8| (1..=MOST_MOVES).contains(&moves).then(|| moves - 1);
        if self.state[number].fetch_update(Relaxed, Relaxed, one_less) == Ok(1) {
            let plies = plies.max(self.plies[number].load(Relaxed));
            self.settle(number, LOST, plies);
        }
    }
}

/// One slice being solved.
pub(crate) struct Solver<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) slice: usize,
    pub(crate) neighbours: &'a Neighbours,
    pub(crate) threads: usize,
}

impl Solver<'_> {
    /// Both bytes of every position, White to move and Black to move.
    pub(crate) fn solve(&self) -> Result<[Bytes; 2], TableError> {
        let mate = self.run(Metric::Mate, None)?;
        let zeroing = self.run(Metric::Zeroing, Some(&mate))?;
        let [white, black] = mate.map(|half| half.into_bytes(Metric::Mate));
        let [zeroing_white, zeroing_black] = zeroing.map(|half| half.into_bytes(Metric::Zeroing));
        Ok([
            Bytes { mate: white, zeroing: zeroing_white },
            Bytes { mate: black, zeroing: zeroing_black },
        ])
    }

    /// `mate`: the halves of the other metric, which say who wins.
    fn run(&self, metric: Metric, mate: Option<&[Half; 2]>) -> Result<[Half; 2], TableError> {
        let size = self.layout.slice_size;
        let halves = [Half::new(size), Half::new(size)];
        for turn in Color::ALL {
            self.each_portion(|from, to| {
                for number in from..to {
                    let known = mate.map(|mate| mate[turn as usize].state[number].load(Relaxed));
                    let (state, plies) = self.start(metric, turn, number, known);
                    halves[turn as usize].settle(number, state, plies);
                }
            });
        }
        self.neighbours.take_failure()?;
        for plies in 0..=MOST_PLIES {
            for turn in Color::ALL {
                self.sweep(&halves, turn, plies);
            }
        }
        let [white, black] = &halves;
        for half in [white, black] {
            let is_settled = |state: u8| state == WON || state == LOST;
            let too_long = half.state.iter().zip(&half.plies).any(|(state, plies)| {
                is_settled(state.load(Relaxed)) && plies.load(Relaxed) > MOST_PLIES
            });
            if too_long {
                return Err(TableError::TooLong(self.layout.material));
            }
        }
        Ok(halves)
    }

    /// What is known of a position by its moves out of the slice alone. `known`: who wins, if that is known.
    fn start(&self, metric: Metric, turn: Color, number: usize, known: Option<u8>) -> (u8, u8) {
        let layout = self.layout;
        match known {
            Some(NO_POSITION) => return (NO_POSITION, UNUSED.1),
            Some(WON | LOST) | None => {}
            Some(_) => return (NO_POSITION, 0),
        }
        let squares = layout.squares(self.slice, number);
        if known.is_none()
            && (!layout.is_used(&squares, number)
                || is_impossible(layout, &squares, turn, layout.occupied(&squares)))
        {
            return (NO_POSITION, UNUSED.1);
        }
        let (mut moves, mut along_diagonal) = (0_u8, 0_u8);
        let mut best: Option<Value> = None;
        // Of what is won only moves out of the slice can be the shortest way to zeroing.
        let is_won = known == Some(WON);
        each_step(layout, &squares, turn, is_won, |step| {
            if step.leaves_slice() {
                let value = self.neighbours.value(metric, &squares, turn, &step);
                best = Some(best.map_or(value, |best| best.better(value)));
            } else {
                moves += 1;
                let on_diagonal = |square: Square| turned(square, OVER_DIAGONAL) == square;
                along_diagonal +=
                    u8::from(on_diagonal(squares[step.piece]) && on_diagonal(step.to));
            }
        });
        if layout.is_own_image(&squares) {
            // A move and its image count as one.
            moves = (moves + along_diagonal) / 2;
        }
        match best {
            Some(Value::Win(plies)) => (WON, plies),
            Some(Value::Draw) => (SAFE, 0),
            _ if is_won => (SAFE, 0),
            Some(Value::Loss(plies)) if moves == 0 => (LOST, plies),
            Some(Value::Loss(plies)) => (moves, plies),
            None if moves > 0 => (moves, 0),
            None if is_check(layout, &squares, turn) => (LOST, 0),
            None => (SAFE, 0),
        }
    }

    /// From the positions that are won or lost in so many plies to those before them.
    fn sweep(&self, halves: &[Half; 2], turn: Color, plies: u8) {
        let (half, before) = (&halves[turn as usize], &halves[!turn as usize]);
        let bit = 1 << (plies & 63);
        if half.holds.iter().all(|holds| holds.load(Relaxed) & bit == 0) {
            return;
        }
        self.each_portion(|from, to| {
            for block in from / BLOCK..to.div_ceil(BLOCK) {
                if half.holds[block].load(Relaxed) & bit == 0 {
                    continue;
                }
                for number in block * BLOCK..((block + 1) * BLOCK).min(to) {
                    if half.plies[number].load(Relaxed) != plies {
                        continue;
                    }
                    match half.state[number].load(Relaxed) {
                        LOST => self.each_before(number, turn, |n| before.win(n, plies + 1)),
                        WON => self.each_before(number, turn, |n| before.lose(n, plies + 1)),
                        _ => {}
                    }
                }
            }
        });
    }

    /// Calls `visit` with the number of every position from which a move within the slice leads here.
    #[inline]
    fn each_before(&self, number: usize, turn: Color, mut visit: impl FnMut(usize)) {
        let layout = self.layout;
        let squares: Squares = layout.squares(self.slice, number);
        let occupied = layout.occupied(&squares);
        let may_be_turned = layout.may_be_turned(&squares);
        let is_own_image = may_be_turned && layout.is_own_image(&squares);
        for (n, &piece) in layout.pieces.iter().enumerate() {
            if piece.color == turn || piece.role == Role::Pawn {
                continue;
            }
            let to = squares[n];
            for from in attacks::piece(piece, to, occupied) - occupied {
                let image = [to, from].map(|square| turned(square, OVER_DIAGONAL));
                if is_own_image && [to, from] > image {
                    continue;
                }
                if let Some(earlier) = layout.moved(number, &squares, may_be_turned, n, from) {
                    visit(earlier);
                }
            }
        }
    }

    /// Shares out all numbers among the threads.
    fn each_portion(&self, work: impl Fn(usize, usize) + Sync) {
        let size = self.layout.slice_size;
        let portion = BLOCK * PORTION;
        if self.threads < 2 || size < 4 * portion {
            return work(0, size);
        }
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    loop {
                        let from = next.fetch_add(portion, Relaxed);
                        if from >= size {
                            return;
                        }
                        work(from, (from + portion).min(size));
                    }
                });
            }
        });
    }
}
