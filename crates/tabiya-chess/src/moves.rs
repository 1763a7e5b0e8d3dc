use core::fmt;
use core::num::NonZeroU16;

use crate::{Bitboard, File, Role, Square};

/// What is special about a move.
///
/// ```
/// use tabiya_chess::{MoveKind, Position};
///
/// let position: Position = "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
/// let kinds = position.legal_moves().iter().map(|m| m.kind()).collect::<Vec<_>>();
/// assert!(kinds.contains(&MoveKind::Castle) && kinds.contains(&MoveKind::Promotion));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// A piece goes from one square to another and takes what stands there.
    Normal,
    /// A pawn reaches the last rank and becomes another piece.
    Promotion,
    /// A pawn takes a pawn that has just passed it.
    EnPassant,
    /// King and rook move together.
    Castle,
}

/// A move in two bytes: where from, where to, and what is special about it.
///
/// Which piece moves and what it takes is the position's knowledge. There is no null move:
/// use `Option<Move>`, which is no larger.
///
/// ```
/// use tabiya_chess::{Move, Position, Square};
///
/// let start = Position::initial();
/// let e4 = start.parse_uci("e2e4").unwrap();
/// assert_eq!((e4.from(), e4.to()), (Square::E2, Square::E4));
/// assert_eq!(e4.to_string(), "e2 -> e4");
/// assert_eq!(size_of::<Option<Move>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

// Bits: 0..6 from, 6..12 to (the rook's square when castling), 12..14 promotion role, 14..16
// kind. From and to are never both a1, so the number is never 0.
impl Move {
    #[inline]
    const fn encode(from: Square, to: Square, kind: MoveKind, promotion: u16) -> Move {
        let bits = from as u16 | (to as u16) << 6 | promotion << 12 | (kind as u16) << 14;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move goes from one square to another"),
        }
    }

    /// A move from one square to another that is nothing special.
    ///
    /// # Panics
    /// If both squares are a1.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// assert_eq!(Move::normal(Square::G1, Square::F3).to(), Square::F3);
    /// ```
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::encode(from, to, MoveKind::Normal, 0)
    }

    /// A pawn's move to the last rank. None if a pawn cannot become that piece.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Role, Square};
    /// let m = Move::promotion(Square::A7, Square::A8, Role::Queen).unwrap();
    /// assert_eq!(m.promotes_to(), Some(Role::Queen));
    /// assert_eq!(Move::promotion(Square::A7, Square::A8, Role::King), None);
    /// ```
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Option<Move> {
        match role {
            Role::Pawn | Role::King => None,
            _ => Some(Move::encode(from, to, MoveKind::Promotion, role as u16 - 1)),
        }
    }

    /// A pawn takes en passant, going to the square the other pawn has passed over.
    ///
    /// ```
    /// # use tabiya_chess::{Move, MoveKind, Square};
    /// assert_eq!(Move::en_passant(Square::E5, Square::D6).kind(), MoveKind::EnPassant);
    /// ```
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::encode(from, to, MoveKind::EnPassant, 0)
    }

    /// The king castles with the rook on that square.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// let m = Move::castle(Square::E1, Square::H1);
    /// assert_eq!((m.to(), m.castling_rook()), (Square::G1, Some(Square::H1)));
    /// ```
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move::encode(king, rook, MoveKind::Castle, 0)
    }

    /// The 16 bits of the move, for tables and files. Never 0.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// let m = Move::normal(Square::E2, Square::E4);
    /// assert_eq!(Move::from_bits(m.bits()), Some(m));
    /// ```
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with the bits, if a move can have them. Whether it is legal only a position
    /// knows: see [`Position::is_legal`](crate::Position::is_legal).
    ///
    /// ```
    /// # use tabiya_chess::Move;
    /// assert_eq!(Move::from_bits(0), None);
    /// ```
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(number) => {
                let m = Move(number);
                let promotes = matches!(m.kind(), MoveKind::Promotion);
                let stands = bits & 63 == bits >> 6 & 63;
                if stands || (!promotes && bits >> 12 & 3 != 0) { None } else { Some(m) }
            }
            None => None,
        }
    }

    /// Where the piece comes from.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// assert_eq!(Move::normal(Square::E2, Square::E4).from(), Square::E2);
    /// ```
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.origin_bits())
    }

    /// Where the piece goes. For castling: where the king goes, the g-file or the c-file.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// assert_eq!(Move::castle(Square::E8, Square::A8).to(), Square::C8);
    /// ```
    #[inline]
    pub const fn to(self) -> Square {
        let to = Square::from_low_bits(self.target_bits());
        match self.kind() {
            MoveKind::Castle => {
                let file = if self.target_bits() > self.origin_bits() { File::G } else { File::C };
                Square::new(file, to.rank())
            }
            _ => to,
        }
    }

    #[inline]
    pub(crate) const fn origin_bits(self) -> u32 {
        self.bits() as u32 & 63
    }

    /// The second square as it is stored: the rook's when castling.
    #[inline]
    pub(crate) const fn target_bits(self) -> u32 {
        self.bits() as u32 >> 6 & 63
    }

    /// What is special about it.
    ///
    /// ```
    /// # use tabiya_chess::{Move, MoveKind, Square};
    /// assert_eq!(Move::normal(Square::E2, Square::E4).kind(), MoveKind::Normal);
    /// ```
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castle,
        }
    }

    /// What the pawn becomes, if the move is a promotion.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Role, Square};
    /// let m = Move::promotion(Square::B2, Square::A1, Role::Knight).unwrap();
    /// assert_eq!(m.promotes_to(), Some(Role::Knight));
    /// ```
    #[inline]
    pub const fn promotes_to(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion => Some(Role::ALL[(self.bits() >> 12 & 3) as usize + 1]),
            _ => None,
        }
    }

    /// The square of the rook that castles along.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// assert_eq!(Move::castle(Square::E1, Square::A1).castling_rook(), Some(Square::A1));
    /// assert_eq!(Move::normal(Square::E1, Square::E2).castling_rook(), None);
    /// ```
    #[inline]
    pub const fn castling_rook(self) -> Option<Square> {
        match self.kind() {
            MoveKind::Castle => Some(Square::from_low_bits(self.target_bits())),
            _ => None,
        }
    }

    /// Columns and rows counted from 0, as `4 1 to 4 3`.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Square};
    /// assert_eq!(Move::normal(Square::E2, Square::E4).coordinates(), "4 1 to 4 3");
    /// ```
    pub fn coordinates(self) -> String {
        let (from, to) = (self.from(), self.to());
        format!(
            "{} {} to {} {}",
            from.file().index(),
            from.rank().index(),
            to.file().index(),
            to.rank().index()
        )
    }
}

