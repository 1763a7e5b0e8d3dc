/// The start of a text from outside, for a message of one line: at most 40 characters, none that is not seen.
///
/// ```
/// use tabiya_base::excerpt;
///
/// assert_eq!(excerpt("e2e4\n"), "e2e4 ");
/// assert_eq!(excerpt(&"x".repeat(10_000)).chars().count(), 41);
/// ```
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut letters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut start: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() {
        start.push('…');
    }
    start
}
