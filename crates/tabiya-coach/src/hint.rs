use core::fmt;
use core::str::FromStr;

use tabiya_chess::{Move, Position, Square};

use crate::{Exercise, Topic, Voice, reasons};

/// How much is told of a move that is to be found, one step after the other.
///
/// ```
/// use tabiya_coach::HintStep;
///
/// assert_eq!("piece".parse(), Ok(HintStep::Piece));
/// assert!(HintStep::Where < HintStep::Why);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HintStep {
    /// The part of the board where it ends.
    Where,
    /// The piece that moves.
    Piece,
    /// The move itself: then nothing is left to be found.
    Move,
    /// What it is good for.
    Why,
}

impl HintStep {
    /// All of them, in order.
    pub const ALL: [HintStep; 4] =
        [HintStep::Where, HintStep::Piece, HintStep::Move, HintStep::Why];

    /// Its name in addresses and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            HintStep::Where => "where",
            HintStep::Piece => "piece",
            HintStep::Move => "move",
            HintStep::Why => "why",
        }
    }
}

/// What was read is not a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownHintStep;

impl fmt::Display for UnknownHintStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the step is none of where, piece, move, why")
    }
}

impl core::error::Error for UnknownHintStep {}

impl FromStr for HintStep {
    type Err = UnknownHintStep;

    fn from_str(text: &str) -> Result<HintStep, UnknownHintStep> {
        HintStep::ALL.into_iter().find(|step| step.name() == text).ok_or(UnknownHintStep)
    }
}

/// The files of a wing, or of the centre between them.
///
/// ```
/// use tabiya_chess::Square;
/// use tabiya_coach::wing;
///
/// assert_eq!(wing(Square::G5), "fgh");
/// assert_eq!(wing(Square::E4), "de");
/// ```
pub fn wing(square: Square) -> &'static str {
    match square.file() as u8 {
        0..=2 => "abc",
        3..=4 => "de",
        _ => "fgh",
    }
}

/// What is told of a move, as a sentence; nothing of why it is good.
pub fn hint(position: &Position, m: Move, step: HintStep) -> String {
    let (from, to) = (m.from(), m.to());
    let role = position.piece_at(from).map_or("piece", |piece| piece.role.name());
    match step {
        HintStep::Where => {
            let place = match wing(to) {
                "abc" => "on the queenside",
                "de" => "in the centre",
                _ => "on the kingside",
            };
            format!("The move goes to a square {place}.")
        }
        HintStep::Piece => format!("Look at the {role} on {from}."),
        HintStep::Move | HintStep::Why => format!("{} is the move.", position.san(m)),
    }
}

impl Exercise {
    /// What is told of the best move, as a sentence.
    ///
    /// ```
    /// use tabiya_coach::{Exercise, HintStep};
    ///
    /// let text = "4r1k1/5ppp/8/4N3/8/3Q4/5PPP/6K1 w - - 0 30 | d3b3 | e8e5 | d3g3 | d3g3 f2f4 | hanging-piece";
    /// let exercise: Exercise = text.parse()?;
    /// assert_eq!(exercise.hint(HintStep::Where), "The move goes to a square on the kingside.");
    /// assert_eq!(exercise.hint(HintStep::Piece), "Look at the queen on d3.");
    /// assert_eq!(exercise.hint(HintStep::Move), "Qg3 is the move.");
    /// # Ok::<(), String>(())
    /// ```
    pub fn hint(&self, step: HintStep) -> String {
        let before = &self.mistake.before;
        let Some(&best) = self.good.first() else { return String::new() };
        let you = Voice::To(self.mistake.loser());
        let why = (step == HintStep::Why).then(|| reasons(&self.mistake).better).flatten();
        match (step, why) {
            (HintStep::Why, Some(why)) => why.text(you),
            (HintStep::Why, None) if !self.topics.is_empty() => {
                let topics: Vec<&str> = self.topics.iter().copied().map(Topic::label).collect();
                format!("It is about: {}.", topics.join(", "))
            }
            _ => hint(before, best, step),
        }
    }

    /// What is asked.
    ///
    /// ```
    /// # use tabiya_coach::Exercise;
    /// let text = "4r1k1/5ppp/8/4N3/8/3Q4/5PPP/6K1 w - - 0 30 | d3b3 | e8e5 | d3g3 | d3g3 f2f4 | hanging-piece";
    /// assert_eq!(text.parse::<Exercise>()?.task(), "You played 30.Qb3. Find better.");
    /// # Ok::<(), String>(())
    /// ```
    pub fn task(&self) -> String {
        format!("You played {}. Find better.", self.mistake.played_text())
    }
}
