//! From a position to a move: alpha-beta with iterative deepening.

use std::time::Duration;

use tabiya_base::{Stop, Stopwatch};

use crate::cell::NUMBERS;
use crate::evaluate::evaluate;
use crate::generate::Wanted;
use crate::table::{Bound, Table};
use crate::{Cell, Direction, Move, Position, Side};

/// The score of a mate on the board; a mate further away is worth less.
const MATE: i32 = 30_000;
/// Beyond this, a score is a mate.
const MATES: i32 = 29_000;
/// The deepest line.
const MAX_PLY: usize = 96;
/// Plies of captures after the end of a line.
const QUIET_PLIES: usize = 8;
/// With more bishops than this on the board something can be taken nearly everywhere, and only the
/// first capture after the end of a line is free; others have to take back.
const CROWD: usize = 24;

/// How long to think; the first limit that is met ends the search. A move is found in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies to look ahead, captures and checks not counted.
    pub depth: u8,
    /// Positions to look at.
    pub nodes: u64,
    /// Time to use.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 64, nodes: u64::MAX, time: None }
    }
}

/// What a search found.
///
/// ```
/// use tabiya_puzzle::{Limits, Position, Search, Side};
///
/// let position = Position::new("3\nKa1\nKc1, Ba3, Bb3".parse()?, Side::Black)?;
/// let found = Search::new().think(&position, &[], Limits { depth: 2, ..Limits::default() }).unwrap();
/// assert_eq!((found.best.to_string(), found.mate_in()), ("a3b2".to_owned(), Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The move to play.
    pub best: Move,
    /// Its worth for the side to move, in hundredths of a bishop.
    pub score: i32,
    /// How deep the search came.
    pub depth: u8,
    /// How many positions it looked at.
    pub nodes: u64,
}

impl Found {
    /// The number of moves to mate, if mate is in sight: positive if the side to move mates.
    pub fn mate_in(&self) -> Option<i32> {
        let plies = MATE - self.score.abs();
        (self.score.abs() > MATES).then_some((plies + 1) / 2 * self.score.signum())
    }
}

/// A searcher with its memory; it can be used again for the next move.
///
/// ```
/// use tabiya_puzzle::{Limits, Position, Search, Side};
///
/// let position = Position::new("8\nKa1, Bb1, Bc1\nKh8, Bg8, Bf8".parse()?, Side::White)?;
/// let found = Search::new().think(&position, &[], Limits { nodes: 1000, ..Limits::default() }).unwrap();
/// assert!(position.legal_moves().contains(&found.best));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search {
    table: Table,
    /// How often a quiet move to a cell was good, for bishops and for kings.
    history: Box<[[i32; NUMBERS]; 2]>,
    /// Quiet moves that refuted something on this ply.
    killers: [[Option<Move>; 2]; MAX_PLY],
    /// The keys of the game and of the line that is looked at.
    line: Vec<u64>,
    /// Lists of moves to use again.
    lists: Vec<Vec<(i32, Move)>>,
    nodes: u64,
    limits: Limits,
    started: Stopwatch,
    stop: Stop,
    stopped: bool,
}

impl Default for Search {
    fn default() -> Search {
        Search::new()
    }
}

impl Search {
    /// A searcher that remembers nothing yet.
    pub fn new() -> Search {
        Search {
            table: Table::new(),
            history: Box::new([[0; NUMBERS]; 2]),
            killers: [[None; 2]; MAX_PLY],
            line: Vec::new(),
            lists: Vec::new(),
            nodes: 0,
            limits: Limits::default(),
            started: Stopwatch::start(),
            stop: Stop::default(),
            stopped: false,
        }
    }

