//! Puzzles, as they are given and judged. Whoever asks hears the solution when it was found or given up.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_play::{Coord, Refusal};
use tabiya_tactics::{
    Attempt, Collection, Goal, PuzzleEvent, PuzzleRecord, PuzzleTry, Scene, Tactic, TacticId,
    Theme, Themed, attempt,
};

use crate::Invalid;
use crate::game::{destinations, piece, side, square};

/// So many puzzles are told of in a history.
const HISTORY: usize = 100;
/// A move that is longer is none.
const LONGEST_MOVE: usize = 16;

/// The puzzle of a number, if there is one.
pub fn find(text: &str) -> Option<&'static Themed> {
    let id: Option<TacticId> = text.parse().ok();
    id.and_then(|id| Collection::built_in().get(id))
}

/// The date of a day, like 2026-11-16.
fn date(day: u64) -> String {
    let (year, month, day) = tabiya_base::date(day);
    format!("{year}-{month:02}-{day:02}")
}

/// A position on the way through a puzzle or an exercise, as the board shows it.
pub fn scene(scene: &Scene) -> Value {
    json!({
        "columns": 8,
        "rows": 8,
        "pieces": scene.pieces.iter().map(piece).collect::<Vec<_>>(),
        "destinations": scene.destinations.iter().map(destinations).collect::<Vec<_>>(),
        "last": scene.last.map(|(from, to)| [square(from), square(to)]),
        "check": scene.check.map(square),
        "turn": side(scene.turn),
        "marks": [],
        "position": scene.fen,
        "written": scene.written,
    })
}

/// How a puzzle went, in a word.
fn outcome(one: &PuzzleTry) -> Option<&'static str> {
    one.score.map(|score| match score {
        score if score >= 1.0 => "solved",
        score if score > 0.0 => "hinted",
        _ => "missed",
    })
}

/// On how many days in a row something was solved, up to today, or to yesterday as today is not over.
fn days_in_a_row(solver: &PuzzleRecord, today: u64) -> u64 {
    let solved = solver.tries.iter().filter(|one| one.score.is_some_and(|score| score > 0.0));
    let days: BTreeSet<u64> =
        solved.filter_map(|one| u64::try_from(one.at / 1000 / (24 * 3600)).ok()).collect();
    let last = if days.contains(&today) { today } else { today.saturating_sub(1) };
    (0..=last).rev().take_while(|day| days.contains(day)).count() as u64
}

fn you(solver: &PuzzleRecord, day: u64) -> Value {
    let counted = || solver.tries.iter().filter_map(|one| one.score);
    json!({
        "rating": solver.rating.value.round(),
        "deviation": solver.rating.deviation.round(),
        "streak": solver.streak,
        "best": solver.best,
        "days": days_in_a_row(solver, day),
        "tried": counted().count(),
        "solved": counted().filter(|&score| score > 0.0).count(),
    })
}

/// A puzzle as it is given to somebody, without what it is about.
fn told(one: &Themed, solver: &PuzzleRecord, day: u64, is_daily: bool) -> Value {
    let tactic = &one.tactic;
    let number = tactic.id().number();
    let before = solver.tries.iter().find(|tried| tried.puzzle == number);
    let scenes = tactic.scenes();
    json!({
        "id": tactic.id().to_string(),
        "date": is_daily.then(|| date(day)),
        "rating": tactic.rating(),
        "goal": tactic.goal().name(),
        "mate_in": (tactic.goal() == Goal::Mate).then(|| tactic.length()),
        "solver": side(tactic.solver_side()),
        "scenes": scenes.iter().take(2).map(scene).collect::<Vec<_>>(),
        "outcome": before.and_then(outcome),
        "hinted": before.is_some_and(|tried| tried.hinted),
        "you": you(solver, day),
    })
}

/// What is told of a puzzle when it is over.
fn solution(one: &Themed) -> Value {
    json!({
        "scenes": one.tactic.scenes().iter().map(scene).collect::<Vec<_>>(),
        "themes": themes(one),
        "pgn": one.tactic.pgn(),
    })
}

