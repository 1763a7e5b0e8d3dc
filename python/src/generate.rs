//! Moves on boards on which anything may stand.

use crate::state::{
    BACK_RANKS, BISHOP, KING, KNIGHT, PAWN, QUEEN, RANK_1, RANK_8, ROOK, Reversed, State, Step,
    between, bit, line, pawn_attacks, piece_attacks, rank,
};

impl State {
    /// Visits the moves as the pieces go, without a thought for the own king, until `visit` says no. Moves from the last
    /// squares come first.
    pub(crate) fn pseudo_legal(
        &self,
        chess960: bool,
        castling: u64,
        from_mask: u64,
        to_mask: u64,
        visit: &mut impl FnMut(Step) -> bool,
    ) -> bool {
        let own = self.color(self.turn);
        let occupied = self.occupied();
        for from in Reversed(own & !self.kind(PAWN) & from_mask) {
            let targets =
                piece_attacks(self.kind_at(from), self.turn, from, occupied) & !own & to_mask;
            for to in Reversed(targets) {
                if !visit(Step::new(from, to)) {
                    return false;
                }
            }
        }
        if self.kind(KING) & from_mask != 0
            && !self.castling_moves(chess960, castling, from_mask, to_mask, visit)
        {
            return false;
        }
        self.pawn_moves(from_mask, to_mask, visit)
    }

    fn pawn_moves(
        &self,
        from_mask: u64,
        to_mask: u64,
        visit: &mut impl FnMut(Step) -> bool,
    ) -> bool {
        let pawns = self.kind(PAWN) & self.color(self.turn) & from_mask;
        if pawns == 0 {
            return true;
        }
        let occupied = self.occupied();
        let mut advance = |from: u8, to: u8| {
            if bit(to) & BACK_RANKS == 0 {
                return visit(Step::new(from, to));
            }
            [QUEEN, ROOK, BISHOP, KNIGHT]
                .into_iter()
                .all(|promotion| visit(Step { promotion, ..Step::new(from, to) }))
        };
        for from in Reversed(pawns) {
            let targets = pawn_attacks(self.turn, from) & self.color(!self.turn) & to_mask;
            if !Reversed(targets).all(|to| advance(from, to)) {
                return false;
            }
        }
        let (single, double) = if self.turn {
            let single = pawns << 8 & !occupied;
            (single, single << 8 & !occupied & (rank(2) | rank(3)))
        } else {
            let single = pawns >> 8 & !occupied;
            (single, single >> 8 & !occupied & (rank(5) | rank(4)))
        };
        let back = |to: u8, squares: u8| if self.turn { to - squares } else { to + squares };
        if !Reversed(single & to_mask).all(|to| advance(back(to, 8), to)) {
            return false;
        }
        if !Reversed(double & to_mask).all(|to| advance(back(to, 16), to)) {
            return false;
        }
        self.en_passant(from_mask, to_mask, visit)
    }

    pub(crate) fn en_passant(
        &self,
        from_mask: u64,
        to_mask: u64,
        visit: &mut impl FnMut(Step) -> bool,
    ) -> bool {
        let Some(to) = self.ep_square else { return true };
        if bit(to) & to_mask == 0 || bit(to) & self.occupied() != 0 {
            return true;
        }
        let capturers = self.kind(PAWN)
            & self.color(self.turn)
            & from_mask
            & pawn_attacks(!self.turn, to)
            & rank(if self.turn { 4 } else { 3 });
        Reversed(capturers).all(|from| visit(Step::new(from, to)))
    }

    pub(crate) fn castling_moves(
        &self,
        chess960: bool,
        castling: u64,
        from_mask: u64,
        to_mask: u64,
        visit: &mut impl FnMut(Step) -> bool,
    ) -> bool {
        let back_rank = if self.turn { RANK_1 } else { RANK_8 };
        let rooks = castling & back_rank & to_mask;
        if rooks == 0 {
            return true;
        }
        let own = self.color(self.turn);
        let king = own & self.kind(KING) & !self.promoted & back_rank & from_mask;
        let king = king & king.wrapping_neg();
        if king == 0 {
            return true;
        }
        let (from, corner) = (king.trailing_zeros() as u8, if self.turn { 0 } else { 56 });
        let occupied = self.occupied();
        for candidate in Reversed(rooks) {
            let rook = bit(candidate);
            let (king_to, rook_to) =
                if rook < king { (corner + 2, corner + 3) } else { (corner + 6, corner + 5) };
            let king_path = between(from, king_to);
            let rook_path = between(candidate, rook_to);
            let way = king_path | rook_path | bit(king_to) | bit(rook_to);
            let free = (occupied ^ king ^ rook) & way == 0;
            if free
                && !self.is_any_attacked(self.turn, king_path | king, occupied ^ king)
                && !self.is_any_attacked(
                    self.turn,
                    bit(king_to),
                    occupied ^ king ^ rook | bit(rook_to),
                )
                && !visit(self.as_written(chess960, Step::new(from, candidate)))
            {
                return false;
            }
        }
        true
    }

    /// Visits the legal moves.
    pub(crate) fn legal(
        &self,
        chess960: bool,
        castling: u64,
        from_mask: u64,
        to_mask: u64,
        visit: &mut impl FnMut(Step) -> bool,
    ) -> bool {
        let sight = Sight::of(self);
        self.pseudo_legal(chess960, castling, from_mask, to_mask, &mut |step| {
            !self.is_safe(&sight, step) || visit(step)
        })
    }

    /// Whether a pseudo-legal move leaves the own king safe.
    pub(crate) fn is_safe(&self, sight: &Sight, step: Step) -> bool {
        let Some(king) = sight.king else { return true };
        let from = bit(step.from);
        if step.from == king {
            if self.is_castling(step) {
                return sight.checkers == 0;
            }
            let occupied = self.occupied() & !from;
            return self.attackers(!self.turn, step.to, occupied) & !bit(step.to) == 0;
        }
        if sight.checkers == 0 && sight.blockers & from == 0 && Some(step.to) != self.ep_square {
            return true;
        }
        if sight.checkers == 0 && self.ep_square != Some(step.to) {
            return line(step.from, step.to) & bit(king) != 0;
        }
        let mut after = *self;
        after.play(step, 0);
        after.attackers(!self.turn, king, after.occupied()) == 0
    }

    /// Whether any move is legal.
    pub(crate) fn has_legal(&self, chess960: bool, castling: u64) -> bool {
        !self.legal(chess960, castling, !0, !0, &mut |_| false)
    }
}

/// What is known of the king's safety before a move is looked at.
pub(crate) struct Sight {
    king: Option<u8>,
    checkers: u64,
    blockers: u64,
}

impl Sight {
    pub(crate) fn of(state: &State) -> Sight {
        let king = state.king(state.turn);
        Sight {
            king,
            checkers: state.checkers(),
            blockers: king.map_or(0, |king| state.blockers(king)),
        }
    }
}
