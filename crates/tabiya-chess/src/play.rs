use crate::{
    Bitboard, Board, Color, Move, MoveKind, Piece, PlacedPiece, Position, Role, Square, Wing,
    zobrist,
};

/// Told of every piece that leaves or reaches a square when a move is played, so that an
/// evaluation can follow the board without the board knowing of it.
///
/// ```
/// use tabiya_chess::{Color, Observer, Piece, Position, Role, Square};
///
/// /// Keeps White's material minus Black's up to date.
/// struct Material(i32);
///
/// impl Material {
///     fn value(piece: Piece) -> i32 {
///         let value = [1, 3, 3, 5, 9, 0][piece.role as usize];
///         if piece.color == Color::White { value } else { -value }
///     }
/// }
///
/// impl Observer for Material {
///     fn added(&mut self, piece: Piece, _square: Square) {
///         self.0 += Material::value(piece);
///     }
///     fn removed(&mut self, piece: Piece, _square: Square) {
///         self.0 -= Material::value(piece);
///     }
/// }
///
/// let mut position: Position = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
/// let mut material = Material(1 - 9);
/// let takes = position.parse_san("exd5").unwrap();
/// position.play_observed(takes, &mut material);
/// assert_eq!(material.0, 1);
/// ```
pub trait Observer {
    /// A piece now stands on the square. Called after [`Observer::removed`] for what stood there.
    fn added(&mut self, piece: Piece, square: Square);

    /// The piece no longer stands on the square.
    fn removed(&mut self, piece: Piece, square: Square);

    /// The piece has gone from one square to another. As good as removed and added.
    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.removed(piece, from);
        self.added(piece, to);
    }
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn added(&mut self, _piece: Piece, _square: Square) {}
    #[inline(always)]
    fn removed(&mut self, _piece: Piece, _square: Square) {}
    #[inline(always)]
    fn moved(&mut self, _piece: Piece, _from: Square, _to: Square) {}
}

impl Position {
    /// Plays a move known to be legal and tells an observer of every change on the board.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Step, Square};
    /// let mut position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    /// let castle = position.parse_san("O-O").unwrap();
    /// let mut steps: Vec<Step> = Vec::new();
    /// position.play_observed(castle, &mut steps);
    /// assert_eq!(steps.len(), 2);
    /// ```
    #[inline]
    pub fn play_observed(&mut self, m: Move, observer: &mut impl Observer) {
        debug_assert!(self.is_legal(m), "{m} in {self}");
        let us = self.turn;
        let code = zobrist::code(self.board.army(us), m.origin_bits());

        if let Some(square) = self.pseudo_legal_ep_square {
            self.key ^= zobrist::en_passant(square.file());
        }
        self.pseudo_legal_ep_square = None;
        self.ep_square = None;
        self.key ^= zobrist::TURN;
        self.turn = !us;
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if self.castling.any() {
            self.lose_castling_rights(us, m, code);
        }
        match m.kind() {
            MoveKind::Normal => self.play_normal(us, m, code, observer),
            MoveKind::Promotion => self.play_promotion(us, m, observer),
            MoveKind::EnPassant => self.play_en_passant(us, m, observer),
            MoveKind::Castle => self.play_castle(us, m, observer),
        }
        debug_assert_eq!(self.key, self.computed_key(), "key after {m}");
    }

    /// A right goes when its rook moves or is taken, and both when the king moves. Before the
    /// pieces move, because a right belongs to a wing and the king tells which.
    #[inline]
    fn lose_castling_rights(&mut self, us: Color, m: Move, code: usize) {
        let mut touched = 1 << m.origin_bits() | 1 << m.target_bits();
        if code == zobrist::code_of(Role::King) {
            touched |= 0xFF << (56 * us as u32);
        }
        let lost = self.castling & Bitboard(touched);
        if lost.any() {
            self.key ^= zobrist::castling(lost, &self.board);
            self.castling ^= lost;
        }
    }

    /// Moves what stands on one square to another, in every set at once, without asking what it is;
    /// what stood there is gone.
    #[inline]
    fn play_normal(&mut self, us: Color, m: Move, code: usize, observer: &mut impl Observer) {
        let (from, to) = (m.origin_bits(), m.target_bits());
        let (from_bit, to_bit) = (1u64 << from, 1u64 << to);
        let captured = zobrist::code(self.board.army(!us), to);
        let keys = &zobrist::PIECES[us as usize][code];
        self.key ^= keys[from as usize] ^ keys[to as usize];
        self.key ^= zobrist::PIECES[!us as usize][captured][to as usize];
        if let Some(role) = zobrist::role_of(captured) {
            observer.removed(role.of(!us), Square::from_low_bits(to));
        }
        if let Some(role) = zobrist::role_of(code) {
            observer.moved(role.of(us), Square::from_low_bits(from), Square::from_low_bits(to));
        }

        let from_to = from_bit | to_bit;
        let moved = |set: u64| set ^ from_to & (set >> from & 1).wrapping_neg();
        let own = &mut self.board.armies[us as usize];
        own.pawns = moved(own.pawns);
        own.knights = moved(own.knights);
        own.diagonals = moved(own.diagonals);
        own.orthogonals = moved(own.orthogonals);
        own.kings = moved(own.kings);
        own.all ^= from_to;
        let enemy = &mut self.board.armies[!us as usize];
        *enemy = enemy.without(to_bit);

        if captured != 0 {
            self.halfmove_clock = 0;
        }
        if code == zobrist::code_of(Role::Pawn) {
            self.halfmove_clock = 0;
            if from.abs_diff(to) == 16 {
                self.set_ep_square(Square::from_low_bits(u32::midpoint(from, to)));
            }
        }
    }

