//! Players small enough to know what they will do.

use std::time::Duration;

use tabiya_base::{Score, Stop, mix};
use tabiya_chess::{Color, Game, Move, Position, Role, Square};
use tabiya_thinker::{Clocks, Found, Info, Limits, ThinkError, ThinkErrorKind, Thinker};

/// A move that depends on nothing but the position and the seed.
fn any(position: &Position, moves: &[Move], seed: u64) -> Move {
    moves[mix(position.key() ^ seed) as usize % moves.len()]
}

fn found(best: Move) -> Result<Found, ThinkError> {
    Ok(Found { best: Some(best), ponder: None })
}

/// Plays any move, always the same in the same position.
pub(crate) struct Dice(pub(crate) u64);

impl Thinker for Dice {
    fn name(&self) -> &str {
        "Dice"
    }
    fn new_game(&mut self) -> Result<(), ThinkError> {
        Ok(())
    }
    fn think(
        &mut self,
        game: &Game,
        _: &Limits,
        _: &Stop,
        _: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        let position = game.position();
        found(any(position, &position.legal_moves(), self.0))
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

impl Thinker for Greedy {
    fn name(&self) -> &str {
        "Greedy"
    }
    fn new_game(&mut self) -> Result<(), ThinkError> {
        Ok(())
    }
    fn think(
        &mut self,
        game: &Game,
        _: &Limits,
        _: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        let position = game.position();
        let worth = |m: &Move| {
            let after = position.play(*m).unwrap();
            if after.is_checkmate() { 10_000 } else { material(&after, position.turn()) }
        };
        let moves = position.legal_moves();
        let most = moves.iter().map(worth).max().unwrap();
        let best: Vec<Move> = moves.iter().copied().filter(|m| worth(m) == most).collect();
        let score = if most == 10_000 { Score::Mate(1) } else { Score::Centipawns(most) };
        let best = any(position, &best, self.0);
        let nodes = moves.len() as u64;
        on_info(&Info { depth: 1, nodes, score, pv: vec![best], ..Info::default() });
        found(best)
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

impl Thinker for Failing {
    fn name(&self) -> &str {
        "Failing"
    }
    fn new_game(&mut self) -> Result<(), ThinkError> {
        self.moves = 0;
        match self.how {
            Failure::CannotBegin => Err(ThinkError::new(ThinkErrorKind::Other, "has no licence")),
            _ => Ok(()),
        }
    }
    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        _: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        self.moves += 1;
        if self.moves > self.after {
            match self.how {
                Failure::PlaysNonsense => return found(Move::normal(Square::E2, Square::E8)),
                Failure::Sleeps => {
                    let own = |clocks: Clocks| clocks.time[game.position().turn() as usize];
                    let allowed = limits.movetime.or(limits.clocks.map(own)).unwrap();
                    std::thread::sleep(allowed + Duration::from_millis(30));
                }
                Failure::Crashes => {
                    return Err(ThinkError::new(ThinkErrorKind::Crashed, "is gone"));
                }
                Failure::GivesUp | Failure::CannotBegin => {
                    return Err(ThinkError::new(ThinkErrorKind::Timeout, "does not answer"));
                }
            }
        }
        Dice(1).think(game, limits, &Stop::default(), on_info)
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

impl Thinker for Script {
    fn name(&self) -> &str {
        "Script"
    }
    fn new_game(&mut self) -> Result<(), ThinkError> {
        self.next = 0;
        Ok(())
    }
    fn think(
        &mut self,
        game: &Game,
        _: &Limits,
        _: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Found, ThinkError> {
        let best = game.position().parse_uci(self.moves[self.next % self.moves.len()]).unwrap();
        self.next += 1;
        if let Some(score) = self.score {
            on_info(&Info { score, pv: vec![best], ..Info::default() });
        }
        found(best)
    }
}
