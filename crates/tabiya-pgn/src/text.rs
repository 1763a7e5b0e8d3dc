//! Bytes of a file as text.

use std::borrow::Cow;

/// What Windows has put where Latin-1 has 32 control characters that nobody uses.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// UTF-8, or Latin-1 (as Windows has it) where it is not: before 2000 hardly anybody wrote anything
/// else.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(latin_1).collect()),
    }
}

pub(crate) fn latin_1(byte: u8) -> char {
    let windows = byte.checked_sub(0x80).and_then(|byte| WINDOWS.get(usize::from(byte)));
    windows.copied().unwrap_or(char::from(byte))
}

/// The value of a tag: `\"` is a quotation mark, `\\` a backslash, any other backslash itself.
pub(crate) fn unescape(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let escaped = if c == '\\' { characters.next_if(|&c| c == '"' || c == '\\') } else { None };
        plain.push(escaped.unwrap_or(c));
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_is_read_where_utf_8_is_not() {
        assert_eq!(decode("Réti".as_bytes()), "Réti");
        assert_eq!(decode(b"R\xE9ti"), "Réti");
        assert_eq!(decode(b"\x8Aari\xE6 \x93\x94 \x7F\x80\x9F\xA0\xFF"), "Šariæ “” \x7F€Ÿ\u{A0}ÿ");
    }

    #[test]
    fn only_quotation_marks_and_backslashes_are_escaped() {
        for (escaped, plain) in
            [(r#"a\"b\\c"#, r#"a"b\c"#), (r"C:\games\", r"C:\games\"), (r"\\\", r"\\"), ("", "")]
        {
            assert_eq!(unescape(escaped.into()), plain);
        }
    }
}
