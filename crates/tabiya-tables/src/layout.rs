//! Positions of an ending and their numbers.
//!
//! A table is cut into *slices*: one for each placement of the pawns, a single one without pawns. Within a slice only
//! pieces move, so that slices are made one after the other, those with pawns far advanced first. A number within a slice is
//! made of the pair of kings and then of the places of each group of like pieces.
//!
//! Symmetry: without pawns a position stands for the eight that look the same, with pawns for itself and its mirror
//! image.

use tabiya_chess::{Bitboard, Color, Piece, Role, Square};

use crate::Material;
use crate::geometry::{KingPairs, OVER_DIAGONAL, set_number, set_places, sets, turned};

/// More men than this are not for tables of our own.
pub(crate) const MOST_MEN: usize = 5;

/// Where the pieces of [`Layout::pieces`] stand. Places beyond their number mean nothing.
pub(crate) type Squares = [Square; MOST_MEN];

/// Squares for pawns.
const PAWN_SQUARES: usize = 48;

/// Pieces that cannot be told apart.
struct Group {
    /// The first of them in [`Layout::pieces`].
    first: usize,
    count: usize,
    /// How many ways there are to place them.
    size: usize,
    /// The places for each number.
    places: Vec<[u8; 3]>,
}

impl Group {
    fn new(first: usize, count: usize, squares: usize) -> Group {
        let size = sets(squares, count);
        let places = (0..size).map(|number| set_places(number, count).map(|place| place as u8));
        Group { first, count, size, places: places.collect() }
    }

    #[inline]
    fn number(&self, squares: &Squares, place: impl Fn(Square) -> usize) -> Option<usize> {
        let squares = &squares[self.first..self.first + self.count];
        let mut places = [0; 3];
        for (to, &square) in places.iter_mut().zip(squares) {
            *to = place(square);
        }
        set_number(&places[..self.count])
    }
}

/// How the positions of an ending are numbered.
pub(crate) struct Layout {
    pub(crate) material: Material,
    /// White's king, Black's king, White's pieces, Black's pieces, White's pawns, Black's pawns.
    pub(crate) pieces: Vec<Piece>,
    kings: &'static KingPairs,
    groups: Vec<Group>,
    pawns: Vec<Group>,
    /// By how much a number grows with a piece's square; 0 where it is not so simple.
    strides: Vec<usize>,
    /// The squares of the pawns in each slice.
    slices: Vec<Vec<Square>>,
    /// By the pawns' number: twice the slice, and one more if it is that of the mirror image.
    by_pawns: Vec<u32>,
    /// Numbers in a slice.
    pub(crate) slice_size: usize,
}

impl Layout {
    /// None if there are too many men.
    pub(crate) fn new(material: Material) -> Option<Layout> {
        if !(3..=MOST_MEN).contains(&material.men()) {
            return None;
        }
        let kings = Color::ALL.map(|color| Role::King.of(color)).into_iter();
        let of = |roles: fn(Role) -> bool| material.pieces().filter(move |piece| roles(piece.role));
        let pieces: Vec<Piece> = kings
            .chain(of(|role| role != Role::King && role != Role::Pawn))
            .chain(of(|role| role == Role::Pawn))
            .collect();
        let (mut groups, mut pawns) = (Vec::new(), Vec::new());
        let mut first = 2;
        for like in pieces[2..].chunk_by(|a, b| a == b) {
            match like[0].role {
                Role::Pawn => pawns.push(Group::new(first, like.len(), PAWN_SQUARES)),
                _ => groups.push(Group::new(first, like.len(), 64)),
            }
            first += like.len();
        }
        let pairs = if pawns.is_empty() { KingPairs::unlike() } else { KingPairs::all() };
        let slice_size =
            pairs.count() * groups.iter().map(|group: &Group| group.size).product::<usize>();
        let mut strides = vec![0; pieces.len()];
        let mut stride = 1;
        for group in groups.iter().rev() {
            if group.count == 1 {
                strides[group.first] = stride;
            }
            stride *= group.size;
        }
        let mut layout = Layout {
            strides,
            material,
            pieces,
            kings: pairs,
            groups,
            pawns,
            slices: Vec::new(),
            by_pawns: Vec::new(),
            slice_size,
        };
        layout.number_slices();
        Some(layout)
    }

