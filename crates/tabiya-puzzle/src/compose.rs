//! Positions worth playing or solving, made to measure.

use crate::{
    Board, Cell, Cells, Direction, Kind, Limits, Piece, Position, Search, Side, Size, Solver,
    Status, Verdict,
};
use tabiya_base::{Random, Stop};

/// What a new position should have. White moves first.
///
/// ```
/// use tabiya_puzzle::{Recipe, Size};
///
/// let recipe = Recipe { size: Size::new(5).unwrap(), white_bishops: 3, black_bishops: 1, mate: Some(2), seed: 1 };
/// let board = recipe.compose()?;
/// assert_eq!(board.pieces().count(), 6);
/// assert_eq!(recipe.compose()?, board);
/// # Ok::<(), tabiya_puzzle::ComposeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The size of the board.
    pub size: Size,
    /// Bishops of White.
    pub white_bishops: usize,
    /// Bishops of Black.
    pub black_bishops: usize,
    /// In how many moves White mates, not sooner. If not given, the sides are as even as chance has it.
    pub mate: Option<u32>,
    /// The same seed gives the same position.
    pub seed: u64,
}

/// Boards thrown before giving up.
const THROWS: u32 = 300_000;
/// Positions a solver may look at for one candidate.
const SOLVER_NODES: u64 = 400_000;
/// Positions the solver may look at for all candidates.
const ALL_SOLVER_NODES: u64 = 40_000_000;
/// Even candidates to choose from.
const CANDIDATES: usize = 24;
/// Mates with more than one solution to see before one of them is good enough.
const PATIENCE: usize = 12;

impl Recipe {
    /// Makes the position: a mate with a single first move if one turns up, or a quiet and even start.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Recipe, Side, Size, Solver, Verdict};
    /// let size = Size::new(4).unwrap();
    /// let recipe = Recipe { size, white_bishops: 2, black_bishops: 0, mate: Some(1), seed: 3 };
    /// let position = Position::new(recipe.compose()?, Side::White)?;
    /// assert!(matches!(Solver::new().solve(&position, 1), Verdict::Mate(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compose(&self) -> Result<Board, ComposeError> {
        self.compose_until(&Stop::default())
    }

    /// The same, until it is told to stop: then nothing is found.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_puzzle::{ComposeError, Recipe, Size};
    /// let size = Size::new(8).unwrap();
    /// let recipe = Recipe { size, white_bishops: 2, black_bishops: 2, mate: None, seed: 3 };
    /// let stop = Stop::default();
    /// stop.stop();
    /// assert_eq!(recipe.compose_until(&stop), Err(ComposeError::NotFound));
    /// ```
    pub fn compose_until(&self, stop: &Stop) -> Result<Board, ComposeError> {
        let pieces = self.white_bishops.saturating_add(self.black_bishops).saturating_add(2);
        if pieces > self.size.area() {
            return Err(ComposeError::TooMany { pieces, size: self.size });
        }
        let mut random = Random::new(self.seed);
        match self.mate {
            Some(0) => None,
            Some(_) if self.white_bishops == 0 => None,
            Some(moves) => self.compose_mate(moves, &mut random, stop),
            None => self.compose_even(&mut random, stop),
        }
        .ok_or(ComposeError::NotFound)
    }

    /// The most even of some positions in which nobody is in check, both sides can hope, and White cannot
    /// mate at once.
    fn compose_even(&self, random: &mut Random, stop: &Stop) -> Option<Board> {
        let mut search = Search::new().with_stop(stop.clone());
        let mut solver = Solver::new().with_stop(stop.clone());
        let mut best: Option<(i32, Board)> = None;
        let mut candidates = 0;
        for _ in 0..THROWS {
            if stop.is_stopped() {
                return None;
            }
            let board = self.throw(random, None);
            let Some(position) = calm(&board).filter(has_prospects) else { continue };
            if solver.solve(&position, 1) != (Verdict::NoMate { within: 1 }) {
                continue;
            }
            search.forget();
            let limits = Limits { depth: 2, nodes: 5_000, time: None };
            let score = search.think(&position, &[], limits)?.score.abs();
            if best.as_ref().is_none_or(|&(lowest, _)| score < lowest) {
                best = Some((score, board));
            }
            candidates += 1;
            if candidates == CANDIDATES {
                break;
            }
        }
        best.map(|(_, board)| board)
    }

    /// Starts from mates and goes back in time, until the way to mate is long enough.
    fn compose_mate(&self, moves: u32, random: &mut Random, stop: &Stop) -> Option<Board> {
        let mut solver = Solver::with_budget(SOLVER_NODES).with_stop(stop.clone());
        let mut spent = 0;
        let mut second_best = None;
        let mut seen = 0;
        for _ in 0..THROWS {
            if stop.is_stopped() {
                return None;
            }
            let board = self.throw(random, Some(Side::Black));
            if board.is_check(Side::White) || !board.is_checkmate(Side::Black) {
                continue;
            }
            let Some(mut board) = before(&board, Side::White, random) else { continue };
            let mut candidate = Some(board);
            let mut length = 0;
            for _ in 0..8 * moves {
                if let Some(position) = candidate.and_then(|board| calm(&board)) {
                    let verdict = solver.solve(&position, moves);
                    spent += solver.nodes();
                    if spent > ALL_SOLVER_NODES {
                        return second_best;
                    }
                    match verdict {
                        Verdict::Mate(solution) if solution.moves == moves => {
                            if solution.keys.len() == 1 {
                                return Some(*position.board());
                            }
                            second_best.get_or_insert(*position.board());
                            seen += 1;
                            if seen == PATIENCE {
                                return second_best;
                            }
                            break;
                        }
                        Verdict::Mate(solution) if solution.moves >= length => {
                            (board, length) = (*position.board(), solution.moves);
                        }
                        _ => {}
                    }
                }
                candidate = before(&board, Side::Black, random)
                    .and_then(|board| before(&board, Side::White, random));
            }
        }
        second_best
    }

    /// Pieces at random; the king of a side that is hunted rather on the edge.
    fn throw(&self, random: &mut Random, hunted: Option<Side>) -> Board {
        let mut board = Board::new(self.size);
        let mut free: Vec<Cell> = self.size.cells().into_iter().collect();
        let last = self.size.get();
        let on_edge = |cell: &Cell| [cell.x(), cell.y()].iter().any(|&at| at == 1 || at == last);
        let king = |side| Piece { side, kind: Kind::King, cell: free[0] };
        let mut pieces = vec![king(Side::White), king(Side::Black)];
        for (side, count) in [(Side::White, self.white_bishops), (Side::Black, self.black_bishops)]
        {
            pieces.extend(core::iter::repeat_n(Piece { kind: Kind::Bishop, ..king(side) }, count));
        }
        for piece in pieces {
            let mut index = random.below(free.len());
            if piece.kind == Kind::King && Some(piece.side) == hunted {
                for _ in 0..4 {
                    if !on_edge(&free[index]) {
                        index = random.below(free.len());
                    }
                }
            }
            board.set(Piece { cell: free.swap_remove(index), ..piece });
        }
        board
    }
}

