//! Endings that are played out. The tables of three men are part of the program; where there are more, the engine stands in.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabiya_api::Invalid;
use tabiya_api::endings::{self, DoneJson, EndingMovesJson, EndingStepJson};
use tabiya_base::Stop;
use tabiya_coach::{Grade, Memory, Scheduler};
use tabiya_drill::{End, Ending, Guide, Trial};
use tabiya_engine::{Engine, Settings};
use tabiya_tables::Tables;
use tabiya_thinker::ThinkError;

/// What can be asked about endings.
#[derive(Deserialize)]
#[serde(tag = "call", deny_unknown_fields)]
pub(crate) enum EndingCall {
    /// All steps, and what is done of them.
    #[serde(rename = "ending-ladder")]
    Ladder { answers: HashMap<String, Vec<AnswerJson>>, making: Value, now: i64 },
    /// One ending, as it begins.
    #[serde(rename = "ending-one")]
    One { ending: String, answers: Vec<AnswerJson>, now: i64 },
    /// Whether tables know the position after some moves: if they do not, an engine has to think.
    #[serde(rename = "ending-known")]
    Known { ending: String, moves: EndingMovesJson },
    /// A move, what it is worth, and the answer to it.
    #[serde(rename = "ending-step")]
    Step { ending: String, asked: EndingStepJson },
    /// What all moves are worth, and the best one.
    #[serde(rename = "ending-hint")]
    Hint { ending: String, asked: EndingMovesJson },
    /// The shortest way from here.
    #[serde(rename = "ending-way")]
    Way { ending: String, asked: EndingMovesJson },
    /// How it went: when it comes back, and the answers to be kept.
    #[serde(rename = "ending-done")]
    Done { ending: String, asked: DoneJson, answers: Vec<AnswerJson>, now: i64 },
}

/// How an ending was known once.
#[derive(Serialize, Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerJson {
    /// What is told again under a name counts once.
    name: String,
    grade: String,
    /// Milliseconds since 1970.
    at: i64,
}

/// The tables there are.
pub(crate) struct Endings {
    tables: Tables,
}

impl Default for Endings {
    fn default() -> Endings {
        Endings { tables: Tables::default().with_three_men() }
    }
}

fn find(id: &str) -> Result<&'static Ending, Invalid> {
    tabiya_drill::find(id).ok_or_else(|| Invalid::new("There is no such ending."))
}

/// How well an ending sits after all answers.
fn memory(answers: &[AnswerJson]) -> Result<Option<Memory>, Invalid> {
    let scheduler = Scheduler::default();
    let mut answers: Vec<&AnswerJson> = answers.iter().collect();
    answers.sort_by_key(|answer| answer.at);
    answers.into_iter().try_fold(None, |memory: Option<Memory>, answer| {
        let grade: Grade = answer.grade.parse().map_err(Invalid::new)?;
        Ok(Some(scheduler.answer(memory.as_ref(), grade, answer.at)))
    })
}

/// A trial that can go on; what is wrong with a move is a sentence like any other.
fn legal(trial: Result<Trial, String>) -> Result<Trial, Invalid> {
    trial.map_err(Invalid::new)
}

impl Endings {
    pub(crate) fn answer(&self, call: EndingCall) -> Result<Value, Invalid> {
        match call {
            EndingCall::Ladder { answers, making, now } => {
                let known = answers.into_iter().filter_map(|(id, answers)| {
                    memory(&answers).transpose().map(|memory| Ok((id, memory?)))
                });
                let known = known.collect::<Result<HashMap<String, Memory>, Invalid>>()?;
                Ok(endings::ladder(|id| known.get(id), &self.tables, now, &making, true))
            }
            EndingCall::One { ending, answers, now } => {
                let memory = memory(&answers)?;
                Ok(endings::begun(find(&ending)?, memory.as_ref(), &self.tables, now))
            }
            EndingCall::Known { ending, moves } => {
                let trial = legal(moves.trial(find(&ending)?)?)?;
                Ok(json!(trial.is_known(&self.tables)))
            }
            EndingCall::Step { ending, asked } => {
                let before = legal(asked.trial(find(&ending)?)?)?;
                let mut after = before.clone();
                let step = self.guided(|guide| {
                    after.step(&asked.played, guide, asked.help.into(), asked.given_away)
                })?;
                Ok(endings::stepped(&step.map_err(Invalid::new)?, &after, &before))
            }
            EndingCall::Hint { ending, asked } => {
                let trial = legal(asked.trial(find(&ending)?)?)?;
                Ok(endings::hint(&self.guided(|guide| trial.hint(guide))?))
            }
            EndingCall::Way { ending, asked } => {
                let trial = legal(asked.trial(find(&ending)?)?)?;
                let way = self.guided(|guide| trial.way(guide))?;
                Ok(json!({ "scenes": endings::scenes(&way, trial.moves().len()) }))
            }
            EndingCall::Done { ending, asked, mut answers, now } => {
                let ending = find(&ending)?;
                let trial = legal(asked.trial(ending)?)?;
                if !asked.given_away {
                    let end = self.guided(|guide| trial.end(guide, false))?;
                    if !end.is_some_and(End::is_done) {
                        return Err(Invalid::new("This ending is not over yet."));
                    }
                }
                let grade = asked.grade()?.name().to_owned();
                match answers.iter_mut().find(|answer| answer.name == asked.name) {
                    // It was given when it was given first.
                    Some(answer) => answer.grade.clone_from(&grade),
                    None => {
                        let name = asked.name;
                        answers.push(AnswerJson { name, grade: grade.clone(), at: now });
                    }
                }
                let memory = memory(&answers)?;
                let mut told = endings::ending(ending, memory.as_ref(), &self.tables, now);
                told["grade"] = json!(grade);
                Ok(json!({ "told": told, "answers": answers }))
            }
        }
    }

    /// Does something with whoever knows what moves are worth.
    fn guided<T>(
        &self,
        work: impl FnOnce(&mut Guide<'_>) -> Result<T, ThinkError>,
    ) -> Result<T, Invalid> {
        let mut engine = Engine::new(Settings::default());
        let stop = Stop::default();
        work(&mut Guide { tables: &self.tables, thinker: &mut engine, stop }).map_err(Invalid::new)
    }
}
