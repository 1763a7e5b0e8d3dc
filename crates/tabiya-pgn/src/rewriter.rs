//! Games from a file into a file, without a tree between.

use std::ops::Range;

use tabiya_chess::{Color, Position};

use crate::tags::{ROSTER, is_tag_name, unknown};
use crate::text::decode;
use crate::visitor::{Interest, Played, RawTag, Visitor};
use crate::{Comment, GameResult, MAX_TAG_VALUE, Nag, PieceLetters};

const WIDTH: usize = 80;

/// How a [`Rewriter`] writes games.
///
/// ```
/// use tabiya_pgn::{Form, Reader, Rewriter};
///
/// let mut rewriter = Rewriter::new(Form { variations: false, ..Form::default() });
/// let mut reader = Reader::new(&b"1. e4 (1. d4) e5 {why not} *"[..]);
/// reader.visit(&mut rewriter)?;
/// let mut text = Vec::new();
/// rewriter.write(&mut text);
/// assert!(text.ends_with(b"\n\n1. e4 e5 {why not} *\n"));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// What is said in words.
    pub comments: bool,
    /// What programs say: `[%clk 0:03:07]` and its kin.
    pub commands: bool,
    /// Variations.
    pub variations: bool,
    /// Judgements: `$1`.
    pub nags: bool,
    /// How moves are spelt.
    pub notation: Notation,
    /// Other letters for the pieces.
    pub letters: Option<PieceLetters>,
    /// The numbers of moves.
    pub move_numbers: bool,
    /// The `+` and `#` of checks.
    pub checks: bool,
    /// The result behind the moves.
    pub results: bool,
    /// How long a line is at most.
    pub width: usize,
}

impl Default for Form {
    fn default() -> Form {
        Form {
            comments: true,
            commands: true,
            variations: true,
            nags: true,
            notation: Notation::San,
            letters: None,
            move_numbers: true,
            checks: true,
            results: true,
            width: WIDTH,
        }
    }
}

/// How moves are spelt.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_pgn::Notation;
///
/// let start = Position::initial();
/// let m = start.parse_san("Nf3")?;
/// let after = start.play(m)?;
/// let spelt = [Notation::San, Notation::Lan, Notation::Uci].map(|one| one.spell(m, &start, &after));
/// assert_eq!(spelt, ["Nf3", "Ng1-f3", "g1f3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// `Nf3`, as the standard asks.
    #[default]
    San,
    /// `Ng1-f3`.
    Lan,
    /// `g1f3`.
    Uci,
}

impl Notation {
    /// A legal move from one position to the next.
    ///
    /// ```
    /// # use tabiya_chess::Position;
    /// # use tabiya_pgn::Notation;
    /// let before: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse()?;
    /// let m = before.parse_san("a8=Q")?;
    /// assert_eq!(Notation::Lan.spell(m, &before, &before.play(m)?), "a7-a8=Q+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spell(self, m: tabiya_chess::Move, before: &Position, after: &Position) -> String {
        match self {
            Notation::San => before.san_to(m, after).to_string(),
            Notation::Uci => before.uci(m).to_string(),
            Notation::Lan => {
                let san = before.san_to(m, after);
                let san = san.as_str();
                if san.starts_with('O') {
                    return san.to_owned();
                }
                let piece: String = san.chars().take_while(char::is_ascii_uppercase).collect();
                let to = m.to().to_string();
                let link = if san.contains('x') { 'x' } else { '-' };
                let rest = san.rfind(&to).and_then(|at| san.get(at..)).unwrap_or_default();
                format!("{piece}{}{link}{rest}", m.from())
            }
        }
    }
}

