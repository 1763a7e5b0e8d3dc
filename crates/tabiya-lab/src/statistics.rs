use std::fmt;

use tabiya_chess::Color;

/// Results of single games, as one of the two players sees them.
///
/// ```
/// use tabiya_lab::Tally;
///
/// let tally = Tally { wins: 30, draws: 50, losses: 20 };
/// assert_eq!(tally.score(), Some(0.55));
/// assert_eq!(tally.to_string(), "30 - 20 - 50");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Adds a game.
    ///
    /// ```
    /// # use tabiya_lab::{PlayerResult, Tally};
    /// let mut tally = Tally::default();
    /// tally.add(PlayerResult::Win);
    /// assert_eq!(tally.wins, 1);
    /// ```
    pub fn add(&mut self, result: PlayerResult) {
        match result {
            PlayerResult::Win => self.wins += 1,
            PlayerResult::Draw => self.draws += 1,
            PlayerResult::Loss => self.losses += 1,
        }
    }

    /// How many games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a draw being half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points for each game, from 0 to 1; none without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The same games as the other player sees them.
    ///
    /// ```
    /// # use tabiya_lab::Tally;
    /// let tally = Tally { wins: 1, draws: 2, losses: 3 };
    /// assert_eq!(tally.reversed().wins, 3);
    /// ```
    #[must_use]
    pub const fn reversed(self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl fmt::Display for Tally {
    /// Wins, losses and draws, in this order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {} - {}", self.wins, self.losses, self.draws)
    }
}

/// A game as one player sees it.
///
/// ```
/// use tabiya_chess::Color;
/// use tabiya_lab::PlayerResult;
///
/// assert_eq!(PlayerResult::of(Some(Color::White), Color::Black), PlayerResult::Loss);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerResult {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl PlayerResult {
    /// What a game with that winner is to a player of that colour.
    pub fn of(winner: Option<Color>, color: Color) -> PlayerResult {
        match winner {
            None => PlayerResult::Draw,
            Some(winner) if winner == color => PlayerResult::Win,
            Some(_) => PlayerResult::Loss,
        }
    }

    const fn half_points(self) -> usize {
        match self {
            PlayerResult::Loss => 0,
            PlayerResult::Draw => 1,
            PlayerResult::Win => 2,
        }
    }
}

/// Results of pairs of games. Both games of a pair begin from one opening, with colours changed, so
/// that they are not independent: a lopsided opening gives a win and a loss. Counting pairs knows
/// this, and gives tighter and truer error bars than counting games.
///
/// ```
/// use tabiya_lab::{PlayerResult, Pentanomial};
///
/// let mut pairs = Pentanomial::default();
/// pairs.add(PlayerResult::Win, PlayerResult::Draw);
/// assert_eq!(pairs.to_string(), "[0, 0, 0, 1, 0]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pentanomial {
    /// How many pairs gave 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Adds a pair.
    ///
    /// ```
    /// # use tabiya_lab::{PlayerResult, Pentanomial};
    /// let mut pairs = Pentanomial::default();
    /// pairs.add(PlayerResult::Win, PlayerResult::Loss);
    /// pairs.add(PlayerResult::Draw, PlayerResult::Draw);
    /// assert_eq!(pairs.counts, [0, 0, 2, 0, 0]);
    /// ```
    pub fn add(&mut self, one: PlayerResult, other: PlayerResult) {
        if let Some(count) = self.counts.get_mut(one.half_points() + other.half_points()) {
            *count += 1;
        }
    }

    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.counts)
    }
}

/// What is known about a match between two players, as the first of them sees it.
///
/// ```
/// use tabiya_lab::{MatchScore, Pentanomial, Tally};
///
/// let score = MatchScore {
///     games: Tally { wins: 213, draws: 246, losses: 121 },
///     pairs: Pentanomial { counts: [34, 54, 63, 64, 75] },
/// };
/// let elo = score.elo().unwrap();
/// assert_eq!(elo.to_string(), "+55.6 ± 27.7");
/// assert_eq!(score.normalized_elo().unwrap().to_string(), "+57.9 ± 28.3");
/// assert!(score.superiority() > 0.9999);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MatchScore {
    /// All games.
    pub games: Tally,
    /// The pairs of which both games are finished.
    pub pairs: Pentanomial,
}

impl MatchScore {
    /// The difference in Elo, with a 95 % interval. By pairs, or by games as long as no pair is
    /// finished. None if there are no games, or all were won or all lost: then no difference is too
    /// large.
    ///
    /// ```
    /// # use tabiya_lab::{MatchScore, Tally};
    /// let games = Tally { wins: 136, draws: 111, losses: 96 };
    /// let score = MatchScore { games, ..MatchScore::default() };
    /// assert_eq!(score.elo().unwrap().to_string(), "+40.7 ± 30.4");
    /// ```
    pub fn elo(&self) -> Option<Estimate> {
        let sample = self.sample()?;
        if sample.mean <= 0.0 || sample.mean >= 1.0 {
            return None;
        }
        let error = QUANTILE * sample.error();
        Some(Estimate {
            value: elo_of_score(sample.mean),
            low: elo_of_score(sample.mean - error),
            high: elo_of_score(sample.mean + error),
        })
    }

