use std::sync::Arc;

use tabiya_chess::{
    Bitboard, Board, Color, Move, Observer, Piece, PlacedPiece, Position, Role, Square,
};

use crate::Network;
use crate::architecture::{bucket, is_mirrored};
use crate::kernel::{Kernel, Row};

/// Follows the line of a search and evaluates where it stands, for one thread.
///
/// Only what changes on the board is noted when a move is played; the sums are brought up to date when an
/// evaluation is asked for, from the last position of the line that has them.
///
/// ```
/// use std::sync::Arc;
/// use tabiya_chess::Position;
/// use tabiya_nnue::{Accumulators, Network};
///
/// let start = Position::initial();
/// let mut accumulators = Accumulators::new(Arc::new(Network::random(1)));
/// accumulators.reset(&start);
/// let before = accumulators.evaluate(&start);
///
/// let mut position = start;
/// accumulators.play(&mut position, start.parse_san("e4").unwrap());
/// println!("after e4: {}", -accumulators.evaluate(&position));
/// accumulators.undo();
/// assert_eq!(accumulators.evaluate(&start), before);
/// ```
pub struct Accumulators {
    network: Arc<Network>,
    kernel: Kernel,
    /// The line, and beyond its end what is left of earlier ones.
    line: Vec<Node>,
    /// Where the line ends.
    end: usize,
    /// For each side, without and with the mirror.
    known: Box<[[Known; 2]; 2]>,
}

/// A position of the line, by its difference to the one before.
#[derive(Clone)]
struct Node {
    /// White's and Black's, if they are up to date.
    sums: [Row; 2],
    is_ready: [bool; 2],
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

impl Observer for Node {
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

impl Node {
    fn new() -> Node {
        Node {
            sums: [Row::ZERO, Row::ZERO],
            is_ready: [false; 2],
            is_mirrored: [false; 2],
            added: Changes::default(),
            removed: Changes::default(),
        }
    }

    fn restart(&mut self, is_mirrored: [bool; 2]) {
        self.is_ready = [false; 2];
        self.is_mirrored = is_mirrored;
        self.added = Changes::default();
        self.removed = Changes::default();
    }
}

/// The last board for which sums were made from scratch, and those sums. When a king has crossed the mirror
/// line, few pieces have usually moved since it was last on that half.
#[derive(Clone)]
struct Known {
    sums: Row,
    board: Board,
}

impl Accumulators {
    /// Accumulators for a network. They begin with the usual start of a game.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_nnue::{Accumulators, Network};
    /// let accumulators = Accumulators::new(Arc::new(Network::random(1)));
    /// ```
    pub fn new(network: Arc<Network>) -> Accumulators {
        Accumulators::with_kernel(network, Kernel::best())
    }

    /// Accumulators that compute with chosen instructions.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{Accumulators, Kernel, Network};
    /// let network = Arc::new(Network::random(1));
    /// let mut plain = Accumulators::with_kernel(Arc::clone(&network), Kernel::SCALAR);
    /// let start = Position::initial();
    /// assert_eq!(plain.evaluate(&start), network.evaluate(&start));
    /// ```
    pub fn with_kernel(network: Arc<Network>, kernel: Kernel) -> Accumulators {
        let known = Known { sums: network.bias.clone(), board: Board::empty() };
        let known = Box::new([[known.clone(), known.clone()], [known.clone(), known]]);
        let mut accumulators =
            Accumulators { network, kernel, line: vec![Node::new()], end: 0, known };
        accumulators.reset(&Position::initial());
        accumulators
    }

    /// The network that evaluates.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_nnue::{Accumulators, Network};
    /// let accumulators = Accumulators::new(Arc::new(Network::random(4)));
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
    /// # use tabiya_nnue::{Accumulators, Network};
    /// let mut accumulators = Accumulators::new(Arc::new(Network::random(1)));
    /// let ending: Position = "8/5k2/8/3P4/8/8/5K2/8 w - - 0 1".parse().unwrap();
    /// accumulators.reset(&ending);
    /// println!("{}", accumulators.evaluate(&ending));
    /// ```
    pub fn reset(&mut self, position: &Position) {
        self.end = 0;
        self.line[0].restart(Color::ALL.map(|side| is_mirrored(position.king(side))));
    }

    /// Plays a legal move and follows it. The position is the one at the end of the line.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{Accumulators, Network};
    /// let mut accumulators = Accumulators::new(Arc::new(Network::random(1)));
    /// let mut position = Position::initial();
    /// let m = position.legal_moves()[0];
    /// accumulators.play(&mut position, m);
    /// ```
    #[inline]
    pub fn play(&mut self, position: &mut Position, m: Move) {
        position.play_observed(m, self.push());
    }

