//! An ending that somebody plays out.

use tabiya_chess::{Color, Game, Move, Outcome, Position, Role};
use tabiya_coach::Grade;
use tabiya_tables::Tables;
use tabiya_tactics::Scene;
use tabiya_thinker::ThinkError;

use crate::guide::{Guide, Verdict, known};
use crate::{Ending, Task};

/// Who has held a position for so many moves has held it.
const HELD: usize = 20;
/// Where nothing is told meanwhile, it goes on for so many moves after the result was given away.
const AFTER: usize = 6;
/// A way to mate is shown as far as this, in plies.
const WAY: usize = 80;
/// How a draw is held is shown as far as this.
const WAY_TO_DRAW: usize = 11;

/// How well an ending was known.
pub const fn grade(is_given_away: bool, is_helped: bool) -> Grade {
    match (is_given_away, is_helped) {
        (true, _) => Grade::Again,
        (false, true) => Grade::Hard,
        (false, false) => Grade::Good,
    }
}

/// How much is told while an ending is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Help {
    /// Every move is judged.
    Moves,
    /// Only whether the task can still be done.
    Result,
    /// Nothing before the end.
    Nothing,
}

/// An ending being played out: the moves of both sides so far.
#[derive(Clone, Debug)]
pub struct Trial {
    ending: &'static Ending,
    game: Game,
}

/// A move as plain data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownMove {
    /// As people write it.
    pub san: String,
    /// As programs write it.
    pub uci: String,
    /// From where to where.
    pub squares: [String; 2],
}

impl ShownMove {
    pub(crate) fn new(position: &Position, m: Move) -> ShownMove {
        ShownMove {
            san: position.san(m).to_string(),
            uci: position.uci(m),
            squares: [m.from().to_string(), m.to().to_string()],
        }
    }
}

/// What is said of one move of the solver.
#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// The move.
    pub played: ShownMove,
    /// What it is worth.
    pub verdict: Verdict,
    /// What was best, and what that was worth.
    pub best: Option<(ShownMove, Verdict)>,
    /// Whether it gave away what was to be reached.
    pub gives_away: bool,
}

/// How an ending was brought to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Done: by mate.
    Mated,
    /// Done: a piece has been won or a pawn promoted, and what is left is simple.
    Simple,
    /// Done: the game is drawn by the rules.
    Drawn(Outcome),
    /// Done: the other side has nothing left to win with.
    Harmless,
    /// Done: held for long enough.
    Held,
    /// Not done: the result was given away.
    GivenAway,
    /// Not done: drawn by the rules.
    OnlyDrawn(Outcome),
    /// Not done: mated.
    WasMated,
}

impl End {
    /// Whether what was to be done is done.
    pub const fn is_done(self) -> bool {
        matches!(self, End::Mated | End::Simple | End::Drawn(_) | End::Harmless | End::Held)
    }

    /// What is said of it.
    pub const fn sentence(self) -> &'static str {
        match self {
            End::Mated => "Checkmate.",
            End::Simple => "What is left is a simple win.",
            End::Drawn(Outcome::Stalemate) => "Stalemate: it is a draw.",
            End::Drawn(Outcome::ThreefoldRepetition | Outcome::FivefoldRepetition) => {
                "The same position for the third time: it is a draw."
            }
            End::Drawn(Outcome::FiftyMoves | Outcome::SeventyFiveMoves) => {
                "Fifty moves without progress: it is a draw."
            }
            End::Drawn(_) => "Nobody can give mate any more: it is a draw.",
            End::Harmless => "There is nothing left to win with: it is a draw.",
            End::Held => "You have held it for twenty moves.",
            End::GivenAway => "What was to be reached was given away.",
            End::OnlyDrawn(Outcome::Stalemate) => "Stalemate: it is only a draw.",
            End::OnlyDrawn(Outcome::ThreefoldRepetition | Outcome::FivefoldRepetition) => {
                "The same position for the third time: it is only a draw."
            }
            End::OnlyDrawn(Outcome::FiftyMoves | Outcome::SeventyFiveMoves) => {
                "Fifty moves without progress: it is only a draw."
            }
            End::OnlyDrawn(_) => "Nobody can give mate any more: it is only a draw.",
            End::WasMated => "You were mated.",
        }
    }
}

