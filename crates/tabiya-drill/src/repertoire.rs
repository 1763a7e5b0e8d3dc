//! What is to be played in openings, read from game trees.

use std::collections::HashMap;

use tabiya_chess::{Color, Move, Position};
use tabiya_pgn::{GameTree, Nag, NodeId, ReadError, Reader};
use tabiya_tactics::Scene;

use crate::trial::ShownMove;

/// Moves of one's own that are told against, and so are no answer: `?`, `??` and `?!`.
const AGAINST: [Nag; 3] = [Nag(2), Nag(4), Nag(6)];

/// A position in which one has to know what to play.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// By what it is known: the position, however it was reached.
    pub key: String,
    position: Position,
    answers: Vec<Move>,
    /// The way to it, from the start.
    line: Vec<(Position, Move)>,
}

/// What is to be played with one colour. Positions that come about in two ways are one.
///
/// ```
/// use tabiya_chess::Color;
/// use tabiya_drill::Repertoire;
///
/// let pgn = "1. e4 c5 (1... e5 2. Nf3) 2. Nf3 d6 3. d4 *";
/// let book = Repertoire::read([pgn], Color::White)?;
/// let lines: Vec<String> = book.prompts().iter().map(|prompt| prompt.line_text()).collect();
/// assert_eq!(lines, ["", "1.e4 c5", "1.e4 c5 2.Nf3 d6", "1.e4 e5"]);
/// assert_eq!(book.prompts()[3].answers()[0].san, "Nf3");
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Repertoire {
    color: Color,
    prompts: Vec<Prompt>,
    places: HashMap<String, usize>,
    /// What the other side plays where it is to move.
    replies: HashMap<String, Vec<Move>>,
    roots: Vec<Position>,
}

/// What is said of a move that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    /// The move.
    pub played: ShownMove,
    /// Whether the book has it.
    pub right: bool,
    /// The board after it.
    pub scene: Scene,
}

/// An answer of the other side, and what comes then.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// The move.
    pub played: ShownMove,
    /// The board after it.
    pub scene: Scene,
    /// The position in which one has to answer it, if the book does.
    pub next: Option<String>,
}

/// Who left the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaver {
    /// Whoever has the book.
    Oneself,
    /// The other side.
    Other,
    /// Nobody: the book has no more.
    Book,
    /// Nobody: the game was over before.
    Game,
}

/// Where a game left the book.
#[derive(Clone, PartialEq, Debug)]
pub struct Departure {
    /// So many half-moves were in it.
    pub plies: usize,
    /// Who left it.
    pub leaver: Leaver,
    /// The position there.
    pub fen: String,
    /// What was played there, as people write it with its number: `5…Be7`; none if the game was over.
    pub played: Option<String>,
    /// The same move as plain data.
    pub shown: Option<ShownMove>,
    /// What the book has instead.
    pub book: Vec<ShownMove>,
    /// The board there.
    pub scene: Scene,
    /// What is said of it.
    pub sentence: String,
}

/// By what a position is known: pieces, turn, castling, en passant; not how many moves were played.
pub(crate) fn key(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A move with its number, as people write it: `5.Nf3`, `5…Be7`.
pub(crate) fn written(position: &Position, m: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "…" };
    format!("{}{dots}{}", position.fullmove_number(), position.san(m))
}

/// Moves after each other, as people write them.
pub(crate) fn line_text(line: &[(Position, Move)]) -> String {
    let mut text = String::new();
    for (position, m) in line {
        if !text.is_empty() {
            text.push(' ');
        }
        match position.turn() == Color::White || text.is_empty() {
            true => text += &written(position, *m),
            false => text += &position.san(*m).to_string(),
        }
    }
    text
}

impl Prompt {
    /// The position as text.
    pub fn fen(&self) -> String {
        self.position.fen()
    }

    /// The moves that are right, the main one first.
    pub fn answers(&self) -> Vec<ShownMove> {
        self.answers.iter().map(|&m| ShownMove::new(&self.position, m)).collect()
    }

    /// The way to it: `1.e4 c5 2.Nf3 d6`.
    pub fn line_text(&self) -> String {
        line_text(&self.line)
    }

    /// What the board shows on the way to it, from the start on.
    pub fn scenes(&self) -> Vec<Scene> {
        let start = self.line.first().map_or(&self.position, |(first, _)| first);
        let mut scenes = vec![Scene::new(start, None)];
        for (at, (before, m)) in self.line.iter().enumerate() {
            let after = self.line.get(at + 1).map_or(&self.position, |(after, _)| after);
            scenes.push(Scene::new(after, Some((before, *m))));
        }
        scenes
    }

    /// Tries a move in any notation; an error is a sentence about what cannot be played.
    pub fn judge(&self, text: &str) -> Result<Tried, String> {
        let m = self.position.parse_move(text).map_err(|error| error.to_string())?;
        let after = self.position.play(m).map_err(|error| error.to_string())?;
        Ok(Tried {
            played: ShownMove::new(&self.position, m),
            right: self.answers.contains(&m),
            scene: Scene::new(&after, Some((&self.position, m))),
        })
    }
}

