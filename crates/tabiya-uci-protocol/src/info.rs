use std::fmt;
use std::time::Duration;

use tabiya_base::{Bound, Score, Wdl};

use crate::words::{Words, count, integer, small_count, write_field, write_list};

/// What an engine tells while it thinks: the fields of `info`, each of which may be missing.
///
/// ```
/// use tabiya_uci_protocol::{InfoMessage, Message, Score};
///
/// let info = InfoMessage {
///     depth: Some(12),
///     score: Some(Score::Centipawns(35)),
///     pv: vec!["e2e4".into()],
///     ..InfoMessage::default()
/// };
/// assert_eq!(Message::Info(info).to_string(), "info depth 12 score cp 35 pv e2e4");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoMessage {
    /// How deep it looked at everything, in plies.
    pub depth: Option<u32>,
    /// How deep it looked at the most forced lines.
    pub seldepth: Option<u32>,
    /// Which of several lines this is, from 1, the best.
    pub multipv: Option<u32>,
    /// The score for the side to move.
    pub score: Option<Score>,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The chances that go with the score.
    pub wdl: Option<Wdl>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// The time spent.
    pub time: Option<Duration>,
    /// How busy the processor is, in thousandths.
    pub cpuload: Option<u32>,
    /// The move that is being looked at.
    pub currmove: Option<String>,
    /// Which move that is, from 1.
    pub currmovenumber: Option<u32>,
    /// The line that is being looked at.
    pub currline: Option<CurrentLine>,
    /// A move, and the line that refutes it.
    pub refutation: Vec<String>,
    /// The best line.
    pub pv: Vec<String>,
    /// Anything, to be shown to the user.
    pub string: Option<String>,
}

/// The line that an engine is looking at.
///
/// ```
/// use tabiya_uci_protocol::{CurrentLine, Message};
///
/// let Message::Info(info) = Message::parse("info currline 2 e2e4 e7e5") else { panic!() };
/// let line = CurrentLine { cpu: Some(2), moves: vec!["e2e4".into(), "e7e5".into()] };
/// assert_eq!(info.currline, Some(line));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CurrentLine {
    /// The number of the processor that looks at it.
    pub cpu: Option<u32>,
    /// Its moves.
    pub moves: Vec<String>,
}

/// Words that end a list of moves.
const FIELDS: [&str; 17] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "cpuload",
    "currmove",
    "currmovenumber",
    "currline",
    "refutation",
    "pv",
    "string",
];

impl InfoMessage {
    /// An information that is only a text.
    ///
    /// ```
    /// # use tabiya_uci_protocol::{InfoMessage, Message};
    /// let info = InfoMessage::text("the book is closed");
    /// assert_eq!(Message::Info(info).to_string(), "info string the book is closed");
    /// ```
    pub fn text(text: impl Into<String>) -> InfoMessage {
        InfoMessage { string: Some(text.into()), ..InfoMessage::default() }
    }

