use core::fmt;
use core::str::FromStr;

use crate::generate::{
    AnyFiles, Black, Every, Of, Quiet, Scope, Side, Tactical, Visitor, White, each, visit_moves,
};
use crate::machine::{Machine, on_this_machine};
use crate::{
    Bitboard, Board, CastlingRights, Color, FenError, IllegalMove, Move, MoveList, NoObserver,
    Piece, Role, Setup, Square, Wing, attacks, count, setup, zobrist,
};

/// A position of chess: always a valid one.
///
/// It is made from a [`Setup`] or a FEN, or by playing a move. It is small (120 bytes) and `Copy`:
/// to try a move, play it on a copy.
///
/// ```
/// use tabiya_chess::Position;
///
/// let start = Position::initial();
/// assert_eq!(start.legal_moves().len(), 20);
///
/// let e4 = start.parse_san("e4").unwrap();
/// let next = start.play(e4).unwrap();
/// assert_eq!(next.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// assert_eq!(start, Position::initial());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) key: u64,
    pub(crate) castling: Bitboard,
    pub(crate) turn: Color,
    /// The square the last double step passed over, whether or not a pawn can capture there.
    pub(crate) ep_square: Option<Square>,
    /// The same, if an enemy pawn attacks it, pinned or not: only then is it part of the key.
    pub(crate) pseudo_legal_ep_square: Option<Square>,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
}

const _: () = assert!(size_of::<Position>() == 120);

impl Position {
    /// The start of a game.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(Position::initial().fen(), start);
    /// ```
    pub fn initial() -> Position {
        Position::from_valid_setup(&Setup::initial())
    }

    pub(crate) fn from_valid_setup(setup: &Setup) -> Position {
        let mut position = Position {
            board: setup.board,
            key: 0,
            castling: setup.castling.rooks(),
            turn: setup.turn,
            ep_square: setup.ep_square,
            pseudo_legal_ep_square: None,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number.max(1),
        };
        position.pseudo_legal_ep_square =
            setup.ep_square.filter(|&square| position.can_capture_en_passant(square));
        position.key = position.computed_key();
        position
    }

    /// Whether a pawn of the side to move stands ready to capture on the square.
    #[inline]
    pub(crate) fn can_capture_en_passant(&self, ep_square: Square) -> bool {
        attacks::pawn(!self.turn, ep_square).meets(self.board.pieces(Role::Pawn.of(self.turn)))
    }

