//! Openings from the main lines of a PGN file. Only as much of the format as that takes: tags but `FEN`
//! are skipped, and so are comments, variations, evaluations and results.

use tabiya_chess::{Game, Position};

use crate::openings::{OpeningsError, is_over};

/// What a PGN file is made of, as far as it matters here.
#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A tag pair, between its brackets.
    Tag(&'a str),
    /// A word of the main line: a move, a number, a result.
    Word(&'a str),
    /// `(`, or `)`.
    Variation(bool),
}

/// Cuts a text into tokens; comments and NAGs are gone.
struct Tokens<'a> {
    rest: &'a str,
    /// The line of the token given last, counted from 1.
    line: usize,
    is_line_start: bool,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text.trim_start_matches('\u{feff}'), line: 1, is_line_start: true }
    }

    /// Takes so many bytes, which end between letters.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        if let Some(last) = taken.bytes().last() {
            self.is_line_start = last == b'\n';
        }
        taken
    }

    /// Takes everything up to a letter and that letter; all there is if it does not come.
    fn take_past(&mut self, end: char) -> &'a str {
        let bytes = self.rest.find(end).map_or(self.rest.len(), |at| at + end.len_utf8());
        self.take(bytes)
    }

    /// A tag ends with a bracket that is not within its text, or with its line.
    fn take_tag(&mut self) -> &'a str {
        let (mut quoted, mut escaped) = (false, false);
        let end = self.rest.char_indices().find(|&(_, letter)| {
            let ends = letter == '\n' || (letter == ']' && !quoted);
            quoted ^= letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        let bytes = end.map_or(self.rest.len(), |(at, letter)| at + letter.len_utf8());
        self.take(bytes)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            let first = self.rest.chars().next()?;
            match first {
                '{' => _ = self.take_past('}'),
                ';' => _ = self.take_past('\n'),
                // A line that is not for us.
                '%' if self.is_line_start => _ = self.take_past('\n'),
                '[' => {
                    let tag = self.take_tag().trim_end();
                    return Some(Token::Tag(tag.trim_start_matches('[').trim_end_matches(']')));
                }
                '(' | ')' => {
                    self.take(1);
                    return Some(Token::Variation(first == '('));
                }
                _ => {
                    let is_end = |letter: char| {
                        letter.is_whitespace() || matches!(letter, '{' | ';' | '(' | ')' | '[')
                    };
                    let bytes = self.rest.find(is_end).unwrap_or(self.rest.len());
                    // A bracket that ends nothing is a word of its own, to be complained about.
                    let word = self.take(bytes.max(first.len_utf8()));
                    if !word.starts_with('$') {
                        return Some(Token::Word(word));
                    }
                }
            }
        }
    }
}

/// The games of a file, each up to so many plies.
pub(crate) fn read(text: &str, plies: Option<usize>) -> Result<Vec<Game>, OpeningsError> {
    let most = plies.unwrap_or(usize::MAX);
    let mut games = Vec::new();
    let mut tokens = Tokens::new(text);
    let mut current: Option<Current> = None;
    while let Some(token) = tokens.next() {
        let (number, line) = (games.len() + 1, tokens.line);
        let wrong = |error: String| OpeningsError::BadGame { game: number, line, error };
        match token {
            Token::Tag(tag) => {
                // Tags after moves, without a result between them, begin another game.
                if let Some(done) = current.take_if(|current| current.has_begun) {
                    games.push(done.finish(number, line)?);
                }
                let number = games.len() + 1;
                let wrong = |error: String| OpeningsError::BadGame { game: number, line, error };
                let current = current.get_or_insert_default();
                if let Some(fen) = fen_of(tag) {
                    let position: Position =
                        fen.parse().map_err(|error| wrong(format!("the FEN tag: {error}")))?;
                    current.game = Game::from_position(position);
                }
            }
            Token::Variation(opens) => {
                let current = current.get_or_insert_default();
                current.has_begun = true;
                current.depth = match (opens, current.depth) {
                    (true, depth) => depth + 1,
                    (false, 0) => return Err(wrong("there is no variation to close".to_owned())),
                    (false, depth) => depth - 1,
                };
            }
            Token::Word(word) => {
                let current_game = current.get_or_insert_default();
                current_game.has_begun = true;
                if current_game.depth > 0 {
                    continue;
                }
                if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                    let done = current.take().unwrap_or_default();
                    games.push(done.finish(number, line)?);
                } else if let Some(text) = move_of(word)
                    && current_game.game.moves().len() < most
                {
                    let game = &mut current_game.game;
                    let m = game.position().parse_san(text).map_err(|error| {
                        let (number, black) = numbering(game);
                        wrong(format!("move {number}{black}: {error}"))
                    })?;
                    game.play_unchecked(m);
                }
            }
        }
    }
    if let Some(last) = current {
        let number = games.len() + 1;
        games.push(last.finish(number, tokens.line)?);
    }
    Ok(games)
}

/// A game that is being read.
#[derive(Default)]
struct Current {
    game: Game,
    /// Whether there was anything but tags.
    has_begun: bool,
    /// How many variations are open.
    depth: usize,
}