    /// The difference in normalised Elo, with a 95 % interval: the difference in score in units of
    /// its deviation for one game. Unlike Elo it hardly depends on how many games are drawn, and
    /// tells how many games are needed to see the difference.
    ///
    /// ```
    /// # use tabiya_lab::{MatchScore, Tally};
    /// let games = Tally { wins: 136, draws: 111, losses: 96 };
    /// let score = MatchScore { games, ..MatchScore::default() };
    /// assert_eq!(score.normalized_elo().unwrap().to_string(), "+49.8 ± 36.8");
    /// ```
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let sample = self.sample()?;
        let deviation = (sample.variance * sample.games_each).sqrt();
        if deviation == 0.0 {
            return None;
        }
        let unit = 800.0 / std::f64::consts::LN_10;
        let value = (sample.mean - 0.5) / deviation * unit;
        let error = QUANTILE * unit / (sample.size * sample.games_each).sqrt();
        Some(Estimate { value, low: value - error, high: value + error })
    }

    /// How likely the first player is the better one, from 0 to 1; one half without games.
    ///
    /// ```
    /// # use tabiya_lab::{MatchScore, Tally};
    /// let games = Tally { wins: 76, draws: 123, losses: 89 };
    /// let score = MatchScore { games, ..MatchScore::default() };
    /// assert_eq!(format!("{:.4}", score.superiority()), "0.1553");
    /// ```
    pub fn superiority(&self) -> f64 {
        let Some(sample) = self.sample() else { return 0.5 };
        let lead = sample.mean - 0.5;
        match sample.error() {
            error if error > 0.0 => normal_distribution(lead / error),
            _ if lead > 0.0 => 1.0,
            _ if lead < 0.0 => 0.0,
            _ => 0.5,
        }
    }

    fn sample(&self) -> Option<Sample> {
        let Tally { wins, draws, losses } = self.games;
        let by_pairs = Sample::of(&self.pairs.counts, 2.0);
        by_pairs.or_else(|| Sample::of(&[losses, draws, wins], 1.0))
    }
}

/// A number and the interval in which it lies with a probability of 95 %.
///
/// ```
/// use tabiya_lab::Estimate;
///
/// let estimate = Estimate { value: 12.0, low: -8.0, high: 34.0 };
/// assert_eq!(estimate.error(), 21.0);
/// assert_eq!(estimate.to_string(), "+12.0 ± 21.0");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Half the interval; infinite if it has no end.
    ///
    /// ```
    /// # use tabiya_lab::Estimate;
    /// let estimate = Estimate { value: 300.0, low: 100.0, high: f64::INFINITY };
    /// assert_eq!(estimate.error(), f64::INFINITY);
    /// ```
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not -0.0.
        let value = (10.0 * self.value).round() / 10.0 + 0.0;
        write!(f, "{value:+.1} ± {:.1}", self.error())
    }
}

/// The half-width of a 95 % interval in standard deviations.
pub(crate) const QUANTILE: f64 = 1.959_963_984_540_054;

/// Mean and variance of results that go in even steps from 0 to 1.
struct Sample {
    size: f64,
    games_each: f64,
    mean: f64,
    variance: f64,
}

impl Sample {
    fn of(counts: &[u64], games_each: f64) -> Option<Sample> {
        let size = counts.iter().sum::<u64>() as f64;
        if size == 0.0 {
            return None;
        }
        let (mean, mut variance) = moments(counts.iter().map(|&count| count as f64));
        // Results that are all alike do not mean that others cannot be: as if one more had been a step away.
        if variance == 0.0 && mean > 0.0 && mean < 1.0 {
            let step = 1.0 / counts.len().saturating_sub(1).max(1) as f64;
            variance = step * step / (size + 1.0);
        }
        Some(Sample { size, games_each, mean, variance })
    }

    /// The standard deviation of the mean.
    fn error(&self) -> f64 {
        (self.variance / self.size).sqrt()
    }
}

/// Mean and variance of a distribution given by weights of values in even steps from 0 to 1.
pub(crate) fn moments(weights: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let last = weights.len().saturating_sub(1).max(1) as f64;
    let values =
        || weights.clone().enumerate().map(|(index, weight)| (index as f64 / last, weight));
    let total: f64 = weights.clone().sum();
    let mean = values().map(|(value, weight)| value * weight).sum::<f64>() / total;
    let spread = values().map(|(value, weight)| weight * (value - mean).powi(2)).sum::<f64>();
    (mean, spread / total)
}

