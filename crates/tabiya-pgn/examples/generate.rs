//! Writes games of chance, for tests and races: the same ones for the same numbers.
//!
//!     cargo run --release -p tabiya-pgn --example generate -- GAMES [SEED]
//!
//! One half are bare moves with many tags, as in collections of tournament games. A quarter have a
//! clock and an evaluation behind each move, as game servers write them. A quarter are annotated:
//! comments, judgements, variations inside variations. One in sixteen is Chess960 or begins at a
//! position of its own.

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use tabiya_chess::Position;
use tabiya_pgn::{Comment, Eval, Game, GameResult, Nag, NodeId, Score};

struct Random(tabiya_base::Random);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.below(limit as usize) as u64
    }

    fn one_in(&mut self, number: u64) -> bool {
        self.below(number) == 0
    }

    fn choose<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Bare,
    Server,
    Annotated,
}

const NAMES: [&str; 8] = [
    "Nguyen, Thi Mai",
    "Ólafsson, Friðrik",
    "O'Hara, \"Ace\"",
    "Šarić, Ivan",
    "Müller, Jörg",
    "Smith, J",
    "van der Berg, A",
    "Li, Wei",
];
const WORDS: [&str; 12] = [
    "White",
    "keeps",
    "the",
    "bishop",
    "pair,",
    "but",
    "Black's",
    "knight",
    "is",
    "strong; 50% says",
    "the [engine]",
    "naïvely.",
];

fn main() -> io::Result<()> {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let games = numbers.next().unwrap_or(1000);
    let mut random = Random(tabiya_base::Random::new(numbers.next().unwrap_or(1)));
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 1..=games {
        writeln!(out, "{}", game(number, &mut random))?;
    }
    out.flush()
}

fn game(number: u64, random: &mut Random) -> Game {
    let style = match random.below(4) {
        0 => Style::Server,
        1 => Style::Annotated,
        _ => Style::Bare,
    };
    let mut game = Game::from_position(start(random));
    let mut set = |name: &str, value: &str| game.set_tag(name, value).expect("a good tag");
    set("Event", random.choose(&["Open", "Team Cup", "Club championship", "Rated blitz game"]));
    set("Site", random.choose(&["Reykjavík ISL", "Hastings ENG", "https://example.org/aB3dE"]));
    set("Date", &format!("{}.{:02}.{:02}", 1900 + random.below(125), 1 + random.below(12), 7));
    set("Round", &format!("{}.{}", 1 + number / 10 % 11, 1 + number % 10));
    set("White", random.choose(&NAMES));
    set("Black", random.choose(&NAMES));
    set("WhiteElo", &(1200 + random.below(1600)).to_string());
    set("BlackElo", &(1200 + random.below(1600)).to_string());
    set("ECO", random.choose(&["A00", "B97", "C41", "D37", "E60"]));
    set("TimeControl", "300+3");
    let plies = 20 + random.below(120);
    let root = game.tree().root();
    grow(&mut game, root, plies, style, 0, random);
    let played = game.to_play();
    game.set_result(match played.outcome() {
        Some(outcome) => outcome.into(),
        None => GameResult::ALL[random.below(4) as usize],
    });
    game
}

fn start(random: &mut Random) -> Position {
    if !random.one_in(16) {
        return Position::initial();
    }
    let number = random.below(960) as u16;
    let mut position = Position::chess960(number).expect("a number below 960");
    if random.one_in(2) {
        position = Position::initial();
        for _ in 0..20 {
            let moves = position.legal_moves();
            let Some(&m) = moves.get(random.below(moves.len() as u64) as usize) else { break };
            position.play_unchecked(m);
        }
    }
    position
}

/// Adds a line of so many moves after a node.
fn grow(game: &mut Game, from: NodeId, plies: u64, style: Style, depth: u32, random: &mut Random) {
    let mut at = from;
    let mut position = game.tree().position(at);
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Captures more often than not, so that games become endings.
        let takes = moves.iter().filter(|m| position.piece_at(m.to()).is_some()).count() as u64;
        let pick = if takes > 0 && random.one_in(3) { random.below(takes) } else { takes };
        let m = match pick {
            pick if pick < takes => {
                moves.iter().filter(|m| position.piece_at(m.to()).is_some()).nth(pick as usize)
            }
            _ => moves.get(random.below(moves.len() as u64) as usize),
        };
        let Some(&m) = m else { break };
        let parent = at;
        at = game.tree_mut().add(parent, m).expect("a legal move");
        match style {
            Style::Bare => {}
            Style::Server => {
                let score = Score::Centipawns(random.below(800) as i32 - 400);
                let left = Duration::from_secs(300_u64.saturating_sub(2 * ply));
                let comment = Comment::default().with_eval(Eval { score, depth: None });
                game.tree_mut().add_comment(at, comment.with_clock(left));
            }
            Style::Annotated => annotate(game, parent, at, &position, depth, random),
        }
        position.play_unchecked(m);
    }
}

fn annotate(
    game: &mut Game,
    parent: NodeId,
    at: NodeId,
    before: &Position,
    depth: u32,
    random: &mut Random,
) {
    if random.one_in(8) {
        game.tree_mut().add_nag(at, Nag(1 + random.below(19) as u8));
    }
    if random.one_in(8) {
        game.tree_mut().add_comment(at, words(random));
    }
    if depth < 4 && random.one_in(12) {
        let others = before.legal_moves();
        let Some(&m) = others.get(random.below(others.len() as u64) as usize) else { return };
        let known = game.tree().children(parent).any(|id| game.tree().played(id) == Some(m));
        let variation = game.tree_mut().add(parent, m).expect("a legal move");
        if known {
            return;
        }
        if random.one_in(4) {
            game.tree_mut().add_comment_before(variation, words(random));
        }
        let plies = random.below(10);
        grow(game, variation, plies, Style::Annotated, depth + 1, random);
    }
}

fn words(random: &mut Random) -> Comment {
    let count = 1 + random.below(20);
    let words: Vec<&str> = (0..count).map(|_| random.choose(&WORDS)).collect();
    Comment::new(&words.join(" "))
}
