use std::time::Duration;

use serde_json::{Value, json};
use tabiya_base::Score;
use tabiya_coach::{Reason, Reasons, Voice};

use crate::{Assessment, Color, Evaluation, Review, ReviewSettings, Reviewed, TimeUse};

impl Review {
    /// A review as JSON, for pages and other programs; `docs/http.md` tells what is in it.
    ///
    /// ```
    /// use tabiya_review::{ReviewSettings, Stop, review};
    ///
    /// let settings = ReviewSettings { nodes: 1_000, ..ReviewSettings::default() };
    /// let review = review(&"1. e4 e5 *".parse()?, &settings, &mut |_, _| {}, &Stop::default())?;
    /// let json = review.json();
    /// assert_eq!(json["moves"][1]["san"], "e5");
    /// assert_eq!(json["opening"]["name"], "Open Game");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn json(&self) -> Value {
        let moves = self.moves.iter().enumerate();
        let moves: Vec<Value> =
            moves.map(|(index, reviewed)| move_json(self, index, reviewed)).collect();
        let opening = self.opening.map(
            |opening| json!({ "eco": opening.eco, "name": opening.name, "plies": opening.plies }),
        );
        json!({
            "nodes": self.nodes,
            "deepest": ReviewSettings::DEEPEST,
            "opening": opening,
            "white": side_json(self, Color::White),
            "black": side_json(self, Color::Black),
            "start": evaluation_json(self.start),
            "moves": moves,
            "phases": { "middlegame": self.phases.middlegame, "endgame": self.phases.endgame },
            "times": self.times.as_ref().map(times_json),
        })
    }
}

fn side_json(review: &Review, color: Color) -> Value {
    let side = review.performance(color);
    json!({
        "accuracy": side.accuracy,
        "loss": side.average_loss,
        "inaccuracies": side.inaccuracies(),
        "mistakes": side.mistakes(),
        "blunders": side.blunders(),
    })
}

fn evaluation_json(evaluation: Evaluation) -> Value {
    let worth = evaluation.worth;
    let (centipawns, mate, over) = match worth {
        Assessment::Score(Score::Centipawns(centipawns)) => (Some(centipawns), None, None),
        Assessment::Score(Score::Mate(moves)) => (None, Some(moves), None),
        Assessment::Over(outcome) => (None, None, Some(outcome.to_string())),
    };
    json!({
        "text": worth.to_string(),
        "centipawns": centipawns,
        "mate": mate,
        "over": over,
        "chances": rounded(worth.chances()),
        "depth": evaluation.depth,
        "nodes": evaluation.nodes,
    })
}

fn move_json(review: &Review, index: usize, reviewed: &Reviewed) -> Value {
    json!({
        "ply": index + 1,
        "number": reviewed.number,
        "side": if reviewed.color == Color::White { "white" } else { "black" },
        "san": reviewed.san,
        "uci": reviewed.code,
        "evaluation": evaluation_json(reviewed.evaluation),
        "loss": rounded(reviewed.loss),
        "centipawns": reviewed.centipawns,
        "accuracy": rounded(reviewed.accuracy),
        "judgement": reviewed.judgement.map(|judgement| judgement.name()),
        "symbol": reviewed.judgement.map(|judgement| judgement.symbol()),
        "sentence": reviewed.sentence(),
        "better": reviewed.better_san,
        "better_uci": reviewed.better_codes,
        "refutation": reviewed.refutation_san,
        "why": why_json(&review.reasons(index)),
    })
}

/// Nothing if nothing is known.
fn why_json(reasons: &Reasons) -> Option<Value> {
    let text = |reason: &Option<Reason>| reason.as_ref().map(|one| one.text(Voice::Nobody));
    let told = json!({ "wrong": text(&reasons.wrong), "better": text(&reasons.better) });
    (!reasons.is_empty()).then_some(told)
}

fn times_json(times: &TimeUse) -> Value {
    let seconds = |time: &Option<Duration>| time.map(|time| rounded(time.as_secs_f64()));
    let side = |color| {
        let one_based = |ply: usize| ply + 1;
        json!({
            "total": rounded(times.total(color).as_secs_f64()),
            "longest": times.longest(color, 3).into_iter().map(one_based).collect::<Vec<_>>(),
            "trouble": times.trouble(color).map(one_based),
        })
    };
    json!({
        "base": seconds(&times.base),
        "spent": times.spent.iter().map(seconds).collect::<Vec<_>>(),
        "left": times.left.iter().map(seconds).collect::<Vec<_>>(),
        "white": side(Color::White),
        "black": side(Color::Black),
    })
}

/// To tenths: nobody needs more.
fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
