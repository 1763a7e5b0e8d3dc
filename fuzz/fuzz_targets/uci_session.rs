//! Any bytes as what a GUI says to an engine that answers at once: the conversation comes to an end, and every answer
//! is a line of the protocol, with one best move for each search.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Game;
use tabiya_thinker::Limits;
use tabiya_uci_protocol::{
    BenchWork, BestMove, Command, Identity, OptionKind, OptionSpec, OptionValue, Output, UciEngine,
    serve,
};

/// Plays the first legal move.
struct First;

impl UciEngine for First {
    fn identity(&self) -> Identity {
        Identity { name: "First".into(), author: "nobody".into() }
    }
    fn options(&self) -> Vec<OptionSpec> {
        let kinds = [
            ("UCI_Chess960", OptionKind::Check { default: false }),
            ("Hash", OptionKind::Spin { default: 1, min: 1, max: 9 }),
            ("File", OptionKind::String { default: String::new() }),
            ("Clear Hash", OptionKind::Button),
        ];
        kinds.into_iter().map(|(name, kind)| OptionSpec { name: name.into(), kind }).collect()
    }
    fn set_option(&mut self, _: &str, value: OptionValue) -> Result<(), String> {
        if value == OptionValue::Spin(7) { Err("not seven".into()) } else { Ok(()) }
    }
    fn new_game(&mut self) {}
    fn go(&mut self, game: &Game, _: Limits, chess960: bool, output: Output) {
        let position = game.position();
        let text = position.legal_moves().first().map(|&m| match chess960 {
            true => position.uci_chess960(m),
            false => position.uci(m),
        });
        output.best_move(BestMove { best: text, ponder: None });
    }
    fn stop(&mut self) {}
    fn ponder_hit(&mut self) {}
    fn wait(&mut self) {}
    fn eval(&self, _: &Game) -> String {
        "even".into()
    }
    fn bench(&self, _: Option<u32>) -> BenchWork {
        Box::new(|_| Some("Bench: 1".into()))
    }
}

fuzz_target!(|data: &[u8]| {
    // Counting deep takes long, and is another matter.
    let lines = data.split_inclusive(|&byte| byte == b'\n');
    let quick = lines.filter(|line| {
        let (command, _) = Command::parse(String::from_utf8_lossy(line).trim_end());
        !matches!(command, Command::Perft(2..))
    });
    let input: Vec<u8> = quick.flatten().copied().collect();
    let searches = String::from_utf8_lossy(&input)
        .split('\n')
        .map(|line| Command::parse(line.strip_suffix('\r').unwrap_or(line)).0)
        .take_while(|command| *command != Command::Quit)
        .filter(|command| matches!(command, Command::Go(_)))
        .count();
    let mut said = Vec::new();
    serve(&input[..], &mut said, First).expect("nothing fails in memory");
    let said = String::from_utf8(said).expect("text");
    assert!(said.is_empty() || said.ends_with('\n'));
    let answers = said.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, searches, "{said}");
});
