//! The pages without the rest of the program, to work on them: takes the arguments of `tabiya serve`.
//!
//! `cargo run -p tabiya-web --example server -- --addr 127.0.0.1:8064 --data /tmp/games`

use std::path::Path;

use tabiya_store::Store;
use tabiya_web::{AppState, Key, Pool, ServerOptions, bind};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)).cloned()
    };
    let address = after("--addr").unwrap_or_else(|| "127.0.0.1:8064".to_owned());
    let folder = after("--data").ok_or("--data names the folder for games")?;
    let listening = bind(address.parse()?).await?;
    println!("Tabiya is at {} ", listening.url());
    // A key that everybody knows: this server is for trying things out.
    let (store, key) = (Store::open(Path::new(&folder))?, Key::new([7; 32]));
    let state = AppState::new(store, key, Pool::fitting(), ServerOptions::default());
    Ok(listening.serve(state, std::future::pending()).await?)
}
