//! What a player asks about a position: who gives check, what is pinned, what is attacked.

use crate::{Bitboard, Board, Color, Direction, HeatMap, Piece, Position, Square, attacks};

/// A piece that must not leave the line between its king and an enemy slider.
///
/// ```
/// use tabiya_chess::{Direction, Position, Square};
///
/// let position: Position = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1".parse().unwrap();
/// let pin = position.pins().next().unwrap();
/// assert_eq!((pin.king, pin.pinned, pin.pinner), (Square::E1, Square::E4, Square::E5));
/// assert_eq!(pin.direction, Direction::North);
/// assert!(pin.line.contains(Square::E2) && !pin.line.contains(Square::E6));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pin {
    /// The king behind the pinned piece.
    pub king: Square,
    /// The piece that shields it.
    pub pinned: Square,
    /// The enemy bishop, rook or queen that would give check otherwise.
    pub pinner: Square,
    /// The way from the king to the pinner.
    pub direction: Direction,
    /// Where the pinned piece may still stand: all squares from the king to the pinner, the
    /// pinner's included.
    pub line: Bitboard,
}

impl Board {
    /// Whether a colour attacks a square, be it empty, its own or the opponent's.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color, Square};
    /// assert!(Board::initial().is_attacked(Square::F3, Color::White));
    /// assert!(!Board::initial().is_attacked(Square::E4, Color::White));
    /// ```
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.attackers(square, by, self.occupied()).any()
    }

    /// The slider of a colour that attacks a square from a direction: the first piece met on the
    /// way out, if it is one that moves along that line.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Direction, Position, Square};
    /// let position: Position = "4k3/8/8/4q3/8/8/8/r3K3 w - - 0 1".parse().unwrap();
    /// let board = position.board();
    /// let from = |way| board.attacker_along(Square::E1, way, Color::Black);
    /// assert_eq!(from(Direction::North), Some(Square::E5));
    /// assert_eq!(from(Direction::West), Some(Square::A1));
    /// assert_eq!(from(Direction::East), None);
    /// ```
    pub fn attacker_along(&self, square: Square, way: Direction, by: Color) -> Option<Square> {
        let (first, piece) = self.along(square, way).next()?;
        (piece.color == by && piece.role.slides_along(way)).then_some(first)
    }

    /// The pieces met on the way out from a square.
    fn along(&self, square: Square, way: Direction) -> impl Iterator<Item = (Square, Piece)> + '_ {
        square.ray(way).filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The pieces that give check to a colour's king.
    ///
    /// ```
    /// # use tabiya_chess::{Board, Color};
    /// assert!(Board::initial().checkers(Color::White).is_empty());
    /// ```
    pub fn checkers(&self, color: Color) -> Bitboard {
        match self.king(color) {
            Some(king) => self.attackers(king, !color, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// All squares a colour attacks: where it could capture if an enemy stood there. The squares of
    /// its own pieces count when another piece defends them; a pawn's step forward does not.
    ///
    /// ```
    /// # use tabiya_chess::{Bitboard, Board, Color, Rank, Square};
    /// let threats = Board::initial().threat_map(Color::White);
    /// let behind = (Bitboard::from(Rank::First) | Rank::Second) - Square::A1 - Square::H1;
    /// assert_eq!(threats, behind | Rank::Third);
    /// ```
    pub fn threat_map(&self, color: Color) -> Bitboard {
        self.threats(color, self.occupied())
    }

    fn threats(&self, color: Color, blockers: Bitboard) -> Bitboard {
        self.iter()
            .filter(|placed| placed.piece.color == color)
            .map(|placed| attacks::piece(placed.piece, placed.square, blockers))
            .sum()
    }

    /// Where a colour's king would be in check. The king itself hides no square: one that flees
    /// from a rook along the rook's line is still in check.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1".parse().unwrap();
    /// let board = position.board();
    /// assert!(!board.threat_map(Color::Black).contains(Square::F1));
    /// assert!(board.king_danger(Color::White).contains(Square::F1));
    /// ```
    pub fn king_danger(&self, color: Color) -> Bitboard {
        self.threats(!color, self.occupied() - Bitboard(self.army(color).kings))
    }

    /// The pins of a colour's pieces to their king, clockwise from the one to the north.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square};
    /// let position: Position = "4k3/8/8/4q3/4R3/2n5/8/4K3 w - - 0 1".parse().unwrap();
    /// // Rook and queen pin each other.
    /// assert!(position.board().pins(Color::White).map(|pin| pin.pinned).eq([Square::E4]));
    /// assert!(position.board().pins(Color::Black).map(|pin| pin.pinned).eq([Square::E5]));
    /// ```
    pub fn pins(&self, color: Color) -> impl Iterator<Item = Pin> + '_ {
        let king = self.king(color).into_iter();
        king.flat_map(move |king| {
            Direction::ALL.into_iter().filter_map(move |way| self.pin(color, king, way))
        })
    }

    fn pin(&self, color: Color, king: Square, direction: Direction) -> Option<Pin> {
        let mut pieces = self.along(king, direction);
        let (pinned, shield) = pieces.next()?;
        let (pinner, slider) = pieces.next()?;
        let line = attacks::between(king, pinner) | pinner;
        let is_pin =
            shield.color == color && slider.color != color && slider.role.slides_along(direction);
        is_pin.then_some(Pin { king, pinned, pinner, direction, line })
    }
}

impl Position {
    /// Whether the side to move is in check.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// let position: Position = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1".parse().unwrap();
    /// assert!(position.is_check());
    /// assert!(!Position::initial().is_check());
    /// ```
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// The pieces that give check to the side to move: none, one, or two. The direction of a check
    /// is that from the king to the piece, none for a knight's.
    ///
    /// ```
    /// # use tabiya_chess::{Direction, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/5n2/8/r3K3 w - - 0 1".parse().unwrap();
    /// assert_eq!(position.checkers(), Square::A1.bitboard() | Square::F3);
    /// assert_eq!(Square::E1.direction_to(Square::A1), Some(Direction::West));
    /// ```
    pub fn checkers(&self) -> Bitboard {
        let king = self.king(self.turn());
        self.attackers(king, !self.turn())
    }

    /// The pieces of a colour that attack a square.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square};
    /// let attackers = Position::initial().attackers(Square::C6, Color::Black);
    /// assert_eq!(attackers, Square::B8.bitboard() | Square::B7 | Square::D7);
    /// ```
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.board().attackers(square, by, self.board().occupied())
    }

    /// Whether a colour attacks a square. See [`Board::is_attacked`].
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square};
    /// assert!(Position::initial().is_attacked(Square::H6, Color::Black));
    /// ```
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.board().is_attacked(square, by)
    }

    /// All squares a colour attacks. See [`Board::threat_map`].
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position};
    /// assert_eq!(Position::initial().threat_map(Color::Black).len(), 22);
    /// ```
    pub fn threat_map(&self, color: Color) -> Bitboard {
        self.board().threat_map(color)
    }

    /// Where the king of the side to move would be in check. See [`Board::king_danger`].
    ///
    /// ```
    /// # use tabiya_chess::{Position, Rank};
    /// let danger = Position::initial().king_danger();
    /// assert!(danger.meets(Rank::Sixth) && !danger.meets(Rank::Fifth));
    /// ```
    pub fn king_danger(&self) -> Bitboard {
        self.board().king_danger(self.turn())
    }

    /// The pinned pieces of the side to move.
    ///
    /// ```
    /// # use tabiya_chess::{Position, Square};
    /// let position: Position = "4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1".parse().unwrap();
    /// assert!(position.pins().map(|pin| pin.pinned).eq([Square::D2]));
    /// ```
    pub fn pins(&self) -> impl Iterator<Item = Pin> + '_ {
        self.board().pins(self.turn())
    }

    /// The pinned pieces of either side.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position};
    /// assert_eq!(Position::initial().pins_of(Color::Black).count(), 0);
    /// ```
    pub fn pins_of(&self, color: Color) -> impl Iterator<Item = Pin> + '_ {
        self.board().pins(color)
    }

    /// How often each side attacks each square.
    ///
    /// ```
    /// # use tabiya_chess::{Color, Position, Square};
    /// assert_eq!(Position::initial().heat_map().count(Color::White, Square::E2), 4);
    /// ```
    pub fn heat_map(&self) -> HeatMap {
        HeatMap::of(self.board())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    fn squares(names: &str) -> Bitboard {
        names.split(' ').map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn pieces_are_pinned_from_all_eight_directions() {
        for way in Direction::ALL {
            let mut line = Square::E4.ray(way);
            let (shield, slider) = (line.next().unwrap(), line.nth(1).unwrap());
            let role = if way.is_diagonal() { Role::Bishop } else { Role::Rook };
            let mut board = Board::empty();
            board.put(Square::E4, Role::King.of(Color::White));
            board.put(shield, Role::Knight.of(Color::White));
            for role in [role, Role::Queen] {
                board.put(slider, role.of(Color::Black));
                let expected = Pin {
                    king: Square::E4,
                    pinned: shield,
                    pinner: slider,
                    direction: way,
                    line: Square::E4.ray(way).take(3).collect(),
                };
                assert!(board.pins(Color::White).eq([expected]), "{role} {way:?}");
                assert_eq!(board.attacker_along(Square::E4, way, Color::Black), None);
            }
            let other = if way.is_diagonal() { Role::Rook } else { Role::Bishop };
            board.put(slider, other.of(Color::Black));
            assert_eq!(board.pins(Color::White).count(), 0, "{other} {way:?}");
        }
    }

    #[test]
    fn only_a_lone_own_piece_before_an_enemy_slider_is_pinned() {
        // Two shields, an enemy shield, and an own slider behind.
        assert_eq!(position("4k3/4r3/4N3/4N3/8/8/8/4K3 w - - 0 1").pins().count(), 0);
        assert_eq!(position("4k3/4r3/8/4n3/8/8/8/4K3 w - - 0 1").pins().count(), 0);
        assert_eq!(position("4k3/4R3/8/4N3/8/8/8/4K3 b - - 0 1").pins_of(Color::White).count(), 0);
        // A pawn pins nothing, nor does a king.
        assert_eq!(position("8/8/8/8/8/2k5/1N6/K7 w - - 0 1").pins().count(), 0);
    }

    #[test]
    fn several_pins_at_once_come_clockwise() {
        let pins = position("4r2k/8/8/b7/8/2N1N3/8/r1BQK2r w - - 0 1");
        let pinned: Vec<Square> = pins.pins().map(|pin| pin.pinned).collect();
        assert_eq!(pinned, [Square::E3, Square::C3]);
        assert_eq!(pins.checkers(), squares("h1"));
    }

    #[test]
    fn checkers_are_found_for_every_kind_of_piece() {
        let cases = [
            ("4k3/8/8/8/8/3n4/8/4K3 w - - 0 1", "d3"),
            ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "d2"),
            ("4k3/8/8/8/7b/8/8/4K3 w - - 0 1", "h4"),
            ("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", "e7"),
            ("4k3/8/8/8/8/8/8/q3K3 w - - 0 1", "a1"),
            ("4k3/4r3/8/8/8/3n4/8/4K3 w - - 0 1", "d3 e7"),
            ("r1b1k2r/ppppqppp/2n5/8/1PP2B2/3n1N2/1P1NPPPP/R2QKB1R w KQkq - 1 9", "d3"),
            ("2Q3k1/6pp/5r1q/6N1/1P5P/6P1/5P2/6K1 b - - 0 1", "c8"),
        ];
        for (fen, checkers) in cases {
            assert_eq!(position(fen).checkers(), squares(checkers), "{fen}");
            assert!(position(fen).is_check());
        }
        assert_eq!(Board::empty().checkers(Color::White), Bitboard::EMPTY);
    }

    #[test]
    fn the_threat_map_is_the_union_of_all_attackers() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        ] {
            let position = position(fen);
            let heat = position.heat_map();
            for color in Color::ALL {
                for square in Square::ALL {
                    let attackers = position.attackers(square, color);
                    assert_eq!(position.threat_map(color).contains(square), attackers.any());
                    assert_eq!(position.is_attacked(square, color), attackers.any());
                    assert_eq!(u32::from(heat.count(color, square)), attackers.len());
                }
            }
        }
    }

    #[test]
    fn a_fleeing_king_does_not_hide_behind_itself() {
        let position = position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
        assert_eq!(position.king_danger() & attacks::king(Square::E1), squares("d1 f1"));
    }
}
