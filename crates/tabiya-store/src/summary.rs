use std::fmt;
use std::str::FromStr;

use tabiya_play::{GameKind, GameSetup, Past, Side};

use crate::{Cursor, GameSort};

/// The number of a kept game.
///
/// ```
/// use tabiya_store::GameId;
///
/// assert_eq!("12".parse(), Ok(GameId(12)));
/// assert_eq!(GameId(12).to_string(), "12");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId(pub i64);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for GameId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<GameId, std::num::ParseIntError> {
        text.parse().map(GameId)
    }
}

/// A kept game at a glance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its number.
    pub id: GameId,
    /// Which game it is.
    pub kind: GameKind,
    /// Who plays White and Black, by the names of [`tabiya_play::Player`].
    pub players: [String; 2],
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while it goes on or if it was broken off.
    pub result: String,
    /// How it ended, as a sentence; empty while it goes on.
    pub ending: String,
    /// How many half-moves were played.
    pub plies: u32,
    /// The day of the game, `2026.11.15`, if it is known.
    pub date: Option<String>,
    /// The event, if it came from a record that told one.
    pub event: Option<String>,
    /// The code of its opening, as its record tells it or by our own list.
    pub eco: Option<String>,
    /// The name of its opening, likewise.
    pub opening: Option<String>,
    /// What White and Black were rated, if its record tells.
    pub elo: [Option<u32>; 2],
    /// Whether it came from a record, and nobody has played on.
    pub imported: bool,
    /// When it came into the bin, in milliseconds since 1970, if it is there.
    pub deleted: Option<i64>,
    /// When it was last changed, in milliseconds since 1970.
    pub updated: i64,
    /// The same as people read it here: `2026-11-15 14:05`.
    pub when: String,
    /// Its place in the list it was found in: the next come after it.
    pub place: Cursor,
}

/// A kept game, whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// At a glance.
    pub summary: GameSummary,
    /// What was agreed on before it.
    pub setup: GameSetup,
    /// What was played.
    pub past: Past,
    /// What was taken back and can be played again, the next move first.
    pub undone: Vec<String>,
    /// The record it came from, if nobody has played on since.
    pub record: Option<String>,
    /// What there is to know if it is played at two machines.
    pub friend: Option<Friend>,
}

/// A game between people at two machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Friend {
    /// The seat that was kept free for somebody who had still to come.
    pub seat: Option<Side>,
    /// Whether somebody has taken it.
    pub taken: bool,
    /// The game in which the two play on.
    pub next: Option<GameId>,
}

/// Some games of a list, and where it goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePage {
    /// The games: as many as were asked for, or fewer.
    pub games: Vec<GameSummary>,
    /// Where to go on; nothing if that was all.
    pub next: Option<Cursor>,
}

/// How many games a list has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCount {
    /// So many.
    pub games: u64,
    /// Whether there may be more: counting ends after a while.
    pub more: bool,
    /// So many games of an older file are not in any list yet. They come by and by.
    pub uncatalogued: u64,
}

/// Which games to list: those that meet everything that is given; the latest first, if nothing else is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameFilter {
    /// Words that are in the names of players, event and opening, each somewhere; a year will do, too. Capitals and
    /// accents do not matter.
    pub search: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<String>,
    /// The first day, `2026.11.01`; games without a day are then left out.
    pub since: Option<String>,
    /// The last day; a year or month will do: `2026.11`.
    pub until: Option<String>,
    /// Which game.
    pub kind: Option<GameKind>,
    /// Those that came from records, and rest, or all others.
    pub imported: Option<bool>,
    /// Only games that go on.
    pub unfinished: bool,
    /// Only games in which something was played or that have ended.
    pub begun: bool,
    /// Only games that were played at one table, not those that came from a record and rest, nor those that two people
    /// play at two machines.
    pub played_here: bool,
    /// Those in the bin, and only those.
    pub deleted: bool,
    /// Those that come after this place in the list.
    pub after: Option<Cursor>,
    /// By what they are sorted.
    pub sort: GameSort,
    /// From the first or the least on; otherwise from the last or the most.
    pub ascending: bool,
    /// How many at most.
    pub limit: Option<u32>,
}
