//! How long a move takes while many people search among very many games.
//!
//!     cargo run --release -p tabiya-store --example many -- 1000000 /tmp/many
//!     cargo bench -p tabiya --bench search -- --data /tmp/many [--clients 30 --seconds 30]
//!
//! Every client comes from an address of its own and asks again as soon as it is answered; each kind of question is
//! timed. Twenty games go on meanwhile, at four moves a second each.

#[path = "load/moves.rs"]
mod moves;
#[allow(dead_code, reason = "shared with the bench of a full server")]
#[path = "load/person.rs"]
mod person;
#[allow(dead_code, reason = "shared with the bench of a full server")]
#[path = "load/server.rs"]
mod server;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use person::Person;
use serde_json::json;
use server::Server;
use tokio::task::JoinSet;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const GAMES: usize = 20;
const PACE: Duration = Duration::from_millis(250);

/// What is asked: rare and common names, those that nobody has, days, results, and what is far down the list.
const QUESTIONS: [&str; 9] = [
    "player=zzzz",
    "player=rival%204711",
    "player=ada",
    "player=q",
    "player=human&since=1826-01-01&until=1826-12-31",
    "player=cem&result=1-0",
    "result=*&player=player",
    "since=1900-01-01&result=1/2-1/2&limit=500",
    "after=1700000400000.400000",
];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let folder = PathBuf::from(value("--data").ok_or("--data FOLDER, please")?);
    let clients = value("--clients").map_or(Ok(30), |text| text.parse())?;
    let seconds = value("--seconds").map_or(Ok(30), |text| text.parse())?;
    // One thread, so that the crowd takes no more of the machine than it must.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(visit(folder, clients, seconds))
}

async fn visit(folder: PathBuf, clients: usize, seconds: u64) -> Outcome<()> {
    let server = Server::open(&folder)?;
    println!("| what | how many | half within | 99 % within | all within |");
    println!("|---|---:|---:|---:|---:|");
    let quiet = play(&server, 0, Instant::now() + Duration::from_secs(10)).await?;
    report("a move, nobody searches", quiet);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut searches = JoinSet::new();
    for number in 0..clients {
        let person = Person::new(server.address, 1000 + number).await?;
        searches.spawn(search(person, number, end));
    }
    let busy = play(&server, 1, end).await?;
    report(&format!("a move while {clients} search"), busy);
    let mut asked = vec![Vec::new(); QUESTIONS.len()];
    while let Some(done) = searches.join_next().await {
        for (question, time) in done?? {
            asked[question].push(time);
        }
    }
    for (question, times) in QUESTIONS.iter().zip(asked) {
        report(&format!("`?{question}`"), times);
    }
    Ok(())
}

/// Plays until the end, in games of round `round`; how long each move took.
async fn play(server: &Server, round: usize, end: Instant) -> Outcome<Vec<Duration>> {
    let mut games = JoinSet::new();
    for number in 0..GAMES {
        let number = round * GAMES + number;
        let mut person = Person::new(server.address, number).await?;
        let begun = person.post("/games", &json!({})).await?;
        games.spawn(async move {
            let path = format!("/games/{}/moves", begun["id"]);
            let tokens = ["white", "black"].map(|side| begun["tokens"][side].clone());
            let mut times = Vec::new();
            tokio::time::sleep(PACE.mul_f64((number % GAMES) as f64 / GAMES as f64)).await;
            for (ply, text) in moves::random_game(number as u64, 200).iter().enumerate() {
                if Instant::now() >= end {
                    break;
                }
                person.token = tokens[ply % 2].as_str().unwrap_or_default().to_owned();
                let asked = Instant::now();
                person.post(&path, &json!({ "text": text })).await?;
                times.push(asked.elapsed());
                tokio::time::sleep(PACE.saturating_sub(asked.elapsed())).await;
            }
            Outcome::Ok(times)
        });
    }
    let mut times = Vec::new();
    while let Some(done) = games.join_next().await {
        times.extend(done??);
    }
    Ok(times)
}

/// Asks until the end; which question took how long.
async fn search(mut person: Person, first: usize, end: Instant) -> Outcome<Vec<(usize, Duration)>> {
    let mut times = Vec::new();
    for question in (first..).map(|number| number % QUESTIONS.len()) {
        if Instant::now() >= end {
            break;
        }
        let asked = Instant::now();
        person.get(&format!("/games?{}", QUESTIONS[question])).await?;
        times.push((question, asked.elapsed()));
        // No client may ask more than fifty times a second.
        tokio::time::sleep(Duration::from_millis(20).saturating_sub(asked.elapsed())).await;
    }
    Ok(times)
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let within = |share: f64| {
        let place = (times.len() as f64 * share).ceil() as usize;
        let time = times.get(place.saturating_sub(1)).copied().unwrap_or_default();
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    };
    let [half, most, all] = [0.5, 0.99, 1.0].map(within);
    println!("| {what} | {} | {half} | {most} | {all} |", times.len());
}
