use core::fmt;

use tabiya_base::Score;
use tabiya_chess::Color;

/// How a position stands, in pawns, seen from White: more is better for White.
///
/// Inside it is a whole number of ten-thousandths of a pawn, so that sums are exact and runs repeat. A
/// mate is worth more than any material, and more the sooner it comes.
///
/// ```
/// use tabiya_chess::Color;
/// use tabiya_engine::textbook::Points;
///
/// assert_eq!(Points::from_hundredths(-325).to_string(), "-3.25");
/// assert_eq!(Points::ZERO.to_string(), "0");
/// let sooner = Points::mate(Color::White, 1);
/// let later = Points::mate(Color::White, 3);
/// assert!(sooner > later && later > Points::from_hundredths(9000));
/// assert_eq!((later.to_string(), Points::mate(Color::Black, 2).to_string()), ("#2".into(), "#-1".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Points(i32);

/// Mate on the board.
const MATE: i32 = 1_000_000_000;
/// No mate is further away than this.
const LONGEST_MATE: i32 = 1_000_000;

impl Points {
    /// Nobody is ahead.
    pub const ZERO: Points = Points(0);
    /// Minus infinity: less than any position is worth.
    pub const MIN: Points = Points(i32::MIN);
    /// Infinity: more than any position is worth.
    pub const MAX: Points = Points(i32::MAX);

    /// So many hundredths of a pawn; at most ten thousand pawns either way.
    pub const fn from_hundredths(hundredths: i32) -> Points {
        let limit = 1_000_000;
        let within = if hundredths > limit {
            limit
        } else if hundredths < -limit {
            -limit
        } else {
            hundredths
        };
        Points(within * 100)
    }

    /// Adds less than a tenth of a pawn: the lower bits of any number.
    pub(super) const fn with_noise(self, number: u64) -> Points {
        Points(self.0 + (number % 1000) as i32)
    }

    /// Minus infinity for White, infinity for Black.
    pub(super) const fn worst(side: Color) -> Points {
        match side {
            Color::White => Points::MIN,
            Color::Black => Points::MAX,
        }
    }

    /// The next number that is worse for a side.
    pub(super) const fn a_little_worse(self, side: Color) -> Points {
        match side {
            Color::White => Points(self.0.saturating_sub(1)),
            Color::Black => Points(self.0.saturating_add(1)),
        }
    }

    /// A number kept for a while in the place of points.
    pub(super) const fn from_number(number: u32) -> Points {
        Points(number as i32)
    }

    /// The number kept in the place of points.
    pub(super) const fn number(self) -> u32 {
        self.0 as u32
    }

    /// A side mates so many plies from here.
    ///
    /// ```
    /// # use {tabiya_chess::Color, tabiya_engine::textbook::Points};
    /// // Black loses later, if lose it must.
    /// assert!(Points::mate(Color::White, 5) < Points::mate(Color::White, 1));
    /// ```
    pub const fn mate(winner: Color, plies: u32) -> Points {
        let plies = if plies > LONGEST_MATE as u32 { LONGEST_MATE } else { plies as i32 };
        match winner {
            Color::White => Points(MATE - plies),
            Color::Black => Points(plies - MATE),
        }
    }

    /// Who mates, and in how many plies; none if this is material.
    ///
    /// ```
    /// # use {tabiya_chess::Color, tabiya_engine::textbook::Points};
    /// assert_eq!(Points::mate(Color::Black, 4).mates(), Some((Color::Black, 4)));
    /// assert_eq!(Points::from_hundredths(-900).mates(), None);
    /// ```
    pub const fn mates(self) -> Option<(Color, u32)> {
        let plies = MATE.abs_diff(self.0.saturating_abs());
        if plies > LONGEST_MATE as u32 {
            return None;
        }
        Some((if self.0 > 0 { Color::White } else { Color::Black }, plies))
    }

    /// The same for a side, as engines score: whole centipawns, mates in moves.
    ///
    /// ```
    /// # use {tabiya_base::Score, tabiya_chess::Color, tabiya_engine::textbook::Points};
    /// let pawn_up = Points::from_hundredths(100);
    /// assert_eq!(pawn_up.for_side(Color::Black), Score::Centipawns(-100));
    /// assert_eq!(Points::mate(Color::Black, 3).for_side(Color::Black), Score::Mate(2));
    /// assert_eq!(Points::mate(Color::Black, 2).for_side(Color::White), Score::Mate(-1));
    /// ```
    pub const fn for_side(self, side: Color) -> Score {
        let sign = if matches!(side, Color::White) { 1 } else { -1 };
        match self.mates() {
            Some((_, plies)) => Score::Mate(sign * self.0.signum() * plies.div_ceil(2) as i32),
            None => Score::Centipawns(sign * self.0 / 100),
        }
    }

    /// In pawns.
    pub fn pawns(self) -> f64 {
        f64::from(self.0) / 10_000.0
    }

    /// Whether a side would rather have this: White the greater, Black the smaller.
    ///
    /// ```
    /// # use {tabiya_chess::Color, tabiya_engine::textbook::Points};
    /// let pawn_up = Points::from_hundredths(100);
    /// assert!(pawn_up.is_better(Points::ZERO, Color::White));
    /// assert!(!pawn_up.is_better(Points::ZERO, Color::Black));
    /// ```
    pub fn is_better(self, other: Points, side: Color) -> bool {
        match side {
            Color::White => self > other,
            Color::Black => self < other,
        }
    }
}

impl fmt::Display for Points {
    /// In pawns with no more digits than needed, `0`, `-3.25`, `9.0312`; mates as `#2`, `#-2`, in moves
    /// of the winner.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        if let Some((_, plies)) = self.mates() {
            return write!(f, "#{sign}{}", plies.div_ceil(2));
        }
        let size = self.0.unsigned_abs();
        let digits = format!("{:04}", size % 10_000);
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        write!(f, "{sign}{}{point}{digits}", size / 10_000)
    }
}
