use tabiya_chess::Move;
use tabiya_play::Side;

use crate::Question;
use crate::parts::{code, side};

/// What an engine knows so far.
///
/// ```
/// # use tabiya_study::Report;
/// assert!(Report::default().lines.is_empty());
/// ```
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
    pub lines: Vec<Line>,
}

/// A line that an engine would play.
///
/// ```
/// # use tabiya_study::Line;
/// let line = Line { depth: 9, score: "+0.31".into(), chances: 0.54, moves: vec![] };
/// assert!(line.chances > 0.5);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// How far it has looked ahead.
    pub depth: u32,
    /// What the line is worth, from White's side: `+0.31`, `-#4`.
    pub score: String,
    /// White's expected score, 0 to 1.
    pub chances: f32,
    /// The moves.
    pub moves: Vec<LineMove>,
}

/// A move of a line.
///
/// ```
/// # use {tabiya_play::Side, tabiya_study::LineMove};
/// let e4 = LineMove { text: "e4".into(), code: "e2e4".into(), number: 1, side: Side::White };
/// assert_eq!(e4.number, 1);
/// ```
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

/// A worth as engines tell it: for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Worth {
    Centipawns(i32),
    Mate(i32),
}

/// As White sees it.
pub(crate) fn score(worth: Worth, turn: Side) -> String {
    let sign = if turn == Side::White { 1 } else { -1 };
    match worth {
        Worth::Centipawns(score) => {
            tabiya_engine::Score::Centipawns(score.saturating_mul(sign)).to_string()
        }
        // Mate on the board: the side to move has lost.
        Worth::Mate(0) => if sign > 0 { "-#0" } else { "#0" }.to_owned(),
        Worth::Mate(moves) if (moves < 0) == (sign > 0) => format!("-#{}", moves.unsigned_abs()),
        Worth::Mate(moves) => format!("#{}", moves.unsigned_abs()),
    }
}

/// White's expected score, as usual for a worth in pawns: three pawns win three games of four.
pub(crate) fn chances(worth: Worth, turn: Side) -> f32 {
    let ours = match worth {
        Worth::Centipawns(score) => 1.0 / (1.0 + (-0.00368 * score as f32).exp()),
        Worth::Mate(moves) if moves > 0 => 1.0,
        Worth::Mate(_) => 0.0,
    };
    if turn == Side::White { ours } else { 1.0 - ours }
}

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
                code: code(&position, m, self.chess960),
                number: position.fullmove_number().into(),
                side: side(position.turn()),
            });
            position.play_unchecked(m);
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worth_is_told_from_whites_side() {
        for (worth, turn, text) in [
            (Worth::Centipawns(31), Side::White, "+0.31"),
            (Worth::Centipawns(31), Side::Black, "-0.31"),
            (Worth::Centipawns(i32::MIN), Side::Black, "+21474836.47"),
            (Worth::Mate(3), Side::White, "#3"),
            (Worth::Mate(3), Side::Black, "-#3"),
            (Worth::Mate(-2), Side::White, "-#2"),
            (Worth::Mate(-2), Side::Black, "#2"),
            (Worth::Mate(0), Side::White, "-#0"),
            (Worth::Mate(0), Side::Black, "#0"),
        ] {
            assert_eq!(score(worth, turn), text, "{worth:?} {turn:?}");
            let white_is_better = !text.starts_with('-');
            assert_eq!(chances(worth, turn) > 0.5, white_is_better, "{worth:?} {turn:?}");
        }
    }
}
