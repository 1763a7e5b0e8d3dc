//! One game of a text that Python has open: its tags, and the words of its moves.
//!
//! Forgiving where `tabiya_pgn` is strict: nothing is an error before somebody asks what a word means, so that Python's
//! visitors may decide themselves.

use pyo3::exceptions::PyAssertionError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::board::BoardCore;
use crate::piece_move::shared;

/// A game as it was read: tags, and words that nobody has looked at.
#[pyclass(module = "tabiya")]
pub(crate) struct Record {
    /// The tags in their order.
    #[pyo3(get)]
    tags: Vec<(String, String)>,
    words: Vec<String>,
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
struct Words {
    words: Vec<String>,
    comment: Option<String>,
}

impl Words {
    fn line(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let mut at = 0;
        if let Some(mut comment) = self.comment.take() {
            let Some(end) = line.find('}') else {
                comment.push_str(line);
                self.comment = Some(comment);
                return;
            };
            comment.push_str(&line[..end]);
            self.words.push(comment);
            at = end + 1;
        }
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            let length = match byte {
                b'{' => match line[at..].find('}') {
                    Some(end) => {
                        self.words.push(line[at..at + end].to_owned());
                        at += end + 1;
                        continue;
                    }
                    None => {
                        self.comment = Some(line[at..].to_owned());
                        return;
                    }
                },
                b';' => {
                    self.words.push(format!("{{{}", line[at + 1..].trim_end()));
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
                self.words.push(line[at..at + length].to_owned());
            }
            at += length.max(1);
        }
    }

    fn end(mut self) -> Vec<String> {
        if let Some(comment) = self.comment.take() {
            self.words.push(comment);
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
        } else if !text.starts_with('%') {
            break;
        }
        line = next_line(&readline)?;
    }
    let mut words = Words::default();
    while let Some(text) = &line {
        let text = text.to_string_lossy();
        if words.comment.is_none() {
            if text.trim().is_empty() {
                break;
            }
            if text.starts_with('%') {
                line = next_line(&readline)?;
                continue;
            }
        }
        words.line(&text);
        if !moves {
            words.words.clear();
        }
        line = next_line(&readline)?;
    }
    Ok(Some(Record { tags, words: words.end() }))
}

#[pymethods]
impl Record {
    /// The words of the moves: moves, `$1`, `(`, `)`, results, and comments behind a `{`.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, &self.words)
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
            let board = board.try_borrow()?;
            BoardCore { state: board.state, chess960: board.chess960, stack: Vec::new() }
        };
        let mut outer: Vec<Vec<_>> = Vec::new();
        let mut skipped = 0;
        for word in &self.words {
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
                    let Some((state, _)) = board.stack.last().copied() else { continue };
                    let kept = board.stack.len() - 1;
                    outer.push(vec![(board.state, board.stack.split_off(kept))]);
                    board.state = state;
                    list.append(intern!(py, "("))?;
                }
                b')' => {
                    let Some(mut before) = outer.pop() else { continue };
                    if let Some((state, stack)) = before.pop() {
                        board.state = state;
                        board.stack.extend(stack);
                    }
                    list.append(intern!(py, ")"))?;
                }
                b'$' => list.append(word[1..].parse::<u64>().unwrap_or(0))?,
                b'{' | b'?' | b'!' | b'*' => list.append(word)?,
                _ if matches!(word.as_str(), "1-0" | "0-1" | "1/2-1/2") => list.append(word)?,
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
