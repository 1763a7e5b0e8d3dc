//! Games as text: what the standard calls export format.

use std::fmt::{self, Write};

use tabiya_chess::{Color, Position};

use crate::{Comment, Game, GameTree, NodeId};

const WIDTH: usize = 80;

impl fmt::Display for Game {
    /// Tags, an empty line, and moves in lines of at most 80 characters (longer only where a single
    /// word is). The last line ends; between games belongs another empty one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            write!(f, "[{name} \"")?;
            for c in value.chars() {
                if matches!(c, '"' | '\\') {
                    f.write_char('\\')?;
                }
                f.write_char(c)?;
            }
            f.write_str("\"]\n")?;
        }
        f.write_char('\n')?;
        let mut lines = Lines { out: f, column: 0, word: String::new(), opens: false };
        write_moves(self.tree(), &mut lines)?;
        lines.word(self.result().notation())?;
        lines.end()
    }
}

/// What remains to be written when a line is done. A stack of these instead of recursion: trees may be
/// deep.
enum Task {
    /// The variation that begins with a move, and its siblings after it.
    Variations(NodeId, Position),
    /// The end of a variation.
    Close,
    /// The line after a move.
    Follow(NodeId, Position),
}

fn write_moves(tree: &GameTree, lines: &mut Lines<'_, '_>) -> fmt::Result {
    write_notes(tree, tree.root(), lines)?;
    let mut tasks = vec![Task::Follow(tree.root(), *tree.start())];
    // Whether Black's move needs its number: at the start of a line, and after an interruption.
    let mut interrupted = true;
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close => {
                lines.close();
                interrupted = true;
            }
            Task::Variations(id, before) => {
                if let Some(sibling) = tree.next_sibling(id) {
                    tasks.push(Task::Variations(sibling, before));
                }
                tasks.push(Task::Close);
                lines.open()?;
                for comment in tree.comments_before(id) {
                    write_comment(comment, lines)?;
                }
                interrupted = true;
                write_move(tree, id, &before, &mut interrupted, lines)?;
                tasks.push(Task::Follow(id, tree.after(id, &before)));
            }
            Task::Follow(mut id, mut here) => {
                while let Some(next) = tree.next(id) {
                    write_move(tree, next, &here, &mut interrupted, lines)?;
                    let after = tree.after(next, &here);
                    if let Some(sibling) = tree.next_sibling(next) {
                        tasks.push(Task::Follow(next, after));
                        tasks.push(Task::Variations(sibling, here));
                        break;
                    }
                    (id, here) = (next, after);
                }
            }
        }
    }
    Ok(())
}

fn write_move(
    tree: &GameTree,
    id: NodeId,
    before: &Position,
    interrupted: &mut bool,
    lines: &mut Lines<'_, '_>,
) -> fmt::Result {
    let number = before.fullmove_number();
    match before.turn() {
        Color::White => lines.word(&format!("{number}."))?,
        Color::Black if *interrupted => lines.word(&format!("{number}..."))?,
        Color::Black => {}
    }
    lines.word(&tree.san_in(id, before))?;
    *interrupted = !tree.comments(id).is_empty();
    write_notes(tree, id, lines)
}

fn write_notes(tree: &GameTree, id: NodeId, lines: &mut Lines<'_, '_>) -> fmt::Result {
    for nag in tree.nags(id) {
        lines.word(&nag.to_string())?;
    }
    tree.comments(id).iter().try_for_each(|comment| write_comment(comment, lines))
}

/// A comment may be broken at any space, except within a command, and not so that a new line looks
/// like something else.
fn write_comment(comment: &Comment, lines: &mut Lines<'_, '_>) -> fmt::Result {
    let mut unit = "{".to_owned();
    let mut in_command = false;
    for (at, word) in comment.text().split(' ').enumerate() {
        if at > 0 {
            if in_command || word.starts_with(['%', ';']) || word.starts_with("[Event") {
                unit.push(' ');
            } else {
                lines.word(&unit)?;
                unit.clear();
            }
        }
        unit.push_str(word);
        in_command = match (word.rfind("[%"), word.rfind(']')) {
            (Some(open), Some(close)) => open > close,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => in_command,
        };
    }
    unit.push('}');
    lines.word(&unit)
}

/// Fills lines with words.
struct Lines<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    /// How long the line is so far.
    column: usize,
    /// The last word, held back because a parenthesis may have to stick to it.
    word: String,
    /// Whether it is the parenthesis that opens a variation: the next word sticks to it.
    opens: bool,
}

impl Lines<'_, '_> {
    fn word(&mut self, text: &str) -> fmt::Result {
        if !std::mem::take(&mut self.opens) {
            self.flush()?;
        }
        self.word.push_str(text);
        Ok(())
    }

    fn open(&mut self) -> fmt::Result {
        self.flush()?;
        self.word.push('(');
        self.opens = true;
        Ok(())
    }

    fn close(&mut self) {
        self.word.push(')');
    }

    fn flush(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let width = self.word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + width <= WIDTH;
            self.out.write_char(if fits { ' ' } else { '\n' })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += width;
        self.out.write_str(&self.word)?;
        self.word.clear();
        Ok(())
    }

    fn end(mut self) -> fmt::Result {
        self.flush()?;
        self.out.write_char('\n')
    }
}
