//! What a game leaves behind, by which searches pass over it.

use tabiya_chess::{Bitboard, Board, Color, Piece, Position, Rank, Role};

const COUNTED: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// What is left at the end of a game, and where pawns have stood in it: enough to know of most games that a
/// position, a pattern or a material never came about.
///
/// ```
/// use tabiya_db::records;
///
/// let (games, _) = records("1. e4 d5 2. exd5 Qxd5 *");
/// let signature = games[0].signature;
/// assert_eq!(signature.material_text(), "KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPP");
/// assert!(!signature.stood_home(tabiya_chess::Square::E2));
/// assert!(signature.white_pawns & tabiya_chess::Square::D5.bitboard().0 != 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    /// What is left on the board: four bits for each count, White's pawns, knights, bishops, rooks and
    /// queens from the lowest, then Black's.
    pub final_material: u64,
    /// The pawns that never moved nor were taken: a bit for a2 to h2, then a7 to h7.
    pub home_pawns: u16,
    /// The squares on which White's pawns have stood, a1 the lowest bit.
    pub white_pawns: u64,
    /// The squares on which Black's pawns have stood.
    pub black_pawns: u64,
}

impl Signature {
    /// The game has come to this position.
    pub(crate) fn see(&mut self, board: &Board) {
        self.white_pawns |= board.pieces(Role::Pawn.of(Color::White)).0;
        self.black_pawns |= board.pieces(Role::Pawn.of(Color::Black)).0;
    }

    /// The game ends here.
    pub(crate) fn end(&mut self, position: &Position) {
        let board = position.board();
        self.final_material = material(board);
        self.home_pawns = home_pawns(board);
    }

    /// Whether the pawn of a square of the second or seventh rank was there all the time.
    pub fn stood_home(&self, square: tabiya_chess::Square) -> bool {
        let bit = match square.rank() {
            tabiya_chess::Rank::Second => square.file().index(),
            tabiya_chess::Rank::Seventh => 8 + square.file().index(),
            _ => return false,
        };
        self.home_pawns >> bit & 1 == 1
    }

    /// The material at the end in letters.
    pub fn material_text(&self) -> String {
        let side = |shift: u32| {
            let mut text = "K".to_owned();
            for (at, role) in COUNTED.iter().enumerate().rev() {
                let count = self.final_material >> (shift + 4 * at as u32) & 15;
                let letter = if *role == Role::Pawn { 'P' } else { role.letter() };
                text.extend((0..count).map(|_| letter));
            }
            text
        };
        format!("{}v{}", side(0), side(20))
    }

    /// How many men of a side are left: pawns, knights, bishops, rooks, queens.
    pub(crate) fn men(&self, color: Color) -> [u32; 5] {
        [0, 1, 2, 3, 4].map(|at| (self.final_material >> (20 * color as u32 + 4 * at) & 15) as u32)
    }

    /// Whether a pawn of a side may have become something else: one has stood a step before the last rank.
    pub(crate) fn may_have_promoted(&self, color: Color) -> bool {
        let pawns = [self.white_pawns, self.black_pawns][color as usize];
        pawns & Bitboard::from(Rank::Seventh.relative_to(color)).0 != 0
    }
}

/// The men on the board, four bits for each count.
pub(crate) fn material(board: &Board) -> u64 {
    // A side has fifteen men beside its king.
    board.iter().map(|placed| one_man(placed.piece)).sum()
}

/// What a man adds to the counts; a king is not counted.
#[inline]
pub(crate) fn one_man(piece: Piece) -> u64 {
    match piece.role {
        Role::King => 0,
        // Roles are numbered as they are counted here.
        role => 1 << (20 * piece.color as u32 + 4 * role as u32),
    }
}

/// The pawns that stand where they begin.
pub(crate) fn home_pawns(board: &Board) -> u16 {
    let white = board.pieces(Role::Pawn.of(Color::White)).0 >> 8 & 0xff;
    let black = board.pieces(Role::Pawn.of(Color::Black)).0 >> 48 & 0xff;
    (white | black << 8) as u16
}
