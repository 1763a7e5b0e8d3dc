//! A board on which anything may stand: empty, without kings, with pawns on the back ranks. A
//! [`tabiya_chess::Position`] is always valid; what Python edits need not be.

use tabiya_chess::{
    Bitboard, CastlingRights, Color, Piece, Position, Role, Setup, SetupError, Square, attacks,
};

pub(crate) const PAWN: u8 = 1;
pub(crate) const KNIGHT: u8 = 2;
pub(crate) const BISHOP: u8 = 3;
pub(crate) const ROOK: u8 = 4;
pub(crate) const QUEEN: u8 = 5;
pub(crate) const KING: u8 = 6;

pub(crate) const RANK_1: u64 = 0xff;
pub(crate) const RANK_8: u64 = 0xff << 56;
pub(crate) const BACK_RANKS: u64 = RANK_1 | RANK_8;
pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;
pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;
const E1: u64 = 1 << 4;
const E8: u64 = 1 << 60;

/// The set of one square.
pub(crate) const fn bit(square: u8) -> u64 {
    1 << (square & 63)
}

pub(crate) const fn rank(number: u8) -> u64 {
    RANK_1 << (8 * number)
}

/// The squares of a set, from the last to the first.
pub(crate) struct Reversed(pub(crate) u64);

impl Iterator for Reversed {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let square = 63 - self.0.leading_zeros() as u8;
        self.0 ^= bit(square);
        Some(square)
    }
}

fn sq(square: u8) -> Square {
    Square::from_index(usize::from(square & 63)).unwrap_or(Square::A1)
}

pub(crate) fn color_of(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}

pub(crate) fn role_of(kind: u8) -> Option<Role> {
    Some(match kind {
        PAWN => Role::Pawn,
        KNIGHT => Role::Knight,
        BISHOP => Role::Bishop,
        ROOK => Role::Rook,
        QUEEN => Role::Queen,
        KING => Role::King,
        _ => return None,
    })
}

pub(crate) fn kind_of(role: Role) -> u8 {
    match role {
        Role::Pawn => PAWN,
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    }
}

pub(crate) fn between(a: u8, b: u8) -> u64 {
    attacks::between(sq(a), sq(b)).0
}

pub(crate) fn line(a: u8, b: u8) -> u64 {
    attacks::line(sq(a), sq(b)).0
}

pub(crate) fn pawn_attacks(white: bool, square: u8) -> u64 {
    attacks::pawn(color_of(white), sq(square)).0
}

/// What a piece of this kind attacks from a square.
pub(crate) fn piece_attacks(kind: u8, white: bool, square: u8, occupied: u64) -> u64 {
    let (at, blockers) = (sq(square), Bitboard(occupied));
    match kind {
        PAWN => pawn_attacks(white, square),
        KNIGHT => attacks::knight(at).0,
        BISHOP => attacks::bishop(at, blockers).0,
        ROOK => attacks::rook(at, blockers).0,
        QUEEN => attacks::queen(at, blockers).0,
        KING => attacks::king(at).0,
        _ => 0,
    }
}

/// A move as Python sees it: castling is the king's step of two files, or to its own rook in Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Step {
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// 0 for none.
    pub(crate) promotion: u8,
    /// 0 for none.
    pub(crate) drop: u8,
}

impl Step {
    pub(crate) const NULL: Step = Step { from: 0, to: 0, promotion: 0, drop: 0 };

    pub(crate) const fn new(from: u8, to: u8) -> Step {
        Step { from, to, promotion: 0, drop: 0 }
    }

    /// Nobody moves.
    pub(crate) fn is_null(self) -> bool {
        self == Step::NULL
    }
}

/// Pieces, and all else that a FEN tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// By kind of piece, pawns first.
    pub(crate) kinds: [u64; 6],
    /// Black, White: a colour is a bool.
    pub(crate) colors: [u64; 2],
    pub(crate) promoted: u64,
    /// The rooks with which a side may castle, as far as it is told.
    pub(crate) castling: u64,
    pub(crate) halfmove_clock: u32,
    pub(crate) fullmove_number: u32,
    pub(crate) ep_square: Option<u8>,
    pub(crate) turn: bool,
}