/// A visitor that writes games as they are read: in the form of the standard, but with comments and
/// variations in the order in which they stand in the file. It allocates nothing for a move, so it is several
/// times as fast as a [`Game`](crate::Game) and its `Display`; what is read back is the same.
///
/// ```
/// use tabiya_pgn::{Form, Reader, Rewriter};
///
/// let mut rewriter = Rewriter::new(Form::default());
/// let mut reader = Reader::new(&b"[White \"Tal\"]\n1.e4 c5 2.Ng1f3 1-0"[..]);
/// let mut text = Vec::new();
/// while reader.visit(&mut rewriter)? {
///     rewriter.set_tag("Annotator", "me");
///     rewriter.write(&mut text);
/// }
/// let text = String::from_utf8(text).unwrap();
/// assert!(text.contains("[White \"Tal\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[Annotator \"me\"]\n"));
/// assert!(text.ends_with("\n\n1. e4 c5 2. Nf3 1-0\n"));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Rewriter {
    form: Form,
    /// Where games usually begin.
    initial: Position,
    tags: TagList,
    lines: Lines,
    /// What stands behind the moves.
    ending: GameResult,
    /// Whether Black's move needs its number: at the start of a line, and after an interruption.
    interrupted: bool,
    /// The same before the last variation began.
    interrupted_before: bool,
}

impl Rewriter {
    /// With an empty game.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, Rewriter};
    /// let mut text = Vec::new();
    /// Rewriter::new(Form::default()).write(&mut text);
    /// assert!(text.starts_with(b"[Event \"?\"]\n") && text.ends_with(b"\n\n*\n"));
    /// ```
    pub fn new(form: Form) -> Rewriter {
        Rewriter {
            form,
            initial: Position::initial(),
            tags: TagList::default(),
            lines: Lines { width: form.width, ..Lines::default() },
            ending: GameResult::Unknown,
            interrupted: true,
            interrupted_before: true,
        }
    }

    /// The value of a tag, if the game has it.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, Rewriter};
    /// assert_eq!(Rewriter::new(Form::default()).tag_value("White"), None);
    /// ```
    pub fn tag_value(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// All tags that the game has, as they came.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, Rewriter};
    /// assert_eq!(Rewriter::new(Form::default()).tags().count(), 0);
    /// ```
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter()
    }

