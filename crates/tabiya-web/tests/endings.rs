//! The ladder of endings, on `app()` without a network.

mod server;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::{Answer, Server};

async fn play(server: &Server, id: &str, moves: &Value, text: &str, help: &str) -> Answer {
    let body = json!({ "moves": moves, "move": text, "help": help, "given_away": null });
    server.post(&format!("/api/endings/{id}/moves"), body).await
}

#[tokio::test]
async fn an_ending_is_won_and_comes_back_after_days() {
    let mut server = Server::new();
    let ladder = server.get("/api/endings").await.json;
    assert_eq!((&ladder["keeps"], &ladder["due"]), (&json!(true), &json!(0)));
    assert_eq!(ladder["next"], "two-rooks-1");
    let rungs = ladder["rungs"].as_array().unwrap();
    let count: usize = rungs.iter().map(|rung| rung["endings"].as_array().unwrap().len()).sum();
    assert!(count >= 100);
    assert_eq!(rungs[1]["endings"][0]["known"], "tables");
    assert_eq!(rungs[1]["endings"][0]["standing"], "new");

    let one = server.get("/api/endings/queen-1").await.json;
    assert_eq!((&one["task"], &one["solver"]), (&json!("win"), &json!("white")));
    assert_eq!(one["verdict"]["text"], "mates in 4");
    assert_eq!(one["scene"]["pieces"].as_array().unwrap().len(), 3);

    // The best moves, as the hint tells them, mate as fast as the tables say.
    let mut moves = json!([]);
    let mut turns = 0;
    loop {
        let hint = server.post("/api/endings/queen-1/hint", json!({ "moves": moves })).await.json;
        let best = hint["best"]["move"]["san"].as_str().unwrap().to_owned();
        assert_eq!(hint["moves"][0], hint["best"]);
        let answer = play(&server, "queen-1", &moves, &best, "moves").await.json;
        turns += 1;
        assert_eq!(answer["turn"]["gives_away"], false);
        assert_eq!(answer["turn"]["verdict"], hint["best"]["verdict"]);
        moves = answer["moves"].clone();
        let scenes = answer["scenes"].as_array().unwrap().len();
        assert_eq!(scenes, 1 + usize::from(!answer["reply"].is_null()));
        if let Some(end) = answer["end"].as_object() {
            assert_eq!((&end["done"], &end["text"]), (&json!(true), &json!("Checkmate.")));
            break;
        }
    }
    assert_eq!(turns, 4);
    let over = play(&server, "queen-1", &moves, "Kd4", "moves").await;
    assert_eq!(over.status, StatusCode::CONFLICT);

    // It is not over before it is over.
    let done =
        |moves: &Value, away: bool| json!({ "moves": moves, "given_away": away, "name": "a" });
    let early = server.post("/api/endings/queen-1/done", done(&json!([]), false)).await;
    assert_eq!(
        (early.status, early.error()),
        (StatusCode::CONFLICT, "This ending is not over yet.")
    );
    let kept = server.post("/api/endings/queen-1/done", done(&moves, false)).await;
    assert_eq!(kept.status, StatusCode::OK, "{}", kept.text);
    assert_eq!((&kept.json["standing"], &kept.json["grade"]), (&json!("done"), &json!("good")));
    // Told again, it counts once.
    let again = server.post("/api/endings/queen-1/done", done(&moves, false)).await;
    assert_eq!(again.json["due"], kept.json["due"]);

    server.open(tabiya_web::Access::default(), tabiya_web::ServerLimits::default());
    let ladder = server.get("/api/endings").await.json;
    assert_eq!(ladder["rungs"][1]["endings"][0]["standing"], "done");
}

