use tabiya_chess::{Move, Position};

use crate::{MateProof, shortest_mate};

/// How many moves may be played to prove one mate.
const BUDGET: u64 = 3_000_000;

/// The line of a mate in at most so many moves in which only one move mates as fast, at every move of the attacker but the last: a
/// proof by trying every move. The defender holds out as long as possible.
///
/// ```
/// use tabiya_lab::mating_line;
///
/// let position = "6k1/5ppp/8/8/8/8/4rPPP/R5K1 w - - 0 1".parse().unwrap();
/// let moves: Vec<String> = mating_line(&position, 3).unwrap().iter().map(|m| format!("{}{}", m.from(), m.to())).collect();
/// assert_eq!(moves, ["a1a8", "e2e8", "a8e8"]);
/// // Both rooks mate.
/// let position = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1".parse().unwrap();
/// assert_eq!(mating_line(&position, 3), None);
/// ```
pub fn mating_line(position: &Position, most: u32) -> Option<Vec<Move>> {
    let MateProof::Mate { moves, first } = shortest_mate(position, most, BUDGET) else {
        return None;
    };
    for &other in position.legal_moves().iter().filter(|&&m| m != first) {
        if mates(position, other, moves) != Some(false) {
            return None;
        }
    }
    go_on(position, first, moves)
}

/// The line from a move on that mates in so many moves, itself counted.
fn go_on(position: &Position, first: Move, moves: u32) -> Option<Vec<Move>> {
    let mut line = vec![first];
    let mut after = *position;
    after.play_unchecked(first);
    if after.is_checkmate() {
        return Some(line);
    }
    for &answer in after.legal_moves().iter() {
        let mut next = after;
        next.play_unchecked(answer);
        let rest = match shortest_mate(&next, moves - 1, BUDGET) {
            MateProof::Mate { moves: 1, first } if moves == 2 => Some(vec![first]),
            // The longest defence; among several, one that leaves a single way.
            MateProof::Mate { moves: rest, .. } if rest == moves - 1 => mating_line(&next, rest),
            _ => None,
        };
        if let Some(rest) = rest {
            line.push(answer);
            line.extend(rest);
            return Some(line);
        }
    }
    None
}

/// Whether a move mates in so many moves, itself counted, if that can be found out.
fn mates(position: &Position, m: Move, moves: u32) -> Option<bool> {
    let mut after = *position;
    after.play_unchecked(m);
    let answers = after.legal_moves();
    if answers.is_empty() {
        return Some(after.is_check());
    }
    if moves <= 1 {
        return Some(false);
    }
    for &answer in answers.iter() {
        let mut next = after;
        next.play_unchecked(answer);
        match shortest_mate(&next, moves - 1, BUDGET) {
            MateProof::Mate { .. } => {}
            MateProof::None => return Some(false),
            MateProof::Unknown => return None,
        }
    }
    Some(true)
}
