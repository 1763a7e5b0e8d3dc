//! A house that forgets its games when it ends: to work on the pages.
//!
//! `cargo run -p tabiya-web --example forgetful -- 127.0.0.1:8064`

use std::sync::Arc;

use tabiya_web::{AppState, Key, Limits, Memory, Pool, bind};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8064".to_owned());
    let listening = bind(address.parse()?).await?;
    println!("{}", listening.url());
    let shelf = Arc::new(Memory::default());
    let state = AppState::new(shelf, Key::random()?, Pool::fitting(), Limits::default());
    Ok(listening.serve(state, std::future::pending()).await?)
}
