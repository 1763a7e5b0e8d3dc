//! What the mouse does: click twice, or drag.

use ratatui::layout::Position;

use crate::app::{Action, App};
use crate::draw;
use crate::overlay::Overlay;

impl App {
    pub(crate) fn press(&mut self, x: u16, y: u16) -> Action {
        if let Some(command) = draw::footer_command(self, x, y) {
            return match command {
                Some(command) => self.command(command),
                None => {
                    self.overlay = Some(Overlay::Menu { at: 0 });
                    Action::None
                }
            };
        }
        let Some(place) = self.frame.grid.at(x, y) else { return Action::None };
        self.cursor = None;
        self.input.clear();
        let aimed = self.picked.is_some_and(|from| self.aims(from, place));
        if !aimed && !self.is_back() && self.owns(place) {
            let again = self.picked == Some(place);
            self.message = None;
            self.pick(place);
            self.drag = Some((place, again));
            return Action::None;
        }
        self.touch(place)
    }

    pub(crate) fn drag(&mut self, x: u16, y: u16) {
        // The square under the piece is shown as the cursor is.
        if let (Some((from, _)), Some(place)) = (self.drag, self.frame.grid.at(x, y)) {
            self.cursor = (place != from).then_some(place);
        }
    }

    pub(crate) fn release(&mut self, x: u16, y: u16) -> Action {
        let Some((from, again)) = self.drag.take() else { return Action::None };
        self.cursor = None;
        match self.frame.grid.at(x, y) {
            Some(place) if place == from => {
                // A second click on the same piece puts it down.
                if again {
                    self.picked = None;
                }
                Action::None
            }
            Some(place) => self.go(from, place),
            None => {
                self.picked = None;
                Action::None
            }
        }
    }

    pub(crate) fn wheel(&mut self, x: u16, y: u16, by: i8) -> Action {
        let over_board = self.frame.grid.area.contains(Position { x, y });
        if over_board && self.frame.grid.scrolls() {
            self.scroll.1 = self.scroll.1.saturating_add_signed(by);
            self.rearrange();
            return Action::None;
        }
        self.step(isize::from(by))
    }
}
