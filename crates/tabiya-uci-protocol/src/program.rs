use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use crate::{Client, EngineError};

/// An engine to start: a program that speaks UCI.
///
/// ```
/// use tabiya_uci_protocol::Program;
///
/// # let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reed.sh").to_owned();
/// let program = Program {
///     args: vec![script],
///     options: vec![("Threads".into(), Some("2".into()))],
///     ..Program::new("sh")
/// };
/// let engine = program.start()?;
/// assert_eq!((engine.name(), engine.author()), ("Reed 2", "a shell"));
/// # Ok::<(), tabiya_uci_protocol::EngineError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The program: a path, or a name to look for where the system looks for programs.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder to run it in, if not ours.
    pub dir: Option<PathBuf>,
    /// Options to set at the start; buttons have no value.
    pub options: Vec<(String, Option<String>)>,
    /// How long to wait for an answer that should come at once: `uciok`, `readyok`, `bestmove` after
    /// `stop`, the end after `quit`.
    pub patience: Duration,
}

impl Program {
    /// A program without arguments or options, and a patience of ten seconds.
    pub fn new(path: impl Into<PathBuf>) -> Program {
        Program {
            path: path.into(),
            args: Vec::new(),
            dir: None,
            options: Vec::new(),
            patience: Duration::from_secs(10),
        }
    }

    /// Starts the program, gets to know it and sets its options.
    ///
    /// ```
    /// # use tabiya_uci_protocol::Program;
    /// // `true` ends at once, without a word.
    /// let error = Program::new("true").start().unwrap_err();
    /// assert_eq!(error.to_string(), "true ended when asked to begin (exit status: 0)");
    /// ```
    pub fn start(&self) -> Result<Client, EngineError> {
        let mut process = Process::new(&self.path);
        process.args(&self.args);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            process.current_dir(dir);
        }
        let engine = self.path.file_stem().unwrap_or(self.path.as_os_str());
        let engine = engine.to_string_lossy().into_owned();
        let not_started = |reason: std::io::Error| EngineError::NotStarted {
            engine: engine.clone(),
            reason: reason.to_string(),
        };
        let child = process.spawn().map_err(not_started)?;
        let mut client = Client::new(engine.clone(), child, self.patience).map_err(not_started)?;
        client.begin()?;
        for (name, value) in &self.options {
            client.set_option(name, value.as_deref())?;
        }
        client.get_ready()?;
        Ok(client)
    }
}
