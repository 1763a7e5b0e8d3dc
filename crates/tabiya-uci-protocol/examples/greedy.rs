//! A whole UCI engine: it takes the most valuable thing it can, and mates when it sees how. Any chess GUI can start it:
//! `cargo build --release -p tabiya-uci-protocol --example greedy`

use std::io::{stdin, stdout};

use tabiya_chess::{Game, Move, Outcome, Position, Role};
use tabiya_thinker::Limits;
use tabiya_uci_protocol::{
    BenchWork, BestMove, Identity, OptionSpec, OptionValue, Output, UciEngine, serve,
};

struct Greedy;

/// What a move is worth at first sight.
fn worth(position: &Position, m: Move) -> u32 {
    let after = position.play(m).expect("the move is legal");
    if matches!(after.outcome(), Some(Outcome::Checkmate { .. })) {
        return 100;
    }
    let taken = position.board().piece_at(m.to()).filter(|piece| piece.color != position.turn());
    taken.map_or(0, |piece| match piece.role {
        Role::Queen => 9,
        Role::Rook => 5,
        Role::Bishop | Role::Knight => 3,
        _ => 1,
    })
}

impl UciEngine for Greedy {
    fn identity(&self) -> Identity {
        Identity { name: "Greedy 1.0".into(), author: "you".into() }
    }
    fn options(&self) -> Vec<OptionSpec> {
        Vec::new()
    }
    fn set_option(&mut self, _name: &str, _value: OptionValue) -> Result<(), String> {
        Ok(())
    }
    fn new_game(&mut self) {}
    /// An engine that thinks longer does so on a thread of its own, and looks at the limits.
    fn go(&mut self, game: &Game, _limits: Limits, _chess960: bool, output: Output) {
        let position = game.position();
        let moves = position.legal_moves().into_iter();
        let best = moves.max_by_key(|&m| worth(position, m)).map(|m| position.uci(m));
        output.best_move(BestMove { best, ponder: None });
    }
    fn stop(&mut self) {}
    fn ponder_hit(&mut self) {}
    fn wait(&mut self) {}
    fn eval(&self, game: &Game) -> String {
        format!("{} legal moves", game.position().count_legal_moves())
    }
    fn bench(&self, _depth: Option<u32>) -> BenchWork {
        Box::new(|_stop| None)
    }
}

fn main() -> std::io::Result<()> {
    serve(stdin().lock(), stdout(), Greedy)
}
