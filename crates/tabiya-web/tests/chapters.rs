//! Studies of many games.

mod server;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::Server;

const TWO: &str = "[Event \"Match\"]\n[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4 e5 *\n\n[Event \"Match\"]\n[White \"Cleo\"]\n[Black \"Dan\"]\n[Orientation \"black\"]\n\n1. d4 {solid} d5 *\n";

fn titles(book: &Value) -> Vec<&str> {
    let chapters = book["chapters"].as_array().unwrap();
    chapters.iter().map(|one| one["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_record_of_many_games_is_a_study_of_many_chapters() {
    let server = Server::new();
    let begun = server.post("/api/studies", json!({ "pgn": TWO })).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let token = begun.json["token"].as_str().unwrap();
    let book = &begun.json["book"];
    assert_eq!(book["title"], "Match");
    assert_eq!(titles(book), ["Ada – Bob", "Cleo – Dan"]);
    let id = book["id"].as_u64().unwrap();
    let second = book["chapters"][1]["id"].as_u64().unwrap();

    // Each has its own moves and tags, and whoever has made the study may work on all.
    let shown = server.call(Method::GET, &format!("/api/studies/{second}")).await;
    assert_eq!(shown.json["study"]["tags"]["Orientation"], "black");
    assert_eq!(shown.json["study"]["nodes"][1]["san"], "d4");
    let steps = format!("/api/studies/{second}/steps");
    let played =
        server.say(&steps, token, json!({ "step": "play", "node": 2, "text": "c4" })).await;
    assert_eq!(played.status, StatusCode::OK, "{}", played.text);
    let stranger = server.say(&steps, "nothing", json!({ "step": "undo" })).await;
    assert_eq!(stranger.status, StatusCode::FORBIDDEN);
    let other = server.post("/api/studies", json!({})).await;
    let theirs = other.json["token"].as_str().unwrap();
    let stranger = server.say(&steps, theirs, json!({ "step": "undo" })).await;
    assert_eq!(stranger.status, StatusCode::FORBIDDEN);

    // One of them, or all, as PGN; a study of what was written has the same chapters.
    let path = format!("/api/studies/{id}/record");
    let one = server.call(Method::GET, &path).await.text;
    assert!(one.contains("1. e4 e5 *") && !one.contains("1. d4"), "{one}");
    let all = server.call(Method::GET, &format!("{path}?all=true")).await.text;
    assert!(all.contains("1. e4 e5 *") && all.contains("1. d4 {solid} 1... d5 2. c4 *"), "{all}");
    let copy = server.post("/api/studies", json!({ "pgn": all, "title": "Copy" })).await;
    assert_eq!(titles(&copy.json["book"]), ["Ada – Bob", "Cleo – Dan"]);
    assert_eq!(copy.json["book"]["title"], "Copy");

    // The list knows how many there are, and lists each study once.
    let list = server.call(Method::GET, "/api/studies").await.json["studies"].clone();
    let cards: Vec<(&str, u64)> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["title"].as_str().unwrap(), one["chapters"].as_u64().unwrap()))
        .collect();
    assert_eq!(cards, [("Copy", 2), ("Study", 1), ("Match", 2)]);
}

#[tokio::test]
async fn a_full_study_reads_no_more_games() {
    let server = Server::new();
    let many = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(64);
    let begun = server.post("/api/studies", json!({ "pgn": many })).await;
    assert_eq!(titles(&begun.json["book"]).len(), 64, "{}", begun.text);
    let token = begun.json["token"].as_str().unwrap();
    let path = format!("/api/studies/{}/chapters", begun.json["book"]["id"]);
    // It is not said what is wrong with the text, as nobody looks at it.
    for step in [json!({ "pgn": "1. e5 *" }), json!({ "fen": "8/8" }), json!({})] {
        let mut step = step;
        step["step"] = json!("add");
        let refused = server.say(&path, token, step).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.error(), "A study has 64 chapters at most.");
    }
}

