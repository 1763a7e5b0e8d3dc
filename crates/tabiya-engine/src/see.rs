//! Static exchange evaluation (SEE) against a threshold: what a capture wins when both sides take back with
//! their least valuable attacker as long as it pays. The board is not played on: attackers, with those that
//! stand behind (X-rays), are taken off one by one while the balance is kept.

use tabiya_chess::{Bitboard, Color, Move, MoveKind, Position, Role, Square, attacks};

/// What pieces are worth in exchanges, in centipawns.
pub(crate) const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 0,
    }
}

/// Whether a legal move wins at least `threshold` centipawns by exchanges on its target square.
pub(crate) fn wins_at_least(position: &Position, m: Move, threshold: i32) -> bool {
    let board = position.board();
    let to = m.to();
    let Some(mut next) = board.piece_at(m.from()).map(|piece| piece.role) else { return false };
    let mut balance = -threshold;
    match m.kind() {
        MoveKind::Castle => return threshold <= 0,
        MoveKind::EnPassant => balance += value(Role::Pawn),
        _ => {
            if let Some(captured) = board.piece_at(to) {
                balance += value(captured.role);
            }
        }
    }
    if let Some(role) = m.promotes_to() {
        balance += value(role) - value(Role::Pawn);
        next = role;
    }
    if balance < 0 {
        return false;
    }
    // The worst case: the piece that moves is lost.
    balance -= value(next);
    if balance >= 0 {
        return true;
    }

    let diagonals = board.role(Role::Bishop) | board.role(Role::Queen);
    let orthogonals = board.role(Role::Rook) | board.role(Role::Queen);
    let mut occupied = (board.occupied() - m.from()) | to;
    if m.kind() == MoveKind::EnPassant {
        occupied.remove(Square::new(to.file(), m.from().rank()));
    }
    let pawns = attacks::pawn(Color::White, to) & board.pieces(Role::Pawn.of(Color::Black))
        | attacks::pawn(Color::Black, to) & board.pieces(Role::Pawn.of(Color::White));
    let mut attackers = pawns
        | attacks::knight(to) & board.role(Role::Knight)
        | attacks::king(to) & board.role(Role::King)
        | attacks::bishop(to, occupied) & diagonals
        | attacks::rook(to, occupied) & orthogonals;
    let mut side = !position.turn();
    loop {
        attackers &= occupied;
        let own = attackers & board.color(side);
        let Some((from, role)) = least_valuable_attacker(position, own, side) else { break };
        // A king takes only what nobody defends.
        if role == Role::King && (attackers & board.color(!side)).any() {
            break;
        }
        occupied.remove(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(to, occupied) & diagonals;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(to, occupied) & orthogonals;
        }
        side = !side;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
    }
    // The side that cannot, or need not, take back has lost the exchange.
    side != position.turn()
}

fn least_valuable_attacker(
    position: &Position,
    among: Bitboard,
    color: Color,
) -> Option<(Square, Role)> {
    if among.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| {
        (among & position.board().pieces(role.of(color))).first().map(|square| (square, role))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gain of a move by playing out every legal capture on its target square. (It knows of pins, which
    /// SEE does not: there are none below.)
    fn played_out(position: &Position, m: Move) -> i32 {
        let captured = match m.kind() {
            MoveKind::EnPassant => value(Role::Pawn),
            MoveKind::Castle => 0,
            _ => position.piece_at(m.to()).map_or(0, |piece| value(piece.role)),
        };
        let promoted = m.promotes_to().map_or(0, |role| value(role) - value(Role::Pawn));
        let next = position.play(m).unwrap();
        let answers = next.tactical_moves();
        let answers = answers.iter().filter(|answer| answer.to() == m.to());
        let best = answers.map(|&answer| played_out(&next, answer)).max().unwrap_or(0);
        captured + promoted - best.max(0)
    }

    #[test]
    fn exchanges_are_judged() {
        for (fen, m, gain) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", 100 - 320),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", 100 - 500),
            ("4k3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100 - 500 + 100),
            ("4k3/8/2n5/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 850),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", -100),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", 0),
            ("8/8/8/3k4/4p3/8/8/4RK2 w - - 0 1", "Rxe4", 100 - 500),
        ] {
            let position: Position = fen.parse().unwrap();
            let m = position.parse_san(m).unwrap();
            assert!(wins_at_least(&position, m, gain), "{fen} {m} should win {gain}");
            assert!(!wins_at_least(&position, m, gain + 1), "{fen} {m} should not win more");
            assert_eq!(played_out(&position, m), gain, "{fen} {m}");
        }
    }
}
