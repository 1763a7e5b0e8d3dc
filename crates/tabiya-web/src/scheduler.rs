//! What happens without being asked for: clocks run out, computers answer, what nobody needs is put away.

use std::sync::Arc;
use std::time::Duration;

use tabiya_play::{Request, Side};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::persistence::number;
use crate::state::Server;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How long a game that nobody looks at stays in memory.
const IDLE: Duration = Duration::from_secs(300);

/// How often the store forgets what nobody will miss.
const PURGE: Duration = Duration::from_secs(3600);

/// Looks after a server for as long as there is one. `answered` has the games whose computers have answered.
pub(crate) fn start(server: &Arc<Server>, mut answered: mpsc::UnboundedReceiver<u64>) {
    let weak = Arc::downgrade(server);
    tokio::spawn(async move {
        while let Some(id) = answered.recv().await {
            let Some(server) = weak.upgrade() else { return };
            if let Some(game) = server.live_game_if_open(id) {
                spawn_blocking(move || game.poll());
            }
        }
    });
    let weak = Arc::downgrade(server);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(PURGE).await;
            let Some(server) = weak.upgrade() else { return };
            let _ = spawn_blocking(move || purge(&server)).await;
        }
    });
    let weak = Arc::downgrade(server);
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            let Some(server) = weak.upgrade() else { return };
            // One round at a time: a slow disk does not pile up work.
            let _ = spawn_blocking(move || look_round(&server)).await;
        }
    });
}

/// Has games forgotten in which nobody has moved for long, unless somebody has them open.
fn purge(server: &Server) {
    let open: Vec<_> = server.live_games().keys().filter_map(|&id| number(id).ok()).collect();
    if let Err(error) = server.store.purge(&open) {
        tracing::warn!("games that nobody began could not be forgotten: {error}");
    }
}

/// Looks after clocks, computers that think for too long, and what nobody needs any more.
fn look_round(server: &Server) {
    let live_games: Vec<_> = server.live_games().values().cloned().collect();
    for game in live_games {
        game.presence.look();
        // An answer may be held until it is due.
        if game.is_ticking() || game.thinks_longer_than(Duration::ZERO) {
            game.glance();
        }
        if game.thinks_longer_than(server.limits.thinking) {
            // Refused if it has moved meanwhile: all the better.
            let _ = game.request(Side::White, &Request::MoveNow);
        }
        if game.is_idle(IDLE) {
            server.clear(game.id);
        }
    }
    server.rates.forget();
    server.studies.put_away(IDLE);
    server.engines.dismiss(IDLE);
}
