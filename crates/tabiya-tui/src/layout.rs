//! Where everything goes, from 40×20 to a wall of a screen.
//!
//! A terminal's cell is about twice as high as wide. A square of *step* n is n cells wide and n half lines
//! high, so that it looks square; with half blocks a square may begin and end in the middle of a line.

use ratatui::layout::Rect;
use tabiya_view::{Coord, GameView, Side};

/// The smallest step: a piece and a mark, one line.
pub(crate) const SMALLEST: u16 = 2;
/// No square grows beyond this.
pub(crate) const LARGEST: u16 = 32;

/// The squares on the screen, or those of them that the window has room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    /// The squares alone, without coordinates.
    pub(crate) area: Rect,
    /// Cells across, and half lines down.
    pub(crate) step: u16,
    /// Half lines above the first row.
    pub(crate) shift: u16,
    /// The whole board.
    pub(crate) columns: u8,
    pub(crate) rows: u8,
    /// The first that are shown, counted on the screen from the top left.
    pub(crate) left: u8,
    pub(crate) top: u8,
    /// How many are shown.
    pub(crate) wide: u8,
    pub(crate) high: u8,
    pub(crate) bottom: Side,
}

impl Grid {
    /// The square in column `i` and row `j` of what is shown.
    pub(crate) fn place(&self, i: u8, j: u8) -> Coord {
        let (column, row) = (self.left + i, self.top + j);
        match self.bottom {
            Side::White => Coord { column, row: self.rows - 1 - row },
            Side::Black => Coord { column: self.columns - 1 - column, row },
        }
    }

    /// Where a square of the whole board is, counted on the screen from the top left.
    pub(crate) fn spot(&self, place: Coord) -> (u8, u8) {
        match self.bottom {
            Side::White => (place.column, self.rows - 1 - place.row),
            Side::Black => (self.columns - 1 - place.column, place.row),
        }
    }

    /// The square under a cell.
    pub(crate) fn at(&self, x: u16, y: u16) -> Option<Coord> {
        let x = x.checked_sub(self.area.x)?;
        let y = y.checked_sub(self.area.y)?;
        // The middle of the cell decides where two squares share it.
        let half = (2 * y + 1).saturating_sub(self.shift);
        let (i, j) = (x / self.step, half / self.step);
        (i < u16::from(self.wide) && j < u16::from(self.high)).then(|| self.place(i as u8, j as u8))
    }

    /// The line of shown row `j` that holds its pieces: the most central of its full lines.
    pub(crate) fn line(&self, j: u8) -> u16 {
        let first = self.shift + u16::from(j) * self.step;
        let middle = first + self.step / 2;
        // The last full line that begins at or before the middle.
        let line = if self.step.is_multiple_of(4) && self.shift == 0 {
            (middle - 1) / 2
        } else {
            middle / 2
        };
        let line = if 2 * line < first { line + 1 } else { line };
        let line = if 2 * line + 2 > first + self.step { line - 1 } else { line };
        self.area.y + line
    }

    /// The column of shown column `i` that holds its pieces.
    pub(crate) fn stem(&self, i: u8) -> u16 {
        self.area.x + u16::from(i) * self.step + (self.step - 1) / 2
    }

    /// Whether some of the board is out of sight.
    pub(crate) fn scrolls(&self) -> bool {
        self.wide < self.columns || self.high < self.rows
    }
}

/// The parts of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) grid: Grid,
    /// Room for the numbers of the rows, left of the squares.
    pub(crate) labels: Rect,
    /// The evaluation bar.
    pub(crate) bar: Option<Rect>,
    /// Players and moves beside the board, or else:
    pub(crate) panel: Option<Rect>,
    /// a player above, a player below, and moves under it if there is room.
    pub(crate) strips: Option<[Rect; 3]>,
    pub(crate) status: Rect,
    /// Keys, or what is being typed; without it, the status line does that too.
    pub(crate) footer: Option<Rect>,
}

/// What the layout depends on besides the size of the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wants {
    pub(crate) bottom: Side,
    pub(crate) bar: bool,
    /// Whether squares may end in the middle of a line.
    pub(crate) halves: bool,
    /// Steps more or fewer than what fits.
    pub(crate) zoom: i16,
    /// The first column and row to show when not all fit: on the screen, from the top left.
    pub(crate) scroll: (u8, u8),
}

const PANEL: std::ops::RangeInclusive<u16> = 22..=38;

/// One way to share out the window, to be tried with smaller and smaller squares.
#[derive(Clone, Copy)]
enum Plan {
    Beside,
    Stacked { footer: bool },
}

