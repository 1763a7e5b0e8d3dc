use std::fmt;

use crate::words::{Words, shorten, small_count};
use crate::{Go, PositionCommand};

/// What a GUI says to an engine.
///
/// ```
/// use tabiya_uci_protocol::Command;
///
/// let (command, complaints) = Command::parse("setoption name Clear Hash");
/// assert_eq!(command, Command::SetOption { name: "Clear Hash".into(), value: None });
/// assert_eq!(command.to_string(), "setoption name Clear Hash");
/// assert!(complaints.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Begin the conversation: who are you, what can be set?
    Uci,
    /// Say more, or less, of what you do.
    Debug(bool),
    /// Say `readyok` once all before is done.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name, in any case of letters.
        name: String,
        /// Its value; none for a button. Empty is written `<empty>`.
        value: Option<String>,
    },
    /// Register the engine, with what follows: `later`, or `name … code …`.
    Register(String),
    /// What comes next is from another game.
    NewGame,
    /// The game to think about.
    Position(PositionCommand),
    /// Think.
    Go(Go),
    /// Stop thinking and say what you found.
    Stop,
    /// The opponent made the move you were pondering on.
    PonderHit,
    /// End.
    Quit,
    /// `go perft N`: count the ways to play so many plies.
    Perft(u32),
    /// `d`: draw the board. Ours, as the next two; Stockfish has them too.
    Display,
    /// `eval`: explain the evaluation.
    Eval,
    /// `bench`: search a fixed set of positions, to a depth.
    Bench(Option<u32>),
    /// Something else (cut short if long), to be ignored.
    Unknown(String),
    /// An empty line.
    Empty,
}

/// Words that are commands wherever they stand in a line: what comes before them is skipped, as the
/// protocol asks.
const STANDARD: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

impl Command {
    /// Reads a line. There is always a command; what was left out of it is complained about.
    ///
    /// Words before a command are skipped: `joho debug on` means `debug on`.
    ///
    /// ```
    /// # use tabiya_uci_protocol::{Command, Complaint};
    /// assert_eq!(Command::parse("joho debug on").0, Command::Debug(true));
    ///
    /// let (command, complaints) = Command::parse("castle at once");
    /// assert_eq!(command, Command::Unknown("castle at once".into()));
    /// assert_eq!(complaints[0].to_string(), "\"castle at once\" is not a command");
    /// ```
    pub fn parse(line: &str) -> (Command, Vec<Complaint>) {
        let mut complaints = Complaints::default();
        let command = Command::parse_with(line, &mut complaints).unwrap_or_else(|| {
            let text = shorten(line);
            complaints.unknown_command(&text);
            Command::Unknown(text)
        });
        (command, complaints.0)
    }

    /// The command of a line; none if there is none, or it lacks what makes it one.
    fn parse_with(line: &str, complaints: &mut Complaints) -> Option<Command> {
        let mut words = Words::new(line);
        let Some(first) = words.next() else { return Some(Command::Empty) };
        match first {
            "d" => return Some(Command::Display),
            "eval" => return Some(Command::Eval),
            "bench" => return Some(Command::Bench(bench_depth(words, complaints))),
            _ => {}
        }
        let mut words = Words::new(line);
        let command = words.find(|word| STANDARD.contains(word))?;
        match command {
            "uci" => Some(Command::Uci),
            "debug" => debug(words, complaints),
            "isready" => Some(Command::IsReady),
            "setoption" => set_option(words, complaints),
            "register" => Some(Command::Register(words.rest().to_owned())),
            "ucinewgame" => Some(Command::NewGame),
            "position" => Some(Command::Position(PositionCommand::parse(words))),
            "go" if words.peek() == Some("perft") => perft(words, complaints),
            "go" => Some(Command::Go(Go::parse(words, complaints))),
            "stop" => Some(Command::Stop),
            "ponderhit" => Some(Command::PonderHit),
            "quit" => Some(Command::Quit),
            _ => None,
        }
    }
}

