//! The basic mates, from random starts and within the fifty-move rule.
//!
//! `cargo bench -p tabiya-engine --bench mates [-- STARTS [NODES]]`
//!
//! The engine plays both sides with so many nodes a move (100 starts and 20,000 nodes, if not told
//! otherwise); the same starts each time.

use tabiya_base::Random;
use tabiya_chess::{Color, Game, Outcome, Position};
use tabiya_engine::{Engine, Limits, Settings};

const ENDINGS: [(&str, &str); 4] =
    [("queen", "Q"), ("rook", "R"), ("two bishops", "BB"), ("bishop and knight", "BN")];

fn main() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse::<u64>().ok());
    let starts = numbers.next().unwrap_or(100);
    let nodes = numbers.next().unwrap_or(20_000);
    println!(
        "| ending | starts | mates | moves, on average | at most |\n|---|---:|---:|---:|---:|"
    );
    for (name, men) in ENDINGS {
        let mut random = Random::new(0x7ab1_7a00);
        let lengths: Vec<usize> =
            (0..starts).filter_map(|_| moves_to_mate(start(&mut random, men), nodes)).collect();
        let average = lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64;
        let most = lengths.iter().max().copied().unwrap_or(0);
        println!("| {name} | {starts} | {} | {average:.1} | {most} |", lengths.len());
    }
}

/// How many moves it took the stronger side; nothing if it was a draw.
fn moves_to_mate(start: Position, nodes: u64) -> Option<usize> {
    let settings = Settings { hash_megabytes: 4, ..Settings::default() };
    let mut engines = [Engine::new(settings), Engine::new(settings)];
    let mut game = Game::from_position(start);
    loop {
        match game.outcome().or_else(|| game.claimable_draw()) {
            Some(Outcome::Checkmate { winner: Color::White }) => {
                return Some(game.moves().len().div_ceil(2));
            }
            Some(_) => return None,
            None => {}
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let side = game.position().turn() as usize;
        let best = engines[side].think(&game, limits, |_| {}).best?;
        game.play(best).ok()?;
    }
}

/// White has the men and Black nothing but the king; neither can be taken at once, and the bishops
/// are of both colours.
fn start(random: &mut Random, men: &str) -> Position {
    loop {
        if let Some(position) = try_start(random, men) {
            return position;
        }
    }
}

fn try_start(random: &mut Random, men: &str) -> Option<Position> {
    let mut rows = [[' '; 8]; 8];
    let mut bishops = Vec::new();
    for letter in ['K', 'k'].into_iter().chain(men.chars()) {
        let (row, column) = (random.below(8), random.below(8));
        if rows[row][column] != ' ' {
            return None;
        }
        rows[row][column] = letter;
        if letter == 'B' {
            bishops.push((row + column) % 2);
        }
    }
    if bishops == [0, 0] || bishops == [1, 1] {
        return None;
    }
    let turn = ["w", "b"][random.below(2)];
    let board: Vec<String> = rows.iter().map(fen_row).collect();
    let position: Position = format!("{} {turn} - - 0 1", board.join("/")).parse().ok()?;
    let moves = position.legal_moves();
    let quiet = moves.iter().all(|m| position.board().piece_at(m.to()).is_none());
    (quiet && !moves.is_empty()).then_some(position)
}

fn fen_row(row: &[char; 8]) -> String {
    let mut text = String::new();
    for group in row.chunk_by(|a, b| a == b && *a == ' ') {
        match group {
            [' ', ..] => text += &group.len().to_string(),
            men => text.extend(men),
        }
    }
    text
}
