//! From a name to somebody who thinks.

use tabiya_base::Stop;
use tabiya_chess::Game;
use tabiya_engine::textbook::{Textbook, TextbookPlayer};
use tabiya_engine::{Engine, Settings};
use tabiya_thinker::{Found, Info, Limits, ThinkError, ThinkErrorKind, Thinker};

use crate::{Player, PlayerKind, Strength};

impl Player {
    /// Somebody who plays like this, for matches: each game of a level is another one, the same whenever it is played
    /// from the same opening.
    ///
    /// ```
    /// use tabiya_players::Player;
    ///
    /// assert_eq!("alphabeta:2".parse::<Player>()?.thinker()?.name(), "alphabeta:2");
    /// let error = Player::HUMAN.thinker().err().unwrap();
    /// assert_eq!(error.to_string(), "human cannot think for itself here");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thinker(&self) -> Result<Box<dyn Thinker>, ThinkError> {
        Ok(match &self.kind {
            PlayerKind::Tabiya(strength @ (Strength::Full | Strength::Elo(_))) => {
                let settings = self.settings(*strength, self.options.seed.unwrap_or(0));
                let (name, engine) = (self.short_name(), Engine::new(settings));
                Box::new(EnginePlayer { name, engine, settings, at_start: true })
            }
            PlayerKind::Textbook(textbook) => Box::new(TextbookPlayer::new(*textbook)),
            _ => return self.thinker_of_game(0),
        })
    }

    /// Somebody who plays like this in one game, with the seed of that game.
    pub fn thinker_of_game(&self, seed: u64) -> Result<Box<dyn Thinker>, ThinkError> {
        Ok(match &self.kind {
            PlayerKind::Tabiya(strength @ (Strength::Full | Strength::Elo(_))) => {
                Box::new(Engine::new(self.settings(*strength, self.options.seed.unwrap_or(seed))))
            }
            // A random mover without a seed of its own takes that of the game.
            PlayerKind::Textbook(Textbook::Random { seed: 0 }) => {
                Box::new(TextbookPlayer::new(Textbook::Random { seed }))
            }
            PlayerKind::Textbook(textbook) => Box::new(TextbookPlayer::new(*textbook)),
            PlayerKind::Uci(command) => Box::new(command.program(&self.options.uci).start()?),
            PlayerKind::Human(_) | PlayerKind::Tabiya(Strength::Step(_)) => {
                let error = ThinkError::new(ThinkErrorKind::Other, "cannot think for itself here");
                return Err(error.by(&self.kind.to_string()));
            }
        })
    }

    fn settings(&self, strength: Strength, seed: u64) -> Settings {
        let level = match strength {
            Strength::Elo(level) => Some(level),
            _ => None,
        };
        // A level brings a table of its own.
        let hash = if level.is_some() { 1 } else { Settings::default().hash_megabytes };
        Settings {
            hash_megabytes: self.options.hash.unwrap_or(hash),
            threads: self.options.threads.unwrap_or(1),
            level,
            seed,
            ..Settings::default()
        }
    }
}

/// Our engine in a match.
struct EnginePlayer {
    name: String,
    engine: Engine,
    settings: Settings,
    at_start: bool,
}

impl Thinker for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), ThinkError> {
        self.engine.clear();
        self.at_start = true;
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        if std::mem::take(&mut self.at_start) {
            // Each game has a seed of its own, the same whichever worker plays it and when.
            let seed = self.settings.seed ^ game.position().key();
            self.engine.set(Settings { seed, ..self.settings });
        }
        Thinker::think(&mut self.engine, game, limits, stop, on_info)
    }
}
