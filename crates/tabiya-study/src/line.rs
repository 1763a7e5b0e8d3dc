use tabiya_chess::{Move, Position};
use tabiya_view::{Refusal, Side};

use crate::{Question, Study, StudyBoard};
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

impl LineMove {
    fn new(position: &Position, m: Move, chess960: bool) -> LineMove {
        LineMove {
            text: position.san(m),
            code: uci(position, m, chess960),
            number: position.fullmove_number().into(),
            side: side(position.turn()),
        }
    }
}

impl Study {
    /// What the board shows after some moves from a position, or from the start of a game, and how they are written.
    /// Nothing is kept.
    ///
    /// ```
    /// use tabiya_study::Study;
    ///
    /// let (moves, board) = Study::after(None, &["e2e4", "c5"])?;
    /// assert_eq!((moves[1].text.as_str(), moves[1].code.as_str()), ("c5", "c7c5"));
    /// assert_eq!(board.destinations.len(), 13);
    /// assert!(Study::after(None, &["e5"]).is_err());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn after(
        fen: Option<&str>,
        moves: &[impl AsRef<str>],
    ) -> Result<(Vec<LineMove>, StudyBoard), Refusal> {
        let mut here = match fen {
            Some(fen) => Position::from_fen_prefix(fen.trim()).map_err(Refusal::new)?,
            None => Position::initial(),
        };
        let (mut before, mut told) = (here, Vec::with_capacity(moves.len()));
        for text in moves {
            let m = here.parse_move(text.as_ref()).map_err(Refusal::new)?;
            told.push(LineMove::new(&here, m, false));
            before = here;
            here.play_unchecked(m);
        }
        // A study of the last move knows all that a board shows of it.
        let mut study = Study::from_fen(&before.fen())?;
        let node = moves.last().map_or(Ok(0), |text| study.play(0, text.as_ref()))?;
        Ok((told, study.board(node)?))
    }
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
            told.push(LineMove::new(&position, m, self.chess960));
            position.play_unchecked(m);
        }
        told
    }
}
