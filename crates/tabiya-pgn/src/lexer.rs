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
    /// A tag begins.
    Tag(TagHead),
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

/// The beginning of a tag, from `[` to the first quotation mark. No name is longer than the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TagHead {
    name_start: u8,
    name_end: u8,
    value_start: u8,
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
            b'[' => match tag_head(rest) {
                Some(head) => return Ok(Token::Tag(head)),
                None => return Err(Stop::bad(window, Problem::Character('['))),
            },
            0xEF if rest.starts_with(BYTE_ORDER_MARK) => window.consume(BYTE_ORDER_MARK.len()),
            _ if is_in_word(first) => return Ok(Token::Word(word(window)?)),
            _ => {
                let problem = Problem::Character(character(rest));
                return Err(Stop::bad(window, problem));
            }
        }
    }
}

/// Bytes that are never more than a part of a word or number, or the space between, to whoever passes over moves.
#[allow(clippy::indexing_slicing)] // by the compiler, which would notice
static IS_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        table[byte] = (IN_WORD[byte] && !matches!(b, b'-' | b'/'))
            || matches!(b, b' ' | b'\n' | b'\r' | b'\t' | b'.' | b'!' | b'?');
        byte += 1;
    }
    table
};

/// How long the text is at the start of the rest that is only words, numbers and `!?`: nobody who passes over moves
/// need look at it. What lies close to the end of the window is left, as it may go on.
pub(crate) fn plain(rest: &[u8]) -> usize {
    let text = rest.len().checked_sub(AHEAD).and_then(|end| rest.get(..end)).unwrap_or_default();
    let mut at = 0;
    while let Some(found) = first_special(text.get(at..).unwrap_or_default()) {
        at += found;
        let (before, after) = text.split_at_checked(at).unwrap_or((text, &[]));
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let letters = before.get(..at - digits).unwrap_or_default();
        let in_word = letters.last().is_some_and(|&byte| is_in_word(byte));
        at += match after {
            // `O-O` and `e2-e4` are words, and `1-0` may be a result.
            [b'-' | b'/', ..] if in_word || digits == 0 => 1,
            [b'-' | b'/', ..] => return at - digits,
            // `a8(Q)` is one word.
            [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..]
                if in_word && matches!(before.last(), Some(b'1' | b'8')) =>
            {
                3
            }
            // A word that begins so may be `½-½`.
            [0x80..=0xff, ..] if in_word => 1,
            _ => return at,
        };
    }
    // The last word may go on.
    let last = text.iter().rev().take_while(|&&byte| is_in_word(byte)).count();
    text.len() - last
}

/// Where the first byte is that is not plain.
#[inline]
fn first_special(text: &[u8]) -> Option<usize> {
    let is_plain = |&byte: &u8| IS_PLAIN.get(usize::from(byte)).is_some_and(|&is| is);
    let mut eights = text.chunks_exact(8);
    // Eight at once cost one jump.
    let passed = eights.by_ref().take_while(|eight| eight.iter().all(is_plain)).count();
    let at = 8 * passed;
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().position(|byte| !is_plain(byte)).map(|found| at + found)
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
    tag_head(rest).is_some()
}

fn tag_head(rest: &[u8]) -> Option<TagHead> {
    let Some((b'[', after)) = rest.split_first() else { return None };
    let name_start = 1 + blanks(after);
    let name = rest.get(name_start..)?;
    let name_end = name_start + name.iter().take_while(|&&byte| is_name(byte)).count();
    // `[Name"value"]` can be understood too.
    let quote = name_end + blanks(rest.get(name_end..)?);
    let is_tag = name_end > name_start && quote < AHEAD - 1 && rest.get(quote) == Some(&b'"');
    is_tag.then_some(TagHead {
        name_start: name_start as u8,
        name_end: name_end as u8,
        value_start: quote as u8 + 1,
    })
}

