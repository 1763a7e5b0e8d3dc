//! How Syzygy's tables number positions.

use std::sync::LazyLock;

use tabiya_chess::Square;

use crate::geometry::{KingPairs, OVER_DIAGONAL, turned};

/// Most men in a table.
pub(super) const MOST: usize = 7;
/// Squares of a position, in the order of a table's pieces.
pub(super) type Places = [u8; MOST];

const DAMAGED: &str = "its pieces are wrong";

/// How many ways there are to choose `k` of `n`; none if `k` is larger than `n`.
pub(super) fn choose(k: usize, n: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |ways, i| ways * (n as u64 - i) / (i + 1))
}

/// What is fixed for all tables.
struct Maps {
    /// By the place in the triangle and the other king's square: for tables whose only single pieces are the kings.
    kings: [[u16; 64]; 10],
    /// Pawns' squares, those that lead first having the largest number.
    pawns: [u8; 64],
    /// By how many pawns lead and the first one's square: its share of the number.
    leads: [[u64; 64]; 6],
    /// By how many pawns lead and the file: how many numbers there are.
    lead_sizes: [[u64; 4]; 6],
}

static MAPS: LazyLock<Maps> = LazyLock::new(Maps::new);

/// Squares b1, c1, d1, c2, d2, d3 are 0 to 5, a1 to d4 on the diagonal 6 to 9.
const TRIANGLE: [(u8, u8); 10] =
    [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2), (0, 0), (1, 1), (2, 2), (3, 3)];

fn file(square: u8) -> u8 {
    square & 7
}

fn rank(square: u8) -> u8 {
    square >> 3
}

fn in_triangle(square: u8) -> u64 {
    let place = TRIANGLE.iter().position(|&place| place == (file(square), rank(square)));
    place.unwrap_or_default() as u64
}

/// Squares below the diagonal from a1 to h8, rank by rank: b1 is 0, h7 is 27.
fn below_diagonal(square: u8) -> u64 {
    let (file, rank) = (u64::from(file(square)), u64::from(rank(square)));
    // Ranks before have 7, 6, 5 … such squares.
    (0..rank).map(|rank| 7 - rank).sum::<u64>() + file.saturating_sub(rank + 1)
}

/// Less than 0 below the diagonal, 0 on it, more above.
fn off_diagonal(square: u8) -> i8 {
    rank(square) as i8 - file(square) as i8
}

impl Maps {
    fn new() -> Maps {
        let mut kings = [[0; 64]; 10];
        let mut number = 0;
        // Pairs with both kings on the diagonal come last.
        for both in [false, true] {
            for (first, &(file, rank)) in TRIANGLE.iter().enumerate() {
                let white = rank * 8 + file;
                for black in 0..64_u8 {
                    let apart = KingPairs::all().get(square(white), square(black)).is_some();
                    let on_diagonal = off_diagonal(white) == 0;
                    let above = on_diagonal && off_diagonal(black) > 0;
                    let is_both = on_diagonal && off_diagonal(black) == 0;
                    if apart && !above && is_both == both {
                        kings[first][usize::from(black)] = number;
                        number += 1;
                    }
                }
            }
        }
        let mut pawns = [0; 64];
        let mut left = 48;
        for file in 0..4_u8 {
            for rank in 1..7_u8 {
                for square in [rank * 8 + file, rank * 8 + 7 - file] {
                    left -= 1;
                    pawns[usize::from(square)] = left;
                }
            }
        }
        let mut leads = [[0; 64]; 6];
        let mut lead_sizes = [[0; 4]; 6];
        for (count, sizes) in lead_sizes.iter_mut().enumerate().skip(1) {
            for (file, size) in sizes.iter_mut().enumerate() {
                let mut number = 0;
                for rank in 1..7 {
                    let square = rank * 8 + file;
                    leads[count][square] = number;
                    number += choose(count - 1, usize::from(pawns[square]));
                }
                *size = number;
            }
        }
        Maps { kings, pawns, leads, lead_sizes }
    }
}

fn square(number: u8) -> Square {
    Square::ALL[usize::from(number & 63)]
}

