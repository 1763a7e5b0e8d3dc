//! Which pieces stand on the board: what a table is of, and named after.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use tabiya_chess::{Board, Color, Piece, Role};
use thiserror::Error;

/// The order in which pieces are named, and in which strength is compared.
const NAMED: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The pieces of both sides, a king each among them, the stronger side first: `KRPvKR`.
///
/// ```
/// use tabiya_tables::Material;
///
/// let ending: Material = "KRKRP".parse()?;
/// assert_eq!(ending.to_string(), "KRPvKR");
/// assert_eq!(ending.men(), 5);
/// # Ok::<(), tabiya_tables::ParseMaterialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material {
    /// How many of each role, pawn to queen, the first side has beside its king; and the other.
    sides: [[u8; 5]; 2],
}

/// Text that names no ending.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} names no ending; they are named like KRPvKR or KRPKR, with a king for each side")]
pub struct ParseMaterialError(String);

impl Material {
    /// The material on a board, and whether it is White's that comes second. None without a king for each side.
    ///
    /// ```
    /// use tabiya_chess::Board;
    /// use tabiya_tables::Material;
    ///
    /// assert!(Material::of(&Board::empty()).is_none());
    /// let (material, is_swapped) = Material::of(&Board::initial()).unwrap();
    /// assert_eq!((material.men(), is_swapped), (32, false));
    /// ```
    pub fn of(board: &Board) -> Option<(Material, bool)> {
        Color::ALL.into_iter().all(|color| board.king(color).is_some()).then_some(())?;
        let count = |color, role: Role| board.pieces(role.of(color)).len() as u8;
        let sides =
            Color::ALL.map(|color| std::array::from_fn(|role| count(color, Role::ALL[role])));
        Some(Material::ordered(sides))
    }

    /// The material of a list of pieces, kings not needed, and whether White's comes second.
    pub(crate) fn of_pieces(pieces: impl IntoIterator<Item = Piece>) -> (Material, bool) {
        let mut sides = [[0; 5]; 2];
        for piece in pieces {
            if let Some(count) = sides[piece.color as usize].get_mut(piece.role as usize) {
                *count += 1;
            }
        }
        Material::ordered(sides)
    }

    /// The stronger first: more men, then the more valuable.
    fn ordered(sides: [[u8; 5]; 2]) -> (Material, bool) {
        let strength = |side: &[u8; 5]| {
            let mut from_queen = *side;
            from_queen.reverse();
            (side.iter().map(|&count| u32::from(count)).sum::<u32>(), from_queen)
        };
        let is_swapped = strength(&sides[1]) > strength(&sides[0]);
        let [first, second] = sides;
        (Material { sides: if is_swapped { [second, first] } else { sides } }, is_swapped)
    }

