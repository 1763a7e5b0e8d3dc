use tabiya_chess::Move;
use tabiya_view::Side;

use crate::Question;
use tabiya_chess_view::{side, uci};

/// What an engine knows so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The engine, as it calls itself.
    pub engine: String,
    /// How far it has looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// And how many of them a second.
    pub nodes_per_second: u64,
    /// Its best lines, the best first.
    pub lines: Vec<LineView>,
}

/// A line that an engine would play.
#[derive(Clone, PartialEq, Debug)]
pub struct LineView {
    /// How far it has looked ahead.
    pub depth: u32,
    /// What the line is worth, from White's side: `+0.31`, `-#4`.
    pub score: String,
    /// The points White can expect among people, 0 to 1.
    pub expectation: f32,
    /// The moves.
    pub moves: Vec<LineMove>,
}

/// A move of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineMove {
    /// As people write it.
    pub text: String,
    /// As programs write it.
    pub code: String,
    /// The number of the move.
    pub number: u32,
    /// Whose move it is.
    pub side: Side,
}

/// So many moves of a line are told.
const LONGEST: usize = 24;

impl Question {
    /// Moves as they are told, as far as they are legal.
    pub(crate) fn told(&self, moves: &[Move]) -> Vec<LineMove> {
        let mut position = *self.game.position();
        let mut told = Vec::new();
        for &m in moves.iter().take(LONGEST) {
            if !position.is_legal(m) {
                break;
            }
            told.push(LineMove {
                text: position.san(m),
                code: uci(&position, m, self.chess960),
                number: position.fullmove_number().into(),
                side: side(position.turn()),
            });
            position.play_unchecked(m);
        }
        told
    }
}
