use tabiya_base::mix;
use tabiya_chess::{Game, Move};

use super::order::ordered_moves;

/// Plays any legal move, each as likely as the others.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_engine::textbook::RandomMover;
///
/// let game = Game::new();
/// let mover = RandomMover { seed: 7 };
/// let m = mover.choose(&game).unwrap();
/// assert!(game.position().is_legal(m));
/// assert_eq!(mover.choose(&game), Some(m));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RandomMover {
    /// The same seed plays the same moves in the same game.
    pub seed: u64,
}

impl RandomMover {
    /// A move; none if there is no legal one.
    ///
    /// ```
    /// # use {tabiya_chess::{Game, Position}, tabiya_engine::textbook::RandomMover};
    /// let mated: Position = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1".parse().unwrap();
    /// assert_eq!(RandomMover::default().choose(&Game::from_position(mated)), None);
    /// ```
    pub fn choose(&self, game: &Game) -> Option<Move> {
        let moves = ordered_moves(game.position());
        // A position that comes again is not answered in the same way: the ply counts too.
        let number = mix(game.position().key() ^ mix(self.seed ^ mix(game.moves().len() as u64)));
        moves.get((number % (moves.len() as u64).max(1)) as usize).copied()
    }
}