/// The pawn among some that decides which file's table is asked, brought to the front; gives the file, 0 to 3.
pub(super) fn lead(pawns: &mut [u8]) -> usize {
    let number = |&square: &u8| MAPS.pawns[usize::from(square & 63)];
    if let Some(first) = (0..pawns.len()).max_by_key(|&n| number(&pawns[n])) {
        pawns.swap(0, first);
    }
    let file = pawns.first().map_or(0, |&square| file(square));
    usize::from(file.min(7 - file))
}

/// Pieces that are numbered together, and what their number is multiplied with.
#[derive(Clone, Copy)]
struct Group {
    count: usize,
    factor: u64,
}

/// How one table numbers positions.
pub(super) struct Numbering {
    /// The pieces in order: pawn to king 1 to 6, Black's 8 more.
    pub(super) pieces: Vec<u8>,
    groups: Vec<Group>,
    has_pawns: bool,
    /// Whether the second group is the other side's pawns.
    both_have_pawns: bool,
    /// Without pawns: whether three pieces are numbered at once, or two kings.
    three_at_once: bool,
    /// How many numbers there are.
    pub(super) size: u64,
}

impl Numbering {
    /// `orders` says when the first group, and the other side's pawns, are multiplied in.
    pub(super) fn new(
        pieces: Vec<u8>,
        orders: [u8; 2],
        both_have_pawns: bool,
        file: usize,
    ) -> Result<Numbering, &'static str> {
        const PAWN: u8 = 1;
        let has_pawns = pieces.iter().any(|&piece| piece & 7 == PAWN);
        let count = |piece: u8| pieces.iter().filter(|&&other| other == piece).count();
        let single = pieces.iter().filter(|&&piece| count(piece) == 1).count();
        let three_at_once = !has_pawns && single >= 3;
        if has_pawns && pieces.first().is_none_or(|&piece| piece & 7 != PAWN) {
            return Err(DAMAGED);
        }
        let run = |from: usize| {
            let like = pieces[from..].iter().take_while(|&&piece| piece == pieces[from]);
            like.count()
        };
        let mut counts: Vec<usize> = Vec::new();
        let mut next = 0;
        while next < pieces.len() {
            let count = match (next, has_pawns, three_at_once) {
                (0, false, true) => 3,
                (0, false, false) => 2,
                _ => run(next),
            };
            counts.push(count);
            next += count;
        }
        if next != pieces.len() {
            return Err(DAMAGED);
        }
        let [first, rest @ ..] = &counts[..] else { return Err(DAMAGED) };
        let second = if both_have_pawns { *rest.first().ok_or(DAMAGED)? } else { 0 };
        let (first, mut next) = (*first, 1 + usize::from(both_have_pawns));
        if has_pawns && (first > 5 || second > 5) || both_have_pawns && pieces[first] & 7 != PAWN {
            return Err(DAMAGED);
        }
        let mut free = 64 - first - second;
        let mut groups = vec![Group { count: 0, factor: 0 }; counts.len()];
        let mut size = 1_u64;
        let [order, order_of_pawns] = orders.map(usize::from);
        let mut turn = 0;
        while next < counts.len() || turn <= order || (both_have_pawns && turn <= order_of_pawns) {
            let (group, ways) = if turn == order {
                let ways = match (has_pawns, three_at_once) {
                    (true, _) => MAPS.lead_sizes[first][file],
                    (_, true) => 31_332,
                    _ => 462,
                };
                (0, ways)
            } else if both_have_pawns && turn == order_of_pawns {
                (1, choose(second, 48 - first))
            } else if let Some(&count) = counts.get(next) {
                next += 1;
                let ways = choose(count, free);
                free -= count;
                (next - 1, ways)
            } else {
                return Err(DAMAGED);
            };
            groups[group] = Group { count: counts[group], factor: size };
            size = size.checked_mul(ways).ok_or(DAMAGED)?;
            turn += 1;
        }
        if groups.iter().any(|group| group.count == 0) {
            return Err(DAMAGED);
        }
        Ok(Numbering { pieces, groups, has_pawns, both_have_pawns, three_at_once, size })
    }

    /// The number of a position. The leading pawn, if there are pawns, has been brought to the front.
    pub(super) fn number(&self, mut places: Places) -> Result<u64, &'static str> {
        let men = self.pieces.len();
        let places = places.get_mut(..men).ok_or(DAMAGED)?;
        let mirror = |places: &mut [u8], by: u8| places.iter_mut().for_each(|place| *place ^= by);
        if file(places[0]) > 3 {
            mirror(places, 7);
        }
        let first = self.groups[0];
        let mut number = if self.has_pawns {
            let lead = MAPS.leads[first.count][usize::from(places[0] & 63)];
            let value = |square: u8| usize::from(MAPS.pawns[usize::from(square & 63)]);
            places[1..first.count].sort_unstable_by_key(|&square| value(square));
            let others = places[1..first.count].iter().enumerate();
            lead + others.map(|(n, &square)| choose(n + 1, value(square))).sum::<u64>()
        } else {
            if rank(places[0]) > 3 {
                mirror(places, 56);
            }
            // The first piece off the diagonal, of those that are numbered at once, is to be below it.
            let off = places[..first.count]
                .iter()
                .map(|&place| off_diagonal(place))
                .find(|&off| off != 0);
            if off.is_some_and(|off| off > 0) {
                for place in places.iter_mut() {
                    *place = turned(square(*place), OVER_DIAGONAL) as u8;
                }
            }
            if self.three_at_once { three(places) } else { two_kings(places) }
        };
        number = number.checked_mul(first.factor).ok_or(DAMAGED)?;
        let mut start = first.count;
        for (n, group) in self.groups.iter().enumerate().skip(1) {
            let (before, rest) = places.split_at_mut(start);
            let own = rest.get_mut(..group.count).ok_or(DAMAGED)?;
            own.sort_unstable();
            // Squares that are taken are left out, and for pawns the first rank.
            let lowest = if n == 1 && self.both_have_pawns { 8 } else { 0 };
            let mut ways = 0;
            for (n, &square) in own.iter().enumerate() {
                let taken = before.iter().filter(|&&earlier| earlier < square).count();
                let place = usize::from(square).checked_sub(taken + lowest).ok_or(DAMAGED)?;
                ways += choose(n + 1, place);
            }
            number += ways * group.factor;
            start += group.count;
        }
        if number < self.size { Ok(number) } else { Err(DAMAGED) }
    }
}

