use std::fmt;

use serde::{Deserialize, Serialize};
use tabiya_thinker::ThinkErrorKind;

use crate::{Anchor, Decision, Encounter, Estimate, ratings};

/// How often a player failed, and how.
///
/// ```
/// use tabiya_lab::Forfeits;
/// use tabiya_thinker::ThinkErrorKind;
///
/// let mut forfeits = Forfeits::default();
/// forfeits.add(ThinkErrorKind::Timeout);
/// forfeits.add(ThinkErrorKind::IllegalMove);
/// assert_eq!(forfeits.to_string(), "2 (time 1, illegal move 1)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Forfeits {
    /// Its time ran out.
    pub time: u64,
    /// It was gone.
    pub crash: u64,
    /// It played something that is not a legal move.
    pub illegal: u64,
    /// It failed in another way.
    pub other: u64,
}

impl Forfeits {
    /// Counts a failure.
    pub fn add(&mut self, kind: ThinkErrorKind) {
        match kind {
            ThinkErrorKind::Timeout => self.time += 1,
            ThinkErrorKind::Crashed => self.crash += 1,
            ThinkErrorKind::IllegalMove => self.illegal += 1,
            ThinkErrorKind::Other => self.other += 1,
        }
    }

    /// All of them.
    pub const fn total(&self) -> u64 {
        self.time + self.crash + self.illegal + self.other
    }
}

impl fmt::Display for Forfeits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            ("time", self.time),
            ("crash", self.crash),
            ("illegal move", self.illegal),
            ("other", self.other),
        ];
        let shown: Vec<String> = kinds
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        match self.total() {
            0 => f.write_str("none"),
            total => write!(f, "{total} ({})", shown.join(", ")),
        }
    }
}

/// How far a test has come.
///
/// ```
/// use tabiya_lab::{Decision, TestStatus};
///
/// let status = TestStatus { llr: 1.2, bounds: [-2.94, 2.94], decision: Decision::Continue };
/// assert_eq!(status.to_string(), "LLR 1.20 [-2.94, 2.94]");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestStatus {
    /// The log-likelihood ratio after the pairs counted so far. Pairs count in the order in which they
    /// began, each when all before it are finished: otherwise short games would be heard first, and
    /// who wins quickly would look better.
    pub llr: f64,
    /// Where H0 and H1 are accepted.
    pub bounds: [f64; 2],
    /// What the test says. It does not take that back when games that were still running end.
    pub decision: Decision,
}

impl fmt::Display for TestStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lower, upper] = self.bounds;
        write!(f, "LLR {:.2} [{lower:.2}, {upper:.2}]", self.llr)?;
        match self.decision {
            Decision::Continue => Ok(()),
            decision => write!(f, " {decision}"),
        }
    }
}

/// Where a match or tournament stands. `Display` gives one line for a match, and a table for more
/// than two players.
///
/// ```
/// use tabiya_lab::{Encounter, Forfeits, MatchScore, Pentanomial, Standings, Tally};
///
/// let games = Tally { wins: 30, draws: 50, losses: 20 };
/// let pairs = Pentanomial { counts: [2, 8, 22, 14, 4] };
/// let standings = Standings {
///     names: vec!["A".to_owned(), "B".to_owned()],
///     encounters: vec![Encounter { first: 0, second: 1, score: MatchScore { games, pairs } }],
///     forfeits: vec![Forfeits::default(); 2],
///     test: None,
///     anchor: None,
/// };
/// assert_eq!(
///     standings.to_string(),
///     "Score of A vs B: 30 - 20 - 50 [0.550] 100 games, \
///      Elo +34.9 ± 45.9, LOS 93 %, ptnml [2, 8, 22, 14, 4]"
/// );
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// The players.
    pub names: Vec<String>,
    /// What they have played; the players by their place in `names`.
    pub encounters: Vec<Encounter>,
    /// How often each player failed.
    pub forfeits: Vec<Forfeits>,
    /// The test that the match is for.
    pub test: Option<TestStatus>,
    /// The player whose rating is known.
    pub anchor: Option<Anchor>,
}

impl Standings {
    /// The games finished.
    pub fn games(&self) -> u64 {
        self.encounters.iter().map(|encounter| encounter.score.games.games()).sum()
    }

    /// The ratings of the players under which these results are most likely. See
    /// [`ratings`](crate::ratings()).
    pub fn ratings(&self) -> Vec<Option<Estimate>> {
        ratings(self.names.len(), &self.encounters, self.anchor)
    }

    fn name(&self, player: usize) -> &str {
        self.names.get(player).map_or("?", String::as_str)
    }

