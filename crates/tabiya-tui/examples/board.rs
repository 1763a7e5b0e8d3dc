//! The screen without the program around it: `cargo run -p tabiya-tui --example board -- FEN`, or with
//! the three lines of a bishop-and-king file.

use tabiya_play::{GameController, GameSetup, Player, Refusal, Session, Start};
use tabiya_tui::{Host, KeptGame, NewGameQuestion, Options, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = match std::env::args().nth(1) {
        None => Start::standard(),
        Some(text) if text.contains('\n') => Start::bishops(&text)?,
        Some(text) => Start::fen(&text)?,
    };
    let players = [Player::HUMAN, "tabiya".parse()?];
    let session = Session::new(GameSetup { players, ..GameSetup::new(start) })?;
    run(Box::new(session), &Options::from_env(), &mut Bare)?;
    Ok(())
}

/// A host with nothing in it.
struct Bare;

fn no<T>() -> Result<T, Refusal> {
    Err(Refusal("This example has only one game.".into()))
}

impl Host for Bare {
    fn questions(&mut self) -> Vec<NewGameQuestion> {
        Vec::new()
    }

    fn begin(&mut self, _: &[usize]) -> Result<Box<dyn GameController>, Refusal> {
        no()
    }

    fn kept(&mut self) -> Result<Vec<KeptGame>, Refusal> {
        no()
    }

    fn open(&mut self, _: &str) -> Result<Box<dyn GameController>, Refusal> {
        no()
    }

    fn file_name(&self, _: &dyn GameController) -> String {
        "game.pgn".into()
    }

    fn save(&mut self, _: &str, _: &dyn GameController) -> Result<String, Refusal> {
        no()
    }

    fn load(&mut self, _: &str) -> Result<Box<dyn GameController>, Refusal> {
        no()
    }
}
