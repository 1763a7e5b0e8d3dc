//! Boards as text: grids and tables for notes and tests, and a coloured board for terminals.
//!
//! ```
//! use tabiya_chess::{Board, BoardStyle};
//!
//! let text = Board::initial().draw(BoardStyle::Pairs);
//! assert!(text.starts_with("|br|bn|bb|bq|bk|bb|bn|br|\n"));
//! ```

use crate::{Bitboard, Board, Color, File, Piece, Role, Square};

/// How [`Board::draw`] draws.
///
/// ```
/// use tabiya_chess::{Board, BoardStyle};
///
/// let text = Board::initial().draw(BoardStyle::Letters);
/// assert!(text.contains("8 | r | n | b | q | k | b | n | r |\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BoardStyle {
    /// A grid with the ranks numbered on the left, and FEN letters for the pieces.
    #[default]
    Letters,
    /// The same grid with Unicode figures.
    Figures,
    /// A grid with the ranks numbered on the right, and Unicode figures.
    RanksRight,
    /// A table of piece numbers ([`Piece::id`]), each followed by a tab.
    Ids,
    /// Two letters a piece, colour and role: `|br|  |wp|…`.
    Pairs,
}

impl Board {
    /// The board as text, White at the bottom.
    ///
    /// ```
    /// # use tabiya_chess::{Board, BoardStyle};
    /// let table = Board::initial().draw(BoardStyle::Ids);
    /// assert!(table.starts_with("10\t8\t9\t11\t12\t9\t8\t10\t\n"));
    /// ```
    pub fn draw(&self, style: BoardStyle) -> String {
        let at = |x, y| Square::at(x, y).and_then(|square| self.piece_at(square));
        let letter = |x, y| at(x, y).map_or(' ', Piece::letter);
        let figure = |x, y| at(x, y).map_or(' ', Piece::symbol);
        match style {
            BoardStyle::Letters => grid(8, 8, letter),
            BoardStyle::Figures => grid(8, 8, figure),
            BoardStyle::RanksRight => grid_ranks_right(8, 8, figure),
            BoardStyle::Ids => {
                self.rows("", |piece| format!("{}\t", piece.map_or(0, |piece| piece.id())))
            }
            BoardStyle::Pairs => self.rows("|", |piece| match piece {
                Some(Piece { color, role }) => {
                    format!("{}{}|", color.letter(), role.letter().to_ascii_lowercase())
                }
                None => "  |".to_owned(),
            }),
        }
    }

    /// A line a rank, the eighth first.
    fn rows(&self, start: &str, cell: impl Fn(Option<Piece>) -> String) -> String {
        let mut text = String::new();
        for rank in Square::ALL.chunks(8).rev() {
            text += start;
            text.extend(rank.iter().map(|&square| cell(self.piece_at(square))));
            text.push('\n');
        }
        text
    }
}

/// A grid of any size, with ranks numbered on the left and files lettered below (and again from `a`
/// after `z`). `cell` is asked for each column and row, counted from 0 at the lower left. An empty
/// line follows the drawing.
///
/// ```
/// use tabiya_chess::drawing;
///
/// let text = drawing::grid(2, 2, |x, y| if (x, y) == (0, 0) { 'K' } else { ' ' });
/// assert_eq!(
///     text,
///     "  +---+---+\n\
///      2 |   |   |\n  \
///        +---+---+\n\
///      1 | K |   |\n  \
///        +---+---+\n    \
///          a   b \n\
///      \n"
/// );
/// ```
pub fn grid(columns: usize, rows: usize, cell: impl Fn(usize, usize) -> char) -> String {
    let width = rows.to_string().len();
    let margin = " ".repeat(width + 1);
    let divider = format!("{margin}{}+\n", "+---".repeat(columns));
    let mut text = String::new();
    for y in (0..rows).rev() {
        text += &divider;
        text += &format!("{:>width$} ", y + 1);
        text.extend((0..columns).map(|x| format!("| {} ", cell(x, y))));
        text += "|\n";
    }
    text + &divider + &margin + &file_letters(columns) + "\n\n"
}

