//! A line that is typed, with the keys that shells have for it.

use ratatui::text::Span;

use crate::theme::Theme;

/// What a key does to the line that is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Takes away the letter before the caret: Backspace, Control-H.
    EraseBack,
    /// Takes away the letter after it: Delete, Control-D.
    EraseForward,
    /// Takes away the word before it: Control-W, Alt-Backspace.
    EraseWord,
    /// Takes away the word after it: Alt-D.
    EraseWordForward,
    /// Takes away everything before it: Control-U.
    EraseToStart,
    /// Takes away everything after it: Control-K.
    EraseToEnd,
    /// Puts back what was taken away last: Control-Y.
    Yank,
    /// One letter to the left: Control-B.
    Left,
    /// One letter to the right: Control-F.
    Right,
    /// One word to the left: Alt-B, Control-Left.
    WordLeft,
    /// One word to the right: Alt-F, Control-Right.
    WordRight,
    /// To the start: Home, Control-A.
    Start,
    /// To the end: End, Control-E.
    End,
}

impl Edit {
    /// What Alt with a letter does to a line.
    pub(crate) fn by_word(letter: char) -> Option<Edit> {
        Some(match letter {
            'b' => Edit::WordLeft,
            'f' => Edit::WordRight,
            'd' => Edit::EraseWordForward,
            _ => return None,
        })
    }
}

/// A line of text and where its caret is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Typing {
    letters: Vec<char>,
    caret: usize,
    /// The next letter that is typed takes the place of all of it.
    fresh: bool,
    killed: Vec<char>,
}

impl Typing {
    /// A proposal: typing replaces it, other keys go on from it.
    pub(crate) fn proposal(text: &str) -> Typing {
        let letters: Vec<char> = text.chars().collect();
        Typing { caret: letters.len(), letters, fresh: true, killed: Vec::new() }
    }

