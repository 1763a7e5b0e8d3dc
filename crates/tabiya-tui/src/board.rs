//! The board: any view, squares of any size, all of them or those that fit.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Widget;
use tabiya_view::{Coord, GameView, PieceView, Side};

use crate::layout::Grid;
use crate::pieces::{self, Drawing, Pixel};
use crate::theme::Theme;

/// What a person is doing on the board.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hand {
    /// Where the keyboard is, if it is used.
    pub(crate) cursor: Option<Coord>,
    /// The piece that is picked up.
    pub(crate) picked: Option<Coord>,
    /// Where it may go, and whether it takes something there.
    pub(crate) targets: Vec<(Coord, bool)>,
}

/// Draws the squares, the pieces and the marks.
pub(crate) struct Board<'a> {
    pub(crate) view: &'a GameView,
    pub(crate) grid: Grid,
    pub(crate) theme: Theme,
    pub(crate) hand: &'a Hand,
    /// Whether to point out what could be taken.
    pub(crate) threats: bool,
    /// Where the numbers of the rows go.
    pub(crate) labels: Rect,
}

/// Everything to draw on one square.
#[derive(Clone, Copy, Default)]
struct Look {
    dark: bool,
    piece: Option<PieceView>,
    cursor: bool,
    picked: bool,
    target: Option<bool>,
    last: bool,
    check: bool,
    hint: bool,
    threat: bool,
}

/// From this step on, marks are drawn in pixels, and pieces in quarters of cells.
const DRAWN: u16 = 6;
/// From this step on, pieces are drawn in pixels,
const PIXELS: u16 = 8;
/// and from this one on they have outlines.
const OUTLINES: u16 = 10;

impl Widget for Board<'_> {
    fn render(self, _: Rect, buffer: &mut Buffer) {
        let looks = self.looks();
        if self.theme.halves() {
            self.paint(&looks).show(buffer, self.grid.area);
        } else {
            self.fill(&looks, buffer);
        }
        for j in 0..self.grid.high {
            for i in 0..self.grid.wide {
                let look = self.look(&looks, i, j);
                if !self.drawn() {
                    self.write(&look, i, j, buffer);
                    continue;
                }
                if !self.pixels() {
                    self.write_piece(&look, i, j, buffer);
                }
                self.write_flag(&look, i, j, buffer);
            }
        }
        self.write_labels(buffer);
    }
}

