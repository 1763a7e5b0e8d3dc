//! Which games are wanted, by what is known of them without their moves.

use std::ops::RangeInclusive;

use tabiya_base::fold;
use tabiya_chess::Color;
use tabiya_pgn::GameResult;

use crate::heads::{Head, Names, eco_code};
use crate::record::{Day, Speed};
use crate::run::Run;

/// Which games are wanted: those that have all that is asked for; of a list, one is enough. Names are compared without
/// regard to capital letters and accents: a part of them is enough, or with `=` before it the whole name.
///
/// ```
/// use tabiya_db::Filter;
///
/// let filter = Filter { player: vec!["carlsen".to_owned()], ..Filter::default() };
/// assert!(!filter.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Part of the name of a player.
    pub player: Vec<String>,
    /// The colour of that player.
    pub color: Option<Color>,
    /// Part of White's name.
    pub white: Vec<String>,
    /// Part of Black's name.
    pub black: Vec<String>,
    /// Part of the event.
    pub event: Vec<String>,
    /// Ratings of both players.
    pub elo: Option<RangeInclusive<u16>>,
    /// The rating of one player at least.
    pub one_elo: Option<RangeInclusive<u16>>,
    /// Played on this day or later.
    pub since: Option<Day>,
    /// Played on this day or earlier.
    pub until: Option<Day>,
    /// How it ended.
    pub result: Vec<GameResult>,
    /// How fast it was.
    pub speed: Vec<Speed>,
    /// The beginning of the ECO code, or codes from one to another: B, B9, B97, B90-B99.
    pub eco: Vec<String>,
    /// How many plies.
    pub plies: Option<RangeInclusive<u16>>,
}

impl Filter {
    /// Whether all games are wanted.
    pub fn is_empty(&self) -> bool {
        *self == Filter { color: self.color, ..Filter::default() }
    }

    /// The games of an index that are wanted.
    pub(crate) fn choose(&self, run: &Run) -> Chosen {
        if self.is_empty() {
            return Chosen::All;
        }
        let players = wanted(&self.player, &run.players);
        let whites = wanted(&self.white, &run.players);
        let blacks = wanted(&self.black, &run.players);
        let events = wanted(&self.event, &run.events);
        let ecos = (!self.eco.is_empty()).then(|| {
            (0..500).map(|number| is_eco(&eco_code(number), &self.eco)).collect::<Vec<bool>>()
        });
        let is_in = |names: &Option<Vec<bool>>, number: u32| {
            names.as_ref().is_none_or(|names| names.get(number as usize) == Some(&true))
        };
        let mut bits = vec![0u64; (run.games as usize).div_ceil(64)];
        for (game, head) in run.heads.all().enumerate() {
            let plays = match self.color {
                _ if players.is_none() => true,
                Some(Color::White) => is_in(&players, head.white),
                Some(Color::Black) => is_in(&players, head.black),
                None => is_in(&players, head.white) || is_in(&players, head.black),
            };
            let eco = |ecos: &Vec<bool>| head.eco.is_some_and(|eco| ecos[usize::from(eco)]);
            let is_wanted = plays
                && is_in(&whites, head.white)
                && is_in(&blacks, head.black)
                && is_in(&events, head.event)
                && ecos.as_ref().is_none_or(eco)
                && self.wants(&head);
            bits[game / 64] |= u64::from(is_wanted) << (game % 64);
        }
        Chosen::Some(bits)
    }

    fn wants(&self, head: &Head) -> bool {
        let rated = |range: &RangeInclusive<u16>, elo: u16| elo > 0 && range.contains(&elo);
        let (white, black) = (head.white_elo, head.black_elo);
        self.elo.as_ref().is_none_or(|range| rated(range, white) && rated(range, black))
            && self.one_elo.as_ref().is_none_or(|range| rated(range, white) || rated(range, black))
            && self.since.is_none_or(|since| head.day.0 > 0 && head.day.latest() >= since)
            && self.until.is_none_or(|until| head.day.0 > 0 && head.day <= until.latest())
            && (self.result.is_empty() || self.result.contains(&head.result))
            && (self.speed.is_empty() || self.speed.contains(&head.speed))
            && self.plies.as_ref().is_none_or(|plies| plies.contains(&head.plies))
    }
}

/// Which of the names have one of the texts in them; none if nothing is asked.
fn wanted(texts: &[String], names: &Names) -> Option<Vec<bool>> {
    if texts.is_empty() {
        return None;
    }
    let texts: Vec<(bool, String)> = texts
        .iter()
        .map(|text| match text.strip_prefix('=') {
            Some(whole) => (true, fold(whole)),
            None => (false, fold(text)),
        })
        .collect();
    let is_wanted = |name: &str| {
        let name = fold(name);
        texts.iter().any(|(whole, text)| if *whole { name == *text } else { name.contains(text) })
    };
    Some(names.all().map(is_wanted).collect())
}

/// Whether a code is one of those that are asked for: it begins so, or lies from one to the other.
///
/// ```
/// use tabiya_db::is_eco;
///
/// let wanted = ["b9".to_owned(), "C00-C1".to_owned()];
/// assert!(is_eco("B97", &wanted) && is_eco("C19", &wanted));
/// assert!(!is_eco("B80", &wanted) && !is_eco("C20", &wanted));
/// ```
pub fn is_eco(code: &str, wanted: &[String]) -> bool {
    wanted.iter().any(|wanted| {
        let wanted = wanted.to_uppercase();
        match wanted.split_once('-') {
            // From the first code that begins so to the last one.
            Some((from, to)) => code >= from && (code <= to || code.starts_with(to)),
            None => code.starts_with(&wanted),
        }
    })
}

/// Games of an index.
#[derive(Debug)]
pub(crate) enum Chosen {
    All,
    Some(Vec<u64>),
}

impl Chosen {
    #[inline]
    pub(crate) fn has(&self, game: u32) -> bool {
        match self {
            Chosen::All => true,
            Chosen::Some(bits) => {
                bits.get(game as usize / 64).is_some_and(|word| word >> (game % 64) & 1 == 1)
            }
        }
    }

    pub(crate) fn is_all(&self) -> bool {
        matches!(self, Chosen::All)
    }
}
