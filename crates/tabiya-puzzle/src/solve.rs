//! Mates, proved. No evaluation and no short cut that could be wrong: every defence is tried, and what
//! is remembered is compared with the whole position, not with its key alone.

use tabiya_base::Stop;

use crate::{Move, Position};

/// What a solver says.
///
/// ```
/// use tabiya_puzzle::{Position, Side, Solver, Verdict};
///
/// let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
/// assert_eq!(Solver::new().solve(&position, 5), Verdict::NoMate { within: 5 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move mates.
    Mate(Solution),
    /// It is proved that the side to move cannot mate within so many of its moves.
    NoMate {
        /// Moves of the side to move.
        within: u32,
    },
    /// The budget was used up.
    Unfinished {
        /// The number of moves within which there is certainly no mate.
        no_mate_within: u32,
    },
}

/// The shortest mate.
///
/// ```
/// use tabiya_puzzle::{Position, Side, Solver, Verdict};
///
/// let position = Position::new("3\nKa1\nKc1, Ba3, Bb3".parse()?, Side::Black)?;
/// let Verdict::Mate(solution) = Solver::new().solve(&position, 1) else { panic!() };
/// assert_eq!((solution.moves, solution.keys.len()), (1, 1));
/// assert_eq!(solution.line[0].to_string(), "a3b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Moves of the side that mates.
    pub moves: u32,
    /// All first moves with which it can be done in so many.
    pub keys: Vec<Move>,
    /// One line from the first key to the mate, the defence holding out as long as it can.
    pub line: Vec<Move>,
}

/// Finds shortest mates, or proves that there are none.
///
/// ```
/// use tabiya_puzzle::{Position, Side, Solver, Verdict};
///
/// let position = Position::new("4\nKb3, Bc3, Bd3\nKa1".parse()?, Side::White)?;
/// assert!(matches!(Solver::new().solve(&position, 4), Verdict::Mate(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    known: Vec<Option<Known>>,
    budget: u64,
    nodes: u64,
    stop: Stop,
}

/// What has been proved of a position.
#[derive(Clone, Debug)]
struct Known {
    position: Position,
    /// There is no mate within so many moves.
    no_mate_within: u32,
    /// There is one within so many.
    mate_within: Option<u32>,
}

/// The budget is used up, or it was told to stop.
struct Spent;