impl Board<'_> {
    /// Whether squares are large enough to draw on, and the terminal can do it.
    fn drawn(&self) -> bool {
        self.theme.halves() && self.grid.step >= DRAWN
    }

    /// Whether pieces are drawn in pixels: a diagram's need an outline.
    fn pixels(&self) -> bool {
        self.grid.step >= if self.theme.outlines() { OUTLINES } else { PIXELS }
    }

    /// What is on each square of the whole board, by column and row.
    fn looks(&self) -> Vec<Look> {
        let columns = usize::from(self.view.columns);
        let mut looks = vec![Look::default(); columns * usize::from(self.view.rows)];
        for (index, look) in looks.iter_mut().enumerate() {
            // The corner at White's left, a1, is dark.
            look.dark = (index / columns + index % columns) % 2 == 0;
        }
        let mut set = |place: Coord, change: &dyn Fn(&mut Look)| {
            let index = usize::from(place.row) * columns + usize::from(place.column);
            if let Some(look) = looks.get_mut(index) {
                change(look);
            }
        };
        for piece in &self.view.pieces {
            set(piece.square, &|look| look.piece = Some(*piece));
        }
        if let Some((from, to)) = self.view.last {
            set(from, &|look| look.last = true);
            set(to, &|look| look.last = true);
        }
        if let Some((from, to)) = self.view.hint {
            set(from, &|look| look.hint = true);
            set(to, &|look| look.hint = true);
        }
        for &place in self.view.threats.iter().filter(|_| self.threats) {
            set(place, &|look| look.threat = true);
        }
        if let Some(place) = self.view.check {
            set(place, &|look| look.check = true);
        }
        for &(place, takes) in &self.hand.targets {
            set(place, &|look| look.target = Some(takes));
        }
        if let Some(place) = self.hand.picked {
            set(place, &|look| look.picked = true);
        }
        if let Some(place) = self.hand.cursor {
            set(place, &|look| look.cursor = true);
        }
        looks
    }

    fn look(&self, looks: &[Look], i: u8, j: u8) -> Look {
        let place = self.grid.place(i, j);
        let index = usize::from(place.row) * usize::from(self.view.columns);
        looks.get(index + usize::from(place.column)).copied().unwrap_or_default()
    }

    fn ground(&self, look: &Look) -> Color {
        let palette = &self.theme.palette;
        let tint = match look {
            Look { check: true, .. } => return palette.check,
            Look { picked: true, .. } => palette.picked,
            Look { hint: true, .. } => palette.hint,
            Look { threat: true, .. } => palette.threat,
            Look { last: true, .. } => palette.last,
            _ => palette.squares,
        };
        tint[usize::from(look.dark)]
    }

    /// Squares of whole lines: a background, or without colours a texture.
    fn fill(&self, looks: &[Look], buffer: &mut Buffer) {
        let Grid { area, step, .. } = self.grid;
        let texture = if self.theme.ascii { ":" } else { "░" };
        for j in 0..self.grid.high {
            for i in 0..self.grid.wide {
                let look = self.look(looks, i, j);
                let ground = Style::new().bg(self.ground(&look));
                for y in 0..step / 2 {
                    for x in 0..step {
                        let at = Position {
                            x: area.x + u16::from(i) * step + x,
                            y: area.y + u16::from(j) * (step / 2) + y,
                        };
                        let Some(cell) = buffer.cell_mut(at) else { continue };
                        cell.set_symbol(" ").set_style(ground);
                        if !self.theme.colored() && look.dark {
                            cell.set_symbol(texture)
                                .set_style(Style::new().add_modifier(Modifier::DIM));
                        }
                    }
                }
            }
        }
    }

    /// Squares in pixels, with pieces and marks if they are large enough.
    fn paint(&self, looks: &[Look]) -> Canvas {
        let Grid { area, step, shift, .. } = self.grid;
        let mut canvas = Canvas::new(area);
        for j in 0..self.grid.high {
            for i in 0..self.grid.wide {
                let look = self.look(looks, i, j);
                let (x, y) = (u16::from(i) * step, shift + u16::from(j) * step);
                let mut square = Patch { canvas: &mut canvas, x, y, step };
                square.fill(self.ground(&look));
                if self.pixels() {
                    self.paint_piece(&look, &mut square);
                }
                if step >= DRAWN {
                    self.paint_marks(&look, &mut square);
                }
            }
        }
        canvas
    }

    fn paint_piece(&self, look: &Look, square: &mut Patch<'_>) {
        let Some(piece) = look.piece else { return };
        let Some(drawing) = Drawing::of(piece.role, square.step) else { return };
        let side = piece.side as usize;
        let palette = &self.theme.palette;
        let line = match piece.side {
            Side::White => palette.edges[0],
            Side::Black => palette.squares[0],
        };
        let outlined = square.step >= OUTLINES;
        let body = if outlined { palette.bodies[side] } else { palette.pieces[side] };
        // Drawings end with an empty row, so the lower of two middles is the better one.
        let spare = square.step - drawing.size();
        let (left, above) = (spare / 2, spare.div_ceil(2));
        for y in 0..drawing.size() {
            for x in 0..drawing.size() {
                let color = match drawing.pixel(x, y) {
                    Pixel::Clear => continue,
                    Pixel::Body => body,
                    Pixel::Edge => palette.edges[side],
                    Pixel::Line => line,
                };
                square.set(left + x, above + y, color);
            }
        }
    }

    fn paint_marks(&self, look: &Look, square: &mut Patch<'_>) {
        let palette = &self.theme.palette;
        let arm = square.step / 4;
        if look.last {
            square.corners(1, palette.mark);
        }
        match look.target {
            Some(true) => square.frame(palette.mark),
            Some(false) => square.diamond(palette.mark),
            None => {}
        }
        if look.picked {
            square.corners(arm, palette.mark);
        }
        if look.cursor {
            square.corners(arm + 1, palette.cursor);
        }
    }

    /// The sign that says in one character what is the matter with a square.
    fn flag(&self, look: &Look) -> Option<&'static str> {
        let ascii = self.theme.ascii;
        match look {
            Look { check: true, .. } => Some("!"),
            Look { threat: true, .. } => Some(if ascii { "x" } else { "×" }),
            Look { hint: true, .. } => Some("*"),
            _ => None,
        }
    }

    /// Signs at both sides of the piece: what a hand does there, or that it was moved.
    fn sides(&self, look: &Look) -> Option<([&'static str; 2], Style)> {
        let ascii = self.theme.ascii;
        let mark = self.theme.mark();
        match look {
            Look { cursor: true, .. } => Some((["[", "]"], self.theme.cursor())),
            Look { picked: true, .. } => Some((if ascii { [">", "<"] } else { ["▸", "◂"] }, mark)),
            Look { target: Some(true), .. } => Some((["(", ")"], mark)),
            Look { last: true, .. } => Some((if ascii { ["-", "-"] } else { ["·", "·"] }, mark)),
            _ => None,
        }
    }

    /// The piece and its marks as characters on one line.
    fn write(&self, look: &Look, i: u8, j: u8, buffer: &mut Buffer) {
        let Grid { step, area, .. } = self.grid;
        let ground = Style::new().bg(self.ground(look));
        let (y, stem) = (self.grid.line(j), self.grid.stem(i));
        let (left, right) = (area.x + u16::from(i) * step, area.x + u16::from(i) * step + step - 1);
        let mut put = |x: u16, symbol: &str, style: Style| {
            if let Some(cell) = buffer.cell_mut(Position { x, y }) {
                let plain = Style::new().remove_modifier(Modifier::DIM);
                cell.set_symbol(symbol).set_style(plain.patch(ground).patch(style));
            }
        };
        if let Some(piece) = look.piece {
            // Without a texture around it, a piece is easier to see.
            if !self.theme.colored() && step > 2 {
                (left..=right).for_each(|x| put(x, " ", Style::new()));
            }
            let glyph =
                pieces::glyph(piece.role, piece.side, self.theme.ascii, self.theme.outlines());
            put(stem, glyph, self.theme.piece(piece.side));
        } else if look.target.is_some() {
            let symbol = if self.theme.ascii { "o" } else { "◇" };
            put(stem, symbol, self.theme.mark());
        }
        if let Some(([before, after], style)) = self.sides(look) {
            if step > 2 {
                put(left, before, style);
            }
            put(right, after, style);
        }
        if let Some(flag) = self.flag(look) {
            match step {
                // The cursor is more urgent than a flag: it shows where the keys act.
                2 | 3 if !look.cursor && !look.picked => put(right, flag, self.theme.mark()),
                2 | 3 => {}
                _ => put(right - 1, flag, self.theme.mark()),
            }
        }
    }

    /// The piece in quarters of cells on three lines; diagrams have figurines, which can be outlines.
    fn write_piece(&self, look: &Look, i: u8, j: u8, buffer: &mut Buffer) {
        let Some(piece) = look.piece else { return };
        let style = self.theme.piece(piece.side).bg(self.ground(look));
        let mut put = |x: u16, y: u16, symbol: &str| {
            if let Some(cell) = buffer.cell_mut(Position { x, y }).filter(|_| symbol != " ") {
                cell.set_symbol(symbol).set_style(style);
            }
        };
        if self.theme.outlines() {
            let glyph = pieces::glyph(piece.role, piece.side, false, true);
            return put(self.grid.stem(i), self.grid.line(j), glyph);
        }
        let Grid { area, step, .. } = self.grid;
        let (left, top) = (area.x + u16::from(i) * step, self.grid.line(j) - 1);
        for y in 0..3 {
            for x in 0..6 {
                put(left + x, top + y, pieces::quarters(piece.role, x, y));
            }
        }
    }

    /// A flag in the upper right corner of a large square.
    fn write_flag(&self, look: &Look, i: u8, j: u8, buffer: &mut Buffer) {
        let Some(flag) = self.flag(look) else { return };
        let Grid { step, area, shift, .. } = self.grid;
        let x = area.x + u16::from(i) * step + step - 1 - u16::from(step >= PIXELS);
        let y = area.y + (shift + u16::from(j) * step).div_ceil(2);
        if let Some(cell) = buffer.cell_mut(Position { x, y }) {
            let style = self.theme.mark().bg(self.ground(look));
            cell.set_symbol(flag).set_style(style);
        }
    }

    /// Coordinates, and where there is more board than is shown.
    fn write_labels(&self, buffer: &mut Buffer) {
        let grid = self.grid;
        let style = self.theme.muted();
        let width = usize::from(self.labels.width.saturating_sub(1));
        for j in 0..grid.high {
            let row = u32::from(grid.place(0, j).row) + 1;
            let area = Rect { y: grid.line(j), height: 1, ..self.labels };
            let area = area.intersection(buffer.area);
            if area.is_empty() {
                continue;
            }
            buffer.set_stringn(area.x, area.y, format!("{row:>width$}"), width, style);
        }
        let y = grid.area.bottom();
        if y >= buffer.area.bottom() {
            return;
        }
        for i in 0..grid.wide {
            let letter = char::from(b'a' + grid.place(i, 0).column).to_string();
            if grid.stem(i) < buffer.area.right() {
                buffer.set_stringn(grid.stem(i), y, letter, 1, style);
            }
        }
        self.write_arrows(y, buffer);
    }

    fn write_arrows(&self, y: u16, buffer: &mut Buffer) {
        let grid = self.grid;
        if !grid.scrolls() {
            return;
        }
        let [left, right, up, down] =
            if self.theme.ascii { ["<", ">", "^", "v"] } else { ["◂", "▸", "▴", "▾"] };
        let style = self.theme.accent();
        let x = self.labels.right().saturating_sub(1);
        let mut put = |x: u16, y: u16, symbol, shown: bool| {
            if let Some(cell) = buffer.cell_mut(Position { x, y }).filter(|_| shown) {
                cell.set_symbol(symbol).set_style(style);
            }
        };
        put(x, y, left, grid.left > 0);
        put(grid.area.right(), y, right, grid.left + grid.wide < grid.columns);
        put(x, grid.area.y, up, grid.top > 0);
        put(x, grid.area.bottom().saturating_sub(1), down, grid.top + grid.high < grid.rows);
    }
}