    pub(crate) fn text(&self) -> String {
        self.letters.iter().collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Whether the next letter begins anew.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// What was typed has been refused: the next letter begins anew.
    pub(crate) fn refuse(&mut self) {
        self.fresh = !self.is_empty();
    }

    pub(crate) fn clear(&mut self) {
        self.letters.clear();
        (self.caret, self.fresh) = (0, false);
    }

    /// Types a letter, unless there are so many already.
    pub(crate) fn insert(&mut self, letter: char, most: usize) {
        if std::mem::take(&mut self.fresh) {
            self.letters.clear();
            self.caret = 0;
        }
        if !letter.is_control() && self.letters.len() < most {
            self.letters.insert(self.caret, letter);
            self.caret += 1;
        }
    }

    pub(crate) fn edit(&mut self, edit: Edit) {
        self.fresh = false;
        let (caret, end) = (self.caret, self.letters.len());
        match edit {
            Edit::EraseBack => drop(self.cut(caret.saturating_sub(1), caret)),
            Edit::EraseForward => drop(self.cut(caret, (caret + 1).min(end))),
            Edit::EraseWord => self.killed = self.cut(self.word_left(), caret),
            Edit::EraseWordForward => self.killed = self.cut(caret, self.word_right()),
            Edit::EraseToStart => self.killed = self.cut(0, caret),
            Edit::EraseToEnd => self.killed = self.cut(caret, end),
            Edit::Yank => {
                self.letters.splice(caret..caret, self.killed.iter().copied());
                self.caret += self.killed.len();
            }
            Edit::Left => self.caret = caret.saturating_sub(1),
            Edit::Right => self.caret = (caret + 1).min(end),
            Edit::WordLeft => self.caret = self.word_left(),
            Edit::WordRight => self.caret = self.word_right(),
            Edit::Start => self.caret = 0,
            Edit::End => self.caret = end,
        }
    }

    fn cut(&mut self, from: usize, to: usize) -> Vec<char> {
        self.caret = from;
        self.letters.drain(from..to).collect()
    }

    fn word_left(&self) -> usize {
        let before = &self.letters[..self.caret];
        let end = before.iter().rposition(|letter| letter.is_alphanumeric()).map_or(0, |at| at + 1);
        before[..end].iter().rposition(|letter| !letter.is_alphanumeric()).map_or(0, |at| at + 1)
    }

    fn word_right(&self) -> usize {
        let after = &self.letters[self.caret..];
        let start = after.iter().position(|letter| letter.is_alphanumeric()).unwrap_or(after.len());
        let length = after[start..].iter().take_while(|letter| letter.is_alphanumeric()).count();
        self.caret + start + length
    }

    /// As it is drawn in so many cells: the caret is in sight, and what typing would replace is marked.
    pub(crate) fn spans(&self, room: usize, theme: Theme) -> Vec<Span<'static>> {
        let room = room.max(2);
        let first = (self.caret + 1).saturating_sub(room);
        let part = |from: usize, to: usize| -> String {
            let (from, to) = (from.max(first), to.min(first + room - 1));
            self.letters.get(from..to).unwrap_or_default().iter().collect()
        };
        let end = self.letters.len();
        let caret = if theme.ascii { "_" } else { "▏" };
        if self.fresh {
            let text = Span::styled(part(0, end), theme.chosen());
            return vec![text, Span::styled(caret, theme.accent())];
        }
        let before = Span::styled(part(0, self.caret), theme.strong());
        if self.caret == end {
            return vec![before, Span::styled(caret, theme.accent())];
        }
        let under = Span::styled(part(self.caret, self.caret + 1), theme.chosen());
        vec![before, under, Span::styled(part(self.caret + 1, end), theme.strong())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Typing {
        let mut line = Typing::default();
        text.chars().for_each(|letter| line.insert(letter, 40));
        line
    }

    #[test]
    fn the_keys_of_shells() {
        let mut line = typed("my games/carlsen.pgn");
        line.edit(Edit::EraseWord);
        assert_eq!(line.text(), "my games/carlsen.");
        line.edit(Edit::Yank);
        line.edit(Edit::WordLeft);
        line.edit(Edit::WordLeft);
        line.edit(Edit::EraseToStart);
        assert_eq!(line.text(), "carlsen.pgn");
        line.edit(Edit::WordRight);
        line.edit(Edit::EraseToEnd);
        assert_eq!(line.text(), "carlsen");
        line.edit(Edit::Start);
        line.insert('X', 40);
        line.edit(Edit::EraseForward);
        assert_eq!(line.text(), "Xarlsen");
        line.edit(Edit::Right);
        line.edit(Edit::EraseBack);
        assert_eq!(line.text(), "Xrlsen");
        line.edit(Edit::EraseWordForward);
        assert_eq!(line.text(), "X");
    }

    #[test]
    fn nothing_goes_beyond_the_ends() {
        let all = [
            Edit::EraseBack,
            Edit::EraseForward,
            Edit::EraseWord,
            Edit::EraseWordForward,
            Edit::EraseToStart,
            Edit::EraseToEnd,
            Edit::Yank,
            Edit::Left,
            Edit::Right,
            Edit::WordLeft,
            Edit::WordRight,
            Edit::Start,
            Edit::End,
        ];
        for first in all {
            for second in all {
                for text in ["", "é", " - ", "e2 -> e4"] {
                    let mut line = typed(text);
                    line.edit(first);
                    line.edit(second);
                    line.insert('x', 40);
                    assert!(line.text().contains('x') && line.caret <= line.len());
                }
            }
        }
    }

    #[test]
    fn typing_replaces_a_proposal_and_other_keys_keep_it() {
        let mut line = Typing::proposal("game.pgn");
        line.insert('a', 40);
        assert_eq!(line.text(), "a");
        let mut line = Typing::proposal("game.pgn");
        line.edit(Edit::EraseBack);
        line.insert('x', 40);
        assert_eq!(line.text(), "game.pgx");
    }
}
