use serde::Serialize;
use tabiya_base::Score;
use tabiya_chess::{Color, Game};
use tabiya_tables::{Fate, Tables};

use crate::Termination;

/// A game is drawn when both players have thought so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DrawRule {
    /// Not before each side has made so many moves, the opening not counted.
    pub after_move: u32,
    /// So many moves of each side in a row.
    pub moves: u32,
    /// With at most so many centipawns for either side.
    pub score: i32,
}

/// A game is won when both players have thought so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct WinRule {
    /// So many moves of each side in a row.
    pub moves: u32,
    /// The winner sees at least so many centipawns, the loser as many against it.
    pub score: i32,
}

/// Ends games whose result nobody doubts, by what the players say of their positions.
pub(crate) struct Adjudicator {
    draw: Option<DrawRule>,
    win: Option<WinRule>,
    max_plies: Option<u32>,
    plies: u32,
    streaks: [Streaks; 2],
}

/// Who wins, or nobody, if tables know it, the fifty-move rule and the clock as it stands included.
pub(crate) fn known(tables: Option<&Tables>, game: &Game) -> Option<(Option<Color>, Termination)> {
    let (tables, position) = (tables?, game.position());
    if position.board().occupied().len() as usize > tables.most_men() {
        return None;
    }
    let turn = position.turn();
    let winner = match tables.probe(position).ok()?.fate_at(position.halfmove_clock()) {
        Fate::Win => Some(turn),
        Fate::Loss => Some(!turn),
        _ => None,
    };
    Some((winner, Termination::Known { winner }))
}

/// For how many moves in a row a player's scores have said the same.
#[derive(Clone, Copy, Default)]
struct Streaks {
    even: u32,
    winning: u32,
    losing: u32,
}

impl Adjudicator {
    /// Before the first move that a player chooses. Games of `max_plies` such moves are drawn.
    pub(crate) fn new(
        draw: Option<DrawRule>,
        win: Option<WinRule>,
        max_plies: Option<u32>,
    ) -> Adjudicator {
        Adjudicator { draw, win, max_plies, plies: 0, streaks: Default::default() }
    }

    /// Takes down what a player thinks of the position before its move; silence ends every streak.
    pub(crate) fn hear(&mut self, color: Color, score: Option<Score>) {
        self.plies += 1;
        let score = score.map(Score::rank);
        let count = |streak: u32, goes_on: bool| if goes_on { streak + 1 } else { 0 };
        let is_even = |score: i32| {
            self.draw.is_some_and(|rule| score.unsigned_abs() <= rule.score.unsigned_abs())
        };
        let wins = |score: i32| self.win.is_some_and(|rule| score >= rule.score);
        let [white, black] = &mut self.streaks;
        let streaks = if color == Color::White { white } else { black };
        *streaks = Streaks {
            even: count(streaks.even, score.is_some_and(is_even)),
            winning: count(streaks.winning, score.is_some_and(wins)),
            losing: count(streaks.losing, score.is_some_and(|score| wins(score.saturating_neg()))),
        };
    }

    /// Who wins, or nobody, and why, if the game is to end now.
    pub(crate) fn decision(&self) -> Option<(Option<Color>, Termination)> {
        if let Some(winner) = self.winner() {
            return Some((Some(winner), Termination::AdjudicatedWin { winner }));
        }
        let is_drawn = |rule: DrawRule| {
            self.plies / 2 >= rule.after_move
                && self.streaks.iter().all(|streaks| streaks.even >= rule.moves)
        };
        if self.draw.is_some_and(is_drawn) {
            return Some((None, Termination::AdjudicatedDraw));
        }
        let is_long = self.max_plies.is_some_and(|most| self.plies >= most);
        is_long.then_some((None, Termination::TooLong))
    }

    fn winner(&self) -> Option<Color> {
        let rule = self.win?;
        let [white, black] = self.streaks;
        let agreed =
            |winner: Streaks, loser: Streaks| winner.winning.min(loser.losing) >= rule.moves;
        if agreed(white, black) {
            Some(Color::White)
        } else {
            agreed(black, white).then_some(Color::Black)
        }
    }
}
