use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use tabiya_chess::Color;
use tabiya_thinker::{EngineLimit, Thinker};

use crate::state::{Played, State};
use crate::{
    Contestant, Decision, Encounter, GameRecord, MatchScore, Pentanomial, PgnFile, PgnTags,
    PlayerResult, Snapshot, Sprt, Standings, Termination, TestStatus, Tournament, TournamentError,
    play_game,
};

/// A game to be played.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) pairing: usize,
    pub(crate) pair: usize,
    /// The colour of the first player of the pairing.
    pub(crate) color: Color,
}

impl Slot {
    /// Its number among the games of its pairing.
    fn index(self) -> usize {
        2 * self.pair + usize::from(self.color == Color::Black)
    }
}

/// Plays what is not played yet. The workers play; this thread alone keeps the books.
pub(crate) fn play_all(
    tournament: &Tournament<'_>,
    state: State,
    concurrency: usize,
    mut on_game: impl FnMut(&Snapshot<'_>) -> ControlFlow<()>,
) -> Result<Standings, TournamentError> {
    let mut books = Books::open(tournament, state)?;
    let slots: Vec<Slot> = match books.is_decided() {
        true => Vec::new(),
        false => tournament.slots().filter(|&slot| books.is_open(slot)).collect(),
    };
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let take = || match stop.load(Ordering::Relaxed) {
        true => None,
        false => slots.get(next.fetch_add(1, Ordering::Relaxed)).copied(),
    };
    let mut failure = None;
    thread::scope(|scope| {
        // Handed over rather than queued: quick games must not run ahead of the books.
        let (sender, games) = mpsc::sync_channel(0);
        for number in 0..concurrency.clamp(1, slots.len().max(1)) {
            let (sender, take) = (sender.clone(), &take);
            scope.spawn(move || {
                let mut worker = Worker::new(tournament, number);
                while let Some(slot) = take() {
                    let played = worker.play(slot);
                    let failed = played.is_err();
                    // Nobody listens any more: nobody wants more games either.
                    if sender.send((slot, played)).is_err() || failed {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (slot, played) in games {
            let entered = played.and_then(|record| {
                books.enter(slot, &record)?;
                Ok(on_game(&Snapshot {
                    record: &record,
                    pair: slot.pair,
                    standings: &books.standings,
                }))
            });
            match entered {
                Ok(ControlFlow::Continue(())) if !books.is_decided() => continue,
                Ok(_) => {}
                Err(error) => failure = failure.take().or(Some(error)),
            }
            stop.store(true, Ordering::Relaxed);
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(books.standings),
    }
}

/// Plays games one after the other, and keeps its players for the next one.
struct Worker<'a> {
    tournament: &'a Tournament<'a>,
    number: usize,
    players: Vec<Option<Box<dyn Thinker>>>,
}

impl<'a> Worker<'a> {
    fn new(tournament: &'a Tournament<'a>, number: usize) -> Worker<'a> {
        let players = tournament.entrants.iter().map(|_| None).collect();
        Worker { tournament, number, players }
    }

    fn play(&mut self, slot: Slot) -> Result<GameRecord, TournamentError> {
        let tournament = self.tournament;
        let pairing = tournament.pairings.get(slot.pairing).copied().unwrap_or_default();
        let [white, black] = match (slot.color, pairing) {
            (Color::White, (first, second)) => [first, second],
            (Color::Black, (first, second)) => [second, first],
        };
        let (mut white_player, white_limit) = self.call(white)?;
        let (mut black_player, black_limit) = self.call(black)?;
        let sides = [
            Contestant { thinker: white_player.as_mut(), limit: white_limit },
            Contestant { thinker: black_player.as_mut(), limit: black_limit },
        ];
        let mut record = play_game(
            sides,
            tournament.opening(slot),
            &tournament.settings.conditions,
            tournament.tables.as_deref(),
        );
        record.white = tournament.name(white).to_owned();
        record.black = tournament.name(black).to_owned();
        for (index, color, player) in
            [(white, Color::White, white_player), (black, Color::Black, black_player)]
        {
            // Who failed is not trusted with another game: it is made anew.
            let failed = matches!(record.ending, Termination::Forfeit { by, .. } if by == color);
            if let Some(place) = self.players.get_mut(index).filter(|_| !failed) {
                *place = Some(player);
            }
        }
        Ok(record)
    }

    /// Takes a player from its place, or makes it.
    fn call(&mut self, index: usize) -> Result<(Box<dyn Thinker>, EngineLimit), TournamentError> {
        let entrant = self.tournament.entrants.get(index).ok_or(TournamentError::NoGames)?;
        let limit = self.tournament.limit(entrant);
        let at_hand = self.players.get_mut(index).and_then(Option::take);
        let player = match at_hand {
            Some(player) => player,
            None => (entrant.factory)(self.number).map_err(|error| {
                let name = entrant.name.clone();
                TournamentError::CannotStart { name, error }
            })?,
        };
        Ok((player, limit))
    }
}

/// All that is written down about a tournament in progress.
struct Books<'a> {
    tournament: &'a Tournament<'a>,
    state: State,
    standings: Standings,
    test: Option<Test>,
    pgn: Option<(&'a Path, PgnFile)>,
}

impl<'a> Books<'a> {
    fn open(tournament: &'a Tournament<'a>, state: State) -> Result<Books<'a>, TournamentError> {
        let pgn = match &tournament.pgn {
            Some(path) => {
                let file = PgnFile::append(path);
                Some((path.as_path(), file.map_err(|error| TournamentError::file(path, error))?))
            }
            None => None,
        };
        let encounter = |(&(first, second), played): (&(usize, usize), &Played)| Encounter {
            first,
            second,
            score: score(played),
        };
        let standings = Standings {
            names: tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            encounters: tournament.pairings.iter().zip(&state.encounters).map(encounter).collect(),
            forfeits: state.forfeits.clone(),
            test: None,
            anchor: tournament.anchor,
        };
        let test = tournament.settings.sprt.map(Test::new);
        let mut books = Books { tournament, state, standings, test, pgn };
        books.advance_test();
        Ok(books)
    }

    fn is_open(&self, slot: Slot) -> bool {
        self.state
            .encounters
            .get(slot.pairing)
            .is_some_and(|played| played.get(slot.index()).is_none())
    }

    fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision != Decision::Continue)
    }

    /// Writes a game down: in the record, in the table, in the state.
    fn enter(&mut self, slot: Slot, record: &GameRecord) -> Result<(), TournamentError> {
        if let Some((path, file)) = &mut self.pgn {
            let round = format!("{}.{}", slot.pair + 1, 1 + slot.index() % 2);
            let event = self.tournament.settings.event.clone();
            let tags = PgnTags { event, round, ..PgnTags::today() };
            file.write(record, &tags).map_err(|error| TournamentError::file(path, error))?;
        }
        let result = PlayerResult::of(record.winner, slot.color);
        if let Some(played) = self.state.encounters.get_mut(slot.pairing) {
            played.set(slot.index(), result);
            let other = played.get(slot.index() ^ 1);
            if let Some(encounter) = self.standings.encounters.get_mut(slot.pairing) {
                encounter.score.games.add(result);
                if let Some(other) = other {
                    encounter.score.pairs.add(result, other);
                }
            }
        }
        if let Termination::Forfeit { by, error } = &record.ending {
            let name = if *by == Color::White { &record.white } else { &record.black };
            let players = self.standings.names.iter();
            let counts = self.state.forfeits.iter_mut();
            if let Some((_, forfeits)) = players.zip(counts).find(|(player, _)| *player == name) {
                forfeits.add(error.kind);
            }
            self.standings.forfeits.clone_from(&self.state.forfeits);
        }
        self.advance_test();
        match &self.tournament.state {
            Some(path) => self.state.save(path),
            None => Ok(()),
        }
    }

    fn advance_test(&mut self) {
        if let (Some(test), Some(played)) = (&mut self.test, self.state.encounters.first()) {
            test.advance(played);
            self.standings.test = Some(test.status());
        }
    }
}

fn score(played: &Played) -> MatchScore {
    let mut score = MatchScore::default();
    let results = played.results(0);
    results.iter().flatten().for_each(|&result| score.games.add(result));
    for pair in results.chunks(2) {
        if let [Some(one), Some(other)] = pair {
            score.pairs.add(*one, *other);
        }
    }
    score
}

/// A test that hears pairs in the order in which they began, and ends with its decision.
struct Test {
    sprt: Sprt,
    pairs: Pentanomial,
    heard: usize,
    llr: f64,
    decision: Decision,
}

impl Test {
    fn new(sprt: Sprt) -> Test {
        let pairs = Pentanomial::default();
        Test { sprt, pairs, heard: 0, llr: 0.0, decision: Decision::Continue }
    }

    fn advance(&mut self, played: &Played) {
        for pair in played.results(2 * self.heard).chunks(2) {
            let [Some(one), Some(other)] = pair else { return };
            if self.decision != Decision::Continue {
                return;
            }
            self.pairs.add(*one, *other);
            self.heard += 1;
            self.llr = self.sprt.llr_of_pairs(&self.pairs);
            self.decision = self.sprt.decide(self.llr);
        }
    }

    fn status(&self) -> TestStatus {
        TestStatus { llr: self.llr, bounds: self.sprt.bounds(), decision: self.decision }
    }
}