    /// Sets a tag. A name that a record cannot hold is passed over.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, Rewriter};
    /// let mut rewriter = Rewriter::new(Form::default());
    /// rewriter.set_tag("Site", "Riga");
    /// rewriter.set_tag("Two words", "");
    /// assert_eq!(rewriter.tags().collect::<Vec<_>>(), [("Site", "Riga")]);
    /// ```
    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.tags.set(name, value);
    }

    /// Takes tags away, except those that a record must have.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, Rewriter};
    /// let mut rewriter = Rewriter::new(Form::default());
    /// rewriter.set_tag("WhiteElo", "2700");
    /// rewriter.retain_tags(|name| name != "WhiteElo");
    /// assert_eq!(rewriter.tag_value("WhiteElo"), None);
    /// ```
    pub fn retain_tags(&mut self, wanted: impl Fn(&str) -> bool) {
        let TagList { text, all } = &mut self.tags;
        all.retain(|(name, _)| {
            let name = text.get(name.clone()).unwrap_or_default();
            ROSTER.contains(&name) || matches!(name, "SetUp" | "FEN" | "Variant") || wanted(name)
        });
    }

    /// The result: what stands behind the moves, or the tag where nothing is known there.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, GameResult, Rewriter};
    /// assert_eq!(Rewriter::new(Form::default()).result(), GameResult::Unknown);
    /// ```
    pub fn result(&self) -> GameResult {
        match self.ending {
            GameResult::Unknown => self.tagged_result().unwrap_or_default(),
            known => known,
        }
    }

    /// Adds a comment of the caller's own behind the move that was played last. It is written whatever the form leaves out
    /// of what is read.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, Rewriter};
    /// let mut rewriter = Rewriter::new(Form { comments: false, ..Form::default() });
    /// rewriter.remark("a word of mine");
    /// let mut text = Vec::new();
    /// rewriter.write(&mut text);
    /// assert!(text.ends_with(b"\n\n{a word of mine} *\n"));
    /// ```
    pub fn remark(&mut self, text: &str) {
        self.lines.comment(text);
        self.interrupted = true;
    }

    /// Changes the result, of the tag and behind the moves. What was read is written as it was: both stand, even where
    /// they differ.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, GameResult, Reader, Rewriter};
    /// let mut rewriter = Rewriter::new(Form::default());
    /// let mut text = Vec::new();
    /// Reader::new(&b"[Result \"1-0\"]\n1. e4 0-1"[..]).visit(&mut rewriter)?;
    /// rewriter.write(&mut text);
    /// rewriter.set_result(GameResult::Draw);
    /// rewriter.write(&mut text);
    /// let text = String::from_utf8(text).unwrap();
    /// assert!(text.contains("[Result \"1-0\"]\n\n1. e4 0-1\n"));
    /// assert!(text.ends_with("[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n"));
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn set_result(&mut self, result: GameResult) {
        self.ending = result;
        self.tags.set("Result", result.notation());
    }

    fn tagged_result(&self) -> Option<GameResult> {
        self.tags.get("Result").and_then(GameResult::from_text)
    }

    /// Adds the record to a text. The last line ends; between games belongs another empty one.
    ///
    /// ```
    /// # use tabiya_pgn::{Form, Rewriter};
    /// let mut text = Vec::new();
    /// let mut rewriter = Rewriter::new(Form::default());
    /// rewriter.write(&mut text);
    /// assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), 9);
    /// ```
    pub fn write(&mut self, out: &mut Vec<u8>) {
        for name in ROSTER {
            let value = match name {
                "Result" => match (self.tagged_result(), self.tags.get(name)) {
                    (Some(result), _) => result.notation(),
                    (None, None | Some("" | "?")) => self.ending.notation(),
                    (None, Some(odd)) => odd,
                },
                name => self.tags.get(name).unwrap_or(unknown(name)),
            };
            write_tag(name, value, out);
        }
        for (name, value) in self.tags.iter().filter(|(name, _)| !ROSTER.contains(name)) {
            write_tag(name, value, out);
        }
        out.push(b'\n');
        let before = self.lines.mark();
        if self.form.results {
            self.lines.word(self.ending.notation());
        }
        self.lines.flush();
        out.extend_from_slice(&self.lines.text);
        out.push(b'\n');
        self.lines.back_to(before);
    }
}

fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    if memchr::memchr2(b'"', b'\\', value.as_bytes()).is_none() {
        out.extend_from_slice(value.as_bytes());
    } else {
        for &byte in value.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                out.push(b'\\');
            }
            out.push(byte);
        }
    }
    out.extend_from_slice(b"\"]\n");
}

impl Visitor for Rewriter {
    fn begin_game(&mut self) {
        self.tags.text.clear();
        self.tags.all.clear();
        self.lines.clear();
        self.ending = GameResult::Unknown;
        self.interrupted = true;
    }

    fn tag(&mut self, tag: RawTag<'_>) {
        if let Ok(name) = std::str::from_utf8(tag.name) {
            self.tags.set(name, &tag.value());
        }
    }

    fn begin_moves(&mut self, start: &Position) -> Interest {
        if *start == self.initial {
            self.tags.remove("SetUp");
            self.tags.remove("FEN");
            return Interest::Read;
        }
        // As the FEN tag has it, which does not tell of a double step that nobody can take.
        let start = start.fen().parse().unwrap_or(*start);
        if start == self.initial {
            self.tags.remove("SetUp");
            self.tags.remove("FEN");
            return Interest::Read;
        }
        if !start.castles_as_in_standard_chess() && self.tags.get("Variant").is_none() {
            self.tags.set("Variant", "Chess960");
        }
        self.tags.set("SetUp", "1");
        self.tags.set("FEN", &start.fen());
        Interest::Read
    }

