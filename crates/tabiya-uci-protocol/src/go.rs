use std::fmt;
use std::time::Duration;

use tabiya_chess::{Color, Game, ParseMoveError};
use tabiya_thinker::{Clocks, Limits, Timer};

use crate::command::Complaints;
use crate::words::{Words, count, shorten, small_count, write_field, write_list};

/// How long to think, and about what: the parameters of `go`.
///
/// The values are those of the GUI, and may make no sense together. Clocks are never negative: a
/// player who has overstepped the time has zero.
///
/// ```
/// use std::time::Duration;
/// use tabiya_uci_protocol::{Command, Go};
///
/// let go = Go { movetime: Some(Duration::from_millis(500)), ..Go::default() };
/// assert_eq!(Command::Go(go.clone()).to_string(), "go movetime 500");
/// assert_eq!(Command::parse("go movetime 500").0, Command::Go(go));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Consider only these moves, if there are any.
    pub searchmoves: Vec<String>,
    /// Think on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The time left to White.
    pub wtime: Option<Duration>,
    /// The time left to Black.
    pub btime: Option<Duration>,
    /// What White gets for a move.
    pub winc: Option<Duration>,
    /// What Black gets for a move.
    pub binc: Option<Duration>,
    /// Moves to the next time control. Some GUIs say 0 when there is none.
    pub movestogo: Option<u32>,
    /// Look so many plies deep.
    pub depth: Option<u32>,
    /// Visit so many positions.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Think exactly so long.
    pub movetime: Option<Duration>,
    /// Think until `stop`.
    pub infinite: bool,
}

const PARAMETERS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Go {
    /// The time left to a player.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_chess::Color;
    /// # use tabiya_uci_protocol::Go;
    /// let go = Go { btime: Some(Duration::from_secs(5)), ..Go::default() };
    /// assert_eq!(go.time(Color::Black), Some(Duration::from_secs(5)));
    /// assert_eq!(go.time(Color::White), None);
    /// ```
    pub fn time(&self, color: Color) -> Option<Duration> {
        match color {
            Color::White => self.wtime,
            Color::Black => self.btime,
        }
    }

    /// What a player gets for each move; zero if nothing was said.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tabiya_chess::Color;
    /// # use tabiya_uci_protocol::Go;
    /// let go = Go { winc: Some(Duration::from_secs(2)), ..Go::default() };
    /// assert_eq!(go.increment(Color::White), Duration::from_secs(2));
    /// assert_eq!(go.increment(Color::Black), Duration::ZERO);
    /// ```
    pub fn increment(&self, color: Color) -> Duration {
        match color {
            Color::White => self.winc,
            Color::Black => self.binc,
        }
        .unwrap_or_default()
    }

    /// The limits of a search about a game, with a timer that runs; and the first of `searchmoves` that is not legal,
    /// with the reason: it is left out.
    ///
    /// ```
    /// # use tabiya_chess::Game;
    /// # use tabiya_uci_protocol::Go;
    /// let go = Go { searchmoves: vec!["e2e4".into(), "e2e5".into()], ..Go::default() };
    /// let (limits, illegal) = go.limits(&Game::new());
    /// assert_eq!(limits.search_moves.len(), 1);
    /// assert_eq!(illegal.unwrap().0, "e2e5");
    /// ```
    pub fn limits(&self, game: &Game) -> (Limits, Option<(String, ParseMoveError)>) {
        let clocks = match (self.wtime, self.btime) {
            (None, None) => None,
            (white, black) => Some(Clocks {
                time: [white.unwrap_or_default(), black.unwrap_or_default()],
                increment: [self.winc.unwrap_or_default(), self.binc.unwrap_or_default()],
                moves_to_go: self.movestogo.filter(|&moves| moves > 0),
            }),
        };
        let (mut search_moves, mut illegal) = (Vec::new(), None);
        for text in &self.searchmoves {
            match game.position().parse_uci(text) {
                Ok(m) => search_moves.push(m),
                Err(reason) => drop(illegal.get_or_insert_with(|| (shorten(text), reason))),
            }
        }
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            movetime: self.movetime,
            clocks,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
            timer: Some(Timer::start()),
            ..Limits::default()
        };
        (limits, illegal)
    }

    /// Reads the words after `go`, in any order. What cannot be understood is left out.
    pub(crate) fn parse(mut words: Words<'_>, complaints: &mut Complaints) -> Go {
        let mut go = Go::default();
        while let Some(parameter) = words.next() {
            match parameter {
                "searchmoves" => go.searchmoves = words.until(&PARAMETERS),
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.wtime = time("wtime", &mut words, complaints).or(go.wtime),
                "btime" => go.btime = time("btime", &mut words, complaints).or(go.btime),
                "winc" => go.winc = time("winc", &mut words, complaints).or(go.winc),
                "binc" => go.binc = time("binc", &mut words, complaints).or(go.binc),
                "movetime" => {
                    go.movetime = time("movetime", &mut words, complaints).or(go.movetime)
                }
                "movestogo" => {
                    go.movestogo =
                        number("movestogo", &mut words, complaints, small_count).or(go.movestogo);
                }
                "depth" => {
                    go.depth = number("depth", &mut words, complaints, small_count).or(go.depth);
                }
                "nodes" => go.nodes = number("nodes", &mut words, complaints, count).or(go.nodes),
                "mate" => go.mate = number("mate", &mut words, complaints, small_count).or(go.mate),
                unknown => complaints.unknown_parameter("go", unknown),
            }
        }
        go
    }
}