    fn number_slices(&mut self) {
        if self.pawns.is_empty() {
            self.slices = vec![Vec::new()];
            return;
        }
        let total = self.pawns.iter().map(|group| group.size).product::<usize>();
        let mut placements: Vec<(usize, Vec<Square>, bool)> = Vec::new();
        for number in 0..total {
            let squares = self.pawn_squares(number);
            let distinct: Bitboard = squares.iter().copied().collect();
            if distinct.len() as usize != squares.len() {
                continue;
            }
            let mut all = [Square::A1; MOST_MEN];
            let first = self.pawns[0].first;
            for (place, &square) in all[first..].iter_mut().zip(&squares) {
                *place = turned(square, 1);
            }
            let mirrored = self.pawn_number(&all).unwrap_or(number);
            placements.push((number, squares, mirrored < number));
        }
        let advance = |squares: &[Square]| -> usize {
            let pawns = &self.pieces[self.pawns[0].first..];
            let rank =
                |(square, pawn): (&Square, &Piece)| square.relative_to(pawn.color).rank().index();
            squares.iter().zip(pawns).map(rank).sum()
        };
        let mut own: Vec<&(usize, Vec<Square>, bool)> =
            placements.iter().filter(|(.., is_mirrored)| !is_mirrored).collect();
        own.sort_by_key(|(number, squares, _)| (usize::MAX - advance(squares), *number));
        let mut by_pawns = vec![u32::MAX; total];
        for (slice, (number, squares, _)) in own.iter().enumerate() {
            let mut all = [Square::A1; MOST_MEN];
            let first = self.pawns[0].first;
            for (place, &square) in all[first..].iter_mut().zip(squares) {
                *place = turned(square, 1);
            }
            let mirrored = self.pawn_number(&all).unwrap_or(*number);
            by_pawns[mirrored] = slice as u32 * 2 + 1;
            by_pawns[*number] = slice as u32 * 2;
        }
        let slices = own.iter().map(|(_, squares, _)| squares.clone()).collect();
        self.slices = slices;
        self.by_pawns = by_pawns;
    }

    fn pawn_squares(&self, mut number: usize) -> Vec<Square> {
        let mut squares = Vec::new();
        for group in self.pawns.iter().rev() {
            let places = group.places[number % group.size];
            number /= group.size;
            let own =
                places[..group.count].iter().map(|&place| Square::ALL[usize::from(place) + 8]);
            squares.splice(0..0, own);
        }
        squares
    }

    fn pawn_number(&self, squares: &Squares) -> Option<usize> {
        self.pawns.iter().try_fold(0, |number, group| {
            let own = group.number(squares, |square| (square as usize).wrapping_sub(8) & 63)?;
            (own < group.size).then_some(number * group.size + own)
        })
    }

    pub(crate) fn slices(&self) -> usize {
        self.slices.len()
    }

    /// The numbers of all slices together.
    pub(crate) fn size(&self) -> usize {
        self.slices() * self.slice_size
    }

    /// Where a position is kept: its slice, and its number there.
    #[inline]
    pub(crate) fn locate(&self, squares: &Squares) -> Option<(usize, usize)> {
        if self.pawns.is_empty() {
            return Some((0, self.number_in_slice(squares)?));
        }
        let entry = *self.by_pawns.get(self.pawn_number(squares)?)?;
        if entry == u32::MAX {
            return None;
        }
        let mut squares = *squares;
        if entry & 1 == 1 {
            squares = squares.map(|square| turned(square, 1));
        }
        Some(((entry >> 1) as usize, self.number_in_slice(&squares)?))
    }

    /// The number of a position whose pawns stand as those of its slice.
    #[inline]
    pub(crate) fn number_in_slice(&self, squares: &Squares) -> Option<usize> {
        let pair = self.kings.get(squares[0], squares[1])?;
        let number = |symmetry: u8| {
            self.groups.iter().try_fold(usize::from(pair.number), |number, group| {
                let own = group.number(squares, |square| turned(square, symmetry) as usize)?;
                Some(number * group.size + own)
            })
        };
        let first = number(pair.symmetry)?;
        if pair.on_diagonal {
            // Turned over the diagonal the kings stay where they are: one of two numbers has to be chosen.
            let mirrored = number(pair.symmetry ^ OVER_DIAGONAL)?;
            return Some(first.min(mirrored));
        }
        Some(first)
    }

    /// The number after a piece of the position with a number has gone elsewhere, within the slice.
    #[inline]
    pub(crate) fn moved(
        &self,
        number: usize,
        squares: &Squares,
        may_be_turned: bool,
        piece: usize,
        to: Square,
    ) -> Option<usize> {
        let stride = self.strides[piece];
        if stride != 0 && !may_be_turned {
            // The kings stay, and with them the symmetry.
            return Some(number + to as usize * stride - squares[piece] as usize * stride);
        }
        let mut after = *squares;
        after[piece] = to;
        self.number_in_slice(&after)
    }

