//! The roles of the pieces: letters, figurines, and for large squares our own, made of half blocks.

use tabiya_view::{PieceRole, Side};

/// A piece as one character: White's letters are capital; White's figurines are outlines if wanted.
pub(crate) fn glyph(role: PieceRole, side: Side, ascii: bool, outline: bool) -> &'static str {
    let index = role as usize;
    // Unicode calls the filled figurines black; as they are the clearest, both sides get them, each in its
    // colour. The selector after the pawn keeps phones and Macs from showing a picture instead.
    const FILLED: [&str; 6] = ["♟\u{fe0e}", "♞", "♝", "♜", "♛", "♚"];
    const OUTLINED: [&str; 6] = ["♙", "♘", "♗", "♖", "♕", "♔"];
    const CAPITAL: [&str; 6] = ["P", "N", "B", "R", "Q", "K"];
    const SMALL: [&str; 6] = ["p", "n", "b", "r", "q", "k"];
    match (ascii, side) {
        (true, Side::White) => CAPITAL[index],
        (true, Side::Black) => SMALL[index],
        (false, Side::White) if outline => OUTLINED[index],
        (false, _) => FILLED[index],
    }
}

/// The letter of a piece in records.
pub(crate) fn letter(role: PieceRole) -> char {
    ['P', 'N', 'B', 'R', 'Q', 'K'][role as usize]
}

/// The name of a piece.
pub(crate) fn name(role: PieceRole) -> &'static str {
    ["pawn", "knight", "bishop", "rook", "queen", "king"][role as usize]
}

/// One pixel of a piece: half a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pixel {
    /// The square shows through.
    Clear,
    /// The piece.
    Body,
    /// Its outline.
    Edge,
    /// A line on it: the knight's eye, the bishop's cut.
    Line,
}

/// A drawing of a piece, square: one of six side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawing {
    rows: &'static [&'static str],
    index: usize,
}

impl Drawing {
    /// The largest drawing for squares of that step; none if they are too small for one.
    pub(crate) fn of(role: PieceRole, step: u16) -> Option<Drawing> {
        let rows: &[&str] = match step {
            0..8 => return None,
            8..10 => &EIGHT,
            10..12 => &TEN,
            _ => &TWELVE,
        };
        Some(Drawing { rows, index: role as usize })
    }

    /// How many pixels it is wide and high.
    pub(crate) fn size(self) -> u16 {
        self.rows.len() as u16
    }

    pub(crate) fn pixel(self, x: u16, y: u16) -> Pixel {
        let row = self.rows.get(usize::from(y)).map_or(&b""[..], |row| row.as_bytes());
        let x = usize::from(x);
        // Beside a drawing is its neighbour.
        match row.get(self.index * (self.rows.len() + 1) + x).filter(|_| x < self.rows.len()) {
            Some(b'#') => Pixel::Body,
            Some(b'o') => Pixel::Edge,
            Some(b'+') => Pixel::Line,
            _ => Pixel::Clear,
        }
    }
}

/// The cells of a small drawing, six wide and three high: which quarters of a cell are the piece.
pub(crate) fn quarters(role: PieceRole, x: u16, y: u16) -> &'static str {
    // By bits: upper left, upper right, lower left, lower right.
    const BLOCKS: [&str; 16] =
        [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];
    let filled = |dx: u16, dy: u16| {
        let row = QUARTERS.get(usize::from(2 * y + dy)).map_or(&b""[..], |row| row.as_bytes());
        let column = 13 * role as usize + usize::from(2 * x + dx);
        usize::from(x < 6 && row.get(column) == Some(&b'#'))
    };
    BLOCKS[filled(0, 0) + 2 * filled(1, 0) + 4 * filled(0, 1) + 8 * filled(1, 1)]
}

/// Pawn, knight, bishop, rook, queen, king, side by side.
const EIGHT: [&str; 8] = [
    "........ ...#.#.. ...##... ........ #..##..# ...##...",
    "...##... ..#####. ..##+#.. .#.##.#. #..##..# ..####..",
    "..####.. .##+###. .##+###. .######. ##.##.## ...##...",
    "...##... #######. .######. ..####.. ######## ##.##.##",
    "...##... ##.####. ..####.. ..####.. .######. ########",
    "..####.. ...####. ...##... ..####.. ..####.. .######.",
    ".######. ..#####. .######. .######. .######. .######.",
    "........ ........ ........ ........ ........ ........",
];

