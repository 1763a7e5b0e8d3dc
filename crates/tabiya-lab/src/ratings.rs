// Matrices and lists below are made here, with one row for each player; their indices are checked
// once, in `games_between`.
#![allow(clippy::indexing_slicing)]

use std::f64::consts::LN_10;

use crate::statistics::{QUANTILE, moments};
use crate::{Estimate, MatchScore, Tally};

/// What two players of a tournament have played against each other.
///
/// ```
/// use tabiya_lab::{Encounter, MatchScore, Tally};
///
/// let games = Tally { wins: 6, draws: 2, losses: 2 };
/// let score = MatchScore { games, ..MatchScore::default() };
/// let encounter = Encounter { first: 0, second: 1, score };
/// assert_eq!(encounter.score.games.points(), 7.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The number of the one player.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// The score as the first sees it.
    pub score: MatchScore,
}

/// A player whose rating is known: all others are measured from it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// The number of the player.
    pub player: usize,
    /// Its rating.
    pub elo: f64,
}

/// The ratings under which the results are most likely, with their 95 % intervals as seen from the
/// anchor. Without an anchor, the mean is 0.
///
/// A rating needs games: a player without any, or without any that lead to the anchor (or else to
/// the first player who has some), gets none. Where one side took every point, no difference is too
/// large for the results; then each such encounter is counted half a point short.
///
/// ```
/// use tabiya_lab::{Anchor, Encounter, MatchScore, Tally, ratings};
///
/// let games = Tally { wins: 12, draws: 6, losses: 2 }; // 75 %
/// let score = MatchScore { games, ..MatchScore::default() };
/// let encounters = [Encounter { first: 0, second: 1, score }];
/// let anchor = Anchor { player: 1, elo: 2000.0 };
/// let found = ratings(2, &encounters, Some(anchor));
/// assert_eq!(format!("{:.1}", found[0].unwrap().value), "2190.8");
/// assert_eq!(found[1].unwrap().value, 2000.0);
/// ```
pub fn ratings(
    players: usize,
    encounters: &[Encounter],
    anchor: Option<Anchor>,
) -> Vec<Option<Estimate>> {
    let mut results = games_between(players, encounters);
    let anchor = anchor.filter(|anchor| anchor.player < players);
    let start = anchor.map(|anchor| anchor.player).or(results.first().map(|result| result.i));
    let Some(start) = start else { return vec![None; players] };

    let known = reached(players, start, &results, |_| true, |_| true);
    results.retain(|result| known[result.i]);
    let takes = reached(players, start, &results, |r| r.points > 0.0, |r| r.points < r.games);
    let gives = reached(players, start, &results, |r| r.points < r.games, |r| r.points > 0.0);
    if takes != known || gives != known {
        for result in &mut results {
            result.points = result.points.clamp(0.5, result.games - 0.5);
        }
    }

    let strengths = most_likely(players, &results);
    let covariance = covariance(&strengths, &results);
    let reference = anchor.map_or_else(
        || {
            let sum: f64 = (0..players).filter(|&i| known[i]).map(|i| strengths[i]).sum();
            sum / known.iter().filter(|known| **known).count() as f64
        },
        |anchor| strengths[anchor.player],
    );
    let elo = |strength: f64| strength * 400.0 / LN_10;
    let estimate = |i: usize| {
        let value = elo(strengths[i] - reference) + anchor.map_or(0.0, |anchor| anchor.elo);
        let variance = match anchor {
            Some(Anchor { player: a, .. }) => {
                covariance[i][i] + covariance[a][a] - 2.0 * covariance[i][a]
            }
            None => covariance[i][i],
        };
        let error = QUANTILE * elo(variance.max(0.0).sqrt());
        Estimate { value, low: value - error, high: value + error }
    };
    (0..players).map(|i| known[i].then(|| estimate(i))).collect()
}

/// Games between two players, in the numbers that rating needs.
struct Result {
    i: usize,
    j: usize,
    games: f64,
    /// Points of player `i`.
    points: f64,
    /// The variance of the points, as far as it shows.
    variance: f64,
}

fn games_between(players: usize, encounters: &[Encounter]) -> Vec<Result> {
    let sensible = |e: &&Encounter| e.first.max(e.second) < players && e.first != e.second;
    let played = |e: &&Encounter| e.score.games.games() > 0;
    encounters.iter().filter(sensible).filter(played).map(result).collect()
}

