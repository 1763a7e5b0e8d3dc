//! One game of a text that Python has open: its tags, and the words of its moves.
//!
//! Forgiving where `tabiya_pgn` is strict: nothing is an error before somebody asks what a word means, so that Python's
//! visitors may decide themselves.

use pyo3::exceptions::PyAssertionError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::board::{BoardCore, look};
use crate::piece_move::shared;
use crate::track::{Stack, Track};

/// A game as it was read: tags, and words that nobody has looked at.
#[pyclass(module = "tabiya")]
pub(crate) struct Record {
    /// The tags in their order.
    #[pyo3(get)]
    tags: Vec<(String, String)>,
    words: Words,
}

/// Words in one text, as a hundred small ones would cost more than reading them.
#[derive(Default)]
struct Words {
    text: String,
    ends: Vec<usize>,
}

impl Words {
    /// Adds a part of a word.
    fn add(&mut self, part: &str) {
        self.text.push_str(part);
    }

    /// What was added is a word.
    fn end(&mut self) {
        self.ends.push(self.text.len());
    }

    fn push(&mut self, word: &str) {
        self.add(word);
        self.end();
    }

    fn clear(&mut self) {
        // A comment that goes on stays.
        self.text.drain(..self.ends.last().copied().unwrap_or(0));
        self.ends.clear();
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        let mut begin = 0;
        self.ends.iter().map(move |&end| &self.text[std::mem::replace(&mut begin, end)..end])
    }
}

/// The tag of a line like `[White "Morphy"]`.
fn tag(line: &str) -> Option<(String, String)> {
    let inside = line.trim_end().strip_prefix('[')?.strip_suffix(']')?.trim_end();
    let space = inside.find(char::is_whitespace)?;
    let (name, rest) = inside.split_at(space);
    let good = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_+#=:-".contains(c));
    let value = rest.trim_start().strip_prefix('"')?.strip_suffix('"')?;
    if !good || value.contains('\r') {
        return None;
    }
    if !value.contains('\\') {
        return Some((name.to_owned(), value.to_owned()));
    }
    let mut plain = String::new();
    let mut letters = value.chars().peekable();
    while let Some(c) = letters.next() {
        match (c, letters.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                plain.push(next);
                letters.next();
            }
            _ => plain.push(c),
        }
    }
    Some((name.to_owned(), plain))
}

/// How many bytes of a word at the beginning of the text are a move.
fn move_length(text: &[u8]) -> usize {
    match text.first() {
        Some(b'O' | b'0' | b'-' | b'Z' | b'@') => {
            let forms = [&b"O-O-O"[..], b"0-0-0", b"O-O", b"0-0", b"--", b"Z0", b"0000", b"@@@@"];
            let Some(found) = forms.iter().find(|form| text.starts_with(form)) else { return 0 };
            return found.len() + usize::from(matches!(text.get(found.len()), Some(b'+' | b'#')));
        }
        Some(b'a'..=b'h' | b'1'..=b'8' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'P') => {}
        _ => return 0,
    }
    let at = |index: usize| text.get(index).copied().unwrap_or(0);
    let square =
        |index: usize| matches!(at(index), b'a'..=b'h') && matches!(at(index + 1), b'1'..=b'8');
    let mut start = usize::from(matches!(at(0), b'N' | b'B' | b'K' | b'R' | b'Q' | b'P'));
    if at(start) == b'@' {
        return if square(start + 1) { start + 3 } else { 0 };
    }
    if at(0) == b'P' {
        return 0;
    }
    // Where the piece comes from: a file, a rank, both or nothing, then perhaps - or x, then the square.
    let origins = [
        usize::from(matches!(at(start), b'a'..=b'h'))
            + usize::from(matches!(at(start), b'a'..=b'h') && matches!(at(start + 1), b'1'..=b'8')),
        usize::from(matches!(at(start), b'a'..=b'h' | b'1'..=b'8')),
        0,
    ];
    for origin in origins {
        let sign = usize::from(matches!(at(start + origin), b'-' | b'x'));
        if square(start + origin + sign) {
            start += origin + sign + 2;
            let promotion = start + usize::from(at(start) == b'=');
            if b"nbrqkNBRQK".contains(&at(promotion)) {
                start = promotion + 1;
            }
            return start + usize::from(matches!(at(start), b'+' | b'#'));
        }
    }
    0
}

/// Finds the words of moves, line by line: comments may go over several.
#[derive(Default)]
struct Finder {
    words: Words,
    in_comment: bool,
}

