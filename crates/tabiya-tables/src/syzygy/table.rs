//! One of Syzygy's files.

use tabiya_chess::{Color, Piece, Position, Role, Square};

use super::numbering::{MOST, Numbering, Places, lead};
use super::pairs::{Pairs, u16_at};
use crate::Material;
use crate::contents::Contents;
use crate::value::Fate;

/// What a file is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Results: `.rtbw`.
    Results,
    /// Plies or moves to a capture or a pawn move: `.rtbz`.
    Zeroing,
}

impl Kind {
    pub(super) const fn ending(self) -> &'static str {
        match self {
            Kind::Results => "rtbw",
            Kind::Zeroing => "rtbz",
        }
    }

    pub(super) const fn magic(self) -> [u8; 4] {
        match self {
            Kind::Results => [0x71, 0xe8, 0x23, 0x5d],
            Kind::Zeroing => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Of one file of the leading pawn (or of all positions) with one side to move.
struct Section {
    numbering: Numbering,
    pairs: Pairs,
    /// Where the values of each result are translated, and how many there are.
    map: Option<[(usize, usize); 4]>,
}

/// A file that is open.
pub(super) struct SyzygyTable {
    contents: Contents,
    material: Material,
    is_symmetric: bool,
    /// For each file of the leading pawn, and each side to move.
    sections: Vec<Vec<Section>>,
}

/// What a table says of a position.
pub(super) enum Found {
    Value(i32),
    /// The table is about the other side to move.
    OtherSide,
}

const SHORT: &str = "the file ends too early";
/// What the head of a file says.
pub(super) const IS_OF_UNLIKE_SIDES: u8 = 1;
pub(super) const HAS_PAWNS: u8 = 2;
/// What the head of a table says.
pub(super) const IS_OF_THE_OTHER_SIDE: u8 = 1;
const IS_MAPPED: u8 = 2;
pub(super) const WINS_IN_PLIES: u8 = 4;
pub(super) const LOSSES_IN_PLIES: u8 = 8;
const IS_WIDE: u8 = 16;
pub(super) const IS_CONSTANT: u8 = 128;

/// Pawn to king 1 to 6, Black's 8 more.
pub(super) fn code(piece: Piece) -> u8 {
    piece.role as u8 + 1 + 8 * piece.color as u8
}

impl SyzygyTable {
    pub(super) fn new(
        contents: Contents,
        material: Material,
        kind: Kind,
    ) -> Result<SyzygyTable, &'static str> {
        let bytes = &contents[..];
        if bytes.get(..4) != Some(&kind.magic()) {
            return Err("it is no Syzygy table of this kind");
        }
        let flags = *bytes.get(4).ok_or(SHORT)?;
        let (is_symmetric, has_pawns) = (material.is_symmetric(), material.has_pawns());
        if (flags & HAS_PAWNS != 0) != has_pawns
            || (kind == Kind::Results && (flags & IS_OF_UNLIKE_SIDES != 0) == is_symmetric)
        {
            return Err("it is not of the ending it is named after");
        }
        let pawns = Color::ALL.map(|color| material.count(Role::Pawn.of(color)));
        let both_have_pawns = pawns.iter().all(|&count| count > 0);
        let sides = if kind == Kind::Results && !is_symmetric { 2 } else { 1 };
        let files = if has_pawns { 4 } else { 1 };
        let men = material.men();
        let mut expected: Vec<u8> = material.pieces().map(code).collect();
        expected.sort_unstable();
        let mut at = 5;
        let mut numberings = Vec::new();
        for file in 0..files {
            let head = 1 + usize::from(both_have_pawns);
            let own = bytes.get(at..at + head + men).ok_or(SHORT)?;
            at += head + men;
            let (orders, pieces) = own.split_at(head);
            let half = |byte: u8, side: usize| if side == 0 { byte & 15 } else { byte >> 4 };
            let mut both = Vec::new();
            for side in 0..sides {
                let pieces: Vec<u8> = pieces.iter().map(|&byte| half(byte, side)).collect();
                let mut sorted = pieces.clone();
                sorted.sort_unstable();
                if sorted != expected {
                    return Err("it is not of the ending it is named after");
                }
                let order = half(orders[0], side);
                let order_of_pawns = orders.get(1).map_or(15, |&byte| half(byte, side));
                let orders = [order, order_of_pawns];
                both.push(Numbering::new(pieces, orders, both_have_pawns, file)?);
            }
            numberings.push(both);
        }
        at += at & 1;
        let mut sections: Vec<Vec<Section>> = Vec::new();
        for both in numberings {
            let mut own = Vec::new();
            for numbering in both {
                let (pairs, end) = Pairs::read(bytes, at, kind)?;
                at = end;
                own.push(Section { numbering, pairs, map: None });
            }
            sections.push(own);
        }
        if kind == Kind::Zeroing {
            for section in sections.iter_mut().flatten() {
                if section.pairs.flags & IS_MAPPED != 0 {
                    section.map = Some(read_map(bytes, &mut at, section.pairs.flags)?);
                }
            }
            at += at & 1;
        }
        for section in sections.iter_mut().flatten() {
            section.pairs.place_index(&mut at, section.numbering.size, bytes)?;
        }
        for section in sections.iter_mut().flatten() {
            section.pairs.place_sizes(&mut at, bytes)?;
        }
        for section in sections.iter_mut().flatten() {
            section.pairs.place_data(&mut at, bytes)?;
        }
        Ok(SyzygyTable { contents, material, is_symmetric, sections })
    }

    /// The section that a position is in, and its number there. `swapped`: White's men are those of the second side.
    fn find(
        &self,
        position: &Position,
        swapped: bool,
    ) -> Result<(&Section, u64, Color, usize), &'static str> {
        let board = position.board();
        let turn = position.turn();
        let swapped = if self.is_symmetric { turn == Color::Black } else { swapped };
        let (flip, turn) = if swapped { (56, !turn) } else { (0, turn) };
        let squares = |code: u8| {
            let role = Role::ALL[usize::from(code & 7).saturating_sub(1).min(5)];
            let color = if (code & 8 != 0) != swapped { Color::Black } else { Color::White };
            board.pieces(role.of(color)).into_iter().map(move |square: Square| square as u8 ^ flip)
        };
        let mut file = 0;
        let mut leading = Vec::new();
        if self.sections.len() > 1 {
            let first = self.sections[0][0].numbering.pieces[0];
            leading = squares(first).collect();
            file = lead(&mut leading);
        }
        let own = &self.sections[file];
        let section = own.get(turn as usize).unwrap_or(&own[0]);
        let mut places: Places = [0; MOST];
        let pieces = &section.numbering.pieces;
        let mut n = 0;
        for &lead in &leading {
            *places.get_mut(n).ok_or(SHORT)? = lead;
            n += 1;
        }
        while n < pieces.len() {
            for square in squares(pieces[n]) {
                *places.get_mut(n).ok_or("it is not of this ending")? = square;
                n += 1;
            }
        }
        let number = section.numbering.number(places)?;
        Ok((section, number, turn, file))
    }

    /// The result of a position, captures left out.
    pub(super) fn fate(&self, position: &Position, swapped: bool) -> Result<Fate, &'static str> {
        let (section, number, ..) = self.find(position, swapped)?;
        let value = section.pairs.get(&self.contents, number)?;
        Fate::ALL.get(usize::from(value)).copied().ok_or("a result is wrong")
    }

    /// Plies to a capture or a pawn move in a position with a result, which is no such move itself.
    pub(super) fn zeroing(
        &self,
        position: &Position,
        swapped: bool,
        fate: Fate,
    ) -> Result<Found, &'static str> {
        let (section, number, turn, _) = self.find(position, swapped)?;
        let flags = section.pairs.flags;
        let side = if flags & IS_OF_THE_OTHER_SIDE != 0 { Color::Black } else { Color::White };
        let has_both_sides = self.is_symmetric && !self.material.has_pawns();
        if side != turn && !has_both_sides {
            return Ok(Found::OtherSide);
        }
        let mut value = section.pairs.get(&self.contents, number)?;
        if let Some(map) = &section.map {
            let (start, len) = map[match fate {
                Fate::Win | Fate::Draw => 0,
                Fate::Loss => 1,
                Fate::CursedWin => 2,
                Fate::BlessedLoss => 3,
            }];
            let value_at = usize::from(value);
            if value_at >= len {
                return Err("a distance is wrong");
            }
            value = match flags & IS_WIDE {
                0 => self.contents[start + value_at].into(),
                _ => u16_at(&self.contents, start + 2 * value_at).ok_or(SHORT)?,
            };
        }
        let in_plies = match fate {
            Fate::Win => flags & WINS_IN_PLIES != 0,
            Fate::Loss => flags & LOSSES_IN_PLIES != 0,
            _ => false,
        };
        let plies = i32::from(value) * if in_plies { 1 } else { 2 };
        Ok(Found::Value(plies + 1))
    }
}

/// Four lists of distances; gives where each begins, and its length.
fn read_map(bytes: &[u8], at: &mut usize, flags: u8) -> Result<[(usize, usize); 4], &'static str> {
    let is_wide = flags & IS_WIDE != 0;
    *at += usize::from(is_wide) & *at;
    let mut map = [(0, 0); 4];
    for list in &mut map {
        let (len, width) = match is_wide {
            true => (usize::from(u16_at(bytes, *at).ok_or(SHORT)?), 2),
            false => (usize::from(*bytes.get(*at).ok_or(SHORT)?), 1),
        };
        let start = *at + width;
        *at = start + len * width;
        if *at > bytes.len() {
            return Err(SHORT);
        }
        *list = (start, len);
    }
    Ok(map)
}
