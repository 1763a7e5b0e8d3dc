//! A server with many games being played is killed again and again; every confirmed move must be there.
//!
//!     cargo bench -p tabiya --bench kills -- --data FOLDER [--kills 1000 --games 50]
//!
//! What was confirmed is written to `kills.json` in the folder after every kill, so that a run that was broken off
//! goes on where it was.

#[path = "load/moves.rs"]
mod moves;
#[allow(dead_code, reason = "shared with the bench of a full server")]
#[path = "load/person.rs"]
mod person;
#[allow(dead_code, reason = "shared with the bench of a full server")]
#[path = "load/server.rs"]
mod server;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use person::Person;
use serde::{Deserialize, Serialize};
use serde_json::json;
use server::Server;
use tabiya_base::Random;
use tokio::task::JoinSet;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A game is over after so many half-moves, and another begins.
const PLIES: usize = 120;

#[derive(Clone, Serialize, Deserialize)]
struct Game {
    id: u64,
    seed: u64,
    tokens: [String; 2],
    /// So many moves were confirmed.
    confirmed: usize,
}

#[derive(Default, Serialize, Deserialize)]
struct Tally {
    kills: u64,
    confirmed: usize,
    /// Confirmed, and not there after a kill.
    lost: usize,
    /// Not confirmed before the kill, but there: their answers were on the way.
    unheard: usize,
    begun: u64,
    /// How long the server took to be there again, at most, in milliseconds.
    slowest_start: u128,
    games: Vec<Game>,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let folder = PathBuf::from(value("--data").ok_or("--data FOLDER, please")?);
    let kills = value("--kills").map_or(Ok(1000), |text| text.parse())?;
    let games = value("--games").map_or(Ok(50), |text| text.parse())?;
    std::fs::create_dir_all(&folder)?;
    let state = folder.join("kills.json");
    let mut tally: Tally = match std::fs::read(&state) {
        Ok(bytes) => serde_json::from_slice(&bytes)?,
        Err(_) => Tally::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    while tally.kills < kills {
        runtime.block_on(live_and_die(&folder, &mut tally, games))?;
        let bytes = serde_json::to_vec(&tally)?;
        tabiya_base::write_atomically(&state, |file| file.write_all(&bytes))?;
        if tally.kills.is_multiple_of(50) {
            tally.print();
        }
    }
    let server = Server::open(&folder)?;
    runtime.block_on(compare(&server, &mut tally))?;
    drop(server);
    let checked = tabiya_store::check(&folder)?;
    tally.print();
    println!(
        "{} games with {} moves are kept; faults: {:?}",
        checked.games, checked.moves, checked.faults
    );
    if tally.lost > 0 || !checked.faults.is_empty() {
        return Err("not everything that was confirmed is there".into());
    }
    Ok(())
}

impl Tally {
    fn print(&self) {
        let Tally { kills, confirmed, lost, unheard, slowest_start, .. } = self;
        println!(
            "{kills} kills: {confirmed} confirmed moves, {lost} lost, {unheard} kept without an answer; \
             up again within {slowest_start} ms"
        );
    }
}

/// Opens the server, compares, plays for a while, and kills it in the midst of that.
async fn live_and_die(folder: &Path, tally: &mut Tally, games: usize) -> Outcome<()> {
    let begun = Instant::now();
    let mut server = Server::open(folder)?;
    tally.slowest_start = tally.slowest_start.max(begun.elapsed().as_millis());
    compare(&server, tally).await?;
    tally.games.retain(|game| game.confirmed < PLIES);
    while tally.games.len() < games {
        let mut person = Person::new(server.address, tally.games.len()).await?;
        let new = person.post("/games", &json!({})).await?;
        let token = |side: &str| new["tokens"][side].as_str().unwrap_or_default().to_owned();
        let id = new["id"].as_u64().ok_or("a game without a number")?;
        let tokens = [token("white"), token("black")];
        tally.games.push(Game { id, seed: tally.begun, tokens, confirmed: 0 });
        tally.begun += 1;
    }
    let mut playing = JoinSet::new();
    for (number, game) in tally.games.drain(..).enumerate() {
        let person = Person::new(server.address, number).await?;
        playing.spawn(play(person, game));
    }
    let life = 150 + Random::new(tally.kills).below(350) as u64;
    tokio::time::sleep(Duration::from_millis(life)).await;
    server.kill();
    tally.kills += 1;
    while let Some(done) = playing.join_next().await {
        let (game, confirmed) = done?;
        tally.confirmed += confirmed;
        tally.games.push(game);
    }
    Ok(())
}

/// Plays until nobody answers any more; how many moves were confirmed.
async fn play(mut person: Person, mut game: Game) -> (Game, usize) {
    let moves = moves::random_game(game.seed, PLIES);
    let path = format!("/games/{}/moves", game.id);
    let before = game.confirmed;
    while game.confirmed < PLIES {
        person.token = game.tokens[game.confirmed % 2].clone();
        let body = json!({ "text": moves[game.confirmed], "ply": game.confirmed });
        if person.post(&path, &body).await.is_err() {
            break;
        }
        game.confirmed += 1;
        // As many as one address may ask for.
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let confirmed = game.confirmed - before;
    (game, confirmed)
}

/// Looks whether every confirmed move is there.
async fn compare(server: &Server, tally: &mut Tally) -> Outcome<()> {
    for (number, game) in tally.games.iter_mut().enumerate() {
        let mut person = Person::new(server.address, number).await?;
        let view = person.get(&format!("/games/{}", game.id)).await?;
        let kept = view["moves"].as_array().ok_or("a game without moves")?;
        let planned = moves::random_game(game.seed, PLIES);
        let same =
            kept.iter().zip(&planned).take_while(|(kept, ours)| kept["uci"] == ours.as_str());
        let same = same.count();
        tally.lost += game.confirmed.saturating_sub(same);
        let more = kept.len().saturating_sub(game.confirmed);
        if more > 1 || same != kept.len() {
            return Err(format!("game {} has moves that nobody played", game.id).into());
        }
        tally.unheard += more;
        game.confirmed = kept.len();
    }
    Ok(())
}
