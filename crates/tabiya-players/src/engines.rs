use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tabiya_base::Stop;
use tabiya_chess::Game;
use tabiya_engine::{Engine, Settings, Tables};
use tabiya_thinker::{Found, Info, Limits, ThinkError, Thinker};
use tabiya_uci_protocol::{Client, Program};

use crate::engines_file::{self, EnginesFileError};
use crate::{Player, PlayerKind};

/// Memory of our own engine, in megabytes.
const HASH: usize = 32;
/// So many of our own engines wait for the next question, each with what it remembers.
const MOST_IDLE: usize = 2;

/// The engines that can be asked for lines, by name: our own, and those that a file names.
///
/// ```
/// use std::path::Path;
/// use tabiya_players::Engines;
///
/// let file = "
///     [[engine]]
///     name = \"Reed\"
///     path = \"reed\"
///     args = [\"--uci\"]
///     options = { Hash = 64 }
/// ";
/// let engines = Engines::read(file, Path::new("/etc"))?;
/// assert_eq!(engines.names(), ["tabiya", "Reed"]);
/// assert!(engines.thinker("Deep Thought").is_none());
/// # Ok::<(), tabiya_players::EnginesFileError>(())
/// ```
#[derive(Default)]
pub struct Engines {
    others: Vec<(String, Program)>,
    tables: Option<Arc<Tables>>,
    /// Our own, with what they remember.
    idle: Mutex<Vec<Engine>>,
    /// Programs that have answered and wait, with the time since when.
    waiting: Mutex<HashMap<String, (Client, Instant)>>,
}

impl Engines {
    /// What our own engine is called.
    pub const OURS: &'static str = "tabiya";

    /// The engines of a file. A path with a folder in it is taken from the folder of the file; without one the program
    /// is looked for where the system looks for programs.
    ///
    /// ```
    /// # use std::path::Path;
    /// # use tabiya_players::Engines;
    /// let error = Engines::read("[[engine]]\nname = \"x\"\n", Path::new("")).err().unwrap();
    /// assert_eq!(error.to_string(), "line 1: missing field `path`");
    /// ```
    pub fn read(text: &str, folder: &Path) -> Result<Engines, EnginesFileError> {
        Ok(Engines { others: engines_file::read(text, folder)?, ..Engines::default() })
    }

    /// Has our own engine ask tables of endings.
    #[must_use]
    pub fn with_tables(self, tables: Option<Arc<Tables>>) -> Engines {
        Engines { tables, ..self }
    }

    /// The tables that our own engine asks.
    pub fn tables(&self) -> Option<&Arc<Tables>> {
        self.tables.as_ref()
    }

    /// What they are called, our own first.
    pub fn names(&self) -> Vec<&str> {
        let others = self.others.iter().map(|(name, _)| name.as_str());
        std::iter::once(Engines::OURS).chain(others).collect()
    }

    /// The engine of a name. It is started, or taken from those who wait, when it is asked to think; afterwards it waits
    /// for the next question. A program that fails is ended.
    pub fn thinker(&self, name: &str) -> Option<NamedEngine<'_>> {
        let name = self.names().into_iter().find(|&known| known == name)?;
        let program = self.others.iter().find(|(known, _)| known == name);
        Some(NamedEngine { engines: self, name, program: program.map(|(_, program)| program) })
    }

    /// Whether a player may be started by whoever starts only these: any that is no other program, and programs of the
    /// file with the same arguments and no other options.
    ///
    /// ```
    /// # use std::path::Path;
    /// # use tabiya_players::{Engines, Player};
    /// let file = "[[engine]]\nname = \"Reed\"\npath = \"reed\"\nargs = [\"--uci\"]";
    /// let engines = Engines::read(file, Path::new("/etc"))?;
    /// let may_start = |player: &str| engines.may_start(&player.parse::<Player>().unwrap());
    /// assert!(may_start("tabiya") && may_start("uci:reed --uci"));
    /// assert!(!may_start("uci:reed") && !may_start("uci:/tmp/reed --uci"));
    /// # Ok::<(), tabiya_players::EnginesFileError>(())
    /// ```
    pub fn may_start(&self, player: &Player) -> bool {
        let PlayerKind::Uci(command) = &player.kind else { return true };
        let Program { path, args, options, .. } = command.program(&player.options.uci);
        self.others.iter().any(|(_, known)| {
            known.path == path
                && known.args == args
                && options.iter().all(|option| known.options.contains(option))
        })
    }

    /// Ends programs that nobody has asked for so long.
    pub fn dismiss(&self, idle: Duration) {
        let mut waiting = self.waiting.lock();
        let gone: Vec<_> = waiting.extract_if(|_, (_, since)| since.elapsed() >= idle).collect();
        drop(waiting);
        // Dropped, they are ended; nobody waits for that with the list in hand.
        drop(gone);
    }
}

/// One of the [`Engines`].
pub struct NamedEngine<'a> {
    engines: &'a Engines,
    name: &'a str,
    /// None if it is ours.
    program: Option<&'a Program>,
}

impl Thinker for NamedEngine<'_> {
    fn name(&self) -> &str {
        if self.program.is_some() { self.name } else { "Tabiya" }
    }

    fn new_game(&mut self) -> Result<(), ThinkError> {
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        let Some(program) = self.program else {
            let settings = Settings { hash_megabytes: HASH, ..Settings::default() };
            let known = self.engines.idle.lock().pop();
            let mut engine = known.unwrap_or_else(|| {
                let mut engine = Engine::new(settings);
                engine.set_tables(self.engines.tables.clone());
                engine
            });
            let found = engine.think_until(game, limits.clone(), stop, on_info);
            let mut idle = self.engines.idle.lock();
            if idle.len() < MOST_IDLE {
                idle.push(engine);
            }
            return Ok(found);
        };
        // People know it by the name in the file.
        let by_name = |error: ThinkError| error.by(self.name);
        let known = self.engines.waiting.lock().remove(self.name);
        let mut client = match known {
            Some((client, _)) => client,
            None => program.start().map_err(|error| by_name(error.into()))?,
        };
        let found = client.think(game, limits, stop, on_info).map_err(by_name)?;
        self.engines.waiting.lock().insert(self.name.to_owned(), (client, Instant::now()));
        Ok(found)
    }
}
