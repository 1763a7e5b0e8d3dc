//! From a record that is read to what is kept of it.

use tabiya_base::{fold, mix};
use tabiya_chess::Position;
use tabiya_pgn::{BadGame, GameResult, Interest, Nag, Played, RawTag, ReadError, Reader, Visitor};

use crate::NextMove;
use crate::packed::pack;
use crate::record::{Day, Speed, StoredGame};

/// A game on its way into a database: its record, and its positions with what was played there. See [`Collector`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Incoming {
    /// What is kept.
    pub record: StoredGame,
    /// The key of each position and the code of what followed ([`NextMove::code`]), the end included.
    pub steps: Vec<(u64, u16)>,
}

impl Incoming {
    /// Two games are the same if start, moves, result, the family names of the players and the year are; if
    /// nothing was played, the whole date, event and round too.
    pub fn identity(&self) -> u64 {
        let game = &self.record;
        let family = |name: &str| {
            let folded = fold(name);
            number(folded.split(',').next().unwrap_or_default().trim().as_bytes())
        };
        let start = game.fen.as_deref().map_or(0, |fen| number(fen.as_bytes()));
        let mut all = mix(number(&game.moves) ^ start.rotate_left(7));
        let mut add = |number: u64| all = mix(all.rotate_left(5) ^ number);
        add(family(&game.white));
        add(family(&game.black));
        add(u64::from(game.day.0 / 10_000) << 2 | game.result as u64);
        if game.moves.is_empty() {
            add(u64::from(game.day.0));
            add(number(game.event.as_bytes()));
            add(number(game.round.as_bytes()));
        }
        all
    }
}

fn number(bytes: &[u8]) -> u64 {
    let mut all = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        all = mix(all ^ u64::from_le_bytes(eight));
    }
    all
}

/// Makes an [`Incoming`] game of what a reader tells.
///
/// ```
/// use tabiya_db::Collector;
/// use tabiya_pgn::Reader;
///
/// let mut collector = Collector::new(true);
/// let mut reader = Reader::in_memory(b"1. e4 e5 1/2-1/2".to_vec());
/// assert!(reader.visit(&mut collector)?);
/// let game = collector.take(reader.text());
/// assert_eq!((game.record.plies, game.steps.len()), (2, 3));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collector {
    game: Incoming,
    /// Whether the moves are kept as they stand in the file, if there is more than moves.
    keeps_movetext: bool,
    is_annotated: bool,
    here: Position,
    /// A move that cannot be numbered, or too many of them: the game is not kept.
    too_long: bool,
    tagged: Option<GameResult>,
}

impl Collector {
    /// Keeps comments, variations and judgements, or leaves them out.
    pub fn new(keeps_movetext: bool) -> Collector {
        Collector {
            game: Incoming::default(),
            keeps_movetext,
            is_annotated: false,
            here: Position::initial(),
            too_long: false,
            tagged: None,
        }
    }

    /// The game that was read last, whose text is this. (An empty one is left behind.)
    pub fn take(&mut self, text: &[u8]) -> Incoming {
        if self.is_annotated && self.keeps_movetext {
            self.game.record.movetext = Some(movetext(text));
        }
        std::mem::take(&mut self.game)
    }

    /// Why the game that was read last cannot be kept, if it cannot.
    pub fn objection(&self) -> Option<&'static str> {
        self.too_long.then_some("a game of more than 65,000 plies is not kept")
    }
}

/// The games of a text, and what is wrong with those that are not among them.
pub fn records(text: &str) -> (Vec<StoredGame>, Vec<BadGame>) {
    let (games, bad) = read(text);
    (games.into_iter().map(|game| game.record).collect(), bad)
}

/// The games of a text, on their way into a database; bad ones are left out.
///
/// ```
/// let text = "[White \"Ada\"]\n\n1. e4 *\n\n[White \"Bob\"]\n\n1. e5 *\n\n[White \"Cleo\"]\n\n1. d4 *\n";
/// assert_eq!(tabiya_db::incoming(text).len(), 2);
/// ```
pub fn incoming(text: &str) -> Vec<Incoming> {
    read(text).0
}