/// What a puzzle is about.
fn themes(one: &Themed) -> Value {
    let told = |theme: Theme| json!({ "name": theme.name(), "label": theme.label() });
    one.themes.iter().map(told).collect()
}

/// Somebody who solves puzzles, on a day since 1970.
pub struct Sitting<'a> {
    /// What they have done.
    pub solver: &'a PuzzleRecord,
    /// The day, by the clock of Greenwich: it is the same for everybody.
    pub day: u64,
}

impl Sitting<'_> {
    /// All there is: themes, the day's puzzle, and how they stand.
    pub fn overview(&self) -> Value {
        let all = Collection::built_in();
        let themes = Theme::ALL.map(|theme| {
            json!({ "name": theme.name(), "label": theme.label(), "count": all.count(theme) })
        });
        json!({ "count": all.len(), "themes": themes, "daily": self.daily(), "you": self.you() })
    }

    /// The puzzle of the day, if there are any.
    pub fn daily(&self) -> Option<Value> {
        Some(self.told(Collection::built_in().daily(self.day)?))
    }

    /// A puzzle near their rating that they have not seen, and not the one that they left.
    pub fn next(
        &self,
        theme: Option<&str>,
        left: Option<&str>,
        random: u64,
    ) -> Result<Option<Value>, Invalid> {
        let theme: Option<Theme> = theme.map(str::parse).transpose().map_err(Invalid::new)?;
        let left = left.and_then(|text| text.parse::<TacticId>().ok());
        let tried = self.solver.tries.iter().filter_map(|one| TacticId::from_number(one.puzzle));
        let seen: Vec<TacticId> = left.into_iter().chain(tried).collect();
        let rating = self.solver.rating.value;
        let next = Collection::built_in().next(rating, theme, &seen, random);
        // Whoever goes on does not need its date, should it be the day's.
        Ok(next.map(|one| told(one, self.solver, self.day, false)))
    }

    /// A puzzle as it is given to them, without what it is about.
    pub fn told(&self, one: &Themed) -> Value {
        let daily = Collection::built_in().daily(self.day);
        told(one, self.solver, self.day, daily.is_some_and(|daily| daily == one))
    }

    /// What was solved and missed, the latest first.
    pub fn history(&self) -> Value {
        let tried = self.solver.tries.iter().filter(|one| one.score.is_some()).take(HISTORY);
        let tries = tried.filter_map(|tried| {
            Some(json!({
                "id": TacticId::from_number(tried.puzzle)?.to_string(),
                "at": tried.at,
                "outcome": outcome(tried),
                "rating": tried.rating.round(),
                "change": tried.change.round(),
            }))
        });
        json!({ "tries": tries.collect::<Vec<_>>(), "you": self.you() })
    }

    fn you(&self) -> Value {
        you(self.solver, self.day)
    }
}

/// Why something cannot be judged.
pub enum Unfit {
    /// It makes no sense.
    Invalid(Invalid),
    /// Not with the board as it is.
    Now(Refusal),
}

/// The moves of the solver so far, in any notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesJson {
    #[serde(default)]
    moves: Vec<String>,
}

impl MovesJson {
    fn judged(&self, tactic: &Tactic) -> Result<(Vec<&str>, Attempt), Unfit> {
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        if moves.len() > tactic.length() || moves.iter().any(|text| text.len() > LONGEST_MOVE) {
            return Err(Unfit::Invalid(Invalid::new("That is more than this puzzle takes.")));
        }
        let verdict = attempt(tactic, moves.iter().copied())
            .map_err(|error| Unfit::Now(Refusal::new(error)))?;
        Ok((moves, verdict))
    }
}

/// What is told of the next move, one step after the other.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Step {
    /// The part of the board where it ends.
    Where,
    /// The piece that moves.
    Piece,
    /// The move itself: then nothing is left to be found.
    Move,
    /// What the puzzle is about.
    Why,
}

/// The moves of the solver so far, and what is to be told of the next one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintJson {
    #[serde(default)]
    moves: Vec<String>,
    step: Step,
}

/// The files of a wing, or of the centre between them.
const fn wing(place: Coord) -> &'static str {
    match place.column {
        0..=2 => "abc",
        3..=4 => "de",
        _ => "fgh",
    }
}

