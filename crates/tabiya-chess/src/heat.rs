use crate::{Bitboard, Board, Color, Observer, Piece, Square, attacks};

/// How many pieces of each colour attack each square.
///
/// It is worked out from a board, and then follows a game as an [`Observer`]: a piece that enters a
/// line shortens it, one that leaves it opens it again.
///
/// ```
/// use tabiya_chess::{Color, HeatMap, Move, Position, Square};
///
/// let mut position = Position::initial();
/// let mut heat = position.heat_map();
/// assert_eq!(heat.count(Color::White, Square::F3), 3);
///
/// // The bishop and the queen now look at the squares behind the pawn.
/// position.play_observed(Move::normal(Square::E2, Square::E4), &mut heat);
/// assert_eq!(heat.count(Color::White, Square::F3), 3);
/// assert_eq!(heat.count(Color::White, Square::D5), 1);
/// assert_eq!(heat.count(Color::White, Square::H5), 1);
/// assert_eq!(heat, HeatMap::of(position.board()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeatMap {
    counts: [[u8; 64]; 2],
    board: Board,
}

impl HeatMap {
    /// The heat map of a board.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, HeatMap, Square};
    /// assert_eq!(HeatMap::of(&Board::empty()).count(Color::White, Square::E4), 0);
    /// ```
    pub fn of(board: &Board) -> HeatMap {
        let mut map = HeatMap { counts: [[0; 64]; 2], board: *board };
        for placed in board.iter() {
            let reach = attacks::piece(placed.piece, placed.square, board.occupied());
            map.heat(placed.piece.color, reach);
        }
        map
    }

    /// The number of pieces of a colour that attack a square.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square};
    /// let heat = Position::initial().heat_map();
    /// assert_eq!(heat.count(Color::Black, Square::F6), 3);
    /// assert_eq!(heat.count(Color::White, Square::F6), 0);
    /// ```
    pub fn count(&self, color: Color, square: Square) -> u8 {
        self.counts[color as usize][square.index()]
    }

    fn heat(&mut self, color: Color, squares: Bitboard) {
        for square in squares {
            let count = &mut self.counts[color as usize][square.index()];
            *count = count.saturating_add(1);
        }
    }

    fn cool(&mut self, color: Color, squares: Bitboard) {
        for square in squares {
            let count = &mut self.counts[color as usize][square.index()];
            *count = count.saturating_sub(1);
        }
    }

    /// Calls `change` for every line of a slider that goes on behind a square when it is empty,
    /// with the slider's colour and the squares behind.
    fn each_line_through(
        &mut self,
        square: Square,
        change: impl Fn(&mut HeatMap, Color, Bitboard),
    ) {
        let open = self.board.occupied() - square;
        let blocked = open | square;
        for color in Color::ALL {
            let army = *self.board.army(color);
            for slider in attacks::bishop(square, open) & Bitboard(army.diagonals) {
                let behind = attacks::bishop(slider, open) - attacks::bishop(slider, blocked);
                change(self, color, behind);
            }
            for slider in attacks::rook(square, open) & Bitboard(army.orthogonals) {
                let behind = attacks::rook(slider, open) - attacks::rook(slider, blocked);
                change(self, color, behind);
            }
        }
    }
}

impl Observer for HeatMap {
    fn added(&mut self, piece: Piece, square: Square) {
        self.each_line_through(square, HeatMap::cool);
        self.heat(piece.color, attacks::piece(piece, square, self.board.occupied()));
        self.board.put(square, piece);
    }

    fn removed(&mut self, piece: Piece, square: Square) {
        self.board.remove(square);
        self.cool(piece.color, attacks::piece(piece, square, self.board.occupied()));
        self.each_line_through(square, HeatMap::heat);
    }
}

#[cfg(test)]
mod tests {
    use tabiya_base::Random;

    use super::*;
    use crate::Position;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    /// Plays random moves and compares after each.
    fn follow(fen: &str, seed: u64) {
        let mut random = Random::new(seed);
        let mut position = position(fen);
        let mut heat = position.heat_map();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return;
            }
            let m = random.pick(&moves).unwrap();
            position.play_observed(m, &mut heat);
            assert_eq!(heat, HeatMap::of(position.board()), "after {m:?} in {position}");
        }
    }

    #[test]
    fn the_heat_map_follows_games_move_by_move() {
        for seed in 0..20 {
            follow("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", seed);
            follow("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", seed);
            follow("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", seed);
            follow(&Position::chess960(seed as u16 * 48).unwrap().fen(), seed);
        }
    }

    #[test]
    fn the_heat_map_survives_castling_onto_each_others_squares() {
        for fen in ["4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "4k3/8/8/8/8/8/8/q2RK1R1 w DG - 0 1"] {
            let start = position(fen);
            for m in start.legal_moves() {
                let (mut next, mut heat) = (start, start.heat_map());
                next.play_observed(m, &mut heat);
                for color in Color::ALL {
                    for square in Square::ALL {
                        let attackers = next.attackers(square, color).len();
                        assert_eq!(u32::from(heat.count(color, square)), attackers, "{m:?}");
                    }
                }
            }
        }
    }
}
