//! Which squares a piece attacks, and the lines between squares.
//!
//! ```
//! use tabiya_chess::{attacks, bitboard, Bitboard, Square};
//!
//! let blockers = Square::D6.bitboard() | Square::F4;
//! assert_eq!(
//!     attacks::rook(Square::D4, blockers),
//!     bitboard! {
//!         . . . . . . . .
//!         . . . . . . . .
//!         . . . X . . . .
//!         . . . X . . . .
//!         X X X . X X . .
//!         . . . X . . . .
//!         . . . X . . . .
//!         . . . X . . . .
//!     }
//! );
//! ```

use crate::{Bitboard, Color, Piece, Role, Square, sliders};

const fn leaps(square: usize, steps: &[(i8, i8)]) -> u64 {
    let mut set = 0;
    let mut i = 0;
    while i < steps.len() {
        if let Some(to) = Square::ALL[square].offset(steps[i].0, steps[i].1) {
            set |= 1 << to as u8;
        }
        i += 1;
    }
    set
}

const fn leap_table(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = leaps(square, steps);
        square += 1;
    }
    table
}

pub(crate) static KNIGHT: [u64; 64] = leap_table(Role::Knight.offsets());
pub(crate) static KING: [u64; 64] = leap_table(Role::King.offsets());
pub(crate) static PAWN: [[u64; 64]; 2] =
    [leap_table(&[(-1, 1), (1, 1)]), leap_table(&[(-1, -1), (1, -1)])];

/// All squares on the rank and file of a square (on an empty board), and on its diagonals.
pub(crate) static STRAIGHT: [u64; 64] = empty_board_rays(false);
pub(crate) static DIAGONAL: [u64; 64] = empty_board_rays(true);

const fn empty_board_rays(diagonal: bool) -> [u64; 64] {
    let mut table = [0; 64];
    let mut a = 0usize;
    while a < 64 {
        let mut b = 0usize;
        while b < 64 {
            let (files, ranks) = ((a & 7).abs_diff(b & 7), (a >> 3).abs_diff(b >> 3));
            let aligned = if diagonal { files == ranks } else { files == 0 || ranks == 0 };
            if a != b && aligned {
                table[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

/// `PATH[a][b]`: the squares after a up to and including b on a straight or diagonal line, none if
/// the two are not on one.
pub(crate) static PATH: [[u64; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let steps = Role::Queen.offsets();
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < steps.len() {
            let mut path = 0;
            let mut at = Square::ALL[a];
            while let Some(next) = at.offset(steps[i].0, steps[i].1) {
                at = next;
                path |= 1 << at as u8;
                table[a][at as usize] = path;
            }
            i += 1;
        }
        a += 1;
    }
    table
};

/// The squares a knight attacks.
///
/// ```
/// # use tabiya_chess::{attacks, Square};
/// assert_eq!(attacks::knight(Square::A1), Square::B3.bitboard() | Square::C2);
/// ```
#[inline]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// The squares a king attacks.
///
/// ```
/// # use tabiya_chess::{attacks, Square};
/// assert_eq!(attacks::king(Square::E4).len(), 8);
/// ```
#[inline]
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// The squares a pawn attacks (not those it steps to).
///
/// ```
/// # use tabiya_chess::{attacks, Color, Square};
/// assert_eq!(attacks::pawn(Color::White, Square::A2), Square::B3.bitboard());
/// ```
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color as usize][square.index()])
}

/// The squares a bishop attacks, as far as the blockers let it see; the blockers are included.
///
/// ```
/// # use tabiya_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::bishop(Square::A1, Square::C3.bitboard()), Square::B2.bitboard() | Square::C3);
/// ```
#[inline]
pub fn bishop(square: Square, blockers: Bitboard) -> Bitboard {
    Bitboard(sliders::bishop(square.index(), blockers.0))
}

/// The squares a rook attacks, as far as the blockers let it see; the blockers are included.
///
/// ```
/// # use tabiya_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::rook(Square::A1, Bitboard::EMPTY).len(), 14);
/// ```
#[inline]
pub fn rook(square: Square, blockers: Bitboard) -> Bitboard {
    Bitboard(sliders::rook(square.index(), blockers.0))
}

/// The squares a queen attacks: a rook's and a bishop's.
///
/// ```
/// # use tabiya_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::queen(Square::D4, Bitboard::EMPTY).len(), 27);
/// ```
#[inline]
pub fn queen(square: Square, blockers: Bitboard) -> Bitboard {
    rook(square, blockers) | bishop(square, blockers)
}

/// The squares any piece attacks from a square.
///
/// ```
/// # use tabiya_chess::{attacks, Bitboard, Color, Role, Square};
/// let rook = Role::Rook.of(Color::Black);
/// assert_eq!(
///     attacks::piece(rook, Square::D4, Bitboard::EMPTY),
///     attacks::rook(Square::D4, Bitboard::EMPTY)
/// );
/// ```
pub fn piece(piece: Piece, square: Square, blockers: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => pawn(piece.color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, blockers),
        Role::Rook => rook(square, blockers),
        Role::Queen => queen(square, blockers),
        Role::King => king(square),
    }
}

/// The squares strictly between two squares of a rank, file or diagonal; none for others.
///
/// ```
/// # use tabiya_chess::{attacks, Bitboard, Square};
/// assert_eq!(attacks::between(Square::E1, Square::E4), Square::E2.bitboard() | Square::E3);
/// assert_eq!(attacks::between(Square::E1, Square::F3), Bitboard::EMPTY);
/// ```
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(PATH[a.index()][b.index()]) - b
}

/// The whole rank, file or diagonal through two squares, from edge to edge.
///
/// ```
/// # use tabiya_chess::{attacks, Bitboard, File, Square};
/// assert_eq!(attacks::line(Square::E2, Square::E5), Bitboard::from(File::E));
/// assert_eq!(attacks::line(Square::E2, Square::F5), Bitboard::EMPTY);
/// ```
pub fn line(a: Square, b: Square) -> Bitboard {
    match a.direction_to(b) {
        Some(direction) => {
            a.bitboard() | a.ray(direction).chain(a.ray(direction.opposite())).collect::<Bitboard>()
        }
        None => Bitboard::EMPTY,
    }
}
