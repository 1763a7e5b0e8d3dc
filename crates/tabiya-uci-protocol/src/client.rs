use std::collections::HashMap;
use std::fmt;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{RecvTimeoutError, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_base::Stop;

use crate::pipes::Pipes;
use crate::words::{one_line, shorten};
use crate::{
    BestMove, Command, EngineError, EngineTask, Go, InfoMessage, Message, OptionError, OptionSpec,
    PositionCommand,
};

/// Another engine at our service. See [`Program::start`](crate::Program::start).
///
/// Nothing that the engine does can make a call here wait for longer than it says. After a failure the
/// program is killed, and every further call gives the same error; when the client is dropped, the
/// program is killed too.
///
/// ```
/// use std::time::Duration;
/// use tabiya_uci_protocol::{Go, PositionCommand, Program, Stop};
///
/// # let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reed.sh").to_owned();
/// # let program = Program { args: vec![script], ..Program::new("sh") };
/// let mut engine = program.start()?;
/// engine.new_game()?;
/// let go = Go { depth: Some(12), ..Go::default() };
/// let start = PositionCommand::default();
/// let answer = engine.go(&start, &go, Duration::from_secs(60), &Stop::default(), |info| println!("{info}"))?;
/// assert_eq!(answer.best_move.to_string(), "bestmove e2e4 ponder e7e5");
/// engine.quit()?;
/// # Ok::<(), tabiya_uci_protocol::EngineError>(())
/// ```
pub struct Client {
    name: String,
    author: String,
    options: Vec<OptionSpec>,
    /// What we have set since the start.
    pub(crate) current: HashMap<String, String>,
    child: Child,
    pipes: Pipes,
    patience: Duration,
    /// What the engine said last.
    last_message: Option<Message>,
    failure: Option<EngineError>,
}

/// The end of a search.
///
/// ```
/// use std::time::Duration;
/// use tabiya_uci_protocol::{EngineAnswer, BestMove};
///
/// let answer = EngineAnswer { best_move: BestMove::new("e2e4"), elapsed: Duration::from_millis(80) };
/// assert_eq!(answer.best_move.best.as_deref(), Some("e2e4"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineAnswer {
    /// The move, which is legal, and perhaps one to ponder on, which need not be.
    pub best_move: BestMove,
    /// From the moment the engine was told to go.
    pub elapsed: Duration,
}

/// How often we look whether the engine still lives, and whether it shall stop.
const GLANCE: Duration = Duration::from_millis(10);
/// How long the last lines of an engine that has ended may take to reach us.
const ECHO: Duration = Duration::from_millis(200);
/// More options than any engine has.
const MOST_OPTIONS: usize = 4096;

impl Client {
    pub(crate) fn new(name: String, mut child: Child, patience: Duration) -> io::Result<Client> {
        let pipes = match Pipes::new(&mut child) {
            Ok(pipes) => pipes,
            Err(error) => {
                end(&mut child);
                return Err(error);
            }
        };
        Ok(Client {
            name,
            author: String::new(),
            options: Vec::new(),
            current: HashMap::new(),
            child,
            pipes,
            patience,
            last_message: None,
            failure: None,
        })
    }

    /// The engine's name: what it calls itself, or the name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Who made it; empty if it does not say.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// The options that it offers.
    pub fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// Asks who is there.
    pub(crate) fn begin(&mut self) -> Result<(), EngineError> {
        self.send(&Command::Uci, EngineTask::Begin)?;
        let deadline = Deadline::after(self.patience);
        loop {
            match self.hear(EngineTask::Begin, deadline)? {
                Message::IdName(name) if !name.is_empty() => self.name = shorten(&name),
                Message::IdAuthor(author) => self.author = shorten(&author),
                Message::Option(option) if self.options.len() < MOST_OPTIONS => {
                    self.options.push(option);
                }
                Message::UciOk => return Ok(()),
                _ => {}
            }
        }
    }

