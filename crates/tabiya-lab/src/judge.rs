use tabiya_chess::{Game, Move};

use crate::{PlayerError, Score};

/// Somebody who says what the best moves of a position are worth: an engine, ours or another's, or a
/// few lines in a test.
///
/// ```
/// use tabiya_chess::Game;
/// use tabiya_lab::{Judge, Opinion, PlayerError, Score};
///
/// /// Finds all moves equally good.
/// struct Indifferent;
///
/// impl Judge for Indifferent {
///     fn judge(&mut self, game: &Game, lines: usize, _: u64) -> Result<Vec<Opinion>, PlayerError> {
///         let moves = game.position().legal_moves();
///         let opinion = |&best| Opinion { best, score: Score::Centipawns(0) };
///         Ok(moves.iter().take(lines).map(opinion).collect())
///     }
/// }
/// assert_eq!(Indifferent.judge(&Game::new(), 3, 1000)?.len(), 3);
/// # Ok::<(), PlayerError>(())
/// ```
pub trait Judge {
    /// The best moves, the best first: as many as asked for, or all there are. Looks at about so many
    /// positions, and forgets them afterwards: asked again, it says the same.
    fn judge(&mut self, game: &Game, lines: usize, nodes: u64)
    -> Result<Vec<Opinion>, PlayerError>;
}

/// What a [`Judge`] thinks of a move.
///
/// ```
/// use tabiya_chess::{Move, Square};
/// use tabiya_lab::{Opinion, Score};
///
/// let best = Move::normal(Square::E2, Square::E4);
/// assert_eq!(Opinion { best, score: Score::Centipawns(30) }.score.to_string(), "+0.30");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opinion {
    /// The move.
    pub best: Move,
    /// What it leads to, for the side that makes it.
    pub score: Score,
}