/// Pixels of half a cell each.
struct Canvas {
    width: u16,
    pixels: Vec<Color>,
}

impl Canvas {
    fn new(area: Rect) -> Canvas {
        let count = usize::from(area.width) * usize::from(area.height) * 2;
        Canvas { width: area.width, pixels: vec![Color::Reset; count] }
    }

    fn set(&mut self, x: u16, y: u16, color: Color) {
        let index = usize::from(y) * usize::from(self.width) + usize::from(x);
        if let Some(pixel) = self.pixels.get_mut(index).filter(|_| x < self.width) {
            *pixel = color;
        }
    }

    /// Two pixels, one above the other, make a cell.
    fn show(&self, buffer: &mut Buffer, area: Rect) {
        let width = usize::from(self.width.max(1));
        for (index, pair) in self.pixels.chunks_exact(2 * width).enumerate() {
            let (above, below) = pair.split_at(width);
            for (x, (&top, &bottom)) in above.iter().zip(below).enumerate() {
                let at = Position { x: area.x + x as u16, y: area.y + index as u16 };
                let Some(cell) = buffer.cell_mut(at) else { continue };
                // The terminal's own background can only be a background.
                let (symbol, fg, bg) = match (top, bottom) {
                    _ if top == bottom => (" ", Color::Reset, top),
                    (Color::Reset, _) => ("▄", bottom, Color::Reset),
                    _ => ("▀", top, bottom),
                };
                cell.set_symbol(symbol).set_style(Style::new().fg(fg).bg(bg));
            }
        }
    }
}