impl State {
    pub(crate) const EMPTY: State = State {
        kinds: [0; 6],
        colors: [0; 2],
        promoted: 0,
        castling: 0,
        halfmove_clock: 0,
        fullmove_number: 1,
        ep_square: None,
        turn: true,
    };

    pub(crate) const INITIAL: State = State {
        kinds: [
            0x00ff_0000_0000_ff00,
            0x4200_0000_0000_0042,
            0x2400_0000_0000_0024,
            CORNERS,
            0x0800_0000_0000_0008,
            0x1000_0000_0000_0010,
        ],
        colors: [0xffff_0000_0000_0000, 0xffff],
        castling: CORNERS,
        ..State::EMPTY
    };

    pub(crate) const fn occupied(&self) -> u64 {
        self.colors[0] | self.colors[1]
    }

    pub(crate) const fn color(&self, white: bool) -> u64 {
        self.colors[white as usize]
    }

    pub(crate) const fn kind(&self, kind: u8) -> u64 {
        self.kinds[kind as usize - 1]
    }

    /// The kind of piece on a square, 0 for none.
    pub(crate) fn kind_at(&self, square: u8) -> u8 {
        let mask = bit(square);
        if self.occupied() & mask == 0 {
            return 0;
        }
        (PAWN..=KING).find(|&kind| self.kind(kind) & mask != 0).unwrap_or(0)
    }

    /// Whether White stands there.
    pub(crate) fn color_at(&self, square: u8) -> Option<bool> {
        let mask = bit(square);
        if self.colors[1] & mask != 0 {
            Some(true)
        } else if self.colors[0] & mask != 0 {
            Some(false)
        } else {
            None
        }
    }

    pub(crate) fn remove(&mut self, square: u8) -> u8 {
        let kind = self.kind_at(square);
        let mask = bit(square);
        if kind != 0 {
            self.kinds[usize::from(kind) - 1] &= !mask;
            self.colors[0] &= !mask;
            self.colors[1] &= !mask;
            self.promoted &= !mask;
        }
        kind
    }

    pub(crate) fn put(&mut self, square: u8, kind: u8, white: bool, promoted: bool) {
        self.remove(square);
        let mask = bit(square);
        self.kinds[usize::from(kind) - 1] |= mask;
        self.colors[usize::from(white)] |= mask;
        if promoted {
            self.promoted |= mask;
        }
    }

    /// The king that may be given check: the last one, if there are several; none that was promoted.
    pub(crate) fn king(&self, white: bool) -> Option<u8> {
        Reversed(self.kind(KING) & self.color(white) & !self.promoted).next()
    }

    pub(crate) fn attacks_from(&self, square: u8) -> u64 {
        match self.kind_at(square) {
            0 => 0,
            kind => {
                let white = self.color(true) & bit(square) != 0;
                piece_attacks(kind, white, square, self.occupied())
            }
        }
    }

    pub(crate) fn attackers(&self, white: bool, square: u8, occupied: u64) -> u64 {
        let at = sq(square);
        let blockers = Bitboard(occupied);
        let queens = self.kind(QUEEN);
        let straight = attacks::rook(at, blockers).0 & (self.kind(ROOK) | queens);
        let diagonal = attacks::bishop(at, blockers).0 & (self.kind(BISHOP) | queens);
        let near = attacks::knight(at).0 & self.kind(KNIGHT)
            | attacks::king(at).0 & self.kind(KING)
            | pawn_attacks(!white, square) & self.kind(PAWN);
        (straight | diagonal | near) & self.color(white)
    }

    pub(crate) fn checkers(&self) -> u64 {
        match self.king(self.turn) {
            Some(king) => self.attackers(!self.turn, king, self.occupied()),
            None => 0,
        }
    }

    /// Whether a king of `white` would be attacked on one of these squares.
    pub(crate) fn is_any_attacked(&self, white: bool, squares: u64, occupied: u64) -> bool {
        Reversed(squares).any(|square| self.attackers(!white, square, occupied) != 0)
    }