    /// A pawn has gone two squares. The turn is the opponent's already.
    #[inline]
    fn set_ep_square(&mut self, square: Square) {
        self.ep_square = Some(square);
        if self.can_capture_en_passant(square) {
            self.pseudo_legal_ep_square = Some(square);
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    fn play_promotion(&mut self, us: Color, m: Move, observer: &mut impl Observer) {
        let (from, to) = (m.from(), m.to());
        if let Some(role) = self.board.army(!us).role_at(to) {
            self.take(role.of(!us), to, observer);
        }
        self.take(Role::Pawn.of(us), from, observer);
        if let Some(role) = m.promotes_to() {
            self.toggle(role.of(us), to);
            observer.added(role.of(us), to);
        }
        self.halfmove_clock = 0;
    }

    fn play_en_passant(&mut self, us: Color, m: Move, observer: &mut impl Observer) {
        let captured = Square::new(m.to().file(), m.from().rank());
        self.take(Role::Pawn.of(!us), captured, observer);
        self.relocate(Role::Pawn.of(us), m.from(), m.to(), observer);
        self.halfmove_clock = 0;
    }

    fn play_castle(&mut self, us: Color, m: Move, observer: &mut impl Observer) {
        let (king, rook) = (m.from(), Square::from_low_bits(m.target_bits()));
        let wing = Wing::of(king, rook);
        let rook_to = Square::new(wing.rook_file(), king.rank());
        // King and rook may stand where the other goes: take both away first, then put them down.
        let (king_piece, rook_piece) = (Role::King.of(us), Role::Rook.of(us));
        self.toggle(king_piece, king);
        self.toggle(rook_piece, rook);
        self.toggle(king_piece, m.to());
        self.toggle(rook_piece, rook_to);
        if m.to() == rook || rook_to == king {
            observer.removed(king_piece, king);
            observer.removed(rook_piece, rook);
            observer.added(king_piece, m.to());
            observer.added(rook_piece, rook_to);
        } else {
            observer.moved(king_piece, king, m.to());
            observer.moved(rook_piece, rook, rook_to);
        }
    }

    fn take(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.toggle(piece, square);
        observer.removed(piece, square);
    }

    fn relocate(&mut self, piece: Piece, from: Square, to: Square, observer: &mut impl Observer) {
        self.toggle(piece, from);
        self.toggle(piece, to);
        observer.moved(piece, from, to);
    }

    /// Puts a piece on an empty square, or takes it away, and keeps the key in step.
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.board.armies[piece.color as usize].toggle(piece.role, square.bitboard().0);
        let code = zobrist::code_of(piece.role);
        self.key ^= zobrist::PIECES[piece.color as usize][code][square.index()];
    }
}

/// One change on the board, as [`Observer`] sees it. A move is a list of steps; undone, it is the
/// list of their inverses from the end.
///
/// ```
/// use tabiya_chess::{Position, Step};
///
/// let position: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
/// let promotes = position.parse_san("a8=Q").unwrap();
/// let steps = position.steps(promotes);
///
/// let mut board = *position.board();
/// steps.iter().for_each(|step| step.apply(&mut board));
/// assert_eq!(board.to_string(), "Q3k3/8/8/8/8/8/8/4K3");
/// steps.iter().rev().for_each(|step| step.inverse().apply(&mut board));
/// assert_eq!(board, *position.board());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The piece leaves the board.
    Remove(PlacedPiece),
    /// The piece appears on the board.
    Add(PlacedPiece),
    /// The piece goes to another square.
    Relocate(PlacedPiece, Square),
}

impl Step {
    /// The step that takes this one back.
    ///
    /// ```
    /// # use tabiya_chess::Step;
    /// let add = Step::Add("wq@a8".parse().unwrap());
    /// assert_eq!(add.inverse(), Step::Remove("wq@a8".parse().unwrap()));
    /// ```
    #[must_use]
    pub const fn inverse(self) -> Step {
        match self {
            Step::Remove(placed) => Step::Add(placed),
            Step::Add(placed) => Step::Remove(placed),
            Step::Relocate(PlacedPiece { piece, square }, to) => {
                Step::Relocate(PlacedPiece { piece, square: to }, square)
            }
        }
    }

    /// Makes the change on a board.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square, Step};
    /// let mut board = Board::initial();
    /// Step::Relocate("wp@e2".parse().unwrap(), Square::E4).apply(&mut board);
    /// assert_eq!(board.piece_at(Square::E2), None);
    /// ```
    pub fn apply(self, board: &mut Board) {
        match self {
            Step::Remove(placed) => {
                board.remove(placed.square);
            }
            Step::Add(placed) => {
                board.put(placed.square, placed.piece);
            }
            Step::Relocate(placed, to) => {
                board.relocate(placed.square, to);
            }
        }
    }
}

/// Writes the steps down.
impl Observer for Vec<Step> {
    fn added(&mut self, piece: Piece, square: Square) {
        self.push(Step::Add(PlacedPiece { piece, square }));
    }
    fn removed(&mut self, piece: Piece, square: Square) {
        self.push(Step::Remove(PlacedPiece { piece, square }));
    }
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        self.push(Step::Relocate(PlacedPiece { piece, square: from }, to));
    }
}

impl Position {
    /// The changes on the board that a legal move makes, in order.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Step, Square};
    /// let start = Position::initial();
    /// let steps = start.steps(start.parse_san("Nf3").unwrap());
    /// assert_eq!(steps, [Step::Relocate("wn@g1".parse().unwrap(), Square::F3)]);
    /// ```
    pub fn steps(mut self, m: Move) -> Vec<Step> {
        let mut steps = Vec::new();
        self.play_observed(m, &mut steps);
        steps
    }
}
