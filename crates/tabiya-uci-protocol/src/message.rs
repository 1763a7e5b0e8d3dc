use std::fmt;

use crate::words::Words;
use crate::{InfoMessage, OptionSpec};

/// What an engine says to a GUI.
///
/// ```
/// use tabiya_uci_protocol::{BestMove, Message};
///
/// let best = BestMove { best: Some("e2e4".into()), ponder: Some("e7e5".into()) };
/// assert_eq!(Message::parse("bestmove e2e4 ponder e7e5"), Message::BestMove(best));
/// assert_eq!(Message::parse("hello there"), Message::Other("hello there".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// The engine's name.
    IdName(String),
    /// The engine's authors.
    IdAuthor(String),
    /// All options have been told: the engine speaks UCI.
    UciOk,
    /// All that was asked for before is done.
    ReadyOk,
    /// The end of a search.
    BestMove(BestMove),
    /// How the check of the copy protection goes.
    CopyProtection(Check),
    /// How the check of the registration goes.
    Registration(Check),
    /// An option that can be set.
    Option(OptionSpec),
    /// News from the search.
    Info(InfoMessage),
    /// Anything else: no part of the protocol, to be ignored.
    Other(String),
}

/// The move that an engine has chosen.
///
/// ```
/// use tabiya_uci_protocol::BestMove;
///
/// let nothing = BestMove { best: None, ponder: None };
/// assert_eq!(nothing.to_string(), "bestmove 0000");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BestMove {
    /// The move; none (`0000`, and `(none)` from some engines) if there is no move to make.
    pub best: Option<String>,
    /// The answer it expects, to ponder on.
    pub ponder: Option<String>,
}

/// How far a check of copy protection or registration has come.
///
/// ```
/// use tabiya_uci_protocol::{Check, Message};
///
/// assert_eq!(Message::parse("registration error"), Message::Registration(Check::Error));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// Not known yet.
    Checking,
    /// All is well.
    Ok,
    /// The engine may refuse to work.
    Error,
}

impl Message {
    /// Reads a line. What is no message, or lacks its parts, is [`Message::Other`]: engines print
    /// greetings and more.
    ///
    /// ```
    /// # use tabiya_uci_protocol::Message;
    /// assert_eq!(Message::parse("id name My Engine 2"), Message::IdName("My Engine 2".into()));
    /// assert_eq!(Message::parse("readyok"), Message::ReadyOk);
    /// ```
    pub fn parse(line: &str) -> Message {
        Message::parse_known(line).unwrap_or_else(|| Message::Other(line.trim().to_owned()))
    }

    fn parse_known(line: &str) -> Option<Message> {
        let mut words = Words::new(line);
        match words.next()? {
            "id" => match words.next()? {
                "name" => Some(Message::IdName(words.rest().to_owned())),
                "author" => Some(Message::IdAuthor(words.rest().to_owned())),
                _ => None,
            },
            "uciok" => Some(Message::UciOk),
            "readyok" => Some(Message::ReadyOk),
            "bestmove" => BestMove::parse(words).map(Message::BestMove),
            "copyprotection" => Check::parse(words).map(Message::CopyProtection),
            "registration" => Check::parse(words).map(Message::Registration),
            "option" => OptionSpec::parse(words).map(Message::Option),
            "info" => Some(Message::Info(InfoMessage::parse(words))),
            _ => None,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::IdName(name) => write!(f, "id name {name}"),
            Message::IdAuthor(author) => write!(f, "id author {author}"),
            Message::UciOk => f.write_str("uciok"),
            Message::ReadyOk => f.write_str("readyok"),
            Message::BestMove(best) => best.fmt(f),
            Message::CopyProtection(check) => write!(f, "copyprotection {check}"),
            Message::Registration(check) => write!(f, "registration {check}"),
            Message::Option(option) => write!(f, "option {option}"),
            Message::Info(info) => write!(f, "info {info}"),
            Message::Other(text) => f.write_str(text),
        }
    }
}

impl BestMove {
    /// A move without one to ponder on.
    pub fn new(best: impl Into<String>) -> BestMove {
        BestMove { best: Some(best.into()), ponder: None }
    }

    fn parse(mut words: Words<'_>) -> Option<BestMove> {
        let is_move = |word: &&str| !["0000", "(none)", "NULL"].contains(word);
        let best = Some(words.next()?).filter(is_move).map(str::to_owned);
        words.find(|&word| word == "ponder");
        let ponder = words.next().filter(is_move).map(str::to_owned);
        Some(BestMove { best, ponder })
    }
}

impl fmt::Display for BestMove {
    /// The whole message: `bestmove e2e4 ponder e7e5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}", self.best.as_deref().unwrap_or("0000"))?;
        self.ponder.as_ref().map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
    }
}

impl Check {
    fn parse(mut words: Words<'_>) -> Option<Check> {
        match words.next()? {
            "checking" => Some(Check::Checking),
            "ok" => Some(Check::Ok),
            "error" => Some(Check::Error),
            _ => None,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Check::Checking => "checking",
            Check::Ok => "ok",
            Check::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_written_as_they_are_read() {
        for line in [
            "id name Stockfish 15.1",
            "id author the Stockfish developers (see AUTHORS file)",
            "uciok",
            "readyok",
            "bestmove e7e8q",
            "bestmove e2e4 ponder e7e5",
            "bestmove 0000",
            "copyprotection checking",
            "copyprotection ok",
            "registration error",
        ] {
            let message = Message::parse(line);
            assert!(!matches!(message, Message::Other(_)), "{line}");
            assert_eq!(message.to_string(), line);
        }
    }

    #[test]
    fn no_move_is_written_in_several_ways() {
        for line in
            ["bestmove 0000", "bestmove (none)", "bestmove NULL", "bestmove (none) ponder (none)"]
        {
            assert_eq!(Message::parse(line), Message::BestMove(BestMove::default()), "{line}");
        }
    }

    #[test]
    fn the_rest_is_only_text() {
        for line in
            ["", "id", "id colour red", "bestmove", "registration", "copyprotection maybe", "ok"]
        {
            assert_eq!(Message::parse(line), Message::Other(line.to_owned()));
        }
    }
}
