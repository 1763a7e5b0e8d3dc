//! The evaluation bar: how much of it is White's says how much White may hope for.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Style};
use ratatui::widgets::Widget;
use tabiya_view::{EvaluationView, Side};

use crate::theme::{Theme, ThemeName};

pub(crate) struct Bar<'a> {
    pub(crate) evaluation: Option<&'a EvaluationView>,
    pub(crate) bottom: Side,
    pub(crate) theme: Theme,
}

impl Widget for Bar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let halves = 2 * area.height;
        let chances = self.evaluation.map_or(0.5, |evaluation| evaluation.chances.clamp(0.0, 1.0));
        let white = (f32::from(halves) * chances).round() as u16;
        // How many halves from the top are of the side that sits there.
        let (above, upper, lower) = match self.bottom {
            Side::White => (halves - white, Side::Black, Side::White),
            Side::Black => (white, Side::White, Side::Black),
        };
        for y in 0..area.height {
            let side = |half: u16| if half < above { upper } else { lower };
            let pair = [side(2 * y), side(2 * y + 1)];
            for x in 0..area.width {
                let at = Position { x: area.x + x, y: area.y + y };
                let Some(cell) = buffer.cell_mut(at) else { continue };
                let (symbol, style) = self.cell(pair);
                cell.set_symbol(symbol).set_style(style);
            }
        }
    }
}

impl Bar<'_> {
    fn cell(&self, [top, bottom]: [Side; 2]) -> (&'static str, Style) {
        let color = |side| match (self.theme.name, side) {
            (ThemeName::Console, Side::White) => Color::White,
            (ThemeName::Console, Side::Black) => Color::DarkGray,
            (_, Side::White) if self.evaluation.is_none() => self.theme.palette.squares[0],
            (_, Side::Black) if self.evaluation.is_none() => self.theme.palette.squares[1],
            (_, Side::White) => self.theme.palette.bar[0],
            (_, Side::Black) => self.theme.palette.bar[1],
        };
        if self.theme.halves() {
            let style = Style::new().fg(color(top)).bg(color(bottom));
            return if top == bottom { (" ", style) } else { ("▀", style) };
        }
        let [light, dark] = if self.theme.ascii { ["#", "."] } else { ["█", "░"] };
        // Without halves, a shared line is the better side's.
        (if top == Side::White || bottom == Side::White { light } else { dark }, Style::new())
    }
}