    fn played(&mut self, played: &Played<'_>) {
        let interrupted = std::mem::take(&mut self.interrupted);
        let Form { notation, letters, checks, move_numbers, .. } = self.form;
        match played.before.turn() {
            _ if !move_numbers => {}
            Color::White => self.lines.number(played.before.fullmove_number(), "."),
            Color::Black if interrupted => {
                self.lines.number(played.before.fullmove_number(), "...");
            }
            Color::Black => {}
        }
        match played.played {
            None => self.lines.word("--"),
            Some(m) if notation == Notation::San && letters.is_none() => {
                let san = played.before.san_to(m, played.after);
                self.lines.word(without_signs(san.as_str(), checks));
            }
            Some(m) => {
                let text = notation.spell(m, played.before, played.after);
                let text = match letters {
                    Some(letters) if notation != Notation::Uci => letters.from_english(&text),
                    _ => text,
                };
                self.lines.word(without_signs(&text, checks));
            }
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.form.nags {
            self.lines.number_after("$", u16::from(nag.0));
        }
    }

    fn comment(&mut self, text: &[u8]) {
        let Form { comments, commands, .. } = self.form;
        if !comments && !commands {
            return;
        }
        if comments && commands && is_clean(text) {
            if !text.is_empty() {
                self.remark(std::str::from_utf8(text).unwrap_or_default());
            }
            return;
        }
        let comment = Comment::new(&decode(text));
        let comment = match (comments, commands) {
            (true, true) => comment.text().to_owned(),
            (true, false) => comment.words(),
            _ => {
                let commands = comment.commands().map(|(name, value)| match value {
                    "" => format!("[%{name}]"),
                    value => format!("[%{name} {value}]"),
                });
                commands.collect::<Vec<_>>().join(" ")
            }
        };
        if !comment.is_empty() {
            self.remark(&comment);
        }
    }

    fn begin_variation(&mut self) -> Interest {
        if !self.form.variations {
            return Interest::Skip;
        }
        self.lines.open();
        self.interrupted_before = std::mem::replace(&mut self.interrupted, true);
        Interest::Read
    }

    fn end_variation(&mut self) {
        // One with nothing in it is not written.
        self.interrupted = self.lines.close() || self.interrupted_before;
    }

    fn end_game(&mut self, result: Option<GameResult>) {
        self.ending = result.or_else(|| self.tagged_result()).unwrap_or_default();
    }
}

/// A move as it is, or without the signs of check and mate.
fn without_signs(san: &str, checks: bool) -> &str {
    if checks { san } else { san.trim_end_matches(['+', '#']) }
}

/// Whether a comment can be written as it stands in the file.
fn is_clean(text: &[u8]) -> bool {
    let mut before = b' ';
    for &byte in text {
        let is_plain = byte.is_ascii_graphic() && !matches!(byte, b'{' | b'}');
        if !is_plain && (byte != b' ' || before == b' ') {
            return false;
        }
        before = byte;
    }
    text.is_empty() || before != b' '
}

/// Names and values, one behind the other in one text.
#[derive(Debug, Default)]
struct TagList {
    text: String,
    all: Vec<(Range<usize>, Range<usize>)>,
}

impl TagList {
    fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let part = |range: &Range<usize>| self.text.get(range.clone()).unwrap_or_default();
        self.all.iter().map(move |(name, value)| (part(name), part(value)))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    fn push(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    fn set(&mut self, name: &str, value: &str) {
        if !is_tag_name(name) {
            return;
        }
        let value = value.get(..value.floor_char_boundary(MAX_TAG_VALUE)).unwrap_or_default();
        let value = if value.contains(char::is_control) {
            self.push(&value.replace(char::is_control, " "))
        } else {
            self.push(value)
        };
        let place = self.place(name);
        if let Some((_, old)) = place.and_then(|place| self.all.get_mut(place)) {
            *old = value;
            return;
        }
        let name = self.push(name);
        self.all.push((name, value));
    }

    fn remove(&mut self, name: &str) {
        if let Some(place) = self.place(name) {
            self.all.remove(place);
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.iter().position(|(known, _)| known == name)
    }
}

/// Fills lines with words. The last word is there already, but where it belongs is not yet known: a
/// parenthesis may have to stick to it.
#[derive(Debug, Default)]
struct Lines {
    text: Vec<u8>,
    /// Where the last word begins. The byte before it becomes a space or the end of the line.
    word: usize,
    /// How long the line is, without the last word, and how long it may be.
    column: usize,
    width: usize,
    /// Whether the last word is the parenthesis that opens a variation: the next word sticks to it.
    opens: bool,
}

impl Lines {
    fn clear(&mut self) {
        self.text.clear();
        (self.word, self.column, self.opens) = (0, 0, false);
    }

    fn mark(&self) -> (usize, usize, usize, bool) {
        (self.text.len(), self.word, self.column, self.opens)
    }

    fn back_to(&mut self, (length, word, column, opens): (usize, usize, usize, bool)) {
        self.text.truncate(length);
        (self.word, self.column, self.opens) = (word, column, opens);
    }

    /// Makes room for the next word.
    fn begin(&mut self) {
        if std::mem::take(&mut self.opens) {
            return;
        }
        self.flush();
        if !self.text.is_empty() {
            self.text.push(b' ');
        }
        self.word = self.text.len();
    }

    fn word(&mut self, text: &str) {
        self.begin();
        self.text.extend_from_slice(text.as_bytes());
    }

    /// A number with what stands behind it.
    fn number(&mut self, number: u16, after: &str) {
        self.begin();
        self.digits(number);
        self.text.extend_from_slice(after.as_bytes());
    }

    /// A number with what stands before it.
    fn number_after(&mut self, before: &str, number: u16) {
        self.word(before);
        self.digits(number);
    }

    fn digits(&mut self, number: u16) {
        let mut power = 1;
        while number / power >= 10 {
            power *= 10;
        }
        while power > 0 {
            self.text.push(b'0' + (number / power % 10) as u8);
            power /= 10;
        }
    }

    fn open(&mut self) {
        self.opens = false;
        self.word("(");
        self.opens = true;
    }

    /// Ends a variation; false if there was nothing in it, and nothing is left of it.
    fn close(&mut self) -> bool {
        if std::mem::take(&mut self.opens) {
            self.text.truncate(self.word.saturating_sub(1));
            self.word = self.text.len();
            return false;
        }
        self.text.push(b')');
        true
    }

    /// A comment may be broken at any space, except within a command, and not so that a new line looks
    /// like something else.
    fn comment(&mut self, text: &str) {
        self.word("{");
        let mut in_command = false;
        for (at, word) in text.split(' ').enumerate() {
            if at > 0 {
                if in_command || word.starts_with(['%', ';']) || word.starts_with("[Event") {
                    self.text.push(b' ');
                } else {
                    self.begin();
                }
            }
            self.text.extend_from_slice(word.as_bytes());
            if in_command || word.starts_with('[') || word.contains("[%") {
                in_command = match (word.rfind("[%"), word.rfind(']')) {
                    (Some(open), Some(close)) => open > close,
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (None, None) => in_command,
                };
            }
        }
        self.text.push(b'}');
    }

    /// Finds the place of the last word.
    fn flush(&mut self) {
        let word = self.text.get(self.word..).unwrap_or_default();
        if word.is_empty() {
            return;
        }
        let width = word.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        let fits = self.column == 0 || self.column + 1 + width <= self.width;
        if fits {
            self.column += width + usize::from(self.column > 0);
        } else {
            if let Some(space) = self.word.checked_sub(1).and_then(|at| self.text.get_mut(at)) {
                *space = b'\n';
            }
            self.column = width;
        }
        self.word = self.text.len();
    }
}
