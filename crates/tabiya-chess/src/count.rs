//! Counting moves without listing them, and perft on top of it.
//!
//! The counting path knows whose move it is and who may still castle at compile time; it keeps no
//! key, no clocks and no move list. The last ply is never played: its moves are counted as sets.

use crate::attacks::PAWN;
use crate::board::Board;
use crate::generate::{
    Black, Every, NoCastling, Orthodox, Side, Visitor, White, each, visit_moves,
};
use crate::machine::{Machine, on_this_machine};
use crate::{Color, Position, Square};

/// Adds up the sizes of the target sets.
struct Count(u64);

impl Count {
    #[inline(always)]
    fn add(&mut self, targets: u64) {
        self.0 += u64::from(targets.count_ones());
    }
}

impl<S: Side> Visitor<S> for Count {
    const SPLIT: bool = true;

    #[inline(always)]
    fn king(&mut self, _from: usize, targets: u64) {
        self.add(targets);
    }
    #[inline(always)]
    fn knight(&mut self, _from: usize, targets: u64) {
        self.add(targets);
    }
    #[inline(always)]
    fn diagonal(&mut self, _from: usize, targets: u64) {
        self.add(targets);
    }
    #[inline(always)]
    fn orthogonal(&mut self, _from: usize, targets: u64) {
        self.add(targets);
    }
    /// Steps end on empty squares and captures on others, so two of the sets can share a count.
    #[inline(always)]
    fn pawns(&mut self, steps: u64, leaps: u64, west: u64, east: u64) {
        self.add(steps | west);
        self.add(leaps | east);
    }
    #[inline(always)]
    fn promotions(&mut self, steps: u64, west: u64, east: u64) {
        self.0 += 4 * u64::from(steps.count_ones() + west.count_ones() + east.count_ones());
    }
    #[inline(always)]
    fn en_passant(&mut self, _from: usize, _to: usize) {
        self.0 += 1;
    }
    #[inline(always)]
    fn castle(&mut self, _king: usize, _rook: usize) {
        self.0 += 1;
    }
}

/// The number of legal moves of any position.
pub(crate) fn moves(position: &Position) -> u64 {
    #[inline(always)]
    fn of<M: Machine, S: Side>(machine: M, position: &Position) -> u64 {
        let Position { board, castling, pseudo_legal_ep_square, .. } = position;
        let rights = castling.0;
        let castling = Orthodox::from_rooks::<S>(rights);
        match (rights & 0xFF << S::HOME, *pseudo_legal_ep_square) {
            (0, None) => machine.leaf::<S, false, false>(board, castling, Square::A1),
            (0, Some(square)) => machine.leaf::<S, false, true>(board, castling, square),
            (own, _) if !Orthodox::describes::<S>(own, board) => {
                let mut visitor = Count(0);
                machine.visit(position, Every, &mut visitor);
                visitor.0
            }
            (_, None) => machine.leaf::<S, true, false>(board, castling, Square::A1),
            (_, Some(square)) => machine.leaf::<S, true, true>(board, castling, square),
        }
    }
    on_this_machine!(machine => match position.turn {
        Color::White => of::<_, White>(machine, position),
        Color::Black => of::<_, Black>(machine, position),
    })
}

/// Perft of a position whose castling rights are those of standard chess.
pub(crate) fn perft(position: &Position, depth: u32) -> u64 {
    on_this_machine!(machine => perft_on(machine, position, depth))
}

pub(crate) fn perft_on<M: Machine>(machine: M, position: &Position, depth: u32) -> u64 {
    fn of<M: Machine, S: Side>(machine: M, position: &Position, depth: u32) -> u64 {
        let Position { board, castling, pseudo_legal_ep_square, .. } = position;
        let (rights, en_passant) = (castling.0, *pseudo_legal_ep_square);
        let own = rights & 0xFF << S::HOME != 0;
        let enemy = rights & 0xFF << S::Other::HOME != 0;
        match (own, enemy) {
            (false, false) => {
                nodes::<M, S, false, false>(machine, board, rights, en_passant, depth)
            }
            (false, true) => nodes::<M, S, false, true>(machine, board, rights, en_passant, depth),
            (true, false) => nodes::<M, S, true, false>(machine, board, rights, en_passant, depth),
            (true, true) => nodes::<M, S, true, true>(machine, board, rights, en_passant, depth),
        }
    }
    match position.turn {
        Color::White => of::<M, White>(machine, position, depth),
        Color::Black => of::<M, Black>(machine, position, depth),
    }
}

