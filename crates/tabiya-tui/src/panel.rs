//! Players, clocks, what was taken, and the moves.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use tabiya_view::{GameView, PlayedMove, Seat, Side};

use crate::host::AnalysisView;
use crate::theme::Theme;
use crate::{pieces, words};

/// Everything beside the board, or above and below it.
pub(crate) struct Panel<'a> {
    pub(crate) view: &'a GameView,
    /// Whose side of the board is below.
    pub(crate) bottom: Side,
    pub(crate) theme: Theme,
    /// After how many half-moves the position on the board is.
    pub(crate) ply: usize,
    /// What an engine has found, if one looks.
    pub(crate) analysis: Option<Option<&'a AnalysisView>>,
    pub(crate) spin: usize,
}

/// A clock as people read it: `5:00`, `1:02:03`, and tenths when they count.
pub(crate) fn clock(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    let seconds = tenths / 10;
    match seconds {
        0..10 => format!("0:0{seconds}.{}", tenths % 10),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

impl Panel<'_> {
    /// Beside the board: a player, the moves, a player.
    pub(crate) fn beside(&self, area: Rect, buffer: &mut Buffer) {
        let line = |y: u16| Rect { y: area.y + y, height: 1, ..area }.intersection(area);
        let bottom = area.height.saturating_sub(3);
        self.seat(self.bottom.other(), [line(0), line(1)], buffer);
        self.rule(line(2), buffer);
        let room = bottom.saturating_sub(4);
        // An engine's lines below the moves: each on two, if there is room.
        let engine = if self.analysis.is_some() { (room / 2).min(7) } else { 0 };
        let list = Rect { y: area.y + 3, height: room - engine, ..area };
        self.list(list.intersection(area), buffer);
        if engine > 1 {
            self.rule(line(3 + room - engine), buffer);
            let below = Rect { y: area.y + 4 + room - engine, height: engine - 1, ..area };
            self.engine(below.intersection(area), buffer);
        }
        self.rule(line(bottom.saturating_sub(1)), buffer);
        self.seat(self.bottom, [line(bottom), line(bottom + 1)], buffer);
    }

    /// Above and below the board, each on a line, and the last moves under them.
    pub(crate) fn stacked(&self, [above, below, moves]: [Rect; 3], buffer: &mut Buffer) {
        self.strip(self.bottom.other(), above, buffer);
        self.strip(self.bottom, below, buffer);
        match self.analysis {
            Some(_) => self.engine(moves, buffer),
            None => self.flow(moves, buffer),
        }
    }

    fn rule(&self, area: Rect, buffer: &mut Buffer) {
        let symbol = if self.theme.ascii { "-" } else { "─" };
        let text = symbol.repeat(usize::from(area.width));
        Line::styled(text, self.theme.muted()).render(area, buffer);
    }

    /// Whose turn it is, who it is, whether he thinks.
    fn who(&self, side: Side) -> Vec<Span<'static>> {
        let seat = &self.view.seats[side as usize];
        let to_move = self.view.turn == side && self.view.end.is_none();
        let arrow = match (to_move, self.theme.ascii) {
            (true, true) => "> ",
            (true, false) => "▸ ",
            (false, _) => "  ",
        };
        let sign = match (self.theme.ascii, side) {
            (true, Side::White) => "W ",
            (true, Side::Black) => "B ",
            (false, Side::White) => "○ ",
            (false, Side::Black) => "● ",
        };
        let name = if to_move { self.theme.strong() } else { Style::new() };
        let mut spans = vec![
            Span::styled(arrow, self.theme.accent()),
            Span::raw(sign),
            Span::styled(seat.name.clone(), name),
        ];
        if seat.thinking {
            spans.push(Span::styled(format!(" {}", self.spinner()), self.theme.accent()));
        }
        spans
    }

    fn spinner(&self) -> char {
        let frames = if self.theme.ascii { "|/-\\" } else { "◐◓◑◒" };
        let count = frames.chars().count();
        frames.chars().nth(self.spin % count).unwrap_or(' ')
    }

    fn clock_text(&self, seat: &Seat) -> Span<'static> {
        let Some(time) = seat.clock else { return Span::raw("") };
        let style = match seat.ticking {
            true if time < Duration::from_secs(20) => self.theme.alarm(),
            true => self.theme.strong(),
            false => Style::new(),
        };
        Span::styled(clock(time), style)
    }

    /// The name, the clock, and what was taken, on two lines.
    fn seat(&self, side: Side, [upper, lower]: [Rect; 2], buffer: &mut Buffer) {
        let time = self.clock_text(&self.view.seats[side as usize]);
        let who = Line::from(self.who(side));
        let width = (time.width() as u16).min(upper.width);
        // A long name keeps its line; the clock goes below.
        let beside = who.width() + 1 + time.width() <= usize::from(upper.width);
        who.render(upper, buffer);
        self.taken(side).render(lower, buffer);
        let area = if beside { upper } else { lower };
        let x = area.right() - width;
        Line::from(time).render(Rect { x, width, ..area }, buffer);
    }

    /// What this side has taken, most valuable first, and by how much it leads.
    fn taken(&self, side: Side) -> Line<'static> {
        let captured = &self.view.seats[side as usize].captured;
        let glyph =
            |role| pieces::glyph(role, side.other(), self.theme.ascii, self.theme.outlines());
        // More than a set of chess has are counted.
        let glyphs: String = if captured.roles.len() <= 16 {
            captured.roles.iter().map(|&role| glyph(role)).collect()
        } else {
            let times = if self.theme.ascii { "x" } else { "×" };
            let kinds = captured.roles.chunk_by(|a, b| a == b);
            kinds.map(|kind| format!("{}{times}{} ", glyph(kind[0]), kind.len())).collect()
        };
        let mut spans = vec![Span::raw("    "), Span::raw(glyphs)];
        if let Some(lead) = captured.lead.filter(|&lead| lead > 0) {
            spans.push(Span::styled(format!(" +{lead}"), self.theme.muted()));
        }
        Line::from(spans)
    }

    fn strip(&self, side: Side, area: Rect, buffer: &mut Buffer) {
        let seat = &self.view.seats[side as usize];
        let time = self.clock_text(seat);
        let taken = self.taken(side);
        let width = (time.width() as u16).min(area.width);
        let x = area.right() - width;
        Line::from(time).render(Rect { x, width, ..area }, buffer);
        let room = area.width.saturating_sub(width + u16::from(width > 0));
        let who = Line::from(self.who(side));
        let name = (who.width() as u16).min(room);
        who.render(Rect { width: room, ..area }, buffer);
        // What was taken is worth less than the name: it gets what is left.
        let rest = Rect { x: area.x + name, width: room - name, ..area };
        let taken = Line::from_iter(taken.spans.into_iter().skip(1));
        if rest.width as usize > taken.width() {
            taken.render(Rect { x: rest.x + 1, width: rest.width - 1, ..rest }, buffer);
        }
    }

    /// What an engine has found: who it is and how deep it looks, and its lines.
    fn engine(&self, area: Rect, buffer: &mut Buffer) {
        let Some(analysis) = self.analysis else { return };
        let room = usize::from(area.width);
        let mut lines = Vec::new();
        let title = analysis.map_or("The engine begins", |analysis| analysis.title.as_str());
        if area.height > 1 {
            let title = words::cut(title, room, self.theme.ascii);
            lines.push(Line::styled(title, self.theme.muted()));
        }
        let found = analysis.map_or(&[][..], |analysis| analysis.lines.as_slice());
        let each = usize::from(area.height.saturating_sub(1)) / found.len().max(1);
        for (score, moves) in found {
            let score = format!("{score:>6} ");
            let text = moves.as_str();
            let rows = words::wrap(text, room.saturating_sub(score.len()));
            let (first, rest) = match each {
                0 | 1 => {
                    (words::cut(text, room.saturating_sub(score.len()), self.theme.ascii), None)
                }
                _ => {
                    let first = rows.first().cloned().unwrap_or_default();
                    let rest = text.get(first.len()..).unwrap_or_default().trim_start();
                    let rest = words::cut(rest, room.saturating_sub(score.len()), self.theme.ascii);
                    (first, Some(format!("{:>7}{rest}", "")).filter(|_| rows.len() > 1))
                }
            };
            let score = Span::styled(score, self.theme.strong());
            lines.push(Line::from(vec![score, Span::raw(first)]));
            lines.extend(rest.map(Line::raw));
        }
        for (y, line) in (0..area.height).zip(lines) {
            line.render(Rect { y: area.y + y, height: 1, ..area }, buffer);
        }
    }

    /// The moves two by two, the one on the board in sight.
    fn list(&self, area: Rect, buffer: &mut Buffer) {
        let lines = pairs(&self.view.moves);
        let height = usize::from(area.height);
        let last = self.ply.checked_sub(1);
        let row = lines.iter().position(|&(_, white, black)| {
            last.is_none_or(|last| white == Some(last) || black == Some(last))
        });
        let first = first_shown(row.unwrap_or_default(), height, lines.len());
        let shown = &lines[first..(first + height).min(lines.len())];
        let column = area.width.saturating_sub(6) / 2;
        for (y, &(number, white, black)) in shown.iter().enumerate() {
            let row = Rect { y: area.y + y as u16, height: 1, ..area };
            Line::styled(format!("{number:>3}."), self.theme.muted()).render(row, buffer);
            for (slot, index) in [white, black].into_iter().enumerate() {
                let x = (area.x + 5 + slot as u16 * (column + 1)).min(area.right());
                let cell = Rect { x, width: column, ..row }.intersection(area);
                let text = match index {
                    Some(index) => self.view.moves[index].san.as_str(),
                    None if slot == 0 => "...",
                    None => "",
                };
                let newest = index.is_some() && index == last;
                let style = if newest { self.theme.chosen() } else { Style::new() };
                Line::from(Span::styled(text.to_owned(), style)).render(cell, buffer);
            }
        }
    }

    /// The last moves as running text, for as many lines as there are.
    fn flow(&self, area: Rect, buffer: &mut Buffer) {
        let width = usize::from(area.width);
        let mut lines: Vec<String> = vec![String::new()];
        let mut here = 0;
        for (number, white, black) in pairs(&self.view.moves) {
            let name = |index: Option<usize>| index.map(|i| self.view.moves[i].san.as_str());
            let text = match (name(white), name(black)) {
                (Some(white), Some(black)) => format!("{number}.{white} {black}"),
                (Some(white), None) => format!("{number}.{white}"),
                (None, black) => format!("{number}...{}", black.unwrap_or_default()),
            };
            match lines.last_mut() {
                Some(line) if line.is_empty() => *line = text,
                Some(line) if line.len() + 2 + text.len() <= width => {
                    line.push_str("  ");
                    line.push_str(&text);
                }
                _ => lines.push(text),
            }
            if white.or(black).is_some_and(|index| index < self.ply) {
                here = lines.len() - 1;
            }
        }
        let height = usize::from(area.height);
        let first = first_shown(here, height, lines.len());
        for (y, line) in lines[first..(first + height).min(lines.len())].iter().enumerate() {
            let row = Rect { y: area.y + y as u16, height: 1, ..area };
            Line::styled(line.clone(), self.theme.muted()).render(row, buffer);
        }
    }
}