    /// The pieces.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Position};
    /// assert_eq!(*Position::initial().board(), Board::initial());
    /// ```
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose move it is.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position};
    /// assert_eq!(Position::initial().turn(), Color::White);
    /// ```
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The rooks that may still castle.
    ///
    /// ```
    /// # use tabiya_chess::{CastlingRights, Position};
    /// assert_eq!(Position::initial().castling_rights(), CastlingRights::STANDARD);
    /// ```
    #[inline]
    pub const fn castling_rights(&self) -> CastlingRights {
        CastlingRights(self.castling)
    }

    /// The rook with which a player may still castle on a wing.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square, Wing};
    /// let start = Position::initial();
    /// assert_eq!(start.castling_rook(Color::White, Wing::KingSide), Some(Square::H1));
    /// ```
    pub fn castling_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        let king = self.king(color);
        (self.castling & self.board.color(color))
            .into_iter()
            .find(|&rook| Wing::of(king, rook) == wing)
    }

    /// Whether castling is as in standard chess: king on the e-file, rooks in the corners.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert!(Position::initial().castles_as_in_standard_chess());
    /// assert!(!Position::chess960(0).unwrap().castles_as_in_standard_chess());
    /// ```
    pub fn castles_as_in_standard_chess(&self) -> bool {
        let corners = CastlingRights::STANDARD.rooks();
        Color::ALL.into_iter().all(|color| {
            let rooks = self.castling & self.board.color(color);
            let king = Square::E1.relative_to(color);
            rooks.is_empty() || ((rooks - corners).is_empty() && self.king(color) == king)
        })
    }

    /// The en passant square, if a capture there is legal: what FENs write today. See also
    /// [`Position::ep_square`].
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
    /// let position: Position = fen.parse().unwrap();
    /// assert_eq!(position.legal_ep_square(), Some(Square::E3));
    /// ```
    pub fn legal_ep_square(&self) -> Option<Square> {
        self.pseudo_legal_ep_square.filter(|_| self.has_legal_en_passant())
    }

    fn has_legal_en_passant(&self) -> bool {
        let pawns = self.board.pieces(Role::Pawn.of(self.turn));
        self.moves_of(pawns).iter().any(|m| m.kind() == crate::MoveKind::EnPassant)
    }

    /// The square the last double step passed over, even if nothing can capture there. See also
    /// [`Position::legal_ep_square`].
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let start = Position::initial();
    /// let next = start.play(start.parse_san("e4").unwrap()).unwrap();
    /// assert_eq!((next.ep_square(), next.legal_ep_square()), (Some(Square::E3), None));
    /// ```
    #[inline]
    pub const fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// Moves of either side since the last capture or pawn move.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::initial().halfmove_clock(), 0);
    /// ```
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, from 1. It grows after Black's move.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::initial().fullmove_number(), 1);
    /// ```
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Moves made by both sides since the start of the game, as the numbers tell.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::initial().ply(), 0);
    /// ```
    #[inline]
    pub const fn ply(&self) -> u32 {
        2 * (self.fullmove_number as u32 - 1) + self.turn as u32
    }

    /// What stands on a square.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Role, Square};
    /// let queen = Position::initial().piece_at(Square::D8);
    /// assert_eq!(queen, Some(Role::Queen.of(Color::Black)));
    /// ```
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// The king's square.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square};
    /// assert_eq!(Position::initial().king(Color::Black), Square::E8);
    /// ```
    #[inline]
    pub const fn king(&self, color: Color) -> Square {
        Square::from_low_bits(self.board.army(color).kings.trailing_zeros())
    }

    /// The position's key: the Zobrist hash of Polyglot opening books, kept up to date move by move.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::initial().key(), 0x463b96181691fc9c);
    /// ```
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The key worked out anew from the pieces: always equal to [`Position::key`].
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::initial().computed_key(), Position::initial().key());
    /// ```
    pub fn computed_key(&self) -> u64 {
        let mut key = zobrist::castling(self.castling, &self.board);
        for placed in self.board.iter() {
            let (piece, square) = (placed.piece, placed.square);
            let code = zobrist::code_of(piece.role);
            key ^= zobrist::PIECES[piece.color as usize][code][square.index()];
        }
        if let Some(square) = self.pseudo_legal_ep_square {
            key ^= zobrist::en_passant(square.file());
        }
        if self.turn == Color::White {
            key ^= zobrist::TURN;
        }
        key
    }

    /// A key under which two positions are the same if the rules call them repeated: as
    /// [`Position::key`], but an en passant capture that is not legal does not count.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// // The pawn on d4 is pinned to its king: it could not have taken on e3 anyway.
    /// let pinned: Position = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1".parse().unwrap();
    /// let plain: Position = "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1".parse().unwrap();
    /// assert_ne!(pinned.key(), plain.key());
    /// assert_eq!(pinned.repetition_key(), plain.repetition_key());
    /// ```
    pub fn repetition_key(&self) -> u64 {
        match self.pseudo_legal_ep_square {
            Some(square) if !self.has_legal_en_passant() => {
                self.key ^ zobrist::en_passant(square.file())
            }
            _ => self.key,
        }
    }

    #[inline(always)]
    fn visit<W: Scope, V: Visitor<White> + Visitor<Black>>(&self, scope: W, visitor: &mut V) {
        on_this_machine!(machine => machine.visit(self, scope, visitor));
    }

    #[inline(always)]
    pub(crate) fn visit_on<M: Machine, W: Scope, V: Visitor<White> + Visitor<Black>>(
        &self,
        machine: M,
        scope: W,
        visitor: &mut V,
    ) {
        let castling = AnyFiles(self.castling.0);
        match self.turn {
            Color::White => {
                visit_moves::<_, White, _, _, _>(
                    machine,
                    &self.board,
                    castling,
                    self.pseudo_legal_ep_square,
                    scope,
                    visitor,
                );
            }
            Color::Black => {
                visit_moves::<_, Black, _, _, _>(
                    machine,
                    &self.board,
                    castling,
                    self.pseudo_legal_ep_square,
                    scope,
                    visitor,
                );
            }
        }
    }

    #[inline(always)]
    pub(crate) fn each_move<F: FnMut(Role, Move)>(&self, visit: F) -> EachMove<F> {
        let [white, black] = &self.board.armies;
        let queens = white.role(Role::Queen) | black.role(Role::Queen);
        EachMove { queens, visit }
    }

    /// All legal moves.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let mate: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse().unwrap();
    /// assert!(mate.legal_moves().is_empty());
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.visit(Every, &mut self.each_move(|_, m| list.push(m)));
        list
    }

    /// The legal moves that capture or promote. Together with [`Position::quiet_moves`] these are
    /// all.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert!(Position::initial().tactical_moves().is_empty());
    /// ```
    pub fn tactical_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_tactical_move(|_, m| list.push(m));
        list
    }

    /// Calls `visit` with each move that captures or promotes, and the role that makes it:
    /// [`Position::tactical_moves`] without the list.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let position: Position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
    /// position.for_each_tactical_move(|_, m| assert_eq!(position.san(m), "exd5"));
    /// ```
    #[inline]
    pub fn for_each_tactical_move(&self, visit: impl FnMut(Role, Move)) {
        self.visit(Tactical, &mut self.each_move(visit));
    }

    /// The legal moves that neither capture nor promote.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::initial().quiet_moves().len(), 20);
    /// ```
    pub fn quiet_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_quiet_move(|_, m| list.push(m));
        list
    }

    /// Calls `visit` with each move that neither captures nor promotes, and the role that makes it:
    /// [`Position::quiet_moves`] without the list.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Role};
    /// let mut count = 0;
    /// Position::initial().for_each_quiet_move(|role, _| count += u32::from(role == Role::Knight));
    /// assert_eq!(count, 4);
    /// ```
    #[inline]
    pub fn for_each_quiet_move(&self, visit: impl FnMut(Role, Move)) {
        self.visit(Quiet, &mut self.each_move(visit));
    }

    /// The legal moves of the piece on a square: none if it is empty, the opponent's, or pinned
    /// for good.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let start = Position::initial();
    /// assert_eq!(start.moves_from(Square::G1).len(), 2);
    /// assert!(start.moves_from(Square::G8).is_empty());
    /// ```
    pub fn moves_from(&self, square: Square) -> MoveList {
        self.moves_of(square.bitboard())
    }

    /// The legal moves of the pieces on some squares.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Role};
    /// let start = Position::initial();
    /// let knights = start.board().pieces(Role::Knight.of(Color::White));
    /// assert_eq!(start.moves_of(knights).len(), 4);
    /// ```
    pub fn moves_of(&self, pieces: Bitboard) -> MoveList {
        let mut list = MoveList::new();
        self.visit(Of(pieces.0), &mut self.each_move(|_, m| list.push(m)));
        list
    }

    /// The squares the piece on a square may go to. For castling this is the king's new square, and
    /// in Chess960, where that could be mistaken for a step, the rook's square as well.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let knight = Position::initial().destinations(Square::B1);
    /// assert_eq!(knight, Square::A3.bitboard() | Square::C3);
    /// ```
    pub fn destinations(&self, square: Square) -> Bitboard {
        let standard = self.castles_as_in_standard_chess();
        let mut set = Bitboard::EMPTY;
        for m in self.moves_from(square) {
            match m.castling_rook() {
                Some(rook) if !standard => set.insert(rook),
                _ => set.insert(m.to()),
            }
        }
        set
    }

    /// The number of legal moves, without listing them.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::initial().count_legal_moves(), 20);
    /// ```
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        count::moves(self)
    }

    /// Whether there is any legal move.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert!(Position::initial().has_legal_moves());
    /// ```
    pub fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether the move is legal here.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let start = Position::initial();
    /// assert!(start.is_legal(Move::normal(Square::E2, Square::E4)));
    /// assert!(!start.is_legal(Move::normal(Square::E2, Square::E5)));
    /// ```
    pub fn is_legal(&self, m: Move) -> bool {
        let mut found = false;
        self.visit(Of(m.from().bitboard().0), &mut self.each_move(|_, other| found |= other == m));
        found
    }

    /// The position after a legal move; or why the move is not legal.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Move, Position, Square};
    /// let start = Position::initial();
    /// let next = start.play(Move::normal(Square::G1, Square::F3)).unwrap();
    /// assert_eq!(next.turn(), Color::Black);
    /// assert!(start.play(Move::normal(Square::G1, Square::G3)).is_err());
    /// ```
    pub fn play(&self, m: Move) -> Result<Position, IllegalMove> {
        if let Some(reason) = self.explain(m) {
            return Err(reason);
        }
        let mut next = *self;
        next.play_unchecked(m);
        Ok(next)
    }

    /// Plays a move that is known to be legal, as those from [`Position::legal_moves`] are. With
    /// any other move the position makes no sense afterwards.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let mut position = Position::initial();
    /// let m = position.legal_moves()[0];
    /// position.play_unchecked(m);
    /// assert_eq!(position.key(), position.computed_key());
    /// ```
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) {
        self.play_observed(m, &mut NoObserver);
    }

    /// The position after a null move: the other side is to move and the en passant square is gone. None
    /// in check, where passing would leave the king to be taken.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position};
    /// let next = Position::initial().null_move().unwrap();
    /// assert_eq!(next.turn(), Color::Black);
    /// assert_eq!(next.key(), next.computed_key());
    /// ```
    pub fn null_move(&self) -> Option<Position> {
        if self.is_check() {
            return None;
        }
        let mut next = *self;
        if let Some(square) = self.pseudo_legal_ep_square {
            next.key ^= zobrist::en_passant(square.file());
        }
        next.pseudo_legal_ep_square = None;
        next.ep_square = None;
        next.turn = !self.turn;
        next.key ^= zobrist::TURN;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        next.fullmove_number = self.fullmove_number.saturating_add(self.turn as u16);
        Some(next)
    }

    /// The setup that makes this position.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let start = Position::initial();
    /// assert_eq!(start.setup().validate(), Ok(start));
    /// ```
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling_rights(),
            ep_square: self.ep_square,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// Start position number 0 to 959 of Chess960; 518 is the one of standard chess.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// assert_eq!(Position::chess960(518), Some(Position::initial()));
    /// assert!(Position::chess960(0).unwrap().fen().starts_with("bbqnnrkr/"));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Position> {
        if number >= 960 {
            return None;
        }
        let mut number = usize::from(number);
        let mut files: [Option<Role>; 8] = [None; 8];
        let mut take = |n: usize| {
            let part = number % n;
            number /= n;
            part
        };
        files[2 * take(4) + 1] = Some(Role::Bishop);
        files[2 * take(4)] = Some(Role::Bishop);
        let queen = take(6);
        let knights =
            [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
                [take(10)];
        let mut place = |nth: usize, role: Role| {
            let free = files.iter_mut().filter(|file| file.is_none()).nth(nth);
            if let Some(file) = free {
                *file = Some(role);
            }
        };
        place(queen, Role::Queen);
        place(knights.1, Role::Knight);
        place(knights.0, Role::Knight);
        for role in [Role::Rook, Role::King, Role::Rook] {
            place(0, role);
        }
        let mut setup = Setup::initial();
        for color in Color::ALL {
            for (x, role) in files.into_iter().enumerate() {
                setup.board.put(Square::ALL[x].relative_to(color), role?.of(color));
            }
        }
        setup.castling = CastlingRights(setup.board.role(Role::Rook));
        setup.validate().ok()
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::initial()
    }
}

