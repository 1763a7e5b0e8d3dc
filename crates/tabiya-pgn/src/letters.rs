use std::str::FromStr;

use thiserror::Error;

/// The letters of king, queen, rook, bishop and knight in a language.
///
/// ```
/// use tabiya_pgn::PieceLetters;
///
/// let german: PieceLetters = "de".parse()?;
/// assert_eq!(german, "KDTLS".parse()?);
/// assert_eq!(german.to_english("Sxf7+"), "Nxf7+");
/// assert_eq!(german.from_english("a8=Q#"), "a8=D#");
/// # Ok::<(), tabiya_pgn::ParseLettersError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PieceLetters([char; 5]);

const ENGLISH: [char; 5] = ['K', 'Q', 'R', 'B', 'N'];

/// By the code of the language.
const LANGUAGES: [(&str, &str); 18] = [
    ("cs", "KDVSJ"),
    ("da", "KDTLS"),
    ("de", "KDTLS"),
    ("en", "KQRBN"),
    ("es", "RDTAC"),
    ("et", "KLVOR"),
    ("fi", "KDTLR"),
    ("fr", "RDTFC"),
    ("hu", "KVBFH"),
    ("is", "KDHBR"),
    ("it", "RDTAC"),
    ("nl", "KDTLP"),
    ("no", "KDTLS"),
    ("pl", "KHWGS"),
    ("pt", "RDTBC"),
    ("ro", "RDTNC"),
    ("sv", "KDTLS"),
    ("figurines", "♔♕♖♗♘"),
];

/// Why a text does not name the letters of five pieces.
///
/// ```
/// # use tabiya_pgn::PieceLetters;
/// assert!("KDT".parse::<PieceLetters>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{0:?} names no letters: write a language like de, or king, queen, rook, bishop and knight like KDTLS"
)]
pub struct ParseLettersError(String);

impl FromStr for PieceLetters {
    type Err = ParseLettersError;

    fn from_str(text: &str) -> Result<PieceLetters, ParseLettersError> {
        let known = LANGUAGES.iter().find(|(code, _)| *code == text);
        let mut letters: Vec<char> = known.map_or(text, |(_, letters)| letters).chars().collect();
        let found = <[char; 5]>::try_from(letters.as_slice());
        letters.sort_unstable();
        letters.dedup();
        let is_letter = |c: &char| (c.is_alphabetic() && !c.is_lowercase()) || *c >= '♔';
        match found {
            Ok(found) if letters.len() == 5 && letters.iter().all(is_letter) => {
                Ok(PieceLetters(found))
            }
            _ => Err(ParseLettersError(tabiya_base::excerpt(text))),
        }
    }
}

impl PieceLetters {
    /// A move of this language with English letters.
    ///
    /// ```
    /// # use tabiya_pgn::PieceLetters;
    /// let french: PieceLetters = "fr".parse()?;
    /// assert_eq!(french.to_english("Rd1"), "Kd1");
    /// # Ok::<(), tabiya_pgn::ParseLettersError>(())
    /// ```
    pub fn to_english(&self, text: &str) -> String {
        exchange(text, &self.0, &ENGLISH)
    }

    /// A move with English letters in this language.
    ///
    /// ```
    /// # use tabiya_pgn::PieceLetters;
    /// let french: PieceLetters = "fr".parse()?;
    /// assert_eq!(french.from_english("O-O Nf3"), "O-O Cf3");
    /// # Ok::<(), tabiya_pgn::ParseLettersError>(())
    /// ```
    pub fn from_english(&self, text: &str) -> String {
        exchange(text, &ENGLISH, &self.0)
    }
}

fn exchange(text: &str, from: &[char; 5], to: &[char; 5]) -> String {
    let other = |c: char| {
        let place = from.iter().position(|&known| known == c);
        place.and_then(|place| to.get(place)).copied().unwrap_or(c)
    };
    text.chars().map(other).collect()
}
