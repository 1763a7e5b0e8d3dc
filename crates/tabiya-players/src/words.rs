//! Words of a line, in which double quotes keep blanks together.

use std::fmt;

/// The words of a text. A quote that is not closed reaches to the end.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut in_word, mut in_quotes) = (String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '"' => (in_word, in_quotes) = (true, !in_quotes),
            blank if blank.is_whitespace() && !in_quotes => {
                if std::mem::take(&mut in_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            letter => {
                in_word = true;
                word.push(letter);
            }
        }
    }
    if in_word {
        words.push(word);
    }
    words
}

/// A word that [`split`] reads back.
pub(crate) fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    match word.is_empty() || word.chars().any(char::is_whitespace) {
        true => write!(f, "\"{word}\""),
        false => f.write_str(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_blanks_together() {
        assert_eq!(split("uci:a  --b name=\"A B\" \"\""), ["uci:a", "--b", "name=A B", ""]);
        assert_eq!(split("  \"open ended"), ["open ended"]);
        assert!(split(" \t ").is_empty());
    }
}