impl TryFrom<&Setup> for Position {
    type Error = setup::SetupError;
    fn try_from(setup: &Setup) -> Result<Position, setup::SetupError> {
        setup.validate()
    }
}

impl FromStr for Position {
    type Err = FenError;
    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

impl fmt::Display for Position {
    /// The FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.fen())
    }
}

/// Hands the moves on one by one, with the role that moves. Square indices below 64 come from sets, so
/// the conversions cannot fail.
pub(crate) struct EachMove<F> {
    /// Queens of both sides.
    queens: u64,
    visit: F,
}

impl<F: FnMut(Role, Move)> EachMove<F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: usize, targets: u64) {
        let from = Square::from_low_bits(from as u32);
        each(targets, |to| {
            (self.visit)(role, Move::normal(from, Square::from_low_bits(to as u32)));
        });
    }

    #[inline(always)]
    fn slider(&mut self, role: Role, from: usize, targets: u64) {
        let role = if self.queens >> from & 1 != 0 { Role::Queen } else { role };
        self.piece(role, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u64, back: i32) {
        each(targets, |to| (self.visit)(Role::Pawn, pawn_move(to, back)));
    }
}

impl<S: Side, F: FnMut(Role, Move)> Visitor<S> for EachMove<F> {
    #[inline(always)]
    fn king(&mut self, from: usize, targets: u64) {
        self.piece(Role::King, from, targets);
    }

