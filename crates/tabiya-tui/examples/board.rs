//! The screen without the program around it: `cargo run -p tabiya-tui --example board -- FEN`, or with
//! the three lines of a bishop-and-king file.

use tabiya_play::{GameController, Player, Refusal, Session, Setup, Start};
use tabiya_tui::{Desk, KeptGame, Options, Question, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = match std::env::args().nth(1) {
        None => Start::standard(),
        Some(text) if text.contains('\n') => Start::bishops(&text)?,
        Some(text) => Start::fen(&text)?,
    };
    let players = [Player::HUMAN, "tabiya".parse()?];
    let session = Session::new(Setup { players, ..Setup::new(start) })?;
    run(Box::new(session), &Options::from_env(), &mut Bare)?;
    Ok(())
}

/// A desk with nothing in it.
struct Bare;

fn no<T>() -> Result<T, Refusal> {
    Err(Refusal("This example has only one game.".into()))
}

impl Desk for Bare {
    fn questions(&mut self) -> Vec<Question> {
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
