use std::fmt;

use crate::{Coord, GameView, PastPosition, PieceRole, Side};

/// What a person may do at the table besides moving.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Take back one half-move.
    TakeBackOne,
    /// Take back until it is a person's turn again: usually the last move of both sides. If each is at a board of their own,
    /// the other is asked first.
    TakeBack,
    /// Agree to a take-back that the other side has asked for.
    AcceptTakeBack,
    /// Do not agree to it.
    DeclineTakeBack,
    /// Play again what was taken back, to the same extent.
    Redo,
    /// Resign: the person whose turn it is, or the only person at the table.
    Resign,
    /// Break the game off before both have moved, if each is at a board of their own.
    Abort,
    /// Offer a draw to the other side. A computer answers at once.
    OfferDraw,
    /// Accept a draw that was offered.
    AcceptDraw,
    /// Decline a draw that was offered.
    DeclineDraw,
    /// Claim a draw by repetition or fifty moves.
    ClaimDraw,
    /// Point out a good move.
    Hint,
    /// Say what the computer thinks of this position, unless it has.
    Evaluate,
    /// The same of the position after so many half-moves.
    EvaluateAfter(usize),
    /// Have the computer stop thinking and move now.
    MoveNow,
}

/// Why something was not done, as a sentence for the person who asked. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

impl Refusal {
    /// A reason as a sentence: it begins with a capital letter and comes to an end.
    ///
    /// ```
    /// use tabiya_view::Refusal;
    ///
    /// assert_eq!(Refusal::new("sizes are 3 to 26").0, "Sizes are 3 to 26.");
    /// assert_eq!(Refusal::new("Wait a moment!").0, "Wait a moment!");
    /// ```
    pub fn new(reason: impl fmt::Display) -> Refusal {
        let text = reason.to_string();
        let mut letters = text.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase).collect::<String>();
        let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
        Refusal(format!("{first}{}{end}", letters.as_str()))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// A game at which people and computers sit. Nothing here waits for a computer to think.
pub trait GameController {
    /// Everything there is to show.
    fn view(&self) -> GameView;

    /// Plays the move a person typed, in any notation. `Ok` means that it is kept: a kill after it loses
    /// nothing. The text says in a sentence what else happened, or is empty.
    fn submit(&mut self, text: &str) -> Result<String, Refusal>;

    /// Plays the move a person made on the board. Without a choice of what a pawn becomes, it is a queen.
    fn go(
        &mut self,
        from: Coord,
        to: Coord,
        promotion: Option<PieceRole>,
    ) -> Result<String, Refusal>;

    /// Does what a person asked; the text says in a sentence what happened, or is empty.
    fn request(&mut self, request: &Request) -> Result<String, Refusal>;

    /// Looks after clocks and computers: call it often. True if the view has changed in anything but the
    /// time on the clocks; then there may be more to come at once. One call plays one move at most, so
    /// that each can be shown.
    fn poll(&mut self) -> bool;

    /// The game as a record: PGN for chess, the plain file for the bishop-and-king game.
    fn record(&self) -> String;

    /// What the board showed before the first move and after each; nothing where the past is not known.
    fn positions(&self) -> Vec<PastPosition> {
        Vec::new()
    }

    /// The sides played by a person at this table.
    fn people(&self) -> Vec<Side> {
        let view = self.view();
        [Side::White, Side::Black]
            .into_iter()
            .filter(|&side| view.seats[side as usize].person)
            .collect()
    }
}