impl fmt::Display for Move {
    /// `e2 -> e4`; a promotion adds `=Q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from(), self.to())?;
        match self.promotes_to() {
            Some(role) => write!(f, "={}", role.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self}")?;
        match self.kind() {
            MoveKind::Normal | MoveKind::Promotion => f.write_str(")"),
            kind => write!(f, ", {kind:?})"),
        }
    }
}

/// The moves of a position, on the stack. It reads like a slice.
///
/// ```
/// use tabiya_chess::Position;
///
/// let moves = Position::initial().legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.iter().any(|m| m.to_string() == "g1 -> f3"));
/// ```
#[derive(Clone)]
pub struct MoveList {
    // No position of a game has more than 218 moves, and none that passes validation, which keeps to
    // the material of a game, comes near 256. A `u8` can index it all.
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    const CAPACITY: usize = 256;

    /// An empty list.
    ///
    /// ```
    /// # use tabiya_chess::MoveList;
    /// assert!(MoveList::new().is_empty());
    /// ```
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move(NonZeroU16::MAX); MoveList::CAPACITY], len: 0 }
    }

    /// Adds a move at the end. There is room for 256.
    ///
    /// ```
    /// # use tabiya_chess::{Move, MoveList, Square};
    /// let mut moves = MoveList::new();
    /// moves.push(Move::normal(Square::E2, Square::E4));
    /// assert_eq!(moves.len(), 1);
    /// ```
    #[inline]
    pub fn push(&mut self, m: Move) {
        debug_assert!(self.len < MoveList::CAPACITY);
        self.moves[self.len as u8 as usize] = m;
        self.len += 1;
    }

    /// Pushes a normal move to each square of the set.
    #[inline]
    pub(crate) fn push_all(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }

    /// Keeps the moves for which the question is answered with yes.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let mut moves = Position::initial().legal_moves();
    /// moves.retain(|m| m.from() == Square::G1);
    /// assert_eq!(moves.len(), 2);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            if keep(self.moves[i]) {
                self.moves[kept] = self.moves[i];
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl core::ops::Deref for MoveList {
    type Target = [Move];
    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len.min(MoveList::CAPACITY)]
    }
}

impl core::ops::DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len.min(MoveList::CAPACITY)]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The moves of a [`MoveList`] by value.
///
/// ```
/// # use tabiya_chess::Position;
/// let moves: Vec<_> = Position::initial().legal_moves().into_iter().collect();
/// assert_eq!(moves.len(), 20);
/// ```
#[derive(Clone, Debug)]
pub struct MoveIter {
    list: MoveList,
    next: usize,
}

impl Iterator for MoveIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let m = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(m)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for MoveIter {}
impl core::iter::FusedIterator for MoveIter {}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveIter;
    #[inline]
    fn into_iter(self) -> MoveIter {
        MoveIter { list: self, next: 0 }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