    /// Follows a move that is none: the other side is to move, the board stays as it is.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{Accumulators, Network};
    /// let mut accumulators = Accumulators::new(Arc::new(Network::random(1)));
    /// let passed = Position::initial().pass().unwrap();
    /// accumulators.pass();
    /// // The other side sees the same board.
    /// let now = accumulators.evaluate(&passed);
    /// accumulators.undo();
    /// assert_eq!(now, accumulators.evaluate(&Position::initial()));
    /// ```
    #[inline]
    pub fn pass(&mut self) {
        self.push();
    }

    /// Goes back one move; at the start of the line it does nothing.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_nnue::{Accumulators, Network};
    /// let mut accumulators = Accumulators::new(Arc::new(Network::random(1)));
    /// accumulators.pass();
    /// accumulators.undo();
    /// ```
    #[inline]
    pub fn undo(&mut self) {
        debug_assert!(self.end > 0, "nothing to undo");
        self.end = self.end.saturating_sub(1);
    }

    /// What the position at the end of the line is worth for the side to move, in centipawns.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tabiya_chess::Position;
    /// # use tabiya_nnue::{Accumulators, Network};
    /// let mut accumulators = Accumulators::new(Arc::new(Network::random(1)));
    /// println!("{}", accumulators.evaluate(&Position::initial()));
    /// ```
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        for side in Color::ALL {
            self.bring_up_to_date(side, position);
        }
        let sums = &self.line[self.end].sums;
        let turn = position.turn();
        let sums = [&sums[turn as usize], &sums[!turn as usize]];
        self.network.output(self.kernel, sums, bucket(position.board()))
    }

    fn push(&mut self) -> &mut Node {
        let is_mirrored = self.line[self.end].is_mirrored;
        self.end += 1;
        if self.end == self.line.len() {
            self.line.push(Node::new());
        }
        let node = &mut self.line[self.end];
        node.restart(is_mirrored);
        node
    }

    fn bring_up_to_date(&mut self, side: Color, position: &Position) {
        let s = side as usize;
        let mirrored = self.line[self.end].is_mirrored[s];
        debug_assert_eq!(
            mirrored,
            is_mirrored(position.king(side)),
            "not the position of the line"
        );
        let mut from = self.end;
        while !self.line[from].is_ready[s] {
            // Sums from the other side of the mirror are of no use.
            if from == 0 || self.line[from - 1].is_mirrored[s] != mirrored {
                return self.start_from_known(side, mirrored, position.board());
            }
            from -= 1;
        }
        for next in from + 1..=self.end {
            self.advance(next, side, mirrored);
        }
    }

    /// The sums of a node from those of the node before.
    fn advance(&mut self, next: usize, side: Color, mirrored: bool) {
        let s = side as usize;
        let (before, rest) = self.line.split_at_mut(next);
        let (from, node) = (&before[next - 1], &mut rest[0]);
        let row =
            |placed: PlacedPiece| self.network.row(side, mirrored, placed.piece, placed.square);
        let (from, to) = (&from.sums[s], &mut node.sums[s]);
        match (node.added.pieces.map(|p| p.map(row)), node.removed.pieces.map(|p| p.map(row))) {
            ([Some(a), None], [Some(r), None]) => self.kernel.update(to, from, &[a], &[r]),
            ([Some(a), None], [Some(r), Some(q)]) => self.kernel.update(to, from, &[a], &[r, q]),
            ([Some(a), Some(b)], [Some(r), Some(q)]) => {
                self.kernel.update(to, from, &[a, b], &[r, q]);
            }
            _ => to.0 = from.0,
        }
        node.is_ready[s] = true;
    }

    /// The sums of the last node from the pieces that differ from a board known before.
    fn start_from_known(&mut self, side: Color, mirrored: bool, board: &Board) {
        let known = &mut self.known[side as usize][usize::from(mirrored)];
        let (mut plus, mut minus) = (Rows::new(&self.network), Rows::new(&self.network));
        for piece in Piece::ALL {
            let (now, before) = (board.pieces(piece), known.board.pieces(piece));
            plus.push(side, mirrored, piece, now - before);
            minus.push(side, mirrored, piece, before - now);
        }
        let node = &mut self.line[self.end];
        let sums = &mut node.sums[side as usize];
        self.kernel.update(sums, &known.sums, plus.rows(), minus.rows());
        node.is_ready[side as usize] = true;
        known.sums.0 = sums.0;
        known.board = *board;
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
