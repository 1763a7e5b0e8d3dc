//! Positions of the bishop-and-king game made to measure, and mates found in them.

use tabiya_base::Stop;
use tabiya_puzzle::{Position, Recipe, Size, Solver};

use crate::{GameController as _, GameKind, Refusal, Session, Side};

/// Positions the solver looks at before it gives up: some seconds.
const BUDGET: u64 = 20_000_000;
/// The longest mate that is looked for.
const LONGEST: u32 = 9;

/// Makes a position of the bishop-and-king game, as the text of its board: with a mate for White in so many moves, or an
/// even one. May take seconds.
///
/// ```
/// use tabiya_base::Stop;
/// use tabiya_play::{Start, compose_bishops};
///
/// let stop = Stop::default();
/// let board = compose_bishops(6, 2, 1, Some(1), 7, &stop)?;
/// assert!(Start::bishops(&board).is_ok());
/// assert_eq!(compose_bishops(2, 1, 1, None, 7, &stop).unwrap_err().0, "Sizes are 3 to 26.");
/// # Ok::<(), tabiya_play::Refusal>(())
/// ```
pub fn compose_bishops(
    size: u8,
    white_bishops: usize,
    black_bishops: usize,
    mate: Option<u32>,
    seed: u64,
    stop: &Stop,
) -> Result<String, Refusal> {
    let size = Size::new(size).ok_or_else(|| Refusal::new("sizes are 3 to 26"))?;
    if mate.is_some_and(|moves| !(1..=4).contains(&moves)) {
        return Err(Refusal::new("mates are made in 1 to 4 moves"));
    }
    let recipe = Recipe { size, white_bishops, black_bishops, mate, seed };
    Ok(recipe.compose_until(stop).map_err(Refusal::new)?.plain())
}

/// A mate that is to be looked for, apart from the session, which can go on meanwhile.
pub struct MateSearch {
    position: Position,
    side: Side,
    moves: u32,
}

/// What the solver proves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateVerdict {
    /// In how many moves the side to move mates, if it does.
    pub mate: Option<u32>,
    /// Every first move that does it.
    pub first: Vec<String>,
    /// One way to the end.
    pub line: Vec<String>,
    /// The same as a sentence.
    pub text: String,
}

impl Session {
    /// Looks for a mate by the side to move within so many moves, in the bishop-and-king game.
    ///
    /// ```
    /// use tabiya_base::Stop;
    /// use tabiya_play::{GameSetup, Session, Start};
    ///
    /// let setup = GameSetup::new(Start::bishops("3\nKc1, Ba3, Bb3\nKa1").unwrap());
    /// let session = Session::new(setup).unwrap();
    /// let verdict = session.mate_search(2)?.run(&Stop::default());
    /// assert_eq!((verdict.mate, verdict.text.as_str()), (Some(1), "White mates in 1 move."));
    /// # Ok::<(), tabiya_play::Refusal>(())
    /// ```
    pub fn mate_search(&self, moves: u32) -> Result<MateSearch, Refusal> {
        if !(1..=LONGEST).contains(&moves) {
            return Err(Refusal(format!("The solver looks for mates in 1 to {LONGEST} moves.")));
        }
        if self.setup().start.kind() != GameKind::Bishops {
            return Err(Refusal::new("the solver knows the bishop-and-king game only"));
        }
        let side = self.view().turn;
        let to_move = match side {
            Side::White => tabiya_puzzle::Side::White,
            Side::Black => tabiya_puzzle::Side::Black,
        };
        let board = self.position_text().parse().map_err(Refusal::new)?;
        let position = Position::new(board, to_move).map_err(Refusal::new)?;
        Ok(MateSearch { position, side, moves })
    }
}

impl MateSearch {
    /// Looks, until it is told to stop; may take seconds.
    pub fn run(self, stop: &Stop) -> MateVerdict {
        use tabiya_puzzle::Verdict;
        let side = self.side.name();
        let in_moves = |moves: u32| format!("{moves} move{}", if moves == 1 { "" } else { "s" });
        let none = |text: String| MateVerdict { mate: None, first: vec![], line: vec![], text };
        let words = |moves: &[tabiya_puzzle::Move]| moves.iter().map(ToString::to_string).collect();
        let mut solver = Solver::with_budget(BUDGET).with_stop(stop.clone());
        match solver.solve(&self.position, self.moves) {
            Verdict::Mate(solution) => MateVerdict {
                mate: Some(solution.moves),
                first: words(&solution.keys),
                line: words(&solution.line),
                text: format!("{side} mates in {}.", in_moves(solution.moves)),
            },
            Verdict::NoMate { within } => {
                none(format!("{side} has no mate within {}.", in_moves(within)))
            }
            Verdict::Unfinished { no_mate_within } => none(format!(
                "{side} has no mate within {}; to look further takes too long.",
                in_moves(no_mate_within)
            )),
        }
    }
}