    fn write_line(&self, encounter: &Encounter, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = &encounter.score;
        let (first, second) = (self.name(encounter.first), self.name(encounter.second));
        let games = score.games;
        write!(f, "Score of {first} vs {second}: {games} ")?;
        let Some(mean) = games.score() else { return f.write_str("no games yet") };
        write!(f, "[{mean:.3}] {} games, Elo ", games.games())?;
        match score.elo() {
            Some(elo) => write!(f, "{elo}")?,
            None => f.write_str(if mean > 0.5 { "+inf" } else { "-inf" })?,
        }
        write!(f, ", LOS {:.0} %, ptnml {}", 100.0 * score.superiority(), score.pairs)?;
        match self.test {
            Some(test) => write!(f, ", {test}"),
            None => Ok(()),
        }
    }

    /// Points and games of a player against one other, or against all.
    fn points(&self, player: usize, opponent: Option<usize>) -> (f64, u64) {
        let met = |other| opponent.is_none_or(|opponent| opponent == other);
        let own = self.encounters.iter().filter_map(|encounter| {
            let games = encounter.score.games;
            if encounter.first == player && met(encounter.second) {
                Some((games.points(), games.games()))
            } else if encounter.second == player && met(encounter.first) {
                Some((games.reversed().points(), games.games()))
            } else {
                None
            }
        });
        own.fold((0.0, 0), |(points, games), (more, new)| (points + more, games + new))
    }

    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratings = self.ratings();
        let rating = |player: usize| ratings.get(player).copied().flatten();
        let value = |player| rating(player).map_or(f64::NEG_INFINITY, |rating| rating.value);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));

        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
        write!(f, "    {:<width$} {:>7} {:>6} {:>6} {:>6}", "Name", "Elo", "±", "Games", "Score")?;
        for place in 1..=order.len() {
            write!(f, " {place:>9}")?;
        }
        for (index, &player) in order.iter().enumerate() {
            write!(f, "\n{:>3} {:<width$} ", index + 1, self.name(player))?;
            match rating(player) {
                Some(rating) => write!(f, "{:>+7.1} {:>6.1}", rating.value, rating.error())?,
                None => write!(f, "{:>7} {:>6}", "?", "?")?,
            }
            let (points, games) = self.points(player, None);
            let score = if games > 0 { 100.0 * points / games as f64 } else { 0.0 };
            write!(f, " {games:>6} {score:>4.1} %")?;
            for &opponent in &order {
                match self.points(player, Some(opponent)) {
                    (_, 0) => write!(f, " {:>9}", if player == opponent { "·" } else { "" })?,
                    (points, games) => write!(f, " {:>9}", format!("{points}/{games}"))?,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.encounters.as_slice() {
            [encounter] => self.write_line(encounter, f)?,
            _ => self.write_table(f)?,
        }
        for (name, forfeits) in self.names.iter().zip(&self.forfeits) {
            if forfeits.total() > 0 {
                write!(f, "\nForfeits of {name}: {forfeits}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MatchScore, Tally};

    #[test]
    fn a_table_is_sorted_and_complete() {
        let encounter = |first, second, wins, draws, losses| {
            let games = Tally { wins, draws, losses };
            Encounter { first, second, score: MatchScore { games, ..MatchScore::default() } }
        };
        let mut forfeits = vec![Forfeits::default(); 3];
        forfeits[0].add(ThinkErrorKind::Crashed);
        let standings = Standings {
            names: ["Ant", "Bee", "Elephant"].map(str::to_owned).to_vec(),
            encounters: vec![
                encounter(0, 1, 1, 2, 7),
                encounter(0, 2, 0, 1, 9),
                encounter(1, 2, 4, 1, 5),
            ],
            forfeits,
            test: None,
            anchor: None,
        };
        let text = standings.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[1].starts_with("  1 Elephant "));
        assert!(lines[1].ends_with(" 20 75.0 %         ·    5.5/10    9.5/10"), "{text}");
        assert!(lines[3].ends_with(" 20 12.5 %    0.5/10      2/10         ·"), "{text}");
        assert_eq!(lines[4], "Forfeits of Ant: 1 (crash 1)");
        assert!(lines[..4].iter().all(|line| line.chars().count() == lines[0].chars().count()));
    }

    #[test]
    fn a_match_without_games_says_so() {
        let score = MatchScore::default();
        let standings = Standings {
            names: vec!["A".to_owned(), "B".to_owned()],
            encounters: vec![Encounter { first: 0, second: 1, score }],
            forfeits: vec![Forfeits::default(); 2],
            test: None,
            anchor: None,
        };
        assert_eq!(standings.to_string(), "Score of A vs B: 0 - 0 - 0 no games yet");
    }
}