/// The tag ahead: where its name is, where its value is, and its length.
pub(crate) fn tag<R: Read>(
    window: &mut Window<R>,
    head: TagHead,
) -> Result<(std::ops::Range<usize>, std::ops::Range<usize>, usize), Stop> {
    let TagHead { name_start, name_end, value_start } = head;
    let name = usize::from(name_start)..usize::from(name_end);
    let value_start = usize::from(value_start);
    let mut seen = value_start;
    loop {
        let rest = window.rest();
        let found = memchr3(b'"', b'\\', b'\n', rest.get(seen..).unwrap_or_default());
        let at = found.map_or(rest.len(), |found| seen + found);
        let after = at + 1 + blanks(rest.get(at + 1..).unwrap_or_default());
        match (rest.get(at), rest.get(at + 1), rest.get(after)) {
            (Some(b'"'), _, Some(b']')) => {
                return Ok((name, value_start..at, after + 1));
            }
            (Some(b'\n'), _, _) => {
                // `[Event "Tournament \"]`: somebody took the backslash for one, and closed the tag.
                let line = rest.get(value_start..at).unwrap_or_default().trim_ascii_end();
                return match line.strip_suffix(b"\"]") {
                    Some(value) => {
                        let end = value_start + value.len();
                        Ok((name, value_start..end, end + 2))
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

/// How many blanks there are, but no more than anybody would write.
#[inline]
fn blanks(text: &[u8]) -> usize {
    text.iter().take(AHEAD).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

#[inline]
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The first character, as UTF-8 or Latin-1.
fn character(rest: &[u8]) -> char {
    let start = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    start.or(rest.first().copied().map(latin_1)).unwrap_or('\0')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What somebody who passes over moves must not miss, and where it stands.
    fn marks(text: &str, jumps: bool) -> Vec<(u64, String)> {
        let mut window = Window::new(text.as_bytes());
        let mut found = Vec::new();
        loop {
            window.prepare().unwrap();
            if jumps {
                let plain = plain(window.rest());
                window.consume(plain);
            }
            let token = match next_token(&mut window) {
                Ok(token) => token,
                Err(Stop::Bad(place, problem)) => {
                    found.push((window.consumed(), format!("{place}: {problem}")));
                    return found;
                }
                Err(Stop::Io(error)) => panic!("{error}"),
            };
            let length = match token {
                Token::End => return found,
                Token::Word(length) => {
                    let is_ascii = window.rest().first().is_some_and(u8::is_ascii);
                    window.consume(length);
                    if is_ascii {
                        continue;
                    }
                    0
                }
                Token::Comment(length) | Token::LineComment(length) => length,
                Token::Open | Token::Close | Token::Tag(_) => 1,
                Token::Nag(_) | Token::Result(_) => 0,
            };
            window.consume(length);
            if !matches!(token, Token::Nag(nag) if nag.0 < 7) {
                found.push((window.consumed(), format!("{token:?}")));
            }
        }
    }

    proptest! {
        #[test]
        fn who_passes_over_moves_misses_nothing_else(
            parts in prop::collection::vec(prop::sample::select(vec![
                "1.", "12", "1", "e4", "O-O", "0-0", "0-0-0+", "Nf3", "a8(Q)", "a8(Q", "a8=Q#", "(", ")", "{x}", "{", ";y\n",
                "$10", "$", "!", "?!", "1-0", "0-1", "1/2-1/2", "1/2", "½-½", "½", "é", "♘f3", "*", "-", "--", "/", "2-0", "e2-e4",
                "[White \"x\"]\n", "[", "\n", "\n%z\n", "%", " ", " ", ".", "\t", "\"", "e.p.", "\u{feff}", "_", "~",
            ]), 0..40),
            space in 0..400_usize,
        ) {
            let text = parts.concat() + &" ".repeat(space) + &parts.join(" ") + &" ".repeat(AHEAD);
            prop_assert_eq!(marks(&text, true), marks(&text, false), "{}", text);
        }
    }

    #[test]
    fn most_of_a_game_is_passed_over_at_once() {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O! Nf6+ 5. e8(Q)=\n".repeat(20);
        let text = format!("{moves}1-0{}", " ".repeat(AHEAD));
        assert_eq!(plain(text.as_bytes()), moves.len());
    }
}
