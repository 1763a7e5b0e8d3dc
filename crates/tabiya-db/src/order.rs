//! The order in which the moves of a position are numbered.
//!
//! Pawns first, then knights, bishops, rooks, queens and the king; among men of one kind the one on the lower square
//! first (a1, b1 … h8), and the moves of one man by the square they go to. A pawn that reaches the last rank has
//! four moves there: queen, rook, bishop, knight. What counts is how men move and what stands in their way, not whether
//! the king is left in check, so that no move has to be tried: captures of a pawn need a man to take or the square
//! that was passed over by the last double step, and the king may go to each of its rooks with which it still has
//! the right to castle.

use tabiya_chess::{Bitboard, Color, Move, Position, Rank, Role, Square, attacks};

use crate::bare::Bare;

const ORDER: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// What the numbers of a side's moves depend on.
pub(crate) struct Side<'a> {
    board: &'a Bare,
    color: Color,
    own: Bitboard,
    occupied: Bitboard,
    /// What a pawn may take.
    prey: Bitboard,
    last_rank: Bitboard,
    /// Its rooks that may still castle.
    rooks: Bitboard,
}

/// A move as its number tells it: a castling king goes to its rook.
#[derive(Clone, Copy)]
pub(crate) struct Numbered {
    pub(crate) role: Role,
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) promotion: Option<Role>,
}

impl<'a> Side<'a> {
    fn of(position: &Position, board: &'a Bare) -> Side<'a> {
        let passed = position.ep_square().map_or(Bitboard::EMPTY, Square::bitboard);
        Side::new(board, position.turn(), passed, position.castling_rights().rooks())
    }

    /// The side to move, the square that was passed over by the last double step, and all rooks that may castle.
    #[inline]
    pub(crate) fn new(
        board: &'a Bare,
        color: Color,
        passed: Bitboard,
        rooks: Bitboard,
    ) -> Side<'a> {
        let own = board.color(color);
        Side {
            board,
            color,
            own,
            occupied: board.occupied(),
            prey: board.color(color.other()) | passed,
            last_rank: Bitboard::from(Rank::Eighth.relative_to(color)),
            rooks: rooks & own,
        }
    }

    #[inline]
    fn men(&self, role: Role) -> Bitboard {
        self.board.pieces(role.of(self.color))
    }

    fn pawn(&self, from: Square) -> Bitboard {
        let (one, two) = self.steps(from.bitboard().0);
        (attacks::pawn(self.color, from) & self.prey) | Bitboard(one | two)
    }

    /// Where pawns step to, by one square and by two.
    #[inline]
    fn steps(&self, pawns: u64) -> (u64, u64) {
        let (third, fourth) = (0xff_u64 << 16, 0xff_u64 << 40);
        match self.color {
            Color::White => {
                let one = pawns << 8 & !self.occupied.0;
                (one, (one & third) << 8 & !self.occupied.0)
            }
            Color::Black => {
                let one = pawns >> 8 & !self.occupied.0;
                (one, (one & fourth) >> 8 & !self.occupied.0)
            }
        }
    }

    /// How many moves all pawns have.
    #[inline]
    fn pawn_moves(&self) -> u32 {
        let pawns = self.men(Role::Pawn).0;
        let (one, two) = self.steps(pawns);
        let (left, right) = match self.color {
            Color::White => ((pawns & !A_FILE) << 7, (pawns & !H_FILE) << 9),
            Color::Black => ((pawns & !A_FILE) >> 9, (pawns & !H_FILE) >> 7),
        };
        let (left, right) = (left & self.prey.0, right & self.prey.0);
        let mut count = [one, two, left, right].iter().map(|targets| targets.count_ones()).sum();
        if (one | left | right) & self.last_rank.0 != 0 {
            let last = [one, left, right].map(|targets| targets & self.last_rank.0);
            count += 3 * last.iter().map(|targets| targets.count_ones()).sum::<u32>();
        }
        count
    }

    #[inline]
    fn targets(&self, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => self.pawn(from),
            Role::Knight => attacks::knight(from) - self.own,
            Role::Bishop => attacks::bishop(from, self.occupied) - self.own,
            Role::Rook => attacks::rook(from, self.occupied) - self.own,
            Role::Queen => attacks::queen(from, self.occupied) - self.own,
            Role::King => (attacks::king(from) - self.own) | self.rooks,
        }
    }

    fn count(&self, role: Role, targets: Bitboard) -> u32 {
        match role {
            Role::Pawn => targets.len() + 3 * (targets & self.last_rank).len(),
            _ => targets.len(),
        }
    }

    /// The move with a number, unless it takes a king.
    #[inline]
    pub(crate) fn numbered(&self, number: u16) -> Option<Numbered> {
        let mut rest = u32::from(number);
        let pawns = self.pawn_moves();
        let found = if rest < pawns {
            self.numbered_pawn(rest)
        } else {
            rest -= pawns;
            // One after the other, so that each loop knows how its men move.
            self.among(Role::Knight, &mut rest)
                .or_else(|| self.among(Role::Bishop, &mut rest))
                .or_else(|| self.among(Role::Rook, &mut rest))
                .or_else(|| self.among(Role::Queen, &mut rest))
                .or_else(|| self.among(Role::King, &mut rest))
        };
        let king = self.board.pieces(Role::King.of(self.color.other()));
        found.filter(|found| !king.contains(found.to))
    }

    #[inline(always)]
    fn among(&self, role: Role, rest: &mut u32) -> Option<Numbered> {
        for from in self.men(role) {
            let mut targets = self.targets(role, from);
            let count = targets.len();
            if *rest < count {
                for _ in 0..*rest {
                    targets.0 &= targets.0 - 1;
                }
                let to = targets.first()?;
                return Some(Numbered { role, from, to, promotion: None });
            }
            *rest -= count;
        }
        None
    }

    fn numbered_pawn(&self, mut rest: u32) -> Option<Numbered> {
        for from in self.men(Role::Pawn) {
            for to in self.pawn(from) {
                let promotes = self.last_rank.contains(to);
                let here = if promotes { 4 } else { 1 };
                if rest < here {
                    let promotion = promotes.then_some(PROMOTIONS[rest as usize]);
                    return Some(Numbered { role: Role::Pawn, from, to, promotion });
                }
                rest -= here;
            }
        }
        None
    }
}