/// The position with White to move, if nobody is in check and both sides have moves.
fn calm(board: &Board) -> Option<Position> {
    let [white, black] = Side::ALL.map(|side| Position::new(*board, side).ok());
    let calm = Status::Playing { check: false };
    let position = white.filter(|position| position.status() == calm)?;
    black.filter(|position| position.status() == calm)?;
    Some(position)
}

/// Whether each side has bishops on both colours, and one to spare if it has many: one colour alone
/// plays for nothing.
fn has_prospects(position: &Position) -> bool {
    Side::ALL.into_iter().all(|side| {
        let bishops = *position.board().bishops(side);
        let light = (bishops & Cells::LIGHT).len();
        light.min(bishops.len() - light) >= (bishops.len() / 2).min(2)
    })
}

/// A board from which a side may have come here with its last move, taking nothing.
fn before(board: &Board, side: Side, random: &mut Random) -> Option<Board> {
    let occupied = board.occupied();
    let pieces: Vec<Piece> = board.pieces_of(side).collect();
    for _ in 0..8 {
        let piece = random.pick(&pieces)?;
        let (direction, longest) = match piece.kind {
            Kind::King => (random.pick(&Direction::ALL)?, 1),
            Kind::Bishop => (random.pick(&Direction::DIAGONALS)?, usize::MAX),
        };
        let ray = piece.cell.ray(direction, board.size()).take(longest);
        let empty: Vec<Cell> = ray.take_while(|&cell| !occupied.contains(cell)).collect();
        let Some(from) = random.pick(&empty) else { continue };
        let earlier = board.move_to(piece, from);
        // It was this side's turn, so the other cannot have been in check.
        if !earlier.is_check(!side) && !board.is_check(side) {
            return Some(earlier);
        }
    }
    None
}

/// Why there is no such position.
///
/// ```
/// use tabiya_puzzle::{Recipe, Size};
///
/// let recipe = Recipe { size: Size::MIN, white_bishops: 5, black_bishops: 5, mate: None, seed: 0 };
/// let error = recipe.compose().unwrap_err();
/// assert_eq!(error.to_string(), "12 pieces do not fit on a 3×3 board");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComposeError {
    /// More pieces than cells.
    #[error("{pieces} pieces do not fit on a {size} board")]
    TooMany {
        /// How many were wanted.
        pieces: usize,
        /// The size of the board.
        size: Size,
    },
    /// Nothing turned up.
    #[error(
        "no such position was found; try another seed, other numbers of bishops or a shorter mate"
    )]
    NotFound,
}