    /// A searcher that ends early, with the best move so far, when it is told to stop.
    ///
    /// ```
    /// # use tabiya_base::{Stop, Stopwatch};
    /// # use tabiya_puzzle::{Limits, Position, Search, Side};
    /// let position = Position::new("8\nKa1, Bb1, Bc1\nKh8, Bg8, Bf8".parse()?, Side::White)?;
    /// let stop = Stop::default();
    /// stop.stop();
    /// let found = Search::new().with_stop(stop).think(&position, &[], Limits::default()).unwrap();
    /// assert!(found.nodes < 100 && position.legal_moves().contains(&found.best));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_stop(self, stop: Stop) -> Search {
        Search { stop, ..self }
    }

    /// Forgets everything: the same questions then get the same answers again.
    pub fn forget(&mut self) {
        self.table.clear();
        self.history.iter_mut().for_each(|to| to.fill(0));
    }

    /// The best move, or none if there is no legal one. `recent` has the keys of earlier positions of
    /// the game: going back to one of them is a draw.
    pub fn think(&mut self, position: &Position, recent: &[u64], limits: Limits) -> Option<Found> {
        let moves = position.legal_moves();
        let &first = moves.first()?;
        self.started = Stopwatch::start();
        self.limits = limits;
        self.nodes = 0;
        self.stopped = false;
        self.killers = [[None; 2]; MAX_PLY];
        self.history.iter_mut().flatten().for_each(|worth| *worth /= 8);
        self.line = recent.to_vec();
        let mut found = Found { best: first, score: evaluate(position), depth: 0, nodes: 0 };
        if moves.len() == 1 {
            return Some(found);
        }
        for depth in 1..=limits.depth.clamp(1, MAX_PLY as u8 / 2) {
            let Some((best, score)) = self.root(position, i32::from(depth), found.best) else {
                break;
            };
            found = Found { best, score, depth, nodes: self.nodes };
            // A mate that deeper search cannot shorten, or no time for the next depth.
            let mated = MATE - score.abs() <= i32::from(depth);
            let late = limits.time.is_some_and(|time| self.started.elapsed() > time / 2);
            if self.stopped || mated || late {
                break;
            }
        }
        Some(Found { nodes: self.nodes, ..found })
    }

    /// Searches all moves; if time runs out on the way, what was better until then counts. None if not
    /// even the first move was looked at.
    fn root(&mut self, position: &Position, depth: i32, first: Move) -> Option<(Move, i32)> {
        let mut moves = self.ordered(position, Wanted::All, Some(first), 0);
        self.line.push(position.key());
        let (mut best, mut alpha) = (None, -MATE);
        for (number, &(_, m)) in moves.iter().enumerate() {
            let next = after(position, m);
            let mut score = alpha + 1;
            if number > 0 {
                score = -self.negamax(&next, -alpha - 1, -alpha, depth - 1, 1);
            }
            if score > alpha && !self.stopped {
                score = -self.negamax(&next, -MATE, -alpha, depth - 1, 1);
            }
            if self.stopped {
                break;
            }
            if score > alpha || best.is_none() {
                (best, alpha) = (Some(m), score.max(alpha));
            }
        }
        self.line.pop();
        moves.clear();
        self.lists.push(moves);
        if let (Some(m), false) = (best, self.stopped) {
            self.table.put(position.key(), Some(m), alpha as i16, depth as i8, Bound::Exact);
        }
        best.map(|m| (m, alpha))
    }

    /// The worth of a position for the side to move, as far as it lies between alpha and beta.
    fn negamax(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        // 1. Look up to see whether to stop, or whether the line has gone round in a circle.
        if self.out_of_time() {
            return 0;
        }
        if self.line.contains(&position.key()) {
            return 0;
        }
        if ply >= MAX_PLY - QUIET_PLIES {
            return evaluate(position);
        }
        // 2. Nothing here is better than a mate already found elsewhere.
        alpha = alpha.max(-MATE + ply as i32);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        // 3. A check is looked at one ply deeper; at the end of the line only captures are left.
        let check = position.is_check();
        if check {
            depth += 1;
        }
        if depth <= 0 {
            self.nodes -= 1; // the same position is counted there
            return self.quiesce(position, alpha, beta, ply, 0, None);
        }
        // 4. Perhaps it is known.
        let known = self.table.get(position.key());
        let is_pv = beta - alpha > 1;
        if let Some(entry) = known.filter(|entry| !is_pv && i32::from(entry.depth) >= depth) {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::AtLeast if score >= beta => return score,
                Bound::AtMost if score <= alpha => return score,
                _ => {}
            }
        }
        let worth = evaluate(position);
        // 5. If even doing nothing is good enough, a move will be. Not with few bishops, when
        // having to move may be a burden.
        let bishops = position.board().bishops(position.turn()).len();
        if !is_pv && !check && depth >= 3 && worth >= beta && bishops >= 3 && beta.abs() < MATES {
            let mut next = *position;
            next.pass();
            self.line.push(position.key());
            let score = -self.negamax(&next, -beta, -beta + 1, depth - 3, ply + 1);
            self.line.pop();
            if score >= beta && !self.stopped {
                return if score > MATES { beta } else { score };
            }
        }
        // 6. Moves, the most promising first.
        let mut moves =
            self.ordered(position, Wanted::All, known.and_then(|entry| entry.best), ply);
        if moves.is_empty() {
            self.lists.push(moves);
            return if check { -MATE + ply as i32 } else { 0 };
        }
        self.line.push(position.key());
        let (mut best, mut best_move, alpha_before) = (-MATE, None, alpha);
        let mut quiet_moves = 0;
        for (number, &(_, m)) in moves.iter().enumerate() {
            let capture = is_capture(position, m);
            let next = after(position, m);
            // 7. Quiet moves far down the list, or far below alpha, are left out near the end of a line,
            // except for checks.
            let mut reduction = 0;
            if !capture && number > 0 {
                quiet_moves += 1;
                let quiet = !check && !next.is_check();
                let hopeless = depth <= 2 && worth + 60 * depth <= alpha;
                let late = depth <= 3 && quiet_moves > 6 + 4 * depth * depth;
                if quiet && best > -MATES && (hopeless || late) {
                    continue;
                }
                // 8. Other late ones are looked at less deeply first.
                if quiet && depth >= 2 && quiet_moves > 3 {
                    reduction = 1 + i32::from(quiet_moves > 16) + i32::from(depth > 5);
                }
            }
            // 9. The first move with the full window, the others only to show that they are not better.
            let mut score = alpha + 1;
            if number > 0 {
                let less = depth - 1 - reduction.min(depth - 1);
                score = -self.negamax(&next, -alpha - 1, -alpha, less, ply + 1);
                if score > alpha && reduction > 0 {
                    score = -self.negamax(&next, -alpha - 1, -alpha, depth - 1, ply + 1);
                }
            }
            if score > alpha && (is_pv || number == 0) {
                score = -self.negamax(&next, -beta, -alpha, depth - 1, ply + 1);
            }
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(m);
                }
                if score >= beta {
                    if !capture {
                        self.praise(position, m, depth, ply);
                    }
                    break;
                }
            }
        }
        self.line.pop();
        moves.clear();
        self.lists.push(moves);
        // 10. Remember.
        if !self.stopped {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best > alpha_before => Bound::Exact,
                _ => Bound::AtMost,
            };
            let score = to_table(best, ply);
            self.table.put(position.key(), best_move, score, depth.min(100) as i8, bound);
        }
        best
    }

    /// Goes on with captures that win something, so that no line ends in the middle of an exchange.
    fn quiesce(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        quiet_ply: usize,
        taken_on: Option<Cell>,
    ) -> i32 {
        if self.out_of_time() {
            return 0;
        }
        let mut best = evaluate(position);
        if best >= beta || quiet_ply >= QUIET_PLIES {
            return best;
        }
        let board = position.board();
        let crowd = Side::ALL.iter().map(|&side| board.bishops(side).len()).sum::<usize>() > CROWD;
        alpha = alpha.max(best);
        let mut moves = self.ordered(position, Wanted::Captures, None, ply);
        for &(_, m) in &moves {
            let elsewhere = taken_on.is_some_and(|cell| cell != m.to);
            if (crowd && elsewhere) || !wins_exchange(position, m.to) {
                continue;
            }
            let next = after(position, m);
            let score = -self.quiesce(&next, -beta, -alpha, ply + 1, quiet_ply + 1, Some(m.to));
            if self.stopped {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        moves.clear();
        self.lists.push(moves);
        best
    }

    /// The legal moves that are wanted, the most promising first.
    fn ordered(
        &mut self,
        position: &Position,
        wanted: Wanted,
        first: Option<Move>,
        ply: usize,
    ) -> Vec<(i32, Move)> {
        let mut moves = self.lists.pop().unwrap_or_default();
        let killers = self.killers[ply];
        let king = position.king(position.turn());
        let _ = position.visit_moves(wanted, |m| {
            let rank = if Some(m) == first {
                i32::MAX
            } else if is_capture(position, m) {
                let wins = wanted == Wanted::All && wins_exchange(position, m.to);
                if wins { 2_000_000 } else { 500_000 }
            } else if killers.contains(&Some(m)) {
                1_000_000
            } else {
                self.history[usize::from(m.from == king)][m.to.number()]
            };
            moves.push((rank, m));
            core::ops::ControlFlow::Continue(())
        });
        moves.sort_by_key(|&(rank, _)| core::cmp::Reverse(rank));
        moves
    }

    /// Remembers a quiet move that refuted something.
    fn praise(&mut self, position: &Position, m: Move, depth: i32, ply: usize) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(m) {
            *second = first.replace(m);
        }
        let king = position.king(position.turn());
        let worth = &mut self.history[usize::from(m.from == king)][m.to.number()];
        *worth = (*worth + depth * depth).min(400_000);
    }

    fn out_of_time(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(64) {
            let late = self.limits.time.is_some_and(|time| self.started.elapsed() >= time);
            self.stopped |= late || self.stop.is_stopped();
        }
        self.stopped
    }
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(m);
    next
}

