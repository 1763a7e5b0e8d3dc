//! The legal move generator: one function, told at compile time whose move it is, with a visitor
//! that lists the moves, counts them, or plays them.
//!
//! Only legal moves are ever produced. Before any piece is looked at, three sets are known:
//!
//! - the **check mask**: where a move must end to answer a check (everywhere if there is none, and
//!   nowhere but with the king in double check);
//! - the **straight pins** and the **diagonal pins**: the lines from the king to the pinning
//!   pieces. A piece on such a line stays on it.
//!
//! Everything else is set arithmetic.

use core::num::NonZeroU64;

use crate::attacks::{DIAGONAL, KING, KNIGHT, PATH, PAWN, STRAIGHT};
use crate::board::{Army, Board};
use crate::machine::Machine;
use crate::{Color, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The side to move, as a type, so that the compiler writes one generator for each.
pub(crate) trait Side {
    type Other: Side;
    const COLOR: Color;
    const WHITE: bool = matches!(Self::COLOR, Color::White);
    /// The rank from which pawns promote, and the rank where a first single step ends.
    const SEVENTH: u64 = if Self::WHITE { 0xFF << 48 } else { 0xFF << 8 };
    const THIRD: u64 = if Self::WHITE { 0xFF << 16 } else { 0xFF << 40 };
    /// How far to shift the first rank to get this side's back rank.
    const HOME: u32 = if Self::WHITE { 0 } else { 56 };
    /// What to add to the target of a pawn's step or capture to get its origin.
    const STEP_BACK: i32 = if Self::WHITE { -8 } else { 8 };
    const WEST_BACK: i32 = if Self::WHITE { -7 } else { 9 };
    const EAST_BACK: i32 = if Self::WHITE { -9 } else { 7 };

    #[inline(always)]
    fn forward(set: u64) -> u64 {
        if Self::WHITE { set << 8 } else { set >> 8 }
    }

    /// Captures towards the a-file.
    #[inline(always)]
    fn west(set: u64) -> u64 {
        if Self::WHITE { (set & !FILE_A) << 7 } else { (set & !FILE_A) >> 9 }
    }

    /// Captures towards the h-file.
    #[inline(always)]
    fn east(set: u64) -> u64 {
        if Self::WHITE { (set & !FILE_H) << 9 } else { (set & !FILE_H) >> 7 }
    }

    #[inline(always)]
    fn own(board: &Board) -> &Army {
        board.army(Self::COLOR)
    }

    #[inline(always)]
    fn enemy(board: &Board) -> &Army {
        board.army(Self::COLOR.other())
    }
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

/// Calls `visit` with the index of each square of a set.
#[inline(always)]
pub(crate) fn each(mut set: u64, mut visit: impl FnMut(usize)) {
    while let Some(bits) = NonZeroU64::new(set) {
        visit(bits.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// The index of the one square of a set.
#[inline(always)]
fn only(set: u64) -> usize {
    set.trailing_zeros() as usize & 63
}

/// Told of all legal moves. Targets come as sets, pieces of a kind one after the other.
pub(crate) trait Visitor<S: Side> {
    /// Whether the case of no check and no pin is worth code of its own.
    const SPLIT: bool = false;
    fn king(&mut self, from: usize, targets: u64);
    fn knight(&mut self, from: usize, targets: u64);
    /// Moves of a bishop, or the diagonal moves of a queen.
    fn diagonal(&mut self, from: usize, targets: u64);
    /// Moves of a rook, or the straight moves of a queen.
    fn orthogonal(&mut self, from: usize, targets: u64);
    /// Pawn moves by their targets: one step, two steps, captures to either side.
    fn pawns(&mut self, steps: u64, leaps: u64, west: u64, east: u64);
    fn promotions(&mut self, steps: u64, west: u64, east: u64);
    fn en_passant(&mut self, from: usize, to: usize);
    fn castle(&mut self, king: usize, rook: usize);
}

/// Which of the legal moves are wanted.
pub(crate) trait Scope: Copy {
    /// Captures, en passant and all promotions.
    const TACTICAL: bool;
    /// All other moves.
    const QUIET: bool;
    /// The pieces whose moves are wanted.
    #[inline(always)]
    fn pieces(self) -> u64 {
        !0
    }
}

/// All legal moves.
#[derive(Clone, Copy)]
pub(crate) struct Every;

/// The legal moves of some pieces.
#[derive(Clone, Copy)]
pub(crate) struct Of(pub(crate) u64);

/// Captures and promotions.
#[derive(Clone, Copy)]
pub(crate) struct Tactical;

/// Neither capture nor promotion.
#[derive(Clone, Copy)]
pub(crate) struct Quiet;

impl Scope for Every {
    const TACTICAL: bool = true;
    const QUIET: bool = true;
}

impl Scope for Of {
    const TACTICAL: bool = true;
    const QUIET: bool = true;
    #[inline(always)]
    fn pieces(self) -> u64 {
        self.0
    }
}

impl Scope for Tactical {
    const TACTICAL: bool = true;
    const QUIET: bool = false;
}

impl Scope for Quiet {
    const TACTICAL: bool = false;
    const QUIET: bool = true;
}

/// How castling works here: which rooks may, and from where. A king in check is never asked.
pub(crate) trait Castling: Copy {
    /// The squares that must not be attacked, for the castling moves whose path is free.
    fn walk<S: Side>(self, king: usize, occupied: u64) -> u64;
    /// Visits the castling moves, given the walk and which squares of it are attacked.
    fn visit<S: Side>(
        self,
        machine: impl Machine,
        board: &Board,
        king: usize,
        walk: u64,
        attacked: u64,
        visitor: &mut impl Visitor<S>,
    );
}

/// King on the e-file, rooks in the corners. Holds the squares over which the king may still walk
/// to castle, for the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Orthodox(u64);

const KING_SIDE_WALK: u8 = 0b0110_0000;
const QUEEN_SIDE_WALK: u8 = 0b0000_1100;

/// For each occupation of the back rank, the walks whose path between king and rook is free.
static FREE_WALKS: [u8; 256] = {
    let mut table = [0; 256];
    let mut rank = 0;
    while rank < 256 {
        if rank & 0b0110_0000 == 0 {
            table[rank] |= KING_SIDE_WALK;
        }
        if rank & 0b0000_1110 == 0 {
            table[rank] |= QUEEN_SIDE_WALK;
        }
        rank += 1;
    }
    table
};

impl Orthodox {
    /// Whether these rooks of the side to move are in the corners and its king on the e-file.
    #[inline(always)]
    pub(crate) fn describes<S: Side>(rooks: u64, board: &Board) -> bool {
        rooks & !(0x81 << S::HOME) == 0 && S::own(board).kings == 0x10 << S::HOME
    }

    /// From the rooks that may castle, of both colours.
    #[inline(always)]
    pub(crate) fn from_rooks<S: Side>(rooks: u64) -> Orthodox {
        let mut walks = 0;
        if rooks >> S::HOME & 1 << 7 != 0 {
            walks |= KING_SIDE_WALK;
        }
        if rooks >> S::HOME & 1 != 0 {
            walks |= QUEEN_SIDE_WALK;
        }
        Orthodox(u64::from(walks) << S::HOME)
    }
}

impl Castling for Orthodox {
    #[inline(always)]
    fn walk<S: Side>(self, _king: usize, occupied: u64) -> u64 {
        let rank = (occupied >> S::HOME) as u8;
        u64::from(FREE_WALKS[usize::from(rank)]) << S::HOME & self.0
    }

    #[inline(always)]
    fn visit<S: Side>(
        self,
        _machine: impl Machine,
        _board: &Board,
        king: usize,
        walk: u64,
        attacked: u64,
        visitor: &mut impl Visitor<S>,
    ) {
        let safe = ((walk & !attacked) >> S::HOME) as u8;
        let home = S::HOME as usize;
        if safe & KING_SIDE_WALK == KING_SIDE_WALK {
            visitor.castle(king, home + 7);
        }
        if safe & QUEEN_SIDE_WALK == QUEEN_SIDE_WALK {
            visitor.castle(king, home);
        }
    }
}

/// Chess960: king and rooks anywhere on the back rank. Standard chess is a case of it.
#[derive(Clone, Copy)]
pub(crate) struct AnyFiles(pub(crate) u64);

impl AnyFiles {
    /// Where king and rook end.
    #[inline(always)]
    fn targets<S: Side>(king: usize, rook: usize) -> (usize, usize) {
        let home = S::HOME as usize;
        if rook > king { (home + 6, home + 5) } else { (home + 2, home + 3) }
    }
}

impl Castling for AnyFiles {
    #[inline(always)]
    fn walk<S: Side>(self, king: usize, occupied: u64) -> u64 {
        let mut walk = 0;
        each(self.0 & 0xFF << S::HOME, |rook| {
            let (king_to, rook_to) = AnyFiles::targets::<S>(king, rook);
            let path = PATH[king][king_to] | PATH[rook][rook_to];
            if path & occupied & !(1 << king | 1 << rook) == 0 {
                // The target as well: a king that stands on it already walks nowhere.
                walk |= PATH[king][king_to] | 1 << king_to;
            }
        });
        walk
    }

    #[inline(always)]
    fn visit<S: Side>(
        self,
        machine: impl Machine,
        board: &Board,
        king: usize,
        _walk: u64,
        attacked: u64,
        visitor: &mut impl Visitor<S>,
    ) {
        each(self.0 & 0xFF << S::HOME, |rook| {
            let (king_to, rook_to) = AnyFiles::targets::<S>(king, rook);
            let walk = PATH[king][king_to];
            let others = board.occupied().0 & !(1 << king | 1 << rook);
            // The rook may have shielded the king's new square from a slider on the back rank.
            let shielded = machine.rook(king_to, others | 1 << rook_to)
                & S::enemy(board).orthogonals
                & 0xFF << S::HOME;
            let blocked = (walk | PATH[rook][rook_to]) & others;
            if blocked | walk & attacked | shielded == 0 {
                visitor.castle(king, rook);
            }
        });
    }
}

/// Castling is out of the question.
#[derive(Clone, Copy)]
pub(crate) struct NoCastling;

impl Castling for NoCastling {
    #[inline(always)]
    fn walk<S: Side>(self, _king: usize, _occupied: u64) -> u64 {
        0
    }
    #[inline(always)]
    fn visit<S: Side>(
        self,
        _: impl Machine,
        _: &Board,
        _: usize,
        _: u64,
        _: u64,
        _: &mut impl Visitor<S>,
    ) {
    }
}

/// Those of the squares that an army attacks, given the squares that block lines. The cheap pieces
/// first: they often leave nothing to ask of the sliders.
#[inline(always)]
fn attacked_among<S: Side>(machine: impl Machine, squares: u64, army: &Army, blockers: u64) -> u64 {
    let mut attacked = S::west(army.pawns) | S::east(army.pawns);
    attacked |= KING[only(army.kings)];
    each(army.knights, |from| attacked |= KNIGHT[from]);
    let left = squares & !attacked;
    if left & left.wrapping_sub(1) == 0 {
        // One square (or none): look from there.
        each(left, |square| {
            let attackers = machine.bishop(square, blockers) & army.diagonals
                | machine.rook(square, blockers) & army.orthogonals;
            if attackers != 0 {
                attacked |= left;
            }
        });
    } else {
        each(army.diagonals, |from| attacked |= machine.bishop(from, blockers));
        each(army.orthogonals, |from| attacked |= machine.rook(from, blockers));
    }
    attacked & squares
}

/// Visits the legal moves. `S` is the side to move; the board has exactly one king a side and the
/// enemy king is not in check.
#[inline(always)]
pub(crate) fn visit_moves<M: Machine, S: Side, C: Castling, W: Scope, V: Visitor<S>>(
    machine: M,
    board: &Board,
    castling: C,
    en_passant: Option<Square>,
    scope: W,
    visitor: &mut V,
) {
    let own = S::own(board);
    let enemy = S::enemy(board);
    let occupied = own.all | enemy.all;
    let pieces = scope.pieces();
    let king = only(own.kings);

    // 1. Checks and pins. Sliders count only if they stand on an empty-board line of the king.
    let leapers = KNIGHT[king] & enemy.knights | PAWN[S::COLOR as usize][king] & enemy.pawns;
    let mut check_mask = !0;
    if leapers != 0 {
        core::hint::cold_path();
        // Two at once: no game has it, but a position may.
        check_mask = if leapers & (leapers - 1) == 0 { leapers } else { 0 };
    }
    let mut straight_pins = 0;
    let mut diagonal_pins = 0;
    each(STRAIGHT[king] & enemy.orthogonals, |sniper| {
        line_to_king(PATH[king][sniper], occupied, &mut check_mask, &mut straight_pins);
    });
    each(DIAGONAL[king] & enemy.diagonals, |sniper| {
        line_to_king(PATH[king][sniper], occupied, &mut check_mask, &mut diagonal_pins);
    });

    let wanted = match (W::TACTICAL, W::QUIET) {
        (true, true) => !own.all,
        (true, false) => enemy.all,
        _ => !occupied,
    };

    // 2. The king: where it would go, then whether it may.
    if pieces & own.kings != 0 {
        let steps = KING[king] & wanted;
        let walk =
            if W::QUIET && check_mask == !0 { castling.walk::<S>(king, occupied) } else { 0 };
        if steps | walk != 0 {
            let attacked =
                attacked_among::<S::Other>(machine, steps | walk, enemy, occupied ^ own.kings);
            visitor.king(king, steps & !attacked);
            if walk != 0 {
                castling.visit::<S>(machine, board, king, walk, attacked, visitor);
            }
        }
    }
    if check_mask == 0 {
        return; // double check
    }

    // 3. Everything else.
    let en_passant = if W::TACTICAL { en_passant } else { None };
    if V::SPLIT && check_mask == !0 && straight_pins | diagonal_pins == 0 {
        visit_pieces::<M, S, W, V>(machine, own, enemy, pieces, wanted, !0, 0, 0, visitor);
    } else {
        visit_pieces::<M, S, W, V>(
            machine,
            own,
            enemy,
            pieces,
            wanted,
            check_mask,
            straight_pins,
            diagonal_pins,
            visitor,
        );
    }

    // 4. En passant is rare and full of traps (two pawns leave one rank at once), so it is simply
    // tried: would the king be attacked on the board after it?
    if let Some(to) = en_passant {
        let to = to.index();
        let captured = 1 << (to as i32 + S::STEP_BACK);
        each(PAWN[S::COLOR.other() as usize][to] & own.pawns & pieces, |from| {
            let after = occupied ^ captured ^ 1 << from | 1 << to;
            let attacked = machine.rook(king, after) & enemy.orthogonals
                | machine.bishop(king, after) & enemy.diagonals
                | leapers & !captured;
            if attacked == 0 {
                visitor.en_passant(from, to);
            }
        });
    }
}

/// Visits the moves of all pieces but the king.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn visit_pieces<M: Machine, S: Side, W: Scope, V: Visitor<S>>(
    machine: M,
    own: &Army,
    enemy: &Army,
    pieces: u64,
    wanted: u64,
    check_mask: u64,
    straight_pins: u64,
    diagonal_pins: u64,
    visitor: &mut V,
) {
    let occupied = own.all | enemy.all;
    let targets = wanted & check_mask;
    let pins = straight_pins | diagonal_pins;

    // Knights and sliders. A pinned knight cannot move at all.
    each(own.knights & !pins & pieces, |from| visitor.knight(from, KNIGHT[from] & targets));
    let diagonals = own.diagonals & !straight_pins & pieces;
    each(diagonals & !diagonal_pins, |from| {
        visitor.diagonal(from, machine.bishop(from, occupied) & targets);
    });
    let orthogonals = own.orthogonals & !diagonal_pins & pieces;
    each(orthogonals & !straight_pins, |from| {
        visitor.orthogonal(from, machine.rook(from, occupied) & targets);
    });
    if pins != 0 {
        each(diagonals & diagonal_pins, |from| {
            visitor.diagonal(from, machine.bishop(from, occupied) & targets & diagonal_pins);
        });
        each(orthogonals & straight_pins, |from| {
            visitor.orthogonal(from, machine.rook(from, occupied) & targets & straight_pins);
        });
    }

    // Pawns, all at once. Steps stay on straight pins, captures on diagonal ones.
    let pawns = own.pawns & pieces;
    let (mut steps, mut west, mut east);
    if pawns & pins == 0 {
        steps = S::forward(pawns);
        west = S::west(pawns);
        east = S::east(pawns);
    } else {
        let steppers = pawns & !diagonal_pins;
        let takers = pawns & !straight_pins;
        let (free_takers, pinned_takers) = (takers & !diagonal_pins, takers & diagonal_pins);
        steps = S::forward(steppers & !straight_pins)
            | S::forward(steppers & straight_pins) & straight_pins;
        west = S::west(free_takers) | S::west(pinned_takers) & diagonal_pins;
        east = S::east(free_takers) | S::east(pinned_takers) & diagonal_pins;
    }
    steps &= !occupied;
    let leaps = S::forward(steps & S::THIRD) & !occupied & check_mask;
    steps &= check_mask;
    west &= enemy.all & check_mask;
    east &= enemy.all & check_mask;
    if pawns & S::SEVENTH != 0 {
        let last = S::forward(S::SEVENTH);
        if W::TACTICAL {
            visitor.promotions(steps & last, west & last, east & last);
        }
        steps &= !last;
        west &= !last;
        east &= !last;
    }
    match (W::TACTICAL, W::QUIET) {
        (true, true) => visitor.pawns(steps, leaps, west, east),
        (true, false) => visitor.pawns(0, 0, west, east),
        _ => visitor.pawns(steps, leaps, 0, 0),
    }
}

/// What an enemy slider on one of the king's lines does, by the number of pieces on the line, itself
/// included: alone it gives check; with one piece before it, that piece may be pinned (if it is the
/// enemy's own, the "pin" binds nobody).
#[inline(always)]
fn line_to_king(path: u64, occupied: u64, check_mask: &mut u64, pins: &mut u64) {
    match (path & occupied).count_ones() {
        1 => *check_mask &= path,
        2 => *pins |= path,
        _ => {}
    }
}
