//! Players small enough to know what they will do.

use std::time::Duration;

use tabiya_chess::{Color, Game, Move, Position, Role};
use tabiya_lab::{Choice, ClockState, Player, PlayerError, Score};

/// A number that depends on nothing but the position and the seed.
fn dice(position: &Position, seed: u64) -> u64 {
    let mixed = (position.key() ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 17
}

fn any(position: &Position, moves: &[Move], seed: u64) -> Move {
    moves[dice(position, seed) as usize % moves.len()]
}

/// Plays any move, always the same in the same position.
pub(crate) struct Dice(pub(crate) u64);

impl Player for Dice {
    fn name(&self) -> &str {
        "Dice"
    }
    fn new_game(&mut self) -> Result<(), PlayerError> {
        Ok(())
    }
    fn choose(&mut self, game: &Game, _: ClockState) -> Result<Choice, PlayerError> {
        let position = game.position();
        Ok(Choice::new(position.uci(any(position, &position.legal_moves(), self.0))))
    }
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// What a side has more than the other.
fn material(position: &Position, color: Color) -> i32 {
    let board = position.board();
    let worth = |color| -> i32 {
        let men = board.color(color).into_iter().filter_map(|square| position.piece_at(square));
        men.map(|piece| value(piece.role)).sum()
    };
    worth(color) - worth(!color)
}

/// Mates if it can, takes the most it can, and knows what it has.
pub(crate) struct Greedy(pub(crate) u64);

impl Player for Greedy {
    fn name(&self) -> &str {
        "Greedy"
    }
    fn new_game(&mut self) -> Result<(), PlayerError> {
        Ok(())
    }
    fn choose(&mut self, game: &Game, _: ClockState) -> Result<Choice, PlayerError> {
        let position = game.position();
        let worth = |m: &Move| {
            let after = position.play(*m).unwrap();
            if after.is_checkmate() { 10_000 } else { material(&after, position.turn()) }
        };
        let moves = position.legal_moves();
        let most = moves.iter().map(worth).max().unwrap();
        let best: Vec<Move> = moves.iter().copied().filter(|m| worth(m) == most).collect();
        let score = if most == 10_000 { Score::Mate(1) } else { Score::Centipawns(most) };
        Ok(Choice {
            score: Some(score),
            depth: Some(1),
            nodes: Some(moves.len() as u64),
            ..Choice::new(position.uci(any(position, &best, self.0)))
        })
    }
}

/// Plays like `Dice` for some moves, then fails in its own way.
pub(crate) struct Failing {
    pub(crate) how: Failure,
    pub(crate) after: usize,
    pub(crate) moves: usize,
}

#[derive(Clone, Copy)]
pub(crate) enum Failure {
    PlaysNonsense,
    Sleeps,
    Crashes,
    GivesUp,
    CannotBegin,
}

impl Failing {
    pub(crate) fn new(how: Failure, after: usize) -> Failing {
        Failing { how, after, moves: 0 }
    }
}

impl Player for Failing {
    fn name(&self) -> &str {
        "Failing"
    }
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.moves = 0;
        match self.how {
            Failure::CannotBegin => Err(PlayerError::Other("no licence".to_owned())),
            _ => Ok(()),
        }
    }
    fn choose(&mut self, game: &Game, clock: ClockState) -> Result<Choice, PlayerError> {
        self.moves += 1;
        if self.moves > self.after {
            match self.how {
                Failure::PlaysNonsense => return Ok(Choice::new("e2e9}\n[")),
                Failure::Sleeps => {
                    std::thread::sleep(clock.allowed().unwrap() + Duration::from_millis(30));
                }
                Failure::Crashes => return Err(PlayerError::Crashed),
                Failure::GivesUp | Failure::CannotBegin => return Err(PlayerError::Timeout),
            }
        }
        Dice(1).choose(game, clock)
    }
}

/// Shuffles a piece back and forth between moves of its list, and says the same about each.
pub(crate) struct Script {
    pub(crate) moves: &'static [&'static str],
    pub(crate) score: Option<Score>,
    pub(crate) next: usize,
}

impl Script {
    pub(crate) fn new(moves: &'static [&'static str], score: Option<i32>) -> Script {
        Script { moves, score: score.map(Score::Centipawns), next: 0 }
    }
}

impl Player for Script {
    fn name(&self) -> &str {
        "Script"
    }
    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.next = 0;
        Ok(())
    }
    fn choose(&mut self, _: &Game, _: ClockState) -> Result<Choice, PlayerError> {
        let best = self.moves[self.next % self.moves.len()];
        self.next += 1;
        Ok(Choice { score: self.score, ..Choice::new(best) })
    }
}
