use std::time::Duration;

use tabiya_chess::Color;
use tabiya_pgn::{Comment, Game};

/// Where the time went, from `[%clk]` and `[%emt]` in a record.
///
/// ```
/// use std::time::Duration;
/// use tabiya_chess::Color;
/// use tabiya_review::TimeUse;
///
/// let text = "[TimeControl \"60+1\"]\n1. e4 {[%clk 0:00:59]} e5 {[%clk 0:01:00]} 2. Nf3 {[%clk 0:00:05]} *";
/// let times = TimeUse::of(&text.parse()?).unwrap();
/// assert_eq!(times.spent[2], Some(Duration::from_secs(55)));
/// assert_eq!(times.longest(Color::White, 1), [2]);
/// assert_eq!(times.trouble(Color::White), Some(2));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeUse {
    /// What each move took, as far as it is known.
    pub spent: Vec<Option<Duration>>,
    /// What was left on the player's clock after each move, as far as it is known.
    pub left: Vec<Option<Duration>>,
    /// What each player began with, from the tag `TimeControl` or, without it, the fullest clock seen.
    pub base: Option<Duration>,
    /// Who made the first move.
    first: Color,
}

impl TimeUse {
    /// The times in a record; none if there are none.
    pub fn of(game: &Game) -> Option<TimeUse> {
        let tree = game.tree();
        let (control, increment) =
            game.tag("TimeControl").and_then(time_control).unwrap_or_default();
        let first =
            |id, what: fn(&Comment) -> Option<Duration>| tree.comments(id).iter().find_map(what);
        let (mut spent, mut left) = (Vec::new(), Vec::new());
        for id in tree.main_line().take_while(|&id| tree.played(id).is_some()) {
            let clock = first(id, Comment::clock);
            let before = match left.len() {
                0 | 1 => control,
                moves => left.get(moves - 2).copied().flatten(),
            };
            // A clock that has gained more than the increment was set, by a time control or an arbiter.
            let by_clock = || before?.checked_add(increment)?.checked_sub(clock?);
            spent.push(first(id, Comment::elapsed).or_else(by_clock));
            left.push(clock);
        }
        if spent.iter().chain(&left).all(Option::is_none) {
            return None;
        }
        let base = control.or_else(|| left.iter().flatten().max().copied());
        Some(TimeUse { spent, left, base, first: tree.start().turn() })
    }

    fn plies_of(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        let skip = usize::from(color != self.first);
        (skip..self.spent.len()).step_by(2)
    }

    /// All the time that a side is known to have spent.
    ///
    /// ```
    /// # use {std::time::Duration, tabiya_chess::Color, tabiya_review::TimeUse};
    /// let times = TimeUse::of(&"1. e4 {[%emt 0:00:03]} e5 2. d4 {[%emt 0:00:04]} *".parse()?).unwrap();
    /// assert_eq!(times.total(Color::White), Duration::from_secs(7));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn total(&self, color: Color) -> Duration {
        let times = self.plies_of(color).filter_map(|ply| self.spent.get(ply).copied().flatten());
        times.fold(Duration::ZERO, Duration::saturating_add)
    }

    /// The moves that a side thought about longest, the longest first, by their index.
    ///
    /// ```
    /// # use {tabiya_chess::Color, tabiya_review::TimeUse};
    /// let times = TimeUse::of(&"1. e4 {[%emt 3]} e5 2. d4 {[%emt 4]} *".parse()?).unwrap();
    /// assert_eq!(times.longest(Color::White, 5), [2, 0]);
    /// assert!(times.longest(Color::Black, 5).is_empty());
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn longest(&self, color: Color, most: usize) -> Vec<usize> {
        let time = |ply: usize| self.spent.get(ply).copied().flatten();
        let mut plies: Vec<usize> = self
            .plies_of(color)
            .filter(|&ply| time(ply).is_some_and(|time| !time.is_zero()))
            .collect();
        plies.sort_by_key(|&ply| std::cmp::Reverse(time(ply)));
        plies.truncate(most);
        plies
    }

    /// The first move after which a side had less than a tenth of its time left, by its index.
    ///
    /// ```
    /// # use {tabiya_chess::Color, tabiya_review::TimeUse};
    /// let text = "1. e4 {[%clk 0:10:00]} e5 {[%clk 0:10:00]} 2. d4 {[%clk 0:00:59]} *";
    /// let times = TimeUse::of(&text.parse()?).unwrap();
    /// assert_eq!(times.trouble(Color::White), Some(2));
    /// assert_eq!(times.trouble(Color::Black), None);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn trouble(&self, color: Color) -> Option<usize> {
        let short = self.base? / 10;
        let is_short =
            |&ply: &usize| self.left.get(ply).copied().flatten().is_some_and(|left| left < short);
        self.plies_of(color).find(is_short)
    }
}

/// Time and increment of the first period: `300+5`, `600`, `40/7200:3600`, `40/5400+30:1800+30`.
fn time_control(text: &str) -> Option<(Option<Duration>, Duration)> {
    let period = text.split(':').next()?;
    let times = period.rsplit('/').next()?;
    let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
    let seconds = |text: &str| {
        let seconds: f64 = text.trim().parse().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    };
    Some((Some(seconds(base)?), seconds(increment)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn controls_of_all_kinds() {
        let base = |text| time_control(text).map(|(base, plus)| (base.unwrap(), plus));
        assert_eq!(base("300+5"), Some((seconds(300), seconds(5))));
        assert_eq!(base("600"), Some((seconds(600), seconds(0))));
        assert_eq!(base("40/7200:3600"), Some((seconds(7200), seconds(0))));
        assert_eq!(base("40/5400+30:1800+30"), Some((seconds(5400), seconds(30))));
        for text in ["-", "?", "", "abc", "-5", "1e400", "NaN", "/", "+"] {
            assert_eq!(base(text), None, "{text}");
        }
    }

    #[test]
    fn a_clock_that_was_set_forward_says_nothing_about_the_move() {
        let text = "[TimeControl \"100\"]\n1. e4 {[%clk 0:01:30]} e5 2. d4 {[%clk 0:30:00]} d6 3. c4 {[%clk 0:29:50]} *";
        let times = TimeUse::of(&text.parse().unwrap()).unwrap();
        assert_eq!(times.spent[0], Some(seconds(10)));
        assert_eq!(times.spent[1..4], [None, None, None]);
        assert_eq!(times.spent[4], Some(seconds(10)));
        assert_eq!(times.total(Color::White), seconds(20));
        assert_eq!(times.longest(Color::White, 9), [0, 4]);
    }

    #[test]
    fn black_may_begin() {
        let text =
            "[FEN \"4k3/8/8/8/8/8/8/R3K3 b - - 0 1\"]\n1... Ke7 {[%emt 9]} 2. Ra7+ {[%emt 4]} *";
        let times = TimeUse::of(&text.parse().unwrap()).unwrap();
        assert_eq!(times.total(Color::Black), seconds(9));
        assert_eq!(times.longest(Color::White, 1), [1]);
    }
}
