use crate::rules::Rules;
use crate::{Place, Refusal, Shape};

/// A move that somebody wants to make, before the rules have seen it.
///
/// ```
/// use tabiya_play::Wish;
///
/// let typed = Wish::Typed("Nf3".to_owned());
/// let made = Wish::Made { from: "g1".parse()?, to: "f3".parse()?, becomes: None };
/// assert_ne!(typed, made);
/// # Ok::<(), tabiya_play::ParsePlaceError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// In any notation.
    Typed(String),
    /// On the board. Without a choice of what a pawn becomes, it is a queen.
    Made {
        /// From where.
        from: Place,
        /// To where.
        to: Place,
        /// What a pawn becomes.
        becomes: Option<Shape>,
    },
}

impl Wish {
    /// The code of the move, if the rules agree.
    pub(crate) fn code(&self, game: &dyn Rules) -> Result<String, Refusal> {
        match self {
            Wish::Typed(text) => game.read(text),
            &Wish::Made { from, to, becomes } => game.between(from, to, becomes),
        }
    }
}