impl Finder {
    fn line(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let mut at = 0;
        if self.in_comment {
            let Some(end) = line.find('}') else {
                self.words.add(line);
                return;
            };
            self.words.push(&line[..end]);
            self.in_comment = false;
            at = end + 1;
        }
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            let length = match byte {
                b'{' => match line[at..].find('}') {
                    Some(end) => {
                        self.words.push(&line[at..at + end]);
                        at += end + 1;
                        continue;
                    }
                    None => {
                        self.words.add(&line[at..]);
                        self.in_comment = true;
                        return;
                    }
                },
                b';' => {
                    self.words.add("{");
                    self.words.push(line[at + 1..].trim_end());
                    return;
                }
                b'(' | b')' | b'*' => 1,
                b'?' | b'!' => 1 + usize::from(matches!(rest.get(1), Some(b'?' | b'!'))),
                b'$' => {
                    let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    if digits == 0 { 0 } else { 1 + digits }
                }
                b'0'..=b'9' => {
                    let result = [&b"1-0"[..], b"0-1", b"1/2-1/2"]
                        .into_iter()
                        .find(|result| rest.starts_with(result));
                    match (result, move_length(rest)) {
                        (Some(result), _) => result.len(),
                        (None, length) if byte == b'0' && length > 0 => length,
                        _ => {
                            at += rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                            continue;
                        }
                    }
                }
                _ => move_length(rest),
            };
            if length > 0 {
                self.words.push(&line[at..at + length]);
            }
            at += length.max(1);
        }
    }

    fn finish(mut self) -> Words {
        if self.in_comment {
            self.words.end();
        }
        self.words
    }
}

fn next_line<'py>(readline: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyString>>> {
    let line = readline.call0()?.cast_into::<PyString>()?;
    Ok(if line.is_empty()? { None } else { Some(line) })
}

/// Reads one game from a handle that is open for text; None at its end. Moves are skipped unless wanted.
#[pyfunction]
pub(crate) fn read_record(handle: &Bound<'_, PyAny>, moves: bool) -> PyResult<Option<Record>> {
    let readline = handle.getattr(intern!(handle.py(), "readline"))?;
    let mut line = next_line(&readline)?;
    let mut first = true;
    // Blank lines and remarks of programs stand before a game.
    loop {
        let Some(text) = &line else { return Ok(None) };
        let text = text.to_string_lossy();
        let text = if first { text.trim_start_matches('\u{feff}') } else { &text };
        first = false;
        if !text.trim().is_empty() && !text.starts_with('%') {
            break;
        }
        line = next_line(&readline)?;
    }
    let mut tags = Vec::new();
    let mut blank = 0;
    while let Some(text) = &line {
        let text = text.to_string_lossy();
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            blank += 1;
            if blank > 1 {
                break;
            }
        } else if let Some(tag) = tag(text) {
            tags.push(tag);
            blank = 0;
        } else if text.starts_with('[') {
            // A tag that cannot be read: the others are not worse for it.
            blank = 0;
        } else if !text.starts_with(['%', ';']) {
            break;
        }
        line = next_line(&readline)?;
    }
    let mut finder = Finder::default();
    while let Some(text) = &line {
        let text = text.to_string_lossy();
        if !finder.in_comment {
            if text.trim().is_empty() {
                break;
            }
            if text.starts_with('%') {
                line = next_line(&readline)?;
                continue;
            }
        }
        finder.line(&text);
        if !moves {
            finder.words.clear();
        }
        line = next_line(&readline)?;
    }
    Ok(Some(Record { tags, words: finder.finish() }))
}

#[pymethods]
impl Record {
    /// The words of the moves: moves, `$1`, `(`, `)`, results, and comments behind a `{`.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.words.iter())
    }

    /// The words with moves in place of texts. An exception stands where a move is wrong, and the rest of its line is
    /// left out.
    fn moves<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, BoardCore>,
    ) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut board = {
            let board = look(board)?;
            Track { state: board.state, chess960: board.chess960, stack: Stack::default() }
        };
        // What was left for variations: the board, its last move, and how many moves came before that.
        let mut outer = Vec::new();
        let mut skipped = 0;
        for word in self.words.iter() {
            let kind = word.as_bytes().first().copied().unwrap_or(0);
            if skipped > 0 {
                match kind {
                    b'(' => skipped += 1,
                    b')' => skipped -= 1,
                    _ => {}
                }
                if skipped > 0 || kind != b')' {
                    continue;
                }
                if outer.is_empty() {
                    // The main line itself is wrong.
                    skipped = 1;
                    continue;
                }
            }
            match kind {
                b'(' => {
                    let Some((before, step)) = board.stack.pop() else { continue };
                    outer.push((board.state, before, step, board.stack.len()));
                    board.state = before;
                    list.append(intern!(py, "("))?;
                }
                b')' => {
                    let Some((state, before, step, moves)) = outer.pop() else { continue };
                    board.state = state;
                    board.stack.truncate(moves);
                    board.stack.push(before, step);
                    list.append(intern!(py, ")"))?;
                }
                b'$' => list.append(word[1..].parse::<u64>().unwrap_or(0))?,
                b'{' | b'?' | b'!' | b'*' => list.append(word)?,
                _ if matches!(word, "1-0" | "0-1" | "1/2-1/2") => list.append(word)?,
                _ => match board.read_san(word) {
                    Ok(step) => {
                        if !board.push_step(step) {
                            return Err(PyAssertionError::new_err("a legal move can be played"));
                        }
                        list.append(shared(py, step))?;
                    }
                    Err(error) => {
                        list.append(error.into_value(py))?;
                        skipped = 1;
                    }
                },
            }
        }
        Ok(list)
    }
}