fn debug(mut words: Words<'_>, complaints: &mut Complaints) -> Option<Command> {
    match words.next() {
        Some("on") => Some(Command::Debug(true)),
        Some("off") => Some(Command::Debug(false)),
        other => {
            complaints.push(Complaint::BadSwitch(shorten(other.unwrap_or_default())));
            None
        }
    }
}

/// `name` and `value` are words of one or more words; a value may keep its spaces.
fn set_option(mut words: Words<'_>, complaints: &mut Complaints) -> Option<Command> {
    words.find(|&word| word == "name");
    let name = words.until(&["value"]).join(" ");
    if name.is_empty() {
        complaints.push(Complaint::NoOptionName);
        return None;
    }
    let value = words.next().map(|_| match words.rest() {
        "<empty>" => String::new(),
        value => value.to_owned(),
    });
    Some(Command::SetOption { name, value })
}

fn perft(mut words: Words<'_>, complaints: &mut Complaints) -> Option<Command> {
    words.next();
    let word = words.next();
    let depth = word.and_then(small_count);
    if depth.is_none() {
        complaints.bad_number("go", "perft", word);
    }
    depth.map(Command::Perft)
}

fn bench_depth(mut words: Words<'_>, complaints: &mut Complaints) -> Option<u32> {
    let word = words.next()?;
    let depth = small_count(word);
    if depth.is_none() {
        complaints.bad_number("bench", "depth", Some(word));
    }
    depth
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => f.write_str(if *on { "debug on" } else { "debug off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                let value = if value.is_empty() { "<empty>" } else { value };
                write!(f, "setoption name {name} value {value}")
            }
            Command::Register(how) if how.is_empty() => f.write_str("register"),
            Command::Register(how) => write!(f, "register {how}"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position(position) => position.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Perft(depth) => write!(f, "go perft {depth}"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Bench(None) => f.write_str("bench"),
            Command::Bench(Some(depth)) => write!(f, "bench {depth}"),
            Command::Unknown(text) => f.write_str(text),
            Command::Empty => Ok(()),
        }
    }
}

/// What was not understood of a [`Command`].
///
/// ```
/// use tabiya_uci_protocol::{Command, Complaint};
///
/// let (_, complaints) = Command::parse("debug perhaps");
/// assert_eq!(complaints, [Complaint::BadSwitch("perhaps".into())]);
/// assert_eq!(complaints[0].to_string(), "debug is on or off, not \"perhaps\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Complaint {
    /// There is no command in the line (cut short if long).
    UnknownCommand(String),
    /// A parameter does not have its number.
    BadNumber {
        /// The command.
        command: &'static str,
        /// Its parameter, which is left out.
        parameter: &'static str,
        /// What stands there (cut short if long), if anything does.
        found: Option<String>,
    },
    /// A word that the command does not have; only the first is told.
    UnknownParameter {
        /// The command.
        command: &'static str,
        /// The word (cut short if long).
        found: String,
    },
    /// `debug` with something other than `on` or `off`.
    BadSwitch(String),
    /// `setoption` without the name of an option.
    NoOptionName,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::UnknownCommand(text) => write!(f, "{text:?} is not a command"),
            Complaint::BadNumber { command, parameter, found: None } => {
                write!(f, "{command}: {parameter} needs a number")
            }
            Complaint::BadNumber { command, parameter, found: Some(found) } => {
                write!(f, "{command}: {parameter} needs a number, not {found:?}")
            }
            Complaint::UnknownParameter { command, found } => {
                write!(f, "{command}: {found:?} is not a parameter")
            }
            Complaint::BadSwitch(found) => write!(f, "debug is on or off, not {found:?}"),
            Complaint::NoOptionName => f.write_str("setoption needs the name of an option"),
        }
    }
}

impl std::error::Error for Complaint {}

/// The complaints about one line: a few, however long the line.
#[derive(Default)]
pub(crate) struct Complaints(Vec<Complaint>);

impl Complaints {
    const MOST: usize = 8;

    fn push(&mut self, complaint: Complaint) {
        if self.0.len() < Complaints::MOST {
            self.0.push(complaint);
        }
    }

