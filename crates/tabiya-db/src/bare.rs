//! Which men stand where, in eight numbers, for searches that play millions of games.

use tabiya_chess::{Bitboard, Board, Color, Piece, Role, Square};

/// Which men stand where: a set of squares for each colour and for each kind of man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bare {
    colors: [u64; 2],
    roles: [u64; 6],
}

impl From<&Board> for Bare {
    fn from(board: &Board) -> Bare {
        Bare {
            colors: Color::ALL.map(|color| board.color(color).0),
            roles: Role::ALL.map(|role| board.role(role).0),
        }
    }
}

impl Bare {
    #[inline]
    pub(crate) fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0] | self.colors[1])
    }

    #[inline]
    pub(crate) fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.colors[color as usize])
    }

    #[inline]
    pub(crate) fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.colors[piece.color as usize] & self.roles[piece.role as usize])
    }

    /// Puts a man on empty squares, or takes it away from where it stands.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, squares: u64) {
        self.colors[piece.color as usize] ^= squares;
        self.roles[piece.role as usize] ^= squares;
    }

    /// Takes away what a side has on a square, and tells what it was.
    #[inline]
    pub(crate) fn take(&mut self, color: Color, square: Square) -> Option<Piece> {
        let bit = square.bitboard().0;
        if self.colors[color as usize] & bit == 0 {
            return None;
        }
        let role = Role::ALL.into_iter().find(|&role| self.roles[role as usize] & bit != 0)?;
        self.toggle(role.of(color), bit);
        Some(role.of(color))
    }
}
