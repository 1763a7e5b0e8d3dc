use std::collections::HashSet;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tabiya_chess::{Color, Game};
use tabiya_tables::Tables;
use tabiya_thinker::{EngineLimit, ThinkError, Thinker};
use thiserror::Error;

use crate::state::{Played, State};
use crate::workers::{Slot, play_all};
use crate::{Anchor, Conditions, GameRecord, Openings, Sprt, Standings};

/// Who meets whom.
///
/// ```
/// use tabiya_lab::Format;
///
/// assert_eq!(Format::Gauntlet.pairings(4), [(0, 1), (0, 2), (0, 3)]);
/// assert_eq!(Format::RoundRobin.pairings(3), [(0, 1), (0, 2), (1, 2)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Format {
    /// Two players.
    Match,
    /// The first against all others.
    Gauntlet,
    /// Everybody against everybody.
    RoundRobin,
}

impl Format {
    /// The pairings among so many players, by their numbers.
    pub fn pairings(self, players: usize) -> Vec<(usize, usize)> {
        let firsts = match self {
            Format::Match | Format::Gauntlet => players.min(1),
            Format::RoundRobin => players,
        };
        (0..firsts).flat_map(|i| (i + 1..players).map(move |j| (i, j))).collect()
    }
}

/// Makes a player for a worker, which is told by its number.
pub type Factory<'a> = dyn Fn(usize) -> Result<Box<dyn Thinker>, ThinkError> + Send + Sync + 'a;

/// A player who takes part.
pub struct Entrant<'a> {
    pub(crate) name: String,
    pub(crate) factory: Box<Factory<'a>>,
    limit: Option<EngineLimit>,
    details: String,
}

impl<'a> Entrant<'a> {
    /// A player under a name of its own, and how to make it: once for each worker, and again after it
    /// has failed.
    pub fn new(
        name: impl Into<String>,
        factory: impl Fn(usize) -> Result<Box<dyn Thinker>, ThinkError> + Send + Sync + 'a,
    ) -> Entrant<'a> {
        let (name, factory) = (name.into(), Box::new(factory));
        Entrant { name, factory, limit: None, details: String::new() }
    }

    /// Thinks as long as it is told, not as long as the others.
    #[must_use]
    pub fn with_limit(self, limit: EngineLimit) -> Entrant<'a> {
        Entrant { limit: Some(limit), ..self }
    }

    /// Everything else that its play depends on, such as the options of an engine. A match is not
    /// resumed with other details.
    #[must_use]
    pub fn with_details(self, details: impl Into<String>) -> Entrant<'a> {
        Entrant { details: details.into(), ..self }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Debug for Entrant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entrant").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What is played.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentSettings {
    /// The name of the event in game records.
    pub event: String,
    /// Who meets whom.
    pub format: Format,
    /// How many pairs of games each pairing plays, each pair from an opening of its own.
    pub pairs: usize,
    /// How long those may think who have no limit of their own.
    pub limit: EngineLimit,
    /// What the arbiter goes by.
    pub conditions: Conditions,
    /// Stop when this test is decided; only for a match.
    pub sprt: Option<Sprt>,
}

impl TournamentSettings {
    /// A match of a hundred pairs.
    pub fn new(limit: EngineLimit) -> TournamentSettings {
        TournamentSettings {
            event: "Tabiya match".to_owned(),
            format: Format::Match,
            pairs: 100,
            limit,
            conditions: Conditions::default(),
            sprt: None,
        }
    }
}

/// Why a tournament cannot be played, or not to its end.
///
/// ```
/// use tabiya_lab::{Openings, Tournament, TournamentSettings};
/// use tabiya_thinker::EngineLimit;
///
/// let settings = TournamentSettings::new(EngineLimit::Depth(1));
/// let alone = Tournament::new(settings, vec![], Openings::start());
/// assert_eq!(alone.unwrap_err().to_string(), "a match is for two players, not 0");
/// ```
#[derive(Debug, Error)]
pub enum TournamentError {
    /// Not the right number of players for a match.
    #[error("a match is for two players, not {0}")]
    NotTwo(usize),
    /// Not enough players for a tournament.
    #[error("a tournament needs at least two players, not {0}")]
    TooFew(usize),
    /// There is nothing to play.
    #[error("there is no pair of games to play")]
    NoGames,
    /// A test compares two players only.
    #[error("only a match between two players can be stopped by a test")]
    TestNeedsMatch,
    /// A player cannot be made.
    #[error("{name} cannot play: {}", reason(error))]
    CannotStart {
        /// Who.
        name: String,
        /// Why.
        error: ThinkError,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file that should say what was played before does not.
    #[error("{} is not the state of a match: {reason}", path.display())]
    BadState {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// What was played before was another match.
    #[error("{} belongs to a match with other settings: {difference}", path.display())]
    OtherSettings {
        /// Which file.
        path: PathBuf,
        /// The first difference.
        difference: String,
    },
}

impl TournamentError {
    pub(crate) fn file(path: &Path, error: io::Error) -> TournamentError {
        TournamentError::File { path: path.to_owned(), error }
    }
}

/// All that is known: whoever starts a match is at the machine.
fn reason(error: &ThinkError) -> String {
    if error.detail.is_empty() { error.to_string() } else { error.detail.clone() }
}

/// What the caller hears after each game.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// The game that has just ended.
    pub record: &'a GameRecord,
    /// The number of its pair within its pairing, from 0; also of its opening.
    pub pair: usize,
    /// Where the tournament stands after it.
    pub standings: &'a Standings,
}

/// Players, openings and settings: ready to play.
///
/// Each opening is played twice by each pairing, with colours changed. Games begin in order, as
/// many at a time as asked for, and all pairings come equally far.
#[derive(Debug)]
pub struct Tournament<'a> {
    pub(crate) settings: TournamentSettings,
    pub(crate) entrants: Vec<Entrant<'a>>,
    pub(crate) openings: Openings,
    pub(crate) pairings: Vec<(usize, usize)>,
    pub(crate) state: Option<PathBuf>,
    pub(crate) pgn: Option<PathBuf>,
    pub(crate) anchor: Option<Anchor>,
    pub(crate) tables: Option<Arc<Tables>>,
}