impl Current {
    fn finish(self, game: usize, line: usize) -> Result<Game, OpeningsError> {
        let error = |text: &str| OpeningsError::BadGame { game, line, error: text.to_owned() };
        if self.depth > 0 {
            return Err(error("a variation is not closed"));
        }
        if is_over(&self.game) {
            return Err(error("the game is over already: give a number of plies"));
        }
        Ok(self.game)
    }
}

/// The value of a FEN tag.
fn fen_of(tag: &str) -> Option<&str> {
    let (name, value) = tag.trim().split_once(char::is_whitespace)?;
    name.eq_ignore_ascii_case("FEN").then(|| value.trim().trim_matches('"'))
}

/// A word without the number before it and the marks after it: `12...Nf3!?` is `Nf3`. None if nothing is
/// left.
fn move_of(word: &str) -> Option<&str> {
    let after_number = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_number = after_number.is_empty() || after_number.starts_with(['.', '…']);
    // Castling may be written with zeros, so digits alone are no number.
    let text = if is_number { after_number.trim_start_matches(['.', '…']) } else { word };
    let text = text.trim_end_matches(['!', '?']);
    (!text.is_empty() && text != "e.p.").then_some(text)
}

/// The number of the move to be made, as it is written.
fn numbering(game: &Game) -> (u16, &'static str) {
    let position = game.position();
    let black = position.turn() == tabiya_chess::Color::Black;
    (position.fullmove_number(), if black { "..." } else { "." })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &Game) -> String {
        let spelt = game.positions().zip(game.moves()).map(|(position, &m)| position.san(m));
        spelt.collect::<Vec<_>>().join(" ")
    }

    fn error(text: &str) -> String {
        read(text, None).unwrap_err().to_string()
    }

    #[test]
    fn everything_but_moves_is_skipped() {
        let text = "\u{feff}[Event \"A \\\"[x]\\\" (1-0)\"]\r\n[Result \"*\"]\r\n\r\n\
            % not for us { (\r\n\
            {begin} 1.e4! {a ) comment} $1 e5 ; another ( one\n\
            (1... c5 2.Nf3 {x} (2.Nc3 $6 Nc6) 2... d6) 2. Nf3 Nc6?? 3. Bc4 $14 3... Nf6\n\
            4.0-0 * \n\n1. d4 d5 1/2-1/2 1. c4\n[Event \"third\"]\n1.b3";
        let games = read(text, None).unwrap();
        assert_eq!(games.len(), 4);
        assert_eq!(moves(&games[0]), "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O");
        assert_eq!(moves(&games[1]), "d4 d5");
        assert_eq!(moves(&games[2]), "c4");
        assert_eq!(moves(&games[3]), "b3");
        let short = read(text, Some(3)).unwrap();
        assert_eq!(moves(&short[0]), "e4 e5 Nf3");
        assert_eq!(moves(&short[1]), "d4 d5");
    }

    #[test]
    fn games_begin_where_their_fen_says() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n30... Kd7 31. e4 *\n\
            [Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/1RK4R w HB - 0 1\"]\n1. O-O-O *";
        let games = read(text, None).unwrap();
        assert_eq!(moves(&games[0]), "Kd7 e4");
        assert_eq!(moves(&games[1]), "O-O-O");
        assert!(!games[1].start().castles_as_in_standard_chess());
    }

    #[test]
    fn a_bad_game_is_named() {
        let good = "1. e4 e5 *\n";
        assert_eq!(
            error(&format!("{good}\n1. e4 e5\n2. Nf6 *")),
            "game 2, line 4: move 2.: No knight of yours can go to f6."
        );
        assert!(error("1. e4 e9").starts_with("game 1, line 1: move 1...: "));
        assert!(error("[FEN \"nonsense\"]\n*").starts_with("game 1, line 1: the FEN tag: "));
        assert_eq!(error("1. e4 ) *"), "game 1, line 1: there is no variation to close");
        assert_eq!(
            error(&format!("{good}1. e4 (1. d4 *")),
            "game 2, line 2: a variation is not closed"
        );
        assert_eq!(
            error("1. f3 e5 2. g4 Qh4# 0-1"),
            "game 1, line 1: the game is over already: give a number of plies"
        );
        assert_eq!(moves(&read("1. f3 e5 2. g4 Qh4# 0-1", Some(3)).unwrap()[0]), "f3 e5 g4");
        // After the plies that are wanted, nothing matters.
        assert_eq!(moves(&read("1. e4 e5 2. what", Some(2)).unwrap()[0]), "e4 e5");
    }

    #[test]
    fn unfinished_texts_are_read_to_their_end() {
        for text in ["{", "[", "[FEN", "[FEN \"", ";", "%", "$", "1.", "]", "}", "1. e4 {"] {
            let _ = read(text, None);
        }
        assert_eq!(read("", None), Ok(vec![]));
        assert!(error("1. e4 ]").starts_with("game 1, line 1: move 1...: "));
    }
}
