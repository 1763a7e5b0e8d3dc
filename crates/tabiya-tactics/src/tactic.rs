use core::fmt;
use core::str::FromStr;

use tabiya_chess::{Color, Move, Position};

/// What the solver has to reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Checkmate: the line ends with it.
    Mate,
    /// A won game.
    Win,
    /// A game that is not lost.
    Save,
}

impl Goal {
    /// All of them, by their number in files.
    pub const ALL: [Goal; 3] = [Goal::Mate, Goal::Win, Goal::Save];

    /// Its name in files and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Mate => "mate",
            Goal::Win => "win",
            Goal::Save => "save",
        }
    }
}

/// The number by which a puzzle is known for good: it comes from the position, not from a place in a file. As text,
/// ten hexadecimal figures.
///
/// ```
/// use tabiya_tactics::TacticId;
///
/// let id: TacticId = "00000000ff".parse().unwrap();
/// assert_eq!(id.to_string(), "00000000ff");
/// assert!("ff".parse::<TacticId>().is_err() && "+0000000ff".parse::<TacticId>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TacticId(u64);

impl TacticId {
    fn of(position: &Position) -> TacticId {
        TacticId(position.repetition_key() >> 24)
    }

    /// The puzzle with this number, if it is one.
    pub const fn from_number(number: u64) -> Option<TacticId> {
        if number < 1 << 40 { Some(TacticId(number)) } else { None }
    }

    /// As a number of 40 bits.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TacticId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:010x}", self.0)
    }
}

/// What was read is not the number of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the number of a puzzle has ten hexadecimal figures")]
pub struct ParseTacticIdError;

impl FromStr for TacticId {
    type Err = ParseTacticIdError;

    fn from_str(text: &str) -> Result<TacticId, ParseTacticIdError> {
        if text.len() != 10 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ParseTacticIdError);
        }
        u64::from_str_radix(text, 16).map(TacticId).map_err(|_| ParseTacticIdError)
    }
}

/// A puzzle: a position, the mistake that was made there, and the line that punishes it, which ends with a move of
/// the solver. As text, one line: FEN, moves, goal and rating between bars.
///
/// ```
/// use tabiya_tactics::{Goal, Tactic};
///
/// let text = "6k1/4rppp/8/8/8/8/5PPP/R5K1 b - - 0 1 | e7e2 a1a8 e2e8 a8e8 | mate | 620";
/// let tactic: Tactic = text.parse().unwrap();
/// assert_eq!((tactic.goal(), tactic.rating(), tactic.length()), (Goal::Mate, 620, 2));
/// assert_eq!(tactic.to_string(), text);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tactic {
    before: Position,
    moves: Vec<Move>,
    goal: Goal,
    rating: u16,
}

/// The longest line, in moves of the solver.
pub const LONGEST: usize = 6;

/// Why something is not a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TacticError {
    /// The line is empty, too long, or does not end with a move of the solver.
    #[error(
        "the line has {0} moves, but a puzzle has a mistake and 1 to {LONGEST} moves of the solver, the last one included"
    )]
    Length(usize),
    /// A move cannot be played.
    #[error("move {0} of the line is not legal")]
    Illegal(usize),
    /// The line should mate, and does not, or the other way round.
    #[error("the goal is {0}, and the line ends otherwise")]
    Goal(&'static str),
    /// A line of text has other parts.
    #[error("a puzzle is a FEN, moves, goal and rating, with bars between them: {0}")]
    Text(String),
}

impl Tactic {
    /// A puzzle whose line is legal to its end: first the mistake, then the solver and the defender in turn.
    pub fn new(
        before: Position,
        moves: Vec<Move>,
        goal: Goal,
        rating: u16,
    ) -> Result<Tactic, TacticError> {
        if !moves.len().is_multiple_of(2) || moves.is_empty() || moves.len() > 2 * LONGEST {
            return Err(TacticError::Length(moves.len()));
        }
        let mut position = before;
        for (i, &m) in moves.iter().enumerate() {
            position = position.play(m).map_err(|_| TacticError::Illegal(i + 1))?;
        }
        if position.is_checkmate() != (goal == Goal::Mate) {
            return Err(TacticError::Goal(goal.name()));
        }
        Ok(Tactic { before, moves, goal, rating })
    }

    /// By what it is known.
    pub fn id(&self) -> TacticId {
        TacticId::of(&self.start())
    }

    /// The position before the mistake.
    pub const fn before(&self) -> &Position {
        &self.before
    }

    /// The mistake.
    pub fn mistake(&self) -> Move {
        self.moves[0]
    }

    /// The mistake and the line after it.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The line: moves of the solver and of the defender in turn.
    pub fn line(&self) -> &[Move] {
        &self.moves[1..]
    }

    /// What is to be reached.
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// How hard it is.
    pub const fn rating(&self) -> u16 {
        self.rating
    }

    /// Moves of the solver.
    pub fn length(&self) -> usize {
        self.moves.len() / 2
    }

    /// Where the solver begins.
    pub fn start(&self) -> Position {
        self.position(1)
    }

    /// The side that solves.
    pub const fn solver(&self) -> Color {
        match self.before.turn() {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The position after so many moves, the mistake counted.
    pub fn position(&self, moves: usize) -> Position {
        let mut position = self.before;
        for &m in self.moves.iter().take(moves) {
            position.play_unchecked(m);
        }
        position
    }

    /// All positions from the one before the mistake to the end of the line.
    pub fn positions(&self) -> Vec<Position> {
        (0..=self.moves.len()).map(|moves| self.position(moves)).collect()
    }
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} |", self.before.fen())?;
        let mut position = self.before;
        for &m in &self.moves {
            write!(f, " {}", position.uci(m))?;
            position.play_unchecked(m);
        }
        write!(f, " | {} | {}", self.goal.name(), self.rating)
    }
}

impl FromStr for Tactic {
    type Err = TacticError;

    fn from_str(text: &str) -> Result<Tactic, TacticError> {
        let parts: Vec<&str> = text.split('|').map(str::trim).collect();
        let wrong = |what: &str| TacticError::Text(what.to_owned());
        let &[fen, line, goal, rating] = parts.as_slice() else {
            return Err(wrong("not four parts"));
        };
        let before = Position::from_fen(fen).map_err(|error| wrong(&error.to_string()))?;
        let mut position = before;
        let mut moves = Vec::new();
        for word in line.split_whitespace() {
            let m = position.parse_uci(word).map_err(|_| TacticError::Illegal(moves.len() + 1))?;
            position.play_unchecked(m);
            moves.push(m);
        }
        let goal = Goal::ALL.into_iter().find(|known| known.name() == goal);
        let goal = goal.ok_or_else(|| wrong("the goal is none of mate, win, save"))?;
        let rating = rating.parse().map_err(|_| wrong("the rating is not a number"))?;
        Tactic::new(before, moves, goal, rating)
    }
}