/// What moves are worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Every legal move, the best first; none where no table knows them.
    pub moves: Vec<(ShownMove, Verdict)>,
    /// The best one.
    pub best: Option<(ShownMove, Verdict)>,
}

/// What comes of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialStep {
    /// What is said of the move.
    pub turn: Turn,
    /// The answer, unless the game is over.
    pub reply: Option<ShownMove>,
    /// How it ended, if it did.
    pub end: Option<End>,
}

impl Trial {
    /// An ending after moves of both sides, in any notation. An error is a sentence about what cannot be played.
    ///
    /// ```
    /// use tabiya_drill::{Trial, find};
    ///
    /// let ending = find("two-rooks-1").unwrap();
    /// let trial = Trial::after(ending, &["Rg8+", "Kh4"])?;
    /// assert_eq!(trial.turns(), 1);
    /// assert!(Trial::after(ending, &["Rg8+", "Kg6"]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn after(ending: &'static Ending, moves: &[impl AsRef<str>]) -> Result<Trial, String> {
        let mut trial = Trial { ending, game: Game::from_position(ending.position()) };
        for text in moves {
            trial.play(text.as_ref())?;
        }
        Ok(trial)
    }

    fn play(&mut self, text: &str) -> Result<Move, String> {
        if self.rules().is_some() {
            return Err("This ending is over.".to_owned());
        }
        let m = self.game.position().parse_move(text).map_err(|error| error.to_string())?;
        self.game.play_unchecked(m);
        Ok(m)
    }

    /// What is played.
    pub fn ending(&self) -> &'static Ending {
        self.ending
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The moves of both sides, as programs write them.
    pub fn moves(&self) -> Vec<String> {
        let pairs = self.game.positions().zip(self.game.moves());
        pairs.map(|(position, &m)| position.uci(m)).collect()
    }

    /// What the board shows after each move of both sides, but for so many of the first.
    pub fn scenes(&self, skip: usize) -> Vec<Scene> {
        let after = self.game.positions().skip(1);
        let all = self.game.positions().zip(self.game.moves()).zip(after);
        let scenes = all.map(|((before, &m), after)| Scene::new(after, Some((before, m))));
        scenes.skip(skip).collect()
    }

    /// What is known of all moves by tables, and the best one.
    pub fn hint(&self, guide: &mut Guide<'_>) -> Result<Judged, ThinkError> {
        let position = self.game.position();
        let shown = |(m, verdict)| (ShownMove::new(position, m), verdict);
        let moves = guide.known(position).unwrap_or_default().into_iter().map(shown).collect();
        Ok(Judged { moves, best: guide.best(&self.game)?.map(shown) })
    }

    /// Whether tables know the position.
    pub fn is_known(&self, tables: &Tables) -> bool {
        known(tables, self.game.position()).is_some()
    }

    /// How many moves the solver has made.
    pub fn turns(&self) -> usize {
        self.game.moves().len().div_ceil(2)
    }

    /// Whether the solver is to move.
    pub fn is_solvers_turn(&self) -> bool {
        self.game.position().turn() == self.ending.solver()
    }

    /// Plays a move of the solver, judges and answers it. `given_away`: the number of the move, counted from 1, with
    /// which the result was given away earlier, if it was. An error of the first kind is a sentence about the move.
    pub fn step(
        &mut self,
        text: &str,
        guide: &mut Guide<'_>,
        help: Help,
        given_away: Option<usize>,
    ) -> Result<Result<TrialStep, String>, ThinkError> {
        if !self.is_solvers_turn() {
            return Ok(Err("It is not your move.".to_owned()));
        }
        let before = self.game.clone();
        let played = match self.play(text) {
            Ok(played) => played,
            Err(sentence) => return Ok(Err(sentence)),
        };
        let verdict = guide.judge(&before, played)?;
        let best = guide.best(&before)?.map(|best| match best.0 == played {
            // An engine is asked twice, and may not say the same.
            true => (played, verdict),
            false => best,
        });
        let task = self.ending.task;
        let could = best.is_some_and(|(_, best)| best.does(task));
        let gives_away = given_away.is_none() && could && !verdict.does(task);
        let shown = |m| ShownMove::new(before.position(), m);
        let best = best.map(|(m, verdict)| (shown(m), verdict));
        let turn = Turn { played: shown(played), verdict, best, gives_away };
        let mut end = self.rules();
        let mut reply = None;
        if end.is_none() && (!gives_away || help == Help::Nothing) {
            if let Some(m) = guide.reply(&self.game, self.game.position().key())? {
                reply = Some(ShownMove::new(self.game.position(), m));
                self.game.play_unchecked(m);
            }
            end = self.end(guide, given_away.is_some() || gives_away)?;
        }
        let late = given_away.is_some_and(|at| self.turns() >= at + AFTER);
        if end.is_none() && ((gives_away && help != Help::Nothing) || late) {
            end = Some(End::GivenAway);
        }
        Ok(Ok(TrialStep { turn, reply, end }))
    }

    /// How it has ended with the solver to move, if it has.
    pub fn end(
        &self,
        guide: &mut Guide<'_>,
        is_given_away: bool,
    ) -> Result<Option<End>, ThinkError> {
        if let Some(end) = self.rules() {
            return Ok(Some(end));
        }
        if is_given_away || !self.is_solvers_turn() {
            return Ok(None);
        }
        let solver = self.ending.solver();
        let position = self.game.position();
        Ok(match self.ending.task {
            Task::Draw if position.has_insufficient_material(!solver) => Some(End::Harmless),
            Task::Draw => (self.turns() >= HELD).then_some(End::Held),
            Task::Win => {
                let start = self.ending.position();
                let bare = |position: &Position| position.board().color(!solver).len() == 1;
                let won_more = heavy(position, solver) > heavy(&start, solver)
                    || (bare(position) && !bare(&start) && heavy(position, solver) > 0);
                let still = won_more
                    && guide.best(&self.game)?.is_some_and(|(_, best)| best.does(Task::Win));
                still.then_some(End::Simple)
            }
        })
    }

    /// How it has ended by the rules, if it has: a draw that can be claimed is one.
    fn rules(&self) -> Option<End> {
        let outcome = self.game.outcome().or_else(|| self.game.claimable_draw())?;
        Some(match (outcome.winner(), self.ending.task) {
            (Some(winner), _) if winner == self.ending.solver() => End::Mated,
            (Some(_), _) => End::WasMated,
            (None, Task::Draw) => End::Drawn(outcome),
            (None, Task::Win) => End::OnlyDrawn(outcome),
        })
    }

    /// Where the shortest way from here leads, with best play of both sides: to mate, or as far as it is worth showing.
    pub fn way(&self, guide: &mut Guide<'_>) -> Result<Trial, ThinkError> {
        let mut game = self.game.clone();
        let most = if self.ending.task == Task::Win { WAY } else { WAY_TO_DRAW };
        let mut length = 0;
        while length < most && game.outcome().is_none() {
            let solver_moves = game.position().turn() == self.ending.solver();
            let is_known = guide.known(game.position()).is_some();
            // An engine is not asked for long: its line is no proof.
            if !is_known && length >= WAY_TO_DRAW {
                break;
            }
            let next = match solver_moves {
                true => guide.best(&game)?.map(|(m, _)| m),
                false => guide.reply(&game, game.position().key())?,
            };
            let Some(m) = next else { break };
            game.play_unchecked(m);
            length += 1;
        }
        Ok(Trial { ending: self.ending, game })
    }
}

/// How many queens and rooks a side has.
fn heavy(position: &Position, side: Color) -> u32 {
    let board = position.board();
    [Role::Queen, Role::Rook].into_iter().map(|role| board.pieces(role.of(side)).len()).sum()
}
