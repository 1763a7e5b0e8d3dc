//! People who play while others search among all the games that were ever kept.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use crate::person::Person;
use crate::report::Report;
use crate::server::Server;
use crate::{Outcome, alone, random_game, text};

/// Rare and common names, those that nobody has, days, results, other orders, and counts.
const QUESTIONS: [&str; 12] = [
    "/games",
    "/games?search=zzzz",
    "/games?search=rival%204711",
    "/games?search=ada",
    "/games?search=q",
    "/games?search=player&since=1826-01-01&until=1826-12-31",
    "/games?search=cem&result=1-0",
    "/games?search=ada%20town%2077",
    "/games?source=mine&sort=opening&order=ascending",
    "/games?search=bea%20open%201900&sort=white-elo",
    "/games?sort=black&order=ascending",
    "/games/count?search=ada",
];

/// So many play, each at four moves a second.
const GAMES: usize = 20;
const PACE: Duration = Duration::from_millis(250);
/// How long they play before anybody searches.
const QUIET: Duration = Duration::from_secs(10);
/// 99 of 100 moves are confirmed within this time.
const WANTED: Duration = Duration::from_millis(20);

/// Opens a server on a folder of games, and has so many ask again as soon as they are answered.
pub(crate) async fn stand(
    folder: &Path,
    searchers: usize,
    time: Duration,
    report: &mut Report,
) -> Outcome<()> {
    let process = Server::open(folder)?;
    let server = process.address;
    // Those who play have a thread of their own: they wait for the server, never for the others on this side.
    let quiet = tokio::task::spawn_blocking(move || alone(play(server, QUIET))).await??;
    report.line("a move, nobody searches", quiet.len(), &quiet);
    let end = Instant::now() + time;
    let mut crowd = JoinSet::new();
    for number in 0..searchers {
        crowd.spawn(search(server, number, end));
    }
    let moves = tokio::task::spawn_blocking(move || alone(play(server, time))).await??;
    let mut answered = Vec::new();
    while let Some(times) = crowd.join_next().await {
        answered.extend(times??);
    }
    let what = format!("a move while {searchers} search");
    report.line(&what, moves.len(), &moves);
    report.line("a search", answered.len(), &answered);
    report.demand(&what, &moves, 0.99, WANTED);
    Ok(())
}

/// Asks one question after the other until the end; how long each took.
async fn search(server: SocketAddr, number: usize, end: Instant) -> Outcome<Vec<Duration>> {
    let mut person = Person::new(server, GAMES + number).await?;
    let mut times = Vec::new();
    for question in QUESTIONS.iter().cycle().skip(number) {
        if Instant::now() >= end {
            break;
        }
        let asked = Instant::now();
        person.get(question).await?;
        times.push(asked.elapsed());
        // Nobody may ask more than fifty times a second.
        tokio::time::sleep(Duration::from_millis(20).saturating_sub(asked.elapsed())).await;
    }
    Ok(times)
}

/// Plays games for some time; how long each move took.
async fn play(server: SocketAddr, time: Duration) -> Outcome<Vec<Duration>> {
    let mut games = JoinSet::new();
    for number in 0..GAMES {
        games.spawn(async move {
            let mut person = Person::new(server, number).await?;
            let created = person.post("/games", &json!({})).await?;
            let path = format!("/games/{}", created["id"]);
            let tokens = [text(&created["tokens"]["white"])?, text(&created["tokens"]["black"])?];
            tokio::time::sleep(PACE * number as u32 / GAMES as u32).await;
            let plies = (time.as_secs_f64() / PACE.as_secs_f64()) as usize;
            let mut times = Vec::new();
            for (ply, code) in random_game(number as u64, plies).iter().enumerate() {
                person.token.clone_from(&tokens[ply % 2]);
                let body = json!({ "text": code, "ply": ply });
                let asked = Instant::now();
                person.post(&format!("{path}/moves"), &body).await?;
                times.push(asked.elapsed());
                tokio::time::sleep(PACE.saturating_sub(asked.elapsed())).await;
            }
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(times)
        });
    }
    let mut times = Vec::new();
    while let Some(game) = games.join_next().await {
        times.extend(game??);
    }
    Ok(times)
}
