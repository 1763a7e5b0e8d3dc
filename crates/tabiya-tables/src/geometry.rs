//! Squares under the eight symmetries of the board, pairs of kings, and numbers of sets of like pieces.

use std::sync::LazyLock;

use tabiya_chess::Square;

/// No such pair of kings: they touch.
const NONE: u16 = u16::MAX;

/// A square under one of the eight symmetries: bit 0 swaps left and right, bit 1 up and down, and then bit 2 turns over the
/// diagonal from a1 to h8.
#[inline]
pub(crate) fn turned(square: Square, symmetry: u8) -> Square {
    let mut index = square as usize;
    index ^= [0, 7, 56, 63][usize::from(symmetry & 3)];
    if symmetry & 4 != 0 {
        index = (index & 7) << 3 | index >> 3;
    }
    Square::ALL[index & 63]
}

/// The diagonal from a1 to h8 alone.
pub(crate) const OVER_DIAGONAL: u8 = 4;

/// One pair of kings, looked up by their squares.
#[derive(Clone, Copy)]
pub(crate) struct KingPair {
    /// Its number.
    pub(crate) number: u16,
    /// The symmetry that brings it to where it is numbered.
    pub(crate) symmetry: u8,
    /// Whether the symmetry over the diagonal leaves both where they are.
    pub(crate) on_diagonal: bool,
}

/// Pairs of kings and their numbers.
pub(crate) struct KingPairs {
    by_squares: Vec<KingPair>,
    by_number: Vec<[Square; 2]>,
}

impl KingPairs {
    /// All of them, for positions with pawns.
    pub(crate) fn all() -> &'static KingPairs {
        static PAIRS: LazyLock<KingPairs> = LazyLock::new(|| KingPairs::new(false));
        &PAIRS
    }

    /// One for each eight that look the same, for positions without pawns.
    pub(crate) fn unlike() -> &'static KingPairs {
        static PAIRS: LazyLock<KingPairs> = LazyLock::new(|| KingPairs::new(true));
        &PAIRS
    }

    fn new(with_symmetry: bool) -> KingPairs {
        let nowhere = KingPair { number: NONE, symmetry: 0, on_diagonal: false };
        let mut by_squares = vec![nowhere; 64 * 64];
        let mut by_number = Vec::new();
        for white in Square::ALL {
            for black in Square::ALL {
                let is_home = !with_symmetry || is_home(white, black);
                if white.distance(black) > 1 && is_home {
                    let number = by_number.len() as u16;
                    by_squares[place(white, black)] = KingPair { number, ..nowhere };
                    by_number.push([white, black]);
                }
            }
        }
        if with_symmetry {
            for white in Square::ALL {
                for black in Square::ALL {
                    if white.distance(black) < 2 {
                        continue;
                    }
                    let home = (0..8).find_map(|symmetry| {
                        let [white, black] = [white, black].map(|square| turned(square, symmetry));
                        is_home(white, black).then_some((symmetry, white, black))
                    });
                    if let Some((symmetry, home_white, home_black)) = home {
                        let on_diagonal = [home_white, home_black]
                            .into_iter()
                            .all(|square| turned(square, OVER_DIAGONAL) == square);
                        let number = by_squares[place(home_white, home_black)].number;
                        by_squares[place(white, black)] =
                            KingPair { number, symmetry, on_diagonal };
                    }
                }
            }
        }
        KingPairs { by_squares, by_number }
    }

    #[inline]
    pub(crate) fn get(&self, white: Square, black: Square) -> Option<KingPair> {
        Some(self.by_squares[place(white, black)]).filter(|pair| pair.number != NONE)
    }

    #[inline]
    pub(crate) fn squares(&self, number: usize) -> [Square; 2] {
        self.by_number[number]
    }

    pub(crate) fn count(&self) -> usize {
        self.by_number.len()
    }
}

fn place(white: Square, black: Square) -> usize {
    white as usize * 64 + black as usize
}

/// Whether a pair is numbered where it stands: White's king in the triangle a1, d1, d4, and Black's not above the diagonal
/// when White's is on it.
fn is_home(white: Square, black: Square) -> bool {
    let [file, rank] = [white.file().index(), white.rank().index()];
    let below = |square: Square| square.rank().index() <= square.file().index();
    file < 4 && rank <= file && (rank < file || below(black))
}

/// How many sets of `count` different things there are among `of`.
pub(crate) fn sets(of: usize, count: usize) -> usize {
    (0..count).fold(1, |sets, n| sets * of.saturating_sub(n) / (n + 1))
}

/// The number of a set of up to three different places, in any order; none if two are the same.
#[inline]
pub(crate) fn set_number(places: &[usize]) -> Option<usize> {
    match *places {
        [] => Some(0),
        [a] => Some(a),
        [a, b] => {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            (low != high).then(|| high * high.wrapping_sub(1) / 2 + low)
        }
        [a, b, c] => {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            let [a, b, c] = sorted;
            (a != b && b != c).then(|| c * (c - 1) * (c - 2) / 6 + b * (b - 1) / 2 + a)
        }
        _ => None,
    }
}

/// The places of the set with a number, rising.
pub(crate) fn set_places(mut number: usize, count: usize) -> [usize; 3] {
    let mut places = [0; 3];
    for left in (1..=count).rev() {
        let mut place = left - 1;
        while sets(place + 1, left) <= number {
            place += 1;
        }
        number -= sets(place, left);
        places[left - 1] = place;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_kings_are_as_many_as_is_known() {
        assert_eq!(KingPairs::all().count(), 3612);
        assert_eq!(KingPairs::unlike().count(), 462);
        for pairs in [KingPairs::all(), KingPairs::unlike()] {
            for number in 0..pairs.count() {
                let [white, black] = pairs.squares(number);
                let pair = pairs.get(white, black).unwrap();
                assert_eq!((usize::from(pair.number), pair.symmetry), (number, 0));
            }
        }
        for white in Square::ALL {
            for black in Square::ALL {
                let Some(pair) = KingPairs::unlike().get(white, black) else {
                    assert!(white.distance(black) < 2);
                    continue;
                };
                let home = [white, black].map(|square| turned(square, pair.symmetry));
                assert_eq!(home, KingPairs::unlike().squares(pair.number.into()));
            }
        }
    }

    #[test]
    fn sets_are_numbered_without_gaps() {
        for count in 1..=3 {
            for number in 0..sets(64, count) {
                let places = set_places(number, count);
                assert_eq!(set_number(&places[..count]), Some(number));
            }
        }
        assert_eq!(set_number(&[5, 5]), None);
        assert_eq!(set_number(&[7, 2, 7]), None);
    }
}
