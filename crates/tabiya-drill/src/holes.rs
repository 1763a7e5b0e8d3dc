//! What is missing in a book, and a book from what others play.

use std::collections::HashSet;

use tabiya_chess::{Color, Move, Position};
use tabiya_pgn::{Game, NodeId};

use crate::repertoire::{Repertoire, key, line_text, written};
use crate::trial::ShownMove;

/// A hole that is met in fewer games than one of fifty is none.
const REACHED: f64 = 0.02;
/// What fewer games have played says nothing.
const GAMES: u64 = 5;
/// No more positions are looked up.
const MOST_QUESTIONS: usize = 600;
/// A book from games goes no deeper, in half-moves.
const DEEPEST: usize = 24;
/// No more holes are told of.
const MOST_HOLES: usize = 20;

/// A move that others have played in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Habit {
    /// As programs write it.
    pub uci: String,
    /// In how many games.
    pub games: u64,
}

/// An answer of the other side that is met, and has no reply.
#[derive(Clone, PartialEq, Debug)]
pub struct Hole {
    /// The way to it: `1.e4 c5 2.Nf3`.
    pub line: String,
    /// The position before it.
    pub fen: String,
    /// The answer.
    pub played: ShownMove,
    /// The share of the games in that position that go on so.
    pub share: f64,
    /// The share of all games with this book that come to it.
    pub reach: f64,
    /// In how many games it was played.
    pub games: u64,
    /// What is said of it.
    pub sentence: String,
}

struct Walk<'a, F> {
    book: &'a Repertoire,
    ask: F,
    seen: HashSet<String>,
    holes: Vec<Hole>,
}

/// What is missing in a book: the answers of the other side that are met in one of fifty games, and have no reply; those
/// that are met most come first. `ask` tells what was played in a position.
pub fn holes<E>(
    book: &Repertoire,
    ask: impl FnMut(&str) -> Result<Vec<Habit>, E>,
) -> Result<Vec<Hole>, E> {
    let mut walk = Walk { book, ask, seen: HashSet::new(), holes: Vec::new() };
    for root in book.roots() {
        walk.visit(root, &mut Vec::new(), 1.0)?;
    }
    walk.holes.sort_by(|a, b| b.reach.total_cmp(&a.reach));
    walk.holes.truncate(MOST_HOLES);
    Ok(walk.holes)
}

impl<E, F: FnMut(&str) -> Result<Vec<Habit>, E>> Walk<'_, F> {
    fn visit(
        &mut self,
        position: &Position,
        line: &mut Vec<(Position, Move)>,
        reach: f64,
    ) -> Result<(), E> {
        if reach < REACHED || self.seen.len() > MOST_QUESTIONS || !self.seen.insert(key(position)) {
            return Ok(());
        }
        if position.turn() == self.book.color() {
            let answers = self.book.answers_to(position).to_vec();
            for m in &answers {
                self.go_on(position, *m, line, reach / answers.len() as f64)?;
            }
            return Ok(());
        }
        let habits = (self.ask)(&position.fen())?;
        let all: u64 = habits.iter().map(|habit| habit.games).sum();
        for (place, habit) in habits.iter().enumerate() {
            let Ok(m) = position.parse_uci(&habit.uci) else { continue };
            let share = habit.games as f64 / all.max(1) as f64;
            let Ok(next) = position.play(m) else { continue };
            if !self.book.answers_to(&next).is_empty() {
                self.go_on(position, m, line, reach * share)?;
            } else if habit.games >= GAMES && reach * share >= REACHED && next.has_legal_moves() {
                self.hole(position, m, line, [share, reach * share], habit.games, place == 0);
            }
        }
        // What is in the book, but was never played, is a way all the same.
        for &m in self.book.replies_to(position) {
            if !habits.iter().any(|habit| position.parse_uci(&habit.uci) == Ok(m)) {
                self.go_on(position, m, line, REACHED)?;
            }
        }
        Ok(())
    }

    fn go_on(
        &mut self,
        position: &Position,
        m: Move,
        line: &mut Vec<(Position, Move)>,
        reach: f64,
    ) -> Result<(), E> {
        let Ok(next) = position.play(m) else { return Ok(()) };
        line.push((*position, m));
        let done = self.visit(&next, line, reach);
        line.pop();
        done
    }

    fn hole(
        &mut self,
        position: &Position,
        m: Move,
        line: &[(Position, Move)],
        [share, reach]: [f64; 2],
        games: u64,
        is_most: bool,
    ) {
        let side = position.turn().name();
        let which = if is_most { "most played answer" } else { "answer" };
        let percent = (share * 100.0).round();
        let name = written(position, m);
        self.holes.push(Hole {
            line: line_text(line),
            fen: position.fen(),
            played: ShownMove::new(position, m),
            share,
            reach,
            games,
            sentence: format!("{side}'s {which} {name} ({percent} %) has no reply in your book."),
        });
    }
}

/// A book from what was played: one's own move is the one that was played most, and of the answers all that are met in
/// one of fifty games. It begins after some moves, and ends where fewer than five games go on. None if nobody has played
/// there.
pub fn compose<E>(
    color: Color,
    moves: &[impl AsRef<str>],
    mut ask: impl FnMut(&str) -> Result<Vec<Habit>, E>,
) -> Result<Result<Option<Game>, String>, E> {
    let mut game = Game::new();
    let (mut node, mut position) = (game.tree().root(), *game.tree().start());
    for text in moves {
        let m = match position.parse_move(text.as_ref()) {
            Ok(m) => m,
            Err(error) => return Ok(Err(error.to_string())),
        };
        match game.tree_mut().add(node, m) {
            Ok(added) => node = added,
            Err(error) => return Ok(Err(error.to_string())),
        }
        position.play_unchecked(m);
    }
    let mut seen = HashSet::new();
    let mut waiting: Vec<(NodeId, Position, f64, usize)> = vec![(node, position, 1.0, moves.len())];
    while let Some((node, position, reach, plies)) = waiting.pop() {
        if plies >= DEEPEST || seen.len() > MOST_QUESTIONS || !seen.insert(key(&position)) {
            continue;
        }
        let mut habits = ask(&position.fen())?;
        let all: u64 = habits.iter().map(|habit| habit.games).sum();
        habits.retain(|habit| habit.games >= GAMES);
        if position.turn() == color {
            habits.truncate(1);
        }
        let mut after = Vec::new();
        for habit in habits {
            let Ok(m) = position.parse_uci(&habit.uci) else { continue };
            let is_mine = position.turn() == color;
            let reach =
                if is_mine { reach } else { reach * habit.games as f64 / all.max(1) as f64 };
            if reach < REACHED {
                continue;
            }
            let Ok(next) = position.play(m) else { continue };
            if let Ok(added) = game.tree_mut().add(node, m) {
                after.push((added, next, reach, plies + 1));
            }
        }
        waiting.extend(after.into_iter().rev());
    }
    Ok(Ok((game.tree().len() > moves.len()).then_some(game)))
}
