//! Tabiya in the browser: the pages, and the interface they and other programs speak.
//!
//! [`app`] is the whole of it as a function, so that tests can call it without a network; [`bind`]
//! puts it on one. This crate knows no rules and no search: it passes on what a
//! [`Session`](tabiya_play::Session) shows and allows.
//!
//! # Inside
//!
//! `serve.rs` listens; `connections.rs` knows who has a connection, and who gives way when there are too many.
//! `client.rs` says who asks, and whether that is the owner of the server.
//! `guard.rs` is what every request passes (host, origin, rate) and every answer carries. `routes.rs`
//! declares the routes in groups, `audience.rs` says who may use a group, and has a body read (`body.rs`) once
//! that is known; `routes/` are the addresses of docs/http.md. `state.rs` is the server's state: the games that somebody looks at, each a `LiveGame` (a
//! session behind a lock, and the last view for everybody who listens). `pool.rs` lets games take turns at
//! thinking, `scheduler.rs` looks after clocks, `quotas.rs` after how much one client may have. Every move is
//! written to the store before it is confirmed. `seats.rs` makes seat tokens from one kept key, so that none
//! has to be remembered. Every event is a whole view, so a page that was away misses nothing. `searches.rs`
//! is the queue for the engines that think about studies: a search lives as long as its stream.
//!
//! The pages under `web/` are plain ES modules and custom elements, embedded into the program: what is in the
//! folder is what runs.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod access;
mod assets;
mod audience;
mod body;
mod client;
mod connections;
mod cookies;
mod error;
mod explorer;
mod extract;
mod guard;
mod invitation;
mod learning;
mod limits;
mod live_game;
mod persistence;
mod pool;
mod presence;
mod quotas;
mod rematch;
mod reviews;
mod routes;
mod scheduler;
mod searches;
mod seats;
mod serve;
mod stall;
mod state;
mod studies;
mod table_folder;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use tabiya_api::{game as json, study as study_json};

pub use access::{Access, AccessError};
pub use limits::ServerLimits;
pub use pool::Pool;
pub use seats::Key;
pub use serve::{Listening, bind};
pub use state::{AppState, ServerOptions};

/// The pages and the interface behind them.
///
/// ```
/// use axum::body::Body;
/// use axum::http::{Request, StatusCode};
/// use tabiya_store::Store;
/// use tabiya_web::{AppState, Key, Pool, ServerOptions, app};
/// use tower::ServiceExt as _;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
/// # let folder = tempfile::tempdir()?;
/// let store = Store::open(folder.path())?;
/// let state = AppState::new(store, Key::random()?, Pool::new(1), ServerOptions::default());
/// let request = Request::get("/").header("host", "localhost:8064").body(Body::empty())?;
/// let response = app(state).oneshot(request).await?;
/// assert_eq!(response.status(), StatusCode::OK);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn app(state: AppState) -> Router {
    routes::routes(&state.0.limits)
        .into_router(&state, routes::nothing)
        // Ours is checked while a body is read, before any handler.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(state.clone(), guard::check))
        .with_state(state)
}

fn random() -> u64 {
    let mut bytes = [0; 8];
    // Without randomness the game is the same each time; it can still be played.
    let _ = getrandom::fill(&mut bytes);
    // Numbers of browsers are exact to 53 bits.
    u64::from_le_bytes(bytes) >> 11
}