    pub(crate) fn bad_number(
        &mut self,
        command: &'static str,
        parameter: &'static str,
        found: Option<&str>,
    ) {
        let found = found.map(shorten);
        self.push(Complaint::BadNumber { command, parameter, found });
    }

    pub(crate) fn unknown_parameter(&mut self, command: &'static str, found: &str) {
        let is_same_kind = |other: &Complaint| matches!(other, Complaint::UnknownParameter { .. });
        if !self.0.iter().any(is_same_kind) {
            self.push(Complaint::UnknownParameter { command, found: shorten(found) });
        }
    }

    /// A line without a command, unless it is known already why it has none.
    fn unknown_command(&mut self, text: &str) {
        if self.0.is_empty() {
            self.push(Complaint::UnknownCommand(text.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        let (command, complaints) = Command::parse(line);
        assert!(complaints.is_empty(), "{line}: {complaints:?}");
        command
    }

    fn complaint(line: &str) -> String {
        let (_, complaints) = Command::parse(line);
        assert_eq!(complaints.len(), 1, "{line}");
        complaints[0].to_string()
    }

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption { name: name.into(), value: value.map(Into::into) }
    }

    #[test]
    fn the_plain_commands() {
        for (line, expected) in [
            ("uci", Command::Uci),
            ("debug on", Command::Debug(true)),
            ("debug off", Command::Debug(false)),
            ("isready", Command::IsReady),
            ("register later", Command::Register("later".into())),
            ("ucinewgame", Command::NewGame),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("go perft 5", Command::Perft(5)),
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("bench", Command::Bench(None)),
            ("bench 9", Command::Bench(Some(9))),
            ("", Command::Empty),
        ] {
            assert_eq!(command(line), expected);
            assert_eq!(expected.to_string(), line);
        }
        assert_eq!(command(" \t uci \r"), Command::Uci);
        assert_eq!(command("   "), Command::Empty);
    }

    #[test]
    fn words_before_a_standard_command_are_skipped() {
        assert_eq!(command("joho debug on"), Command::Debug(true));
        assert_eq!(command("well then isready"), Command::IsReady);
        // Our own short words are commands only where they begin the line.
        assert_eq!(complaint("draw me a d"), "\"draw me a d\" is not a command");
    }

    #[test]
    fn option_names_and_values_have_spaces() {
        assert_eq!(command("setoption name Hash value 64"), option("Hash", Some("64")));
        assert_eq!(command("setoption name Clear  Hash"), option("Clear Hash", None));
        assert_eq!(
            command("setoption name Debug Log File value /tmp/my  log.txt"),
            option("Debug Log File", Some("/tmp/my  log.txt"))
        );
        let empty = option("SyzygyPath", Some(""));
        assert_eq!(command("setoption name SyzygyPath value <empty>"), empty);
        assert_eq!(command("setoption name SyzygyPath value"), empty);
        assert_eq!(empty.to_string(), "setoption name SyzygyPath value <empty>");
    }

    #[test]
    fn what_lacks_its_parts_is_no_command() {
        assert_eq!(complaint("setoption"), "setoption needs the name of an option");
        assert_eq!(complaint("setoption Hash 12"), "setoption needs the name of an option");
        assert_eq!(complaint("setoption name value 3"), "setoption needs the name of an option");
        assert_eq!(complaint("debug"), "debug is on or off, not \"\"");
        assert_eq!(complaint("go perft deep"), "go: perft needs a number, not \"deep\"");
        assert_eq!(complaint("go perft"), "go: perft needs a number");
        assert_eq!(complaint("bench deep"), "bench: depth needs a number, not \"deep\"");
        assert_eq!(Command::parse("bench deep").0, Command::Bench(None));
    }

    #[test]
    fn complaints_are_short_and_printable() {
        let line = format!("{}\0\u{1b}[2J", "long ".repeat(1000));
        assert!(complaint(&line).chars().count() < 100);
        assert!(!complaint("\0\u{1b}[2J\u{7}").contains(char::is_control));
    }
}