fn result(encounter: &Encounter) -> Result {
    let MatchScore { games, pairs } = encounter.score;
    let Tally { wins, draws, losses } = games;
    // The deviation of a pair's mean, or of a game: how much each game adds to that of the sum.
    let each = match pairs.pairs() {
        0 => moments([losses, draws, wins].iter().map(|&count| count as f64)).1,
        _ => 2.0 * moments(pairs.counts.iter().map(|&count| count as f64)).1,
    };
    let (i, j) = (encounter.first, encounter.second);
    let count = games.games() as f64;
    Result { i, j, games: count, points: games.points(), variance: each * count }
}

/// The players that can be reached from one of them along results of a kind: `forth` from `i` to
/// `j`, `back` from `j` to `i`.
fn reached(
    players: usize,
    start: usize,
    results: &[Result],
    forth: impl Fn(&Result) -> bool,
    back: impl Fn(&Result) -> bool,
) -> Vec<bool> {
    let mut known = vec![false; players];
    known[start] = true;
    loop {
        let before = known.clone();
        for result in results {
            known[result.j] |= known[result.i] && forth(result);
            known[result.i] |= known[result.j] && back(result);
        }
        if known == before {
            return known;
        }
    }
}

/// The score that `i` expects against `j`.
fn expected(strengths: &[f64], result: &Result) -> f64 {
    1.0 / (1.0 + (strengths[result.j] - strengths[result.i]).exp())
}

fn likelihood(strengths: &[f64], results: &[Result]) -> f64 {
    let of = |result: &Result| {
        let expected = expected(strengths, result);
        result.points * expected.ln() + (result.games - result.points) * (1.0 - expected).ln()
    };
    results.iter().map(of).sum()
}

/// Climbs to the only top of the likelihood with Newton's method, halving steps that lead down.
fn most_likely(players: usize, results: &[Result]) -> Vec<f64> {
    let mut strengths = vec![0.0; players];
    for _ in 0..100 {
        let mut slope = vec![0.0; players];
        for result in results {
            let surplus = result.points - result.games * expected(&strengths, result);
            slope[result.i] += surplus;
            slope[result.j] -= surplus;
        }
        let inverse = inverse(curvature(&strengths, results));
        let step: Vec<f64> = inverse.iter().map(|row| product(row, &slope)).collect();
        let height = likelihood(&strengths, results);
        let moved = |size: f64| -> Vec<f64> {
            strengths.iter().zip(&step).map(|(strength, step)| strength + size * step).collect()
        };
        let sizes = std::iter::successors(Some(1.0), |size| Some(size / 2.0)).take(40);
        let better = sizes.map(moved).find(|moved| likelihood(moved, results) > height);
        match better {
            Some(better) => strengths = better,
            None => break,
        }
    }
    strengths
}

/// How sharply the likelihood bends, made invertible: raising all players together changes
/// nothing, so that direction is given a bend of its own.
fn curvature(strengths: &[f64], results: &[Result]) -> Vec<Vec<f64>> {
    let weight = |result: &Result| {
        let expected = expected(strengths, result);
        result.games * expected * (1.0 - expected)
    };
    let mut matrix = laplacian(strengths.len(), results, weight);
    for (index, row) in matrix.iter_mut().enumerate() {
        if row[index] == 0.0 {
            row[index] = 1.0; // nobody to be measured against
        }
        row.iter_mut().for_each(|entry| *entry += 1.0);
    }
    matrix
}

/// How uncertain the strengths are, from how much the results of each encounter vary.
fn covariance(strengths: &[f64], results: &[Result]) -> Vec<Vec<f64>> {
    let variance = |result: &Result| {
        let expected = expected(strengths, result);
        let by_chance = result.games * expected * (1.0 - expected);
        // Results that have all been alike so far may still vary.
        if result.variance > 0.0 { result.variance } else { by_chance }
    };
    let spread = laplacian(strengths.len(), results, variance);
    let inverse = inverse(curvature(strengths, results));
    multiply(&multiply(&inverse, &spread), &inverse)
}

fn laplacian(players: usize, results: &[Result], weight: impl Fn(&Result) -> f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players]; players];
    for result in results {
        let (i, j, weight) = (result.i, result.j, weight(result));
        matrix[i][i] += weight;
        matrix[j][j] += weight;
        matrix[i][j] -= weight;
        matrix[j][i] -= weight;
    }
    matrix
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The product of two square matrices, the second of them symmetric.
fn multiply(a: &[Vec<f64>], symmetric: &[Vec<f64>]) -> Vec<Vec<f64>> {
    a.iter().map(|row| symmetric.iter().map(|column| product(row, column)).collect()).collect()
}

