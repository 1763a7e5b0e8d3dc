//! Keys and mouse, as what they mean: the rest of the crate never sees an escape sequence.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use crate::command::KeyCommand;
use crate::typing::Edit;

/// What a person did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Intent {
    /// A character was typed.
    Type(char),
    /// Text was pasted.
    Paste(String),
    /// A command was given with its own key, whatever is being typed.
    KeyCommand(KeyCommand),
    /// A letter with Alt: a command, or a step by a word in what is being typed.
    Alt(char),
    /// To the right and down, by arrow keys.
    Move(i8, i8),
    /// Enter.
    Accept,
    /// Escape.
    Cancel,
    /// A key for the line that is typed.
    Edit(Edit),
    /// Some moves back or forward.
    Page(i8),
    /// The mouse button went down on a cell.
    Press(u16, u16),
    /// The mouse moved with the button held.
    Drag(u16, u16),
    /// The mouse button went up.
    Release(u16, u16),
    /// The wheel turned over a cell: up (-1) or down (1).
    Wheel(u16, u16, i8),
    /// The window has another size.
    Resize(u16, u16),
    /// Stop for a while, back to the shell.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Leave at once.
    Interrupt,
}

/// What an event of the terminal means; nothing if it means nothing here.
///
/// ```
/// use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
/// use tabiya_tui::{Intent, intent};
///
/// let key = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
/// assert_eq!(intent(&Event::Key(key)), Some(Intent::Accept));
/// ```
pub fn intent(event: &Event) -> Option<Intent> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(*key),
        Event::Mouse(mouse) => of_mouse(*mouse),
        Event::Paste(text) => Some(Intent::Paste(text.clone())),
        Event::Resize(width, height) => Some(Intent::Resize(*width, *height)),
        _ => None,
    }
}

fn of_key(key: KeyEvent) -> Option<Intent> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    Some(match key.code {
        KeyCode::Char(letter) if control && !alt => return of_control(letter),
        KeyCode::Char(letter) if alt && !control => Intent::Alt(letter),
        KeyCode::Char(letter) => Intent::Type(letter),
        KeyCode::Enter => Intent::Accept,
        KeyCode::Esc => Intent::Cancel,
        KeyCode::Backspace if alt || control => Intent::Edit(Edit::EraseWord),
        KeyCode::Backspace => Intent::Edit(Edit::EraseBack),
        KeyCode::Delete => Intent::Edit(Edit::EraseForward),
        KeyCode::Home => Intent::Edit(Edit::Start),
        KeyCode::End => Intent::Edit(Edit::End),
        KeyCode::Left if control || alt => Intent::Edit(Edit::WordLeft),
        KeyCode::Right if control || alt => Intent::Edit(Edit::WordRight),
        KeyCode::Left => Intent::Move(-1, 0),
        KeyCode::Right => Intent::Move(1, 0),
        KeyCode::Up => Intent::Move(0, -1),
        KeyCode::Down => Intent::Move(0, 1),
        KeyCode::PageUp => Intent::Page(-1),
        KeyCode::PageDown => Intent::Page(1),
        KeyCode::F(1) => Intent::KeyCommand(KeyCommand::Help),
        _ => return None,
    })
}

/// Control with a letter is what shells make of it. (Terminals say Control-H for Backspace, -J and -M for Enter.)
fn of_control(letter: char) -> Option<Intent> {
    Some(match letter.to_ascii_lowercase() {
        'c' => Intent::Interrupt,
        'z' => Intent::Suspend,
        'l' => Intent::Redraw,
        'g' => Intent::Cancel,
        'j' | 'm' => Intent::Accept,
        'p' => Intent::Move(0, -1),
        'n' => Intent::Move(0, 1),
        'a' => Intent::Edit(Edit::Start),
        'b' => Intent::Edit(Edit::Left),
        'd' => Intent::Edit(Edit::EraseForward),
        'e' => Intent::Edit(Edit::End),
        'f' => Intent::Edit(Edit::Right),
        'h' => Intent::Edit(Edit::EraseBack),
        'k' => Intent::Edit(Edit::EraseToEnd),
        'u' => Intent::Edit(Edit::EraseToStart),
        'w' => Intent::Edit(Edit::EraseWord),
        'y' => Intent::Edit(Edit::Yank),
        _ => return None,
    })
}

fn of_mouse(mouse: MouseEvent) -> Option<Intent> {
    let (x, y) = (mouse.column, mouse.row);
    Some(match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Intent::Press(x, y),
        MouseEventKind::Drag(MouseButton::Left) => Intent::Drag(x, y),
        MouseEventKind::Up(MouseButton::Left) => Intent::Release(x, y),
        MouseEventKind::Down(MouseButton::Right) => Intent::Cancel,
        MouseEventKind::ScrollUp => Intent::Wheel(x, y, -1),
        MouseEventKind::ScrollDown => Intent::Wheel(x, y, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Intent> {
        intent(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn plain_letters_are_typed_and_others_are_commands() {
        assert_eq!(key(KeyCode::Char('h'), KeyModifiers::NONE), Some(Intent::Type('h')));
        assert_eq!(key(KeyCode::Char('R'), KeyModifiers::SHIFT), Some(Intent::Type('R')));
        assert_eq!(key(KeyCode::Char('h'), KeyModifiers::ALT), Some(Intent::Alt('h')));
        let help = Some(Intent::KeyCommand(KeyCommand::Help));
        assert_eq!(key(KeyCode::F(1), KeyModifiers::NONE), help);
    }

    #[test]
    fn control_keys_do_what_they_do_in_a_shell_and_never_command() {
        let control = |letter| key(KeyCode::Char(letter), KeyModifiers::CONTROL);
        for letter in ('a'..='z').chain(['?', 'U', 'R']) {
            assert!(!matches!(control(letter), Some(Intent::KeyCommand(_) | Intent::Alt(_))));
        }
        assert_eq!(control('h'), Some(Intent::Edit(Edit::EraseBack)));
        assert_eq!(control('u'), Some(Intent::Edit(Edit::EraseToStart)));
        assert_eq!(control('d'), Some(Intent::Edit(Edit::EraseForward)));
        assert_eq!(control('c'), Some(Intent::Interrupt));
        assert_eq!(control('l'), Some(Intent::Redraw));
        assert_eq!(control('z'), Some(Intent::Suspend));
        assert_eq!(control('m'), Some(Intent::Accept));
        assert_eq!(control('x'), None);
    }
}
