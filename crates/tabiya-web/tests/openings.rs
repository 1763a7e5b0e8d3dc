//! Books of openings, on `app()` without a network.

mod server;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::Server;

const PGN: &str = "[Event \"Italian\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bc4 *\n";

async fn book(server: &Server, pgn: &str, color: &str) -> u64 {
    let study = server.post("/api/studies", json!({ "pgn": pgn, "title": "Italian" })).await;
    assert_eq!(study.status, StatusCode::CREATED, "{}", study.text);
    let id = study.json["book"]["id"].as_u64().unwrap();
    let made = server.post("/api/openings", json!({ "study": id, "color": color })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    id
}

async fn overview(server: &Server) -> Value {
    server.get("/api/openings").await.json["books"].clone()
}

#[tokio::test]
async fn a_book_is_drilled_and_what_was_learned_outlives_it() {
    let server = Server::new();
    let study = book(&server, PGN, "white").await;
    let books = overview(&server).await;
    assert_eq!(
        books,
        json!([{ "study": study, "color": "white", "title": "Italian", "cards": 4, "new": 4, "due": 0, "known": 0 }])
    );
    let next = server.get("/api/openings/next").await.json;
    assert_eq!((&next["asked"]["line"], &next["new"]), (&json!(""), &json!(4)));
    let card = next["asked"]["card"].as_i64().unwrap();

    // A wrong move is kept; the right one after it, without a name, is not.
    let attempt = async |card: i64, played: Option<&str>, name: Option<&str>| {
        let body = json!({ "card": card, "move": played, "name": name });
        server.post("/api/openings/tries", body).await
    };
    let wrong = attempt(card, Some("d4"), Some("a")).await.json;
    assert_eq!((&wrong["right"], &wrong["grade"]), (&json!(false), &json!("again")));
    assert_eq!(wrong["book"][0]["san"], "e4");
    assert_eq!(wrong["reply"], Value::Null);
    let right = attempt(card, Some("e4"), None).await.json;
    assert_eq!(right["right"], true);
    assert_eq!(right["due"], wrong["due"]);
    // The line goes on where something is to be asked.
    let reply = &right["reply"];
    assert_eq!((&reply["move"]["san"], &reply["asked"]["line"]), (&json!("e5"), &json!("1.e4 e5")));
    let second = reply["asked"]["card"].as_i64().unwrap();
    let known = attempt(second, Some("g1f3"), Some("b")).await.json;
    assert_eq!(
        (&known["grade"], &known["reply"]["asked"]["line"]),
        (&json!("good"), &json!("1.e4 e5 2.Nf3 Nc6"))
    );
    let refused = attempt(second, Some("Nf6"), None).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let gone = attempt(987_654, Some("e4"), None).await;
    assert_eq!(
        (gone.status, gone.error()),
        (StatusCode::NOT_FOUND, "That position is no longer in your book.")
    );

    assert_eq!(overview(&server).await[0]["known"], 1);
    // Taken away and made again: what was learned is there.
    let path = format!("/api/openings/{study}/white");
    assert_eq!(server.call(Method::DELETE, &path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(overview(&server).await, json!([]));
    server.post("/api/openings", json!({ "study": study, "color": "white" })).await;
    assert_eq!(overview(&server).await[0]["known"], 1);
}

#[tokio::test]
async fn what_is_asked_changes_with_the_study() {
    let server = Server::new();
    let study = server.post("/api/studies", json!({ "pgn": PGN })).await.json;
    let (id, token) = (study["book"]["id"].as_u64().unwrap(), study["token"].as_str().unwrap());
    server.post("/api/openings", json!({ "study": id, "color": "white" })).await;
    assert_eq!(overview(&server).await[0]["cards"], 4);
    let path = format!("/api/studies/{id}/steps");
    let nodes = study["study"]["nodes"].as_array().unwrap();
    let bishop = nodes.iter().find(|node| node["san"] == "Bc4").unwrap()["id"].clone();
    let line = json!({ "step": "line", "node": bishop, "moves": ["f8c5", "c2c3"] });
    assert_eq!(server.say(&path, token, line).await.status, StatusCode::OK);
    assert_eq!(overview(&server).await[0]["cards"], 5);
    let delete = json!({ "step": "delete", "node": bishop });
    assert_eq!(server.say(&path, token, delete).await.status, StatusCode::OK);
    assert_eq!(overview(&server).await[0]["cards"], 3);
}

#[tokio::test]
async fn games_are_held_against_the_book() {
    let server = Server::new();
    let study = book(&server, PGN, "white").await;
    let game = server.begin(json!({ "white": "human", "black": "random" })).await;
    for text in ["e4", "d4"] {
        // Whatever is answered, the second move is not in the book.
        let mut played =
            server.say(&format!("{}/moves", game.path), &game.white, json!({ "text": text })).await;
        for _ in 0..200 {
            if played.status == StatusCode::OK {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            played = server
                .say(&format!("{}/moves", game.path), &game.white, json!({ "text": text }))
                .await;
        }
    }
    let told = server.get("/api/openings/games").await.json;
    assert_eq!(told["games"][0]["game"], game.id);
    assert_eq!(told["games"][0]["study"], study);
    let left = server.get(&format!("/api/openings/games/{}?database=mine", game.id)).await.json;
    let left = &left["left"][0];
    assert!(left["plies"].as_u64().unwrap() >= 1, "{left}");
    assert!(
        left["sentence"].as_str().unwrap().contains("your book")
            || left["sentence"].as_str().unwrap().contains("Your book")
    );
    assert!(left["others"]["moves"].is_array());
}

#[tokio::test]
async fn holes_and_books_come_from_games() {
    let server = Server::new();
    let study = book(&server, "1. e4 c5 2. Nf3 *", "white").await;
    let game =
        |moves: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
    let mut pgn = String::new();
    for index in 0..8 {
        // Different games, as doubles are brought in once.
        pgn += &game(&format!(
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 {} 4. d3",
            ["a6", "b6", "h6", "g6", "d6", "Be7", "Bc5", "Nf6"][index]
        ));
    }
    for last in ["a6", "b6", "h6", "g6", "d6"] {
        pgn += &game(&format!("1. e4 c5 2. Nf3 {last} 3. d4"));
    }
    let headers = [("host", "localhost:8064"), ("content-type", "application/x-chess-pgn")];
    let brought = server.send(Method::POST, "/api/import", &headers, pgn).await;
    assert_eq!(brought.status, StatusCode::OK, "{}", brought.text);
    let path = format!("/api/openings/holes?study={study}&color=white&database=mine");
    // The games come into the database by and by.
    let mut holes = Value::Null;
    for _ in 0..300 {
        holes = server.get(&path).await.json["holes"].clone();
        if holes.as_array().is_some_and(|holes| !holes.is_empty()) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(
        holes[0]["sentence"],
        "Black's most played answer 1…e5 (62 %) has no reply in your book."
    );
    let made = server.get("/api/openings/composed?database=mine&color=white&moves=1.e4").await.json;
    let pgn = made["pgn"].as_str().unwrap();
    assert!(pgn.contains("e5") && pgn.contains("c5") && pgn.contains("Bc4"), "{pgn}");
    let none = server.get("/api/openings/composed?database=mine&color=white&moves=d4").await;
    assert_eq!(
        (none.status, none.error()),
        (StatusCode::NOT_FOUND, "Fewer than five games were played there.")
    );
}

#[tokio::test]
async fn bad_questions_get_a_sentence() {
    let server = Server::new();
    let study = book(&server, PGN, "white").await;
    let green = server.post("/api/openings", json!({ "study": study, "color": "green" })).await;
    assert_eq!(
        (green.status, green.error()),
        (StatusCode::UNPROCESSABLE_ENTITY, "The colours are white and black.")
    );
    let none = server.post("/api/openings", json!({ "study": 999, "color": "white" })).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    let empty = server.post("/api/studies", json!({ "pgn": "1. e4 *" })).await.json;
    let id = empty["book"]["id"].clone();
    let nothing = server.post("/api/openings", json!({ "study": id, "color": "black" })).await;
    assert_eq!(nothing.error(), "There is no move of Black in that study.");
    let games = server.get("/api/openings/games/99").await;
    assert_eq!(games.status, StatusCode::NOT_FOUND);
    let holes =
        server.get(&format!("/api/openings/holes?study={study}&color=white&database=none")).await;
    assert_eq!(holes.status, StatusCode::NOT_FOUND);
    let headers = [("host", "localhost:8064"), ("x-forwarded-for", "192.0.2.7")];
    let guest = server.send(Method::GET, "/api/openings", &headers, String::new()).await;
    assert_eq!(guest.status, StatusCode::FORBIDDEN);
}
