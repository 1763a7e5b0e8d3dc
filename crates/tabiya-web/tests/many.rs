//! Many games at once: everybody is answered, and nobody waits for the others for ever.

mod server;

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use server::{Game, Server};
use tabiya_web::ServerLimits;
use tower::ServiceExt as _;

fn generous() -> ServerLimits {
    ServerLimits { rate: 1e9, burst: 1e9, games_per_client: 1000, ..ServerLimits::default() }
}

/// What a page hears of a game.
struct Listener {
    body: Body,
    heard: String,
}

impl Listener {
    async fn new(server: &Server, game: &Game, seen: Option<&str>) -> Listener {
        let mut request = Request::get(format!("{}/events", game.path)).header("host", "localhost");
        if let Some(seen) = seen {
            request = request.header("last-event-id", seen);
        }
        let response =
            server.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        Listener { body: response.into_body(), heard: String::new() }
    }

    /// The next event: its id and the view.
    async fn next(&mut self) -> (String, Value) {
        loop {
            if let Some((event, rest)) = self.heard.split_once("\n\n") {
                let line = |name: &str| {
                    event
                        .lines()
                        .find_map(|line| line.strip_prefix(name))
                        .map(|text| text.trim().to_owned())
                };
                let found = line("id:").zip(line("data:"));
                self.heard = rest.to_owned();
                if let Some((id, data)) = found {
                    return (id, serde_json::from_str(&data).unwrap());
                }
                continue;
            }
            let frame = tokio::time::timeout(Duration::from_secs(300), self.body.frame());
            let frame = frame.await.expect("an event in time").unwrap().unwrap();
            self.heard += std::str::from_utf8(frame.data_ref().unwrap()).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_games_against_the_computer_stay_live() {
    let server = Server::with(generous());
    let mut games = Vec::new();
    for seed in 0..200 {
        games.push(server.begin(json!({ "black": "tabiya:400", "seed": seed })).await);
    }
    let began = Instant::now();
    let mut slowest = Duration::ZERO;
    for round in 0..2 {
        let text = ["e4", "Na3"][round];
        let mut waiting = Vec::new();
        for game in &games {
            let listener = Listener::new(&server, game, None).await;
            let answer = server
                .say(&format!("{}/moves", game.path), &game.white, json!({ "text": text }))
                .await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
            waiting.push((Instant::now(), listener));
        }
        for (asked, mut listener) in waiting {
            while listener.next().await.1["moves"].as_array().unwrap().len() < 2 * (round + 1) {}
            slowest = slowest.max(asked.elapsed());
        }
    }
    println!("400 answers in {:?}, the slowest after {slowest:?}", began.elapsed());
}

#[tokio::test]
async fn whoever_reconnects_misses_nothing() {
    let server = Server::new();
    let game = server.begin(json!({})).await;
    let moves = format!("{}/moves", game.path);
    let mut first = Listener::new(&server, &game, None).await;
    let (seen, view) = first.next().await;
    assert_eq!(view["sequence"].to_string(), seen);
    drop(first);
    server.say(&moves, &game.white, json!({ "text": "e4" })).await;
    server.say(&moves, &game.black, json!({ "text": "e5" })).await;
    let mut again = Listener::new(&server, &game, Some(&seen)).await;
    let (next, view) = again.next().await;
    assert_eq!(view["moves"].as_array().unwrap().len(), 2);
    assert!(next.parse::<u64>().unwrap() > seen.parse().unwrap());
    // Nothing is told twice: the next event is the next move.
    let mut informed = Listener::new(&server, &game, Some(&next)).await;
    server.say(&moves, &game.white, json!({ "text": "Nf3" })).await;
    assert_eq!(informed.next().await.1["moves"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn who_asks_too_much_is_told_to_wait() {
    let server = Server::with(ServerLimits { rate: 0.0, burst: 3.0, ..ServerLimits::default() });
    for _ in 0..3 {
        assert_eq!(server.get("/api/games").await.status, StatusCode::OK);
    }
    let refused = server.get("/api/games").await;
    assert_eq!(
        (refused.status, refused.error()),
        (StatusCode::TOO_MANY_REQUESTS, "That is too much at once: wait a moment.")
    );
}

#[tokio::test]
async fn who_has_many_games_finishes_some_first() {
    let server = Server::with(ServerLimits { games_per_client: 2, ..generous() });
    let game = server.begin(json!({})).await;
    server.begin(json!({})).await;
    let refused = server.post("/api/games", json!({})).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    server
        .say(&format!("{}/requests", game.path), &game.white, json!({ "request": "resign" }))
        .await;
    server.begin(json!({})).await;
}

#[tokio::test]
async fn only_so_many_pages_listen() {
    let server = Server::with(ServerLimits { streams: 1, ..generous() });
    let game = server.begin(json!({})).await;
    let _one = Listener::new(&server, &game, None).await;
    let refused = server.get(&format!("{}/events", game.path)).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_move_that_cannot_be_kept_is_not_played_and_tells_nothing_of_the_server() {
    let server = Server::new();
    let game = server.begin(json!({})).await;
    let other = tabiya_store::Store::open(server.folder.path()).unwrap();
    other.forget(tabiya_store::GameId(game.id as i64)).unwrap();
    let answer =
        server.say(&format!("{}/moves", game.path), &game.white, json!({ "text": "e4" })).await;
    assert_eq!(
        answer.error(),
        "The game could not be kept, so nothing has changed.",
        "{}",
        answer.text
    );
    assert_eq!(server.get(&game.path).await.json["moves"], json!([]));
}
