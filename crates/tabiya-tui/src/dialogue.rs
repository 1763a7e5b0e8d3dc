//! What keys and mouse do while something lies over the board.

use crate::app::{Action, App};
use crate::command::KeyCommand;
use crate::draw;
use crate::input::Intent;
use crate::overlay::Overlay;
use crate::typing::{Edit, Typing};

/// No name of a file is longer.
const LONGEST_NAME: usize = 200;

impl App {
    pub(crate) fn handle_over(&mut self, intent: Intent) -> Action {
        match intent {
            Intent::Cancel => self.overlay = None,
            Intent::KeyCommand(KeyCommand::Quit) => return Action::Quit,
            Intent::Type(letter) => return self.type_over(letter),
            Intent::Paste(pasted) => {
                if let Some(Overlay::File { text, .. }) = &mut self.overlay {
                    pasted.chars().for_each(|letter| text.insert(letter, LONGEST_NAME));
                }
            }
            Intent::Edit(edit) => self.edit_over(edit),
            Intent::Alt(letter) => {
                if let Some(edit) = Edit::by_word(letter) {
                    self.edit_over(edit);
                }
            }
            Intent::Move(right, 0) if matches!(self.overlay, Some(Overlay::File { .. })) => {
                self.edit_over(if right < 0 { Edit::Left } else { Edit::Right });
            }
            Intent::Move(right, down) => self.move_over(right, down),
            Intent::Page(by) => self.move_over(0, by.saturating_mul(5)),
            Intent::Wheel(_, _, by) => self.move_over(0, by),
            Intent::Accept => return self.take(),
            Intent::Press(x, y) => return self.press_over(x, y),
            _ => {}
        }
        Action::None
    }

    fn edit_over(&mut self, edit: Edit) {
        if let Some(Overlay::File { text, .. }) = &mut self.overlay {
            text.edit(edit);
        }
    }

    fn move_over(&mut self, right: i8, down: i8) {
        match &mut self.overlay {
            Some(Overlay::Help { at }) => *at = at.saturating_add_signed(isize::from(down)).min(40),
            Some(overlay @ Overlay::Promotion { .. }) => overlay.step(right.saturating_add(down)),
            Some(overlay) => {
                overlay.step(down);
                overlay.turn(right);
            }
            None => {}
        }
    }

    fn type_over(&mut self, letter: char) -> Action {
        match &mut self.overlay {
            Some(Overlay::File { text, .. }) => text.insert(letter, LONGEST_NAME),
            Some(Overlay::Confirm { at, .. }) => match letter {
                'y' | 'Y' => {
                    *at = 0;
                    return self.take();
                }
                'n' | 'N' => self.overlay = None,
                _ => {}
            },
            Some(Overlay::Promotion { choices, at, .. }) => {
                let wanted = letter.to_ascii_uppercase();
                if let Some(found) =
                    choices.iter().position(|&role| crate::pieces::letter(role) == wanted)
                {
                    *at = found;
                    return self.take();
                }
            }
            Some(Overlay::Menu { .. }) => {
                self.overlay = None;
                if let Some(command) = KeyCommand::of(letter) {
                    return self.command(command);
                }
            }
            Some(Overlay::Help { .. }) => {
                self.overlay = None;
                if letter == 'q' {
                    return Action::None;
                }
            }
            Some(overlay @ (Overlay::New { .. } | Overlay::Open { .. })) => match letter {
                'j' => overlay.step(1),
                'k' => overlay.step(-1),
                'l' | ' ' => overlay.turn(1),
                'h' => overlay.turn(-1),
                'q' => self.overlay = None,
                _ => {}
            },
            None => {}
        }
        Action::None
    }

    /// Takes what is chosen.
    fn take(&mut self) -> Action {
        match self.overlay.take() {
            Some(Overlay::Menu { at }) => match KeyCommand::ALL.get(at) {
                Some(&command) => self.command(command),
                None => Action::None,
            },
            Some(Overlay::Promotion { from, to, choices, at }) => {
                Action::Go { from, to, promotion: choices.get(at).copied() }
            }
            Some(Overlay::Confirm { action, at: 0, .. }) => action,
            Some(Overlay::Confirm { .. }) => Action::None,
            Some(Overlay::New { questions, at }) if at < questions.len() => {
                let mut overlay = Overlay::New { questions, at };
                overlay.turn(1);
                self.overlay = Some(overlay);
                Action::None
            }
            Some(Overlay::New { questions, .. }) => {
                Action::Begin(questions.iter().map(|question| question.chosen).collect())
            }
            Some(Overlay::Open { games, at }) => match games.into_iter().nth(at) {
                Some(game) => Action::Open(game.id),
                None => {
                    self.overlay = Some(Overlay::File { save: false, text: Typing::default() });
                    Action::None
                }
            },
            Some(Overlay::File { save, text }) => match (text.text().trim(), save) {
                ("", _) => Action::None,
                (name, true) => Action::Save(name.to_owned()),
                (name, false) => Action::Load(name.to_owned()),
            },
            Some(Overlay::Help { .. }) | None => Action::None,
        }
    }

    fn press_over(&mut self, x: u16, y: u16) -> Action {
        let Some(popup) = draw::popup(self) else { return Action::None };
        if !popup.covers(x, y) {
            self.overlay = None;
            return Action::None;
        }
        let line = popup.line_at(x, y);
        let Some(overlay) = &mut self.overlay else { return Action::None };
        let count = overlay.choices();
        let Some(line) = line.filter(|&line| line < count) else { return Action::None };
        if let Some(at) = overlay.at_mut() {
            *at = line;
        }
        self.take()
    }
}