/// The inverse of a symmetric positive matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| if column == index { 1.0 } else { 0.0 }));
    }
    for pivot in 0..size {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|entry| *entry /= scale);
        let pivot_row = matrix[pivot].clone();
        for (index, row) in matrix.iter_mut().enumerate() {
            let factor = if index == pivot { 0.0 } else { row[pivot] };
            row.iter_mut().zip(&pivot_row).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, elo_of_score};

    /// An encounter by its pairs; how the middle ones came about does not matter here.
    fn by_pairs(first: usize, second: usize, counts: [u64; 5]) -> Encounter {
        let [ll, ld, dd, wd, ww] = counts;
        let games = Tally { wins: 2 * ww + wd, draws: ld + 2 * dd + wd, losses: 2 * ll + ld };
        let score = MatchScore { games, pairs: Pentanomial { counts } };
        Encounter { first, second, score }
    }

    fn games(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
        let games = Tally { wins, draws, losses };
        Encounter { first, second, score: MatchScore { games, ..MatchScore::default() } }
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_score() {
        let found = ratings(2, &[games(0, 1, 57, 20, 23)], None);
        let [first, second] = [0, 1].map(|i| found[i].unwrap());
        assert_close(first.value - second.value, elo_of_score(0.67));
        assert_close(first.value + second.value, 0.0);
    }

    #[test]
    fn four_players_as_scipy_rates_them() {
        let encounters = [
            by_pairs(0, 1, [2, 5, 20, 13, 10]),
            by_pairs(0, 2, [1, 3, 10, 16, 20]),
            by_pairs(1, 2, [4, 10, 20, 10, 6]),
            by_pairs(2, 3, [5, 5, 15, 15, 10]),
        ];
        let found = ratings(4, &encounters, None);
        for (found, (value, error)) in found.iter().zip(FROM_SCIPY) {
            assert_close(found.unwrap().value, value);
            assert_close(found.unwrap().error(), error);
        }
        let anchored = ratings(4, &encounters, Some(Anchor { player: 0, elo: 1500.0 }));
        assert_eq!(anchored[0].unwrap().error(), 0.0);
        assert_close(anchored[0].unwrap().value, 1500.0);
        assert_close(anchored[3].unwrap().value, 1500.0 + FROM_SCIPY[3].0 - FROM_SCIPY[0].0);
        assert_close(anchored[3].unwrap().error(), ERROR_OF_LAST_FROM_FIRST);
    }

    // The likelihood maximised, and the errors of the scores carried through to the ratings by finite
    // differences.
    const FROM_SCIPY: [(f64, f64); 4] = [
        (126.042694, 34.740922),
        (9.931298, 33.063311),
        (-32.768744, 24.958798),
        (-103.205248, 49.338644),
    ];
    const ERROR_OF_LAST_FROM_FIRST: f64 = 76.483144;

    #[test]
    fn a_clean_sweep_is_half_a_point_short() {
        let found = ratings(2, &[games(0, 1, 10, 0, 0)], None);
        let difference = found[0].unwrap().value - found[1].unwrap().value;
        assert_close(difference, elo_of_score(0.95));
        assert!(found[0].unwrap().error() > 100.0);
        // In a circle nobody is unbounded, and nothing is changed.
        let circle = [games(0, 1, 10, 0, 0), games(1, 2, 10, 0, 0), games(2, 0, 10, 0, 0)];
        for rating in ratings(3, &circle, None) {
            assert_close(rating.unwrap().value, 0.0);
        }
    }

    #[test]
    fn strangers_are_not_rated() {
        assert_eq!(ratings(3, &[], None), [None; 3]);
        let found = ratings(5, &[games(1, 2, 1, 1, 0), games(3, 4, 0, 1, 1)], None);
        assert!(found[1].is_some() && found[2].is_some());
        assert_eq!((found[0], found[3], found[4]), (None, None, None));
        let anchor = Some(Anchor { player: 4, elo: 0.0 });
        let found = ratings(5, &[games(1, 2, 1, 1, 0), games(3, 4, 0, 1, 1)], anchor);
        assert!(found[1].is_none() && found[3].is_some() && found[4].is_some());
        // Nonsense is not listened to.
        assert_eq!(ratings(2, &[games(0, 7, 1, 0, 0), games(1, 1, 1, 0, 0)], None), [None; 2]);
    }
}
