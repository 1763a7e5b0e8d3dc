//! The engine in a program of one's own: what it thinks of a position, as it goes deeper:
//! `cargo run --release -p tabiya-engine --example analyse -- 1000000 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'`

use std::error::Error;

use tabiya_chess::{Game, Position};
use tabiya_engine::{Engine, Info, Limits, Settings};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let nodes = arguments.next().map_or(Ok(100_000), |nodes| nodes.parse())?;
    let position: Position = match arguments.next() {
        Some(fen) => fen.parse()?,
        None => Position::initial(),
    };
    let mut engine = Engine::new(Settings { hash_megabytes: 64, ..Settings::default() });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let found = engine.think(&Game::from_position(position), limits, |info| {
        println!("{:>2}  {:>7}  {}", info.depth, info.score.to_string(), line(&position, info));
    });
    match found.best {
        Some(best) => println!("{}", position.san(best)),
        None => println!("There is no move."),
    }
    Ok(())
}

/// The moves of a line as people write them.
fn line(position: &Position, info: &Info) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &m in &info.pv {
        words.push(position.san(m));
        position.play_unchecked(m);
    }
    words.join(" ")
}