    /// Reads the words after `info`, in any order. Fields that make no sense are left out.
    pub(crate) fn parse(mut words: Words<'_>) -> InfoMessage {
        let mut info = InfoMessage::default();
        while let Some(field) = words.next() {
            match field {
                "depth" => info.depth = value(&mut words, small_count),
                "seldepth" => info.seldepth = value(&mut words, small_count),
                "multipv" => info.multipv = value(&mut words, small_count),
                "score" => (info.score, info.bound) = score(&mut words),
                "wdl" => info.wdl = wdl(&mut words),
                "nodes" => info.nodes = value(&mut words, count),
                "nps" => info.nps = value(&mut words, count),
                "hashfull" => info.hashfull = value(&mut words, small_count),
                "tbhits" => info.tbhits = value(&mut words, count),
                "time" => info.time = value(&mut words, count).map(Duration::from_millis),
                "cpuload" => info.cpuload = value(&mut words, small_count),
                "currmove" => info.currmove = value(&mut words, |word| Some(word.to_owned())),
                "currmovenumber" => info.currmovenumber = value(&mut words, small_count),
                "currline" => {
                    let cpu = words.peek().and_then(small_count);
                    if cpu.is_some() {
                        words.next();
                    }
                    info.currline = Some(CurrentLine { cpu, moves: words.until(&FIELDS) });
                }
                "refutation" => info.refutation = words.until(&FIELDS),
                "pv" => info.pv = words.until(&FIELDS),
                "string" => {
                    info.string = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }
}

/// The value of a field, unless the next field follows at once.
fn value<T>(words: &mut Words<'_>, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    let word = words.peek().filter(|word| !FIELDS.contains(word))?;
    words.next();
    read(word)
}

/// The score after `score`, and the bound wherever it stands beside it.
fn score(words: &mut Words<'_>) -> (Option<Score>, Bound) {
    let (mut score, mut bound) = (None, Bound::Exact);
    let nearest = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let number = |word: &str| integer(word).map(nearest);
    loop {
        match words.peek() {
            Some("lowerbound") => bound = Bound::Lower,
            Some("upperbound") => bound = Bound::Upper,
            Some("cp") => {
                words.next();
                score = value(words, number).map(Score::Centipawns);
                continue;
            }
            Some("mate") => {
                words.next();
                score = value(words, number).map(Score::Mate);
                continue;
            }
            _ if score.is_none() => return (None, Bound::Exact),
            _ => return (score, bound),
        }
        words.next();
    }
}

fn wdl(words: &mut Words<'_>) -> Option<Wdl> {
    let mut number = || value(words, |word| small_count(word)?.try_into().ok());
    Some(Wdl { win: number()?, draw: number()?, loss: number()? })
}

impl fmt::Display for InfoMessage {
    /// All but the word `info`, in the order of Stockfish; the text last, as it has no end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Fields(self).to_string().trim_start())
    }
}

/// The fields, each with a space before it.
struct Fields<'a>(&'a InfoMessage);

impl fmt::Display for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.0;
        write_field(f, "depth", info.depth)?;
        write_field(f, "seldepth", info.seldepth)?;
        write_field(f, "multipv", info.multipv)?;
        write_field(f, "score", info.score.map(Score::uci))?;
        if info.score.is_some() {
            f.write_str(match info.bound {
                Bound::Exact => "",
                Bound::Lower => " lowerbound",
                Bound::Upper => " upperbound",
            })?;
        }
        write_field(f, "wdl", info.wdl)?;
        write_field(f, "nodes", info.nodes)?;
        write_field(f, "nps", info.nps)?;
        write_field(f, "hashfull", info.hashfull)?;
        write_field(f, "tbhits", info.tbhits)?;
        write_field(f, "time", info.time.map(|time| time.as_millis()))?;
        write_field(f, "cpuload", info.cpuload)?;
        write_field(f, "currmove", info.currmove.as_ref())?;
        write_field(f, "currmovenumber", info.currmovenumber)?;
        if let Some(CurrentLine { cpu, moves }) = &info.currline {
            f.write_str(" currline")?;
            cpu.map_or(Ok(()), |cpu| write!(f, " {cpu}"))?;
            moves.iter().try_for_each(|m| write!(f, " {m}"))?;
        }
        write_list(f, "refutation", &info.refutation)?;
        write_list(f, "pv", &info.pv)?;
        write_field(f, "string", info.string.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    fn info(line: &str) -> InfoMessage {
        match Message::parse(line) {
            Message::Info(info) => info,
            other => panic!("{line} gives {other:?}"),
        }
    }

    #[test]
    fn lines_of_engines_are_written_as_they_are_read() {
        for line in [
            "info depth 24 seldepth 33 multipv 1 score cp 28 wdl 60 900 40 nodes 1234567 nps 987654 \
             hashfull 412 tbhits 0 time 1250 pv e2e4 e7e5 g1f3",
            "info depth 20 score mate -4 upperbound nodes 12 pv h7h8q",
            "info depth 12 score cp -40 lowerbound",
            "info depth 5 currmove g1f3 currmovenumber 3",
            "info currline 1 e2e4 d7d5",
            "info currline e2e4 d7d5",
            "info refutation d1h5 g6h5",
            "info cpuload 990",
            "info string NNUE evaluation using nn.nnue",
            "info depth 0 score mate 0",
        ] {
            assert_eq!(Message::Info(info(line)).to_string(), line);
        }
    }

    #[test]
    fn fields_in_any_order() {
        let expected =
            info("info depth 3 score cp 5 lowerbound nodes 7 pv e2e4 e7e5 string so it is");
        let line = "info pv e2e4 e7e5 nodes 7 score lowerbound cp 5 depth 3 string so it is";
        assert_eq!(info(line), expected);
    }

    #[test]
    fn what_makes_no_sense_is_left_out() {
        let strange = info("info depth x ebf 2.1 nodes -4 score cp 1e9 time pv e2e4");
        let expected =
            InfoMessage { nodes: Some(0), pv: vec!["e2e4".into()], ..InfoMessage::default() };
        assert_eq!(strange, expected);
        assert_eq!(info("info score cp 99999999999").score, Some(Score::Centipawns(i32::MAX)));
        assert_eq!(info("info wdl 1 2 pv e2e4").wdl, None);
        assert_eq!(info("info"), InfoMessage::default());
    }
}
