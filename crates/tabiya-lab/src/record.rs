use std::fmt;
use std::time::Duration;

use tabiya_base::Score;
use tabiya_chess::{Color, Game, Outcome};
use tabiya_thinker::{EngineLimit, ThinkError, ThinkErrorKind};

/// How a game ended.
///
/// ```
/// use tabiya_chess::{Color, Outcome};
/// use tabiya_lab::Termination;
/// use tabiya_thinker::{ThinkError, ThinkErrorKind};
///
/// assert_eq!(Termination::Rules(Outcome::Stalemate).to_string(), "Draw by stalemate");
/// let error = ThinkError::new(ThinkErrorKind::Timeout, "the time ran out");
/// let forfeit = Termination::Forfeit { by: Color::Black, error };
/// assert_eq!(forfeit.to_string(), "Black forfeits: the time ran out");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// By the rules of chess. Draws that can be claimed are claimed.
    Rules(Outcome),
    /// A player failed.
    Forfeit {
        /// Which one.
        by: Color,
        /// How.
        error: ThinkError,
    },
    /// Both players have long agreed on who wins.
    AdjudicatedWin {
        /// Who.
        winner: Color,
    },
    /// Both players have long agreed that nobody wins.
    AdjudicatedDraw,
    /// Tables of endings know the result.
    Known {
        /// Who wins; nobody if it is a draw.
        winner: Option<Color>,
    },
    /// The game was longer than the match allows.
    TooLong,
}

impl Termination {
    /// The value of the `Termination` tag of a game record.
    pub const fn pgn_termination(&self) -> &'static str {
        match self {
            Termination::Rules(_) => "normal",
            Termination::Forfeit { error, .. } => match error.kind {
                ThinkErrorKind::Timeout => "time forfeit",
                ThinkErrorKind::IllegalMove => "rules infraction",
                ThinkErrorKind::Crashed | ThinkErrorKind::Other => "abandoned",
            },
            _ => "adjudication",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Rules(outcome) => outcome.fmt(f),
            Termination::Forfeit { by, error } => write!(f, "{} forfeits: {error}", side(*by)),
            Termination::AdjudicatedWin { winner } => {
                write!(f, "Adjudicated: {} wins", side(*winner))
            }
            Termination::AdjudicatedDraw => f.write_str("Adjudicated: a draw"),
            Termination::Known { winner: Some(winner) } => {
                write!(f, "Adjudicated by tables: {} wins", side(*winner))
            }
            Termination::Known { winner: None } => f.write_str("Adjudicated by tables: a draw"),
            Termination::TooLong => f.write_str("Draw: the game is too long"),
        }
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// What is known about a move beside the move.
///
/// ```
/// use std::time::Duration;
/// use tabiya_base::Score;
/// use tabiya_lab::Remark;
///
/// let time = Duration::from_millis(42);
/// let score = Some(Score::Centipawns(-15));
/// let remark = Remark { score, depth: Some(9), nodes: None, time, is_stray: false };
/// assert_eq!(remark.to_string(), "-0.15/9 0.042s");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remark {
    /// How good the player thought its position was.
    pub score: Option<Score>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// How long it thought.
    pub time: Duration,
    /// Whether the last line it told begins with another move, which is bad manners.
    pub is_stray: bool,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            // As other programs write mates in comments of matches.
            Some(Score::Mate(moves)) if moves > 0 => write!(f, "+M{moves}")?,
            Some(Score::Mate(moves)) => write!(f, "-M{}", moves.unsigned_abs())?,
            Some(score) => score.fmt(f)?,
            None => {}
        }
        match (self.score, self.depth) {
            (Some(_), Some(depth)) => write!(f, "/{depth} ")?,
            (Some(_), None) => f.write_str(" ")?,
            (None, _) => {}
        }
        write!(f, "{:.3}s", self.time.as_secs_f64())?;
        if self.is_stray { f.write_str(", its last line begins otherwise") } else { Ok(()) }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// How long White and Black could think.
    pub limits: [EngineLimit; 2],
    /// The moves, those of the opening included.
    pub game: Game,
    /// One remark for each move that a player chose: the last so many moves of the game.
    pub remarks: Vec<Remark>,
    /// Who won; none for a draw.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Termination,
}

impl GameRecord {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}