impl Plan {
    const ALL: [Plan; 3] =
        [Plan::Beside, Plan::Stacked { footer: true }, Plan::Stacked { footer: false }];

    /// Lines that are not the board's: column letters, status, footer, strips.
    fn lines(self) -> u16 {
        match self {
            Plan::Beside => 3,
            Plan::Stacked { footer } => 4 + u16::from(footer),
        }
    }

    fn columns(self, fixed: u16) -> u16 {
        match self {
            Plan::Beside => fixed + PANEL.start() + 2,
            Plan::Stacked { .. } => fixed,
        }
    }
}

/// The parts of a window for this board.
pub(crate) fn arrange(window: Rect, view: &GameView, wants: Wants) -> Frame {
    let (columns, rows) = (u16::from(view.columns), u16::from(view.rows));
    let labels = if rows > 9 { 3 } else { 2 };
    let fixed = labels + if wants.bar { 3 } else { 0 };
    let fits = |plan: Plan, step: u16| {
        plan.columns(fixed) + columns * step <= window.width
            && plan.lines() + (rows * step).div_ceil(2) <= window.height
    };
    let steps = (SMALLEST..=LARGEST).rev().filter(|step| wants.halves || step.is_multiple_of(2));
    let found = steps
        .flat_map(|step| Plan::ALL.into_iter().map(move |plan| (plan, step)))
        .find(|&(plan, step)| fits(plan, step));
    // Not even the smallest squares fit: show a part of the board.
    let (plan, step) = found.unwrap_or_else(|| {
        let beside = Plan::Beside.columns(fixed) + 12 * SMALLEST <= window.width;
        (if beside { Plan::Beside } else { Plan::Stacked { footer: true } }, SMALLEST)
    });
    let unit = if wants.halves { 1 } else { 2 };
    let step = step.saturating_add_signed(wants.zoom * unit).clamp(SMALLEST, LARGEST);
    place(window, view, wants, plan, step, labels)
}

