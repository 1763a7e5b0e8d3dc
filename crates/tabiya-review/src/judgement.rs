use std::fmt;

use tabiya_base::Score;
use tabiya_pgn::Nag;

use crate::Assessment;

/// A mate in so many moves or fewer is one that a person can be expected to see.
const NEAR_MATE: i32 = 5;

/// What is wrong with a move, by the winning chances it gave away.
///
/// ```
/// use tabiya_review::Judgement;
///
/// assert_eq!(Judgement::of_loss(4.9), None);
/// assert_eq!(Judgement::of_loss(5.0), Some(Judgement::Inaccuracy));
/// assert_eq!(Judgement::of_loss(15.0), Some(Judgement::Blunder));
/// assert!(Judgement::Blunder > Judgement::Mistake);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// `?!`: five points in a hundred, or a near mate missed or allowed that changes nothing else.
    Inaccuracy,
    /// `?`: ten points.
    Mistake,
    /// `??`: fifteen points.
    Blunder,
}

impl Judgement {
    /// All of them, the mildest first.
    pub const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// What a loss of winning chances, in points of a hundred, is called.
    pub fn of_loss(loss: f64) -> Option<Judgement> {
        match loss {
            15.0.. => Some(Judgement::Blunder),
            10.0.. => Some(Judgement::Mistake),
            5.0.. => Some(Judgement::Inaccuracy),
            _ => None,
        }
    }

    /// The judgement on a move that was not the engine's, from what the position was worth to the player
    /// before and after it.
    pub(crate) fn of(before: Assessment, after: Assessment) -> Option<Judgement> {
        let by_loss = Judgement::of_loss(before.chances() - after.chances());
        let missed =
            matches!(before, Assessment::Score(Score::Mate(1..=NEAR_MATE))) && !wins(after);
        let allowed = matches!(after, Assessment::Score(Score::Mate(moves)) if (-NEAR_MATE..0).contains(&moves))
            && !matches!(before, Assessment::Score(Score::Mate(..0)));
        // Chances no longer tell won from mated: who misses or allows a near mate has overlooked something.
        by_loss.max((missed || allowed).then_some(Judgement::Inaccuracy))
    }

    /// The glyph: `?!`, `?` or `??`.
    pub const fn symbol(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// The number of the glyph in records.
    pub const fn nag(self) -> Nag {
        match self {
            Judgement::Inaccuracy => Nag::DUBIOUS,
            Judgement::Mistake => Nag::MISTAKE,
            Judgement::Blunder => Nag::BLUNDER,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// Whether it is mate, now or soon.
fn wins(worth: Assessment) -> bool {
    matches!(worth, Assessment::Score(Score::Mate(1..)))
        || (matches!(worth, Assessment::Over(_)) && worth.chances() == 100.0)
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use tabiya_chess::{Color, Outcome};

    use super::*;

    #[test]
    fn chances_count_and_not_centipawns() {
        let judge = |before, after| {
            Judgement::of(
                Assessment::Score(Score::Centipawns(before)),
                Assessment::Score(Score::Centipawns(after)),
            )
        };
        assert_eq!(judge(30, 0), None);
        assert_eq!(judge(20, -80), Some(Judgement::Inaccuracy));
        assert_eq!(judge(0, -150), Some(Judgement::Mistake));
        assert_eq!(judge(0, -300), Some(Judgement::Blunder));
        // Won is won, and lost is lost, but what is given away at six pawns up shows.
        assert_eq!(judge(1500, 700), None);
        assert_eq!(judge(600, 300), Some(Judgement::Blunder));
        assert_eq!(judge(-700, -1500), None);
        assert_eq!(judge(-50, 40), None);
    }

    #[test]
    fn mates_seen_missed_and_allowed() {
        let won = Assessment::Score(Score::Centipawns(900));
        let mate = |moves| Assessment::Score(Score::Mate(moves));
        assert_eq!(Judgement::of(mate(2), won), Some(Judgement::Inaccuracy));
        assert_eq!(Judgement::of(mate(9), won), None);
        assert_eq!(
            Judgement::of(mate(2), Assessment::Score(Score::Centipawns(0))),
            Some(Judgement::Blunder)
        );
        assert_eq!(Judgement::of(mate(2), mate(7)), None);
        assert_eq!(Judgement::of(mate(2), mate(-2)), Some(Judgement::Blunder));
        let mated = Assessment::Over(Outcome::Checkmate { winner: Color::White });
        assert_eq!(Judgement::of(mate(3), mated), None);
        let stalemate = Assessment::Over(Outcome::Stalemate);
        assert_eq!(Judgement::of(mate(1), stalemate), Some(Judgement::Blunder));
        assert_eq!(
            Judgement::of(Assessment::Score(Score::Centipawns(0)), mate(-1)),
            Some(Judgement::Blunder)
        );
        assert_eq!(
            Judgement::of(Assessment::Score(Score::Centipawns(-900)), mate(-1)),
            Some(Judgement::Inaccuracy)
        );
        assert_eq!(Judgement::of(mate(-4), mate(-1)), None);
    }
}