/// The number of the first three pieces.
fn three(places: &[u8]) -> u64 {
    let [a, b, c] = [places[0], places[1], places[2]];
    let [wide_b, wide_c] = [b, c].map(u64::from);
    let b_skips = u64::from(b > a);
    let c_skips = u64::from(c > a) + u64::from(c > b);
    let on_diagonal = |place: u8| u64::from(rank(place));
    if off_diagonal(a) != 0 {
        return in_triangle(a) * 63 * 62 + (wide_b - b_skips) * 62 + wide_c - c_skips;
    }
    if off_diagonal(b) != 0 {
        return 6 * 63 * 62 + on_diagonal(a) * 28 * 62 + below_diagonal(b) * 62 + wide_c - c_skips;
    }
    let b = on_diagonal(b) - b_skips;
    if off_diagonal(c) != 0 {
        return 6 * 63 * 62 + 4 * 28 * 62 + on_diagonal(a) * 7 * 28 + b * 28 + below_diagonal(c);
    }
    6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + on_diagonal(a) * 7 * 6 + b * 6 + on_diagonal(c)
        - c_skips
}

fn two_kings(places: &[u8]) -> u64 {
    MAPS.kings[in_triangle(places[0]) as usize][usize::from(places[1] & 63)].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_below_the_diagonal_have_28_numbers() {
        let mut seen = [false; 28];
        for square in (0..64).filter(|&square| off_diagonal(square) < 0) {
            let number = below_diagonal(square) as usize;
            assert!(!std::mem::replace(&mut seen[number], true));
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn a_pawn_leads_by_file_and_then_from_below() {
        let mut pawns = [Square::D4 as u8, Square::B5 as u8, Square::G3 as u8];
        assert_eq!(lead(&mut pawns), 1);
        assert_eq!(pawns[0], Square::G3 as u8);
        assert_eq!(MAPS.lead_sizes[1], [6; 4]);
        assert_eq!(MAPS.kings.iter().flatten().max(), Some(&461));
    }
}
