//! What a table says of one position.

use std::fmt;

/// The two distances of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Metric {
    /// Plies to mate.
    Mate,
    /// Plies to a capture, a pawn move or mate, when the winner hurries there and keeps as good a result as there is. More than
    /// [`CLOCK`] of them mean that the fifty-move rule makes it a draw.
    Zeroing,
}

/// Plies without capture and pawn move after which a draw can be claimed.
pub(crate) const CLOCK: u8 = 100;

/// How a position ends for the side to move, and in how many plies by a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Win(u8),
    Draw,
    Loss(u8),
}

impl Value {
    /// A number that sorts values from the worst to the best.
    #[inline]
    pub(crate) fn rank(self) -> i32 {
        match self {
            Value::Win(plies) => 1000 - i32::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i32::from(plies) - 1000,
        }
    }

    #[inline]
    pub(crate) fn better(self, other: Value) -> Value {
        if other.rank() > self.rank() { other } else { self }
    }

    /// The value of the move that leads to a position of this value. `zeroing`: it is a capture or a pawn's.
    #[inline]
    pub(crate) fn before(self, metric: Metric, zeroing: bool) -> Value {
        let plies = |plies: u8| match metric {
            Metric::Zeroing if zeroing => {
                if plies <= CLOCK {
                    1
                } else {
                    CLOCK + 1
                }
            }
            _ => plies.saturating_add(1),
        };
        match self {
            Value::Win(n) => Value::Loss(plies(n)),
            Value::Draw => Value::Draw,
            Value::Loss(n) => Value::Win(plies(n)),
        }
    }
}

/// More plies than this cannot be written down. The longest mate of five men takes as many: KPPKP, 127 moves.
pub(crate) const MOST_PLIES: u8 = 254;

/// Both bytes of a number that is not a position's: a draw has no plies.
pub(crate) const UNUSED: (u8, u8) = (0, u8::MAX);

/// Plies to mate as one byte: 0 is a draw, else one more than the plies. Wins have an odd number of plies, losses an even one.
pub(crate) fn mate_code(value: Value) -> u8 {
    match value {
        Value::Draw => 0,
        Value::Win(plies) | Value::Loss(plies) => plies + 1,
    }
}

pub(crate) fn mate_value(code: u8) -> Value {
    match code {
        0 => Value::Draw,
        code if code % 2 == 0 => Value::Win(code - 1),
        code => Value::Loss(code - 1),
    }
}

/// Both bytes of a position as the value of a metric. The one for zeroing is the plies alone.
#[inline]
pub(crate) fn value(metric: Metric, mate: u8, zeroing: u8) -> Value {
    match (metric, mate_value(mate)) {
        (Metric::Zeroing, Value::Win(_)) => Value::Win(zeroing),
        (Metric::Zeroing, Value::Loss(_)) => Value::Loss(zeroing),
        (_, value) => value,
    }
}

/// How a game ends with best play, for the side to move. The later, the better.
///
/// ```
/// use tabiya_tables::Fate;
///
/// assert!(Fate::Win > Fate::CursedWin && Fate::BlessedLoss > Fate::Loss);
/// assert_eq!(Fate::CursedWin.to_string(), "wins, but not within fifty moves");
/// assert_eq!(-Fate::Win, Fate::Loss);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// The side to move loses.
    Loss,
    /// It would lose, but saves itself by the fifty-move rule.
    BlessedLoss,
    /// Nobody wins.
    Draw,
    /// It would win, but the fifty-move rule is in the way.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl Fate {
    /// From the worst to the best.
    pub const ALL: [Fate; 5] =
        [Fate::Loss, Fate::BlessedLoss, Fate::Draw, Fate::CursedWin, Fate::Win];

    /// -2 for a loss to 2 for a win.
    pub const fn number(self) -> i32 {
        self as i32 - 2
    }

    /// Whether the game is drawn if somebody counts to fifty.
    pub fn is_draw_by_rule(self) -> bool {
        !matches!(self, Fate::Win | Fate::Loss)
    }

    /// What remains of it: only wins, draws and losses if the fifty-move rule does not count.
    pub fn without_rule(self) -> Fate {
        match self {
            Fate::CursedWin => Fate::Win,
            Fate::BlessedLoss => Fate::Loss,
            fate => fate,
        }
    }

    pub(crate) fn of(zeroing: Value) -> Fate {
        match zeroing {
            Value::Win(..=CLOCK) => Fate::Win,
            Value::Win(_) => Fate::CursedWin,
            Value::Draw => Fate::Draw,
            Value::Loss(..=CLOCK) => Fate::Loss,
            Value::Loss(_) => Fate::BlessedLoss,
        }
    }
}

impl std::ops::Neg for Fate {
    type Output = Fate;

    fn neg(self) -> Fate {
        Fate::ALL[4 - self as usize]
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Fate::Loss => "loses",
            Fate::BlessedLoss => "loses, but not within fifty moves",
            Fate::Draw => "draws",
            Fate::CursedWin => "wins, but not within fifty moves",
            Fate::Win => "wins",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mate_of_five_men_can_be_written_down() {
        for plies in 0..=MOST_PLIES {
            let value = if plies % 2 == 1 { Value::Win(plies) } else { Value::Loss(plies) };
            assert_eq!(mate_value(mate_code(value)), value);
        }
        assert_eq!(mate_value(mate_code(Value::Draw)), Value::Draw);
        // 127 moves: the side that is mated is to move.
        assert_eq!(mate_value(mate_code(Value::Loss(2 * 127))), Value::Loss(2 * 127));
        // One ply more is told, not written down.
        let beyond = Value::Loss(MOST_PLIES).before(Metric::Mate, false);
        assert_eq!(beyond, Value::Win(MOST_PLIES + 1));
    }
}
