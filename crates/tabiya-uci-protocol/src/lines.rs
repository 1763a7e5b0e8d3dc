use std::io::{self, BufRead, ErrorKind};

use crate::words::shorten;

/// One line of input.
///
/// ```
/// use tabiya_uci_protocol::{InputLine, LineReader};
///
/// let mut lines = LineReader::with_limit("short\r\nmuch too long\n".as_bytes(), 8);
/// assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text("short".into())));
/// let too_long = InputLine::TooLong { beginning: "much too".into() };
/// assert_eq!(lines.next_line().unwrap(), Some(too_long));
/// assert_eq!(lines.next_line().unwrap(), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// A line without its end.
    Text(String),
    /// A line longer than the limit: what it says cannot be known.
    TooLong {
        /// Its first words (cut short).
        beginning: String,
    },
}

/// Reads lines from a stranger: never more in memory than a limit, however long the line.
///
/// Lines end with `\n` or `\r\n`, the last one perhaps with nothing; bytes that are not UTF-8 are
/// replaced.
///
/// ```
/// use tabiya_uci_protocol::{InputLine, LineReader};
///
/// let mut lines = LineReader::new(&b"caf\xe9\nquit"[..]);
/// assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text("caf\u{FFFD}".into())));
/// assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text("quit".into())));
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
}

impl<R: BufRead> LineReader<R> {
    /// The longest line unless another limit is given, in bytes: a game of a hundred thousand moves.
    pub const LIMIT: usize = 1 << 20;

    /// Reads lines of up to [`LineReader::LIMIT`] bytes.
    ///
    /// ```
    /// # use tabiya_uci_protocol::{InputLine, LineReader};
    /// let mut lines = LineReader::new("uci\n".as_bytes());
    /// assert_eq!(lines.next_line().unwrap(), Some(InputLine::Text("uci".into())));
    /// ```
    pub fn new(input: R) -> LineReader<R> {
        LineReader::with_limit(input, LineReader::<R>::LIMIT)
    }

    /// Reads lines of up to so many bytes.
    ///
    /// ```
    /// # use tabiya_uci_protocol::{InputLine, LineReader};
    /// let mut lines = LineReader::with_limit("isready\n".as_bytes(), 3);
    /// assert!(matches!(lines.next_line(), Ok(Some(InputLine::TooLong { .. }))));
    /// ```
    pub fn with_limit(input: R, limit: usize) -> LineReader<R> {
        LineReader { input, limit }
    }

    /// The next line; none at the end of the input.
    pub fn next_line(&mut self) -> io::Result<Option<InputLine>> {
        let mut kept = Vec::new();
        let mut is_too_long = false;
        let mut has_begun = false;
        loop {
            let part = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                part => part?,
            };
            if part.is_empty() && !has_begun {
                return Ok(None);
            }
            has_begun = true;
            let end = part.iter().position(|&byte| byte == b'\n');
            let text = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
            let room = self.limit - kept.len();
            is_too_long |= text.len() > room;
            kept.extend(text.iter().take(room));
            let is_last = part.is_empty() || end.is_some();
            let used = text.len() + usize::from(end.is_some());
            self.input.consume(used);
            if is_last {
                return Ok(Some(line(kept, is_too_long)));
            }
        }
    }
}

fn line(mut bytes: Vec<u8>, is_too_long: bool) -> InputLine {
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if is_too_long {
        InputLine::TooLong { beginning: shorten(&text) }
    } else {
        InputLine::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    /// All lines, read through a buffer of a few bytes.
    fn lines(input: impl Read, limit: usize) -> Vec<InputLine> {
        let mut reader = LineReader::with_limit(BufReader::with_capacity(7, input), limit);
        std::iter::from_fn(|| reader.next_line().unwrap()).collect()
    }

    #[test]
    fn ends_of_lines() {
        let input = "uci\nisready\r\n\n\r\na longer line\rgo\nquit";
        let expected = ["uci", "isready", "", "", "a longer line\rgo", "quit"];
        assert_eq!(lines(input.as_bytes(), 100), expected.map(text));
        assert_eq!(lines("quit\n".as_bytes(), 100), [text("quit")]);
    }

    #[test]
    fn lines_at_the_limit() {
        let input = "12345678\n123456789\n1\n";
        let too_long = InputLine::TooLong { beginning: "12345678".into() };
        assert_eq!(lines(input.as_bytes(), 8), [text("12345678"), too_long, text("1")]);
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let mut reader = LineReader::new(BufReader::new(io::repeat(b'x').take(100_000_000)));
        let Some(InputLine::TooLong { beginning }) = reader.next_line().unwrap() else { panic!() };
        assert!(beginning.starts_with("xxxx") && beginning.len() < 100);
        assert_eq!(reader.next_line().unwrap(), None);
    }

    #[test]
    fn strange_bytes() {
        let input = b"\xff\xfe go\n\0\0uci\0\n\xe2\x82\n";
        let expected = ["\u{FFFD}\u{FFFD} go", "\0\0uci\0", "\u{FFFD}"];
        assert_eq!(lines(&input[..], 100), expected.map(text));
    }

    #[test]
    fn interruptions_are_no_errors_but_errors_are() {
        struct Interrupted(Vec<io::Result<&'static str>>);
        impl Read for Interrupted {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let text = if self.0.is_empty() { Ok("") } else { self.0.remove(0) }?;
                buffer[..text.len()].copy_from_slice(text.as_bytes());
                Ok(text.len())
            }
        }
        let interruption = || Err(ErrorKind::Interrupted.into());
        let input = Interrupted(vec![interruption(), Ok("sto"), interruption(), Ok("p\n")]);
        assert_eq!(lines(input, 100), [text("stop")]);
        let broken = Interrupted(vec![Ok("sto"), Err(ErrorKind::ConnectionReset.into())]);
        assert!(LineReader::new(BufReader::new(broken)).next_line().is_err());
    }
}
