//! One game panics, the others go on: `./test` runs this as what ships is built. Tests of cargo always unwind, whatever
//! the profile says, so they could not tell.

use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use serde_json::{Value, json};
use tabiya_store::Store;
use tabiya_web::{AppState, Key, Pool, ServerOptions, app};
use tower::ServiceExt as _;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// How long the computer of the other game may take.
const PATIENCE: Duration = Duration::from_secs(30);

async fn ask(state: &AppState, method: Method, path: &str, body: &Value) -> Outcome<Value> {
    let request = Request::builder().method(method).uri(path);
    let request = request.header("host", "localhost").header("content-type", "application/json");
    let answer = app(state.clone()).oneshot(request.body(Body::from(body.to_string()))?).await?;
    Ok(serde_json::from_slice(&to_bytes(answer.into_body(), 1 << 20).await?)?)
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    // One thread: if the panic took it, nobody would think any more.
    let pool = Pool::new(1);
    let store = Store::open(folder.path())?;
    let state = AppState::new(store, Key::random()?, pool.clone(), ServerOptions::default());
    let people = ask(&state, Method::POST, "/api/games", &json!({})).await?;
    let game = people["id"].as_u64().ok_or("no game was begun")?;
    pool.submit(game, Box::new(|| panic!("on purpose, while game 1 thinks")));

    let new_game = json!({ "white": "random" });
    let other = ask(&state, Method::POST, "/api/games", &new_game).await?;
    let path = format!("/api/games/{}", other["id"]);
    let begun = Instant::now();
    while ask(&state, Method::GET, &path, &Value::Null).await?["moves"] == json!([]) {
        if begun.elapsed() > PATIENCE {
            return Err("the computer of the other game does not move any more".into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!("One game has panicked, the other goes on.");
    Ok(())
}
