use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use tabiya_base::Random;

use crate::{PackError, Tactic, TacticId, Theme, Themes, recognise, unpack};

/// The puzzles that come with Tabiya.
static BUILT_IN: &[u8] = include_bytes!("../puzzles.bin");

/// A puzzle with its themes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Themed {
    /// The puzzle.
    pub tactic: Tactic,
    /// What it is about.
    pub themes: Themes,
}

/// Many puzzles, to choose from.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    all: Vec<Themed>,
    places: HashMap<TacticId, usize>,
    /// The places of the daily puzzles, in the order of their days.
    daily: Vec<usize>,
}

/// Daily puzzles are neither trivial nor for masters.
const DAILY_RATINGS: core::ops::RangeInclusive<u16> = 1000..=1900;
/// And take a few moves.
const DAILY_LENGTH: usize = 2;
/// The next puzzle is one of so many that are nearest to a rating.
const NEAREST: usize = 12;

impl Collection {
    /// The puzzles that come with Tabiya.
    ///
    /// ```
    /// use tabiya_tactics::Collection;
    ///
    /// let puzzles = Collection::built_in();
    /// assert!(puzzles.len() >= 2000);
    /// ```
    pub fn built_in() -> &'static Collection {
        static COLLECTION: OnceLock<Collection> = OnceLock::new();
        // A test reads the file; should it be bad all the same, there are no puzzles.
        COLLECTION.get_or_init(|| Collection::from_packed(BUILT_IN).unwrap_or_default())
    }

    /// The puzzles of a packed file.
    pub fn from_packed(bytes: &[u8]) -> Result<Collection, PackError> {
        Ok(Collection::new(unpack(bytes)?))
    }

    /// A collection of these; of two with the same number, the first.
    pub fn new(tactics: Vec<Tactic>) -> Collection {
        let mut collection = Collection::default();
        for tactic in tactics {
            let place = collection.all.len();
            if let std::collections::hash_map::Entry::Vacant(free) =
                collection.places.entry(tactic.id())
            {
                free.insert(place);
                let themes = recognise(&tactic);
                collection.all.push(Themed { tactic, themes });
            }
        }
        let fits = |one: &Themed| {
            DAILY_RATINGS.contains(&one.tactic.rating()) && one.tactic.length() >= DAILY_LENGTH
        };
        let daily = (0..collection.all.len()).filter(|&place| fits(&collection.all[place]));
        collection.daily = daily.collect();
        if collection.daily.is_empty() {
            collection.daily = (0..collection.all.len()).collect();
        }
        // By their numbers, then shuffled in one way for ever: more puzzles do not make it a rule.
        collection.daily.sort_by_key(|&place| collection.all[place].tactic.id());
        Random::new(0).shuffle(&mut collection.daily);
        collection
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Themed> {
        self.all.iter()
    }

    /// One by its number.
    pub fn get(&self, id: TacticId) -> Option<&Themed> {
        self.places.get(&id).and_then(|&place| self.all.get(place))
    }

    /// The puzzle of a day, counted from any day on: the same for everybody, and none again before all others were there.
    pub fn daily(&self, day: u64) -> Option<&Themed> {
        let turn = day.checked_rem(self.daily.len() as u64)?;
        self.daily.get(turn as usize).and_then(|&place| self.all.get(place))
    }

    /// How many puzzles have a theme.
    pub fn count(&self, theme: Theme) -> usize {
        self.all.iter().filter(|one| one.themes.contains(theme)).count()
    }

    /// A puzzle near a rating that was not seen: one of the nearest, by a random number. When all were seen, one of
    /// those seen longest ago; `seen` has the latest first.
    pub fn next(
        &self,
        rating: f64,
        theme: Option<Theme>,
        seen: &[TacticId],
        random: u64,
    ) -> Option<&Themed> {
        let fits = |one: &&Themed| theme.is_none_or(|theme| one.themes.contains(theme));
        let known: HashSet<TacticId> = seen.iter().copied().collect();
        let mut near: Vec<&Themed> =
            self.all.iter().filter(fits).filter(|one| !known.contains(&one.tactic.id())).collect();
        if near.is_empty() {
            near = seen.iter().rev().filter_map(|&id| self.get(id)).filter(fits).collect();
            near.truncate(near.len().div_ceil(2));
        }
        let distance = |one: &&Themed| (f64::from(one.tactic.rating()) - rating).abs() as u64;
        near.sort_by_key(|one| (distance(one), one.tactic.id()));
        near.truncate(NEAREST);
        Random::new(random).pick(&near)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection() -> Collection {
        let mates = (0..40).map(|i| {
            let (rook, rating) = (b"abcdefgh"[i % 5] as char, 600 + 40 * i);
            let pawn = [
                "7P/8/8", "8/7P/8", "8/8/7P", "6P1/8/8", "8/6P1/8", "8/8/6P1", "5P2/8/8", "8/5P2/8",
            ][i / 5];
            let file = 1 + i % 5;
            let before = if file > 1 { (file - 1).to_string() } else { String::new() };
            let text = format!(
                "7k/5ppp/8/{pawn}/7K/{before}R{} b - - 0 1 | h8g8 {rook}1{rook}8 | mate | {rating}",
                8 - file
            );
            text.parse::<Tactic>().unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        Collection::new(mates.collect())
    }

    #[test]
    fn a_day_has_its_puzzle_and_none_comes_twice() {
        let collection = collection();
        assert_eq!(collection.len(), 40);
        let ids: Vec<TacticId> =
            (20_000..20_040).map(|day| collection.daily(day).unwrap().tactic.id()).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 40);
        assert_eq!(collection.daily(20_040).unwrap().tactic.id(), ids[0]);
        assert!(Collection::default().daily(5).is_none());
    }

    #[test]
    fn the_next_is_near_and_new() {
        let collection = collection();
        let mut seen = Vec::new();
        for round in 0..40 {
            let next = collection.next(1400.0, None, &seen, round).unwrap();
            assert!(!seen.contains(&next.tactic.id()), "{round}");
            if round < 5 {
                assert!(next.tactic.rating().abs_diff(1400) <= 400, "{}", next.tactic.rating());
            }
            seen.insert(0, next.tactic.id());
        }
        // All were seen: one of the older half comes again.
        let again = collection.next(1400.0, None, &seen, 1).unwrap().tactic.id();
        assert!(seen[20..].contains(&again));
        assert!(collection.next(1400.0, Some(Theme::Underpromotion), &[], 1).is_none());
        let mate = collection.next(1400.0, Some(Theme::MateIn1), &[], 1).unwrap();
        assert!(mate.themes.contains(Theme::MateIn1));
    }
}
