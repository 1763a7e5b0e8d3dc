//! The order in which the moves of a position are numbered.
//!
//! Pawns first, then knights, bishops, rooks, queens and the king; among men of one kind the one on the lower square
//! first (a1, b1 … h8), and the moves of one man by the square they go to. A pawn that reaches the last rank has
//! four moves there: queen, rook, bishop, knight. What counts is how men move and what stands in their way, not whether
//! the king is left in check, so that no move has to be tried: captures of a pawn need a man to take or the square
//! that was passed over by the last double step, and the king may go to each of its rooks with which it still has
//! the right to castle.

use tabiya_chess::{Bitboard, Color, Move, Position, Rank, Role, Square, Wing, attacks};

const ORDER: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// What is known of a position before any man of it is looked at.
struct Side {
    color: Color,
    own: Bitboard,
    occupied: Bitboard,
    /// What a pawn may take.
    prey: Bitboard,
    last_rank: Bitboard,
}

impl Side {
    fn of(position: &Position) -> Side {
        let board = position.board();
        let color = position.turn();
        let passed = position.ep_square().map_or(Bitboard::EMPTY, Square::bitboard);
        Side {
            color,
            own: board.color(color),
            occupied: board.occupied(),
            prey: board.color(color.other()) | passed,
            last_rank: Bitboard::from(Rank::Eighth.relative_to(color)),
        }
    }

    fn pawn(&self, from: Square) -> Bitboard {
        let (one, home) = match self.color {
            Color::White => (from.bitboard().0 << 8, from.rank() == Rank::Second),
            Color::Black => (from.bitboard().0 >> 8, from.rank() == Rank::Seventh),
        };
        let one = one & !self.occupied.0;
        let two = match (home, self.color) {
            (false, _) => 0,
            (true, Color::White) => one << 8 & !self.occupied.0,
            (true, Color::Black) => one >> 8 & !self.occupied.0,
        };
        (attacks::pawn(self.color, from) & self.prey) | Bitboard(one | two)
    }

    fn targets(&self, position: &Position, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => self.pawn(from),
            Role::Knight => attacks::knight(from) - self.own,
            Role::Bishop => attacks::bishop(from, self.occupied) - self.own,
            Role::Rook => attacks::rook(from, self.occupied) - self.own,
            Role::Queen => attacks::queen(from, self.occupied) - self.own,
            Role::King => {
                let mut targets = attacks::king(from) - self.own;
                for wing in Wing::ALL {
                    if let Some(rook) = position.castling_rook(self.color, wing) {
                        targets.insert(rook);
                    }
                }
                targets
            }
        }
    }

    fn count(&self, role: Role, targets: Bitboard) -> u32 {
        match role {
            Role::Pawn => targets.len() + 3 * (targets & self.last_rank).len(),
            _ => targets.len(),
        }
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
    let side = Side::of(position);
    // A castling move is told by its rook.
    let to = m.castling_rook().unwrap_or(m.to());
    let moving = position.piece_at(m.from()).filter(|piece| piece.color == side.color)?.role;
    let mut number = 0;
    for role in ORDER {
        for from in position.board().pieces(role.of(side.color)) {
            let targets = side.targets(position, role, from);
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
    let side = Side::of(position);
    let mut rest = u32::from(number);
    for role in ORDER {
        for from in position.board().pieces(role.of(side.color)) {
            let targets = side.targets(position, role, from);
            let count = side.count(role, targets);
            if rest < count {
                return chosen(position, &side, role, from, targets, rest);
            }
            rest -= count;
        }
    }
    None
}

fn chosen(
    position: &Position,
    side: &Side,
    role: Role,
    from: Square,
    targets: Bitboard,
    mut rest: u32,
) -> Option<Move> {
    for to in targets {
        let promotes = role == Role::Pawn && side.last_rank.contains(to);
        let here = if promotes { 4 } else { 1 };
        if rest >= here {
            rest -= here;
            continue;
        }
        if to == position.king(side.color.other()) {
            return None;
        }
        if promotes {
            return Move::promotion(from, to, PROMOTIONS[rest as usize]);
        }
        if role == Role::King && side.own.contains(to) {
            return Some(Move::castle(from, to)).filter(|&m| position.is_legal(m));
        }
        if role == Role::Pawn && from.file() != to.file() && !side.occupied.contains(to) {
            return Some(Move::en_passant(from, to));
        }
        return Some(Move::normal(from, to));
    }
    None
}

#[cfg(test)]
mod tests {
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
