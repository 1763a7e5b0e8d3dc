//! Puts everything on the screen.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use crate::app::App;
use crate::bar::Bar;
use crate::board::Board;
use crate::command::KeyCommand;
use crate::overlay::{Overlay, Popup};
use crate::panel::Panel;
use crate::{help, picker, words};

/// Draws the screen as it is now.
pub(crate) fn draw(app: &App, frame: &mut Frame<'_>) {
    let window = frame.area();
    if window != app.window {
        // The window has just changed, and the app has not been told yet: it will be at once.
        return;
    }
    let hand = app.hand();
    let buffer = frame.buffer_mut();
    let parts = &app.frame;
    let (view, theme, bottom) = (&app.view, app.theme, app.bottom());
    let analysis = app.analysing.then_some(app.analysis.as_ref());
    let panel = Panel { view, bottom, theme, ply: app.ply(), analysis, spin: app.spin };
    if let Some(area) = parts.panel {
        panel.beside(area, buffer);
    }
    if let Some(areas) = parts.strips {
        panel.stacked(areas, buffer);
    }
    if let Some(area) = parts.bar {
        Bar { evaluation: view.evaluation.as_ref(), bottom, theme }.render(area, buffer);
    }
    let (grid, labels, threats) = (parts.grid, parts.labels, app.threats);
    Board { view, grid, theme, hand: &hand, threats, labels }.render(window, buffer);
    match parts.footer {
        Some(footer) => {
            status(app).render(inset(parts.status), buffer);
            render_footer(app, inset(footer), buffer);
        }
        // One line for both: an answer is more urgent than what it answers.
        None if !app.input.is_empty() && app.message.is_none() => {
            render_footer(app, inset(parts.status), buffer);
        }
        None => {
            status(app).render(inset(parts.status), buffer);
            let keys = match (app.is_back(), app.theme.ascii) {
                (false, _) => "? help",
                (true, false) => "← → Enter Esc",
                (true, true) => "< > Enter Esc",
            };
            let key = Line::styled(keys, app.theme.muted()).alignment(Alignment::Right);
            if status(app).width() + keys.len() + 2 < usize::from(parts.status.width) {
                key.render(inset(parts.status), buffer);
            }
        }
    }
    if let Some((text, refused)) = &app.message {
        render_message(app, text, *refused, buffer);
    }
    render_overlay(app, buffer);
}

/// An answer that is longer than the status line takes the lines above as well: half a reason is none.
fn render_message(app: &App, text: &str, refused: bool, buffer: &mut Buffer) {
    let area = inset(app.frame.status);
    let lines = words::wrap(text, area.width.into());
    if lines.len() < 2 {
        return;
    }
    let style = if refused { app.theme.alarm() } else { app.theme.accent() };
    let top = (area.y + 1).saturating_sub(lines.len() as u16).max(app.window.y);
    for (y, line) in (top..=area.y).zip(lines) {
        Clear.render(Rect { y, height: 1, ..app.frame.status }, buffer);
        Line::styled(line, style).render(Rect { y, height: 1, ..area }, buffer);
    }
}

/// A margin left and right.
fn inset(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }.intersection(area)
}

/// One line on where the game stands, or the answer to what was asked last.
fn status(app: &App) -> Line<'static> {
    if let Some((text, refused)) = &app.message {
        let style = if *refused { app.theme.alarm() } else { app.theme.accent() };
        return Line::styled(text.clone(), style);
    }
    if let Some(best) = best_line(app) {
        return best;
    }
    let view = &app.view;
    let room = usize::from(app.frame.status.width.saturating_sub(2));
    let style = match (&view.end, view.check) {
        (Some(_), _) => app.theme.accent(),
        (None, Some(_)) => app.theme.alarm(),
        (None, None) => app.theme.strong(),
    };
    let said = words::cut(&view.status, room, app.theme.ascii);
    let mut spans = vec![Span::styled(said, style)];
    if app.bar
        && let Some(evaluation) = &view.evaluation
    {
        spans.push(Span::raw(format!("  {}", evaluation.text)));
    }
    if view.end.is_none()
        && let Some(claim) = &view.draw.claim
    {
        spans.push(Span::raw(format!("  Draw by {claim} can be claimed.")));
    }
    if view.end.is_none() && view.draw.offered.is_some() {
        spans.push(Span::raw("  A draw is offered."));
    }
    Line::from(spans)
}

