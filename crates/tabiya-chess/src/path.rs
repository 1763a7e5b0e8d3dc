use crate::{Board, Color, PlacedPiece, Position, Rank, Role, Square};

/// One of the ways a piece goes from its square: a rook has four, a knight eight of a single step, a
/// pawn three (two squares forward, and its two captures).
///
/// The squares are listed outward and end only at the edge of the board, whatever stands on them;
/// the questions then tell how far the piece really gets.
///
/// ```
/// use tabiya_chess::{Position, Square};
///
/// let position: Position = "4k3/8/8/6n1/8/3B4/4P3/4K3 w - - 0 1".parse().unwrap();
/// let paths: Vec<_> = position.paths(Square::D3).collect();
/// assert_eq!(paths.len(), 4);
///
/// let south_east = paths[1];
/// assert!(south_east.squares().eq([Square::E2, Square::F1]));
/// assert!(south_east.is_obstructed() && south_east.is_dead());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    origin: PlacedPiece,
    offset: (i8, i8),
    steps: usize,
    /// How many of the squares the piece can go to; they are the first.
    reach: usize,
    obstructed: bool,
    capture: Option<Square>,
}

impl Path {
    fn new(
        board: &Board,
        origin: PlacedPiece,
        offset: (i8, i8),
        ep_square: Option<Square>,
    ) -> Path {
        let PlacedPiece { piece, square } = origin;
        let pawn = piece.role == Role::Pawn;
        let pawn_step = pawn && offset.0 == 0;
        let pawn_capture = pawn && offset.0 != 0;
        let steps = match piece.role {
            role if role.slides() => 7,
            _ if pawn_step => 2,
            _ => 1,
        };
        // A pawn takes nothing on its way forward, so there everybody is in its way.
        let in_the_way = |square: Square| {
            board.piece_at(square).is_some_and(|other| other.color == piece.color || pawn_step)
        };
        let mut path = Path { origin, offset, steps, reach: 0, obstructed: false, capture: None };
        path.obstructed = path.squares().any(in_the_way);
        for to in path.squares().take_while(|&to| !in_the_way(to)) {
            path.capture = match board.piece_at(to) {
                Some(_) => Some(to),
                None if pawn_capture && ep_square == Some(to) => {
                    Some(Square::new(to.file(), square.rank()))
                }
                None => None,
            };
            if pawn_capture && path.capture.is_none() {
                break;
            }
            path.reach += 1;
            let home = square.rank() == Rank::Second.relative_to(piece.color);
            if path.capture.is_some() || (pawn_step && !home) {
                break;
            }
        }
        path
    }

    /// The piece and where it starts.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// let path = Board::initial().paths(Square::B1).next().unwrap();
    /// assert_eq!(path.origin().to_string(), "wn@b1");
    /// ```
    pub const fn origin(&self) -> PlacedPiece {
        self.origin
    }

    /// One step as (files, ranks).
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// let path = Board::initial().paths(Square::E7).next().unwrap();
    /// assert_eq!(path.offset(), (0, -1));
    /// ```
    pub const fn offset(&self) -> (i8, i8) {
        self.offset
    }

    /// How many steps the piece could take if the board had no edge: 7 for a slider, 2 for a pawn
    /// going forward, otherwise 1.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// let board = Board::initial();
    /// assert!(board.paths(Square::E2).map(|path| path.steps()).eq([2, 1, 1]));
    /// ```
    pub const fn steps(&self) -> usize {
        self.steps
    }

    /// The squares outward from the piece, occupied or not, as far as the board goes.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// let east = Board::initial().paths(Square::F1).next().unwrap();
    /// assert!(east.squares().eq([Square::G2, Square::H3]));
    /// ```
    pub fn squares(&self) -> impl Iterator<Item = Square> + Clone + use<> {
        let (files, ranks) = self.offset;
        let first = self.origin.square.offset(files, ranks);
        core::iter::successors(first, move |square| square.offset(files, ranks)).take(self.steps)
    }

    /// The squares the piece can go to by the way it moves, its king's safety aside: up to the
    /// first piece, and onto it if that is an enemy. A pawn goes forward to empty squares (two only
    /// from its first rank), and diagonally only to capture.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// let board = Board::initial();
    /// let forward = board.paths(Square::E2).next().unwrap();
    /// assert!(forward.reachable().eq([Square::E3, Square::E4]));
    /// ```
    pub fn reachable(&self) -> impl Iterator<Item = Square> + Clone + use<> {
        self.squares().take(self.reach)
    }

    /// Whether a friend stands somewhere on it, or anybody on a pawn's way forward.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// assert!(Board::initial().paths(Square::A1).next().unwrap().is_obstructed());
    /// ```
    pub const fn is_obstructed(&self) -> bool {
        self.obstructed
    }

    /// The enemy piece it can take: the first met, if no friend comes before. En passant this is
    /// the pawn beside, not the square gone to.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1".parse().unwrap();
    /// let north = position.paths(Square::E4).next().unwrap();
    /// assert_eq!(north.capture(), Some(Square::E5));
    /// ```
    pub const fn capture(&self) -> Option<Square> {
        self.capture
    }

    /// Whether the piece can go nowhere on it: it leaves the board at once, or a friend stands in
    /// front.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// let board = Board::initial();
    /// assert_eq!(board.paths(Square::B1).filter(|path| !path.is_dead()).count(), 2);
    /// ```
    pub const fn is_dead(&self) -> bool {
        self.reach == 0
    }
}