    /// Waits until the engine has done all it was told. What it says meanwhile is old news.
    pub(crate) fn get_ready(&mut self) -> Result<(), EngineError> {
        self.send(&Command::IsReady, EngineTask::GetReady)?;
        let deadline = Deadline::after(self.patience);
        while self.hear(EngineTask::GetReady, deadline)? != Message::ReadyOk {}
        Ok(())
    }

    /// Sets an option that the engine offers, to a value that it allows.
    ///
    /// ```
    /// # use tabiya_uci_protocol::Program;
    /// # let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reed.sh").to_owned();
    /// # let program = Program { args: vec![script], ..Program::new("sh") };
    /// # let mut engine = program.start().unwrap();
    /// engine.set_option("Threads", Some("2"))?;
    /// engine.set_option("Clear Hash", None)?;
    /// assert_eq!(
    ///     engine.set_option("Thread", Some("2")).unwrap_err().to_string(),
    ///     "Reed 2: there is no option \"Thread\""
    /// );
    /// # Ok::<(), tabiya_uci_protocol::EngineError>(())
    /// ```
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let option = self.options.iter().find(|option| option.is_named(name));
        let checked = match option {
            Some(option) => option.read(value).map(|_| option.name.clone()),
            None => Err(OptionError::Unknown(shorten(name))),
        };
        let name =
            checked.map_err(|error| EngineError::BadOption { engine: self.name.clone(), error })?;
        let value = value.map(str::to_owned);
        self.send(&Command::SetOption { name, value }, EngineTask::GetReady)
    }

    /// Tells that what comes next is from another game, and waits until the engine is ready for it.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.send(&Command::NewGame, EngineTask::GetReady)?;
        self.get_ready()
    }

    /// Has the engine think about a game, and returns its move.
    ///
    /// If there is none when the limit has passed, the engine is told to stop, and then has no more
    /// than our patience ([`Program::patience`](crate::Program::patience)) to say it. With the limit
    /// `Duration::MAX` the engine may think until it is stopped.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_chess::Game;
    /// # use tabiya_uci_protocol::{Go, PositionCommand, Program, Stop};
    /// # let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reed.sh").to_owned();
    /// # let program = Program { args: vec![script], ..Program::new("sh") };
    /// # let mut engine = program.start()?;
    /// let position = PositionCommand::from_game(&Game::new(), false);
    /// let go = Go { movetime: Some(Duration::from_millis(100)), ..Go::default() };
    /// let answer = engine.go(&position, &go, Duration::from_millis(100), &Stop::default(), |_| {})?;
    /// assert!(answer.elapsed < Duration::from_secs(5));
    /// # Ok::<(), tabiya_uci_protocol::EngineError>(())
    /// ```
    pub fn go(
        &mut self,
        position: &PositionCommand,
        go: &Go,
        limit: Duration,
        stop: &Stop,
        mut on_info: impl FnMut(&InfoMessage),
    ) -> Result<EngineAnswer, EngineError> {
        let game = position
            .resolve()
            .map_err(|error| EngineError::BadPosition { engine: self.name.clone(), error })?;
        self.send(&Command::Position(position.clone()), EngineTask::GetReady)?;
        self.get_ready()?;
        self.send(&Command::Go(go.clone()), EngineTask::Think)?;

        let start = Instant::now();
        let mut deadline = Deadline::after(limit);
        let mut is_stopped = false;
        let best_move = loop {
            let wants_stop = deadline.has_passed() || stop.is_stopped();
            if wants_stop && !is_stopped {
                is_stopped = true;
                self.send(&Command::Stop, EngineTask::Think)?;
                deadline = Deadline::after(self.patience);
            }
            match self.hear_soon(EngineTask::Think)? {
                Some(Message::Info(info)) => on_info(&info),
                Some(Message::BestMove(best_move)) => break best_move,
                _ => {}
            }
            if is_stopped && deadline.has_passed() {
                return Err(self.silent(EngineTask::Think, start.elapsed()));
            }
        };
        let elapsed = start.elapsed();
        if let Some(text) = &best_move.best
            && let Err(reason) = game.position().parse_uci(text)
        {
            let (engine, text) = (self.name.clone(), shorten(text));
            return Err(EngineError::IllegalMove { engine, text, reason });
        }
        Ok(EngineAnswer { best_move, elapsed })
    }

    /// Asks the engine to end, and waits until it has. One that does not is killed, and that is an
    /// error.
    pub fn quit(mut self) -> Result<(), EngineError> {
        self.send(&Command::Quit, EngineTask::Quit)?;
        let deadline = Deadline::after(self.patience);
        while !deadline.has_passed() {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return Ok(());
            }
            // What it has to say may stand in its way.
            if let Err(RecvTimeoutError::Disconnected) = self.pipes.from.recv_timeout(GLANCE) {
                thread::sleep(GLANCE);
            }
        }
        Err(self.silent(EngineTask::Quit, self.patience))
    }

    fn send(&mut self, command: &Command, task: EngineTask) -> Result<(), EngineError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        match self.pipes.to.try_send(one_line(&command.to_string()) + "\n") {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                let engine = self.name.clone();
                Err(self.fail(EngineError::NotListening { engine, task }))
            }
            Err(TrySendError::Disconnected(_)) => Err(self.ended(task)),
        }
    }

    /// The next message before a deadline.
    fn hear(&mut self, task: EngineTask, deadline: Deadline) -> Result<Message, EngineError> {
        while !deadline.has_passed() {
            if let Some(message) = self.hear_soon(task)? {
                return Ok(message);
            }
        }
        Err(self.silent(task, self.patience))
    }

    /// The next message, if there is one within a glance.
    fn hear_soon(&mut self, task: EngineTask) -> Result<Option<Message>, EngineError> {
        let heard = match self.pipes.from.recv_timeout(GLANCE) {
            // It may have spoken just before its end.
            Err(RecvTimeoutError::Timeout) if matches!(self.child.try_wait(), Ok(Some(_))) => {
                self.pipes.from.recv_timeout(ECHO).map_err(|_| RecvTimeoutError::Disconnected)
            }
            heard => heard,
        };
        match heard {
            Ok(message) => {
                self.last_message = Some(message.clone());
                Ok(Some(message))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended(task)),
        }
    }

    /// The error of a program that closed its pipes, which is nearly always its end.
    fn ended(&mut self, task: EngineTask) -> EngineError {
        let mut status = None;
        let mut waited = Duration::ZERO;
        while waited < ECHO && (status.is_none() || !self.pipes.is_all_said()) {
            status = self.child.try_wait().ok().flatten();
            thread::sleep(GLANCE);
            waited += GLANCE;
        }
        let closed = || "it closed a pipe".to_owned();
        let status = status.as_ref().map_or_else(closed, ExitStatus::to_string);
        let last_words = self.pipes.last_words();
        let engine = self.name.clone();
        self.fail(EngineError::Exited { engine, task, status, last_words })
    }

    fn silent(&mut self, task: EngineTask, waited: Duration) -> EngineError {
        let last_line = self.last_message.as_ref().map(|message| shorten(&message.to_string()));
        let engine = self.name.clone();
        self.fail(EngineError::Silent { engine, task, waited, last_line })
    }

    /// From here on, nothing the engine says can be trusted to be an answer.
    fn fail(&mut self, error: EngineError) -> EngineError {
        end(&mut self.child);
        self.failure = Some(error.clone());
        error
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Kills a program, if it still runs, and waits for its end, so that nothing of it is left.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// A moment not to be missed; none if it is further away than time can be told.
#[derive(Clone, Copy)]
struct Deadline(Option<Instant>);

impl Deadline {
    fn after(time: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(time))
    }

    fn has_passed(self) -> bool {
        self.0.is_some_and(|moment| Instant::now() >= moment)
    }
}