/// What the engine thinks best, where there is no room for its lines elsewhere.
fn best_line(app: &App) -> Option<Line<'static>> {
    let elsewhere = app.frame.panel.is_some() || app.frame.strips?[2].height > 0;
    let (score, moves) = app.analysis.as_ref().filter(|_| !elsewhere)?.lines.first()?;
    let room = usize::from(app.frame.status.width).saturating_sub(score.len() + 3);
    let moves = words::cut(moves, room, app.theme.ascii);
    let score = Span::styled(format!("{score} "), app.theme.strong());
    Some(Line::from(vec![score, Span::raw(moves)]))
}

/// One entry of the footer: its key, what it does; without a command, it opens the menu.
type Entry = (String, &'static str, Option<KeyCommand>);

/// The most useful keys, most useful first.
fn entries(app: &App) -> Vec<Entry> {
    let view = &app.view;
    let menu: Entry = ("Space".into(), "menu", None);
    let thinking = view.seats.iter().any(|seat| seat.thinking);
    let wanted: &[KeyCommand] = match () {
        () if view.end.is_some() => &[
            KeyCommand::New,
            KeyCommand::TakeBack,
            KeyCommand::Save,
            KeyCommand::Quit,
            KeyCommand::Help,
        ],
        () if thinking => {
            &[KeyCommand::MoveNow, KeyCommand::TakeBack, KeyCommand::Quit, KeyCommand::Help]
        }
        () => &[
            KeyCommand::TakeBack,
            KeyCommand::Redo,
            KeyCommand::Help,
            KeyCommand::Quit,
            KeyCommand::Hint,
            KeyCommand::Flip,
            KeyCommand::Save,
            KeyCommand::New,
        ],
    };
    let useful = |command: &&KeyCommand| match command {
        KeyCommand::TakeBack => !view.moves.is_empty(),
        KeyCommand::Redo => view.redoable > 0,
        _ => true,
    };
    let entry = |&command: &KeyCommand| (help::key(command, view), command.short(), Some(command));
    [menu].into_iter().chain(wanted.iter().filter(useful).map(entry)).collect()
}

/// The entries that fit, with where they begin.
fn footer_entries(app: &App, area: Rect) -> Vec<(u16, u16, Entry)> {
    let mut x = area.x;
    let mut shown = Vec::new();
    for entry in entries(app) {
        let width = (entry.0.chars().count() + 1 + entry.1.len()) as u16;
        if x + width > area.right() {
            break;
        }
        shown.push((x, width, entry));
        x += width + 3;
    }
    shown
}

/// What a click into the footer asks for: a command, or the menu (`Some(None)`).
pub(crate) fn footer_command(app: &App, x: u16, y: u16) -> Option<Option<KeyCommand>> {
    let empty = app.input.is_empty() && !app.is_back();
    let area = inset(app.frame.footer.filter(|_| empty)?);
    if y != area.y {
        return None;
    }
    footer_entries(app, area)
        .into_iter()
        .find(|&(start, width, _)| x >= start && x < start + width)
        .map(|(_, _, (_, _, command))| command)
}

fn render_footer(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = app.theme;
    if app.input.is_empty() && app.is_back() {
        let arrows = if theme.ascii { "Left Right" } else { "← →" };
        let keys = [(arrows, "moves"), ("Enter", "plays on"), ("Esc", "back to the game")];
        let spans = keys.into_iter().flat_map(|(key, does)| {
            [Span::styled(key, theme.strong()), Span::styled(format!(" {does}   "), theme.muted())]
        });
        Line::from_iter(spans).render(area, buffer);
        return;
    }
    if app.input.is_empty() {
        for (x, width, (key, text, _)) in footer_entries(app, area) {
            let line = Line::from(vec![
                Span::styled(key, theme.strong()),
                Span::styled(format!(" {text}"), theme.muted()),
            ]);
            line.render(Rect { x, width, ..area }, buffer);
        }
        return;
    }
    let prompt = if theme.ascii { "> " } else { "› " };
    let mut spans = vec![Span::styled(prompt, theme.accent())];
    spans.extend(app.input.spans(usize::from(area.width.saturating_sub(2)), theme));
    let keys = "   Enter plays   Esc clears";
    if app.input.len() + keys.len() + 4 < usize::from(area.width) {
        spans.push(Span::styled(keys, theme.muted()));
    }
    Line::from(spans).render(area, buffer);
}

/// The title of what lies over the board, its lines, and the one that is chosen.
pub(crate) fn contents(app: &App) -> Option<(String, Vec<Line<'static>>, Option<usize>)> {
    let theme = app.theme;
    Some(match app.overlay.as_ref()? {
        Overlay::Menu { at } => ("Menu".into(), help::menu(theme), Some(*at)),
        Overlay::Help { .. } => ("Help".into(), help::lines(&app.view, theme), None),
        Overlay::Promotion { choices, at, .. } => {
            let lines = picker::promotion(choices, app.view.turn, theme);
            ("The pawn becomes a".into(), lines, Some(*at))
        }
        Overlay::Confirm { question, at, .. } => {
            (question.clone(), vec![Line::raw("y  yes"), Line::raw("n  no")], Some(*at))
        }
        Overlay::New { questions, at } => {
            ("New game".into(), picker::questions(questions, theme), Some(*at))
        }
        Overlay::Open { games, at } => {
            ("Open a game".into(), picker::games(games, theme), Some(*at))
        }
        Overlay::File { save, text } => {
            let title = if *save { "Save to the file" } else { "Open the file" };
            let room = usize::from(app.window.width.saturating_sub(8));
            (title.into(), vec![Line::from(text.spans(room, theme))], None)
        }
    })
}

/// Where the overlay is, if there is one.
pub(crate) fn popup(app: &App) -> Option<Popup> {
    let (title, lines, chosen) = contents(app)?;
    let width = lines.iter().map(Line::width).max().unwrap_or_default();
    let width = width.max(title.chars().count() + 2).max(match app.overlay {
        Some(Overlay::File { .. }) => 36,
        _ => 0,
    });
    let at = match app.overlay {
        // Help scrolls by lines instead of choosing one.
        Some(Overlay::Help { at }) => {
            let room = usize::from(app.window.height.saturating_sub(2)).max(1);
            at.min(lines.len().saturating_sub(room)) + room.min(lines.len()).saturating_sub(1)
        }
        _ => chosen.unwrap_or_default(),
    };
    Some(Popup::new(app.window, width, lines.len(), at))
}

fn render_overlay(app: &App, buffer: &mut Buffer) {
    let (Some((title, lines, chosen)), Some(popup)) = (contents(app), popup(app)) else { return };
    let theme = app.theme;
    Clear.render(popup.outer, buffer);
    let border = if theme.ascii { ASCII_BORDER } else { BorderType::Rounded.to_border_set() };
    Block::bordered()
        .border_set(border)
        .border_style(theme.accent())
        .title(Line::styled(format!(" {title} "), theme.accent()))
        .render(popup.outer, buffer);
    for (y, line) in lines.into_iter().enumerate().skip(popup.first) {
        let row = (y - popup.first) as u16;
        if row >= popup.inner.height {
            break;
        }
        let area = Rect { y: popup.inner.y + row, height: 1, ..popup.inner };
        line.render(area, buffer);
        if Some(y) == chosen {
            let wide = Rect { x: area.x - 1, width: area.width + 2, ..area };
            buffer.set_style(wide.intersection(popup.outer), Style::new().patch(theme.chosen()));
        }
    }
}

const ASCII_BORDER: ratatui::symbols::border::Set<'static> = ratatui::symbols::border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{middle_game, screen};
    use crate::theme::ThemeName;

    #[test]
    fn the_footer_leads_with_the_menu() {
        let mut app = screen(middle_game(), 80, 24, ThemeName::Walnut);
        let footer = app.frame.footer.unwrap();
        assert_eq!(footer_command(&app, 1, footer.y), Some(None));
        assert_eq!(footer_command(&app, 14, footer.y), Some(Some(KeyCommand::TakeBack)));
        assert_eq!(footer_command(&app, 1, 0), None);
        app.input = crate::typing::Typing::proposal("e4");
        assert_eq!(footer_command(&app, 1, footer.y), None);
    }
}
