//! Text that does not fit: broken into lines, or cut with a sign that it is.

use ratatui::text::Span;

/// How many cells a text takes.
pub(crate) fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// Breaks a text into lines of so many cells, between words where there are any.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word = word.to_owned();
        loop {
            let Some(line) = lines.last_mut() else { return lines };
            let gap = usize::from(!line.is_empty());
            if width(line) + gap + width(&word) <= room {
                *line += &" ".repeat(gap);
                *line += &word;
                break;
            }
            if line.is_empty() {
                // Longer than a line: the names of files are.
                let split = word.char_indices().nth(room).map_or(word.len(), |(at, _)| at);
                let rest = word.split_off(split);
                *line = std::mem::replace(&mut word, rest);
                if word.is_empty() {
                    break;
                }
            }
            lines.push(String::new());
        }
    }
    lines
}

/// The beginning of a text, with a sign that there is more.
pub(crate) fn cut(text: &str, room: usize, ascii: bool) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let more = if ascii { ".." } else { "…" };
    let mut short = text.to_owned();
    while width(&short) + width(more) > room && short.pop().is_some() {}
    short.trim_end().to_owned() + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "That knight is pinned by the bishop on b5.";
        assert_eq!(wrap(text, 20), ["That knight is", "pinned by the bishop", "on b5."]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        for room in 0..50 {
            let lines = wrap(text, room);
            assert!(lines.iter().all(|line| width(line) <= room.max(1)), "{lines:?}");
            let letters = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(text));
        }
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("Nf3 Nc6", 7, false), "Nf3 Nc6");
        assert_eq!(cut("Nf3 Nc6 Bb5", 7, false), "Nf3 Nc…");
        assert_eq!(cut("Nf3 Nc6 Bb5", 6, true), "Nf3..");
    }
}
