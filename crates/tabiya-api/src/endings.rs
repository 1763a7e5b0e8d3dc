//! The ladder of endings, and an ending that is played out.

use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_coach::{Grade, Memory};
use tabiya_drill::{End, Ending, Help, Judged, ShownMove, Trial, TrialStep, Turn, Verdict, Worth};
use tabiya_tables::{Material, Tables};

use crate::Invalid;
use crate::puzzles::scene;

/// No ending takes more half-moves.
const MOST_MOVES: usize = 300;
/// A move that is longer is none.
const LONGEST_MOVE: usize = 16;
/// The longest name of an answer.
const LONGEST_NAME: usize = 64;

/// How much help whoever plays wants.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "lowercase")]
pub enum HelpJson {
    /// Every move is judged.
    Moves,
    /// A move that gives the result away is told of.
    Result,
    /// Nothing is told until the end.
    Nothing,
}

impl From<HelpJson> for Help {
    fn from(help: HelpJson) -> Help {
        match help {
            HelpJson::Moves => Help::Moves,
            HelpJson::Result => Help::Result,
            HelpJson::Nothing => Help::Nothing,
        }
    }
}

/// The moves of both sides so far.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct EndingMovesJson {
    #[serde(default)]
    moves: Vec<String>,
}

/// A move of the solver, after the moves of both sides so far.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct EndingStepJson {
    #[serde(default)]
    moves: Vec<String>,
    /// The move, as people or programs write it.
    #[serde(rename = "move")]
    pub played: String,
    /// How much is told.
    pub help: HelpJson,
    /// The number of the move that gave the result away earlier.
    pub given_away: Option<usize>,
}

/// How an ending went.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct DoneJson {
    #[serde(default)]
    moves: Vec<String>,
    /// Whether the result was given away on the way.
    #[serde(default)]
    pub given_away: bool,
    /// Whether a hint or a move taken back helped.
    #[serde(default)]
    pub helped: bool,
    /// How well it was known, if whoever learns says so.
    grade: Option<String>,
    /// By what the answer is known, so that it counts once.
    pub name: String,
}

/// Plays the moves so far; nothing if they are more than an ending takes, or not legal (that is a conflict).
fn replay(ending: &'static Ending, moves: &[String]) -> Result<Result<Trial, String>, Invalid> {
    if moves.len() > MOST_MOVES || moves.iter().any(|text| text.len() > LONGEST_MOVE) {
        return Err(Invalid::new("That is more than an ending takes."));
    }
    Ok(Trial::after(ending, moves))
}

impl EndingMovesJson {
    /// The ending so far; the inner error is about a move.
    pub fn trial(&self, ending: &'static Ending) -> Result<Result<Trial, String>, Invalid> {
        replay(ending, &self.moves)
    }
}

impl EndingStepJson {
    /// The ending before the move; the inner error is about a move.
    pub fn trial(&self, ending: &'static Ending) -> Result<Result<Trial, String>, Invalid> {
        if self.played.len() > LONGEST_MOVE {
            return Err(Invalid::new("That is too long for a move."));
        }
        replay(ending, &self.moves)
    }
}

impl DoneJson {
    /// The ending as it ended; the inner error is about a move.
    pub fn trial(&self, ending: &'static Ending) -> Result<Result<Trial, String>, Invalid> {
        if self.name.is_empty() || self.name.len() > LONGEST_NAME {
            return Err(Invalid::new("An answer has a name of 64 letters at most."));
        }
        self.grade()?;
        replay(ending, &self.moves)
    }

    /// How well it was known.
    pub fn grade(&self) -> Result<Grade, Invalid> {
        match &self.grade {
            Some(grade) => grade.parse().map_err(Invalid::new),
            None => Ok(tabiya_drill::grade(self.given_away, self.helped)),
        }
    }
}

/// How an ending stands with whoever learns.
fn standing(memory: Option<&Memory>, now: i64) -> (&'static str, Option<i64>) {
    match memory {
        None => ("new", None),
        Some(memory) if memory.due <= now => ("due", Some(memory.due)),
        Some(memory) if memory.step.is_none() => ("done", Some(memory.due)),
        Some(memory) => ("begun", Some(memory.due)),
    }
}

