//! Puzzles for one person, whose record is given and told again.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_api::puzzles::{Done, HintJson, MovesJson, Sitting, Unfit, find};
use tabiya_tactics::{PuzzleRecord, PuzzleTry, Rating, Themed};

/// What can be asked about puzzles. Days and times count from 1970.
#[derive(Deserialize)]
#[serde(tag = "call", deny_unknown_fields)]
pub(crate) enum PuzzleCall {
    /// All there is.
    #[serde(rename = "puzzle-overview")]
    Overview { solver: Option<Solver>, day: u64 },
    /// The puzzle of the day.
    #[serde(rename = "puzzle-daily")]
    Daily { solver: Option<Solver>, day: u64 },
    /// One that they have not seen.
    #[serde(rename = "puzzle-next")]
    Next {
        solver: Option<Solver>,
        day: u64,
        theme: Option<String>,
        left: Option<String>,
        random: u64,
    },
    /// One by its number.
    #[serde(rename = "puzzle-one")]
    One { solver: Option<Solver>, day: u64, puzzle: String },
    /// What was solved and missed.
    #[serde(rename = "puzzle-history")]
    History { solver: Option<Solver>, day: u64 },
    /// A try.
    #[serde(rename = "puzzle-try")]
    Try { solver: Option<Solver>, at: i64, puzzle: String, asked: MovesJson },
    /// A step of help.
    #[serde(rename = "puzzle-hint")]
    Hint { solver: Option<Solver>, at: i64, puzzle: String, asked: HintJson },
    /// The solution.
    #[serde(rename = "puzzle-solution")]
    Solution { solver: Option<Solver>, at: i64, puzzle: String },
}

/// What somebody has done, as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solver {
    /// Value, deviation, volatility.
    rating: [f64; 3],
    streak: u32,
    best: u32,
    tries: Vec<Tried>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tried {
    puzzle: u64,
    at: i64,
    hinted: bool,
    score: Option<f64>,
    rating: f64,
    change: f64,
}

fn record(solver: Option<Solver>) -> PuzzleRecord {
    let Some(solver) = solver else { return PuzzleRecord::default() };
    let [value, deviation, volatility] = solver.rating;
    let tries = solver.tries.into_iter().map(|one| PuzzleTry {
        puzzle: one.puzzle,
        at: one.at,
        hinted: one.hinted,
        score: one.score,
        rating: one.rating,
        change: one.change,
    });
    let (streak, best) = (solver.streak, solver.best);
    let rating = Rating { value, deviation, volatility };
    PuzzleRecord { rating, streak, best, tries: tries.collect() }
}

fn kept(record: &PuzzleRecord) -> Solver {
    let tries = record.tries.iter().map(|one| Tried {
        puzzle: one.puzzle,
        at: one.at,
        hinted: one.hinted,
        score: one.score,
        rating: one.rating,
        change: one.change,
    });
    let Rating { value, deviation, volatility } = record.rating;
    Solver {
        rating: [value, deviation, volatility],
        streak: record.streak,
        best: record.best,
        tries: tries.collect(),
    }
}

fn puzzle(text: &str) -> Result<&'static Themed, Invalid> {
    find(text).ok_or_else(|| Invalid::new("there is no such puzzle"))
}

fn fit(done: Result<Done, Unfit>) -> Result<Done, Invalid> {
    done.map_err(|unfit| match unfit {
        Unfit::Invalid(invalid) => invalid,
        Unfit::Now(refusal) => Invalid::new(refusal),
    })
}

const DAY: i64 = 24 * 3600 * 1000;

/// What was done: what is told of it, and what is to be kept.
fn done(done: Done, solver: Option<Solver>, one: &Themed, at: i64) -> Value {
    let mut record = record(solver);
    let Some(event) = done.event else { return json!({ "told": done.told(None) }) };
    let number = one.tactic.id().number();
    let counted = record.tries.iter().any(|one| one.puzzle == number && one.score.is_some());
    let now = record.take(number, one.tactic.rating(), event, at);
    let day = u64::try_from(at / DAY).unwrap_or(0);
    let told = done.told(Some((counted, &now, &Sitting { solver: &record, day })));
    json!({ "told": told, "kept": kept(&record) })
}

pub(crate) fn answer(call: PuzzleCall) -> Result<Value, Invalid> {
    let no_theme = || Invalid::new("there is no puzzle with that theme");
    match call {
        PuzzleCall::Overview { solver, day } => {
            Ok(Sitting { solver: &record(solver), day }.overview())
        }
        PuzzleCall::Daily { solver, day } => {
            let daily = Sitting { solver: &record(solver), day }.daily();
            daily.ok_or_else(|| Invalid::new("there are no puzzles here"))
        }
        PuzzleCall::Next { solver, day, theme, left, random } => {
            let solver = record(solver);
            let sitting = Sitting { solver: &solver, day };
            sitting.next(theme.as_deref(), left.as_deref(), random)?.ok_or_else(no_theme)
        }
        PuzzleCall::One { solver, day, puzzle: number } => {
            let solver = record(solver);
            Ok(Sitting { solver: &solver, day }.told(puzzle(&number)?))
        }
        PuzzleCall::History { solver, day } => {
            Ok(Sitting { solver: &record(solver), day }.history())
        }
        PuzzleCall::Try { solver, at, puzzle: number, asked } => {
            let one = puzzle(&number)?;
            Ok(done(fit(Done::tried(one, &asked))?, solver, one, at))
        }
        PuzzleCall::Hint { solver, at, puzzle: number, asked } => {
            let one = puzzle(&number)?;
            Ok(done(fit(Done::hinted(one, asked))?, solver, one, at))
        }
        PuzzleCall::Solution { solver, at, puzzle: number } => {
            let one = puzzle(&number)?;
            Ok(done(Done::given_up(one), solver, one, at))
        }
    }
}
