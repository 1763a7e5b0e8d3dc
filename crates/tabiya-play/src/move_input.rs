use crate::rules::Rules;
use crate::{Coord, PieceRole, Refusal};

/// A move that somebody wants to make, before the rules have seen it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveInput {
    /// In any notation.
    Text(String),
    /// On the board. Without a choice of what a pawn becomes, it is a queen.
    Squares {
        /// From where.
        from: Coord,
        /// To where.
        to: Coord,
        /// What a pawn becomes.
        promotion: Option<PieceRole>,
    },
}

impl MoveInput {
    /// Plays the move, if the rules agree.
    pub(crate) fn play(&self, game: &mut dyn Rules) -> Result<(), Refusal> {
        match self {
            MoveInput::Text(text) => game.play_text(text),
            &MoveInput::Squares { from, to, promotion } => game.play_squares(from, to, promotion),
        }
    }
}
