//! Tabiya in the browser: the pages, and the interface they and other programs speak.
//!
//! [`app`] is the whole of it as a function, so that tests can call it without a network. What a browser
//! is told is in `web/`; this crate knows no rules and no search.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod assets;
mod guard;

use axum::Router;

/// The pages and the interface behind them.
///
/// ```
/// use axum::body::Body;
/// use axum::http::{Request, StatusCode};
/// use tower::ServiceExt as _;
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let request = Request::get("/").header("host", "localhost:8064").body(Body::empty())?;
/// let response = tabiya_web::app().oneshot(request).await?;
/// assert_eq!(response.status(), StatusCode::OK);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn app() -> Router {
    Router::new().fallback(assets::serve).layer(axum::middleware::from_fn(guard::check))
}
