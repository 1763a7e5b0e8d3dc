//! Pseudo-legal moves: how the pieces move, before anybody asks what becomes of the king.
//!
//! The legal moves are the pseudo-legal ones that leave the own king safe. Tabiya finds legal moves
//! directly, so this slower way is for teaching, for explaining, and for checking the faster one.

use crate::{
    Board, Color, Move, MoveKind, MoveList, Piece, Position, Rank, Role, Square, Wing, attacks,
};

impl Position {
    /// The moves of the side to move by the way its pieces move. They stay on the board, do not
    /// capture their own side and do not jump (but for knights); pawns step, double-step, capture,
    /// capture en passant and promote as they may. The king steps into attacks, and castles out
    /// of, through and into them if only its right is left and the path is free.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let position: Position = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1".parse().unwrap();
    /// assert_eq!(position.pseudo_legal_moves().len(), 10 + 5);
    /// assert_eq!(position.legal_moves().len(), 3 + 3);
    /// ```
    pub fn pseudo_legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        for square in self.board().color(self.turn()) {
            self.push_pseudo_legal(square, &mut list);
        }
        list
    }

    /// The pseudo-legal moves of the piece on a square; none if it is empty or the opponent's. See
    /// [`Position::pseudo_legal_moves`].
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1".parse().unwrap();
    /// // Pinned by the queen, the rook has three legal moves: Rxe5, Re3 and Re2.
    /// assert_eq!(position.pseudo_legal_moves_from(Square::E4).len(), 10);
    /// assert_eq!(position.moves_from(Square::E4).len(), 3);
    /// ```
    pub fn pseudo_legal_moves_from(&self, square: Square) -> MoveList {
        let mut list = MoveList::new();
        self.push_pseudo_legal(square, &mut list);
        list
    }

    /// Whether a pseudo-legal move leaves the own king safe, and so is legal: after it the king is
    /// not attacked, and a king that castles was not attacked before nor on its way.
    ///
    /// ```
    /// # use tabiya_chess::{Move, Position, Square};
    /// let position: Position = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1".parse().unwrap();
    /// assert!(position.leaves_king_safe(Move::normal(Square::E4, Square::E2)));
    /// assert!(!position.leaves_king_safe(Move::normal(Square::E4, Square::A4)));
    /// ```
    pub fn leaves_king_safe(&self, m: Move) -> bool {
        let us = self.turn();
        let walk_is_safe = match m.kind() {
            MoveKind::Castle => {
                let walk = attacks::between(m.from(), m.to()) | m.from() | m.to();
                !walk.meets(self.king_danger())
            }
            _ => true,
        };
        walk_is_safe && self.board_after(m).checkers(us).is_empty()
    }

    /// The legal moves one after the other, each piece's worked out only when it is reached: for
    /// those who stop at the first that serves. [`Position::legal_moves`] gives them all faster.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let start = Position::initial();
    /// assert_eq!(start.iter_legal_moves().next().unwrap().from(), Square::B1);
    /// assert_eq!(start.iter_legal_moves().count(), 20);
    /// ```
    pub fn iter_legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.board().color(self.turn()).into_iter().flat_map(|square| self.moves_from(square))
    }

    fn push_pseudo_legal(&self, from: Square, list: &mut MoveList) {
        let board = self.board();
        match board.piece_at(from) {
            Some(piece) if piece.color == self.turn() => {
                if piece.role == Role::Pawn {
                    self.push_pawn_moves(from, list);
                    return;
                }
                let reach = attacks::piece(piece, from, board.occupied());
                list.push_all(from, reach - board.color(piece.color));
                if piece.role == Role::King {
                    self.push_castling(from, list);
                }
            }
            _ => {}
        }
    }

    fn push_pawn_moves(&self, from: Square, list: &mut MoveList) {
        let (board, us) = (self.board(), self.turn());
        let ahead = |square: Square| {
            let up = if us == Color::White { 1 } else { -1 };
            square.offset(0, up).filter(|&square| board.piece_at(square).is_none())
        };
        if let Some(step) = ahead(from) {
            push_pawn_move(from, step, list);
            let leap = ahead(step).filter(|_| from.rank() == Rank::Second.relative_to(us));
            list.push_all(from, leap.into_iter().collect());
        }
        let diagonals = attacks::pawn(us, from);
        for to in diagonals & board.color(!us) {
            push_pawn_move(from, to, list);
        }
        if let Some(to) = self.ep_square().filter(|&to| diagonals.contains(to)) {
            list.push(Move::en_passant(from, to));
        }
    }

    /// Castling with every rook that may still do so and has nothing but the king in its way, and
    /// the king nothing but the rook in its own.
    fn push_castling(&self, king: Square, list: &mut MoveList) {
        for wing in Wing::ALL {
            let Some(rook) = self.castling_rook(self.turn(), wing) else { continue };
            let rook_to = Square::new(wing.rook_file(), king.rank());
            let m = Move::castle(king, rook);
            let path =
                attacks::between(king, m.to()) | attacks::between(rook, rook_to) | m.to() | rook_to;
            if !path.meets(self.board().occupied() - king - rook) {
                list.push(m);
            }
        }
    }

    /// The pieces after a pseudo-legal move.
    fn board_after(&self, m: Move) -> Board {
        let mut board = *self.board();
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Normal => {
                board.relocate(from, to);
            }
            MoveKind::Promotion => {
                board.relocate(from, to);
                if let Some(role) = m.promotes_to() {
                    board.put(to, Piece { color: self.turn(), role });
                }
            }
            MoveKind::EnPassant => {
                board.relocate(from, to);
                board.remove(Square::new(to.file(), from.rank()));
            }
            MoveKind::Castle => {
                // King and rook may stand where the other goes: both leave before either lands.
                if let Some(rook) = m.castling_rook() {
                    let rook_to = Square::new(Wing::of(from, rook).rook_file(), from.rank());
                    board.remove(from);
                    board.remove(rook);
                    board.put(to, Role::King.of(self.turn()));
                    board.put(rook_to, Role::Rook.of(self.turn()));
                }
            }
        }
        board
    }
}

