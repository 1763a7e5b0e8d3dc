//! Legal moves on a few squares: quicker than positions, and independent of them.

use tabiya_chess::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

use crate::layout::{Layout, Squares};

/// One legal move.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// Which piece moves.
    pub(crate) piece: usize,
    pub(crate) to: Square,
    /// Which piece it takes.
    pub(crate) taken: Option<usize>,
    pub(crate) promotes_to: Option<Role>,
    /// Whether a pawn moves.
    pub(crate) by_pawn: bool,
    /// The square a pawn passes over.
    pub(crate) passed: Option<Square>,
}

impl Step {
    /// Whether it leads out of the slice.
    pub(crate) fn leaves_slice(&self) -> bool {
        self.by_pawn || self.taken.is_some()
    }
}

/// Whether a side attacks a square, a piece of it perhaps left out.
#[inline]
pub(crate) fn is_attacked(
    pieces: &[Piece],
    squares: &Squares,
    square: Square,
    by: Color,
    occupied: Bitboard,
    without: Option<usize>,
) -> bool {
    pieces.iter().enumerate().any(|(n, &piece)| {
        piece.color == by
            && Some(n) != without
            && attacks::piece(piece, squares[n], occupied).contains(square)
    })
}

/// Whether the side that is not to move is in check, so that the position cannot be.
#[inline]
pub(crate) fn is_impossible(
    layout: &Layout,
    squares: &Squares,
    turn: Color,
    occupied: Bitboard,
) -> bool {
    is_attacked(&layout.pieces, squares, squares[!turn as usize], turn, occupied, None)
}

pub(crate) fn is_check(layout: &Layout, squares: &Squares, turn: Color) -> bool {
    let king = squares[turn as usize];
    is_attacked(&layout.pieces, squares, king, !turn, layout.occupied(squares), None)
}

/// Calls `visit` with every legal move, en passant left out: tables do not know of it. `only_leaving`: not with those that stay
/// within the slice.
#[inline]
pub(crate) fn each_step(
    layout: &Layout,
    squares: &Squares,
    turn: Color,
    only_leaving: bool,
    mut visit: impl FnMut(Step),
) {
    let pieces = &layout.pieces[..];
    let occupied = layout.occupied(squares);
    let king = squares[turn as usize];
    let in_check = is_attacked(pieces, squares, king, !turn, occupied, None);
    let lines = attacks::queen(king, Bitboard::EMPTY);
    let at = |square: Square| (0..pieces.len()).find(|&n| squares[n] == square);
    for (piece, &Piece { color, role }) in pieces.iter().enumerate() {
        if color != turn {
            continue;
        }
        let from = squares[piece];
        let mut own = Bitboard::EMPTY;
        for (n, other) in pieces.iter().enumerate() {
            if other.color == turn {
                own.insert(squares[n]);
            }
        }
        let mut targets = attacks::piece(role.of(color), from, occupied) - own;
        let mut passing = None;
        if role == Role::Pawn {
            targets &= occupied;
            let up = if color == Color::White { 1 } else { -1 };
            if let Some(one) = from.offset(0, up).filter(|&square| !occupied.contains(square)) {
                targets.insert(one);
                let two = one.offset(0, up).filter(|&square| !occupied.contains(square));
                if from.relative_to(color).rank() == Rank::Second
                    && let Some(two) = two
                {
                    targets.insert(two);
                    passing = Some((two, one));
                }
            }
        } else if only_leaving {
            targets &= occupied;
        }
        // Who is not on a line with the king, and not in check, may go anywhere.
        let is_free = role != Role::King && !in_check && !lines.contains(from);
        for to in targets {
            let taken = if occupied.contains(to) { at(to) } else { None };
            if taken.is_some_and(|taken| pieces[taken].role == Role::King) {
                continue;
            }
            if !is_free {
                let mut after = occupied;
                after.remove(from);
                after.insert(to);
                let king = if role == Role::King { to } else { king };
                if is_attacked(pieces, squares, king, !turn, after, taken) {
                    continue;
                }
            }
            let by_pawn = role == Role::Pawn;
            let passed = passing.filter(|&(two, _)| two == to).map(|(_, one)| one);
            let mut step = Step { piece, to, taken, promotes_to: None, by_pawn, passed };
            if by_pawn && to.relative_to(color).rank() == Rank::Eighth {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    step.promotes_to = Some(role);
                    visit(step);
                }
            } else {
                visit(step);
            }
        }
    }
}

/// The pawns of the side to move that may legally capture a pawn that has just passed over a square.
pub(crate) fn each_en_passant(
    layout: &Layout,
    squares: &Squares,
    turn: Color,
    passed: Square,
    taken: usize,
    mut visit: impl FnMut(Step),
) {
    let pieces = &layout.pieces[..];
    for (piece, &pawn) in pieces.iter().enumerate() {
        let is_beside =
            pawn == Role::Pawn.of(turn) && attacks::pawn(turn, squares[piece]).contains(passed);
        if !is_beside {
            continue;
        }
        let mut occupied = layout.occupied(squares);
        occupied.remove(squares[piece]);
        occupied.remove(squares[taken]);
        occupied.insert(passed);
        let king = squares[turn as usize];
        if !is_attacked(pieces, squares, king, !turn, occupied, Some(taken)) {
            visit(Step {
                piece,
                to: passed,
                taken: Some(taken),
                promotes_to: None,
                by_pawn: true,
                passed: None,
            });
        }
    }
}
