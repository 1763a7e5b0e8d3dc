use std::io::{self, Read};
use std::ops::Range;

use tabiya_base::excerpt;
use tabiya_chess::Position;

use crate::lexer::{self, Token, next_token};
use crate::movetext::Branch;
use crate::tags::is_counted;
use crate::text::decode;
use crate::visitor::{Interest, RawTag, Visitor};
use crate::window::Window;
use crate::{BadGame, Game, GameBuilder, MAX_TAGS, PieceLetters, Place, Problem, ReadError};

/// The longest comment, tag or word in bytes: 1 MiB.
///
/// ```
/// use tabiya_pgn::{MAX_TOKEN, Problem, ReadError, Reader};
///
/// let text = format!("1. e4 {{{}}} e5 *", "so ".repeat(MAX_TOKEN));
/// let Err(ReadError::BadGame(bad)) = Reader::new(text.as_bytes()).visit(&mut ()) else { panic!() };
/// assert_eq!(bad.problem, Problem::LongToken);
/// ```
pub const MAX_TOKEN: usize = 1 << 20;

/// The longest game in bytes: 16 MiB. A tree of it takes some hundred megabytes at worst.
pub const MAX_GAME: u64 = 16 << 20;

/// How deeply variations may be nested.
///
/// ```
/// use tabiya_pgn::{MAX_DEPTH, Problem, ReadError, Reader};
///
/// let text = "1. e4 ".to_owned() + &"(1. d4 ".repeat(MAX_DEPTH + 1);
/// let Err(ReadError::BadGame(bad)) = Reader::new(text.as_bytes()).visit(&mut ()) else { panic!() };
/// assert_eq!(bad.problem, Problem::Depth);
/// ```
pub const MAX_DEPTH: usize = 50_000;

/// Reads games one after the other from a source of bytes, in constant memory, and checks that every
/// move is legal. It does its own buffering: give it the file.
///
/// It reads what programs have written in thirty years: comments in braces and after `;`, escaped
/// lines, variations, `$n` and `!?`, `0-0`, figurines, null moves, results that are missing, a byte
/// order mark, any line ends, UTF-8 and Latin-1. A game that is bad is told of once, with line and
/// column, and the next call reads the next.
///
/// ```
/// use tabiya_pgn::Reader;
///
/// let file = "[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\n1. e4 e5 2. f4 exf4 {…} 1-0\n";
/// for game in Reader::new(file.as_bytes()).games() {
///     let game = game?;
///     assert_eq!(game.tag("White"), Some("Anderssen"));
///     assert_eq!(game.tree().main_line().count(), 4);
/// }
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
pub struct Reader<R> {
    pub(crate) window: Window<R>,
    /// The lines that wait until the variations inside them are over.
    pub(crate) branches: Vec<Branch>,
    /// How many games have begun.
    number: u64,
    /// Where the game began, in bytes.
    pub(crate) game_start: u64,
    failed: bool,
    /// Where the last game lies, in bytes.
    last: Range<u64>,
    /// Other letters than the English ones.
    pub(crate) letters: Option<PieceLetters>,
    /// Where games begin that do not say: setting it up takes longer than passing over a game.
    initial: Position,
}

/// Why reading a game stops before its end.
pub(crate) enum Stop {
    Io(io::Error),
    Bad(Place, Problem),
}

