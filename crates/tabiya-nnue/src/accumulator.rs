use std::sync::Arc;

use tabiya_chess::{
    Bitboard, Board, Color, Move, Observer, Piece, PlacedPiece, Position, Role, Square,
};

use crate::Network;
use crate::architecture::{bucket, is_mirrored};
use crate::kernel::{Kernel, Row};

/// The accumulators of the line of a search, one for each ply, and with them the evaluation of its end; for
/// one thread.
///
/// Updates are lazy: a move only notes what changes on the board, and an evaluation brings the accumulator up
/// to date from the last ply that has one.
///
/// ```
/// use std::sync::Arc;
/// use tabiya_chess::Position;
/// use tabiya_nnue::{AccumulatorStack, Network};
///
/// let start = Position::initial();
/// let mut accumulators = AccumulatorStack::new(Arc::new(Network::random(1)));
/// accumulators.reset(&start);
/// let before = accumulators.evaluate(&start);
///
/// let mut position = start;
/// accumulators.play(&mut position, start.parse_san("e4").unwrap());
/// assert_ne!(accumulators.evaluate(&position), before);
/// accumulators.undo();
/// assert_eq!(accumulators.evaluate(&start), before);
/// ```
pub struct AccumulatorStack {
    network: Arc<Network>,
    kernel: Kernel,
    /// One for each ply of the line, and beyond its end what is left of earlier ones.
    stack: Vec<Accumulator>,
    /// The ply at which the line ends.
    ply: usize,
    /// The accumulator cache (finny table): an entry for each perspective, without and with the mirror.
    finny: Box<[[FinnyEntry; 2]; 2]>,
}

/// The outputs of the feature transformer for a position of the line, and its difference to the one before.
#[derive(Clone)]
struct Accumulator {
    /// White's and Black's perspective, if they are computed.
    values: [Row; 2],
    is_computed: [bool; 2],
    is_mirrored: [bool; 2],
    added: Changes,
    removed: Changes,
}

/// A move brings at most two pieces to other squares, and takes at most one.
#[derive(Clone, Copy, Default)]
struct Changes {
    pieces: [Option<PlacedPiece>; 2],
}

impl Changes {
    fn push(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.pieces[1].is_none(), "a third change");
        let place = usize::from(self.pieces[0].is_some());
        self.pieces[place] = Some(PlacedPiece { piece, square });
    }
}

impl Observer for Accumulator {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push(piece, square);
        if piece.role == Role::King {
            self.is_mirrored[piece.color as usize] = is_mirrored(square);
        }
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push(piece, square);
    }
}

impl Accumulator {
    fn new() -> Accumulator {
        Accumulator {
            values: [Row::ZERO, Row::ZERO],
            is_computed: [false; 2],
            is_mirrored: [false; 2],
            added: Changes::default(),
            removed: Changes::default(),
        }
    }

    fn reset(&mut self, is_mirrored: [bool; 2]) {
        self.is_computed = [false; 2];
        self.is_mirrored = is_mirrored;
        self.added = Changes::default();
        self.removed = Changes::default();
    }
}

/// The last board refreshed for a perspective and mirror, and its values. When a king has crossed the mirror
/// line, few pieces have usually moved since it was last on that half, so that a refresh updates these
/// instead of adding up all pieces.
#[derive(Clone)]
struct FinnyEntry {
    values: Row,
    board: Board,
}

impl AccumulatorStack {
    /// AccumulatorStack for a network. They begin with the usual start of a game.
    pub fn new(network: Arc<Network>) -> AccumulatorStack {
        AccumulatorStack::with_kernel(network, Kernel::best())
    }

    /// AccumulatorStack that compute with chosen instructions.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{AccumulatorStack, Kernel, Network};
    /// let network = Arc::new(Network::random(1));
    /// let mut plain = AccumulatorStack::with_kernel(Arc::clone(&network), Kernel::SCALAR);
    /// let start = Position::initial();
    /// assert_eq!(plain.evaluate(&start), network.evaluate(&start));
    /// ```
    pub fn with_kernel(network: Arc<Network>, kernel: Kernel) -> AccumulatorStack {
        let empty = FinnyEntry { values: network.bias.clone(), board: Board::empty() };
        let finny = Box::new([[empty.clone(), empty.clone()], [empty.clone(), empty]]);
        let mut accumulators =
            AccumulatorStack { network, kernel, stack: vec![Accumulator::new()], ply: 0, finny };
        accumulators.reset(&Position::initial());
        accumulators
    }

    /// The network that evaluates.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_nnue::{AccumulatorStack, Network};
    /// let accumulators = AccumulatorStack::new(Arc::new(Network::random(4)));
    /// assert_eq!(accumulators.network().description(), "random weights, seed 4");
    /// ```
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins a new line at a position.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{AccumulatorStack, Network};
    /// let mut accumulators = AccumulatorStack::new(Arc::new(Network::random(1)));
    /// let ending: Position = "8/5k2/8/3P4/8/8/5K2/8 w - - 0 1".parse().unwrap();
    /// accumulators.reset(&ending);
    /// assert_eq!(accumulators.evaluate(&ending), accumulators.network().evaluate(&ending));
    /// ```
    pub fn reset(&mut self, position: &Position) {
        self.ply = 0;
        self.stack[0].reset(Color::ALL.map(|side| is_mirrored(position.king(side))));
    }

