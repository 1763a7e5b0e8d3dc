use tabiya_base::mix;
use tabiya_chess::{Color, Piece, Position, Role};

use super::Points;
use super::profile::{Work, measure};

/// What a position is worth by its pieces: pawn 1, knight 3, bishop 3.25, rook 5, queen 9, white minus
/// black. Kings are not counted, as nobody is ever without one.
///
/// Noise makes equal moves unequal, so that games differ. It is less than a tenth of a pawn, and the
/// same for the same seed and position, so that a search does not contradict itself.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_engine::textbook::{MaterialEvaluation, Points};
///
/// let quiet = MaterialEvaluation::default();
/// let queen_up: Position = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().unwrap();
/// assert_eq!(quiet.evaluate(&Position::initial()), Points::ZERO);
/// assert_eq!(quiet.evaluate(&queen_up).to_string(), "9");
///
/// let noisy = MaterialEvaluation::with_noise(7).evaluate(&queen_up);
/// assert!((9.0..9.1).contains(&noisy.pawns()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MaterialEvaluation {
    /// The seed of the noise; none for no noise.
    pub noise: Option<u64>,
}

/// The pieces that count, in hundredths of a pawn.
const WORTH: [(Role, i32); 5] = [
    (Role::Pawn, 100),
    (Role::Knight, 300),
    (Role::Bishop, 325),
    (Role::Rook, 500),
    (Role::Queen, 900),
];

impl MaterialEvaluation {
    /// With noise from a seed.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::MaterialEvaluation};
    /// let start = Position::initial();
    /// let (one, two) = (MaterialEvaluation::with_noise(1), MaterialEvaluation::with_noise(2));
    /// assert_ne!(one.evaluate(&start), two.evaluate(&start));
    /// assert_eq!(one.evaluate(&start), one.evaluate(&start));
    /// ```
    pub const fn with_noise(seed: u64) -> MaterialEvaluation {
        MaterialEvaluation { noise: Some(seed) }
    }

    /// The worth of the pieces on the board, and the noise if there is any. Whether the game is over is
    /// not asked here.
    ///
    /// ```
    /// # use {tabiya_chess::Position, tabiya_engine::textbook::MaterialEvaluation};
    /// let bishop_for_knight: Position = "4k3/8/8/8/8/8/8/2B1K1n1 w - - 0 1".parse().unwrap();
    /// assert_eq!(MaterialEvaluation::default().evaluate(&bishop_for_knight).to_string(), "0.25");
    /// ```
    pub fn evaluate(&self, position: &Position) -> Points {
        let count = |color, role| position.board().pieces(Piece { color, role }).len() as i32;
        let hundredths = WORTH
            .iter()
            .map(|&(role, worth)| worth * (count(Color::White, role) - count(Color::Black, role)))
            .sum();
        let points = Points::from_hundredths(hundredths);
        match self.noise {
            Some(seed) => points.with_noise(mix(position.key() ^ mix(seed))),
            None => points,
        }
    }

    /// What stands at the end of a line: the end of the game, or so much material.
    pub(super) fn judge(&self, position: &Position) -> Verdict {
        measure(Work::Evaluation, || match position.has_legal_moves() {
            true => Verdict::Material(self.evaluate(position)),
            false => Verdict::without_moves(position),
        })
    }
}

/// What a position at the end of a line is worth, wherever in the tree it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Mate { winner: Color },
    Stalemate,
    Material(Points),
}

impl Verdict {
    /// Of a position in which the side to move has no legal move.
    pub(super) fn without_moves(position: &Position) -> Verdict {
        if position.is_check() {
            Verdict::Mate { winner: !position.turn() }
        } else {
            Verdict::Stalemate
        }
    }

    /// Its worth so many plies from the root: the nearer a mate, the better.
    pub(super) fn at(self, ply: u32) -> Points {
        match self {
            Verdict::Mate { winner } => Points::mate(winner, ply),
            Verdict::Stalemate => Points::ZERO,
            Verdict::Material(points) => points,
        }
    }
}
