//! Every route of puzzles, with good and bad input, on `app()` without a network.

mod server;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::{Answer, Server};
use tabiya_tactics::{Collection, Goal, Tactic};
use tabiya_web::{Access, ServerLimits};

/// A puzzle of several moves.
fn long() -> &'static Tactic {
    let mut all = Collection::built_in().iter().map(|one| &one.tactic);
    all.find(|tactic| tactic.length() == 2).expect("a puzzle of two moves")
}

/// A legal move that does not solve.
fn wrong(tactic: &Tactic) -> String {
    let start = tactic.start();
    let right = tactic.line()[0];
    let moves = start.legal_moves();
    let no_mate = |m: &&_| !start.play(**m).unwrap().is_checkmate();
    let other = moves.iter().filter(no_mate).find(|&&m| m != right).expect("another move");
    start.uci(*other)
}

async fn attempt(server: &Server, tactic: &Tactic, moves: &[String]) -> Answer {
    server.post(&format!("/api/puzzles/{}/tries", tactic.id()), json!({ "moves": moves })).await
}

#[tokio::test]
async fn a_puzzle_is_solved_and_counts_once_after_a_restart_too() {
    let mut server = Server::new();
    let tactic = long();
    let path = format!("/api/puzzles/{}", tactic.id());
    let shown = server.get(&path).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert_eq!(shown.header("cache-control"), "no-store");
    assert_eq!(shown.json["scenes"].as_array().unwrap().len(), 2);
    assert_eq!(shown.json["outcome"], Value::Null);
    assert_eq!(shown.json["mate_in"].is_null(), tactic.goal() != Goal::Mate);
    let moves = tactic.solution();
    // The answer is not told before it is found.
    let right = attempt(&server, tactic, &moves[..1]).await;
    assert_eq!(right.json["verdict"], "right");
    assert_eq!(right.json["scenes"].as_array().unwrap().len(), 2);
    assert!(right.json["solution"].is_null() && !shown.text.contains(&moves[0]));
    let solved = attempt(&server, tactic, &moves).await;
    assert_eq!(solved.json["verdict"], "solved");
    assert_eq!(solved.json["result"]["outcome"], "solved");
    assert!(solved.json["result"]["change"].as_f64().unwrap() > 0.0);
    let scenes = solved.json["solution"]["scenes"].as_array().unwrap();
    assert_eq!(scenes.len(), tactic.moves().len() + 1);
    // The owner needs no cookie.
    assert_eq!(solved.header("set-cookie"), "");

    server.open(Access::default(), ServerLimits::default());
    let again = attempt(&server, tactic, &[wrong(tactic)]).await;
    assert_eq!((&again.json["verdict"], &again.json["result"]), (&json!("wrong"), &Value::Null));
    assert_eq!(again.json["you"], solved.json["you"]);
    assert_eq!(server.get(&path).await.json["outcome"], "solved");
    let history = server.get("/api/puzzles/history").await.json;
    assert_eq!(history["tries"].as_array().unwrap().len(), 1);
    assert_eq!(history["tries"][0]["id"], tactic.id().to_string());
}

