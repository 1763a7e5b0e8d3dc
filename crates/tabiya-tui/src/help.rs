//! The help overlay, and the rows of the menu.

use ratatui::text::{Line, Span};
use tabiya_view::{GameKind, GameView};

use crate::command::KeyCommand;
use crate::theme::Theme;

/// Everything the keys and the mouse do.
pub(crate) fn lines(view: &GameView, theme: Theme) -> Vec<Line<'static>> {
    let text = |key: &str, does: &str| {
        Line::from(vec![
            Span::styled(format!("{key:<12}"), theme.strong()),
            Span::raw(does.to_owned()),
        ])
    };
    let example = match view.kind {
        GameKind::Chess => "e4 Nf3 O-O e2e4",
        GameKind::Bishops => "a1b2",
    };
    let mut lines = vec![
        Line::styled("To move", theme.accent()),
        text("mouse", "click twice, or drag"),
        text("type", &format!("{example}, then Enter")),
        text("arrows", "choose, Enter picks and drops"),
        text("Esc", "cancel"),
        Line::default(),
        Line::styled("To ask", theme.accent()),
    ];
    for command in KeyCommand::ALL {
        lines.push(text(&key(command, view), command.text()));
    }
    lines.extend([
        text("+ -", "larger or smaller squares"),
        text("Left Right", "earlier or later positions"),
        text("PgUp PgDn", "five moves at a time; Home, End"),
        text("Ctrl-L", "draw everything anew"),
        Line::default(),
        Line::styled("On the board", theme.accent()),
    ]);
    let marks: &[(&str, &str)] = if theme.ascii {
        &[
            ("o", "may go there"),
            ("( )", "may take there"),
            ("- -", "the last move"),
            ("x", "could be taken"),
        ]
    } else {
        &[
            ("◇", "may go there"),
            ("( ) frame", "may take there"),
            ("· · corners", "the last move"),
            ("×", "could be taken"),
        ]
    };
    lines.extend(marks.iter().map(|(mark, means)| text(mark, means)));
    lines.extend([text("!", "in check"), text("*", "the hint")]);
    lines
}

/// The keys of a command: its letter, after Space if a move might begin with it.
pub(crate) fn key(command: KeyCommand, view: &GameView) -> String {
    if command.direct(view) {
        command.letter().to_string()
    } else {
        format!("Space {}", command.letter())
    }
}

/// The rows of the menu, where letters alone are enough.
pub(crate) fn menu(theme: Theme) -> Vec<Line<'static>> {
    let row = |command: &KeyCommand| {
        Line::from(vec![
            Span::styled(format!("{}  ", command.letter()), theme.strong()),
            Span::raw(command.text()),
        ])
    };
    KeyCommand::ALL.iter().map(row).collect()
}