/// One square of a canvas.
struct Patch<'a> {
    canvas: &'a mut Canvas,
    x: u16,
    y: u16,
    step: u16,
}

impl Patch<'_> {
    fn set(&mut self, x: u16, y: u16, color: Color) {
        self.canvas.set(self.x + x, self.y + y, color);
    }

    fn fill(&mut self, color: Color) {
        for y in 0..self.step {
            for x in 0..self.step {
                self.set(x, y, color);
            }
        }
    }

    /// Brackets in the four corners.
    fn corners(&mut self, arm: u16, color: Color) {
        let end = self.step - 1;
        for i in 0..arm {
            for (x, y) in [(i, 0), (0, i)] {
                self.set(x, y, color);
                self.set(end - x, y, color);
                self.set(x, end - y, color);
                self.set(end - x, end - y, color);
            }
        }
    }

    fn frame(&mut self, color: Color) {
        self.corners(self.step, color);
    }

    /// A small diamond in the middle.
    fn diamond(&mut self, color: Color) {
        let radius = self.step / 4;
        let (low, high) = ((self.step - 1) / 2, self.step / 2);
        for i in 0..=radius {
            let j = radius - i;
            for (x, y) in [(i, j)] {
                for x in [low.saturating_sub(x), high + x] {
                    for y in [low.saturating_sub(y), high + y] {
                        self.set(x, y, color);
                    }
                }
            }
        }
    }
}
