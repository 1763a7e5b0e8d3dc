//! The words of a search.

use tabiya_base::fold;

/// So many words of a search count.
const MOST_WORDS: usize = 8;

/// The words that are searched for, in any order.
pub(crate) fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|letter: char| letter.is_whitespace() || ",;".contains(letter));
    let mut words: Vec<String> =
        words.filter(|word| !word.is_empty()).take(MOST_WORDS).map(ToOwned::to_owned).collect();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_alone() {
        assert_eq!(words("Carlsen,Magnus  ANAND"), ["carlsen", "magnus", "anand"]);
        assert!(words(" ,; ").is_empty());
    }
}