impl Stop {
    /// Something is wrong with what comes next.
    #[cold]
    pub(crate) fn bad<R: Read>(window: &mut Window<R>, problem: impl Into<Problem>) -> Stop {
        Stop::Bad(window.place(), problem.into())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

impl Reader<io::Empty> {
    /// A reader of text that is in memory, which is not copied.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// assert_eq!(Reader::in_memory(b"1. e4 * 1. d4 *".to_vec()).games().count(), 2);
    /// ```
    pub fn in_memory(text: Vec<u8>) -> Reader<io::Empty> {
        Reader { window: Window::on(text), ..Reader::new(io::empty()) }
    }

    /// The text of the game that was read last, as it stands there.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let mut reader = Reader::in_memory(b"1. e4 * 1. d4 {so} *\n".to_vec());
    /// while reader.visit(&mut ())? {}
    /// assert_eq!(reader.text(), b" 1. d4 {so} *");
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn text(&self) -> &[u8] {
        self.window.between(self.last.start, self.last.end).unwrap_or_default()
    }

    /// The whole text, given back.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let mut reader = Reader::in_memory(b"1. e4 *".to_vec());
    /// reader.visit(&mut ())?;
    /// assert_eq!(reader.into_text(), b"1. e4 *");
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn into_text(self) -> Vec<u8> {
        self.window.into_text()
    }
}

impl<R: Read> Reader<R> {
    /// A reader of this source.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// assert_eq!(Reader::new(&b""[..]).games().count(), 0);
    /// ```
    pub fn new(source: R) -> Reader<R> {
        Reader {
            window: Window::new(source),
            branches: Vec::new(),
            number: 0,
            game_start: 0,
            failed: false,
            last: 0..0,
            letters: None,
            initial: Position::initial(),
        }
    }

    /// The same for moves with the letters of another language.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let mut reader = Reader::new(&b"1. e4 e5 2. Sf3 *"[..]).with_letters("de".parse()?);
    /// let game = reader.next_game()?.ok_or("none")?;
    /// assert!(game.to_string().contains("2. Nf3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_letters(self, letters: PieceLetters) -> Reader<R> {
        Reader { letters: Some(letters), ..self }
    }

    /// Reads the next game and tells the visitor of it. False if there is none.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let mut reader = Reader::new(&b"1. e4 e5 * 1. d4 d5 *"[..]);
    /// let mut games = 0;
    /// while reader.visit(&mut ())? {
    ///     games += 1;
    /// }
    /// assert_eq!(games, 2);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn visit<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, ReadError> {
        if self.failed {
            return Ok(false);
        }
        let mut in_moves = false;
        let start = self.window.consumed();
        let stop = match self.read_game(visitor, &mut in_moves) {
            Ok(true) => {
                self.last = start..self.window.consumed();
                return Ok(true);
            }
            Ok(false) => return Ok(false),
            Err(stop) => stop,
        };
        let error = match stop {
            Stop::Io(error) => error,
            Stop::Bad(place, problem) => match self.find_next_game(in_moves) {
                Ok(()) => return Err(BadGame { number: self.number, place, problem }.into()),
                Err(error) => error,
            },
        };
        self.failed = true;
        Err(error.into())
    }

    /// The games as trees.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let reader = Reader::new(&b"1. e4 (1. d4) *"[..]);
    /// let games: Vec<_> = reader.games().filter_map(Result::ok).collect();
    /// assert_eq!(games[0].tree().children(games[0].tree().root()).count(), 2);
    /// ```
    pub fn games(mut self) -> impl Iterator<Item = Result<Game, ReadError>> {
        std::iter::from_fn(move || self.next_game().transpose())
    }

    /// The next game as a tree. None if there is no other.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let mut reader = Reader::new(&b"1. e4 e5 *"[..]);
    /// assert!(reader.next_game()?.is_some());
    /// assert!(reader.next_game()?.is_none());
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn next_game(&mut self) -> Result<Option<Game>, ReadError> {
        let mut builder = GameBuilder::new();
        Ok(self.visit(&mut builder)?.then(|| builder.finish()))
    }

