//! How long a move takes while many search among very many games.
//!
//!     cargo run --release -p tabiya-store --example many -- 1000000 FOLDER
//!     cargo run --release -p tabiya-store --example searches -- FOLDER [CLIENTS [SECONDS]]
//!
//! Every client asks again as soon as it is answered; each kind of question is timed. Twenty games go on meanwhile, at
//! four moves a second each.

use std::path::Path;
use std::time::{Duration, Instant};

use tabiya_play::{Change, Entry, GameSetup, Start};
use tabiya_store::{Cursor, GameFilter, GameSort, Store, StoreError};

const GAMES: u32 = 20;
const PACE: Duration = Duration::from_millis(250);

/// Rare and common names, those that nobody has, days, results, and what is far down the list.
fn questions() -> Vec<(&'static str, GameFilter)> {
    let some = |text: &str| Some(text.to_owned());
    let page = GameFilter { limit: Some(50), ..GameFilter::default() };
    let named = |name: &str| GameFilter { search: some(name), ..page.clone() };
    let sorted = |sort, ascending| GameFilter { sort, ascending, ..page.clone() };
    let mut questions = vec![
        ("the latest", page.clone()),
        ("half a million games down", {
            let after = Some(Cursor { key: "1700000500000".to_owned(), id: 500_000 });
            GameFilter { after, ..page.clone() }
        }),
        ("a name that nobody has", named("zzzz")),
        ("a name of 20 games", named("rival 4711")),
        ("a name of 200,000 games", named("ada")),
        ("a letter that nobody has", named("q")),
        (
            "everybody, one year",
            GameFilter { since: some("1826"), until: some("1826"), ..named("player") },
        ),
        ("200,000 games, won by White", GameFilter { result: some("1-0"), ..named("cem") }),
        (
            "everybody, and nothing is found",
            GameFilter { played_here: true, deleted: true, ..named("rival") },
        ),
        ("two names", named("rival 4711 player")),
        ("a name and an event", named("ada town 77")),
        (
            "those played here, by opening",
            GameFilter { imported: Some(false), ..sorted(GameSort::Opening, true) },
        ),
        (
            "common words, by the rating of White",
            GameFilter { search: some("bea open 1900"), ..sorted(GameSort::WhiteElo, false) },
        ),
    ];
    for sort in GameSort::ALL {
        questions.push((sort.name(), sorted(sort, true)));
        questions.push((sort.name(), sorted(sort, false)));
    }
    questions
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("FOLDER [CLIENTS [SECONDS]], please")?;
    let clients: usize = arguments.next().map_or(Ok(30), |text| text.parse())?;
    let seconds: u64 = arguments.next().map_or(Ok(30), |text| text.parse())?;
    let store = Store::open(Path::new(&folder))?;
    let questions = questions();
    println!("| what | how many | half within | 99 % within | all within |");
    println!("|---|---:|---:|---:|---:|");
    report("a move, nobody searches", play(&store, Instant::now() + Duration::from_secs(10))?);
    let end = Instant::now() + Duration::from_secs(seconds);
    let ask = &|first: usize| {
        let mut times = Vec::new();
        let mut number = first;
        while Instant::now() < end {
            let begun = Instant::now();
            store.page(&questions[number % questions.len()].1)?;
            times.push((number % questions.len(), begun.elapsed()));
            number += 1;
        }
        Ok::<_, StoreError>(times)
    };
    let (moves, asked) = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..clients).map(|first| scope.spawn(move || ask(first))).collect();
        let moves = play(&store, end);
        (moves, clients.into_iter().map(|client| client.join()).collect::<Vec<_>>())
    });
    report(&format!("a move while {clients} search"), moves?);
    let mut times = vec![Vec::new(); questions.len()];
    for client in asked {
        for (question, time) in client.map_err(|_| "a client has failed")?? {
            times[question].push(time);
        }
    }
    for ((name, _), times) in questions.iter().zip(times) {
        report(name, times);
    }
    Ok(())
}

/// Plays until the end; how long each move took.
fn play(store: &Store, end: Instant) -> Result<Vec<Duration>, StoreError> {
    let game = &|number: u32| {
        let id = store.create(&GameSetup::new(Start::standard()))?;
        let mut times = Vec::new();
        std::thread::sleep(PACE * number / GAMES);
        for ply in 0.. {
            if Instant::now() >= end {
                break;
            }
            let uci = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4].to_owned();
            let change = Change { stays: ply, added: vec![Entry { uci, clocks: None }], end: None };
            let begun = Instant::now();
            store.change(id, ply, &change)?;
            times.push(begun.elapsed());
            std::thread::sleep(PACE.saturating_sub(begun.elapsed()));
        }
        store.forget(id)?;
        Ok::<_, StoreError>(times)
    };
    std::thread::scope(|scope| {
        let games: Vec<_> = (0..GAMES).map(|number| scope.spawn(move || game(number))).collect();
        let ended = |_| StoreError::Database("a game has failed".to_owned());
        let all = games.into_iter().map(|game| game.join().map_err(ended)?);
        Ok(all.collect::<Result<Vec<_>, _>>()?.concat())
    })
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
