use crate::rules::Rules;
use crate::{Coord, PieceRole, Refusal};

/// A move that somebody wants to make, before the rules have seen it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveInput {
    /// In any notation.
    Typed(String),
    /// On the board. Without a choice of what a pawn becomes, it is a queen.
    Made {
        /// From where.
        from: Coord,
        /// To where.
        to: Coord,
        /// What a pawn becomes.
        promotion: Option<PieceRole>,
    },
}

impl MoveInput {
    /// The uci of the move, if the rules agree.
    pub(crate) fn uci(&self, game: &dyn Rules) -> Result<String, Refusal> {
        match self {
            MoveInput::Typed(text) => game.read(text),
            &MoveInput::Made { from, to, promotion } => game.between(from, to, promotion),
        }
    }
}