fn time(
    parameter: &'static str,
    words: &mut Words<'_>,
    complaints: &mut Complaints,
) -> Option<Duration> {
    number(parameter, words, complaints, count).map(Duration::from_millis)
}

/// The number after a parameter. A word that is a parameter itself is not taken for one.
fn number<T>(
    parameter: &'static str,
    words: &mut Words<'_>,
    complaints: &mut Complaints,
    read: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let word = words.peek().filter(|word| !PARAMETERS.contains(word));
    if word.is_some() {
        words.next();
    }
    let number = word.and_then(read);
    if number.is_none() {
        complaints.bad_number("go", parameter, word);
    }
    number
}

impl fmt::Display for Go {
    /// The whole command: `go depth 12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis());
        f.write_str("go")?;
        write_list(f, "searchmoves", &self.searchmoves)?;
        f.write_str(if self.ponder { " ponder" } else { "" })?;
        write_field(f, "wtime", milliseconds(self.wtime))?;
        write_field(f, "btime", milliseconds(self.btime))?;
        write_field(f, "winc", milliseconds(self.winc))?;
        write_field(f, "binc", milliseconds(self.binc))?;
        write_field(f, "movestogo", self.movestogo)?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "mate", self.mate)?;
        write_field(f, "movetime", milliseconds(self.movetime))?;
        f.write_str(if self.infinite { " infinite" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;

    fn go(line: &str) -> (Go, Vec<String>) {
        let (command, complaints) = Command::parse(line);
        let Command::Go(go) = command else { panic!("{line} gives {command:?}") };
        (go, complaints.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_parameter_in_any_order() {
        let line = "go infinite mate 4 searchmoves e2e4 d2d4 nodes 5 depth 6 movestogo 7 binc 8 \
                    winc 9 btime 10 wtime 11 ponder movetime 12";
        let (go, complaints) = go(line);
        assert!(complaints.is_empty());
        let ms = Duration::from_millis;
        let expected = Go {
            searchmoves: vec!["e2e4".into(), "d2d4".into()],
            ponder: true,
            wtime: Some(ms(11)),
            btime: Some(ms(10)),
            winc: Some(ms(9)),
            binc: Some(ms(8)),
            movestogo: Some(7),
            depth: Some(6),
            nodes: Some(5),
            mate: Some(4),
            movetime: Some(ms(12)),
            infinite: true,
        };
        assert_eq!(go, expected);
    }

    #[test]
    fn clocks_below_zero_are_zero_and_huge_ones_saturate() {
        let (go, complaints) =
            go("go wtime -250 btime 0 nodes 99999999999999999999 depth 5000000000");
        assert!(complaints.is_empty());
        assert_eq!((go.wtime, go.btime), (Some(Duration::ZERO), Some(Duration::ZERO)));
        assert_eq!((go.nodes, go.depth), (Some(u64::MAX), Some(u32::MAX)));
    }

    #[test]
    fn what_is_no_number_is_reported_and_left_out() {
        let (understood, complaints) = go("go depth x wtime 1e3 btime 77 movetime");
        assert_eq!(understood, Go { btime: Some(Duration::from_millis(77)), ..Go::default() });
        assert_eq!(
            complaints,
            [
                "go: depth needs a number, not \"x\"",
                "go: wtime needs a number, not \"1e3\"",
                "go: movetime needs a number"
            ]
        );
        // The word after it is a parameter of its own, not a bad number.
        let (understood, complaints) = go("go depth infinite");
        assert!(understood.infinite);
        assert_eq!(complaints, ["go: depth needs a number"]);
    }

    #[test]
    fn strange_words_are_passed_over_with_few_complaints() {
        let (understood, complaints) = go(&format!("go {} depth 4", "please ".repeat(1000)));
        assert_eq!(understood.depth, Some(4));
        assert_eq!(complaints, ["go: \"please\" is not a parameter"]);
        let (_, complaints) = go(&format!("go {}", "depth x ".repeat(1000)));
        assert!(complaints.len() < 10);
    }

    #[test]
    fn moves_to_consider_must_be_legal() {
        let (go, _) = go("go searchmoves e2e4 e2e5 depth 2");
        assert_eq!(go.searchmoves, ["e2e4", "e2e5"]);
        let (limits, illegal) = go.limits(&Game::new());
        assert_eq!((limits.search_moves.len(), illegal.unwrap().0), (1, "e2e5".to_owned()));
    }
}