#[tokio::test]
async fn hints_count_half_and_giving_up_counts_nothing() {
    let server = Server::new();
    let tactic = long();
    let path = format!("/api/puzzles/{}", tactic.id());
    let moves = tactic.solution();
    let hint = async |step: &str, moves: Value| {
        server.post(&format!("{path}/hint"), json!({ "moves": moves, "step": step })).await
    };
    // One step after the other tells more, and no step more than it says.
    let next = tactic.line()[0];
    let told = hint("where", json!([])).await;
    let files = told.json["files"].as_str().unwrap();
    assert!(files.contains(&next.to().to_string()[..1]) && files.len() <= 3, "{files}");
    assert!(told.json["at"].is_null() && told.json["move"].is_null());
    assert_eq!(server.get(&path).await.json["hinted"], true);
    let told = hint("piece", json!([])).await;
    assert_eq!(told.json["at"], next.from().to_string());
    assert!(told.json["move"].is_null());
    let told = hint("why", json!([])).await;
    assert!(!told.json["themes"].as_array().unwrap().is_empty());
    assert_eq!(told.json["result"], Value::Null, "it is open still");
    let later = hint("piece", json!([moves[0]])).await;
    assert_eq!(later.json["at"], tactic.line()[2].from().to_string());
    let off = hint("piece", json!([wrong(tactic)])).await;
    assert_eq!(off.status, StatusCode::CONFLICT, "{}", off.text);
    let off = hint("all", json!([])).await;
    assert_eq!(off.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", off.text);
    let solved = attempt(&server, tactic, &moves).await;
    assert_eq!(solved.json["result"]["outcome"], "hinted");
    assert_eq!(solved.json["you"]["streak"], 0);

    let mut others = Collection::built_in().iter().map(|one| &one.tactic);
    let other = others.find(|one| one.id() != tactic.id()).unwrap();
    let given = server.post(&format!("/api/puzzles/{}/solution", other.id()), json!({})).await;
    assert_eq!(given.json["result"]["outcome"], "missed");
    assert!(given.json["solution"]["pgn"].as_str().unwrap().contains("[FEN "));
}

#[tokio::test]
async fn a_move_that_was_told_was_not_found() {
    let server = Server::new();
    let tactic = long();
    let path = format!("/api/puzzles/{}", tactic.id());
    let body = json!({ "moves": [], "step": "move" });
    let told = server.post(&format!("{path}/hint"), body).await;
    let next = tactic.line()[0];
    assert_eq!(told.json["move"], json!([next.from().to_string(), next.to().to_string()]));
    assert_eq!(told.json["result"]["outcome"], "missed");
    let solved = attempt(&server, tactic, &tactic.solution()).await;
    assert_eq!((&solved.json["verdict"], &solved.json["result"]), (&json!("solved"), &Value::Null));
    assert_eq!(solved.json["you"]["days"], 0, "nothing was solved today");
    let mut others = Collection::built_in().iter().map(|one| &one.tactic);
    let other = others.find(|one| one.id() != tactic.id()).unwrap();
    let solved = attempt(&server, other, &other.solution()).await;
    assert_eq!(solved.json["you"]["days"], 1);
}

#[tokio::test]
async fn bad_requests_are_refused_in_a_sentence_and_count_nothing() {
    let server = Server::new();
    let tactic = long();
    let tries = format!("/api/puzzles/{}/tries", tactic.id());
    let long_line = vec![tactic.solution()[0].clone(); 9];
    for (path, body, status) in [
        (tries.as_str(), json!({ "moves": [] }), StatusCode::UNPROCESSABLE_ENTITY),
        (&tries, json!({ "moves": ["a1a1"] }), StatusCode::CONFLICT),
        (&tries, json!({ "moves": ["x".repeat(40)] }), StatusCode::UNPROCESSABLE_ENTITY),
        (&tries, json!({ "moves": long_line }), StatusCode::UNPROCESSABLE_ENTITY),
        (&tries, json!({ "moves": 3 }), StatusCode::UNPROCESSABLE_ENTITY),
        (&tries, json!({ "move": "e4" }), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/puzzles/0000000000/tries", json!({ "moves": ["e4"] }), StatusCode::NOT_FOUND),
        ("/api/puzzles/e4/solution", json!({}), StatusCode::NOT_FOUND),
    ] {
        let answer = server.post(path, body.clone()).await;
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.text);
        assert!(answer.error().ends_with('.'), "{}", answer.text);
    }
    for path in ["/api/puzzles/next?theme=luck", "/api/puzzles/next?colour=red"] {
        assert_ne!(server.get(path).await.status, StatusCode::OK, "{path}");
    }
    assert_eq!(server.get("/api/puzzles/history").await.json["tries"], json!([]));
}

#[tokio::test]
async fn the_day_and_the_stream() {
    let server = Server::new();
    let overview = server.get("/api/puzzles").await.json;
    assert_eq!(overview["count"], Collection::built_in().len());
    let daily = server.get("/api/puzzles/daily").await.json;
    assert_eq!(daily["id"], overview["daily"]["id"]);
    assert_eq!(daily["date"].as_str().unwrap().len(), 10);
    let first = server.get("/api/puzzles/next").await.json;
    let id = first["id"].as_str().unwrap();
    for _ in 0..20 {
        let next = server.get(&format!("/api/puzzles/next?after={id}")).await.json;
        assert_ne!(next["id"], first["id"]);
    }
    let endgame = server.get("/api/puzzles/next?theme=endgame").await.json;
    let found = Collection::built_in().get(endgame["id"].as_str().unwrap().parse().unwrap());
    assert!(found.unwrap().themes.contains(tabiya_tactics::Theme::Endgame));
}

#[tokio::test]
async fn guests_have_ratings_of_their_own() {
    let limits = ServerLimits { solvers_per_guest_a_day: 2, ..ServerLimits::default() };
    let server = Server::with(limits);
    let tactic = long();
    let path = format!("/api/puzzles/{}/solution", tactic.id());
    let come = async |cookie: &str| {
        let headers =
            [("host", "localhost:8064"), ("content-type", "application/json"), ("cookie", cookie)];
        server.send_from("192.0.2.7", Method::POST, &path, &headers, "{}".to_owned()).await
    };
    let first = come("").await;
    assert_eq!(first.json["result"]["outcome"], "missed", "{}", first.text);
    let cookie = first.header("set-cookie");
    assert!(cookie.starts_with("tabiya_solver=guest-") && cookie.contains("HttpOnly"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(come(&cookie).await.json["result"], Value::Null, "known again");
    // A name that was not given here is nobody's.
    let forged = come("tabiya_solver=owner.00").await;
    assert_eq!(forged.json["result"]["outcome"], "missed");
    assert_eq!(come("").await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(come(&cookie).await.status, StatusCode::OK);
    // The owner has tried nothing.
    assert_eq!(server.get("/api/puzzles").await.json["you"]["tried"], 0);
}