    /// Plays a legal move and follows it. The position is the one at the end of the line.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{AccumulatorStack, Network};
    /// let mut accumulators = AccumulatorStack::new(Arc::new(Network::random(1)));
    /// let mut position = Position::initial();
    /// let m = position.legal_moves()[0];
    /// accumulators.play(&mut position, m);
    /// assert_eq!(accumulators.evaluate(&position), accumulators.network().evaluate(&position));
    /// ```
    #[inline]
    pub fn play(&mut self, position: &mut Position, m: Move) {
        position.play_observed(m, self.push());
    }

    /// Follows a null move: the other side is to move, the board stays as it is.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{AccumulatorStack, Network};
    /// let mut accumulators = AccumulatorStack::new(Arc::new(Network::random(1)));
    /// let next = Position::initial().null_move().unwrap();
    /// accumulators.null_move();
    /// // The other side sees the same board.
    /// let after = accumulators.evaluate(&next);
    /// accumulators.undo();
    /// assert_eq!(after, accumulators.evaluate(&Position::initial()));
    /// ```
    #[inline]
    pub fn null_move(&mut self) {
        self.push();
    }

    /// Goes back one move; at the start of the line it does nothing.
    #[inline]
    pub fn undo(&mut self) {
        debug_assert!(self.ply > 0, "nothing to undo");
        self.ply = self.ply.saturating_sub(1);
    }

    /// What the position at the end of the line is worth for the side to move, in centipawns: exactly what
    /// [`Network::evaluate`] says.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        for side in Color::ALL {
            self.update(side, position);
        }
        let values = &self.stack[self.ply].values;
        let turn = position.turn();
        let values = [&values[turn as usize], &values[!turn as usize]];
        self.network.output(self.kernel, values, bucket(position.board()))
    }

    fn push(&mut self) -> &mut Accumulator {
        let is_mirrored = self.stack[self.ply].is_mirrored;
        self.ply += 1;
        if self.ply == self.stack.len() {
            self.stack.push(Accumulator::new());
        }
        let accumulator = &mut self.stack[self.ply];
        accumulator.reset(is_mirrored);
        accumulator
    }

    /// Computes a perspective of the last accumulator.
    fn update(&mut self, side: Color, position: &Position) {
        let s = side as usize;
        let mirrored = self.stack[self.ply].is_mirrored[s];
        debug_assert_eq!(
            mirrored,
            is_mirrored(position.king(side)),
            "not the position of the line"
        );
        let mut from = self.ply;
        while !self.stack[from].is_computed[s] {
            // Values from the other side of the mirror are of no use.
            if from == 0 || self.stack[from - 1].is_mirrored[s] != mirrored {
                return self.refresh(side, mirrored, position.board());
            }
            from -= 1;
        }
        for ply in from + 1..=self.ply {
            self.update_from_previous(ply, side, mirrored);
        }
    }

    /// Incremental: from the ply before and what has changed since.
    fn update_from_previous(&mut self, ply: usize, side: Color, mirrored: bool) {
        let s = side as usize;
        let (before, rest) = self.stack.split_at_mut(ply);
        let (previous, accumulator) = (&before[ply - 1], &mut rest[0]);
        let row =
            |placed: PlacedPiece| self.network.row(side, mirrored, placed.piece, placed.square);
        let (added, removed) = (&accumulator.added.pieces, &accumulator.removed.pieces);
        let (added, removed) = (added.map(|p| p.map(row)), removed.map(|p| p.map(row)));
        let (from, to) = (&previous.values[s], &mut accumulator.values[s]);
        match (added, removed) {
            ([Some(a), None], [Some(r), None]) => self.kernel.update(to, from, &[a], &[r]),
            ([Some(a), None], [Some(r), Some(q)]) => self.kernel.update(to, from, &[a], &[r, q]),
            ([Some(a), Some(b)], [Some(r), Some(q)]) => {
                self.kernel.update(to, from, &[a, b], &[r, q]);
            }
            _ => to.0 = from.0,
        }
        accumulator.is_computed[s] = true;
    }

    /// From the finny table: the pieces that differ from the last board refreshed for this half.
    fn refresh(&mut self, side: Color, mirrored: bool, board: &Board) {
        let entry = &mut self.finny[side as usize][usize::from(mirrored)];
        let (mut plus, mut minus) = (Rows::new(&self.network), Rows::new(&self.network));
        for piece in Piece::ALL {
            let (now, before) = (board.pieces(piece), entry.board.pieces(piece));
            plus.push(side, mirrored, piece, now - before);
            minus.push(side, mirrored, piece, before - now);
        }
        let accumulator = &mut self.stack[self.ply];
        let values = &mut accumulator.values[side as usize];
        self.kernel.update(values, &entry.values, plus.rows(), minus.rows());
        accumulator.is_computed[side as usize] = true;
        entry.values.0 = values.0;
        entry.board = *board;
    }
}

/// The rows of up to 32 pieces.
struct Rows<'a> {
    network: &'a Network,
    rows: [&'a Row; 32],
    len: usize,
}

impl<'a> Rows<'a> {
    fn new(network: &'a Network) -> Rows<'a> {
        Rows { network, rows: [&network.bias; 32], len: 0 }
    }

    fn push(&mut self, side: Color, mirrored: bool, piece: Piece, squares: Bitboard) {
        for square in squares {
            self.rows[self.len] = self.network.row(side, mirrored, piece, square);
            self.len += 1;
        }
    }

    fn rows(&self) -> &[&'a Row] {
        &self.rows[..self.len]
    }
}