fn is_capture(position: &Position, m: Move) -> bool {
    position.board().bishops(!position.turn()).contains(m.to)
}

/// Whether the side to move wins a bishop by taking on a cell. All bishops are worth the same, so
/// that is a matter of who has more pieces to take with, those behind one another counted too.
fn wins_exchange(position: &Position, target: Cell) -> bool {
    let board = position.board();
    let (us, them) = (position.turn(), !position.turn());
    let mut balance = i32::from(position.king(us).distance(target) == 1)
        - i32::from(position.king(them).distance(target) == 1);
    for direction in Direction::DIAGONALS {
        let mut owner = None;
        for cell in target.ray(direction, board.size()) {
            let side = match cell {
                _ if board.bishops(us).contains(cell) => us,
                _ if board.bishops(them).contains(cell) => them,
                _ if cell == position.king(us) || cell == position.king(them) => break,
                _ => continue,
            };
            if *owner.get_or_insert(side) != side {
                break;
            }
            balance += if side == us { 1 } else { -1 };
        }
    }
    balance > 0
}

/// Mates are kept as seen from the position, not from the start of the search.
fn to_table(score: i32, ply: usize) -> i16 {
    further(score, ply as i32) as i16
}

fn from_table(score: i16, ply: usize) -> i32 {
    further(i32::from(score), -(ply as i32))
}

/// A mate so many plies more certain, any other score as it is.
fn further(score: i32, plies: i32) -> i32 {
    if score.abs() > MATES { score + plies * score.signum() } else { score }
}