    /// Pieces that alone stand between the king and an enemy slider.
    pub(crate) fn blockers(&self, king: u8) -> u64 {
        let at = sq(king);
        let none = Bitboard(0);
        let queens = self.kind(QUEEN);
        let snipers = (attacks::rook(at, none).0 & (self.kind(ROOK) | queens)
            | attacks::bishop(at, none).0 & (self.kind(BISHOP) | queens))
            & self.color(!self.turn);
        Reversed(snipers)
            .map(|sniper| between(king, sniper) & self.occupied())
            .filter(|blocked| blocked.count_ones() == 1)
            .fold(0, |all, blocked| all | blocked)
            & self.color(self.turn)
    }

    /// The line on which a piece is pinned to its king; all squares if it is not.
    pub(crate) fn pin_mask(&self, white: bool, square: u8) -> u64 {
        let Some(king) = self.king(white) else { return !0 };
        let mask = bit(square);
        let queens = self.kind(QUEEN);
        let none = Bitboard(0);
        for (rays, sliders) in [
            (attacks::rook(sq(king), none).0, self.kind(ROOK) | queens),
            (attacks::bishop(sq(king), none).0, self.kind(BISHOP) | queens),
        ] {
            if rays & mask == 0 {
                continue;
            }
            let snipers = rays & sliders & self.color(!white);
            return Reversed(snipers)
                .find(|&sniper| between(sniper, king) & (self.occupied() | mask) == mask)
                .map_or(!0, |sniper| line(king, sniper));
        }
        !0
    }

    /// Castling rights without those that the pieces belie.
    pub(crate) fn clean_castling(&self, chess960: bool) -> u64 {
        let castling = self.castling & self.kind(ROOK);
        let mut white = castling & RANK_1 & self.color(true);
        let mut black = castling & RANK_8 & self.color(false);
        let kings = self.kind(KING) & !self.promoted;
        if !chess960 {
            white &= CORNERS;
            black &= CORNERS;
            if self.color(true) & kings & E1 == 0 {
                white = 0;
            }
            if self.color(false) & kings & E8 == 0 {
                black = 0;
            }
            return white | black;
        }
        outer(white, kings & RANK_1 & self.color(true))
            | outer(black, kings & RANK_8 & self.color(false))
    }

    /// As the board plays it: to the rook.
    pub(crate) fn onto_rook(&self, step: Step) -> Step {
        let rook = match (step.from, step.to) {
            (4, 6) => 7,
            (4, 2) => 0,
            (60, 62) => 63,
            (60, 58) => 56,
            _ => return step,
        };
        if self.kind(KING) & bit(step.from) != 0 && self.kind(ROOK) & bit(step.to) == 0 {
            Step { to: rook, ..step }
        } else {
            step
        }
    }

    /// As it is written: two files, unless it is Chess960.
    pub(crate) fn as_written(&self, chess960: bool, step: Step) -> Step {
        if chess960 || step.promotion != 0 || step.drop != 0 {
            return step;
        }
        let to = match (step.from, step.to) {
            (4, 7) => 6,
            (4, 0) => 2,
            (60, 63) => 62,
            (60, 56) => 58,
            _ => return step,
        };
        if self.kind(KING) & bit(step.from) != 0 { Step { to, ..step } } else { step }
    }

    pub(crate) fn is_castling(&self, step: Step) -> bool {
        if self.kind(KING) & bit(step.from) == 0 || step.drop != 0 {
            return false;
        }
        let files = (step.from & 7).abs_diff(step.to & 7);
        files > 1 || self.kind(ROOK) & self.color(self.turn) & bit(step.to) != 0
    }

    pub(crate) fn is_en_passant(&self, step: Step) -> bool {
        self.ep_square == Some(step.to)
            && self.kind(PAWN) & bit(step.from) != 0
            && matches!(step.from.abs_diff(step.to), 7 | 9)
            && self.occupied() & bit(step.to) == 0
    }

    /// Whether the clock of fifty moves begins anew.
    pub(crate) fn is_zeroing(&self, step: Step) -> bool {
        let touched = bit(step.from) ^ bit(step.to);
        touched & self.kind(PAWN) != 0 || touched & self.color(!self.turn) != 0 || step.drop == PAWN
    }