/// A grid as [`grid`], but with the ranks numbered on the right, no margin, and no empty line after.
///
/// ```
/// use tabiya_chess::drawing;
///
/// let text = drawing::grid_ranks_right(2, 1, |x, _| if x == 0 { '♔' } else { '♚' });
/// assert_eq!(text, "+---+---+\n| ♔ | ♚ | 1\n+---+---+\n  a   b \n");
/// ```
pub fn grid_ranks_right(
    columns: usize,
    rows: usize,
    cell: impl Fn(usize, usize) -> char,
) -> String {
    let divider = "+---".repeat(columns) + "+\n";
    let mut text = divider.clone();
    for y in (0..rows).rev() {
        text.extend((0..columns).map(|x| format!("| {} ", cell(x, y))));
        text += &format!("| {}\n", y + 1);
        text += &divider;
    }
    text + &file_letters(columns) + "\n"
}

fn file_letters(columns: usize) -> String {
    ('a'..='z').cycle().take(columns).map(|letter| format!("  {letter} ")).collect()
}

/// The bitboard of every kind of piece as a table of ones and zeros, under its number. The first
/// rank is on top.
///
/// ```
/// use tabiya_chess::{drawing, Board};
///
/// let text = drawing::bitboards(&Board::initial());
/// assert!(text.starts_with("ID: 1\n[[0 0 0 0 0 0 0 0]\n [1 1 1 1 1 1 1 1]\n"));
/// ```
pub fn bitboards(board: &Board) -> String {
    let table = |piece: Piece| format!("ID: {}\n{}\n", piece.id(), board.pieces(piece).matrix());
    Piece::ALL.into_iter().map(table).collect()
}

/// The six pieces of a colour with their numbers, a line each.
///
/// ```
/// use tabiya_chess::{drawing, Color};
///
/// assert!(drawing::id_list(Color::Black).ends_with("black queen : 11\nblack king : 12\n"));
/// ```
pub fn id_list(color: Color) -> String {
    Role::ALL.map(|role| role.of(color)).map(|piece| format!("{piece} : {}\n", piece.id())).concat()
}

/// What [`coloured`] shows besides the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DrawingOptions {
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// Three columns a square instead of two: more room for the pieces and their marks, but the
    /// squares are no longer square.
    pub wide: bool,
    /// The squares of the last move, between brackets.
    pub last_move: Bitboard,
    /// Where the chosen piece may go: dots on empty squares, rings around pieces it may capture.
    pub targets: Bitboard,
    /// The king in check, with exclamation marks.
    pub check: Bitboard,
}

/// A board for terminals: checkered in colour (256 colours are enough), the pieces in bold, ranks and
/// files at the edge, and the marks of the [options](DrawingOptions) as colours and as characters.
///
/// ```
/// use tabiya_chess::{drawing, Board};
///
/// let text = drawing::coloured(&Board::initial(), &drawing::DrawingOptions::default());
/// assert_eq!(text.lines().count(), 9);
/// assert!(text.contains('♜') && text.contains("\u{1b}["));
/// ```
pub fn coloured(board: &Board, options: &DrawingOptions) -> String {
    let from_left = |i: usize| if options.flipped { 7 - i } else { i };
    let from_top = |i: usize| 7 - from_left(i);
    let (margin, gap) = if options.wide { ("   ", "  ") } else { ("  ", " ") };

    let mut text = String::new();
    for y in (0..8).map(from_top) {
        text += &format!("{QUIET}{}{RESET} ", y + 1);
        for square in (0..8).map(from_left).filter_map(|x| Square::at(x, y)) {
            text += &cell(board.piece_at(square), square, options);
        }
        text += RESET;
        text.push('\n');
    }
    let letters = File::ALL.map(|file| File::ALL[from_left(file.index())].letter().to_string());
    format!("{text}{QUIET}{margin}{}{RESET}\n", letters.join(gap))
}

const RESET: &str = "\x1b[0m";
const QUIET: &str = "\x1b[38;5;245m";

