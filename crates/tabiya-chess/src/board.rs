use core::fmt;

use crate::{Bitboard, Color, Piece, PlacedPiece, Role, Square, attacks, zobrist};

/// The pieces of one colour.
///
/// Sliders are kept by the lines they move on, not by their names: a bishop is a diagonal, a rook
/// an orthogonal, a queen is both. Move generation then has two loops over sliders instead of
/// three, and pins need no special case for queens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Army {
    pub(crate) pawns: u64,
    pub(crate) knights: u64,
    pub(crate) diagonals: u64,
    pub(crate) orthogonals: u64,
    pub(crate) kings: u64,
    pub(crate) all: u64,
}

impl Army {
    #[inline(always)]
    pub(crate) const fn role(&self, role: Role) -> u64 {
        match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.diagonals & !self.orthogonals,
            Role::Rook => self.orthogonals & !self.diagonals,
            Role::Queen => self.diagonals & self.orthogonals,
            Role::King => self.kings,
        }
    }

    /// Without a branch: what stands on a square is hard to foresee.
    #[inline(always)]
    pub(crate) const fn role_at(&self, square: Square) -> Option<Role> {
        zobrist::role_of(zobrist::code(self, square as u32))
    }

    /// Puts a piece on the empty squares `bits`, or takes such pieces away.
    #[inline(always)]
    pub(crate) const fn toggle(&mut self, role: Role, bits: u64) {
        self.all ^= bits;
        match role {
            Role::Pawn => self.pawns ^= bits,
            Role::Knight => self.knights ^= bits,
            Role::Bishop => self.diagonals ^= bits,
            Role::Rook => self.orthogonals ^= bits,
            Role::Queen => {
                self.diagonals ^= bits;
                self.orthogonals ^= bits;
            }
            Role::King => self.kings ^= bits,
        }
    }

    /// Leaves the squares `bits` empty. Never used on a king.
    #[inline(always)]
    pub(crate) const fn without(mut self, bits: u64) -> Army {
        self.pawns &= !bits;
        self.knights &= !bits;
        self.diagonals &= !bits;
        self.orthogonals &= !bits;
        self.all &= !bits;
        self
    }
}

/// Which piece stands where, and nothing else: no side to move, no rights, no rules.
///
/// ```
/// use tabiya_chess::{Board, Color, Role, Square};
///
/// let mut board = Board::initial();
/// assert_eq!(board.piece_at(Square::E1), Some(Role::King.of(Color::White)));
/// assert_eq!(board.pieces(Role::Pawn.of(Color::White)).len(), 8);
/// board.relocate(Square::E2, Square::E4);
/// assert_eq!(board.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    pub(crate) armies: [Army; 2],
}

impl Board {
    /// A board without pieces.
    ///
    /// ```
    /// # use tabiya_chess::Board;
    /// assert!(Board::empty().occupied().is_empty());
    /// ```
    pub fn empty() -> Board {
        Board::default()
    }

    /// The 32 pieces at the start of a game.
    ///
    /// ```
    /// # use tabiya_chess::Board;
    /// assert_eq!(Board::initial().occupied().len(), 32);
    /// ```
    pub fn initial() -> Board {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut board = Board::empty();
        let back_rank = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        for color in Color::ALL {
            for (x, role) in back_rank.into_iter().enumerate() {
                let home = Square::ALL[x].relative_to(color);
                let pawn = Square::ALL[8 + x].relative_to(color);
                board.put(home, role.of(color));
                board.put(pawn, Pawn.of(color));
            }
        }
        board
    }