impl<'a> Tournament<'a> {
    /// Checks that everything fits together. Players of the same name are numbered.
    pub fn new(
        settings: TournamentSettings,
        mut entrants: Vec<Entrant<'a>>,
        openings: Openings,
    ) -> Result<Tournament<'a>, TournamentError> {
        match (settings.format, entrants.len()) {
            (Format::Match, count) if count != 2 => return Err(TournamentError::NotTwo(count)),
            (_, count) if count < 2 => return Err(TournamentError::TooFew(count)),
            _ => {}
        }
        number_namesakes(&mut entrants);
        let pairings = settings.format.pairings(entrants.len());
        if settings.pairs == 0 {
            return Err(TournamentError::NoGames);
        }
        if settings.sprt.is_some() && pairings.len() != 1 {
            return Err(TournamentError::TestNeedsMatch);
        }
        let (state, pgn, anchor) = (None, None, None);
        Ok(Tournament { settings, entrants, openings, pairings, state, pgn, anchor, tables: None })
    }

    /// Keeps a file that says what has been played. If it is there already, the tournament goes on
    /// from it, or refuses if the settings are not the same.
    #[must_use]
    pub fn with_state(self, path: impl Into<PathBuf>) -> Tournament<'a> {
        Tournament { state: Some(path.into()), ..self }
    }

    /// Adds the games to a file as they end. A game is written here first and to the state after, so
    /// that a game may be here twice when the tournament is cut off between, but never lost.
    #[must_use]
    pub fn with_pgn(self, path: impl Into<PathBuf>) -> Tournament<'a> {
        Tournament { pgn: Some(path.into()), ..self }
    }

    /// Ends games where tables of endings know the result.
    #[must_use]
    pub fn with_tables(self, tables: Arc<Tables>) -> Tournament<'a> {
        Tournament { tables: Some(tables), ..self }
    }

    /// Gives ratings as seen from a player whose rating is known.
    #[must_use]
    pub fn with_anchor(self, anchor: Anchor) -> Tournament<'a> {
        Tournament { anchor: Some(anchor), ..self }
    }

    /// Plays the games that are not played yet, so many at a time, and calls back after each. The
    /// tournament ends when all are played, when its test is decided, or when the caller breaks off;
    /// games that have begun by then are finished first.
    pub fn run(
        &self,
        concurrency: usize,
        on_game: impl FnMut(&Snapshot<'_>) -> ControlFlow<()>,
    ) -> Result<Standings, TournamentError> {
        let mut state = self.fresh_state();
        if let Some(path) = &self.state {
            state = State::load(path, state, 2 * self.settings.pairs)?;
            // Now rather than after the first game: a path that cannot be written costs no game.
            state.save(path)?;
        }
        play_all(self, state, concurrency, on_game)
    }

    /// How many games there are to be played, unless a test is decided before.
    pub fn games(&self) -> usize {
        2 * self.settings.pairs * self.pairings.len()
    }

    /// How long a player may think.
    pub(crate) fn limit(&self, entrant: &Entrant<'_>) -> EngineLimit {
        entrant.limit.unwrap_or(self.settings.limit)
    }

    /// Every game of the tournament, in order.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        let pairings = self.pairings.len();
        (0..self.settings.pairs).flat_map(move |pair| {
            let colors = move |pairing| Color::ALL.map(|color| Slot { pairing, pair, color });
            (0..pairings).flat_map(colors)
        })
    }

    pub(crate) fn opening(&self, slot: Slot) -> Game {
        self.openings.get(slot.pair)
    }

    pub(crate) fn name(&self, player: usize) -> &str {
        self.entrants.get(player).map_or("?", Entrant::name)
    }

    fn fresh_state(&self) -> State {
        let played =
            |&(first, second): &(usize, usize)| Played::none(self.name(first), self.name(second));
        State {
            settings: self.fingerprint(),
            encounters: self.pairings.iter().map(played).collect(),
            forfeits: self.entrants.iter().map(|_| Default::default()).collect(),
        }
    }

    /// What the results depend on.
    fn fingerprint(&self) -> Value {
        let player = |entrant: &Entrant<'_>| {
            let control = self.limit(entrant).to_string();
            json!({ "name": entrant.name, "control": control, "details": entrant.details })
        };
        json!({
            "format": self.settings.format,
            "pairs": self.settings.pairs,
            "players": self.entrants.iter().map(player).collect::<Vec<_>>(),
            "openings": self.openings.len(),
            "openings_digest": format!("{:016x}", self.openings.digest()),
            "conditions": self.settings.conditions,
            "sprt": self.settings.sprt,
        })
    }
}

/// Whoever has the name of another is called by it and a number: "tabiya 1", "tabiya 2".
fn number_namesakes(entrants: &mut [Entrant<'_>]) {
    let mut names: HashSet<String> = HashSet::new();
    let twice: HashSet<String> = entrants
        .iter()
        .filter(|entrant| !names.insert(entrant.name.clone()))
        .map(|entrant| entrant.name.clone())
        .collect();
    for entrant in entrants.iter_mut().filter(|entrant| twice.contains(&entrant.name)) {
        let numbered = (1..).map(|number: u32| format!("{} {number}", entrant.name));
        if let Some(free) = numbered.into_iter().find(|name| names.insert(name.clone())) {
            entrant.name = free;
        }
    }
}
