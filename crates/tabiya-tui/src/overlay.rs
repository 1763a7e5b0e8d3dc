//! What may lie over the board for a moment: a menu, a question, a list.

use ratatui::layout::Rect;
use tabiya_view::{Coord, PieceRole};

use crate::app::Action;
use crate::command::KeyCommand;
use crate::host::{KeptGame, NewGameQuestion};
use crate::typing::Typing;

/// Something over the board that takes the keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Overlay {
    /// The commands.
    Menu { at: usize },
    /// What the keys do; how far it is scrolled.
    Help { at: usize },
    /// What a pawn becomes.
    Promotion { from: Coord, to: Coord, choices: Vec<PieceRole>, at: usize },
    /// Yes or no.
    Confirm { question: String, action: Action, at: usize },
    /// A new game.
    New { questions: Vec<NewGameQuestion>, at: usize },
    /// Kept games; the last line is for a file.
    Open { games: Vec<KeptGame>, at: usize },
    /// The name of a file, to write or to read.
    File { save: bool, text: Typing },
}

impl Overlay {
    /// How many lines can be chosen from.
    pub(crate) fn choices(&self) -> usize {
        match self {
            Overlay::Menu { .. } => KeyCommand::ALL.len(),
            Overlay::Promotion { choices, .. } => choices.len(),
            Overlay::New { questions, .. } => questions.len() + 1,
            Overlay::Open { games, .. } => games.len() + 1,
            Overlay::Confirm { .. } => 2,
            Overlay::Help { .. } | Overlay::File { .. } => 0,
        }
    }

    /// Which line is chosen.
    pub(crate) fn at_mut(&mut self) -> Option<&mut usize> {
        match self {
            Overlay::Menu { at }
            | Overlay::Help { at }
            | Overlay::Promotion { at, .. }
            | Overlay::Confirm { at, .. }
            | Overlay::New { at, .. }
            | Overlay::Open { at, .. } => Some(at),
            Overlay::File { .. } => None,
        }
    }

    /// Goes one line up or down, round the ends.
    pub(crate) fn step(&mut self, by: i8) {
        let count = self.choices();
        if let Some(at) = self.at_mut().filter(|_| count > 0) {
            *at = (*at as isize + isize::from(by)).rem_euclid(count as isize) as usize;
        }
    }

    /// Takes the next or the former answer to the question at hand.
    pub(crate) fn turn(&mut self, by: i8) {
        if let Overlay::New { questions, at } = self
            && let Some(question) = questions.get_mut(*at)
        {
            let count = question.choices.len().max(1) as isize;
            let next = (question.chosen as isize + isize::from(by)).rem_euclid(count);
            question.chosen = next as usize;
        }
    }
}

/// A box in the middle of the window: where it is, where its text is, and which part of a long list it shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Popup {
    pub(crate) outer: Rect,
    pub(crate) inner: Rect,
    /// The first line of the list that is shown.
    pub(crate) first: usize,
}

impl Popup {
    /// A box for so many lines of that width, with line `at` in sight.
    pub(crate) fn new(window: Rect, width: usize, lines: usize, at: usize) -> Popup {
        let width = (width + 4).min(usize::from(window.width)) as u16;
        let height = (lines + 2).min(usize::from(window.height)) as u16;
        let outer = Rect {
            x: window.x + (window.width - width) / 2,
            y: window.y + (window.height - height) / 2,
            width,
            height,
        };
        let inner = Rect {
            x: outer.x + 2,
            y: outer.y + 1,
            width: width.saturating_sub(4),
            height: height.saturating_sub(2),
        }
        .intersection(outer);
        let shown = usize::from(inner.height);
        let first = (at + 1).saturating_sub(shown).min(lines.saturating_sub(shown));
        Popup { outer, inner, first }
    }

    /// The line of the list under a cell.
    pub(crate) fn line_at(&self, x: u16, y: u16) -> Option<usize> {
        let inside = x > self.outer.x
            && x + 1 < self.outer.right()
            && y >= self.inner.y
            && y < self.inner.bottom();
        inside.then(|| self.first + usize::from(y - self.inner.y))
    }

    pub(crate) fn covers(&self, x: u16, y: u16) -> bool {
        self.outer.contains(ratatui::layout::Position { x, y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_longer_than_the_window_follows_the_choice() {
        let window = Rect::new(0, 0, 40, 12);
        let popup = Popup::new(window, 20, 30, 0);
        assert_eq!((popup.first, popup.inner.height), (0, 10));
        assert_eq!(Popup::new(window, 20, 30, 29).first, 20);
        let popup = Popup::new(window, 20, 30, 15);
        let line = popup.line_at(popup.inner.x, popup.inner.y + 2);
        assert_eq!(line, Some(popup.first + 2));
        assert_eq!(popup.line_at(popup.outer.x, popup.inner.y), None);
    }

    #[test]
    fn a_box_is_never_larger_than_the_window() {
        for (width, height) in [(0, 0), (1, 1), (3, 2), (10, 4)] {
            let window = Rect::new(0, 0, width, height);
            let popup = Popup::new(window, 60, 60, 59);
            assert_eq!(popup.outer.intersection(window), popup.outer);
            assert_eq!(popup.inner.intersection(window), popup.inner);
        }
    }
}