fn nodes<M: Machine, S: Side, const OWN: bool, const ENEMY: bool>(
    machine: M,
    board: &Board,
    rights: u64,
    en_passant: Option<Square>,
    depth: u32,
) -> u64 {
    let castling = Orthodox::from_rooks::<S>(rights);
    match depth {
        0 => 1,
        1 => match en_passant {
            None => machine.leaf::<S, OWN, false>(board, castling, Square::A1),
            Some(square) => machine.leaf::<S, OWN, true>(board, castling, square),
        },
        2 => machine.descend::<S, OWN, ENEMY, true>(board, rights, en_passant, depth),
        _ => machine.descend::<S, OWN, ENEMY, false>(board, rights, en_passant, depth),
    }
}

/// The number of moves one ply before the end. `OWN`: the side to move may have castling rights.
#[inline(always)]
pub(crate) fn leaf<M: Machine, S: Side, const OWN: bool, const EP: bool>(
    machine: M,
    board: &Board,
    castling: Orthodox,
    en_passant: Square,
) -> u64 {
    let mut visitor = Count(0);
    let en_passant = if EP { Some(en_passant) } else { None };
    if OWN {
        visit_moves::<_, S, _, _, _>(machine, board, castling, en_passant, Every, &mut visitor);
    } else {
        visit_moves::<_, S, _, _, _>(machine, board, NoCastling, en_passant, Every, &mut visitor);
    }
    visitor.0
}

#[inline(always)]
pub(crate) fn descend<M: Machine, S: Side, const OWN: bool, const ENEMY: bool, const LAST: bool>(
    machine: M,
    board: &Board,
    rights: u64,
    en_passant: Option<Square>,
    depth: u32,
) -> u64 {
    let mut visitor =
        Descend::<M, OWN, ENEMY, LAST> { machine, child: *board, rights, depth, nodes: 0 };
    if OWN {
        let castling = Orthodox::from_rooks::<S>(rights);
        visit_moves::<_, S, _, _, _>(machine, board, castling, en_passant, Every, &mut visitor);
    } else {
        visit_moves::<_, S, _, _, _>(machine, board, NoCastling, en_passant, Every, &mut visitor);
    }
    visitor.nodes
}

/// Plays each move on `child`, counts what follows, and puts `child` back.
struct Descend<M, const OWN: bool, const ENEMY: bool, const LAST: bool> {
    machine: M,
    child: Board,
    rights: u64,
    depth: u32,
    nodes: u64,
}