/// The number of a move in its position, from 0; none if no man moves so.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_db::{move_number, numbered_move};
///
/// let start = Position::initial();
/// // a2-a3 is 0, a2-a4 is 1, …; behind the sixteen of the pawns stand those of the knights.
/// let knight = start.parse_san("Nf3")?;
/// assert_eq!(move_number(&start, knight), Some(18));
/// assert_eq!(numbered_move(&start, 18), Some(knight));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn move_number(position: &Position, m: Move) -> Option<u16> {
    let board = Bare::from(position.board());
    let side = Side::of(position, &board);
    // A castling move is told by its rook.
    let to = m.castling_rook().unwrap_or(m.to());
    let moving = position.piece_at(m.from()).filter(|piece| piece.color == side.color)?.role;
    let mut number = 0;
    for role in ORDER {
        for from in side.men(role) {
            let targets = side.targets(role, from);
            if role != moving || from != m.from() {
                number += side.count(role, targets);
                continue;
            }
            if !targets.contains(to) {
                return None;
            }
            let before = Bitboard(targets.0 & (to.bitboard().0 - 1));
            number += side.count(role, before);
            if let Some(promotion) = m.promotes_to() {
                number += PROMOTIONS.iter().position(|role| *role == promotion)? as u32;
            }
            return u16::try_from(number).ok();
        }
    }
    None
}

/// The move with a number in a position; none if there are not so many. It is legal if the number was that of a legal
/// move; any other number may give a move that leaves the king in check, but never one that takes a king.
///
/// ```
/// use tabiya_chess::Position;
/// # use tabiya_db::numbered_move;
/// assert_eq!(numbered_move(&Position::initial(), 20), None);
/// ```
pub fn numbered_move(position: &Position, number: u16) -> Option<Move> {
    let board = Bare::from(position.board());
    let side = Side::of(position, &board);
    let Numbered { role, from, to, promotion } = side.numbered(number)?;
    if let Some(promotion) = promotion {
        return Move::promotion(from, to, promotion);
    }
    if role == Role::King && side.own.contains(to) {
        return Some(Move::castle(from, to)).filter(|&m| position.is_legal(m));
    }
    if role == Role::Pawn && from.file() != to.file() && !side.occupied.contains(to) {
        return Some(Move::en_passant(from, to));
    }
    Some(Move::normal(from, to))
}

#[cfg(test)]
mod tests {
    use tabiya_chess::Wing;

    use super::*;

    /// The same order, told once more without thinking of speed.
    fn slowly(position: &Position) -> Vec<Move> {
        let mut moves: Vec<Move> = position.pseudo_legal_moves().into_iter().collect();
        let rooks = Wing::ALL.map(|wing| position.castling_rook(position.turn(), wing));
        moves.retain(|m| m.kind() != tabiya_chess::MoveKind::Castle);
        let king = position.king(position.turn());
        moves.extend(rooks.into_iter().flatten().map(|rook| Move::castle(king, rook)));
        let kind = |m: &Move| position.piece_at(m.from()).map(|piece| piece.role as u8);
        let promotion =
            |m: &Move| PROMOTIONS.iter().position(|&role| Some(role) == m.promotes_to());
        let to = |m: &Move| m.castling_rook().unwrap_or(m.to()).index();
        moves.sort_by_key(|m| (kind(m), m.from().index(), to(m), promotion(m)));
        moves
    }

    #[test]
    fn moves_are_numbered_in_the_documented_order() {
        let mut random = tabiya_base::Random::new(7);
        for round in 0..200 {
            let mut here = match round % 4 {
                0 => Position::chess960(random.below(960) as u16).unwrap(),
                1 => "r3k2r/1P4P1/8/3pP3/8/8/1p4p1/R3K2R w KQkq d6 0 1".parse().unwrap(),
                _ => Position::initial(),
            };
            for _ in 0..120 {
                let all = slowly(&here);
                let legal = here.legal_moves();
                for (number, &m) in all.iter().enumerate() {
                    assert_eq!(move_number(&here, m), Some(number as u16), "{here:?} {m}");
                    if legal.contains(&m) {
                        assert_eq!(numbered_move(&here, number as u16), Some(m));
                    }
                }
                assert_eq!(numbered_move(&here, all.len() as u16), None);
                if legal.is_empty() {
                    break;
                }
                here.play_unchecked(legal[random.below(legal.len())]);
            }
        }
    }
}
