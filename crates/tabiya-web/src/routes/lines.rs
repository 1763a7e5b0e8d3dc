use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse as _;
use axum::response::sse::Event;
use serde::Deserialize;
use serde_json::json;
use tabiya_base::Stop;
use tabiya_play::Refusal;
use tabiya_players::Engines;
use tabiya_study::Question;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval};

use super::studies::gone;
use super::{Answer, CROWDED, aside, live, must_be_of_this_site};
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::Id;
use crate::searches::{LONGEST, SLICE, Thinking, Turn, think};
use crate::study_json::ReportJson;
use crate::{AppState, assets};

/// How often it is looked whether somebody else wants the place.
const GLANCE: Duration = Duration::from_millis(500);
/// News come no more often than this; the last is never left out.
const PAUSE: Duration = Duration::from_millis(180);

/// The engines that can be asked, how many searches are under way, and whether the browser can think itself.
pub(super) async fn engines(State(state): State<AppState>) -> Answer {
    let names = state.0.engines.names();
    let thinking = state.0.searches.thinking();
    Ok(Json(json!({ "engines": names, "thinking": thinking, "device": assets::has_program() }))
        .into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    node: usize,
    lines: Option<usize>,
    engine: Option<String>,
}

/// The best lines after a node, as server-sent events: `lines` with what the engine knows, `waiting`, `ended`
/// and `failed` with a sentence. Whoever leaves ends the search.
pub(super) async fn lines(
    State(state): State<AppState>,
    client: Client,
    Id(id): Id,
    headers: HeaderMap,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Answer {
    must_be_of_this_site(&headers)?;
    let Query(Asked { node, lines, engine }) = asked?;
    let engine = engine.unwrap_or_else(|| Engines::OURS.to_owned());
    if state.0.engines.thinker(&engine).is_none() {
        return Err(ApiError::invalid("There is no engine of that name."));
    }
    let lines = lines.unwrap_or(1);
    if !(1..=tabiya_study::MOST_LINES).contains(&lines) {
        let most = tabiya_study::MOST_LINES;
        return Err(ApiError::invalid(format!("Lines are 1 to {most}.")));
    }
    let server = Arc::clone(&state.0);
    let question = aside(move || {
        server.studies.read(&server.store, id, |study| gone(study.question(node, lines)))
    })
    .await?;
    let (sender, receiver) = mpsc::channel(4);
    let place = state.0.rates.stream(client);
    let turn = match &place {
        Some(_) => state.0.searches.enter(client),
        None => Err(CROWDED),
    };
    // An event, because a page cannot read the answer of a stream that is refused.
    tokio::spawn(async move {
        let _place = place;
        match turn {
            Ok(turn) => follow(&state, turn, engine, question, sender).await,
            Err(sentence) => drop(sender.send(say("failed", sentence)).await),
        }
    });
    Ok(live(receiver))
}

/// Waits until it is time for news again.
async fn pause(told: Option<Instant>) {
    if let Some(told) = told {
        tokio::time::sleep_until(told + PAUSE).await;
    }
}

/// Waits until the server closes.
async fn closed(closing: &mut tokio::sync::watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

type Sender = mpsc::Sender<Result<Event, Infallible>>;

fn say(name: &str, sentence: &str) -> Result<Event, Infallible> {
    Ok(Event::default().event(name).data(json!({ "text": sentence }).to_string()))
}

/// Waits for a place, has the engine think, and passes on what it says.
async fn follow(
    state: &AppState,
    mut turn: Turn,
    engine: String,
    question: Question,
    sender: Sender,
) {
    let mut closing = state.0.closing.subscribe();
    if !turn.is_next() {
        let sentence = "The engine is busy with other boards; yours is in the queue.";
        if sender.send(say("waiting", sentence)).await.is_err() {
            return;
        }
        tokio::select! {
            () = turn.wait() => {}
            () = sender.closed() => return,
            () = closed(&mut closing) => return,
        }
    }
    let stop = Stop::default();
    let engines = Arc::clone(&state.0.engines);
    let Thinking { mut reports, mut end } = think(engines, engine, question, stop.clone());
    let begun = Instant::now();
    let mut glance = interval(GLANCE);
    let mut told_at = None;
    let (ended, why) = loop {
        tokio::select! {
            result = &mut end => break (Some(result), None),
            () = pause(told_at), if told_at.is_some() => told_at = None,
            changed = reports.changed(), if told_at.is_none() => {
                if changed.is_err() {
                    break (None, None);
                }
                let told = told(&reports.borrow_and_update());
                if sender.send(told).await.is_err() {
                    break (None, None);
                }
                told_at = Some(Instant::now());
            }
            _ = glance.tick() => {
                if begun.elapsed() > LONGEST {
                    break (None, Some("The engine has thought for long enough."));
                }
                if begun.elapsed() > SLICE && turn.is_wanted() {
                    break (None, Some("The engine is needed at another board."));
                }
            }
            () = sender.closed() => break (None, None),
            () = closed(&mut closing) => break (None, None),
        }
    };
    stop.stop();
    // The place is given up when the engine has really stopped.
    let ended = match ended {
        Some(ended) => ended,
        None => end.await,
    };
    drop(turn);
    if reports.has_changed().is_ok_and(|changed| changed) || !reports.borrow().lines.is_empty() {
        let last = told(&reports.borrow_and_update());
        let _ = sender.send(last).await;
    }
    let last = match (ended, why) {
        (Ok(Err(failure)), _) => {
            if !failure.detail.is_empty() {
                tracing::warn!("{}", failure.detail);
            }
            say("failed", &Refusal::new(&failure).0)
        }
        (Err(_), _) => say("failed", "The engine could not be started."),
        (Ok(Ok(())), Some(why)) => say("ended", why),
        (Ok(Ok(())), None) => say("ended", "The engine has seen enough."),
    };
    let _ = sender.send(last).await;
}

fn told(report: &tabiya_study::Report) -> Result<Event, Infallible> {
    // Plain structures with text keys: there is nothing in them that JSON cannot say.
    let json = serde_json::to_string(&ReportJson::new(report)).unwrap_or_default();
    Ok(Event::default().event("lines").data(json))
}
