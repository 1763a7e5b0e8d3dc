//! Exercises made of mistakes, with all that a page needs to ask them, judge the answers and explain them by itself.

use std::iter::once;

use serde_json::{Value, json};
use tabiya_chess::{Move, Position};
use tabiya_coach::{Exercise, HintStep, Reason, Voice, reasons, wing};
use tabiya_tactics::Scene;

use crate::game::{side, square};
use crate::puzzles::scene;

/// An exercise.
///
/// ```
/// let text = "4r1k1/5ppp/8/4N3/8/3Q4/5PPP/6K1 w - - 0 30 | d3b3 | e8e5 | d3g3 | d3g3 f2f4 | hanging-piece";
/// let told = tabiya_api::exercises::exercise(&text.parse()?);
/// assert_eq!((&told["side"], &told["good"][0]["san"]), (&"white".into(), &"Qg3".into()));
/// assert_eq!(told["punished"]["scenes"].as_array().map(Vec::len), Some(2));
/// # Ok::<(), String>(())
/// ```
pub fn exercise(exercise: &Exercise) -> Value {
    let mistake = &exercise.mistake;
    let before = &mistake.before;
    let you = Voice::To(mistake.loser());
    let told = reasons(mistake);
    let why = |reason: &Option<Reason>| reason.as_ref().map(|one| one.text(you));
    let one = |m: Move| {
        let scenes = Scene::line(before, &[m]);
        json!({ "uci": before.uci(m), "san": before.san(m), "scene": scenes.get(1).map(step) })
    };
    let line = |start: &Position, moves: &[Move]| -> Vec<Value> {
        Scene::line(start, moves).iter().skip(1).map(step).collect()
    };
    let whole: Vec<Move> = once(mistake.played).chain(mistake.refutation.iter().copied()).collect();
    let first = Scene::line(before, &[]);
    json!({
        "task": exercise.task(),
        "side": first.first().map(|one| side(one.turn)),
        "scene": first.first().map(scene),
        "moves": before.legal_moves().iter().map(|&m| [before.uci(m), before.san(m)]).collect::<Vec<_>>(),
        "good": exercise.good.iter().map(|&m| one(m)).collect::<Vec<_>>(),
        "played": one(mistake.played),
        "better": { "text": mistake.better_text(), "scenes": line(before, &mistake.better), "why": why(&told.better) },
        "punished": { "text": mistake.refutation_text(), "scenes": line(before, &whole), "why": why(&told.wrong) },
        "hints": HintStep::ALL.map(|step| exercise.hint(step)),
        "area": exercise.good.first().map(|m| wing(m.to())),
        "topics": exercise.topics.iter().map(|topic| json!({ "name": topic.name(), "label": topic.label() })).collect::<Vec<_>>(),
    })
}

/// A position of a line, in which nobody moves: short, because there are many.
fn step(one: &Scene) -> Value {
    json!({
        "position": one.fen,
        "last": one.last.map(|(from, to)| [square(from), square(to)]),
        "check": one.check.map(square),
        "turn": side(one.turn),
        "written": one.written,
    })
}
