use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tabiya_engine::{Engine, Settings};
use tabiya_uci::{Client, EngineError, Program};

use crate::settings::{self, EnginesError};
use crate::{Question, Report, Stop, think};

/// What our own engine is called.
///
/// ```
/// assert_eq!(tabiya_study::OURS, "tabiya");
/// ```
pub const OURS: &str = "tabiya";

/// Memory of our own engine, in megabytes.
const HASH: usize = 32;
/// So many of our own engines wait for the next question, each with what it remembers.
const MOST_IDLE: usize = 2;

/// Those who can be asked for lines: our own engine, and others that whoever runs the house has named in a file.
///
/// ```
/// use std::path::Path;
/// use tabiya_study::Engines;
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
/// # Ok::<(), tabiya_study::EnginesError>(())
/// ```
#[derive(Default)]
pub struct Engines {
    others: Vec<(String, Program)>,
    /// Our own, with what they remember.
    idle: Mutex<Vec<Engine>>,
    /// Programs that have answered and wait, with the time since when.
    waiting: Mutex<HashMap<String, (Client, Instant)>>,
}

/// Why an engine has not thought to the end.
///
/// ```
/// use std::path::Path;
/// use tabiya_study::{Engines, Stop, Study};
///
/// let file = "[[engine]]\nname = \"Ghost\"\npath = \"./not/there\"\n";
/// let engines = Engines::read(file, Path::new("/")).unwrap();
/// let question = Study::new().question(0, 1).unwrap();
/// let failure = engines.think("Ghost", &question, &Stop::default(), |_| {}).unwrap_err();
/// assert_eq!(failure.sentence, "Ghost cannot be started.");
/// assert!(failure.detail.contains("No such file"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// For whoever asked: it tells nothing of the machine.
    pub sentence: String,
    /// For whoever runs the house; empty if there is no more to say.
    pub detail: String,
}

impl Failure {
    fn new(sentence: String) -> Failure {
        Failure { sentence, detail: String::new() }
    }

    fn of(name: &str, error: &EngineError) -> Failure {
        let sentence = match error {
            EngineError::NotStarted { .. } => format!("{name} cannot be started."),
            EngineError::Exited { task, .. } => format!("{name} ended when asked to {task}."),
            EngineError::Silent { task, .. } | EngineError::NotListening { task, .. } => {
                format!("{name} was asked to {task} and does not answer; it was ended.")
            }
            EngineError::BadOption { error, .. } => format!("{name}: {error}."),
            EngineError::BadPosition { .. } => format!("{name} cannot think about this position."),
            EngineError::IllegalMove { text, .. } => format!("{name} wants to play {text:?}."),
        };
        Failure { sentence, detail: error.to_string() }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engines {
    /// The engines of a settings file. A path with a folder in it is taken from the folder of the file; without
    /// one the program is looked for where the system looks for programs.
    ///
    /// ```
    /// # use std::path::Path;
    /// # use tabiya_study::Engines;
    /// let error = Engines::read("[[engine]]\nname = \"x\"\n", Path::new("")).err().unwrap();
    /// assert_eq!(error.to_string(), "line 1: missing field `path`");
    /// ```
    pub fn read(text: &str, folder: &Path) -> Result<Engines, EnginesError> {
        Ok(Engines { others: settings::read(text, folder)?, ..Engines::default() })
    }

    /// What they are called, our own first.
    ///
    /// ```
    /// assert_eq!(tabiya_study::Engines::default().names(), ["tabiya"]);
    /// ```
    pub fn names(&self) -> Vec<&str> {
        let others = self.others.iter().map(|(name, _)| name.as_str());
        std::iter::once(OURS).chain(others).collect()
    }

    /// Whether there is one of that name.
    ///
    /// ```
    /// assert!(!tabiya_study::Engines::default().knows("Deep Thought"));
    /// ```
    pub fn knows(&self, name: &str) -> bool {
        self.names().contains(&name)
    }

    /// Has an engine think until it is stopped, and tells whenever it knows more. It ends by itself
    /// after some minutes, or when there is nothing more to find. A program that dies or hangs is killed, and that is
    /// told in a sentence.
    ///
    /// ```
    /// use tabiya_study::{Engines, OURS, Stop, Study};
    ///
    /// let study = Study::from_fen("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")?;
    /// let stop = Stop::default();
    /// let mut best = String::new();
    /// Engines::default().think(OURS, &study.question(0, 1)?, &stop, |report| {
    ///     if let Some(line) = report.lines.first() {
    ///         best = format!("{} {}", line.moves[0].text, line.score);
    ///         stop.stop();
    ///     }
    /// }).unwrap();
    /// assert_eq!(best, "Qg7# #1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn think(
        &self,
        name: &str,
        question: &Question,
        stop: &Stop,
        tell: impl FnMut(&Report),
    ) -> Result<(), Failure> {
        if stop.is_wanted() {
            return Ok(());
        }
        if let Some(over) = think::over(question) {
            return Err(Failure::new(format!("{over}.")));
        }
        if name == OURS {
            self.think_here(question, stop, tell);
            return Ok(());
        }
        let program = self.others.iter().find(|(known, _)| known == name);
        let (_, program) = program
            .ok_or_else(|| Failure::new(format!("There is no engine called {name:.40?}.")))?;
        let known = lock(&self.waiting).remove(name);
        let mut client = match known {
            Some((client, _)) => client,
            None => program.start().map_err(|error| Failure::of(name, &error))?,
        };
        think::theirs(&mut client, question, stop, tell)
            .map_err(|error| Failure::of(name, &error))?;
        lock(&self.waiting).insert(name.to_owned(), (client, Instant::now()));
        Ok(())
    }

    fn think_here(&self, question: &Question, stop: &Stop, tell: impl FnMut(&Report)) {
        let settings =
            Settings { hash_megabytes: HASH, lines: question.lines, ..Settings::default() };
        let known = lock(&self.idle).pop();
        let mut engine = known.unwrap_or_else(|| Engine::new(settings));
        engine.set(settings);
        think::ours(&mut engine, question, stop, tell);
        let mut idle = lock(&self.idle);
        if idle.len() < MOST_IDLE {
            idle.push(engine);
        }
    }

    /// Ends programs that nobody has asked for so long.
    ///
    /// ```
    /// # use std::time::Duration;
    /// tabiya_study::Engines::default().dismiss(Duration::from_secs(60));
    /// ```
    pub fn dismiss(&self, idle: Duration) {
        let mut waiting = lock(&self.waiting);
        let gone: Vec<String> = waiting
            .iter()
            .filter(|(_, (_, since))| since.elapsed() >= idle)
            .map(|(name, _)| name.clone())
            .collect();
        let gone: Vec<_> = gone.iter().filter_map(|name| waiting.remove(name)).collect();
        drop(waiting);
        // Dropped, they are ended; nobody waits for that with the list in hand.
        drop(gone);
    }
}