/// Something that was done about a puzzle.
pub struct Done {
    /// What is to be kept of it, if anything is.
    pub event: Option<PuzzleEvent>,
    answer: Value,
}

impl Done {
    /// A try: whether it is right, and how the defender replies.
    pub fn tried(one: &Themed, asked: &MovesJson) -> Result<Done, Unfit> {
        let (moves, verdict) = asked.judged(&one.tactic)?;
        if moves.is_empty() {
            return Err(Unfit::Invalid(Invalid::new("A try has a move.")));
        }
        let scenes = one.tactic.scenes_after(&moves, verdict);
        let scenes: Vec<Value> = scenes.iter().map(scene).collect();
        let (word, event) = match verdict {
            Attempt::Right { .. } => ("right", None),
            Attempt::Wrong => ("wrong", Some(PuzzleEvent::Missed)),
            Attempt::Solved => ("solved", Some(PuzzleEvent::Solved)),
        };
        let mut answer = json!({ "verdict": word, "scenes": scenes });
        if verdict == Attempt::Solved {
            answer["solution"] = solution(one);
        }
        Ok(Done { event, answer })
    }

    /// A step of help: the puzzle then counts half, and nothing once the move was told.
    pub fn hinted(one: &Themed, asked: HintJson) -> Result<Done, Unfit> {
        let HintJson { moves, step } = asked;
        let asked = MovesJson { moves };
        let (moves, verdict) = asked.judged(&one.tactic)?;
        let next = one
            .tactic
            .next_move(moves.len())
            .filter(|_| moves.is_empty() || matches!(verdict, Attempt::Right { .. }));
        let none = || Unfit::Now(Refusal("There is no next move to hint at.".to_owned()));
        let (from, to) = next.ok_or_else(none)?;
        let event = if step == Step::Move { PuzzleEvent::Missed } else { PuzzleEvent::Hint };
        let answer = match step {
            Step::Where => json!({ "files": wing(to) }),
            Step::Piece => json!({ "at": square(from) }),
            Step::Move => json!({ "move": [square(from), square(to)] }),
            Step::Why => json!({ "themes": themes(one) }),
        };
        Ok(Done { event: Some(event), answer })
    }

    /// Gives up: the puzzle counts as missed if it was still open.
    pub fn given_up(one: &Themed) -> Done {
        Done { event: Some(PuzzleEvent::Missed), answer: json!({ "solution": solution(one) }) }
    }

    /// What is told of it: how the puzzle stands, and whoever has done it. What changed is told once, to those for whom it
    /// had not counted before.
    pub fn told(self, kept: Option<(bool, &PuzzleTry, &Sitting<'_>)>) -> Value {
        let mut answer = self.answer;
        if let Some((counted, now, sitting)) = kept {
            let result = (!counted).then(|| outcome(now)).flatten().map(|outcome| {
                json!({
                    "outcome": outcome,
                    "change": now.change.round(),
                    "rating": now.rating.round(),
                })
            });
            answer["result"] = json!(result);
            answer["outcome"] = json!(outcome(now));
            answer["you"] = sitting.you();
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_a_row_end_today_or_yesterday() {
        let solver = |days: &[(i64, f64)]| {
            let one = |&(day, score): &(i64, f64)| PuzzleTry {
                puzzle: 1,
                at: (day * 24 + 23) * 3_600_000,
                hinted: false,
                score: Some(score),
                rating: 1200.0,
                change: 0.0,
            };
            PuzzleRecord { tries: days.iter().map(one).collect(), ..PuzzleRecord::default() }
        };
        for (days, expected) in [
            (vec![], 0),
            (vec![(100, 1.0)], 1),
            (vec![(99, 0.5)], 1),
            (vec![(98, 1.0)], 0),
            (vec![(100, 1.0), (100, 1.0), (99, 1.0), (97, 1.0)], 2),
            (vec![(100, 0.0), (99, 1.0), (98, 1.0)], 2),
            (vec![(99, 1.0), (98, 0.0), (97, 1.0)], 1),
        ] {
            assert_eq!(days_in_a_row(&solver(&days), 100), expected, "{days:?}");
        }
    }
}