    /// A board from a table of piece numbers ([`Piece::id`], 0 for empty), rank 8 first as one
    /// would write it down. None if a number is above 12.
    ///
    /// ```
    /// # use tabiya_chess::Board;
    /// let board = Board::from_ids(&[
    ///     [0, 8, 0, 0, 12, 0, 8, 0],
    ///     [0; 8],
    ///     [0; 8],
    ///     [0; 8],
    ///     [0; 8],
    ///     [0; 8],
    ///     [0; 8],
    ///     [0, 2, 0, 0, 6, 0, 2, 0],
    /// ]);
    /// assert_eq!(board.unwrap().to_string(), "1n2k1n1/8/8/8/8/8/8/1N2K1N1");
    /// ```
    pub fn from_ids(ranks: &[[u8; 8]; 8]) -> Option<Board> {
        let mut board = Board::empty();
        for (y, rank) in ranks.iter().rev().enumerate() {
            for (x, &id) in rank.iter().enumerate() {
                if id != 0 {
                    board.put(Square::at(x, y)?, Piece::from_id(id)?);
                }
            }
        }
        Some(board)
    }

    #[inline(always)]
    pub(crate) const fn army(&self, color: Color) -> &Army {
        &self.armies[color as usize]
    }

    /// All squares that are not empty.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Rank};
    /// assert!(!Board::initial().occupied().meets(Rank::Fourth));
    /// ```
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.armies[0].all | self.armies[1].all)
    }

    /// The squares of all pieces of a colour.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Board, Color, Rank};
    /// let white = Board::initial().color(Color::White);
    /// assert_eq!(white, Bitboard::from(Rank::First) | Rank::Second);
    /// ```
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.army(color).all)
    }

    /// The squares of all pieces of a role, of both colours.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Role, Square};
    /// let queens = Board::initial().role(Role::Queen);
    /// assert_eq!(queens, Square::D1.bitboard() | Square::D8);
    /// ```
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        Bitboard(self.armies[0].role(role) | self.armies[1].role(role))
    }

    /// The squares of a piece: the bitboard of its kind and colour.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Role, Square};
    /// let kings = Board::initial().pieces(Role::King.of(Color::Black));
    /// assert_eq!(kings, Square::E8.bitboard());
    /// ```
    #[inline]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.army(piece.color).role(piece.role))
    }

    /// The king's square; none if there is no king or more than one.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Square};
    /// assert_eq!(Board::initial().king(Color::White), Some(Square::E1));
    /// assert_eq!(Board::empty().king(Color::White), None);
    /// ```
    #[inline]
    pub const fn king(&self, color: Color) -> Option<Square> {
        Bitboard(self.army(color).kings).single()
    }

    /// What stands on a square.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Role, Square};
    /// let board = Board::initial();
    /// assert_eq!(board.piece_at(Square::B8), Some(Role::Knight.of(Color::Black)));
    /// assert_eq!(board.piece_at(Square::E4), None);
    /// ```
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        let [white, black] = &self.armies;
        let square = square as u32;
        // At most one of the armies has something there.
        let code = zobrist::code(white, square) + zobrist::code(black, square);
        match zobrist::role_of(code) {
            Some(role) => Some(role.of(Color::ALL[(black.all >> square & 1) as usize])),
            None => None,
        }
    }

    /// All pieces with their squares, from a1 to h8.
    ///
    /// ```
    /// # use tabiya_chess::Board;
    /// assert_eq!(Board::initial().iter().next().unwrap().to_string(), "wr@a1");
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = PlacedPiece> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some(PlacedPiece { piece: self.piece_at(square)?, square }))
    }

    /// The kinds of piece on the board, in the order of [`Piece::ALL`].
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Role, Square};
    /// let mut board = Board::initial();
    /// assert_eq!(board.kinds().count(), 12);
    /// board.remove(Square::D8);
    /// assert!(board.kinds().all(|piece| piece != Role::Queen.of(Color::Black)));
    /// ```
    pub fn kinds(&self) -> impl Iterator<Item = Piece> + '_ {
        Piece::ALL.into_iter().filter(|&piece| self.has(piece))
    }

    /// Whether any such piece is left.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Role};
    /// assert!(Board::initial().has(Role::Queen.of(Color::White)));
    /// ```
    pub const fn has(&self, piece: Piece) -> bool {
        self.pieces(piece).any()
    }

    /// Puts a piece on a square and gives back what stood there.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Role, Square};
    /// let mut board = Board::initial();
    /// let taken = board.put(Square::D7, Role::Rook.of(Color::White));
    /// assert_eq!(taken, Some(Role::Pawn.of(Color::Black)));
    /// ```
    pub fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        let before = self.remove(square);
        self.armies[piece.color as usize].toggle(piece.role, square.bitboard().0);
        before
    }

    /// Empties a square and gives back what stood there.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Role, Square};
    /// let mut board = Board::initial();
    /// assert_eq!(board.remove(Square::A1), Some(Role::Rook.of(Color::White)));
    /// assert_eq!(board.remove(Square::A1), None);
    /// ```
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let before = self.piece_at(square)?;
        self.armies[before.color as usize].toggle(before.role, square.bitboard().0);
        Some(before)
    }

    /// Moves what stands on one square to another, without asking any rule, and gives back what
    /// stood there. An empty square moves nothing.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Role, Square};
    /// let mut board = Board::initial();
    /// let taken = board.relocate(Square::A1, Square::A8);
    /// assert_eq!(taken, Some(Role::Rook.of(Color::Black)));
    /// ```
    pub fn relocate(&mut self, from: Square, to: Square) -> Option<Piece> {
        if from == to {
            return None;
        }
        let piece = self.remove(from)?;
        self.put(to, piece)
    }

    /// Moves a piece to another square as whoever only has a board does, without asking any rule; a pawn may become
    /// something else there. Gives back what it took.
    ///
    /// # Errors
    /// If nothing stands on the first square; the board is unchanged.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Role, Square};
    /// let mut board = Board::initial();
    /// assert_eq!(board.move_piece(Square::E2, Square::E4, None), Ok(None));
    /// let error = board.move_piece(Square::E2, Square::E4, None).unwrap_err();
    /// assert_eq!(error.to_string(), "Cannot move empty square. (ID: 0)");
    /// board.move_piece(Square::E4, Square::E8, Some(Role::Queen))?;
    /// assert_eq!(board.piece_at(Square::E8).unwrap().to_string(), "white queen");
    /// # Ok::<(), tabiya_chess::EmptySquareError>(())
    /// ```
    pub fn move_piece(
        &mut self,
        from: Square,
        to: Square,
        becomes: Option<Role>,
    ) -> Result<Option<Piece>, EmptySquareError> {
        let piece = self.piece_at(from).ok_or(EmptySquareError)?;
        let taken = self.relocate(from, to);
        if let Some(role) = becomes {
            self.put(to, role.of(piece.color));
        }
        Ok(taken)
    }

    /// The pieces of a colour that attack a square, with the given squares as blockers.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Square};
    /// let board = Board::initial();
    /// let defenders = board.attackers(Square::F3, Color::White, board.occupied());
    /// assert_eq!(defenders, Square::G1.bitboard() | Square::E2 | Square::G2);
    /// ```
    pub fn attackers(&self, square: Square, by: Color, blockers: Bitboard) -> Bitboard {
        let army = self.army(by);
        (attacks::pawn(!by, square) & Bitboard(army.pawns))
            | (attacks::knight(square) & Bitboard(army.knights))
            | (attacks::king(square) & Bitboard(army.kings))
            | (attacks::bishop(square, blockers) & Bitboard(army.diagonals))
            | (attacks::rook(square, blockers) & Bitboard(army.orthogonals))
    }
}

/// Nothing stands on the square from which a piece was to be moved: its number ([`Piece::id`]) is 0.
///
/// ```
/// assert_eq!(tabiya_chess::EmptySquareError.to_string(), "Cannot move empty square. (ID: 0)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmptySquareError;

impl fmt::Display for EmptySquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cannot move empty square. (ID: 0)")
    }
}

impl core::error::Error for EmptySquareError {}

impl fmt::Display for Board {
    /// The placement field of a FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..8).rev() {
            let mut empty = 0;
            for x in 0..8 {
                match self.piece_at(Square::ALL[y * 8 + x]) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{}", piece.letter())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if y > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
