//! Whatever the other side says, we do not panic; and what we write is read as what it was.

use std::time::Duration;

use tabiya_uci_protocol::{
    BestMove, Bound, Command, CurrentLine, Go, InfoMessage, InputLine, LineReader, Message,
    OptionKind, OptionSpec, PositionCommand, Score, StartPosition, Wdl,
};

/// What a test draws: the same in every run.
struct Random(tabiya_base::Random);

impl Random {
    fn new(seed: u64) -> Random {
        Random(tabiya_base::Random::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    fn maybe<T>(&mut self, make: impl Fn(&mut Random) -> T) -> Option<T> {
        self.chance().then(|| make(self))
    }

    fn some<T>(&mut self, most: usize, make: impl Fn(&mut Random) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    /// A number that is often at an edge.
    fn number(&mut self) -> u64 {
        let number = self.next();
        [0, 1, number % 1000, number, u64::MAX][self.below(5)]
    }

    fn small(&mut self) -> u32 {
        self.number() as u32
    }

    fn time(&mut self) -> Duration {
        Duration::from_millis(self.number())
    }

    fn chess_move(&mut self) -> String {
        let mut square = || format!("{}{}", self.pick(&["a", "c", "e", "h"]), self.below(8) + 1);
        let squares = square() + &square();
        squares + self.pick(&["", "", "q", "n"])
    }

    /// A text of one or more words, none of them a word of the protocol.
    fn phrase(&mut self) -> String {
        let words = ["Hash", "Très", "Very", "file.nnue", "C:\\Program", "<x>", "-3", "♞"];
        let count = 1 + self.below(3);
        (0..count).map(|_| self.pick(&words)).collect::<Vec<_>>().join(" ")
    }

    fn phrase_or_nothing(&mut self) -> String {
        if self.chance() { self.phrase() } else { String::new() }
    }
}

fn go(random: &mut Random) -> Go {
    Go {
        searchmoves: random.some(4, Random::chess_move),
        ponder: random.chance(),
        wtime: random.maybe(Random::time),
        btime: random.maybe(Random::time),
        winc: random.maybe(Random::time),
        binc: random.maybe(Random::time),
        movestogo: random.maybe(Random::small),
        depth: random.maybe(Random::small),
        nodes: random.maybe(Random::number),
        mate: random.maybe(Random::small),
        movetime: random.maybe(Random::time),
        infinite: random.chance(),
    }
}

fn position(random: &mut Random) -> PositionCommand {
    let fens = ["", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - -", "what a fen"];
    let start = match random.chance() {
        true => StartPosition::Startpos,
        false => StartPosition::Fen(random.pick(&fens).to_owned()),
    };
    PositionCommand { start, moves: random.some(5, Random::chess_move) }
}

fn command(random: &mut Random) -> Command {
    match random.below(17) {
        0 => Command::Uci,
        1 => Command::Debug(random.chance()),
        2 => Command::IsReady,
        3 => Command::SetOption {
            name: random.phrase(),
            value: random.maybe(Random::phrase_or_nothing),
        },
        4 => Command::Register(random.phrase_or_nothing()),
        5 => Command::NewGame,
        6 | 7 => Command::Position(position(random)),
        8 | 9 => Command::Go(go(random)),
        10 => Command::Stop,
        11 => Command::PonderHit,
        12 => Command::Quit,
        13 => Command::Perft(random.small()),
        14 => Command::Bench(random.maybe(Random::small)),
        15 => Command::Unknown(random.phrase()),
        _ => [Command::Display, Command::Eval, Command::Empty][random.below(3)].clone(),
    }
}

fn info(random: &mut Random) -> InfoMessage {
    let score = random.maybe(|random| match random.chance() {
        true => Score::Centipawns(random.number() as i32),
        false => Score::Mate(random.number() as i32),
    });
    let bound = match (score, random.below(3)) {
        (Some(_), 0) => Bound::Lower,
        (Some(_), 1) => Bound::Upper,
        _ => Bound::Exact,
    };
    InfoMessage {
        depth: random.maybe(Random::small),
        seldepth: random.maybe(Random::small),
        multipv: random.maybe(Random::small),
        score,
        bound,
        wdl: random.maybe(|random| Wdl {
            win: random.small() as u16,
            draw: random.small() as u16,
            loss: random.small() as u16,
        }),
        nodes: random.maybe(Random::number),
        nps: random.maybe(Random::number),
        hashfull: random.maybe(Random::small),
        tbhits: random.maybe(Random::number),
        time: random.maybe(Random::time),
        cpuload: random.maybe(Random::small),
        currmove: random.maybe(Random::chess_move),
        currmovenumber: random.maybe(Random::small),
        currline: random.maybe(|random| CurrentLine {
            cpu: random.maybe(Random::small),
            moves: random.some(4, Random::chess_move),
        }),
        refutation: random.some(4, Random::chess_move),
        pv: random.some(4, Random::chess_move),
        string: random.maybe(Random::phrase_or_nothing),
    }
}

fn option(random: &mut Random) -> OptionSpec {
    let kind = match random.below(5) {
        0 => OptionKind::Check { default: random.chance() },
        1 => OptionKind::Spin {
            default: i64::from(random.small()),
            min: -i64::from(random.small()),
            max: i64::MAX,
        },
        2 => OptionKind::Combo { default: random.phrase(), vars: random.some(4, Random::phrase) },
        3 => OptionKind::Button,
        _ => OptionKind::String { default: random.phrase_or_nothing() },
    };
    OptionSpec { name: random.phrase(), kind }
}

fn message(random: &mut Random) -> Message {
    match random.below(8) {
        0 => Message::IdName(random.phrase()),
        1 => Message::IdAuthor(random.phrase()),
        2 => Message::UciOk,
        3 => Message::BestMove(BestMove {
            best: random.maybe(Random::chess_move),
            ponder: random.maybe(Random::chess_move),
        }),
        4 => Message::Option(option(random)),
        5 => Message::Other(random.phrase()),
        _ => Message::Info(info(random)),
    }
}

#[test]
fn commands_are_read_as_they_are_written() {
    let mut random = Random::new(0x5eed);
    for _ in 0..20_000 {
        let command = command(&mut random);
        let text = command.to_string();
        let (read, complaints) = Command::parse(&text);
        assert_eq!(read, command, "{text}");
        let expected = usize::from(matches!(command, Command::Unknown(_)));
        assert_eq!(complaints.len(), expected, "{text}: {complaints:?}");
    }
}

#[test]
fn messages_are_read_as_they_are_written() {
    let mut random = Random::new(0xfeed);
    for _ in 0..20_000 {
        let message = message(&mut random);
        let text = message.to_string();
        assert_eq!(Message::parse(&text), message, "{text}");
    }
}

/// Words of both directions, numbers of all kinds, and dirt.
const SOUP: &str = "uci debug on off isready setoption name value register later ucinewgame position \
    startpos fen moves go searchmoves ponder wtime btime winc binc movestogo depth nodes mate \
    movetime infinite perft stop ponderhit quit d eval bench id author uciok readyok bestmove \
    copyprotection checking ok error registration option type check spin combo button string default \
    min max var info seldepth time pv multipv score cp lowerbound upperbound wdl currmove \
    currmovenumber hashfull nps tbhits cpuload refutation currline <empty> (none) 0000 e2e4 e7e8q \
    e1g1 a1a1 z9z9 8/8/8/8/8/8/8/8 w b KQkq - 0 1 -1 +1 -0 1.5 1e9 NaN 4294967296 \
    99999999999999999999 -99999999999999999999 true false joho \u{0}\u{0} \u{1b}[31m \u{feff}uci ♞ é \u{FFFD}";

fn soup(random: &mut Random, words: &[&str]) -> String {
    let mut line = String::new();
    for _ in 0..random.below(14) {
        line += random.pick(words);
        line += random.pick(&[" ", " ", " ", "  ", "\t", "\r", "\u{a0}", ""]);
    }
    line
}

#[test]
fn no_soup_of_words_makes_us_panic_and_what_was_understood_is_written_faithfully() {
    let words: Vec<&str> = SOUP.split(' ').filter(|word| !word.is_empty()).collect();
    let mut random = Random::new(0x50_0b);
    for _ in 0..50_000 {
        let line = soup(&mut random, &words);

        let (command, complaints) = Command::parse(&line);
        for complaint in &complaints {
            assert!(!complaint.to_string().contains('\n'));
        }
        if let Command::Position(position) = &command {
            let _ = position.resolve().map_err(|error| error.to_string());
        }
        // Unknown lines are cut short, for showing.
        if !matches!(command, Command::Unknown(_)) {
            assert_eq!(Command::parse(&command.to_string()).0, command, "{line:?}");
        }

        let message = Message::parse(&line);
        if let Message::Option(option) = &message {
            let _ = option.read(Some(&line)).map_err(|error| error.to_string());
        }
        assert_eq!(Message::parse(&message.to_string()), message, "{line:?}");
    }
}

#[test]
fn no_bytes_make_us_panic() {
    let mut random = Random::new(0xb17e5);
    for _ in 0..2_000 {
        let alphabet = *b"go \n\r\0\xff\xc3\xa9position";
        let bytes = random.some(200, |random| match random.chance() {
            true => alphabet[random.below(alphabet.len())],
            false => random.next() as u8,
        });
        let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
        let mut lines = LineReader::with_limit(&bytes[..], 40);
        let mut count = 0;
        while let Some(line) = lines.next_line().unwrap() {
            let (InputLine::Text(text) | InputLine::TooLong { beginning: text }) = line;
            Command::parse(&text);
            Message::parse(&text);
            count += 1;
        }
        let has_rest = bytes.last().is_some_and(|&byte| byte != b'\n');
        assert_eq!(count, ends + usize::from(has_rest));
    }
}