#[tokio::test]
async fn what_is_given_away_is_told_with_the_shortest_way() {
    let server = Server::new();
    let away = play(&server, "opposition-3", &json!([]), "Kf8", "result").await.json;
    assert_eq!(away["turn"]["gives_away"], true);
    assert_eq!(away["turn"]["best"]["move"]["san"], "Kd8");
    assert_eq!(away["end"]["done"], false);
    assert_eq!(away["reply"], Value::Null);
    let moves = away["moves"].clone();
    let way = server.post("/api/endings/opposition-3/way", json!({ "moves": [] })).await.json;
    assert!(way["scenes"][0]["written"].as_str().unwrap().ends_with("Kd8"));
    let way = server.post("/api/endings/rook-1/way", json!({ "moves": [] })).await.json;
    let last = way["scenes"].as_array().unwrap().last().unwrap().clone();
    assert!(last["written"].as_str().unwrap().ends_with('#'));

    let body = json!({ "moves": moves, "given_away": true, "name": "b" });
    let kept = server.post("/api/endings/opposition-3/done", body).await.json;
    assert_eq!((&kept["standing"], &kept["grade"]), (&json!("begun"), &json!("again")));
    let body = json!({ "moves": moves, "given_away": true, "name": "b", "grade": "easy" });
    let graded = server.post("/api/endings/opposition-3/done", body).await.json;
    assert_eq!((&graded["standing"], &graded["grade"]), (&json!("done"), &json!("easy")));
}

#[tokio::test]
async fn bad_questions_get_a_sentence() {
    let server = Server::new();
    for (path, body, status, sentence) in [
        ("none", json!({ "move": "e4", "help": "moves" }), 404, "There is no such ending."),
        ("queen-1", json!({ "move": "Qd9", "help": "moves" }), 409, ""),
        (
            "queen-1",
            json!({ "move": "x".repeat(99), "help": "moves" }),
            422,
            "That is too long for a move.",
        ),
        ("queen-1", json!({ "move": "Kc4", "help": "all" }), 422, ""),
        (
            "queen-1",
            json!({ "moves": ["Kc4"], "move": "Kd4", "help": "moves" }),
            409,
            "It is not your move.",
        ),
        ("queen-1", json!({ "moves": ["Kc9"], "move": "Kd4", "help": "moves" }), 409, ""),
    ] {
        let answer = server.post(&format!("/api/endings/{path}/moves"), body).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
        assert!(!answer.error().is_empty());
        if !sentence.is_empty() {
            assert_eq!(answer.error(), sentence);
        }
    }
    let long: Vec<&str> = vec!["Kd2"; 301];
    let answer = server.post("/api/endings/queen-1/hint", json!({ "moves": long })).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let body = json!({ "moves": [], "given_away": true, "name": "" });
    let answer = server.post("/api/endings/queen-1/done", body).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_guest_plays_and_nothing_is_kept() {
    let server = Server::new();
    let headers = [
        ("host", "localhost:8064"),
        ("content-type", "application/json"),
        ("x-forwarded-for", "192.0.2.7"),
    ];
    let guest = async |method, path: &str, body: Value| {
        server.send(method, path, &headers, body.to_string()).await
    };
    let ladder = guest(Method::GET, "/api/endings", Value::Null).await;
    assert_eq!(ladder.json["keeps"], false);
    let body = json!({ "move": "Kc4", "help": "moves" });
    assert_eq!(
        guest(Method::POST, "/api/endings/queen-1/moves", body).await.status,
        StatusCode::OK
    );
    let body = json!({ "given_away": true, "name": "a" });
    let refused = guest(Method::POST, "/api/endings/queen-1/done", body).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let refused = guest(Method::POST, "/api/endings/tables", json!({})).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_engine_stands_in_where_no_table_is() {
    let server = Server::new();
    let one = server.get("/api/endings/lucena-1").await.json;
    assert_eq!((&one["known"], &one["verdict"]), (&json!("engine"), &Value::Null));
    let answer = play(&server, "lucena-1", &json!([]), "Rf4", "moves").await.json;
    assert_eq!(answer["turn"]["gives_away"], false, "{answer}");
    assert_eq!(answer["turn"]["verdict"]["worth"], "wins");
    assert!(answer["reply"]["san"].is_string());
}
