use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use tabiya_play::Side;
use tokio::sync::mpsc;

use super::{Answer, CROWDED, aside, live, live_game};
use crate::AppState;
use crate::client::Client;
use crate::error::ApiError;
use crate::extract::Visitor;
use crate::live_game::LiveGame;
use crate::random;

/// How often a player at another machine is asked how far away it is.
const PING: Duration = Duration::from_secs(4);

/// Tells of everything that happens to a game, as server-sent events. Each is the whole view and has the
/// view's sequence as its id, so a page that was away misses nothing: it is told at once what it has not seen.
/// Events named `presence` tell who is there, events named `ping` ask a player's page for an answer.
pub(super) async fn events(
    State(state): State<AppState>,
    client: Client,
    Visitor { id, side }: Visitor,
    headers: HeaderMap,
) -> Answer {
    let place = state
        .0
        .rates
        .stream(client)
        .ok_or_else(|| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, CROWDED))?;
    let game = live_game(&state, id).await?;
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse().ok());
    let (sender, receiver) = mpsc::channel(4);
    let mut closing = state.0.closing.subscribe();
    tokio::spawn(async move {
        let _place = place;
        let visit = Visit::new(game, side);
        tokio::select! {
            () = visit.tell(&sender, seen) => {}
            _ = closing.wait_for(|closing| *closing) => {}
            () = sender.closed() => {}
        }
    });
    Ok(live(receiver))
}

/// A page that is open, for as long as it is.
struct Visit {
    game: Arc<LiveGame>,
    side: Option<Side>,
}

impl Visit {
    fn new(game: Arc<LiveGame>, side: Option<Side>) -> Visit {
        game.presence.come(side);
        Visit { game, side }
    }

    /// Tells until nobody listens.
    async fn tell(&self, sender: &mpsc::Sender<Result<Event, Infallible>>, mut seen: Option<u64>) {
        let mut shown = self.game.watch();
        let mut presence = self.game.presence.watch();
        presence.mark_changed();
        let mut ping = tokio::time::interval(PING);
        ping.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let player = self.side.filter(|_| self.game.is_apart());
        loop {
            let latest = shown.borrow_and_update().clone();
            if seen != Some(latest.sequence) {
                let event = Event::default().id(latest.sequence.to_string()).data(&latest.json);
                if sender.send(Ok(event)).await.is_err() {
                    return;
                }
                seen = Some(latest.sequence);
            }
            let event = tokio::select! {
                biased;
                changed = shown.changed() => match changed {
                    Ok(()) => continue,
                    Err(_) => return,
                },
                changed = presence.changed() => match changed {
                    Ok(()) => {
                        let told = presence.borrow_and_update().clone();
                        Event::default().event("presence").data(told.as_str())
                    }
                    Err(_) => return,
                },
                _ = ping.tick(), if player.is_some() => match player {
                    Some(side) => self.ask(side).await,
                    None => continue,
                },
            };
            if sender.send(Ok(event)).await.is_err() {
                return;
            }
        }
    }

    async fn ask(&self, side: Side) -> Event {
        let (game, nonce) = (Arc::clone(&self.game), random());
        // Should that fail, the answer is not expected, and no harm is done.
        let _ = aside(move || {
            game.ping(side, nonce);
            Ok(())
        })
        .await;
        Event::default().event("ping").data(nonce.to_string())
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.game.presence.go(self.side);
    }
}