    /// Plays; the move must be pseudo-legal, or nothing but a piece must stand on its first square. `castling` are the
    /// clean rights.
    pub(crate) fn play(&mut self, step: Step, castling: u64) -> bool {
        let white = self.turn;
        let zeroing = self.is_zeroing(step);
        let ep_square = self.ep_square.take();
        self.castling = castling;
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if !white {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        if step.is_null() {
            self.turn = !white;
            return true;
        }
        if step.drop != 0 {
            self.put(step.to, step.drop, white, false);
            self.turn = !white;
            return true;
        }
        if zeroing {
            self.halfmove_clock = 0;
        }
        let (from, to) = (bit(step.from), bit(step.to));
        let is_castling = self.is_castling(step) && self.color(white) & to != 0;
        let mut promoted = self.promoted & from != 0;
        let mut kind = self.remove(step.from);
        if kind == 0 {
            return false;
        }
        self.castling &= !(from | to);
        if kind == KING && !promoted {
            self.castling &= if white { !RANK_1 } else { !RANK_8 };
        } else if self.kind(KING) & !self.promoted & to != 0 {
            if self.color(true) & to != 0 {
                self.castling &= !RANK_1;
            } else {
                self.castling &= !RANK_8;
            }
        }
        if kind == PAWN {
            let advance = i16::from(step.to) - i16::from(step.from);
            if advance == 16 && step.from >> 3 == 1 {
                self.ep_square = Some(step.from + 8);
            } else if advance == -16 && step.from >> 3 == 6 {
                self.ep_square = Some(step.from - 8);
            } else if Some(step.to) == ep_square
                && matches!(advance.abs(), 7 | 9)
                && self.occupied() & to == 0
            {
                let pawn = if white { step.to.wrapping_sub(8) } else { step.to + 8 };
                self.remove(pawn & 63);
            }
        }
        if step.promotion != 0 {
            promoted = true;
            kind = step.promotion;
        }
        if is_castling {
            let queen_side = step.to & 7 < step.from & 7;
            let rank = step.from & 56;
            self.remove(step.to);
            self.put(rank + if queen_side { 2 } else { 6 }, KING, white, false);
            self.put(rank + if queen_side { 3 } else { 5 }, ROOK, white, false);
        } else {
            self.put(step.to, kind, white, promoted);
        }
        self.turn = !white;
        true
    }

    /// The position, where the rules allow it.
    pub(crate) fn setup(&self, castling: u64) -> Setup {
        let mut setup = Setup::empty();
        for square in Reversed(self.occupied()) {
            if let (Some(role), Some(white)) =
                (role_of(self.kind_at(square)), self.color_at(square))
            {
                setup.board.put(sq(square), Piece { color: color_of(white), role });
            }
        }
        setup.turn = color_of(self.turn);
        setup.castling =
            Reversed(castling).fold(CastlingRights::NONE, |rights, rook| rights.with(sq(rook)));
        // En passant that no pawn can use does not matter, and may be wrong.
        let mut is_possible = false;
        self.en_passant(!0, !0, &mut |_| {
            is_possible = true;
            false
        });
        setup.ep_square = self.ep_square.filter(|_| is_possible).map(sq);
        setup.halfmove_clock = u16::try_from(self.halfmove_clock).unwrap_or(u16::MAX);
        setup.fullmove_number = u16::try_from(self.fullmove_number).unwrap_or(u16::MAX);
        setup
    }

    pub(crate) fn position(&self, castling: u64) -> Result<Position, SetupError> {
        self.setup(castling).validate()
    }
}

/// The outermost rooks on each side of the king.
fn outer(rooks: u64, king: u64) -> u64 {
    if king == 0 || rooks == 0 {
        return 0;
    }
    let first = rooks & rooks.wrapping_neg();
    let last = bit(63 - rooks.leading_zeros() as u8);
    let king = bit(63 - king.leading_zeros() as u8);
    (if first < king { first } else { 0 }) | (if last > king { last } else { 0 })
}