impl Board {
    /// The paths of the piece on a square, none if it is empty. A board knows nothing of en passant:
    /// for that ask [`Position::paths`].
    ///
    /// ```
    /// # use tabiya_chess::{Board, Square};
    /// let board = Board::initial();
    /// assert_eq!(board.paths(Square::D1).count(), 8);
    /// assert_eq!(board.paths(Square::E4).count(), 0);
    /// ```
    pub fn paths(&self, square: Square) -> impl Iterator<Item = Path> + '_ {
        paths(self, square, None)
    }
}

impl Position {
    /// The paths of the piece on a square, of either side, none if it is empty. Castling is not on
    /// any path.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".parse().unwrap();
    /// let en_passant = position.paths(Square::E5).last().unwrap();
    /// assert!(en_passant.reachable().eq([Square::D6]));
    /// assert_eq!(en_passant.capture(), Some(Square::D5));
    /// ```
    pub fn paths(&self, square: Square) -> impl Iterator<Item = Path> + '_ {
        let own = self.board().color(self.turn()).contains(square);
        paths(self.board(), square, self.ep_square().filter(|_| own))
    }
}

fn paths(
    board: &Board,
    square: Square,
    ep_square: Option<Square>,
) -> impl Iterator<Item = Path> + '_ {
    let piece = board.piece_at(square).into_iter();
    piece.flat_map(move |piece| {
        let pawn_downwards = piece.role == Role::Pawn && piece.color == Color::Black;
        piece.role.offsets().iter().map(move |&(files, ranks)| {
            let offset = if pawn_downwards { (files, -ranks) } else { (files, ranks) };
            Path::new(board, PlacedPiece { piece, square }, offset, ep_square)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bitboard;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    fn names(squares: impl Iterator<Item = Square>) -> String {
        squares.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_rook_in_the_centre_has_four_paths_outward() {
        let position = position("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1");
        let paths: Vec<String> = position.paths(Square::D4).map(|p| names(p.squares())).collect();
        assert_eq!(paths, ["d5 d6 d7 d8", "e4 f4 g4 h4", "d3 d2 d1", "c4 b4 a4"]);
    }

    #[test]
    fn every_piece_has_its_number_of_paths_even_off_the_board() {
        for (letter, count, dead) in
            [('P', 3, 3), ('N', 8, 6), ('B', 4, 3), ('R', 4, 2), ('Q', 8, 5), ('K', 8, 5)]
        {
            let mut board = Board::empty();
            board.put(Square::A8, crate::Piece::from_letter(letter).unwrap());
            assert_eq!(board.paths(Square::A8).count(), count, "{letter}");
            assert_eq!(board.paths(Square::A8).filter(Path::is_dead).count(), dead, "{letter}");
        }
    }

    #[test]
    fn friends_stop_before_and_enemies_on_their_square() {
        // Rook e2: own pawn e5 to the north, black knight c2 and black rook a2 to the west.
        let position = position("4k3/8/8/4P3/8/8/r1n1R3/4K3 w - - 0 1");
        let paths: Vec<Path> = position.paths(Square::E2).collect();
        let [north, east, south, west] = paths[..] else { panic!("four paths") };
        assert_eq!(names(north.reachable()), "e3 e4");
        assert!(north.is_obstructed() && !north.is_dead());
        assert_eq!(north.capture(), None);
        assert_eq!(names(east.reachable()), "f2 g2 h2");
        assert!(!east.is_obstructed());
        assert!(south.is_obstructed() && south.is_dead());
        assert_eq!(names(west.squares()), "d2 c2 b2 a2");
        assert_eq!(names(west.reachable()), "d2 c2");
        assert_eq!(west.capture(), Some(Square::C2));
        assert!(!west.is_obstructed());
    }

    #[test]
    fn an_enemy_behind_a_friend_is_no_capture() {
        let position = position("3k4/8/8/8/8/8/r1N1R3/4K3 w - - 0 1");
        let west = position.paths(Square::E2).last().unwrap();
        assert_eq!((west.capture(), names(west.reachable())), (None, "d2".to_owned()));
    }

    #[test]
    fn pawns_go_forward_and_capture_diagonally() {
        let reach = |fen: &str, square| -> Vec<String> {
            position(fen).paths(square).map(|path| names(path.reachable())).collect()
        };
        assert_eq!(reach("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", Square::E2), ["e3 e4", "", "d3"]);
        assert_eq!(reach("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", Square::E3), ["e4", "", ""]);
        assert_eq!(reach("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", Square::E2), ["", "", ""]);
        assert_eq!(reach("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", Square::E2), ["e3", "", ""]);
        assert_eq!(reach("4k3/4p3/5P2/8/8/8/8/4K3 b - - 0 1", Square::E7), ["e6 e5", "f6", ""]);
        assert_eq!(reach("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Square::E5), ["e6", "", "d6"]);
        // The square passed over is only for the side to move.
        assert_eq!(reach("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Square::D5), ["d4", "", ""]);
        let squares = position("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1");
        let squares: Vec<String> = squares.paths(Square::E3).map(|p| names(p.squares())).collect();
        assert_eq!(squares, ["e4 e5", "f4", "d4"]);
    }

    #[test]
    fn the_reachable_squares_are_the_pseudo_legal_targets() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b - a3 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position = position(fen);
            for square in position.board().color(position.turn()) {
                let moves = position.pseudo_legal_moves_from(square);
                let targets: Bitboard = moves.iter().map(|m| m.to()).collect();
                let reach: Bitboard = position.paths(square).flat_map(|p| p.reachable()).collect();
                assert_eq!(reach, targets, "{square} in {fen}");
            }
        }
    }
}