    #[inline(always)]
    fn knight(&mut self, from: usize, targets: u64) {
        self.piece(Role::Knight, from, targets);
    }

    #[inline(always)]
    fn diagonal(&mut self, from: usize, targets: u64) {
        self.slider(Role::Bishop, from, targets);
    }

    #[inline(always)]
    fn orthogonal(&mut self, from: usize, targets: u64) {
        self.slider(Role::Rook, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, steps: u64, leaps: u64, west: u64, east: u64) {
        EachMove::pawns(self, steps, S::STEP_BACK);
        EachMove::pawns(self, leaps, 2 * S::STEP_BACK);
        EachMove::pawns(self, west, S::WEST_BACK);
        EachMove::pawns(self, east, S::EAST_BACK);
    }

    #[inline(always)]
    fn promotions(&mut self, steps: u64, west: u64, east: u64) {
        for (targets, back) in [(steps, S::STEP_BACK), (west, S::WEST_BACK), (east, S::EAST_BACK)] {
            each(targets, |to| {
                let m = pawn_move(to, back);
                for role in Role::PROMOTIONS {
                    if let Some(promotion) = Move::promotion(m.from(), m.to(), role) {
                        (self.visit)(Role::Pawn, promotion);
                    }
                }
            });
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: usize, to: usize) {
        let (from, to) = (Square::from_low_bits(from as u32), Square::from_low_bits(to as u32));
        (self.visit)(Role::Pawn, Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: usize, rook: usize) {
        let (king, rook) = (Square::from_low_bits(king as u32), Square::from_low_bits(rook as u32));
        (self.visit)(Role::King, Move::castle(king, rook));
    }
}

#[inline(always)]
fn pawn_move(to: usize, back: i32) -> Move {
    let from = Square::from_low_bits((to as i32 + back) as u32);
    Move::normal(from, Square::from_low_bits(to as u32))
}
