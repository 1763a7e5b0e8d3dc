//! Endings in which the way to the win is known and too long to be looked through: a bare king against
//! pieces that can mate it. Neither a network nor the evaluation by hand tells the steps apart there.

use tabiya_chess::{Bitboard, Board, Color, Position, Role, Square};

/// What a win is worth before any progress: more than any evaluation, less than a mate that is seen.
const WON: i32 = 2_500;

/// The worth of the position for the side to move, if it is such an ending.
#[inline]
pub(crate) fn known(position: &Position) -> Option<i32> {
    let board = position.board();
    let stronger = match (board.color(Color::White).len(), board.color(Color::Black).len()) {
        (_, 1) => Color::White,
        (1, _) => Color::Black,
        _ => return None,
    };
    let score = progress(board, stronger)?;
    Some(if position.turn() == stronger { score } else { -score })
}

/// How near to mate the stronger side is; nothing if its pieces cannot mate, or need a pawn to.
#[cold]
fn progress(board: &Board, stronger: Color) -> Option<i32> {
    let pieces = |role: Role| board.pieces(role.of(stronger));
    let bishops = pieces(Role::Bishop);
    let [pawns, knights, rooks, queens] =
        [Role::Pawn, Role::Knight, Role::Rook, Role::Queen].map(|role| pieces(role).len() as i32);
    let [dark, light] =
        [!Bitboard::LIGHT, Bitboard::LIGHT].map(|half| !(bishops & half).is_empty());
    let heavy = rooks + queens > 0;
    let minor = (dark && light) || ((dark || light) && knights > 0);
    if !heavy && (!minor || pawns > 0) {
        return None;
    }
    let (own, bare) = (board.king(stronger)?, board.king(!stronger)?);
    let drive = match heavy || (dark && light) {
        true => 20 * from_centre(bare),
        // Bishop and knight mate in the corners that the bishop reaches, and nowhere else.
        false => 60 * (7 - to_corner(bare, dark)),
    };
    let force = pawns + 3 * (knights + bishops.len() as i32) + 5 * rooks + 9 * queens;
    Some(WON + 20 * force.min(27) + drive + 8 * (14 - steps(own, bare)))
}

fn place(square: Square) -> (i32, i32) {
    (square.file().index() as i32, square.rank().index() as i32)
}

/// How far a square is from the middle of the board: 0 in the centre, 6 in a corner.
fn from_centre(square: Square) -> i32 {
    let (file, rank) = place(square);
    let off = |way: i32| (3 - way).max(way - 4);
    off(file) + off(rank)
}

/// How far a king is from the nearer of the two corners of a colour: 0 there, 7 on the long diagonal
/// between the other two.
fn to_corner(square: Square, dark: bool) -> i32 {
    let (file, rank) = place(square);
    let across = if dark { file + rank - 7 } else { file - rank };
    7 - across.abs()
}

/// How far apart two squares are, along ranks and files.
fn steps(a: Square, b: Square) -> i32 {
    let ((file, rank), (other_file, other_rank)) = (place(a), place(b));
    (file - other_file).abs() + (rank - other_rank).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(fen: &str) -> Option<i32> {
        known(&fen.parse().unwrap())
    }

    #[test]
    fn only_bare_kings_that_can_be_mated_are_known() {
        for fen in [
            "8/8/4k3/8/8/8/8/K6B w - - 0 1",
            "8/8/4k3/8/8/8/8/KN5N w - - 0 1",
            "8/8/4k3/8/8/8/8/KB1B4 w - - 0 1",
            "8/8/4k3/8/8/8/P7/K7 w - - 0 1",
            "8/8/4k3/8/8/8/P7/KB1N4 w - - 0 1",
            "8/p7/4k3/8/8/8/8/K6Q w - - 0 1",
            "8/8/4k3/8/8/8/8/K7 w - - 0 1",
        ] {
            assert_eq!(worth(fen), None, "{fen}");
        }
        for fen in ["8/8/4k3/8/8/8/8/K6Q w - - 0 1", "8/8/4K3/8/8/8/8/kr6 b - - 0 1"] {
            assert!(worth(fen).is_some_and(|score| score > WON), "{fen}");
        }
        assert!(worth("8/8/4k3/8/8/8/8/K6Q b - - 0 1").is_some_and(|score| score < -WON));
    }

    #[test]
    fn bishop_and_knight_know_their_corners() {
        // The bishop is on a dark square: a1 and h8 are the corners to go for.
        let right = worth("7k/8/5K2/8/8/8/8/2B1N3 w - - 0 1");
        let wrong = worth("k7/8/2K5/8/8/8/8/2B1N3 w - - 0 1");
        assert!(right > wrong, "{right:?} {wrong:?}");
        // And the mirror image, with a bishop on a light square.
        let right = worth("k7/8/2K5/8/8/8/8/3N1B2 w - - 0 1");
        let wrong = worth("7k/8/5K2/8/8/8/8/3N1B2 w - - 0 1");
        assert!(right > wrong, "{right:?} {wrong:?}");
    }

    #[test]
    fn the_edge_and_the_king_at_hand_are_progress() {
        let centre = worth("8/8/8/4k3/8/8/8/K6R w - - 0 1");
        let edge = worth("4k3/8/8/8/8/8/8/K6R w - - 0 1");
        let near = worth("4k3/8/4K3/8/8/8/8/7R w - - 0 1");
        assert!(centre < edge && edge < near, "{centre:?} {edge:?} {near:?}");
    }
}
