use std::collections::HashSet;
use std::fmt;

use tabiya_chess::Color;

use super::{RecordFilter, ScoredGame, Skipped};

/// Numbers about many games.
///
/// ```
/// use tabiya_lab::data::{RecordFilter, ScoredGame, DataSummary};
///
/// let mut summary = DataSummary::new(RecordFilter::default());
/// let game = ScoredGame { number: 0, start: 518, opening: vec![], moves: vec![], winner: None };
/// summary.add(&game);
/// assert_eq!((summary.games, summary.repeated), (1, 0));
/// assert!(!summary.add(&game), "seen before");
/// assert!(summary.to_string().starts_with("games      1 (and 1 repeated, not counted below)"));
/// ```
#[derive(Clone, Debug)]
pub struct DataSummary {
    /// Games, those repeated not counted.
    pub games: u64,
    /// Games that had been there before, move for move.
    pub repeated: u64,
    /// Moves chosen by the engine: all positions with a score.
    pub moves: u64,
    /// Positions that pass the filter.
    pub records: u64,
    /// Positions that do not, by the reason: see [`Skipped::ALL`].
    pub skipped: [u64; 4],
    /// Games that White won, that were drawn, and that Black won.
    pub results: [u64; 3],
    /// Games from a start position of Chess960.
    pub chess960: u64,
    /// Records by the number of pieces: up to 5, 9, 13 and so on to 32.
    pub by_pieces: [u64; 8],
    filter: RecordFilter,
    seen: HashSet<u64>,
    /// For scores in steps of 20 centipawns, how many records there are and their half points.
    curve: Vec<(u64, u64)>,
}

const STEP: i32 = 20;
const STEPS: i32 = 100;

impl DataSummary {
    /// About no games yet.
    pub fn new(filter: RecordFilter) -> DataSummary {
        DataSummary {
            games: 0,
            repeated: 0,
            moves: 0,
            records: 0,
            skipped: [0; 4],
            results: [0; 3],
            chess960: 0,
            by_pieces: [0; 8],
            filter,
            seen: HashSet::new(),
            curve: vec![(0, 0); 2 * STEPS as usize + 1],
        }
    }

    /// Counts a game in, unless it is the same as one before. Says whether it was new.
    ///
    /// ```
    /// # use tabiya_lab::data::{RecordFilter, ScoredGame, DataSummary};
    /// let game = ScoredGame { number: 0, start: 0, opening: vec![], moves: vec![], winner: None };
    /// assert!(DataSummary::new(RecordFilter::default()).add(&game));
    /// ```
    pub fn add(&mut self, game: &ScoredGame) -> bool {
        if !self.seen.insert(game.digest()) {
            self.repeated += 1;
            return false;
        }
        self.games += 1;
        self.chess960 += u64::from(game.start != 518);
        let result = match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        };
        count(&mut self.results, result);
        for judged in self.filter.judge(game) {
            self.moves += 1;
            match judged {
                Ok(record) => {
                    self.records += 1;
                    let pieces = record.board.occupied().len() as usize;
                    count(&mut self.by_pieces, pieces.saturating_sub(2) / 4);
                    let step = (i32::from(record.score) / STEP).clamp(-STEPS, STEPS) + STEPS;
                    if let Some((records, points)) = self.curve.get_mut(step as usize) {
                        *records += 1;
                        *points += u64::from(record.points);
                    }
                }
                Err(reason) => count(&mut self.skipped, reason as usize),
            }
        }
        true
    }

    /// The scale s for which 1 / (1 + exp(−score / s)) tells the results best; none without records.
    pub fn scale(&self) -> Option<u32> {
        let error = |scale: u32| -> f64 {
            let one = |(index, &(records, points)): (usize, &(u64, u64))| {
                let x = f64::from((index as i32 - STEPS) * STEP) / f64::from(scale);
                // Cross entropy of the results of all records with this score.
                records as f64 * x.exp().ln_1p() - points as f64 / 2.0 * x
            };
            self.curve.iter().enumerate().map(one).sum()
        };
        let scales = (40..=1000).step_by(5).map(|scale| (scale, error(scale)));
        let best = scales.min_by(|(_, a), (_, b)| a.total_cmp(b));
        best.filter(|_| self.records > 0).map(|(scale, _)| scale)
    }
}

fn count(counts: &mut [u64], index: usize) {
    if let Some(count) = counts.get_mut(index) {
        *count += 1;
    }
}

impl fmt::Display for DataSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        write!(f, "games      {}", self.games)?;
        if self.repeated > 0 {
            write!(f, " (and {} repeated, not counted below)", self.repeated)?;
        }
        let [white, drawn, black] = self.results;
        writeln!(f, "\nresults    {white} won by White, {drawn} drawn, {black} won by Black")?;
        writeln!(f, "Chess960   {:.1} % of games", percent(self.chess960, self.games))?;
        let each = self.moves as f64 / self.games.max(1) as f64;
        writeln!(f, "positions  {}, {each:.0} a game", self.moves)?;
        let share = percent(self.records, self.moves);
        write!(f, "to learn   {} ({share:.0} %); skipped:", self.records)?;
        let names = ["early", "in check", "best move takes or promotes", "decided"];
        for (name, (reason, number)) in names.iter().zip(Skipped::ALL.iter().zip(self.skipped)) {
            let comma = if *reason == Skipped::Early { "" } else { "," };
            write!(f, "{comma} {name} {:.0} %", percent(number, self.moves))?;
        }
        write!(f, "\npieces    ")?;
        for (index, number) in self.by_pieces.into_iter().enumerate() {
            let most = (4 * index + 5).min(32);
            write!(f, " ≤{most}: {:.0} %", percent(number, self.records))?;
        }
        match self.scale() {
            Some(scale) => writeln!(f, "\nscale      {scale} centipawns"),
            None => writeln!(f),
        }
    }
}