/// Numbers of the 256-colour palette. The backgrounds are neither bright nor dark, so that white and
/// black pieces stand out on all of them (3 : 1 in contrast or better).
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;
const PLAIN: Tint = Tint { light: 103, dark: 60 };
const LAST_MOVE: Tint = Tint { light: 136, dark: 94 };
const TARGET: Tint = Tint { light: 65, dark: 29 };
const CHECK: Tint = Tint { light: 160, dark: 160 };

/// A background on light and on dark squares.
struct Tint {
    light: u8,
    dark: u8,
}

fn cell(piece: Option<Piece>, square: Square, options: &DrawingOptions) -> String {
    let (tint, [left, middle, right]) = if options.check.contains(square) {
        (CHECK, ['!', ' ', '!'])
    } else if options.targets.contains(square) {
        (TARGET, if piece.is_some() { ['(', ' ', ')'] } else { [' ', '•', ' '] })
    } else if options.last_move.contains(square) {
        (LAST_MOVE, ['[', ' ', ']'])
    } else {
        (PLAIN, [' ', ' ', ' '])
    };
    let background = if square.is_light() { tint.light } else { tint.dark };
    // Filled figures for both sides: on a coloured square the outlined ones look hollow.
    let figure = piece.map_or(middle, |piece| piece.role.of(Color::Black).symbol());
    let ink = match piece {
        Some(Piece { color: Color::Black, .. }) => BLACK_PIECE,
        _ => WHITE_PIECE,
    };
    let signs: String = match (options.wide, figure) {
        (true, _) => [left, figure, right].iter().collect(),
        (false, ' ') => [left, right].iter().collect(),
        (false, _) => [figure, right].iter().collect(),
    };
    format!("\x1b[1;38;5;{ink};48;5;{background}m{signs}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    const START: &str = "\
\x20 +---+---+---+---+---+---+---+---+
8 | r | n | b | q | k | b | n | r |
  +---+---+---+---+---+---+---+---+
7 | p | p | p | p | p | p | p | p |
  +---+---+---+---+---+---+---+---+
6 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
5 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
4 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
3 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
2 | P | P | P | P | P | P | P | P |
  +---+---+---+---+---+---+---+---+
1 | R | N | B | Q | K | B | N | R |
  +---+---+---+---+---+---+---+---+
    a   b   c   d   e   f   g   h\x20

";

    fn board(placement: &str) -> Board {
        *Position::from_fen_prefix(placement).unwrap().board()
    }

    #[test]
    fn grid_with_letters() {
        assert_eq!(Board::initial().draw(BoardStyle::Letters), START);
        assert_eq!(Board::initial().draw(BoardStyle::default()), START);
    }

    #[test]
    fn grid_with_letters_late_in_a_game() {
        let mut board = Board::empty();
        let placed = "bn@b8 bb@c8 bq@d8 bb@f8 br@h8 bp@h7 bp@b6 wp@a4 wr@f2 wk@g2";
        for placed in placed.split(' ').map(|name| name.parse::<crate::PlacedPiece>().unwrap()) {
            board.put(placed.square, placed.piece);
        }
        let expected = "\
\x20 +---+---+---+---+---+---+---+---+
8 |   | n | b | q |   | b |   | r |
  +---+---+---+---+---+---+---+---+
7 |   |   |   |   |   |   |   | p |
  +---+---+---+---+---+---+---+---+
6 |   | p |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
5 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
4 | P |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
3 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
2 |   |   |   |   |   | R | K |   |
  +---+---+---+---+---+---+---+---+
1 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
    a   b   c   d   e   f   g   h\x20

";
        assert_eq!(board.draw(BoardStyle::Letters), expected);
    }

    #[test]
    fn grid_with_figures_is_the_same_grid() {
        let letters = " PNBRQKpnbrqk".chars();
        let figures: Vec<char> = " ♙♘♗♖♕♔♟♞♝♜♛♚".chars().collect();
        let mut expected = START.to_owned();
        for (letter, figure) in letters.zip(figures) {
            // Only the cells, not the letters of the files.
            expected = expected.replace(&format!("| {letter} "), &format!("| {figure} "));
        }
        assert_eq!(Board::initial().draw(BoardStyle::Figures), expected);
    }

    #[test]
    fn grid_with_ranks_on_the_right() {
        let expected = "\
+---+---+---+---+---+---+---+---+
| ♜ | ♞ | ♝ | ♛ | ♚ | ♝ | ♞ | ♜ | 8
+---+---+---+---+---+---+---+---+
| ♟ | ♟ | ♟ | ♟ | ♟ | ♟ | ♟ | ♟ | 7
+---+---+---+---+---+---+---+---+
|   |   |   |   |   |   |   |   | 6
+---+---+---+---+---+---+---+---+
|   |   |   |   |   |   |   |   | 5
+---+---+---+---+---+---+---+---+
|   |   |   |   |   |   |   |   | 4
+---+---+---+---+---+---+---+---+
|   |   |   |   |   |   |   |   | 3
+---+---+---+---+---+---+---+---+
| ♙ | ♙ | ♙ | ♙ | ♙ | ♙ | ♙ | ♙ | 2
+---+---+---+---+---+---+---+---+
| ♖ | ♘ | ♗ | ♕ | ♔ | ♗ | ♘ | ♖ | 1
+---+---+---+---+---+---+---+---+
  a   b   c   d   e   f   g   h\x20
";
        assert_eq!(Board::initial().draw(BoardStyle::RanksRight), expected);
    }

    #[test]
    fn a_grid_has_any_size() {
        let five_by_six = grid(5, 6, |x, y| if (x, y) == (4, 5) { 'k' } else { ' ' });
        let lines: Vec<&str> = five_by_six.lines().collect();
        assert_eq!(lines.len(), 2 * 6 + 1 + 1 + 1);
        assert_eq!(lines[0], "  +---+---+---+---+---+");
        assert_eq!(lines[1], "6 |   |   |   |   | k |");
        assert_eq!(lines[13], "    a   b   c   d   e ");
        let tall = grid(1, 10, |_, _| 'x');
        assert!(tall.starts_with("   +---+\n10 | x |\n   +---+\n 9 | x |\n"));
        assert!(tall.ends_with(" 1 | x |\n   +---+\n     a \n\n"));
        assert_eq!(grid(0, 0, |_, _| 'x'), "  +\n  \n\n");
        assert!(grid_ranks_right(27, 1, |_, _| 'x').ends_with("  y   z   a \n"));
    }

    #[test]
    fn table_of_ids() {
        let board = board("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R");
        let expected = "10\t8\t9\t11\t12\t9\t8\t10\t\n\
            7\t7\t7\t7\t7\t7\t7\t7\t\n\
            0\t0\t0\t0\t0\t0\t0\t0\t\n\
            0\t0\t0\t0\t0\t0\t0\t0\t\n\
            0\t0\t0\t0\t0\t0\t0\t0\t\n\
            0\t0\t0\t0\t0\t2\t0\t0\t\n\
            1\t1\t1\t1\t1\t1\t1\t1\t\n\
            4\t2\t3\t5\t6\t3\t0\t4\t\n";
        assert_eq!(board.draw(BoardStyle::Ids), expected);
    }

    #[test]
    fn pairs_of_letters() {
        let pinned_rook = "\
|  |  |  |  |bk|  |  |  |
|  |  |  |  |  |  |  |  |
|  |  |  |  |  |  |  |  |
|  |  |  |  |bq|  |  |  |
|  |  |  |  |wr|  |  |  |
|  |  |bn|  |  |  |  |  |
|  |  |  |  |  |  |  |  |
|  |  |  |  |wk|  |  |  |
";
        assert_eq!(board("4k3/8/8/4q3/4R3/2n5/8/4K3").draw(BoardStyle::Pairs), pinned_rook);
        let attack = "\
|br|  |  |  |bk|  |  |br|
|bb|bp|bp|  |  |bp|bp|bp|
|bp|  |  |  |  |  |  |  |
|wp|  |  |  |  |  |  |  |
|  |bq|  |bp|wn|  |  |  |
|  |  |  |wp|  |wp|  |wp|
|  |  |wp|  |  |wp|  |  |
|wr|  |  |wq|  |wr|wk|  |
";
        let placement = "r3k2r/bpp2ppp/p7/P7/1q1pN3/3P1P1P/2P2P2/R2Q1RK1";
        assert_eq!(board(placement).draw(BoardStyle::Pairs), attack);
    }

    #[test]
    fn bitboards_by_id() {
        let text = bitboards(&Board::initial());
        let pawns = "\
ID: 1
[[0 0 0 0 0 0 0 0]
 [1 1 1 1 1 1 1 1]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]]
ID: 2
[[0 1 0 0 0 0 1 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
";
        let king = "
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 1 0 0 0 0]]
ID: 12
[[0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 0 0 0 0]
 [0 0 0 0 1 0 0 0]]
";
        assert!(text.starts_with(pawns), "{text}");
        assert!(text.ends_with(king), "{text}");
        assert_eq!(text.lines().count(), 12 * 9);
    }

    #[test]
    fn lists_of_ids() {
        let white = "white pawn : 1\nwhite knight : 2\nwhite bishop : 3\n\
            white rook : 4\nwhite queen : 5\nwhite king : 6\n";
        assert_eq!(id_list(Color::White), white);
        assert!(id_list(Color::Black).starts_with("black pawn : 7\n"));
    }

    /// The text without its colours.
    fn plain(text: &str) -> String {
        let after_colours = |part: &str| part.split_once('m').unwrap().1.to_owned();
        let mut parts = text.split('\x1b');
        parts.next().unwrap().to_owned() + &parts.map(after_colours).collect::<String>()
    }

    #[test]
    fn coloured_board_without_marks() {
        let text = coloured(&Board::initial(), &DrawingOptions::default());
        let blank = " ".repeat(16);
        let expected = format!(
            "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜ \n7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ \n\
             6 {blank}\n5 {blank}\n4 {blank}\n3 {blank}\n\
             2 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ \n1 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜ \n  a b c d e f g h\n"
        );
        assert_eq!(plain(&text), expected);
        // No colour runs over the end of a line.
        assert!(text.lines().all(|line| line.ends_with(RESET)));
        // Light and dark corners, white and black pieces.
        let cell = |ink: u8, ground: u8| format!("\x1b[1;38;5;{ink};48;5;{ground}m♜ ");
        let first = text.lines().nth(7).unwrap();
        assert!(first.contains(&cell(WHITE_PIECE, PLAIN.dark)));
        assert!(first.ends_with(&(cell(WHITE_PIECE, PLAIN.light) + RESET)));
        assert!(text.contains(&cell(BLACK_PIECE, PLAIN.light)));
    }

    #[test]
    fn coloured_board_with_marks_from_both_sides() {
        // White has just checked on e7; the king may take the rook or step to d8 or f8.
        let board = board("4k3/4R3/8/8/8/8/8/4K3 b");
        let mut options = DrawingOptions {
            wide: true,
            last_move: Square::E7.bitboard() | Square::E2,
            targets: Square::E7.bitboard() | Square::D8 | Square::F8,
            check: Square::E8.bitboard(),
            ..DrawingOptions::default()
        };
        let text = plain(&coloured(&board, &options));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "8           • !♚! •       ");
        assert_eq!(lines[1], "7             (♜)         ");
        assert_eq!(lines[6], "2             [ ]         ");
        assert_eq!(lines[8], "   a  b  c  d  e  f  g  h");

        options.flipped = true;
        options.wide = false;
        let text = plain(&coloured(&board, &options));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "1       ♚         ");
        assert_eq!(lines[1], "2       []        ");
        assert_eq!(lines[6], "7       ♜)        ");
        assert_eq!(lines[7], "8     • ♚!•       ");
        assert_eq!(lines[8], "  h g f e d c b a");
        let red = format!("48;5;{}m♚!", CHECK.light);
        assert!(coloured(&board, &options).contains(&red));
    }
}