impl<M: Machine, const OWN: bool, const ENEMY: bool, const LAST: bool>
    Descend<M, OWN, ENEMY, LAST>
{
    /// Counts below `child`. `STILL`: the side that has just moved may have castling rights.
    #[inline(always)]
    fn follow<S: Side, const STILL: bool>(&mut self, rights: u64) {
        self.nodes += if LAST {
            let castling = Orthodox::from_rooks::<S::Other>(rights);
            self.machine.leaf::<S::Other, ENEMY, false>(&self.child, castling, Square::A1)
        } else {
            nodes::<M, S::Other, ENEMY, STILL>(
                self.machine,
                &self.child,
                rights,
                None,
                self.depth - 1,
            )
        };
    }

    /// Plays a piece to each target. `set` puts the piece's own sets to "the piece stands on these
    /// bits"; rights are lost as the rooks on `from` and on the targets lose them.
    #[inline(always)]
    fn each_target<S: Side, const STILL: bool>(
        &mut self,
        from: u64,
        targets: u64,
        mut set: impl FnMut(&mut Board, u64),
    ) {
        if targets == 0 {
            return;
        }
        let rights = if OWN { self.rights & !from } else { self.rights };
        let all = S::own(&self.child).all ^ from;
        let enemy = *S::enemy(&self.child);
        each(targets & !enemy.all, |to| {
            let to = 1 << to;
            self.child.armies[S::COLOR as usize].all = all | to;
            set(&mut self.child, to);
            self.follow::<S, STILL>(rights);
        });
        let captures = targets & enemy.all;
        if captures != 0 {
            each(captures, |to| {
                let to = 1 << to;
                self.child.armies[S::COLOR as usize].all = all | to;
                set(&mut self.child, to);
                self.child.armies[S::Other::COLOR as usize] = enemy.without(to);
                self.follow::<S, STILL>(if ENEMY { rights & !to } else { rights });
            });
            self.child.armies[S::Other::COLOR as usize] = enemy;
        }
        self.child.armies[S::COLOR as usize].all = all ^ from;
        set(&mut self.child, from);
    }

    #[inline(always)]
    fn pawn<S: Side>(&mut self, targets: u64, back: i32, capture: bool) {
        let own = *S::own(&self.child);
        let enemy = *S::enemy(&self.child);
        each(targets, |to| {
            let from_to = 1 << to | 1 << (to as i32 + back);
            self.child.armies[S::COLOR as usize].pawns = own.pawns ^ from_to;
            self.child.armies[S::COLOR as usize].all = own.all ^ from_to;
            if capture {
                self.child.armies[S::Other::COLOR as usize] = enemy.without(1 << to);
            }
            self.follow::<S, OWN>(self.rights);
        });
        self.child.armies[S::COLOR as usize].pawns = own.pawns;
        self.child.armies[S::COLOR as usize].all = own.all;
        if capture {
            self.child.armies[S::Other::COLOR as usize] = enemy;
        }
    }

    #[inline(always)]
    fn leap<S: Side>(&mut self, targets: u64) {
        let own = *S::own(&self.child);
        each(targets, |to| {
            let from_to = 1 << to | 1 << (to as i32 + 2 * S::STEP_BACK);
            let ep_square = (to as i32 + S::STEP_BACK) as usize;
            self.child.armies[S::COLOR as usize].pawns = own.pawns ^ from_to;
            self.child.armies[S::COLOR as usize].all = own.all ^ from_to;
            if PAWN[S::COLOR as usize][ep_square] & S::enemy(&self.child).pawns == 0 {
                self.follow::<S, OWN>(self.rights);
            } else {
                let ep_square = Square::from_low_bits(ep_square as u32);
                self.nodes += if LAST {
                    let castling = Orthodox::from_rooks::<S::Other>(self.rights);
                    self.machine.leaf::<S::Other, ENEMY, true>(&self.child, castling, ep_square)
                } else {
                    let depth = self.depth - 1;
                    nodes::<M, S::Other, ENEMY, OWN>(
                        self.machine,
                        &self.child,
                        self.rights,
                        Some(ep_square),
                        depth,
                    )
                };
            }
        });
        self.child.armies[S::COLOR as usize].pawns = own.pawns;
        self.child.armies[S::COLOR as usize].all = own.all;
    }

    #[inline(always)]
    fn promote<S: Side>(&mut self, targets: u64, back: i32) {
        let before = self.child;
        each(targets, |to| {
            let to_bit = 1 << to;
            let rights = if ENEMY { self.rights & !to_bit } else { self.rights };
            let own = &mut self.child.armies[S::COLOR as usize];
            own.pawns ^= 1 << (to as i32 + back);
            own.all ^= 1 << (to as i32 + back) | to_bit;
            let enemy = before.armies[S::Other::COLOR as usize].without(to_bit);
            self.child.armies[S::Other::COLOR as usize] = enemy;
            self.child.armies[S::COLOR as usize].knights |= to_bit;
            self.follow::<S, OWN>(rights);
            self.child.armies[S::COLOR as usize].knights ^= to_bit;
            self.child.armies[S::COLOR as usize].diagonals |= to_bit;
            self.follow::<S, OWN>(rights);
            self.child.armies[S::COLOR as usize].orthogonals |= to_bit;
            self.follow::<S, OWN>(rights);
            self.child.armies[S::COLOR as usize].diagonals ^= to_bit;
            self.follow::<S, OWN>(rights);
            self.child = before;
        });
    }
}

