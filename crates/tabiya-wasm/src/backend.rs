use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tabiya_api::Invalid;

use crate::endings::{EndingCall, Endings};
use crate::games::{GameCall, Games};
use crate::puzzles::{self, PuzzleCall};
use crate::records::{self, RecordCall};
use crate::rules::{self, RulesCall};
use crate::studies::{Studies, StudyCall};
use crate::thinking::{self, ThinkingCall};

/// Whoever hears what is found on the way, as a text of JSON.
pub(crate) type Listener<'a> = &'a mut (dyn FnMut(&str) + Send);

/// Answers questions, one after the other.
#[derive(Default)]
pub struct Backend {
    games: Games,
    studies: Studies,
    endings: Endings,
}

/// What was found, or a sentence that says why nothing was.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Ok(Box<RawValue>),
    Error(String),
}

/// Everything that can be asked, by the name that is called.
enum Call {
    Rules(RulesCall),
    Records(RecordCall),
    Thinking(ThinkingCall),
    Games(GameCall),
    Studies(StudyCall),
    Puzzles(PuzzleCall),
    Endings(EndingCall),
}

/// Which of them knows a name.
#[derive(Deserialize)]
struct Named {
    call: String,
}

impl Backend {
    /// Answers a question: `{"ok": …}`, or `{"error": "A sentence."}`. Nothing that comes in makes it panic.
    pub fn answer(&mut self, question: &str, listener: &mut (dyn FnMut(&str) + Send)) -> String {
        let answer = match self.find(question, listener) {
            Ok(found) => Answer::Ok(found),
            Err(Invalid(sentence)) => Answer::Error(sentence),
        };
        // Text keys and plain values: there is nothing in it that JSON cannot say.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn find(&mut self, question: &str, listener: Listener<'_>) -> Result<Box<RawValue>, Invalid> {
        match read(question)? {
            Call::Rules(call) => plain(&rules::answer(call)?),
            Call::Records(call) => plain(&records::answer(call)?),
            Call::Thinking(call) => plain(&thinking::answer(call, listener)?),
            Call::Games(call) => self.games.answer(call),
            Call::Studies(call) => plain(&self.studies.answer(call)?),
            Call::Puzzles(call) => plain(&puzzles::answer(call)?),
            Call::Endings(call) => plain(&self.endings.answer(call)?),
        }
    }
}

/// What is asked. The sentence about what does not fit is of the call that has the name.
fn read(question: &str) -> Result<Call, Invalid> {
    let no_json = |error: serde_json::Error| Invalid::new(format!("that is no question: {error}"));
    let Named { call } = serde_json::from_str(question).map_err(no_json)?;
    let name = call.as_str();
    let unfit = |error: serde_json::Error| Invalid::new(format!("{name} does not fit: {error}"));
    Ok(match name {
        _ if RulesCall::NAMES.contains(&name) => {
            Call::Rules(serde_json::from_str(question).map_err(unfit)?)
        }
        _ if RecordCall::NAMES.contains(&name) => {
            Call::Records(serde_json::from_str(question).map_err(unfit)?)
        }
        _ if ThinkingCall::NAMES.contains(&name) => {
            Call::Thinking(serde_json::from_str(question).map_err(unfit)?)
        }
        _ if name.starts_with("game-") => {
            Call::Games(serde_json::from_str(question).map_err(unfit)?)
        }
        _ if name.starts_with("study-") => {
            Call::Studies(serde_json::from_str(question).map_err(unfit)?)
        }
        _ if name.starts_with("puzzle-") => {
            Call::Puzzles(serde_json::from_str(question).map_err(unfit)?)
        }
        _ if name.starts_with("ending-") => {
            Call::Endings(serde_json::from_str(question).map_err(unfit)?)
        }
        _ => {
            let name = tabiya_base::excerpt(name);
            return Err(Invalid::new(format!("there is no call {name:?}")));
        }
    })
}

fn plain(value: &Value) -> Result<Box<RawValue>, Invalid> {
    serde_json::value::to_raw_value(value).map_err(Invalid::new)
}
