use tabiya_chess::{Move, MoveList, Position};

use super::profile::{Work, measure};

/// The legal moves in the order of a dictionary of their squares, a2a3 first. How they were generated
/// does not matter, so runs repeat exactly.
pub(super) fn ordered_moves(position: &Position) -> MoveList {
    let mut moves = measure(Work::Moves, || position.legal_moves());
    measure(Work::Ordering, || moves.sort_unstable_by_key(|&m| spelling(m)));
    moves
}

/// File and rank from, file and rank to; the move's own bits tell promotions apart.
fn spelling(m: Move) -> u32 {
    let (from, to) = (m.from(), m.to());
    let squares = [from.file().index(), from.rank().index(), to.file().index(), to.rank().index()];
    let number = squares.into_iter().fold(0, |number, part| number << 3 | part as u32);
    number << 16 | u32::from(m.bits())
}

/// The position after a legal move.
pub(super) fn after(position: &Position, m: Move) -> Position {
    measure(Work::Playing, || {
        let mut next = *position;
        next.play_unchecked(m);
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_in_the_order_of_their_text() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let text: Vec<String> =
                ordered_moves(&position).iter().map(|&m| position.uci(m)).collect();
            assert!(text.is_sorted(), "{text:?}");
            assert_eq!(text.len() as u64, position.count_legal_moves());
        }
    }
}
