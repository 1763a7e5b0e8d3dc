use crate::{IllegalMove, Move, Outcome, Position};

/// A game: where it began, the moves played, and those taken back but not yet forgotten.
///
/// ```
/// use tabiya_chess::{Game, Move, Square};
///
/// let mut game = Game::new();
/// let e4 = Move::normal(Square::E2, Square::E4);
/// game.play(e4).unwrap();
/// game.play(Move::normal(Square::E7, Square::E5)).unwrap();
/// assert_eq!(game.moves().len(), 2);
///
/// game.undo();
/// game.undo();
/// assert_eq!(game.position(), game.start());
/// assert_eq!(game.redo(), Some(e4));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    position: Position,
    /// The position before each move played. Whole positions are small, and make undoing exact.
    past: Vec<Position>,
    /// The moves played, one for each past position, then those undone.
    moves: Vec<Move>,
}

impl Game {
    /// A game from the usual start.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Position};
    /// assert_eq!(*Game::new().position(), Position::initial());
    /// ```
    pub fn new() -> Game {
        Game::default()
    }

    /// A game from any position.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Position};
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
    /// assert_eq!(*Game::from_position(position).start(), position);
    /// ```
    pub fn from_position(position: Position) -> Game {
        Game { position, ..Game::default() }
    }

    /// The position on the board now.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// assert_eq!(Game::new().position().fullmove_number(), 1);
    /// ```
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The position the game began with.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Move, Position, Square};
    /// let mut game = Game::new();
    /// game.play(Move::normal(Square::G1, Square::F3)).unwrap();
    /// assert_eq!(*game.start(), Position::initial());
    /// ```
    pub fn start(&self) -> &Position {
        self.past.first().unwrap_or(&self.position)
    }

    /// The moves played so far.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// assert!(Game::new().moves().is_empty());
    /// ```
    pub fn moves(&self) -> &[Move] {
        self.moves.get(..self.past.len()).unwrap_or_default()
    }

    /// The moves that were taken back and can be played again, the next one first.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Move, Square};
    /// let mut game = Game::new();
    /// game.play(Move::normal(Square::G1, Square::F3)).unwrap();
    /// game.undo();
    /// assert_eq!(game.undone(), [Move::normal(Square::G1, Square::F3)]);
    /// ```
    pub fn undone(&self) -> &[Move] {
        self.moves.get(self.past.len()..).unwrap_or_default()
    }

    /// All positions from the start to the one on the board now.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// assert_eq!(Game::new().positions().count(), 1);
    /// ```
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> + '_ {
        self.past.iter().chain([&self.position])
    }

    /// Plays a move, or says why it is not legal. Moves taken back before are forgotten, unless
    /// this is the next of them: then the rest can still be redone.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Move, Square};
    /// let mut game = Game::new();
    /// assert!(game.play(Move::normal(Square::E2, Square::E4)).is_ok());
    /// assert!(game.play(Move::normal(Square::E4, Square::E5)).is_err());
    /// assert_eq!(game.moves().len(), 1);
    /// ```
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        let next = self.position.play(m)?;
        self.advance(m, next);
        Ok(())
    }

    /// Plays a move known to be legal. See [`Position::play_unchecked`].
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// let mut game = Game::new();
    /// let m = game.position().legal_moves()[0];
    /// game.play_unchecked(m);
    /// assert_eq!(game.moves(), [m]);
    /// ```
    pub fn play_unchecked(&mut self, m: Move) {
        let mut next = self.position;
        next.play_unchecked(m);
        self.advance(m, next);
    }

    fn advance(&mut self, m: Move, next: Position) {
        if self.undone().first() != Some(&m) {
            self.moves.truncate(self.past.len());
            self.moves.push(m);
        }
        self.past.push(self.position);
        self.position = next;
    }

    /// Takes the last move back and returns it; none at the start.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// assert_eq!(Game::new().undo(), None);
    /// ```
    pub fn undo(&mut self) -> Option<Move> {
        self.position = self.past.pop()?;
        self.undone().first().copied()
    }

    /// Plays the move again that was taken back last; none if there is no such move.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// assert_eq!(Game::new().redo(), None);
    /// ```
    pub fn redo(&mut self) -> Option<Move> {
        let m = *self.undone().first()?;
        self.play_unchecked(m);
        Some(m)
    }

    /// How often the position on the board has occurred in the game, this time included.
    ///
    /// Positions are the same if the same side is to move, the same pieces stand on the same
    /// squares, and the same castling and en passant moves are possible.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// assert_eq!(Game::new().repetitions(), 1);
    /// ```
    pub fn repetitions(&self) -> usize {
        1 + occurrences(&self.position, &self.past)
    }

    /// How the game has ended, whether the players like it or not: as
    /// [`Position::outcome`], and by fivefold repetition.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// assert_eq!(Game::new().outcome(), None);
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        self.position
            .outcome()
            .or_else(|| (self.repetitions() >= 5).then_some(Outcome::FivefoldRepetition))
    }

    /// The draw that the side to move can claim now: threefold repetition or fifty moves. None if
    /// the game is over already.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Outcome, Position};
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 100 90".parse().unwrap();
    /// let game = Game::from_position(position);
    /// assert_eq!(game.outcome(), None);
    /// assert_eq!(game.claimable_draw(), Some(Outcome::FiftyMoves));
    /// ```
    pub fn claimable_draw(&self) -> Option<Outcome> {
        claimable(&self.position, self.repetitions())
    }

    /// The draw that the side to move can claim by announcing a move with which the position occurs
    /// for the third time, or fifty moves are complete. None if the move is not legal, or ends the
    /// game by itself.
    ///
    /// ```
    /// # use tabiya_chess::{Game, Move, Outcome, Position, Square};
    /// let position: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 99 90".parse().unwrap();
    /// let game = Game::from_position(position);
    /// let rook_lift = Move::normal(Square::A1, Square::A4);
    /// assert_eq!(game.claimable_draw(), None);
    /// assert_eq!(game.claimable_draw_with(rook_lift), Some(Outcome::FiftyMoves));
    /// ```
    pub fn claimable_draw_with(&self, m: Move) -> Option<Outcome> {
        if self.outcome().is_some() {
            return None;
        }
        let next = self.position.play(m).ok()?;
        // The position on the board now has the other side to move: it is not that one.
        claimable(&next, 1 + occurrences(&next, &self.past))
    }
}

