//! The rows of the questions that lie over the board: promotion, a new game, kept games.

use ratatui::text::{Line, Span};
use tabiya_view::{PieceRole, Side};

use crate::host::{KeptGame, NewGameQuestion};
use crate::pieces;
use crate::theme::Theme;

/// What a pawn may become.
pub(crate) fn promotion(choices: &[PieceRole], side: Side, theme: Theme) -> Vec<Line<'static>> {
    let row = |&role: &PieceRole| {
        let glyph = pieces::glyph(role, side, theme.ascii, theme.outlines());
        let key = pieces::letter(role).to_ascii_lowercase();
        Line::from(vec![
            Span::raw(format!("{glyph}  ")),
            Span::raw(format!("{:<8}", pieces::name(role))),
            Span::styled(key.to_string(), theme.muted()),
        ])
    };
    choices.iter().map(row).collect()
}

/// What is to be decided before a new game, and the line that starts it.
pub(crate) fn questions(questions: &[NewGameQuestion], theme: Theme) -> Vec<Line<'static>> {
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
    let label = widest(&mut questions.iter().map(|question| question.label.chars().count()));
    let choices = questions.iter().flat_map(|question| &question.choices);
    let answer = widest(&mut choices.map(|choice| choice.chars().count()));
    let [left, right] = if theme.ascii { ["<", ">"] } else { ["◂", "▸"] };
    let row = |question: &NewGameQuestion| {
        let chosen = question.choices.get(question.chosen).map_or("", String::as_str);
        Line::from(vec![
            Span::raw(format!("{:<label$}  ", question.label)),
            Span::styled(format!("{left} "), theme.accent()),
            Span::styled(format!("{chosen:<answer$}"), theme.strong()),
            Span::styled(format!(" {right}"), theme.accent()),
        ])
    };
    let start = Line::styled("Start", theme.strong());
    questions.iter().map(row).chain([start]).collect()
}

/// Kept games, and the line that asks for a file.
pub(crate) fn games(games: &[KeptGame], theme: Theme) -> Vec<Line<'static>> {
    let file = Line::styled("From a file", theme.strong());
    games.iter().map(|game| Line::raw(game.text.clone())).chain([file]).collect()
}
