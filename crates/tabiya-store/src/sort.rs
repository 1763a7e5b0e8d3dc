use std::fmt;
use std::str::FromStr;

use tabiya_base::excerpt;

use crate::StoreError;

/// By what a list of games is sorted. Games of which that is not known come last, in either direction.
///
/// ```
/// use tabiya_store::GameSort;
///
/// assert_eq!("white-elo".parse(), Ok(GameSort::WhiteElo));
/// assert_eq!(GameSort::WhiteElo.to_string(), "white-elo");
/// let error = "colour".parse::<GameSort>().unwrap_err();
/// assert!(error.to_string().starts_with("games are sorted by updated, date,"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameSort {
    /// When somebody last moved, or when it was imported.
    #[default]
    Updated,
    /// The day it was played.
    Date,
    /// The name of White, whatever its accents.
    White,
    /// The rating of White.
    WhiteElo,
    /// The name of Black.
    Black,
    /// The rating of Black.
    BlackElo,
    /// The event.
    Event,
    /// The opening, by its ECO code.
    Opening,
    /// The result.
    Result,
    /// How long it is.
    Plies,
    /// When it came into the bin.
    Deleted,
}

impl GameSort {
    /// All of them.
    pub const ALL: [GameSort; 11] = [
        GameSort::Updated,
        GameSort::Date,
        GameSort::White,
        GameSort::WhiteElo,
        GameSort::Black,
        GameSort::BlackElo,
        GameSort::Event,
        GameSort::Opening,
        GameSort::Result,
        GameSort::Plies,
        GameSort::Deleted,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            GameSort::Updated => "updated",
            GameSort::Date => "date",
            GameSort::White => "white",
            GameSort::WhiteElo => "white-elo",
            GameSort::Black => "black",
            GameSort::BlackElo => "black-elo",
            GameSort::Event => "event",
            GameSort::Opening => "opening",
            GameSort::Result => "result",
            GameSort::Plies => "plies",
            GameSort::Deleted => "deleted",
        }
    }

    /// The column of the catalogue; `catalogue_by_` and it is the index.
    pub(crate) const fn column(self) -> &'static str {
        match self {
            GameSort::Date => "day",
            GameSort::WhiteElo => "white_elo",
            GameSort::BlackElo => "black_elo",
            other => other.name(),
        }
    }

    /// What stands in the column if it is not known.
    pub(crate) const fn unknown(self) -> Option<&'static str> {
        match self {
            GameSort::Date
            | GameSort::White
            | GameSort::Black
            | GameSort::Event
            | GameSort::Opening => Some("''"),
            GameSort::WhiteElo | GameSort::BlackElo => Some("0"),
            GameSort::Updated | GameSort::Result | GameSort::Plies | GameSort::Deleted => None,
        }
    }

    pub(crate) const fn is_number(self) -> bool {
        matches!(
            self,
            GameSort::Updated
                | GameSort::WhiteElo
                | GameSort::BlackElo
                | GameSort::Plies
                | GameSort::Deleted
        )
    }
}

impl fmt::Display for GameSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameSort {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<GameSort, StoreError> {
        let found = GameSort::ALL.into_iter().find(|sort| sort.name() == text);
        found.ok_or_else(|| StoreError::NoSort(excerpt(text)))
    }
}

/// A place in a sorted list of games or studies. It stays where it is when others come in.
///
/// ```
/// use tabiya_store::Cursor;
///
/// let place: Cursor = "carlsen, m.17".parse().unwrap();
/// assert_eq!(place, Cursor { key: "carlsen, m".to_owned(), id: 17 });
/// assert_eq!(place.to_string(), "carlsen, m.17");
/// let error = "17".parse::<Cursor>().unwrap_err();
/// assert_eq!(error.to_string(), "a place in a list is like 1763200000012.17, not \"17\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// What the list is sorted by, of the one before it.
    pub key: String,
    /// The number of the one before it.
    pub id: i64,
}

impl Cursor {
    /// Whether it is one of a list that is sorted so.
    pub(crate) fn belongs(&self, sort: GameSort) -> Result<(), StoreError> {
        if sort.is_number() { self.number().map(drop) } else { Ok(()) }
    }

    /// Key and number, where the list is sorted by a number.
    pub(crate) fn number(&self) -> Result<(i64, i64), StoreError> {
        let key = self.key.parse().map_err(|_| wrong(&self.to_string()))?;
        Ok((key, self.id))
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.key, self.id)
    }
}

impl FromStr for Cursor {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Cursor, StoreError> {
        let read =
            |(key, id): (&str, &str)| Some(Cursor { key: key.to_owned(), id: id.parse().ok()? });
        text.rsplit_once('.').and_then(read).ok_or_else(|| wrong(text))
    }
}

fn wrong(text: &str) -> StoreError {
    StoreError::NoPlace(excerpt(text))
}
