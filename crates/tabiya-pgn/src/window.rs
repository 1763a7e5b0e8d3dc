//! A window that moves over the source: what is behind is forgotten, what is ahead is there when it
//! is needed. All the memory that reading takes, whatever the length of the source, is here.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

use crate::Place;

/// So many bytes are in the window, or the source ends before: longer than any word of a game.
pub(crate) const AHEAD: usize = 256;
const FIRST_SIZE: usize = 128 << 10;

pub(crate) struct Window<R> {
    source: R,
    buffer: Vec<u8>,
    /// What has been read and not yet been consumed.
    start: usize,
    end: usize,
    ended: bool,
    /// How many bytes were forgotten before the buffer.
    forgotten: u64,
    /// The place of the byte `counted` of the buffer. Lines are counted once, when somebody asks or
    /// before they are forgotten.
    place: Place,
    counted: usize,
}

impl Window<io::Empty> {
    /// On text that is in memory already.
    pub(crate) fn on(text: Vec<u8>) -> Window<io::Empty> {
        let end = text.len();
        Window { buffer: text, end, ended: true, ..Window::sized(io::empty(), 0) }
    }

    /// The text, given back.
    pub(crate) fn into_text(self) -> Vec<u8> {
        self.buffer
    }
}

impl<R: Read> Window<R> {
    pub(crate) fn new(source: R) -> Window<R> {
        Window::sized(source, FIRST_SIZE)
    }

    fn sized(source: R, size: usize) -> Window<R> {
        Window {
            source,
            buffer: vec![0; size],
            start: 0,
            end: 0,
            ended: false,
            forgotten: 0,
            place: Place { line: 1, column: 1 },
            counted: 0,
        }
    }

    /// What lies ahead: at least [`AHEAD`] bytes after [`Window::prepare`], unless the source ends.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    #[inline]
    pub(crate) fn prepare(&mut self) -> io::Result<()> {
        if self.end - self.start < AHEAD && !self.ended { self.refill() } else { Ok(()) }
    }

    #[cold]
    fn refill(&mut self) -> io::Result<()> {
        while self.end - self.start < AHEAD && self.more()? {}
        Ok(())
    }

    /// Reads on beyond the rest; false if there is nothing more.
    pub(crate) fn more(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.forget();
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
        let free = self.buffer.get_mut(self.end..).unwrap_or_default();
        loop {
            match self.source.read(free) {
                Ok(count) => {
                    self.end += count;
                    self.ended = count == 0;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    return Err(error);
                }
            }
        }
    }

    /// Moves the rest to the front, but for the byte before it, which tells whether a line begins.
    fn forget(&mut self) {
        // As long as much is free, there is no hurry to move what may be long.
        if self.end < self.buffer.len() && self.start < self.buffer.len() / 2 {
            return;
        }
        let gone = self.start.saturating_sub(1);
        if gone == 0 {
            return;
        }
        self.count_to(self.start);
        self.buffer.copy_within(gone..self.end, 0);
        self.start -= gone;
        self.counted = self.start;
        self.end -= gone;
        self.forgotten += gone as u64;
    }

    /// How many bytes have been consumed since the beginning.
    #[inline]
    pub(crate) fn consumed(&self) -> u64 {
        self.forgotten + self.start as u64
    }

    /// The bytes from one place to another, if they are not forgotten.
    pub(crate) fn between(&self, from: u64, to: u64) -> Option<&[u8]> {
        let from = usize::try_from(from.checked_sub(self.forgotten)?).ok()?;
        let to = usize::try_from(to.checked_sub(self.forgotten)?).ok()?;
        self.buffer.get(from..to)
    }

    /// Whether the next byte is the first of its line.
    pub(crate) fn at_line_start(&self) -> bool {
        match self.start.checked_sub(1) {
            Some(before) => self.buffer.get(before) == Some(&b'\n'),
            None => true,
        }
    }

    /// The place of the next byte.
    pub(crate) fn place(&mut self) -> Place {
        self.count_to(self.start);
        self.place
    }

    fn count_to(&mut self, end: usize) {
        let mut passed = self.buffer.get(self.counted..end).unwrap_or_default();
        if let Some(last) = memrchr(b'\n', passed) {
            self.place.line += memchr_iter(b'\n', passed).count() as u64;
            self.place.column = 1;
            passed = passed.get(last + 1..).unwrap_or_default();
        }
        // Characters, not the bytes that continue them.
        let characters = passed.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.place.column += characters as u64;
        self.counted = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes one by one.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(1).min(buffer.len());
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn places_are_those_of_an_editor_however_the_bytes_come() {
        let text = "ab\nç♘d\r\n\nx\n".repeat(40_000);
        let mut expected = Place { line: 1, column: 1 };
        let mut whole = Window::new(text.as_bytes());
        let mut drops = Window::new(Drops(text.as_bytes()));
        for (at, c) in text.char_indices() {
            whole.prepare().unwrap();
            drops.prepare().unwrap();
            assert_eq!(whole.rest().first(), Some(&text.as_bytes()[at]));
            assert_eq!(drops.rest().first(), whole.rest().first());
            assert_eq!(whole.at_line_start(), expected.column == 1);
            // Asking often or seldom gives the same.
            if at % 7 == 0 {
                assert_eq!(whole.place(), expected);
            }
            if at % 1013 == 0 {
                assert_eq!(drops.place(), expected);
            }
            whole.consume(c.len_utf8());
            drops.consume(c.len_utf8());
            match c {
                '\n' => expected = Place { line: expected.line + 1, column: 1 },
                _ => expected.column += 1,
            }
        }
        assert_eq!((whole.place(), drops.place()), (expected, expected));
        assert_eq!(whole.consumed(), text.len() as u64);
        assert!(whole.buffer.len() == FIRST_SIZE && drops.buffer.len() == FIRST_SIZE);
    }

    #[test]
    fn it_grows_for_what_is_long_and_ends_once() {
        let text = vec![b'x'; 3 * FIRST_SIZE];
        let mut window = Window::new(&text[..]);
        while window.more().unwrap() {}
        assert_eq!(window.rest().len(), text.len());
        assert!(!window.more().unwrap());
        window.consume(usize::MAX >> 1);
        assert!(window.rest().is_empty());
    }
}
