/// The start of a text from outside, for a message of one line: at most 40 characters, none that is not seen.
///
/// ```
/// use tabiya_base::excerpt;
///
/// assert_eq!(excerpt("e2e4\n"), "e2e4 ");
/// assert_eq!(excerpt(&"x".repeat(10_000)).chars().count(), 41);
/// ```
pub fn excerpt(text: &str) -> String {
    excerpt_of(text, 40)
}

/// The same with another length.
///
/// ```
/// assert_eq!(tabiya_base::excerpt_of("a\0 text", 4), "a\u{fffd} t…");
/// ```
pub fn excerpt_of(text: &str, longest: usize) -> String {
    let mut letters = text.chars().map(|letter| match letter {
        _ if !letter.is_control() => letter,
        _ if letter.is_whitespace() => ' ',
        _ => char::REPLACEMENT_CHARACTER,
    });
    let mut start: String = letters.by_ref().take(longest).collect();
    if letters.next().is_some() {
        start.push('…');
    }
    start
}
