//! Lines as words, and the small habits of reading and writing them.

use std::fmt;

use tabiya_base::excerpt_of;

/// Walks through the words of a line.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Words<'a> {
        Words { rest: line.trim() }
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// All that is left, as it was written.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// The words before one that is in a list, or to the end.
    pub(crate) fn until(&mut self, ends: &[&str]) -> Vec<String> {
        let mut taken = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends.contains(word)) {
            taken.push(word.to_owned());
            self.next();
        }
        taken
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.rest.split_once(char::is_whitespace).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }
}

/// A number that cannot be below zero: what is below counts as zero, what is too large as the
/// largest. None if it is not a number.
pub(crate) fn count(word: &str) -> Option<u64> {
    let (negative, digits) = sign(word)?;
    Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

/// As [`count`], for smaller numbers.
pub(crate) fn small_count(word: &str) -> Option<u32> {
    count(word).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// A number with a sign, the nearest one that fits.
pub(crate) fn integer(word: &str) -> Option<i64> {
    let (negative, digits) = sign(word)?;
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

fn sign(word: &str) -> Option<(bool, &str)> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((word.starts_with('-'), digits))
}

/// The beginning of a text, with single spaces and nothing unprintable, for a message of one line.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 60;
    let words: Vec<&str> = Words::new(text).take(SHOWN + 1).collect();
    excerpt_of(&words.join(" "), SHOWN)
}

/// A text that cannot end its line early: whoever reads it sees one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Writes ` name value` if there is a value.
pub(crate) fn write_field(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {name} {value}"),
        None => Ok(()),
    }
}

/// Writes ` name first second …` if there are words.
pub(crate) fn write_list(f: &mut fmt::Formatter<'_>, name: &str, words: &[String]) -> fmt::Result {
    if words.is_empty() { Ok(()) } else { write!(f, " {name} {}", words.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_any_space() {
        let mut words = Words::new("  go \t depth\u{a0}3   and the  rest ");
        assert_eq!(words.next(), Some("go"));
        assert_eq!(words.until(&["and"]), ["depth", "3"]);
        assert_eq!(words.next(), Some("and"));
        assert_eq!(words.rest(), "the  rest");
        assert_eq!(words.by_ref().count(), 2);
        assert_eq!((words.next(), words.rest()), (None, ""));
    }

    #[test]
    fn numbers_are_read_with_patience() {
        assert_eq!(count("12"), Some(12));
        assert_eq!(count("+12"), Some(12));
        assert_eq!(count("-12"), Some(0));
        assert_eq!(count("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(small_count("4294967296"), Some(u32::MAX));
        assert_eq!(integer("-7"), Some(-7));
        assert_eq!(integer("-99999999999999999999999"), Some(-i64::MAX));
        for word in ["", "-", "+", "--1", "1.5", "1e3", "0x10", "twelve", "１２"] {
            assert_eq!((count(word), integer(word)), (None, None), "{word}");
        }
    }

    #[test]
    fn shortening_twice_changes_nothing_more() {
        assert_eq!(shorten(" a \n b\0"), "a b\u{FFFD}");
        for text in ["ab ".repeat(50), "é".repeat(500), "x".repeat(60), "y".repeat(61)] {
            let once = shorten(&text);
            assert!(once.chars().count() <= 61);
            assert_eq!(shorten(&once), once);
        }
    }
}