    /// How many men, kings among them.
    pub fn men(&self) -> usize {
        2 + self.sides.iter().flatten().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// Whether there is a pawn.
    pub fn has_pawns(&self) -> bool {
        self.sides.iter().any(|side| side[Role::Pawn as usize] > 0)
    }

    /// Whether both sides have the same.
    ///
    /// ```
    /// # use tabiya_tables::Material;
    /// assert!("KRKR".parse::<Material>().unwrap().is_symmetric());
    /// ```
    pub fn is_symmetric(&self) -> bool {
        self.sides[0] == self.sides[1]
    }

    /// How many of a piece there are, White being the first side.
    pub fn count(&self, piece: Piece) -> usize {
        match piece.role {
            Role::King => 1,
            role => usize::from(self.sides[piece.color as usize][role as usize]),
        }
    }

    /// All pieces, White's being those of the first side: its king, queens, … pawns, then Black's.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        Color::ALL.into_iter().flat_map(move |color| {
            NAMED.into_iter().flat_map(move |role| {
                let piece = role.of(color);
                std::iter::repeat_n(piece, self.count(piece))
            })
        })
    }

    /// Every ending of so many men.
    ///
    /// ```
    /// # use tabiya_tables::Material;
    /// let endings: Vec<String> = Material::all(3).map(|ending| ending.to_string()).collect();
    /// assert_eq!(endings, ["KPvK", "KNvK", "KBvK", "KRvK", "KQvK"]);
    /// assert_eq!(Material::all(4).count(), 30);
    /// assert_eq!(Material::all(5).count(), 110);
    /// ```
    pub fn all(men: usize) -> impl Iterator<Item = Material> {
        let mut found = std::collections::BTreeSet::new();
        let mut sides = vec![[[0; 5]; 2]];
        for _ in 2..men {
            let more = |sides: &[[u8; 5]; 2]| {
                let sides = *sides;
                (0..10).map(move |n| {
                    let mut sides: [[u8; 5]; 2] = sides;
                    sides[n / 5][n % 5] += 1;
                    sides
                })
            };
            let next: std::collections::BTreeSet<_> = sides.iter().flat_map(more).collect();
            sides = next.into_iter().collect();
        }
        found.extend(sides.into_iter().map(|sides| Material::ordered(sides).0));
        let mut all: Vec<Material> =
            found.into_iter().filter(|m| m.men() == men && men > 2).collect();
        all.sort_by_key(|material| {
            let mut key = [[0; 5]; 2];
            for (key, side) in key.iter_mut().zip(material.sides) {
                *key = side;
                key.reverse();
            }
            (material.sides[1].iter().sum::<u8>(), key)
        });
        all.into_iter()
    }

    /// The endings that a capture or a promotion leads to, two bare kings left out.
    ///
    /// ```
    /// # use tabiya_tables::Material;
    /// let pawn: Material = "KPK".parse().unwrap();
    /// let next: Vec<String> = pawn.next().iter().map(Material::to_string).collect();
    /// assert_eq!(next, ["KNvK", "KBvK", "KRvK", "KQvK"]);
    /// ```
    pub fn next(&self) -> Vec<Material> {
        let mut found = std::collections::BTreeSet::new();
        let without = |sides: &[[u8; 5]; 2], side: usize, role: usize| {
            let mut sides = *sides;
            sides[side][role] = sides[side][role].checked_sub(1)?;
            Some(sides)
        };
        for side in 0..2 {
            for role in 0..5 {
                found.extend(without(&self.sides, side, role));
            }
            let Some(promoting) = without(&self.sides, side, 0) else { continue };
            for role in 1..5 {
                let mut sides = promoting;
                sides[side][role] += 1;
                found.insert(sides);
                found.extend((0..5).filter_map(|taken| without(&sides, 1 - side, taken)));
            }
        }
        let ordered = found.into_iter().map(|sides| Material::ordered(sides).0);
        let unique: std::collections::BTreeSet<Material> =
            ordered.filter(|m| m.men() > 2).collect();
        let mut next: Vec<Material> = unique.into_iter().collect();
        next.sort_by_key(|material| {
            (
                material.men(),
                material.sides.map(|mut side| {
                    side.reverse();
                    side
                }),
            )
        });
        next
    }

    /// Everything that has to be known before this one, in an order in which it can be made; itself last.
    pub fn with_all_before(self) -> Vec<Material> {
        fn visit(material: Material, order: &mut Vec<Material>) {
            if !order.contains(&material) {
                material.next().into_iter().for_each(|next| visit(next, order));
                order.push(material);
            }
        }
        let mut order = Vec::new();
        visit(self, &mut order);
        order
    }
}

impl Hash for Material {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Four bits for each count: nobody has sixteen of a kind.
        let counts = self.sides.iter().flatten();
        state.write_u64(counts.fold(0, |number, &count| number << 4 | u64::from(count)));
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in self.pieces() {
            if piece == Role::King.of(Color::Black) {
                f.write_str("v")?;
            }
            write!(f, "{}", piece.role.letter())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Material({self})")
    }
}

impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Material, ParseMaterialError> {
        let wrong = || ParseMaterialError(text.chars().take(40).collect());
        let mut sides = [[0_u8; 5]; 2];
        let mut kings = 0;
        for letter in text.chars() {
            let role = match letter {
                'v' if kings == 1 => continue,
                letter => Role::from_letter(letter).ok_or_else(wrong)?,
            };
            match (role, kings) {
                (Role::King, 0 | 1) => kings += 1,
                (Role::King, _) | (_, 0) => return Err(wrong()),
                (role, side) => {
                    let count = &mut sides[side - 1][role as usize];
                    *count = (*count + 1).min(16);
                }
            }
        }
        let men = sides.map(|side| side.iter().map(|&count| u32::from(count)).sum::<u32>());
        if kings != 2 || men.into_iter().any(|men| men > 15) {
            return Err(wrong());
        }
        Ok(Material::ordered(sides).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for men in 3..=5 {
            for material in Material::all(men) {
                assert_eq!(material.to_string().parse(), Ok(material));
                let short = material.to_string().replace('v', "");
                assert_eq!(short.parse(), Ok(material));
                assert_eq!(material.pieces().count(), men);
            }
        }
        for wrong in ["", "K", "KQ", "QKK", "KQKK", "KXK", "vKK", "KQKv8", &"K".repeat(500)] {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_comes_before_is_complete() {
        for material in Material::all(5) {
            let order = material.with_all_before();
            assert_eq!(order.last(), Some(&material));
            for (place, material) in order.iter().enumerate() {
                assert!(material.next().iter().all(|next| order[..place].contains(next)));
            }
        }
    }
}
