//! Files of games, in and out.

use std::io::Read;

use tabiya_pgn::{BadGame, ReadError, Reader};
use tabiya_play::{Change, Executor, GameController, GameSetup, Past, Session, SessionDeps};

use crate::catalogue::Tags;
use crate::write::{New, Write, Written};
use crate::{GameId, Store, StoreError};

/// So many games are written together.
const BATCH: usize = 200;
/// So many complaints are remembered.
const MOST_BAD: usize = 100_000;

/// What came of an import.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// How many games were added.
    pub games: usize,
    /// How many were here already: the same players, day, result and moves.
    pub known: usize,
    /// How many were here, but in the bin, and are back.
    pub restored: usize,
    /// How many could not be read.
    pub bad: usize,
    /// What was wrong with them, a hundred thousand at most.
    pub complaints: Vec<BadGame>,
}

impl Store {
    /// Adds all games of a PGN file, but for those that are here already. A game that cannot be read is reported, and
    /// the next is read.
    ///
    /// ```
    /// # use tabiya_store::{GameFilter, Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let file = "[White \"Morphy\"]\n\n1. e4 e5 1-0\n\n[White \"Nobody\"]\n\n1. e5 *\n";
    /// let imported = store.import(file.as_bytes())?;
    /// assert_eq!((imported.games, imported.bad), (1, 1));
    /// let game = &store.list(&GameFilter::default())?[0];
    /// assert_eq!(game.players[0], "human:Morphy");
    /// assert!(store.export(game.id)?.contains("1. e4 e5 1-0"));
    /// let again = store.import(file.as_bytes())?;
    /// assert_eq!((again.games, again.known), (0, 1));
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn import(&self, file: impl Read) -> Result<Imported, StoreError> {
        // What is not in the catalogue would not be known again.
        self.catalogue()?;
        let mut imported = Imported::default();
        let mut batch = Vec::new();
        for game in Reader::new(file).games() {
            match game {
                Ok(game) => batch.push(new(&game)),
                Err(ReadError::BadGame(bad)) => {
                    imported.bad += 1;
                    if imported.complaints.len() < MOST_BAD {
                        imported.complaints.push(bad);
                    }
                }
                Err(error) => return Err(StoreError::Import(error.to_string())),
            }
            if batch.len() == BATCH {
                self.add(&mut batch, &mut imported)?;
            }
        }
        self.add(&mut batch, &mut imported)?;
        Ok(imported)
    }

    fn add(&self, batch: &mut Vec<New>, imported: &mut Imported) -> Result<(), StoreError> {
        let games = std::mem::take(batch);
        if !games.is_empty()
            && let Written::Import { new, known, restored } = self.write(Write::Import(games))?
        {
            imported.games += new;
            imported.known += known;
            imported.restored += restored;
        }
        Ok(())
    }

    /// A game as a record: PGN for chess, as it came if it was imported and nobody has played on; the
    /// plain file of its last position for the bishop-and-king game.
    ///
    /// ```
    /// # use {tabiya_play::{GameSetup, Start}, tabiya_store::Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let store = Store::open(folder.path())?;
    /// let id = store.create(&GameSetup::new(Start::bishops("3\nKa1\nKc3").unwrap()))?;
    /// assert_eq!(store.export(id)?, "3\nKa1\nKc3\n");
    /// # Ok::<(), tabiya_store::StoreError>(())
    /// ```
    pub fn export(&self, id: GameId) -> Result<String, StoreError> {
        let stored = self.load(id)?;
        if let Some(record) = stored.record {
            return Ok(record);
        }
        // Nobody shall think about it.
        let means = SessionDeps { executor: Executor::new(drop), ..SessionDeps::default() };
        let session = Session::restore(stored.setup, &stored.past, means);
        Ok(session.map_err(|error| StoreError::bad_game(id, error))?.record())
    }
}

/// A game from outside, to be kept as it came.
fn new(game: &tabiya_pgn::Game) -> New {
    let (setup, Past { entries: added, end }) = GameSetup::of_record(game);
    let event = game.tag("Event").filter(|value| !value.starts_with('?') && !value.is_empty());
    New {
        setup,
        change: Change { stays: 0, added, end },
        event: event.map(ToOwned::to_owned),
        record: Some(game.to_string()),
        tags: Tags::of(game),
        open: None,
    }
}