impl Repertoire {
    /// Reads every game of some records.
    pub fn read<'a>(
        records: impl IntoIterator<Item = &'a str>,
        color: Color,
    ) -> Result<Repertoire, ReadError> {
        let mut book = Repertoire {
            color,
            prompts: Vec::new(),
            places: HashMap::new(),
            replies: HashMap::new(),
            roots: Vec::new(),
        };
        for record in records {
            for game in Reader::in_memory(record.as_bytes().to_vec()).games() {
                book.add(game?.tree());
            }
        }
        Ok(book)
    }

    fn add(&mut self, tree: &GameTree) {
        let root = *tree.start();
        if !self.roots.iter().any(|known| key(known) == key(&root)) {
            self.roots.push(root);
        }
        // Depth first, the main line first: so the cards come in the order of the lines.
        let mut stack = vec![(tree.root(), root, Vec::new())];
        while let Some((node, position, line)) = stack.pop() {
            let is_mine = position.turn() == self.color;
            let good = |child: &NodeId| {
                !is_mine || !tree.nags(*child).iter().any(|nag| AGAINST.contains(nag))
            };
            let children: Vec<(NodeId, Move)> = tree
                .children(node)
                .filter(good)
                .filter_map(|child| Some((child, tree.played(child)?)))
                .collect();
            let moves = children.iter().map(|&(_, m)| m);
            match is_mine {
                true => self.prompt(&position, &line, moves),
                false => {
                    let known = self.replies.entry(key(&position)).or_default();
                    for m in moves {
                        if !known.contains(&m) {
                            known.push(m);
                        }
                    }
                }
            }
            for &(child, m) in children.iter().rev() {
                let mut line = line.clone();
                line.push((position, m));
                stack.push((child, tree.position(child), line));
            }
        }
    }

    fn prompt(
        &mut self,
        position: &Position,
        line: &[(Position, Move)],
        moves: impl Iterator<Item = Move>,
    ) {
        let key = key(position);
        let moves: Vec<Move> = moves.collect();
        if moves.is_empty() {
            return;
        }
        let place = *self.places.entry(key.clone()).or_insert(self.prompts.len());
        if place == self.prompts.len() {
            let (position, line) = (*position, line.to_vec());
            self.prompts.push(Prompt { key, position, answers: Vec::new(), line });
        }
        if let Some(prompt) = self.prompts.get_mut(place) {
            for m in moves {
                if !prompt.answers.contains(&m) {
                    prompt.answers.push(m);
                }
            }
        }
    }

    /// Whose moves are to be known.
    pub fn color(&self) -> Color {
        self.color
    }

    /// Where one has to know what to play, in the order of the lines.
    pub fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }

    /// The one of a key.
    pub fn find(&self, key: &str) -> Option<&Prompt> {
        self.places.get(key).and_then(|&place| self.prompts.get(place))
    }

    pub(crate) fn roots(&self) -> &[Position] {
        &self.roots
    }

    pub(crate) fn replies_to(&self, position: &Position) -> &[Move] {
        self.replies.get(&key(position)).map_or(&[], Vec::as_slice)
    }

    /// Whether there is a move to be known.
    pub(crate) fn answers_to(&self, position: &Position) -> &[Move] {
        self.find(&key(position)).map_or(&[], |prompt| prompt.answers.as_slice())
    }

    /// What the other side plays after a move of one's own.
    pub fn replies(&self, prompt: &Prompt, played: &str) -> Vec<Reply> {
        let Ok(m) = prompt.position.parse_move(played) else { return Vec::new() };
        let Ok(position) = prompt.position.play(m) else { return Vec::new() };
        let told = |&reply: &Move| {
            let after = position.play(reply).ok()?;
            let next = key(&after);
            Some(Reply {
                played: ShownMove::new(&position, reply),
                scene: Scene::new(&after, Some((&position, reply))),
                next: self.places.contains_key(&next).then_some(next),
            })
        };
        self.replies_to(&position).iter().filter_map(told).collect()
    }

    /// Where a game left the book; none if it never was in it. Only the first game of the record is looked at.
    pub fn departure(&self, record: &str) -> Result<Option<Departure>, ReadError> {
        let Some(game) = Reader::in_memory(record.as_bytes().to_vec()).next_game()? else {
            return Ok(None);
        };
        let tree = game.tree();
        let mut position = *tree.start();
        let mut plies = 0;
        for node in tree.main_line() {
            let Some(m) = tree.played(node) else { break };
            let is_mine = position.turn() == self.color;
            let book =
                if is_mine { self.answers_to(&position) } else { self.replies_to(&position) };
            if !book.contains(&m) {
                let leaver = match (book.is_empty(), is_mine) {
                    (true, _) => Leaver::Book,
                    (false, true) => Leaver::Oneself,
                    (false, false) => Leaver::Other,
                };
                // A game of another opening is none of this book.
                let others = leaver == Leaver::Book && plies == 0;
                return Ok((!others).then(|| departure(&position, Some(m), book, plies, leaver)));
            }
            let Ok(next) = position.play(m) else { break };
            position = next;
            plies += 1;
        }
        Ok((plies > 0).then(|| departure(&position, None, &[], plies, Leaver::Game)))
    }
}

fn departure(
    position: &Position,
    m: Option<Move>,
    book: &[Move],
    plies: usize,
    leaver: Leaver,
) -> Departure {
    let played = m.map(|m| written(position, m));
    let has: Vec<String> = book.iter().map(|&m| written(position, m)).collect();
    let (name, has) = (played.clone().unwrap_or_default(), has.join(", "));
    let sentence = match leaver {
        Leaver::Oneself => format!("You left your book with {name}: it has {has}."),
        Leaver::Other => {
            format!("{} left your book with {name}: it has {has}.", position.turn().name())
        }
        Leaver::Book => format!("Your book ends before {name}."),
        Leaver::Game => "The whole game was in your book.".to_owned(),
    };
    Departure {
        plies,
        leaver,
        fen: position.fen(),
        played,
        shown: m.map(|m| ShownMove::new(position, m)),
        book: book.iter().map(|&m| ShownMove::new(position, m)).collect(),
        scene: Scene::new(position, None),
        sentence,
    }
}