/// The same with an outline.
const TEN: [&str; 10] = [
    ".......... ....ooo... ....oo.... .......... o...oo...o ....oo....",
    "....oo.... ...o###o.. ...o##o... .oo.oo.oo. oo.o##o.oo ...oooo...",
    "...o##o... ..o#####o. ..o##+#o.. .o#o##o#o. o#oo##oo#o ....oo....",
    "..o####o.. .o##+###o. .o##+###o. .o######o. o########o .oooooooo.",
    "...o##o... .o######o. .o######o. ..o####o.. .o######o. o###oo###o",
    "...o##o... .oooo###o. ..o####o.. ..o####o.. .o######o. o###oo###o",
    "..o####o.. ...o####o. ...o##o... ..o####o.. ..o####o.. .o##oo##o.",
    ".o######o. ..o#####o. .oo####oo. .o######o. .o######o. .o######o.",
    ".oooooooo. ..ooooooo. .oooooooo. .oooooooo. .oooooooo. .oooooooo.",
    ".......... .......... .......... .......... .......... ..........",
];

/// Larger.
const TWELVE: [&str; 12] = [
    "............ .....oo..... .....oo..... ............ o....oo....o .....oo.....",
    ".....oo..... ....o##oo... ....o##o.... .ooo.oo.ooo. oo..o##o..oo ....oooo....",
    "....o##o.... ...o#####o.. ...o###+o... .o#oo##oo#o. o#o.o##o.o#o .....oo.....",
    "...o####o... ..o##+####o. ..o###+##o.. .o########o. o##oo##oo##o .ooo.oo.ooo.",
    "...o####o... .o########o. ..o##+###o.. ..oo####oo.. o##########o o###oooo###o",
    "....o##o.... .o##oo####o. ..o######o.. ...o####o... .o########o. o####oo####o",
    "...oo##oo... ..oo.o####o. ...o####o... ...o####o... .o########o. o####oo####o",
    "....o##o.... ....o####o.. ....o##o.... ...o####o... ..o######o.. .o###oo###o.",
    "...o####o... ...o#####o.. ...o####o... ..o######o.. ..o######o.. .o########o.",
    "..o######o.. ..o######o.. .oo######oo. .o########o. .o########o. ..o######o..",
    "..oooooooo.. ..oooooooo.. .oooooooooo. .oooooooooo. .oooooooooo. .oooooooooo.",
    "............ ............ ............ ............ ............ ............",
];

/// For three lines: each character is a quarter of a cell, so twelve of them are as wide as six lines
/// of pixels are high.
const QUARTERS: [&str; 6] = [
    "............ ....#.##.... .....##..... ............ ..#..##..#.. .....##.....",
    ".....##..... ...######... ...###.##... ..##.##.##.. ..#..##..#.. ...######...",
    "....####.... ..##.#####.. ..###.####.. ...######... ..##.##.##.. .....##.....",
    ".....##..... ..###.####.. ...######... ...######... ..########.. ..###..###..",
    "....####.... ....######.. ....####.... ...######... ...######... ..########..",
    "...######... ..########.. ..########.. ..########.. ..########.. ...######...",
];

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [PieceRole; 6] = [
        PieceRole::Pawn,
        PieceRole::Knight,
        PieceRole::Bishop,
        PieceRole::Rook,
        PieceRole::Queen,
        PieceRole::King,
    ];

    #[test]
    fn drawings_are_square_and_fit_their_squares() {
        for role in SHAPES {
            for step in 0..40 {
                let Some(drawing) = Drawing::of(role, step) else { continue };
                assert!(drawing.size() <= step);
                for row in drawing.rows {
                    assert_eq!(row.len(), 6 * (drawing.rows.len() + 1) - 1, "{row}");
                }
            }
        }
    }

    #[test]
    fn pieces_differ_by_outline_alone() {
        for step in [8, 10, 12] {
            let outline = |role| {
                let drawing = Drawing::of(role, step).unwrap();
                let clear = |x, y| drawing.pixel(x, y) == Pixel::Clear;
                (0..step * step).map(|i| clear(i % step, i / step)).collect::<Vec<bool>>()
            };
            for (i, &one) in SHAPES.iter().enumerate() {
                for &other in &SHAPES[..i] {
                    let (a, b) = (outline(one), outline(other));
                    let different = a.iter().zip(&b).filter(|(a, b)| a != b).count();
                    assert!(different >= 6, "{} and {}", name(one), name(other));
                }
            }
        }
    }

    #[test]
    fn small_drawings_are_made_of_quarters() {
        let line = |role, y| (0..6).map(|x| quarters(role, x, y)).collect::<String>();
        let rook: Vec<String> = (0..3).map(|y| line(PieceRole::Rook, y)).collect();
        assert_eq!(rook, [" ▄▗▖▄ ", " ▐██▌ ", " ▟██▙ "]);
        assert_eq!(quarters(PieceRole::King, 6, 0), " ");
        assert_eq!(quarters(PieceRole::King, 0, 3), " ");
    }

    #[test]
    fn letters_tell_the_sides_apart() {
        for role in SHAPES {
            let white = glyph(role, Side::White, true, false);
            assert_eq!(white, letter(role).to_string());
            assert_eq!(glyph(role, Side::Black, true, false), white.to_lowercase());
            assert_ne!(
                glyph(role, Side::White, false, true),
                glyph(role, Side::Black, false, true)
            );
        }
    }
}