const SLOTS: usize = 1 << 15;

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver that does not give up.
    pub fn new() -> Solver {
        Solver::with_budget(u64::MAX)
    }

    /// A solver that looks at so many positions at most, for each question.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side, Solver, Verdict};
    /// let position = Position::new("8\nKa1, Bb1, Bc1\nKh8".parse()?, Side::White)?;
    /// let verdict = Solver::with_budget(1000).solve(&position, 5);
    /// assert!(matches!(verdict, Verdict::Unfinished { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_budget(nodes: u64) -> Solver {
        Solver { known: Vec::new(), budget: nodes, nodes: 0, stop: Stop::default() }
    }

    /// A solver that leaves a question unfinished when it is told to stop.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_puzzle::{Position, Side, Solver, Verdict};
    /// let position = Position::new("8\nKa1, Bb1, Bc1\nKh8".parse()?, Side::White)?;
    /// let stop = Stop::default();
    /// stop.stop();
    /// let verdict = Solver::new().with_stop(stop).solve(&position, 9);
    /// assert!(matches!(verdict, Verdict::Unfinished { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_stop(self, stop: Stop) -> Solver {
        Solver { stop, ..self }
    }

    /// How many positions were looked at for the last question.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side, Solver};
    /// let mut solver = Solver::new();
    /// solver.solve(&Position::new("3\nKa1, Bb1\nKc3".parse()?, Side::White)?, 1);
    /// assert!(solver.nodes() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move can force mate within so many of its moves, and how.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Side, Solver, Verdict};
    /// let position = Position::new("3\nKa1\nKc1, Ba3, Bb3".parse()?, Side::Black)?;
    /// assert_eq!(Solver::new().solve(&position, 0), Verdict::NoMate { within: 0 });
    /// assert!(matches!(Solver::new().solve(&position, 1), Verdict::Mate(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&mut self, position: &Position, within: u32) -> Verdict {
        self.nodes = 0;
        for moves in 1..=within {
            match self.mates_within(position, moves) {
                Ok(false) => {}
                Ok(true) => match self.solution(position, moves) {
                    Ok(solution) => return Verdict::Mate(solution),
                    Err(Spent) => return Verdict::Unfinished { no_mate_within: moves - 1 },
                },
                Err(Spent) => return Verdict::Unfinished { no_mate_within: moves - 1 },
            }
        }
        Verdict::NoMate { within }
    }

    /// Whether the side to move mates within so many moves.
    fn mates_within(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        // A king alone mates nobody.
        if moves == 0 || position.board().bishops(position.turn()).is_empty() {
            return Ok(false);
        }
        if let Some(known) = self.recall(position) {
            if known.no_mate_within >= moves {
                return Ok(false);
            }
            if known.mate_within.is_some_and(|mate| mate <= moves) {
                return Ok(true);
            }
        }
        let mut mates = false;
        for next in self.attacks(position, moves)? {
            if self.is_lost(&next, moves - 1)? {
                mates = true;
                break;
            }
        }
        // What is proved in one move is quicker found again than remembered.
        if moves > 1 {
            self.remember(position, moves, mates);
        }
        Ok(mates)
    }

    /// The positions after each move, those first in which the defence has least choice. With one
    /// move left, only mates are of use.
    fn attacks(&mut self, position: &Position, moves: u32) -> Result<Vec<Position>, Spent> {
        let mut attacks = Vec::new();
        for m in position.legal_moves() {
            let next = self.after(position, m)?;
            if moves > 1 {
                let replies = next.legal_moves().len();
                let rank = if next.is_check() { replies } else { replies + 1000 };
                attacks.push((rank, next));
            } else if next.is_check() {
                attacks.push((0, next));
            }
        }
        attacks.sort_by_key(|&(rank, _)| rank);
        Ok(attacks.into_iter().map(|(_, next)| next).collect())
    }

    /// Whether the side to move is mated, now or within so many more moves of the other side.
    fn is_lost(&mut self, position: &Position, moves: u32) -> Result<bool, Spent> {
        if moves == 0 {
            return Ok(!position.has_legal_move() && position.is_check());
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        for m in replies {
            let next = self.after(position, m)?;
            if !self.mates_within(&next, moves)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn solution(&mut self, position: &Position, moves: u32) -> Result<Solution, Spent> {
        let mut keys = Vec::new();
        for m in position.legal_moves() {
            let next = self.after(position, m)?;
            if self.is_lost(&next, moves - 1)? {
                keys.push(m);
            }
        }
        keys.sort();
        let mut line = Vec::new();
        let mut here = *position;
        let mut key = keys.first().copied();
        let mut left = moves;
        while let Some(m) = key {
            line.push(m);
            here.play(m);
            left -= 1;
            let Some((reply, next, longest)) = self.best_defence(&here, left)? else { break };
            line.push(reply);
            here = next;
            left = longest;
            key = self.key_move(&here, left)?;
        }
        Ok(Solution { moves, keys, line })
    }

    /// The reply after which mate takes longest, and how long.
    fn best_defence(
        &mut self,
        position: &Position,
        most: u32,
    ) -> Result<Option<(Move, Position, u32)>, Spent> {
        let mut best = None;
        for m in position.legal_moves() {
            let next = self.after(position, m)?;
            let longest = best.as_ref().map_or(0, |&(_, _, longest)| longest);
            let mut moves = longest;
            while moves < most && !self.mates_within(&next, moves)? {
                moves += 1;
            }
            if moves > longest {
                best = Some((m, next, moves));
            }
        }
        Ok(best)
    }

    fn key_move(&mut self, position: &Position, moves: u32) -> Result<Option<Move>, Spent> {
        for m in position.legal_moves() {
            let next = self.after(position, m)?;
            if self.is_lost(&next, moves - 1)? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    fn after(&mut self, position: &Position, m: Move) -> Result<Position, Spent> {
        self.nodes += 1;
        let told = self.nodes.is_multiple_of(64) && self.stop.is_stopped();
        if self.nodes > self.budget || told {
            return Err(Spent);
        }
        let mut next = *position;
        next.play(m);
        Ok(next)
    }

    fn recall(&self, position: &Position) -> Option<&Known> {
        let slot = self.known.get(position.key() as usize % SLOTS)?;
        slot.as_ref().filter(|known| known.position == *position)
    }

    fn remember(&mut self, position: &Position, moves: u32, mates: bool) {
        if self.known.is_empty() {
            self.known.resize_with(SLOTS, || None);
        }
        let former = self.recall(position).cloned();
        let mut known =
            former.unwrap_or(Known { position: *position, no_mate_within: 0, mate_within: None });
        match mates {
            true => known.mate_within = Some(known.mate_within.unwrap_or(moves).min(moves)),
            false => known.no_mate_within = known.no_mate_within.max(moves),
        }
        if let Some(slot) = self.known.get_mut(position.key() as usize % SLOTS) {
            *slot = Some(known);
        }
    }
}
