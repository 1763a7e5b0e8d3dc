//! Reviews over HTTP: asked for, made in the background, kept, and found again.

mod server;

use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::{Answer, Server};
use tabiya_store::Store;
use tabiya_web::{AppState, Key, Pool, ServerLimits, ServerOptions, app};

const FOOL: &str = "[White \"A\"]\n\n1. f3 {[%clk 0:01:00]} e5 2. g4 {why?} (2. e4) Qh4# 0-1";

fn limits() -> ServerLimits {
    ServerLimits { review_nodes: 1_000, ..ServerLimits::default() }
}

async fn study(server: &Server, pgn: &str) -> (u64, String) {
    let begun = server.post("/api/studies", json!({ "pgn": pgn })).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let token = begun.json["token"].as_str().unwrap().to_owned();
    (begun.json["study"]["id"].as_u64().unwrap(), token)
}

async fn ask(server: &Server, what: Value) -> String {
    let asked = server.post("/api/reviews", what).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    asked.json["key"].as_str().unwrap().to_owned()
}

async fn finished(server: &Server, key: &str) -> Answer {
    let begun = Instant::now();
    loop {
        let seen = server.call(Method::GET, &format!("/api/reviews/{key}")).await;
        assert_eq!(seen.status, StatusCode::OK, "{}", seen.text);
        if seen.json["state"] == "done" {
            return seen;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", seen.text);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_study_is_reviewed_once_and_found_again() {
    let server = Server::with(limits());
    let (id, token) = study(&server, FOOL).await;
    let path = format!("/api/reviews?study={id}");
    let outline = server.call(Method::GET, &format!("/api/studies/{id}")).await;
    assert_eq!(outline.json["study"]["opening"], "A00 Barnes Opening");
    let before = server.call(Method::GET, &path).await;
    assert_eq!(before.json["state"], "none");
    let key = ask(&server, json!({ "study": id })).await;
    assert_eq!(before.json["key"], key.as_str());
    let review = &finished(&server, &key).await.json["review"];
    assert_eq!(review["moves"][2]["judgement"], "blunder");
    assert_eq!(
        review["moves"][2]["better_uci"].as_array().unwrap().len(),
        review["moves"][2]["better"].as_array().unwrap().len()
    );
    assert_eq!(review["moves"][3]["evaluation"]["over"], "Checkmate: Black wins");
    assert_eq!(review["white"]["blunders"], 1);
    assert_eq!(review["opening"]["name"], "Barnes Opening");
    assert_eq!(review["times"]["left"][0], 60.0);
    // Asked again, it is there at once.
    assert_eq!(ask(&server, json!({ "study": id })).await, key);
    assert_eq!(server.call(Method::GET, &path).await.json["state"], "done");
    // The record has the review and what people have said, even later.
    let said = json!({ "step": "comment", "node": 1, "text": "later" });
    let headers = [
        ("host", "localhost:8064"),
        ("content-type", "application/json"),
        ("authorization", &format!("Bearer {token}")),
    ];
    let done = server
        .send(Method::POST, &format!("/api/studies/{id}/steps"), &headers, said.to_string())
        .await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let record = server.call(Method::GET, &format!("/api/reviews/{key}/record")).await;
    assert!(record.header("content-disposition").contains("tabiya-review.pgn"));
    for part in ["$4", "[%eval", "why?", "(2. e4)", "[%clk 0:01:00]"] {
        assert!(record.text.contains(part), "{part} in {}", record.text);
    }
    assert!(!record.text.contains("later"));
    let record = server.call(Method::GET, &format!("/api/reviews/{key}/record?study={id}")).await;
    assert!(record.text.contains("later") && record.text.contains("$4"), "{}", record.text);
    // Progress ends with the end.
    let events = server.call(Method::GET, &format!("/api/reviews/{key}/events")).await;
    assert_eq!(events.text.trim(), "data: {\"state\":\"done\"}");
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_told_live() {
    let server = Server::with(ServerLimits { review_nodes: 20_000, ..ServerLimits::default() });
    let (id, _) = study(&server, FOOL).await;
    let key = ask(&server, json!({ "study": id })).await;
    let told = server.call(Method::GET, &format!("/api/reviews/{key}/events")).await.text;
    let states: Vec<Value> = told
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(states.last().unwrap()["state"], "done");
    let running: Vec<_> = states.iter().filter(|state| state["state"] == "running").collect();
    // Five positions, and more when a mistake is looked at twice.
    let of: Vec<u64> = running.iter().map(|state| state["of"].as_u64().unwrap()).collect();
    assert!(of.first() == Some(&5) && of.is_sorted(), "{told}");
    assert!(!running.is_empty(), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_looks_deeper_and_can_be_called_off() {
    let server = Server::with(limits());
    let (id, _) = study(&server, "1. e4 e5 2. Nf3 Nc6 *").await;
    let key = ask(&server, json!({ "study": id })).await;
    let first = finished(&server, &key).await.json["review"].clone();
    assert_eq!(first["moves"][1]["evaluation"]["nodes"], 1_000);
    let path = format!("/api/reviews/{key}/deeper");
    let asked = server.post(&path, json!({ "ply": 2 })).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    let deeper = finished(&server, &key).await.json["review"].clone();
    let nodes = |review: &Value, ply: usize| review["moves"][ply]["evaluation"]["nodes"].clone();
    assert_eq!([0, 1, 2].map(|ply| nodes(&deeper, ply)), [10_000, 10_000, 1_000]);
    // It is kept: whoever asks for the review has it as it is now.
    assert_eq!(ask(&server, json!({ "study": id })).await, key);
    assert_eq!(finished(&server, &key).await.json["review"], deeper);
    // The whole game, until somebody has had enough: what was there stays.
    for _ in 0..2 {
        server.post(&path, json!({})).await;
        finished(&server, &key).await;
    }
    let known = finished(&server, &key).await.json["review"].clone();
    assert_eq!(nodes(&known, 3), 100_000);
    let asked = server.post(&path, json!({})).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    let twice = server.post(&path, json!({})).await;
    assert_eq!(twice.status, StatusCode::CONFLICT, "{}", twice.text);
    let off = server.call(Method::DELETE, &path).await;
    assert_eq!(off.status, StatusCode::NO_CONTENT);
    assert_eq!(finished(&server, &key).await.json["review"], known);
    for (what, status) in [
        (json!({ "ply": 0 }), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({ "ply": 9 }), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({ "nodes": 1 }), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        assert_eq!(server.post(&path, what.clone()).await.status, status, "{what}");
    }
    let nowhere = server.post("/api/reviews/nothing/deeper", json!({})).await;
    assert_eq!(nowhere.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_the_archive_are_reviewed_too() {
    let server = Server::with(limits());
    let headers = [("host", "localhost:8064"), ("content-type", "text/plain")];
    let pgn = "[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";
    server.send(Method::POST, "/api/import", &headers, pgn.to_owned()).await;
    let key = ask(&server, json!({ "game": 1 })).await;
    let review = &finished(&server, &key).await.json["review"];
    assert_eq!(review["black"]["blunders"], 1);
    assert!(review["times"].is_null());
    // The same moves in a study have the same review.
    let (id, _) =
        study(&server, "[Event \"Other\"]\n\n1. e4! e5 2. Qh5 Ke7 {?} 3. Qxe5# 1-0").await;
    let found = server.call(Method::GET, &format!("/api/reviews?study={id}")).await;
    assert_eq!(
        (found.json["state"].as_str(), found.json["key"].as_str()),
        (Some("done"), Some(key.as_str()))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_killed_makes_the_review_when_asked_again() {
    let folder = tempfile::TempDir::new().unwrap();
    let open = |nodes| {
        let store = Store::open(folder.path()).unwrap();
        let limits = ServerLimits { review_nodes: nodes, ..ServerLimits::default() };
        let options = ServerOptions { limits, ..ServerOptions::default() };
        AppState::new(store, Key::new([7; 32]), Pool::new(1), options)
    };
    let slow = open(3_000_000);
    let server = Server { app: app(slow.clone()), folder: tempfile::TempDir::new().unwrap() };
    let (id, _) = study(&server, FOOL).await;
    let key = ask(&server, json!({ "study": id })).await;
    let state =
        server.call(Method::GET, &format!("/api/reviews/{key}")).await.json["state"].clone();
    assert!(state == "waiting" || state == "running", "{state}");
    slow.close();
    drop((server, slow));
    let server = Server { app: app(open(3_000_000)), folder: tempfile::TempDir::new().unwrap() };
    let gone = server.call(Method::GET, &format!("/api/reviews/{key}")).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    assert_eq!(gone.error(), "There is no such review; ask for it again.");
    assert_eq!(ask(&server, json!({ "study": id })).await, key);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_is_bounded_and_nonsense_is_refused() {
    let slow = ServerLimits { review_nodes: 1_000_000_000, reviews: 2, ..ServerLimits::default() };
    let server = Server::with(slow);
    let mut refused = None;
    for first in ["e4", "d4", "c4", "f4", "g3"] {
        let (id, _) = study(&server, &format!("1. {first} *")).await;
        let asked = server.post("/api/reviews", json!({ "study": id })).await;
        if asked.status != StatusCode::ACCEPTED {
            refused = Some(asked);
        }
    }
    let refused = refused.unwrap();
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.error(), "Many games wait for a review; try again in a few minutes.");

    for (what, status) in [
        (json!({}), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({ "study": 1, "game": 1 }), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({ "study": 99 }), StatusCode::NOT_FOUND),
        (json!({ "game": 99 }), StatusCode::NOT_FOUND),
        (json!({ "nodes": 5 }), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = server.post("/api/reviews", what.clone()).await;
        assert_eq!(answer.status, status, "{what}: {}", answer.text);
        assert!(!answer.error().is_empty());
    }
    let (empty, _) = study(&server, "*").await;
    let answer = server.post("/api/reviews", json!({ "study": empty })).await;
    assert_eq!(answer.error(), "There are no moves to review yet.");
    let long: String = (0..160).map(|_| "Nf3 Nf6 Ng1 Ng8 ").collect();
    let (long, _) = study(&server, &format!("{long} *")).await;
    let answer = server.post("/api/reviews", json!({ "study": long })).await;
    assert!(answer.error().starts_with("That game is too long"), "{}", answer.text);
    for path in
        ["/api/reviews/nothing", "/api/reviews/nothing/events", "/api/reviews/nothing/record"]
    {
        assert_eq!(server.call(Method::GET, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
