use thiserror::Error;

use crate::GameResult;

/// The seven tags that every record has, in their order.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

const LONGEST_NAME: usize = 200;
const LONGEST_VALUE: usize = 64 << 10;

/// Why a tag cannot be set.
///
/// ```
/// use tabiya_pgn::{Game, TagError};
///
/// let mut game = Game::new();
/// assert_eq!(game.set_tag("Two words", ""), Err(TagError::Name("Two words".to_owned())));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TagError {
    /// A name that is not made of letters, digits and underscores.
    #[error("{0:?} is not a name for a tag: it takes letters, digits and underscores")]
    Name(String),
    /// The start position cannot be changed under the moves.
    #[error("the tag {0} belongs to the start position of the game")]
    Start(&'static str),
    /// A result that is none of the four.
    #[error("{0:?} is not a result: write 1-0, 0-1, 1/2-1/2 or *")]
    Result(String),
}

/// Names and values: the seven of the roster first and in order, then others as they came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tags(Vec<(String, String)>);

impl Default for Tags {
    fn default() -> Tags {
        let unknown = |name: &str| match name {
            "Date" => "????.??.??",
            "Result" => GameResult::Unknown.notation(),
            _ => "?",
        };
        Tags(ROSTER.iter().map(|name| ((*name).to_owned(), unknown(name).to_owned())).collect())
    }
}

impl Tags {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Sets a tag, without what a record cannot hold: control characters are spaces, and nothing is
    /// endless.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(is_name) {
            return Err(TagError::Name(name.chars().take(40).collect()));
        }
        let value = value.get(..value.floor_char_boundary(LONGEST_VALUE)).unwrap_or_default();
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if !ROSTER.contains(&name) {
            self.0.retain(|(known, _)| known != name);
        }
    }
}
