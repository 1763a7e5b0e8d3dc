use tabiya_base::excerpt;
use thiserror::Error;

use crate::GameResult;

/// The seven tags that every record has, in their order.
pub const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// So many tags a game has at most, beside the seven of the [`ROSTER`] and those of the start position (`SetUp`, `FEN`,
/// `Variant`). Files of people and programs have about thirty.
///
/// ```
/// use tabiya_pgn::{Game, MAX_TAGS, TagError};
///
/// let mut game = Game::new();
/// for number in 0..MAX_TAGS {
///     game.set_tag(&format!("Note{number}"), "")?;
/// }
/// assert_eq!(game.set_tag("OneMore", ""), Err(TagError::Many));
/// assert_eq!(game.to_string().parse::<Game>().unwrap(), game);
/// # Ok::<(), TagError>(())
/// ```
pub const MAX_TAGS: usize = 256;

/// The longest value of a tag that is kept, in bytes: 16 KiB. What is longer is cut.
///
/// ```
/// use tabiya_pgn::{Game, MAX_TAG_VALUE};
///
/// let mut game = Game::new();
/// game.set_tag("Event", &"x".repeat(MAX_TAG_VALUE + 1))?;
/// assert_eq!(game.tag("Event").map(str::len), Some(MAX_TAG_VALUE));
/// # Ok::<(), tabiya_pgn::TagError>(())
/// ```
pub const MAX_TAG_VALUE: usize = 16 << 10;

const LONGEST_NAME: usize = 200;

/// Whether a record can have a tag of this name.
pub(crate) fn is_tag_name(name: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(is_name)
}

/// What a tag of the [`ROSTER`] says that nobody knows.
pub(crate) fn unknown(name: &str) -> &'static str {
    match name {
        "Date" => "????.??.??",
        "Result" => GameResult::Unknown.notation(),
        _ => "?",
    }
}

/// Whether a tag counts among the [`MAX_TAGS`].
pub(crate) fn is_counted(name: &[u8]) -> bool {
    !matches!(
        name,
        b"Event"
            | b"Site"
            | b"Date"
            | b"Round"
            | b"White"
            | b"Black"
            | b"Result"
            | b"SetUp"
            | b"FEN"
            | b"Variant"
    )
}

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
    /// More tags than [`MAX_TAGS`].
    #[error("a game has {MAX_TAGS} tags at most")]
    Many,
}

/// Names and values: the seven of the roster first and in order, then others as they came. They are few: looking one up
/// goes through all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tags {
    all: Vec<(String, String)>,
    /// How many of them count among the [`MAX_TAGS`].
    counted: usize,
}

impl Default for Tags {
    fn default() -> Tags {
        let all = ROSTER.iter().map(|name| ((*name).to_owned(), unknown(name).to_owned()));
        Tags { all: all.collect(), counted: 0 }
    }
}

impl Tags {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|(known, _)| {
            #[cfg(test)]
            tests::COMPARED.set(tests::COMPARED.get() + 1);
            known == name
        })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        Some(&self.all.get(self.place(name)?)?.1)
    }

    /// Sets a tag, without what a record cannot hold: control characters are spaces, and nothing is
    /// endless.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_tag_name(name) {
            return Err(TagError::Name(excerpt(name)));
        }
        let value = value.get(..value.floor_char_boundary(MAX_TAG_VALUE)).unwrap_or_default();
        let value = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if let Some((_, old)) = self.place(name).and_then(|place| self.all.get_mut(place)) {
            *old = value;
            return Ok(());
        }
        if is_counted(name.as_bytes()) {
            if self.counted == MAX_TAGS {
                return Err(TagError::Many);
            }
            self.counted += 1;
        }
        self.all.push((name.to_owned(), value));
        Ok(())
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(place) = self.place(name).filter(|_| !ROSTER.contains(&name)) {
            self.all.remove(place);
            self.counted -= usize::from(is_counted(name.as_bytes()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{Problem, ReadError, Reader};

    thread_local! {
        /// How many names were looked at.
        pub(super) static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// How many names are looked at while a text is read.
    fn compared(text: &str) -> usize {
        COMPARED.set(0);
        let _ = Reader::new(text.as_bytes()).games().count();
        COMPARED.get()
    }

    #[test]
    fn the_work_on_tags_grows_with_the_text_and_no_faster() {
        let different = |count: usize| -> String {
            (0..count).map(|number| format!("[a{number} \"\"]\n")).collect()
        };
        let usual = |count: usize| "[White \"\"]\n[SetUp \"\"]\n[Date \"\"]\n".repeat(count);
        // A game with more tags than there may be costs what those cost that may be.
        let most = compared(&different(MAX_TAGS));
        for count in [1_000, 2_000, 4_000, 40_000] {
            assert!(compared(&different(count)) <= most, "{count} tags");
        }
        // What is said again and again is looked for among few.
        let [once, twice] = [1_000, 2_000].map(|count| compared(&usual(count)));
        assert!(twice <= 2 * once + 100, "{once}, then {twice}");
        // So are games with as many tags as there may be.
        let game = different(MAX_TAGS) + "\n1. e4 *\n\n";
        assert!(compared(&game.repeat(40)) <= 40 * (most + 100));
    }

    #[test]
    fn one_tag_too_many_makes_a_game_bad_and_no_other() {
        let tags = |count: usize| -> String {
            (0..count).map(|number| format!("[a{number} \"\"]\n")).collect()
        };
        let usual = ROSTER.map(|name| format!("[{name} \"?\"]\n")).concat();
        let start =
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[Variant \"Standard\"]\n";
        let good = format!("{usual}{start}{}\nKd1 *\n\n", tags(MAX_TAGS));
        let bad = format!("{usual}{}\n1. e4 *\n\n", tags(MAX_TAGS + 1));
        let text = format!("{good}{bad}{good}");
        let games: Vec<_> = Reader::new(text.as_bytes()).games().collect();
        let [Ok(first), Err(ReadError::BadGame(bad)), Ok(last)] = games.as_slice() else {
            panic!("{games:?}");
        };
        assert_eq!((bad.number, &bad.problem), (2, &Problem::ManyTags));
        assert_eq!(bad.problem.to_string(), "a game has 256 tags at most");
        assert_eq!(first.tag("a255"), Some(""));
        assert_eq!(first.to_string().parse::<crate::Game>().unwrap(), *last);
    }

    #[test]
    fn there_is_room_again_when_a_tag_is_removed() {
        let mut tags = Tags::default();
        for number in 0..MAX_TAGS {
            tags.set(&format!("a{number}"), "").unwrap();
        }
        assert_eq!(tags.set("b", ""), Err(TagError::Many));
        tags.set("a7", "changed").unwrap();
        tags.set("FEN", "not counted").unwrap();
        tags.remove("FEN");
        tags.remove("White");
        assert_eq!(tags.set("b", ""), Err(TagError::Many));
        tags.remove("a7");
        assert_eq!(tags.set("b", ""), Ok(()));
        assert_eq!(tags.set("c", ""), Err(TagError::Many));
    }
}
