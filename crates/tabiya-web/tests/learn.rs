//! Learning from one's own games over HTTP: looked through in the background, asked, answered.

mod server;

use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::Server;
use tabiya_web::{Access, ServerLimits};

/// White hangs the queen, Black gives it back.
const MOVES: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 5. Ng5 O-O 6. Qh5 Nxh5 7. a3 g6 8. a4 a6 9. h3 b6";

fn record(white: &str, black: &str, moves: &str) -> String {
    format!(
        "[Date \"2026.11.09\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"0-1\"]\n\n{moves} 0-1\n\n"
    )
}

fn limits() -> ServerLimits {
    ServerLimits { review_nodes: 1_000, ..ServerLimits::default() }
}

async fn import(server: &Server, records: String) {
    let headers = [("host", "localhost:8064"), ("content-type", "text/plain")];
    let done = server.send(Method::POST, "/api/import", &headers, records).await;
    assert!(done.status.is_success(), "{}", done.text);
}

/// Waits until nothing is left to be looked through.
async fn looked_through(server: &Server) -> Value {
    let begun = Instant::now();
    loop {
        let told = server.get("/api/learn").await.json;
        if told["left"] == 0 && told["at"].is_null() {
            return told;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{told}");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_looked_through_and_answers_count_once() {
    let mut server = Server::with(limits());
    let empty = server.get("/api/learn").await;
    assert_eq!(empty.status, StatusCode::OK, "{}", empty.text);
    assert_eq!((&empty.json["goes_on"], &empty.json["left"]), (&json!(false), &json!(0)));
    let other = MOVES.replace("h3 b6", "h4 b6");
    import(&server, record("Marta Kern", "Ada", MOVES) + &record("Marta Kern", "Bob", &other))
        .await;
    let told = server.get("/api/learn").await.json;
    assert_eq!(told["offered"][0], json!({ "name": "Marta Kern", "games": 2 }));
    let set =
        server.post("/api/learn", json!({ "names": ["  Marta   Kern "], "goes_on": true })).await;
    assert_eq!(set.json["names"], json!(["Marta Kern"]), "{}", set.text);
    let told = looked_through(&server).await;
    assert_eq!(told["learned"], 2);
    let cards = told["report"]["cards"].as_u64().unwrap();
    assert!(cards > 0 && told["new"].as_u64().unwrap() > 0, "{told}");

    let queue = server.get("/api/learn/queue?kind=exercise").await;
    assert_eq!(queue.header("cache-control"), "no-store");
    let all = queue.json["cards"].as_array().unwrap();
    let queen = all.iter().find(|card| card["exercise"]["played"]["san"] == "Qh5").unwrap();
    let exercise = &queen["exercise"];
    assert_eq!(exercise["task"], "You played 6.Qh5. Find better.");
    assert_eq!((&exercise["side"], &exercise["last"]), (&json!("white"), &json!("e8g8")));
    assert!(exercise["scene"]["destinations"].as_array().unwrap().len() > 5);
    assert!(exercise["good"].as_array().unwrap().iter().all(|one| one["san"] != "Qh5"));
    assert_eq!(exercise["hints"].as_array().unwrap().len(), 4);
    assert_eq!(exercise["punished"]["scenes"][0]["written"], "6.Qh5");
    assert_eq!(queen["waits"]["again"], 600_000);
    assert!(queen["waits"]["easy"].as_i64() > queen["waits"]["good"].as_i64());

    // The same answer comes twice, and one to a card that is gone.
    let now = queue.json["now"].as_i64().unwrap();
    let answer = json!({ "card": queen["id"], "name": "x1", "grade": "good", "at": now - 1000, "how": "hint where" });
    let stranger = json!({ "card": 999, "name": "x2", "grade": "good", "at": now });
    let both = json!({ "answers": [answer, stranger, answer] });
    let sent = server.post("/api/learn/answers", both.clone()).await;
    assert_eq!(sent.status, StatusCode::OK, "{}", sent.text);
    assert_eq!(sent.json["gone"], json!([999]));
    let kept = sent.json["kept"][0].clone();
    assert_eq!((sent.json["kept"].as_array().unwrap().len(), &sent.json["kept"][1]), (2, &kept));

    server.open(Access::default(), limits());
    assert_eq!(server.post("/api/learn/answers", both).await.json["kept"][0], kept);
    let told = looked_through(&server).await;
    assert_eq!((&told["report"]["streak"], &told["report"]["cards"]), (&json!(1), &json!(cards)));
    let left = server.get("/api/learn/queue").await.json;
    assert!(left["cards"].as_array().unwrap().iter().all(|card| card["id"] != queen["id"]));
    // Corrected by hand: it comes back sooner.
    let again =
        json!({ "answers": [{ "card": queen["id"], "name": "x1", "grade": "again", "at": now }] });
    let corrected = server.post("/api/learn/answers", again).await.json;
    assert!(corrected["kept"][0]["due"].as_i64() < kept["due"].as_i64(), "{corrected}");

    let aside = format!("/api/learn/cards/{}/aside", queen["id"]);
    assert_eq!(server.post(&aside, json!({ "aside": true })).await.json["aside"], true);
    assert_eq!(server.get("/api/learn").await.json["report"]["cards"], cards - 1);

    let progress = server.get("/api/learn/progress").await.json;
    assert_eq!(progress["games"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&progress["games"][0]["points"], &progress["games"][0]["side"]),
        (&json!(0.0), &json!("white"))
    );
    assert_eq!(progress["openings"][0]["games"], 2);
    let table = server.get("/api/learn/games.csv").await;
    assert_eq!(table.text.lines().count(), 3);
    let pgn = server.get("/api/learn/exercises.pgn").await;
    assert!(pgn.text.contains("You played 6.Qh5. Find better."), "{}", pgn.text);
    assert!(pgn.header("content-disposition").contains("tabiya-exercises.pgn"));
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_through_goes_on_after_a_restart_and_can_be_stopped() {
    let mut server = Server::with(limits());
    // Games to come: nothing of it is begun before somebody says so.
    let games: String = (0..4).map(|n| record("Zoe", &format!("Bob {n}"), MOVES)).collect();
    import(&server, games).await;
    server.post("/api/learn", json!({ "names": ["Zoe"] })).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.get("/api/learn").await.json["left"], 4);
    server.post("/api/learn", json!({ "goes_on": true })).await;
    server.open(Access::default(), limits());
    assert_eq!(looked_through(&server).await["learned"], 4);
    let stopped = server.post("/api/learn", json!({ "goes_on": false })).await.json;
    import(&server, record("Zoe", "Cy", &MOVES.replace("h3 b6", "h4 b5"))).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let told = server.get("/api/learn").await.json;
    assert_eq!((&stopped["goes_on"], &told["left"]), (&json!(false), &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_that_is_asked_for_gives_exercises() {
    let server = Server::with(limits());
    import(&server, record("Zoe", "Bob", MOVES)).await;
    server.post("/api/learn", json!({ "names": ["Zoe"] })).await;
    let game = server.get("/api/games").await.json["games"][0]["id"].clone();
    server.post("/api/reviews", json!({ "game": game })).await;
    let told = looked_through(&server).await;
    assert!(told["report"]["cards"].as_u64() > Some(0) && told["goes_on"] == false, "{told}");
}

#[tokio::test]
async fn bad_requests_are_refused_in_a_sentence() {
    let server = Server::new();
    let answer = |grade: &str, name: &str| json!({ "answers": [{ "card": 1, "name": name, "grade": grade, "at": 0 }] });
    for (path, body, status) in [
        ("/api/learn/answers", answer("best", "a"), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/learn/answers", answer("good", ""), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/learn/answers", answer("good", &"a".repeat(81)), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/learn/answers", json!({}), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/learn/cards/7/aside", json!({ "aside": true }), StatusCode::NOT_FOUND),
        ("/api/learn/cards/x/aside", json!({ "aside": true }), StatusCode::NOT_FOUND),
        ("/api/learn", json!({ "names": ["a".repeat(200)] }), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/learn", json!({ "name": "a" }), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = server.post(path, body).await;
        assert_eq!(answer.status, status, "{path} {}", answer.text);
        assert!(answer.error().ends_with('.'), "{path} {}", answer.text);
    }
    let wrong = server.get("/api/learn/queue?kind=endings").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Whoever is not the owner learns elsewhere.
    let away = server
        .send_from(
            "192.0.2.7",
            Method::GET,
            "/api/learn",
            &[("host", "localhost:8064")],
            String::new(),
        )
        .await;
    assert_eq!(away.status, StatusCode::FORBIDDEN, "{}", away.text);
}