    /// How many bytes have been read of the source, for a progress bar.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let mut reader = Reader::new(&b"1. e4 *  "[..]);
    /// reader.visit(&mut ())?;
    /// assert_eq!(reader.bytes(), 7);
    /// # Ok::<(), tabiya_pgn::ReadError>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.window.consumed()
    }

    /// How many games have been read, bad ones included.
    ///
    /// ```
    /// # use tabiya_pgn::Reader;
    /// let mut reader = Reader::new(&b"1. e4 * 1. e5 *"[..]);
    /// assert!(reader.visit(&mut ()).is_ok() && reader.visit(&mut ()).is_err());
    /// assert_eq!(reader.games_read(), 2);
    /// ```
    pub fn games_read(&self) -> u64 {
        self.number
    }

    fn read_game<V: Visitor>(
        &mut self,
        visitor: &mut V,
        in_moves: &mut bool,
    ) -> Result<bool, Stop> {
        // A comment between games belongs to the next if that begins with moves, and to nobody if it
        // begins with tags.
        let mut said = Vec::new();
        let mut ends = Vec::new();
        let mut is_too_long = false;
        let first = loop {
            let before = self.window.consumed();
            let token = next_token(&mut self.window).inspect_err(|_| {
                // What cannot be read is a game nevertheless: a bad one.
                self.number += 1;
                self.game_start = before;
                *in_moves = true;
            })?;
            match token {
                Token::End => return Ok(false),
                Token::Comment(length) | Token::LineComment(length) => {
                    let braces = usize::from(matches!(token, Token::Comment(_)));
                    let text = self.window.rest().get(1..length - braces).unwrap_or_default();
                    is_too_long |= (said.len() + text.len()) as u64 > MAX_GAME;
                    if !is_too_long {
                        said.extend_from_slice(text);
                        ends.push(said.len());
                    }
                    self.window.consume(length);
                }
                token => break token,
            }
        };
        self.number += 1;
        self.game_start = self.window.consumed();
        visitor.begin_game();
        if !matches!(first, Token::Tag(_)) {
            if is_too_long {
                *in_moves = true;
                return Err(Stop::bad(&mut self.window, Problem::LongGame));
            }
            let mut start = 0;
            for end in ends {
                visitor.comment(said.get(start..end).unwrap_or_default());
                start = end;
            }
        }
        let (start, token) = self.read_tags(visitor, first)?;
        *in_moves = true;
        let interest = visitor.begin_moves(&start);
        let result = match token {
            // The tags of the next game follow: this one has no moves.
            None => None,
            Some(token) => match interest {
                Interest::Read => self.read_moves(visitor, start, token)?,
                Interest::Skip => self.skip(token)?,
            },
        };
        visitor.end_game(result);
        Ok(true)
    }

    /// Reads the tags, and gives the position they describe and the token after them; none if the
    /// next game begins at once.
    fn read_tags<V: Visitor>(
        &mut self,
        visitor: &mut V,
        mut token: Token,
    ) -> Result<(Position, Option<Token>), Stop> {
        let mut start = None;
        let mut has_event = false;
        let mut counted = 0;
        loop {
            match token {
                Token::Tag(head) => {
                    let place_matters = self.window.rest().starts_with(b"[FEN");
                    let place = if place_matters { Some(self.window.place()) } else { None };
                    let (name, value, length) = lexer::tag(&mut self.window, head)?;
                    let rest = self.window.rest();
                    let tag = RawTag {
                        name: rest.get(name).unwrap_or_default(),
                        raw_value: rest.get(value).unwrap_or_default(),
                    };
                    if tag.name == b"Event" && std::mem::replace(&mut has_event, true) {
                        return Ok((start.unwrap_or(self.initial), None));
                    }
                    if is_counted(tag.name) {
                        counted += 1;
                        if counted > MAX_TAGS {
                            return Err(Stop::bad(&mut self.window, Problem::ManyTags));
                        }
                    }
                    match tag.name {
                        b"FEN" => match Position::from_fen_prefix(&decode(tag.raw_value)) {
                            Ok(position) => start = Some(position),
                            Err(error) => {
                                let place = place.unwrap_or_else(|| self.window.place());
                                return Err(Stop::Bad(place, error.into()));
                            }
                        },
                        b"Variant" if !is_known_variant(tag.raw_value) => {
                            let variant = excerpt(&tag.value());
                            return Err(Stop::bad(&mut self.window, Problem::Variant(variant)));
                        }
                        _ => {}
                    }
                    visitor.tag(tag);
                    self.window.consume(length);
                }
                Token::Comment(length) => self.tell_comment(visitor, length),
                Token::LineComment(length) => self.tell_line_comment(visitor, length),
                token => return Ok((start.unwrap_or(self.initial), Some(token))),
            }
            self.check_length()?;
            token = next_token(&mut self.window)?;
        }
    }

    pub(crate) fn tell_comment<V: Visitor>(&mut self, visitor: &mut V, length: usize) {
        let text = self.window.rest().get(1..length.saturating_sub(1)).unwrap_or_default();
        visitor.comment(text);
        self.window.consume(length);
    }

    pub(crate) fn tell_line_comment<V: Visitor>(&mut self, visitor: &mut V, length: usize) {
        visitor.comment(self.window.rest().get(1..length).unwrap_or_default());
        self.window.consume(length);
    }

    #[inline]
    pub(crate) fn check_length(&mut self) -> Result<(), Stop> {
        if self.window.consumed() - self.game_start > MAX_GAME {
            return Err(Stop::bad(&mut self.window, Problem::LongGame));
        }
        Ok(())
    }

    /// After something bad: goes on to the line where the next game begins. That is a line with an
    /// `Event` tag, or with any tag that comes after moves. Comments are not understood here, as a
    /// brace may be what is wrong.
    fn find_next_game(&mut self, in_moves: bool) -> io::Result<()> {
        self.window.prepare()?;
        if in_moves && lexer::is_tag(self.window.rest()) {
            return Ok(());
        }
        let mut seen_moves = in_moves;
        // The line where it went wrong is not the one.
        let mut is_line_start = false;
        loop {
            self.window.prepare()?;
            let rest = self.window.rest();
            if rest.is_empty() {
                return Ok(());
            }
            if is_line_start {
                let is_tag = lexer::is_tag(rest);
                if is_tag && (seen_moves || rest.starts_with(b"[Event")) {
                    return Ok(());
                }
                seen_moves |= !is_tag && !matches!(rest.first(), Some(b'\r' | b'\n' | b'%' | b';'));
            }
            let end = memchr::memchr(b'\n', rest);
            let length = end.map_or(rest.len(), |end| end + 1);
            is_line_start = end.is_some();
            self.window.consume(length);
        }
    }
}

/// Whether the rules of a variant are those of chess or Chess960.
fn is_known_variant(raw: &[u8]) -> bool {
    let name: String = decode(raw)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(24)
        .collect();
    matches!(
        name.as_str(),
        "" | "standard"
            | "chess"
            | "normal"
            | "fromposition"
            | "chess960"
            | "fischerandom"
            | "fischerrandom"
            | "fischerandomchess"
            | "fischerrandomchess"
            | "freestyle"
            | "freestylechess"
    )
}
