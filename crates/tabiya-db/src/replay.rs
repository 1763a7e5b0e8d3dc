//! Packed games played on a bare board: no keys, no legal moves, so that a search through all games is quick.

use tabiya_chess::{Bitboard, Color, Position, Role, Square, Wing};

use crate::bare::Bare;
use crate::order::{Numbered, Side};
use crate::packed::{Packed, split};
use crate::signature::{material, one_man};

/// A packed game as far as it has been played.
pub(crate) struct Replay<'a> {
    board: Bare,
    material: u64,
    turn: Color,
    /// The rooks that may still castle.
    castling: Bitboard,
    /// The square that the last double step passed over.
    passed: Bitboard,
    rest: &'a [u8],
}

impl<'a> Replay<'a> {
    pub(crate) fn new(start: &Position, packed: &'a [u8]) -> Replay<'a> {
        Replay {
            board: Bare::from(start.board()),
            material: material(start.board()),
            turn: start.turn(),
            castling: start.castling_rights().rooks(),
            passed: start.ep_square().map_or(Bitboard::EMPTY, Square::bitboard),
            rest: packed,
        }
    }

    /// What stands where.
    pub(crate) fn board(&self) -> &Bare {
        &self.board
    }

    /// What there is, as a [`Signature`](crate::Signature) counts it.
    pub(crate) fn material(&self) -> u64 {
        self.material
    }

    /// Makes the next move; false if there is none.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        let Some((step, rest)) = split(self.rest) else { return false };
        self.rest = rest;
        let passed = std::mem::replace(&mut self.passed, Bitboard::EMPTY);
        if let Packed::Number(number) = step {
            let side = Side::new(&self.board, self.turn, passed, self.castling);
            let Some(step) = side.numbered(number) else {
                self.rest = &[];
                return false;
            };
            self.play(step);
        }
        self.turn = self.turn.other();
        true
    }

    #[inline]
    fn play(&mut self, Numbered { role, from, to, promotion }: Numbered) {
        let castles = role == Role::King && self.board.color(self.turn).contains(to);
        self.castling = self.castling - from.bitboard() - to.bitboard();
        if role == Role::King {
            self.castling -= Bitboard(0xff << (56 * self.turn as u32));
        }
        if castles {
            return self.castle(from, to);
        }
        let (us, them) = (self.turn, self.turn.other());
        let mut taken = self.board.take(them, to);
        self.board.toggle(role.of(us), from.bitboard().0 | to.bitboard().0);
        if role == Role::Pawn {
            if from.index().abs_diff(to.index()) == 16 {
                let passed = usize::midpoint(from.index(), to.index());
                self.passed = Square::ALL[passed].bitboard();
            } else if taken.is_none() && from.file() != to.file() {
                taken = self.board.take(them, Square::new(to.file(), from.rank()));
            }
            if let Some(role) = promotion {
                self.board.toggle(Role::Pawn.of(us), to.bitboard().0);
                self.board.toggle(role.of(us), to.bitboard().0);
                self.material += one_man(role.of(us));
                self.material -= one_man(Role::Pawn.of(us));
            }
        }
        if let Some(taken) = taken {
            self.material -= one_man(taken);
        }
    }

    fn castle(&mut self, king: Square, rook: Square) {
        let wing = Wing::of(king, rook);
        let [king_to, rook_to] =
            [wing.king_file(), wing.rook_file()].map(|file| Square::new(file, king.rank()));
        // One may stand where the other goes: both are taken away first.
        for (role, square) in
            [(Role::King, king), (Role::Rook, rook), (Role::King, king_to), (Role::Rook, rook_to)]
        {
            self.board.toggle(role.of(self.turn), square.bitboard().0);
        }
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::MoveKind;

    use super::*;
    use crate::packed::pack;
    use crate::{NextMove, unpack};

    #[test]
    fn a_game_goes_through_the_same_boards_as_by_the_rules() {
        let mut random = tabiya_base::Random::new(11);
        let (mut castled, mut passed, mut promoted) = (0, 0, 0);
        for round in 0..600 {
            let start = match round % 4 {
                0 => Position::chess960(random.below(960) as u16).unwrap(),
                1 => "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w KQkq d6 0 1".parse().unwrap(),
                _ => Position::initial(),
            };
            let (mut here, mut packed) = (start, Vec::new());
            for _ in 0..100 {
                let legal = here.legal_moves();
                let takes = legal.iter().find(|m| m.kind() == MoveKind::EnPassant);
                let step = match (takes, legal.len()) {
                    (Some(&takes), _) => NextMove::Move(takes),
                    (None, 0) => break,
                    _ if random.below(40) == 0 && !here.is_check() => NextMove::Null,
                    (None, count) => NextMove::Move(legal[random.below(count)]),
                };
                if let NextMove::Move(m) = step {
                    castled += u32::from(m.castling_rook().is_some());
                    promoted += u32::from(m.promotes_to().is_some());
                    passed += u32::from(m.kind() == MoveKind::EnPassant);
                }
                pack(step.code(&here).unwrap(), &mut packed);
                here = step.after(&here).unwrap();
            }
            let mut replay = Replay::new(&start, &packed);
            for (position, step) in unpack(start, &packed) {
                assert_eq!(*replay.board(), Bare::from(position.board()));
                assert_eq!(replay.material(), material(position.board()));
                assert_eq!(replay.advance(), step != NextMove::End);
            }
            assert_eq!(*replay.board(), Bare::from(here.board()));
        }
        assert!(castled > 50 && passed > 20 && promoted > 100, "{castled} {passed} {promoted}");
    }

    #[test]
    fn any_bytes_are_played_without_panic() {
        let mut random = tabiya_base::Random::new(3);
        for _ in 0..3000 {
            let packed: Vec<u8> = (0..300).map(|_| random.below(50) as u8).collect();
            let mut replay = Replay::new(&Position::initial(), &packed);
            let mut plies = 0;
            while replay.advance() {
                plies += 1;
            }
            assert!(plies <= packed.len());
        }
    }
}