/// A pawn's move, or the four of them if it reaches the last rank.
fn push_pawn_move(from: Square, to: Square, list: &mut MoveList) {
    if !matches!(to.rank(), Rank::First | Rank::Eighth) {
        list.push(Move::normal(from, to));
        return;
    }
    for m in Role::PROMOTIONS.into_iter().filter_map(|role| Move::promotion(from, to, role)) {
        list.push(m);
    }
}

#[cfg(test)]
mod tests {
    use tabiya_base::Random;

    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    /// Targets as sorted text, each once.
    fn targets(moves: MoveList) -> String {
        let mut names: Vec<String> = moves.iter().map(|m| m.to().to_string()).collect();
        names.sort();
        names.dedup();
        names.join(" ")
    }

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = moves.into_iter().collect();
        moves.sort();
        moves
    }

    #[track_caller]
    fn assert_filter_gives_legal_moves(position: &Position) {
        let pseudo = position.pseudo_legal_moves();
        let safe = pseudo.iter().copied().filter(|&m| position.leaves_king_safe(m));
        let legal = sorted(position.legal_moves());
        assert_eq!(sorted(safe), legal, "{position}");
        assert_eq!(sorted(position.iter_legal_moves()), legal, "{position}");
        let by_square = Square::ALL.into_iter().flat_map(|s| position.pseudo_legal_moves_from(s));
        assert_eq!(sorted(by_square), sorted(pseudo), "{position}");
        for m in position.legal_moves() {
            assert_eq!(position.board_after(m), *position.play(m).unwrap().board(), "{m:?}");
        }
    }

    #[test]
    fn legal_moves_are_the_pseudo_legal_ones_that_leave_the_king_safe() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "r1b1k2r/ppppqppp/2n5/8/1PP2B2/3n1N2/1P1NPPPP/R2QKB1R w KQkq - 1 9",
            "2Q3k1/6pp/5r1q/6N1/1P5P/6P1/5P2/6K1 b - - 0 1",
            "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1",
            // En passant that uncovers the king along the rank, the diagonal, or answers a check.
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",
            "8/8/5b2/3pP3/3K4/8/8/7k w - d6 0 2",
            "8/8/8/2pP4/1K6/8/8/7k w - c6 0 2",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            // Castling out of, through and next to attacks.
            "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1",
            "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K1NR b KQkq - 0 1",
            // Promotions, with check and pinned.
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "3r4/2P5/1K6/8/8/8/8/3k4 w - - 0 1",
            "2r5/1KP4r/8/8/8/8/8/3k4 w - - 0 1",
            // Double check.
            "4k3/8/8/8/8/5n2/8/r3K3 w - - 0 1",
            // Chess960: the rook shields the king; king and rook change places.
            "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1",
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        ];
        for (i, fen) in fens.into_iter().enumerate() {
            // The position and what a while of random play makes of it.
            let mut position = position(fen);
            let mut random = Random::new(i as u64);
            for _ in 0..60 {
                assert_filter_gives_legal_moves(&position);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(random.pick(&moves).unwrap());
            }
        }
    }

    #[test]
    fn a_pinned_rook_has_ten_pseudo_legal_moves_and_three_legal_ones() {
        let position = position("4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1");
        let naive = position.pseudo_legal_moves_from(Square::E4);
        assert_eq!(targets(naive), "a4 b4 c4 d4 e2 e3 e5 f4 g4 h4");
        assert_eq!(targets(position.moves_from(Square::E4)), "e2 e3 e5");
    }

    #[test]
    fn the_twenty_first_moves() {
        let mut names: Vec<String> =
            Position::initial().pseudo_legal_moves().iter().map(Move::to_string).collect();
        names.sort();
        let expected = "a2 -> a3,a2 -> a4,b1 -> a3,b1 -> c3,b2 -> b3,b2 -> b4,c2 -> c3,c2 -> c4,\
            d2 -> d3,d2 -> d4,e2 -> e3,e2 -> e4,f2 -> f3,f2 -> f4,g1 -> f3,g1 -> h3,\
            g2 -> g3,g2 -> g4,h2 -> h3,h2 -> h4";
        assert_eq!(names.join(","), expected);
    }

    #[test]
    fn pawns_step_capture_and_promote() {
        let from = |fen: &str, square| targets(position(fen).pseudo_legal_moves_from(square));
        assert_eq!(from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Square::E2), "e3 e4");
        assert_eq!(from("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", Square::E2), "");
        assert_eq!(from("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", Square::E2), "e3");
        assert_eq!(from("4k3/8/8/8/8/3pPp2/4P3/4K3 w - - 0 1", Square::E2), "d3 f3");
        assert_eq!(from("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", Square::E3), "e4");
        assert_eq!(from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Square::E5), "d6 e6");
        assert_eq!(from("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", Square::E5), "e6");
        assert_eq!(from("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", Square::E7), "e5 e6");
        let promotes = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(promotes.pseudo_legal_moves_from(Square::A7).len(), 8);
    }

    #[test]
    fn kings_step_and_castle_into_attacks() {
        let position = position("4k3/8/8/8/8/8/6r1/4K2R w K - 0 1");
        assert_eq!(targets(position.pseudo_legal_moves_from(Square::E1)), "d1 d2 e2 f1 f2 g1");
        assert_eq!(targets(position.moves_from(Square::E1)), "d1 f1");
    }

    #[test]
    fn other_squares_have_no_moves() {
        let start = Position::initial();
        assert!(start.pseudo_legal_moves_from(Square::E4).is_empty());
        assert!(start.pseudo_legal_moves_from(Square::E7).is_empty());
        assert!(start.pseudo_legal_moves_from(Square::A1).is_empty());
    }
}
