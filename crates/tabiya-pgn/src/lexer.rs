//! From bytes to the words of a game. Knows brackets, comments and results, but no chess.

use std::io::Read;

use memchr::{memchr, memchr2_iter, memchr3};

use crate::reader::{MAX_TOKEN, Stop};
use crate::text::latin_1;
use crate::window::{AHEAD, Window};
use crate::{GameResult, Nag, Problem};

/// What comes next in the text. Numbers are lengths: the token itself is the beginning of the rest of
/// the window, where it stays until it is consumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// The text is over.
    End,
    /// The `[` of a tag.
    Tag,
    /// A `{comment}`, with its braces.
    Comment(usize),
    /// A comment from `;` to the end of the line.
    LineComment(usize),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$5` or `!?`. Consumed already.
    Nag(Nag),
    /// `1-0`. Consumed already.
    Result(GameResult),
    /// A move, or something that is written like one.
    Word(usize),
}

/// Bytes that belong to a word: letters, digits, figurines, and the signs in moves and symbols.
#[allow(clippy::indexing_slicing)] // by the compiler, which would notice
static IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric()
            || matches!(b, b'+' | b'-' | b'=' | b'#' | b'/' | b':' | b'@' | b'_' | b'~')
            || b >= 0x80;
        byte += 1;
    }
    table
};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The next token. Space, move numbers, dots and escaped lines are passed over.
#[inline]
pub(crate) fn next_token<R: Read>(window: &mut Window<R>) -> Result<Token, Stop> {
    loop {
        window.prepare()?;
        let rest = window.rest();
        let Some(&first) = rest.first() else { return Ok(Token::End) };
        match first {
            b' ' | b'\n' | b'\r' | b'\t' | b'.' | 0x0B | 0x0C => window.consume(1),
            b'a'..=b'z' | b'A'..=b'Z' => return Ok(Token::Word(word(window)?)),
            b'0'..=b'9' => {
                if let Some(token) = number(window)? {
                    return Ok(token);
                }
            }
            b'{' => return Ok(Token::Comment(comment(window)?)),
            b';' => return Ok(Token::LineComment(line(window)?)),
            b'%' if window.at_line_start() => {
                let length = line(window)?;
                window.consume(length);
            }
            b'(' => return Ok(Token::Open),
            b')' => return Ok(Token::Close),
            b'$' => return nag(window),
            b'!' | b'?' => return marks(window),
            b'*' => {
                window.consume(1);
                return Ok(Token::Result(GameResult::Unknown));
            }
            b'[' if is_tag(rest) => return Ok(Token::Tag),
            0xEF if rest.starts_with(BYTE_ORDER_MARK) => window.consume(BYTE_ORDER_MARK.len()),
            _ if is_in_word(first) => return Ok(Token::Word(word(window)?)),
            _ => {
                let problem = Problem::Character(character(rest));
                return Err(Stop::bad(window, problem));
            }
        }
    }
}

/// How long the text is at the start of the rest that is only words and numbers: nobody who passes over moves need
/// look at it. What lies close to the end of the window is left, as it may go on.
pub(crate) fn plain(rest: &[u8]) -> usize {
    #[derive(PartialEq)]
    enum Inside {
        Nothing,
        Word,
        Number,
    }
    let text = rest.len().checked_sub(AHEAD).and_then(|end| rest.get(..end)).unwrap_or_default();
    let mut inside = Inside::Nothing;
    // Where the word or number begins.
    let mut start = 0;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' | b'.' => inside = Inside::Nothing,
            b'a'..=b'z' | b'A'..=b'Z' => {
                if inside != Inside::Word {
                    (inside, start) = (Inside::Word, at);
                }
            }
            b'0'..=b'9' => {
                if inside == Inside::Nothing {
                    (inside, start) = (Inside::Number, at);
                }
            }
            _ => match inside {
                Inside::Nothing => return at,
                Inside::Word if is_in_word(byte) => {}
                // `a8(Q)` is one word, and `1-0` is a result.
                Inside::Word if byte != b'(' => return at,
                Inside::Word | Inside::Number => return start,
            },
        }
    }
    if inside == Inside::Nothing { text.len() } else { start }
}

#[inline]
fn is_in_word(byte: u8) -> bool {
    IN_WORD.get(usize::from(byte)).is_some_and(|&is| is)
}

/// The length of the word ahead.
#[inline]
fn word<R: Read>(window: &mut Window<R>) -> Result<usize, Stop> {
    let rest = window.rest();
    let mut length = rest.iter().take_while(|&&byte| is_in_word(byte)).count();
    if length >= AHEAD {
        return Err(Stop::bad(window, Problem::LongToken));
    }
    // `a8(Q)` is one word.
    if let Some([b'1' | b'8', b'(', b'Q' | b'R' | b'B' | b'N', b')', ..]) =
        rest.get(length.saturating_sub(1)..)
    {
        length += 3;
    }
    Ok(length)
}

/// A result, castling with zeros, or a move number, which is passed over.
fn number<R: Read>(window: &mut Window<R>) -> Result<Option<Token>, Stop> {
    let rest = window.rest();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !matches!(rest.get(digits), Some(b'-' | b'/')) {
        window.consume(digits);
        return Ok(None);
    }
    let length = word(window)?;
    let text = window.rest().get(..length).unwrap_or_default();
    let result = std::str::from_utf8(text).ok().and_then(GameResult::from_text);
    Ok(Some(match result {
        Some(result) => {
            window.consume(length);
            Token::Result(result)
        }
        None => Token::Word(length),
    }))
}

/// The length of the comment ahead, braces included.
fn comment<R: Read>(window: &mut Window<R>) -> Result<usize, Stop> {
    const NEXT_GAME: &[u8] = b"[Event \"";
    let mut seen = 1;
    loop {
        let rest = window.rest();
        let ahead = rest.get(seen..).unwrap_or_default();
        let mut doubtful = None;
        for at in memchr2_iter(b'}', b'[', ahead).map(|at| seen + at) {
            if rest.get(at) == Some(&b'}') {
                return match at < MAX_TOKEN {
                    true => Ok(at + 1),
                    false => Err(Stop::bad(window, Problem::LongToken)),
                };
            }
            // Somebody forgot the brace, and this is the next game.
            if rest.get(at - 1) == Some(&b'\n') {
                let tag = rest.get(at..).unwrap_or_default();
                if tag.starts_with(NEXT_GAME) {
                    return Err(Stop::bad(window, Problem::UnclosedComment));
                }
                if NEXT_GAME.starts_with(tag) {
                    doubtful = Some(at);
                    break;
                }
            }
        }
        seen = doubtful.unwrap_or(rest.len());
        if seen > MAX_TOKEN {
            return Err(Stop::bad(window, Problem::LongToken));
        }
        if !window.more()? {
            return Err(Stop::bad(window, Problem::UnclosedComment));
        }
    }
}

/// The length of the line ahead, without its end.
pub(crate) fn line<R: Read>(window: &mut Window<R>) -> Result<usize, Stop> {
    let mut seen = 0;
    loop {
        let rest = window.rest();
        if let Some(at) = memchr(b'\n', rest.get(seen..).unwrap_or_default()) {
            return match seen + at <= MAX_TOKEN {
                true => Ok(seen + at),
                false => Err(Stop::bad(window, Problem::LongToken)),
            };
        }
        seen = rest.len();
        if seen > MAX_TOKEN {
            return Err(Stop::bad(window, Problem::LongToken));
        }
        if !window.more()? {
            return Ok(seen);
        }
    }
}

fn nag<R: Read>(window: &mut Window<R>) -> Result<Token, Stop> {
    let after = window.rest().get(1..).unwrap_or_default();
    let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = after.get(..digits).and_then(|text| std::str::from_utf8(text).ok());
    match number.and_then(|number| number.parse().ok()) {
        Some(number) => {
            window.consume(1 + digits);
            Ok(Token::Nag(Nag(number)))
        }
        None => Err(Stop::bad(window, Problem::Nag)),
    }
}

/// `!`, `?` and their pairs. More of them mean no more.
fn marks<R: Read>(window: &mut Window<R>) -> Result<Token, Stop> {
    let rest = window.rest();
    let count = rest.iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
    let nag = match rest.get(..count.min(2)) {
        Some(b"!") => Nag::GOOD,
        Some(b"?") => Nag::MISTAKE,
        Some(b"!!") => Nag::BRILLIANT,
        Some(b"??") => Nag::BLUNDER,
        Some(b"!?") => Nag::INTERESTING,
        _ => Nag::DUBIOUS,
    };
    window.consume(count);
    Ok(Token::Nag(nag))
}

/// Whether `[Name "` is ahead.
pub(crate) fn is_tag(rest: &[u8]) -> bool {
    let Some((b'[', rest)) = rest.split_first() else { return false };
    let (blank, rest) = split_while(rest, is_blank);
    let (name, rest) = split_while(rest, is_name);
    let (space, rest) = split_while(rest, is_blank);
    // `[Name"value"]` can be understood too.
    let short = blank.len() + name.len() + space.len() < AHEAD - 2;
    short && !name.is_empty() && rest.first() == Some(&b'"')
}

/// The tag ahead: where its name is, where its value is, and its length.
pub(crate) fn tag<R: Read>(
    window: &mut Window<R>,
) -> Result<(std::ops::Range<usize>, std::ops::Range<usize>, usize), Stop> {
    let rest = window.rest();
    let name_start = 1 + blanks(rest, 1);
    let name_end =
        name_start + rest.iter().skip(name_start).take_while(|&&byte| is_name(byte)).count();
    let value_start = name_end + blanks(rest, name_end) + 1;
    let mut seen = value_start;
    loop {
        let rest = window.rest();
        let found = memchr3(b'"', b'\\', b'\n', rest.get(seen..).unwrap_or_default());
        let at = found.map_or(rest.len(), |found| seen + found);
        let after = at + 1 + blanks(rest, at + 1);
        match (rest.get(at), rest.get(at + 1), rest.get(after)) {
            (Some(b'"'), _, Some(b']')) => {
                return Ok((name_start..name_end, value_start..at, after + 1));
            }
            (Some(b'\n'), _, _) => {
                // `[Event "Tournament \"]`: somebody took the backslash for one, and closed the tag.
                let line = rest.get(value_start..at).unwrap_or_default().trim_ascii_end();
                return match line.strip_suffix(b"\"]") {
                    Some(value) => {
                        let end = value_start + value.len();
                        Ok((name_start..name_end, value_start..end, end + 2))
                    }
                    None => Err(Stop::bad(window, Problem::Tag)),
                };
            }
            // The next character is the value's, whatever it is, unless it ends the line.
            (Some(b'\\'), Some(&next), _) => seen = at + if next == b'\n' { 1 } else { 2 },
            // A quotation mark inside the value that nobody escaped.
            (Some(b'"'), _, Some(_)) => seen = at + 1,
            // How it goes on is not known yet.
            _ => {
                seen = at;
                if !window.more()? {
                    return Err(Stop::bad(window, Problem::Tag));
                }
            }
        }
        if seen > MAX_TOKEN {
            return Err(Stop::bad(window, Problem::LongToken));
        }
    }
}

/// How many blanks there are from a place on, but no more than anybody would write.
fn blanks(rest: &[u8], from: usize) -> usize {
    rest.iter().skip(from).take(AHEAD).take_while(|&&byte| is_blank(byte)).count()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn split_while(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let length = bytes.iter().take_while(|&&byte| belongs(byte)).count();
    bytes.split_at_checked(length).unwrap_or((bytes, &[]))
}

/// The first character, as UTF-8 or Latin-1.
fn character(rest: &[u8]) -> char {
    let start = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    start.or(rest.first().copied().map(latin_1)).unwrap_or('\0')
}