impl<M: Machine, S: Side, const OWN: bool, const ENEMY: bool, const LAST: bool> Visitor<S>
    for Descend<M, OWN, ENEMY, LAST>
{
    #[inline(always)]
    fn king(&mut self, from: usize, targets: u64) {
        let rights = self.rights;
        if OWN {
            self.rights &= !(0xFF << S::HOME);
        }
        self.each_target::<S, false>(1 << from, targets, |child, to| {
            child.armies[S::COLOR as usize].kings = to;
        });
        self.rights = rights;
    }

    #[inline(always)]
    fn knight(&mut self, from: usize, targets: u64) {
        let knights = S::own(&self.child).knights ^ 1 << from;
        self.each_target::<S, OWN>(1 << from, targets, |child, to| {
            child.armies[S::COLOR as usize].knights = knights | to;
        });
    }

    #[inline(always)]
    fn diagonal(&mut self, from: usize, targets: u64) {
        let from = 1 << from;
        let diagonals = S::own(&self.child).diagonals ^ from;
        let orthogonals = S::own(&self.child).orthogonals & !from;
        let queen = S::own(&self.child).orthogonals & from != 0;
        let queen = if queen { !0 } else { 0 };
        self.each_target::<S, OWN>(from, targets, |child, to| {
            child.armies[S::COLOR as usize].diagonals = diagonals | to;
            child.armies[S::COLOR as usize].orthogonals = orthogonals | to & queen;
        });
    }

    #[inline(always)]
    fn orthogonal(&mut self, from: usize, targets: u64) {
        let from = 1 << from;
        let orthogonals = S::own(&self.child).orthogonals ^ from;
        let diagonals = S::own(&self.child).diagonals & !from;
        let queen = S::own(&self.child).diagonals & from != 0;
        let queen = if queen { !0 } else { 0 };
        self.each_target::<S, OWN>(from, targets, |child, to| {
            child.armies[S::COLOR as usize].orthogonals = orthogonals | to;
            child.armies[S::COLOR as usize].diagonals = diagonals | to & queen;
        });
    }

    #[inline(always)]
    fn pawns(&mut self, steps: u64, leaps: u64, west: u64, east: u64) {
        self.pawn::<S>(steps, S::STEP_BACK, false);
        self.leap::<S>(leaps);
        self.pawn::<S>(west, S::WEST_BACK, true);
        self.pawn::<S>(east, S::EAST_BACK, true);
    }

    #[inline(always)]
    fn promotions(&mut self, steps: u64, west: u64, east: u64) {
        self.promote::<S>(steps, S::STEP_BACK);
        self.promote::<S>(west, S::WEST_BACK);
        self.promote::<S>(east, S::EAST_BACK);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: usize, to: usize) {
        let before = self.child;
        let from_to = 1 << to | 1 << from;
        let captured = 1 << (to as i32 + S::STEP_BACK);
        self.child.armies[S::COLOR as usize].pawns ^= from_to;
        self.child.armies[S::COLOR as usize].all ^= from_to;
        self.child.armies[S::Other::COLOR as usize].pawns ^= captured;
        self.child.armies[S::Other::COLOR as usize].all ^= captured;
        self.follow::<S, OWN>(self.rights);
        self.child = before;
    }

    #[inline(always)]
    fn castle(&mut self, king: usize, rook: usize) {
        let before = self.child;
        let home = S::HOME as usize;
        let (king_to, rook_to) =
            if rook > king { (home + 6, home + 5) } else { (home + 2, home + 3) };
        let own = &mut self.child.armies[S::COLOR as usize];
        own.kings = 1 << king_to;
        own.orthogonals ^= 1 << rook | 1 << rook_to;
        own.all ^= 1 << king | 1 << rook | 1 << king_to | 1 << rook_to;
        self.follow::<S, false>(self.rights & !(0xFF << S::HOME));
        self.child = before;
    }
}