#[tokio::test]
async fn chapters_come_go_and_move() {
    let server = Server::new();
    let begun = server.post("/api/studies", json!({ "pgn": "1. e4 *", "title": "Mine" })).await;
    let token = begun.json["token"].as_str().unwrap();
    let id = begun.json["book"]["id"].as_u64().unwrap();
    let path = format!("/api/studies/{id}/chapters");
    let say = async |step: Value| server.say(&path, token, step).await;

    let last = say(json!({ "step": "delete", "chapter": id })).await;
    assert_eq!(last.status, StatusCode::CONFLICT);
    assert_eq!(last.error(), "A study keeps one chapter: delete the study instead.");
    let added = say(json!({ "step": "add", "pgn": TWO })).await;
    assert_eq!(added.status, StatusCode::OK, "{}", added.text);
    assert_eq!(added.json["book"]["title"], "Mine");
    assert_eq!(titles(&added.json["book"]), ["Mine", "Ada – Bob", "Cleo – Dan"]);
    let ada = added.json["chapter"].as_u64().unwrap();
    let fresh = say(json!({ "step": "add", "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1" })).await;
    assert_eq!(titles(&fresh.json["book"])[3], "Chapter 4");
    let moved = say(json!({ "step": "move", "chapter": ada, "place": 0 })).await;
    assert_eq!(titles(&moved.json["book"])[..2], ["Ada – Bob", "Mine"]);
    let named = say(json!({ "step": "name", "text": " Two  players " })).await;
    assert_eq!(named.json["book"]["title"], "Two players");

    // The first one goes, which has the number of the study: that leads to the next one, and it comes back.
    let gone = say(json!({ "step": "delete", "chapter": id })).await;
    assert_eq!(titles(&gone.json["book"]), ["Ada – Bob", "Cleo – Dan", "Chapter 4"]);
    let shown = server.call(Method::GET, &format!("/api/studies/{id}")).await;
    assert_eq!(shown.json["study"]["id"], ada);
    let play = json!({ "step": "play", "node": 0, "text": "d4" });
    let late = server.say(&format!("/api/studies/{id}/steps"), token, play).await;
    assert_eq!(late.status, StatusCode::NOT_FOUND);
    let back = say(json!({ "step": "restore", "chapter": id })).await;
    assert_eq!(back.json["chapter"], id);
    assert_eq!(titles(&back.json["book"]).len(), 4);

    // What cannot be read or is too much changes nothing, and is told in a sentence.
    let bad = "1. e4 *\n\n[Event \"x\"]\n\n1. e5 *";
    let many = "1. e4 *\n\n[Event \"x\"]\n\n".repeat(70);
    for (step, starts) in [
        (json!({ "step": "add", "pgn": bad }), "Game 2: "),
        (json!({ "step": "add", "pgn": many }), "A study has 64 chapters at most"),
        (json!({ "step": "add", "pgn": "" }), "There is no game in that text."),
        (json!({ "step": "move", "chapter": ada }), "Where does it go?"),
        (json!({ "step": "delete" }), "Which chapter is meant?"),
        (json!({ "step": "delete", "chapter": 999 }), "There is no such study."),
        (json!({ "step": "name", "text": " " }), "A study needs a name."),
        (json!({ "step": "fly" }), "Steps are: "),
    ] {
        let answer = say(step.clone()).await;
        assert!(answer.error().starts_with(starts), "{step}: {}", answer.text);
    }
    let begun = server.post("/api/studies", json!({ "pgn": bad })).await;
    assert!(begun.error().starts_with("Game 2: "), "{}", begun.text);
    let shown = server.call(Method::GET, &format!("/api/studies/{id}")).await;
    assert_eq!(titles(&shown.json["book"]).len(), 4);

    // Deleted, the study takes its chapters along.
    let headers =
        [("host", "localhost:8064"), ("authorization", &format!("Bearer {token}") as &str)];
    let path = format!("/api/studies/{ada}");
    let deleted = server.send(Method::DELETE, &path, &headers, String::new()).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text);
    for chapter in [id, ada] {
        let shown = server.call(Method::GET, &format!("/api/studies/{chapter}")).await;
        assert_eq!(shown.status, StatusCode::NOT_FOUND);
    }
}