/// The score that a player expects who is so much better.
///
/// ```
/// use tabiya_lab::score_of_elo;
///
/// assert_eq!(score_of_elo(0.0), 0.5);
/// assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// How much better a player is who expects such a score; infinite from 1 up and 0 down.
///
/// ```
/// use tabiya_lab::elo_of_score;
///
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(0.75) - 190.848_501_887_864_9).abs() < 1e-9);
/// assert_eq!(elo_of_score(1.0), f64::INFINITY);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// How likely a normal variable is below a value (G. Marsaglia, "Evaluating the normal
/// distribution", 2004).
fn normal_distribution(x: f64) -> f64 {
    // Beyond this the answer is 0 or 1 to all the digits that anybody prints.
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut before, mut step) = (x, x, 0.0, 1.0);
    while sum != before {
        before = sum;
        step += 2.0;
        term *= x * x / step;
        sum += term;
    }
    let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(losses: u64, draws: u64, wins: u64) -> MatchScore {
        MatchScore { games: Tally { wins, draws, losses }, ..MatchScore::default() }
    }

    fn pairs(counts: [u64; 5]) -> MatchScore {
        MatchScore { pairs: Pentanomial { counts }, ..MatchScore::default() }
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{found} {expected}");
    }

    // The expectations were computed with scipy from the definitions. To two digits they are also
    // the values in the tests of fastchess.
    #[test]
    fn elo_and_superiority_of_games() {
        let score = games(89, 123, 76);
        let elo = score.elo().unwrap();
        assert_close(elo.value, -15.693520705432237);
        assert_close(elo.low, -46.27235419975313);
        assert_close(elo.high, 14.643647234207771);
        assert_close(score.superiority(), 0.1553264349274983);
        let normalized = score.normalized_elo().unwrap();
        assert_close(normalized.value, -20.756449777395378);
        assert_close(normalized.error(), 40.12602555757858);
    }

    #[test]
    fn elo_and_superiority_of_pairs() {
        let score = pairs([332, 433, 498, 333, 334]);
        let elo = score.elo().unwrap();
        assert_close(elo.value, -8.64266726796901);
        assert_close(elo.low, -18.98450868585014);
        assert_close(elo.high, 1.683880162935972);
        assert_close(score.superiority(), 0.05047006698252931);
        let normalized = score.normalized_elo().unwrap();
        assert_close(normalized.value, -9.172914270047176);
        assert_close(normalized.error(), 10.960458877511142);
    }

    #[test]
    fn pairs_are_believed_before_games() {
        // Every opening is won by White: games alone look like noise, pairs like certainty.
        let games = Tally { wins: 50, draws: 0, losses: 50 };
        let score = MatchScore { games, pairs: Pentanomial { counts: [0, 0, 50, 0, 0] } };
        let (elo, alone) = (score.elo().unwrap(), MatchScore { games, ..MatchScore::default() });
        assert_eq!(score.superiority(), 0.5);
        assert!(alone.elo().unwrap().error() > 60.0);
        // But fifty pairs that are alike do not prove that the next is.
        assert!((5.0..9.0).contains(&elo.error()), "{elo}");
        assert!(elo.to_string().starts_with("+0.0 ± "), "{elo}");
        let few = MatchScore { pairs: Pentanomial { counts: [0, 0, 2, 0, 0] }, ..score };
        assert!(few.elo().unwrap().error() > 10.0 * elo.error());
    }

    #[test]
    fn one_sided_matches_have_no_elo() {
        assert_eq!(games(0, 0, 0).elo(), None);
        assert_eq!(games(0, 0, 9).elo(), None);
        assert_eq!(games(9, 0, 0).elo(), None);
        assert_eq!(games(0, 0, 9).superiority(), 1.0);
        assert_eq!(games(9, 0, 0).superiority(), 0.0);
        assert_eq!(games(0, 0, 0).superiority(), 0.5);
        // One draw among wins: the upper end is open.
        let elo = games(0, 1, 3).elo().unwrap();
        assert!(elo.low.is_finite() && elo.high == f64::INFINITY);
    }

    #[test]
    fn the_normal_distribution() {
        for (x, expected) in [
            (0.0, 0.5),
            (0.5, 0.6914624612740131),
            (-1.0, 0.15865525393145707),
            (QUANTILE, 0.975),
            (-2.5, 0.006209665325776132),
            (3.0, 0.9986501019683699),
            (6.0, 0.9999999990134123),
        ] {
            assert!((normal_distribution(x) - expected).abs() < 1e-13, "{x}");
        }
        assert!((normal_distribution(-5.0) / 2.866515718791933e-07 - 1.0).abs() < 1e-6);
        assert_eq!(normal_distribution(-50.0), 0.0);
    }
}
