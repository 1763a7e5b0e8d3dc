//! Plays random moves until the game is over, and writes the game as PGN:
//! `cargo run -p tabiya-pgn --example random_game -- 7` (the seed)

use std::error::Error;

use tabiya_base::Random;
use tabiya_chess::Game;
use tabiya_pgn::GameResult;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut random = Random::new(seed);
    let mut game = Game::new();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        let moves: Vec<_> = game.position().legal_moves().into_iter().collect();
        let m = random.pick(&moves).expect("a game that goes on has a move");
        game.play(m)?;
    };

    let mut record = tabiya_pgn::Game::new();
    record.set_tag("White", "Chance")?;
    record.set_tag("Black", "Luck")?;
    let tree = record.tree_mut();
    tree.add_line(tree.root(), game.moves())?;
    record.set_result(match outcome.winner() {
        Some(tabiya_chess::Color::White) => GameResult::WhiteWins,
        Some(tabiya_chess::Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    });
    println!("{record}");
    eprintln!("{outcome}");
    Ok(())
}
