use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::{Answer, Id, desk};
use crate::AppState;
use crate::trouble::Trouble;

/// How often a silent line shows that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Tells of everything that happens to a game, as server-sent events. Each is the whole view and has the
/// view's sequence as its id, so a page that was away misses nothing: it is told at once what it has not seen.
pub(super) async fn events(
    State(state): State<AppState>,
    Id(id): Id,
    headers: HeaderMap,
) -> Answer {
    let place = state.0.rates.stream().ok_or_else(|| {
        let sentence = "Too many pages are open; close some and try again.";
        Trouble::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    })?;
    let desk = desk(&state, id).await?;
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let mut shown = desk.watch();
    let mut closing = state.0.closing.subscribe();
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        let (_place, _desk) = (place, desk);
        let mut seen: Option<u64> = seen;
        loop {
            let latest = shown.borrow_and_update().clone();
            if seen != Some(latest.sequence) {
                let event = Event::default().id(latest.sequence.to_string()).data(&latest.json);
                if sender.send(Ok::<_, Infallible>(event)).await.is_err() {
                    return;
                }
                seen = Some(latest.sequence);
            }
            tokio::select! {
                changed = shown.changed() => if changed.is_err() { return },
                _ = closing.wait_for(|closing| *closing) => return,
                () = sender.closed() => return,
            }
        }
    });
    let stream = Sse::new(ReceiverStream::new(receiver));
    Ok(stream.keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}