fn has(tables: &Tables, material: Material) -> bool {
    tables.own().iter().any(|table| table.material() == material)
}

/// An ending in the ladder: what is to be done, who knows it, how it stands.
pub fn ending(ending: &Ending, memory: Option<&Memory>, tables: &Tables, now: i64) -> Value {
    let material = ending.material();
    let (standing, due) = standing(memory, now);
    json!({
        "id": ending.id,
        "task": ending.task.name(),
        "solver": ending.solver().name().to_lowercase(),
        "men": ending.men(),
        "material": material.map(|material| material.to_string()),
        "known": if material.is_some_and(|material| has(tables, material)) { "tables" } else { "engine" },
        "standing": standing,
        "due": due,
    })
}

/// All steps, what is done of them and what comes next; `making` says how far the tables are, `keeps` whether answers are
/// kept.
pub fn ladder<'a>(
    memory: impl Fn(&str) -> Option<&'a Memory>,
    tables: &Tables,
    now: i64,
    making: &Value,
    keeps: bool,
) -> Value {
    let rungs = tabiya_drill::ladder().iter().map(|rung| {
        let told = rung.endings.iter().map(|one| ending(one, memory(one.id), tables, now));
        json!({
            "name": rung.name,
            "title": rung.title,
            "idea": rung.idea,
            "endings": told.collect::<Vec<_>>(),
        })
    });
    let all = || tabiya_drill::ladder().iter().flat_map(|rung| rung.endings);
    let due = all().filter_map(|ending| Some((memory(ending.id)?.due, ending.id)));
    let due: Vec<(i64, &str)> = due.filter(|&(due, _)| due <= now).collect();
    let fresh = || all().map(|ending| ending.id).find(|&id| memory(id).is_none());
    let next = due.iter().min().map(|&(_, id)| id).or_else(fresh);
    json!({
        "rungs": rungs.collect::<Vec<_>>(),
        "next": next,
        "due": due.len(),
        "tables": making,
        "keeps": keeps,
    })
}

/// One ending, as it begins.
pub fn begun(one: &Ending, memory: Option<&Memory>, tables: &Tables, now: i64) -> Value {
    let mut told = ending(one, memory, tables, now);
    told["scene"] = scene(&tabiya_tactics::Scene::new(&one.position(), None));
    let known = tabiya_drill::known(tables, &one.position());
    let best = known.and_then(|all| all.first().map(|&(_, verdict)| verdict));
    told["verdict"] = best.as_ref().map_or(Value::Null, verdict);
    told
}

fn verdict(verdict: &Verdict) -> Value {
    let worth = match verdict.worth {
        Worth::Wins => "wins",
        Worth::Draws => "draws",
        Worth::Loses => "loses",
    };
    json!({ "worth": worth, "mate": verdict.mate, "sure": verdict.is_sure, "text": verdict.to_string() })
}

/// A move as it is shown.
pub fn shown(m: &ShownMove) -> Value {
    json!({ "san": m.san, "uci": m.uci, "squares": m.squares })
}

fn judged((m, worth): &(ShownMove, Verdict)) -> Value {
    json!({ "move": shown(m), "verdict": verdict(worth) })
}

fn turn(turn: &Turn) -> Value {
    json!({
        "move": shown(&turn.played),
        "verdict": verdict(&turn.verdict),
        "gives_away": turn.gives_away,
        "best": turn.best.as_ref().map(judged),
    })
}

/// What the board shows after each half-move but the first so many.
pub fn scenes(trial: &Trial, skip: usize) -> Vec<Value> {
    trial.scenes(skip).iter().map(scene).collect()
}

/// What a move came to: the trial after it and before it.
pub fn stepped(step: &TrialStep, after: &Trial, before: &Trial) -> Value {
    let end = |end: End| json!({ "done": end.is_done(), "text": end.sentence() });
    json!({
        "turn": turn(&step.turn),
        "reply": step.reply.as_ref().map(shown),
        "moves": after.moves(),
        "scenes": scenes(after, before.moves().len()),
        "end": step.end.map(end),
    })
}

/// What all moves are worth, where that is known, and the best one.
pub fn hint(Judged { moves, best }: &Judged) -> Value {
    json!({
        "best": best.as_ref().map(judged),
        "moves": moves.iter().map(judged).collect::<Vec<_>>(),
    })
}