    /// The squares of the position with a number, which may be none: see [`Layout::is_used`].
    #[inline]
    pub(crate) fn squares(&self, slice: usize, mut number: usize) -> Squares {
        let mut squares = [Square::A1; MOST_MEN];
        for group in self.groups.iter().rev() {
            // Most groups are single pieces, and a division takes long.
            let place = if group.size == 64 { number & 63 } else { number % group.size };
            number = if group.size == 64 { number >> 6 } else { number / group.size };
            let places = group.places[place];
            for (n, &place) in places[..group.count].iter().enumerate() {
                squares[group.first + n] = Square::ALL[usize::from(place & 63)];
            }
        }
        let [white, black] = self.kings.squares(number);
        squares[0] = white;
        squares[1] = black;
        if let Some(pawns) = self.pawns.first() {
            let own = &self.slices[slice];
            squares[pawns.first..pawns.first + own.len()].copy_from_slice(own);
        }
        squares
    }

    /// Whether no two pieces share a square, and the position has no other number.
    #[inline]
    pub(crate) fn is_used(&self, squares: &Squares, number: usize) -> bool {
        self.occupied(squares).len() as usize == self.pieces.len()
            && (!self.may_be_turned(squares) || self.number_in_slice(squares) == Some(number))
    }

    /// The position with the colours swapped, where both sides have the same men.
    pub(crate) fn with_colors_swapped(&self, squares: &Squares) -> Squares {
        let mut swapped = *squares;
        let mut taken = [false; MOST_MEN];
        for (n, piece) in self.pieces.iter().enumerate() {
            let is_it = |&m: &usize| {
                let other = self.pieces[m];
                !taken[m] && other.role == piece.role && other.color != piece.color
            };
            if let Some(from) = (0..self.pieces.len()).find(is_it) {
                taken[from] = true;
                swapped[n] = Square::ALL[squares[from] as usize ^ 56];
            }
        }
        swapped
    }

    #[inline]
    pub(crate) fn occupied(&self, squares: &Squares) -> Bitboard {
        let mut occupied = Bitboard::EMPTY;
        for &square in &squares[..self.pieces.len()] {
            occupied.insert(square);
        }
        occupied
    }

    /// Whether both kings are on the diagonal, in a table where it matters.
    #[inline]
    pub(crate) fn may_be_turned(&self, squares: &Squares) -> bool {
        let on_diagonal = |square: Square| turned(square, OVER_DIAGONAL) == square;
        self.pawns.is_empty() && on_diagonal(squares[0]) && on_diagonal(squares[1])
    }

    /// Whether the position is its own image over the diagonal.
    #[inline]
    pub(crate) fn is_own_image(&self, squares: &Squares) -> bool {
        self.may_be_turned(squares)
            && self.groups.iter().all(|group| {
                let own = &squares[group.first..group.first + group.count];
                own.iter().all(|&square| own.contains(&turned(square, OVER_DIAGONAL)))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(name: &str) -> Layout {
        Layout::new(name.parse().unwrap()).unwrap()
    }

    #[test]
    fn every_used_number_is_that_of_its_squares() {
        for name in ["KQK", "KPK", "KRKN", "KBBK", "KPKP", "KPPK", "KRKP", "KNPK"] {
            let layout = layout(name);
            let mut used = 0;
            for slice in 0..layout.slices() {
                for number in
                    (0..layout.slice_size).step_by(if layout.slices() > 1 { 7 } else { 1 })
                {
                    let squares = layout.squares(slice, number);
                    if layout.is_used(&squares, number) {
                        used += 1;
                        let found = layout.locate(&squares).unwrap();
                        // A placement of pawns that is its own image has two numbers for each position.
                        assert_eq!(found, (slice, number), "{name}");
                    }
                }
            }
            assert!(used > 0);
        }
    }

    #[test]
    fn images_have_the_same_number() {
        for (name, symmetries) in [("KRKN", 0..8), ("KQQK", 0..8), ("KRKP", 0..2)] {
            let layout = layout(name);
            for slice in (0..layout.slices()).step_by(5) {
                for number in (0..layout.slice_size).step_by(11) {
                    let squares = layout.squares(slice, number);
                    if layout.is_used(&squares, number) {
                        for symmetry in symmetries.clone() {
                            let image = squares.map(|square| turned(square, symmetry));
                            assert_eq!(layout.locate(&image), Some((slice, number)), "{name}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn pawns_only_move_to_slices_that_come_before() {
        let layout = layout("KPKP");
        for slice in 0..layout.slices() {
            let squares = layout.squares(slice, 100);
            for (pawn, up) in [(2, 1), (3, -1)] {
                let mut next = squares;
                next[0] = Square::A1;
                next[1] = Square::H8;
                if let Some(to) = squares[pawn].offset(0, up) {
                    next[pawn] = to;
                    if let Some((found, _)) = layout.locate(&next) {
                        assert!(found < slice);
                    }
                }
            }
        }
    }
}