/// How often a position occurs among earlier ones. Nothing before the last capture or pawn move can
/// be the same.
fn occurrences(position: &Position, past: &[Position]) -> usize {
    let reversible = usize::from(position.halfmove_clock());
    past.iter().rev().take(reversible).filter(|earlier| is_same(earlier, position)).count()
}

fn is_same(a: &Position, b: &Position) -> bool {
    // The key tells nearly always, and alone knows of en passant; the rest is to be certain.
    a.repetition_key() == b.repetition_key()
        && a.board() == b.board()
        && a.turn() == b.turn()
        && a.castling_rights() == b.castling_rights()
}

fn claimable(position: &Position, repetitions: usize) -> Option<Outcome> {
    if repetitions >= 5 || position.outcome().is_some() {
        None
    } else if repetitions >= 3 {
        Some(Outcome::ThreefoldRepetition)
    } else if position.halfmove_clock() >= 100 {
        Some(Outcome::FiftyMoves)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use tabiya_base::Random;

    use super::*;
    use crate::{Color, Square};

    /// The legal move from one square to another, a queen if it promotes.
    fn find(game: &Game, name: &str) -> Move {
        let (from, to) = (name[..2].parse().unwrap(), name[2..].parse().unwrap());
        let moves = game.position().moves_from(from);
        *moves.iter().find(|m| m.to() == to).unwrap_or_else(|| panic!("{name} is not legal"))
    }

    fn play(game: &mut Game, moves: &str) {
        for name in moves.split_whitespace() {
            let m = find(game, name);
            game.play(m).unwrap();
        }
    }

    fn game(fen: &str) -> Game {
        Game::from_position(fen.parse().unwrap())
    }

    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

    #[test]
    fn a_position_thrice_can_be_claimed_and_five_times_ends_the_game() {
        let mut game = Game::new();
        play(&mut game, SHUFFLE);
        assert_eq!((game.repetitions(), game.claimable_draw()), (2, None));
        play(&mut game, "g1f3 g8f6 f3g1");
        assert_eq!(game.claimable_draw(), None);
        let back = find(&game, "f6g8");
        assert_eq!(game.claimable_draw_with(back), Some(Outcome::ThreefoldRepetition));
        assert_eq!(game.claimable_draw_with(find(&game, "f6e4")), None);
        game.play(back).unwrap();
        assert_eq!(game.repetitions(), 3);
        assert_eq!(game.claimable_draw(), Some(Outcome::ThreefoldRepetition));
        assert_eq!(game.outcome(), None);

        play(&mut game, SHUFFLE);
        play(&mut game, SHUFFLE);
        assert_eq!(game.repetitions(), 5);
        assert_eq!(game.outcome(), Some(Outcome::FivefoldRepetition));
        assert_eq!(game.claimable_draw(), None);

        game.undo();
        assert_eq!((game.repetitions(), game.outcome()), (4, None));
        assert_eq!(game.claimable_draw(), Some(Outcome::ThreefoldRepetition));
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        let mut game = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        play(&mut game, "h1g1 h8g8 g1h1 g8h8");
        assert_eq!(game.repetitions(), 1);
        play(&mut game, "h1g1 h8g8 g1h1 g8h8");
        assert_eq!(game.repetitions(), 2);
    }

    #[test]
    fn a_possible_en_passant_makes_another_position() {
        let back_and_forth = "g8f6 g1f3 f6g8 f3g1";
        let mut taken = game("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3");
        play(&mut taken, "e2e4");
        play(&mut taken, back_and_forth);
        assert_eq!(taken.repetitions(), 1);
        // Nobody can take on e3 here, so the double step changes nothing.
        let mut free = Game::new();
        play(&mut free, "e2e4");
        play(&mut free, back_and_forth);
        assert_eq!(free.repetitions(), 2);
        // Nor here, where the pawn is pinned.
        let mut pinned = game("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
        play(&mut pinned, "e2e4 a4a3 e1e2 a3a4 e2e1");
        assert_eq!(pinned.repetitions(), 2);
    }

    #[test]
    fn fifty_moves_are_claimed_and_seventy_five_end_the_game() {
        let mut fifty = game("4k3/8/8/8/8/8/8/R3K3 w - - 98 90");
        let lift = find(&fifty, "a1a4");
        assert_eq!(fifty.claimable_draw_with(lift), None);
        fifty.play(lift).unwrap();
        let step = find(&fifty, "e8e7");
        assert_eq!(fifty.claimable_draw_with(step), Some(Outcome::FiftyMoves));
        fifty.play(step).unwrap();
        assert_eq!(fifty.claimable_draw(), Some(Outcome::FiftyMoves));
        assert_eq!(fifty.outcome(), None);

        let mut seventy_five = game("4k3/8/8/8/8/8/8/R3K3 w - - 149 90");
        assert_eq!(seventy_five.claimable_draw(), Some(Outcome::FiftyMoves));
        assert_eq!(seventy_five.claimable_draw_with(find(&seventy_five, "a1a4")), None);
        play(&mut seventy_five, "a1a4");
        assert_eq!(seventy_five.outcome(), Some(Outcome::SeventyFiveMoves));
        assert_eq!(seventy_five.claimable_draw(), None);
    }

    #[test]
    fn a_mating_move_claims_nothing() {
        let mate = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 120 90");
        assert_eq!(mate.claimable_draw_with(find(&mate, "a1a8")), None);
        assert_eq!(mate.claimable_draw_with(Move::normal(Square::A1, Square::H8)), None);
        let mut mate = mate;
        play(&mut mate, "a1a8");
        assert_eq!(mate.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
        assert_eq!(mate.claimable_draw(), None);
    }

    #[test]
    fn undo_and_redo_give_back_exactly_what_was() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/8/8/2pP4/1K6/8/8/7k w - c6 0 2",
        ] {
            let mut game = game(fen);
            let mut seen = vec![game.clone()];
            let mut random = Random::new(7);
            for _ in 0..200 {
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play_unchecked(random.pick(&moves).unwrap());
                seen.push(game.clone());
            }
            let last = game.clone();
            assert_eq!(game.positions().count(), seen.len());
            for before in seen.iter().rev().skip(1) {
                let m = game.undo().unwrap();
                assert_eq!(game.position(), before.position());
                assert_eq!(game.moves(), before.moves());
                assert_eq!(game.undone()[0], m);
            }
            assert_eq!(game.undo(), None);
            assert_eq!(game.position().fen(), fen);
            while game.redo().is_some() {}
            assert_eq!(game, last);
        }
    }

    #[test]
    fn playing_the_undone_move_keeps_the_rest_and_another_forgets_it() {
        let mut game = Game::new();
        play(&mut game, "e2e4 e7e5 g1f3");
        while game.undo().is_some() {}
        assert_eq!(game.undone().len(), 3);
        play(&mut game, "e2e4");
        assert_eq!(game.undone().len(), 2);
        play(&mut game, "c7c5");
        assert!(game.undone().is_empty());
        assert_eq!(game.redo(), None);
        assert_eq!(game.moves().len(), 2);
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::new();
        play(&mut game, "e2e4 e7e5");
        game.undo();
        let before = game.clone();
        assert!(game.play(Move::normal(Square::E4, Square::E6)).is_err());
        assert_eq!(game, before);
    }

    #[test]
    fn the_clocks_count() {
        let mut game = Game::new();
        let mut clocks = Vec::new();
        for name in ["g1f3", "b8c6", "e2e4", "c6d4", "f3d4"] {
            play(&mut game, name);
            clocks.push((game.position().halfmove_clock(), game.position().fullmove_number()));
        }
        assert_eq!(clocks, [(1, 1), (2, 2), (0, 2), (1, 3), (0, 3)]);
        assert_eq!(game.position().ply(), 5);
    }
}
