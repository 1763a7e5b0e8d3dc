//! How well somebody played, in per cent.

/// The accuracies of moves by the tenths of a point that they gave away: half of it for every 15 points. A table, so
/// that it is the same on every machine.
#[allow(clippy::indexing_slicing, reason = "made at compile time, which would fail")]
const ACCURACY: [f64; 1001] = {
    /// The 150th root of a half.
    const STEP: f64 = 0.995_389_679_103_229_1;
    let mut table = [100.0; 1001];
    let mut tenths = 1;
    while tenths < table.len() {
        table[tenths] = table[tenths - 1] * STEP;
        tenths += 1;
    }
    table
};
/// The least and the most that a move counts, by how much was going on.
const CALM: f64 = 0.5;
const STORM: f64 = 12.0;

/// The accuracy of a move that gave away so many points of winning chances: 100 for none, half of it for every 15
/// points.
///
/// ```
/// use tabiya_review::move_accuracy;
///
/// assert_eq!(move_accuracy(0.0), 100.0);
/// assert_eq!(move_accuracy(15.0).round(), 50.0);
/// assert_eq!(move_accuracy(30.0).round(), 25.0);
/// ```
pub fn move_accuracy(loss: f64) -> f64 {
    let tenths = (loss * 10.0).round().clamp(0.0, 1000.0) as usize;
    ACCURACY.get(tenths).copied().unwrap_or_default()
}

/// How much the moves count: each by how far chances swung around it, from a calm stretch to a storm.
///
/// `chances` are those of all positions, one more than there are moves. A move looks at a window of positions
/// that ends with the one after it; the window is a tenth of the game, from two to eight positions.
pub(crate) fn weights(chances: &[f64]) -> Vec<f64> {
    let moves = chances.len().saturating_sub(1);
    let window = (moves / 10).clamp(2, 8).min(chances.len());
    (1..=moves)
        .map(|after| {
            // The first moves share the first full window.
            let end = (after + 1).max(window);
            let part = chances.get(end - window..end).unwrap_or_default();
            deviation(part).clamp(CALM, STORM)
        })
        .collect()
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt()
}

/// The accuracy of a side from those of its moves, each with its weight: halfway between the weighted mean, in
/// which decisive moments count more, and the harmonic mean, in which one blunder is not made good by many easy
/// moves. Rounded to tenths. None without moves.
pub(crate) fn of_side(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weight: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weight;
    let inverse: f64 = moves.iter().map(|(accuracy, _)| 1.0 / accuracy).sum();
    let harmonic = moves.len() as f64 / inverse;
    Some((5.0 * (weighted + harmonic)).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_play_is_a_hundred_and_one_blunder_is_felt() {
        let perfect = [(100.0, CALM); 30];
        assert_eq!(of_side(&perfect), Some(100.0));
        let mut blundered = perfect;
        blundered[20] = (25.0, STORM);
        let accuracy = of_side(&blundered).unwrap();
        assert!((70.0..90.0).contains(&accuracy), "{accuracy}");
        assert_eq!(of_side(&[]), None);
    }

    #[test]
    fn storms_weigh_more_than_calm() {
        let mut chances = vec![50.0; 41];
        for (index, chance) in chances.iter_mut().enumerate().skip(30) {
            *chance = if index % 2 == 0 { 20.0 } else { 80.0 };
        }
        let weights = weights(&chances);
        assert_eq!(weights.len(), 40);
        assert_eq!((weights[5], weights[36]), (CALM, STORM));
        assert!(super::weights(&[50.0]).is_empty());
        assert_eq!(super::weights(&[50.0, 50.0]), [CALM]);
    }
}