fn read(text: &str) -> (Vec<Incoming>, Vec<BadGame>) {
    let mut reader = Reader::in_memory(text.as_bytes().to_vec());
    let mut collector = Collector::new(true);
    let (mut games, mut bad) = (Vec::new(), Vec::new());
    loop {
        match reader.visit(&mut collector) {
            Ok(true) if collector.objection().is_none() => {
                games.push(collector.take(reader.text()));
            }
            Ok(true) => {}
            Err(ReadError::BadGame(game)) => bad.push(game),
            Ok(false) | Err(ReadError::Io(_)) => return (games, bad),
        }
    }
}

/// What stands behind the tags.
fn movetext(text: &[u8]) -> String {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_ascii_start();
        let is_tag = trimmed.starts_with(b"[") || trimmed.starts_with(b"%");
        if !is_tag {
            return match std::str::from_utf8(trimmed) {
                Ok(text) => text.to_owned(),
                Err(_) => trimmed.iter().map(|&byte| char::from(byte)).collect(),
            };
        }
        match trimmed.iter().position(|&byte| byte == b'\n') {
            Some(end) => rest = &trimmed[end + 1..],
            None => return String::new(),
        }
    }
}

impl Visitor for Collector {
    fn begin_game(&mut self) {
        let mut steps = std::mem::take(&mut self.game.steps);
        steps.clear();
        self.game = Incoming { steps, ..Incoming::default() };
        (self.is_annotated, self.too_long, self.tagged) = (false, false, None);
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        let value = tag.value();
        let value = value.trim();
        let game = &mut self.game.record;
        let known = || if value == "?" { String::new() } else { value.to_owned() };
        let elo = || match value {
            "" | "?" | "-" | "0" | "*" => Some(0),
            value => value.parse().ok().filter(|elo| *elo < 10_000),
        };
        match tag.name {
            b"White" => game.white = known(),
            b"Black" => game.black = known(),
            b"Event" => game.event = known(),
            b"Site" => game.site = known(),
            b"Round" => game.round = known(),
            b"Date" => game.day = Day::of_tag(value),
            b"Result" => self.tagged = GameResult::from_text(value),
            b"ECO" => game.eco = known(),
            b"TimeControl" => game.time_control = known(),
            b"FEN" | b"SetUp" | b"PlyCount" => {}
            b"WhiteElo" if elo().is_some() => game.white_elo = elo().unwrap_or(0),
            b"BlackElo" if elo().is_some() => game.black_elo = elo().unwrap_or(0),
            _ if value.is_empty() => {}
            name => {
                game.tags.push_str(&String::from_utf8_lossy(name));
                game.tags.push(' ');
                game.tags.extend(value.chars().map(|c| if c.is_control() { ' ' } else { c }));
                game.tags.push('\n');
            }
        }
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        if *start != Position::initial() {
            self.game.record.fen = Some(start.fen());
        }
        self.here = *start;
        self.game.record.signature.see(start.board());
        Interest::Read
    }

    fn played(&mut self, played: &Played<'_>) {
        let step = played.played.map_or(NextMove::Null, NextMove::Move);
        let code = step.code(played.before);
        let (Some(code), true) = (code, self.game.steps.len() < 65_000) else {
            self.too_long = true;
            return;
        };
        self.game.steps.push((played.before.repetition_key(), code));
        pack(code, &mut self.game.record.moves);
        self.here = *played.after;
        self.game.record.signature.see(played.after.board());
    }

    fn nag(&mut self, _: Nag) {
        self.is_annotated = true;
    }

    fn comment(&mut self, _: &[u8]) {
        self.is_annotated = true;
    }

    fn begin_variation(&mut self) -> Interest {
        self.is_annotated = true;
        Interest::Skip
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        let game = &mut self.game;
        game.steps.push((self.here.repetition_key(), 0));
        game.record.plies = (game.steps.len() - 1) as u16;
        game.record.signature.end(&self.here);
        let written = result.filter(|result| *result != GameResult::Unknown);
        game.record.result = written.or(self.tagged).unwrap_or_default();
        game.record.speed = Speed::of(&game.record.time_control, &game.record.event);
    }
}