fn place(window: Rect, view: &GameView, wants: Wants, plan: Plan, step: u16, labels: u16) -> Frame {
    let bar = if wants.bar { 3 } else { 0 };
    let fixed = labels + bar;
    let room_wide = window.width.saturating_sub(plan.columns(fixed)).max(step);
    let room_high = window.height.saturating_sub(plan.lines()).max(1);
    let wide = u16::from(view.columns).min(room_wide / step).max(1);
    let high = u16::from(view.rows).min(2 * room_high / step).max(1);
    // Half a line more puts pieces of an even number of lines into the middle of their squares.
    let even = wants.halves && step.is_multiple_of(4) && step < 8;
    let shift = u16::from(even && (high * step + 2).div_ceil(2) <= room_high);
    let lines = (shift + high * step).div_ceil(2);

    let panel = match plan {
        Plan::Beside => {
            let spare = window.width.saturating_sub(fixed + wide * step + 2);
            spare.min(*PANEL.end()).max(*PANEL.start())
        }
        Plan::Stacked { .. } => 0,
    };
    let gap = if panel > 0 { 2 } else { 0 };
    let used = fixed + wide * step + gap + panel;
    let x = window.x + window.width.saturating_sub(used) / 2;
    let stacked = matches!(plan, Plan::Stacked { .. });
    let spare = window.height.saturating_sub(plan.lines() + lines);
    // The board keeps to the top, where the eye is, but not to the very edge if there is room.
    let y = window.y + u16::from(stacked) + if stacked { 0 } else { spare / 2 };

    let area = Rect::new(x + fixed, y, wide * step, lines).intersection(window);
    let scroll = |wanted: u8, all: u8, shown: u16| wanted.min(all.saturating_sub(shown as u8));
    let grid = Grid {
        area,
        step,
        shift,
        columns: view.columns,
        rows: view.rows,
        left: scroll(wants.scroll.0, view.columns, wide),
        top: scroll(wants.scroll.1, view.rows, high),
        wide: wide as u8,
        high: high as u8,
        bottom: wants.bottom,
    };
    let bottom = window.bottom();
    let has_footer = !matches!(plan, Plan::Stacked { footer: false });
    let line = |up: u16| {
        Rect::new(window.x, bottom.saturating_sub(up), window.width, 1).intersection(window)
    };
    let strip = |y: u16, height: u16| {
        let width = if wide * step < 30 {
            window.right().saturating_sub(x + bar)
        } else {
            labels + wide * step
        };
        Rect::new(x + bar, y, width, height).intersection(window)
    };
    Frame {
        grid,
        labels: Rect::new(x + bar, y, labels, lines).intersection(window),
        bar: wants.bar.then(|| Rect::new(x, y, 2, lines).intersection(window)),
        panel: (panel > 0)
            .then(|| Rect::new(area.right() + gap, y, panel, lines + 1).intersection(window)),
        strips: stacked.then(|| {
            [strip(window.y, 1), strip(area.bottom() + 1, 1), strip(area.bottom() + 2, spare)]
        }),
        status: line(if has_footer { 2 } else { 1 }),
        footer: has_footer.then(|| line(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bishops, chess};

    fn wants() -> Wants {
        Wants { bottom: Side::White, bar: false, halves: true, zoom: 0, scroll: (0, 0) }
    }

    fn frame(width: u16, height: u16, view: &GameView) -> Frame {
        arrange(Rect::new(0, 0, width, height), view, wants())
    }

    #[test]
    fn squares_are_as_large_as_the_window_allows() {
        let steps = [(40, 20, 4), (80, 24, 5), (120, 30, 6), (120, 40, 9), (200, 60, 14)];
        for (width, height, step) in steps {
            assert_eq!(frame(width, height, &chess()).grid.step, step, "{width}×{height}");
        }
    }

    #[test]
    fn without_half_blocks_squares_are_whole_lines() {
        let plain = Wants { halves: false, ..wants() };
        for (width, height, step) in [(40, 20, 4), (80, 24, 4), (120, 40, 8)] {
            let grid = arrange(Rect::new(0, 0, width, height), &chess(), plain).grid;
            assert_eq!((grid.step, grid.shift), (step, 0), "{width}×{height}");
        }
    }

    #[test]
    fn every_part_is_inside_the_window_and_none_covers_the_board() {
        for size in [3, 5, 8, 10, 26] {
            let view = if size == 8 { chess() } else { bishops(size) };
            for (width, height) in
                [(1, 1), (10, 5), (20, 10), (40, 20), (41, 23), (80, 24), (60, 50), (250, 80)]
            {
                for (halves, bar, zoom) in
                    [(true, true, 0), (false, true, 0), (true, false, 5), (false, false, -3)]
                {
                    let window = Rect::new(0, 0, width, height);
                    let wants = Wants { bar, halves, zoom, scroll: (9, 9), ..wants() };
                    let frame = arrange(window, &view, wants);
                    let strips = frame.strips.into_iter().flatten();
                    let around = [Some(frame.labels), frame.bar, frame.panel];
                    for part in strips.chain(around.into_iter().flatten()) {
                        assert_eq!(part.intersection(window), part, "{frame:?}");
                        assert!(part.intersection(frame.grid.area).is_empty(), "{frame:?}");
                    }
                    let grid = frame.grid;
                    assert!(grid.left + grid.wide <= grid.columns);
                    assert!(grid.top + grid.high <= grid.rows);
                }
            }
        }
    }

    #[test]
    fn a_click_finds_the_square_that_is_drawn_there() {
        for (width, height) in [(40, 20), (80, 24), (83, 30), (120, 40)] {
            let grid = frame(width, height, &chess()).grid;
            for i in 0..8 {
                for j in 0..8 {
                    let (x, y) = (grid.stem(i), grid.line(j));
                    assert_eq!(grid.at(x, y), Some(grid.place(i, j)), "{width}×{height}");
                    assert_eq!(grid.spot(grid.place(i, j)), (i, j));
                    // The whole line belongs to the square.
                    let first = grid.shift + u16::from(j) * grid.step;
                    let line = 2 * (y - grid.area.y);
                    assert!(line >= first && line + 2 <= first + grid.step);
                }
            }
            assert_eq!(grid.at(grid.area.x.wrapping_sub(1), grid.area.y), None);
            assert_eq!(grid.at(grid.area.right(), grid.area.y), None);
        }
    }

    #[test]
    fn a_board_too_large_for_the_window_is_shown_in_part() {
        let view = bishops(26);
        let window = Rect::new(0, 0, 40, 20);
        let at = |scroll| arrange(window, &view, Wants { scroll, ..wants() }).grid;
        let grid = at((0, 0));
        assert!(grid.scrolls() && grid.step == SMALLEST);
        assert_eq!(grid.place(0, 0), Coord { column: 0, row: 25 });
        let grid = at((25, 25));
        let corner = grid.place(grid.wide - 1, grid.high - 1);
        assert_eq!(corner, Coord { column: 25, row: 0 });
        assert!(!frame(120, 40, &view).grid.scrolls());
    }
}