/// The first of so many lines to be shown, so that one of them is in sight, if possible in the middle.
fn first_shown(line: usize, height: usize, lines: usize) -> usize {
    let last = lines.saturating_sub(height);
    line.saturating_sub(height.saturating_sub(1) / 2).min(last)
}

/// The moves by number: White's, Black's, as places in the list.
fn pairs(moves: &[PlayedMove]) -> Vec<(u32, Option<usize>, Option<usize>)> {
    let mut lines: Vec<(u32, Option<usize>, Option<usize>)> = Vec::new();
    for (index, played) in moves.iter().enumerate() {
        match (played.side, lines.last_mut()) {
            (Side::Black, Some((number, _, black)))
                if *number == played.number && black.is_none() =>
            {
                *black = Some(index);
            }
            (Side::Black, _) => lines.push((played.number, None, Some(index))),
            (Side::White, _) => lines.push((played.number, Some(index), None)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::played;

    #[test]
    fn clocks_read_as_people_expect() {
        let texts = [
            (0, "0:00.0"),
            (9_940, "0:09.9"),
            (10_000, "0:10"),
            (300_000, "5:00"),
            (3_599_000, "59:59"),
            (3_723_000, "1:02:03"),
        ];
        for (millis, text) in texts {
            assert_eq!(clock(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn a_game_may_begin_with_black() {
        let moves = [
            played(Side::Black, 5, "e5"),
            played(Side::White, 6, "Nf3"),
            played(Side::Black, 6, "Nc6"),
        ];
        assert_eq!(pairs(&moves), [(5, None, Some(0)), (6, Some(1), Some(2))]);
    }
}
