//! Many games over HTTP: sorted, searched, counted, in the bin and out of it, as files in and out.

mod server;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::{Answer, Server};
use tabiya_web::{Access, ServerLimits};

const FILE: &str = "[Event \"Linares\"]\n[Date \"1994.02.25\"]\n[White \"Polgár, Judit\"]\n[Black \"Kasparov, Garry\"]\n\
    [Result \"0-1\"]\n[WhiteElo \"2630\"]\n[BlackElo \"2805\"]\n\n1. e4 c5 0-1\n\n\
    [Event \"Köln\"]\n[Date \"2001.??.??\"]\n[White \"Алехин\"]\n[Black \"Anand, V\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. c4 1-0\n\n\
    [White \"Bad\"]\n\n1. e5 *\n\n\
    [White \"Carlsen, M\"]\n[Black \"Anand, V\"]\n[Result \"1/2-1/2\"]\n[ECO \"B90\"]\n\n1. e4 c5 2. Nf3 1/2-1/2\n";

async fn import(server: &Server, text: &str) -> Answer {
    let headers = [("host", "localhost"), ("content-type", "text/plain")];
    server.send(Method::POST, "/api/import", &headers, text.to_owned()).await
}

async fn whites(server: &Server, query: &str) -> Vec<String> {
    let answer = server.get(&format!("/api/games?{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text);
    let games = answer.json["games"].as_array().unwrap().clone();
    games.iter().map(|game| game["white"].as_str().unwrap().to_owned()).collect()
}

async fn count(server: &Server, query: &str) -> u64 {
    server.get(&format!("/api/games/count?{query}")).await.json["games"].as_u64().unwrap()
}

#[tokio::test]
async fn a_file_comes_in_once_and_every_problem_is_told() {
    let server = Server::new();
    let first = import(&server, FILE).await.json;
    assert_eq!(
        (&first["games"], &first["known"], &first["bad"]),
        (&json!(3), &json!(0), &json!(1))
    );
    let problem =
        json!({ "game": 3, "line": 21, "column": 4, "text": "No pawn of yours can go to e5." });
    assert_eq!(first["problems"], json!([problem]));
    let again = import(&server, FILE).await.json;
    assert_eq!((&again["games"], &again["known"]), (&json!(0), &json!(3)));
    assert_eq!(count(&server, "").await, 3);
}

#[tokio::test]
async fn lists_are_sorted_searched_and_counted() {
    let server = Server::new();
    import(&server, FILE).await;
    server.begin(json!({ "white": "human:Ada", "black": "tabiya:1200" })).await;
    let game = server.get("/api/games?search=polgar").await.json["games"][0].clone();
    for (name, value) in [
        ("white", json!("Polgár, Judit")),
        ("white_elo", json!(2630)),
        ("black_elo", json!(2805)),
        ("event", json!("Linares")),
        ("date", json!("1994.02.25")),
        ("eco", json!("B20")),
        ("opening", json!("Sicilian Defence")),
        ("plies", json!(2)),
        ("source", json!("imported")),
        ("deleted", Value::Null),
    ] {
        assert_eq!(game[name], value, "{name}");
    }
    for (query, expected) in [
        ("sort=white&order=ascending", vec!["Ada", "Carlsen, M", "Polgár, Judit", "Алехин"]),
        ("sort=date", vec!["Ada", "Алехин", "Polgár, Judit", "Carlsen, M"]),
        (
            "sort=plies&order=ascending&source=imported",
            vec!["Polgár, Judit", "Алехин", "Carlsen, M"],
        ),
        ("sort=white-elo&source=imported&limit=1", vec!["Polgár, Judit"]),
        ("search=%D0%B0%D0%BB%D0%B5%D1%85%D0%B8%D0%BD", vec!["Алехин"]),
        ("search=anand+carlsen", vec!["Carlsen, M"]),
        ("search=KOLN+2001", vec!["Алехин"]),
        ("search=b90", vec!["Carlsen, M"]),
        ("source=mine", vec!["Ada"]),
        ("bin=true", vec![]),
    ] {
        assert_eq!(whites(&server, query).await, expected, "{query}");
    }
    assert_eq!(count(&server, "search=anand").await, 2);
    assert_eq!((count(&server, "").await, count(&server, "source=mine").await), (4, 1));
    // From page to page, whatever a name has in it.
    let first = server.get("/api/games?sort=black&order=ascending&limit=1").await.json;
    assert_eq!(first["next"], "anand, v.2");
    assert_eq!(
        whites(&server, "sort=black&order=ascending&limit=1&after=anand,+v.2").await,
        ["Carlsen, M"]
    );
    for bad in ["sort=colour", "order=up", "source=theirs", "sort=plies&after=x.1", "after=1"] {
        let answer = server.get(&format!("/api/games?{bad}")).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
        assert!(!answer.error().is_empty(), "{bad}");
    }
}

#[tokio::test]
async fn games_go_into_the_bin_and_come_back_together() {
    let server = Server::new();
    import(&server, FILE).await;
    let act = async |action: &str, games: Value| {
        let body = json!({ "action": action, "games": games });
        server.post("/api/games/bin", body).await.status
    };
    assert_eq!(act("delete", json!([1, 2, 99])).await, StatusCode::NOT_FOUND);
    assert_eq!(count(&server, "").await, 3, "all or none");
    assert_eq!(act("forget", json!([1])).await, StatusCode::NOT_FOUND, "it is not in the bin");
    assert_eq!(act("delete", json!([1, 2])).await, StatusCode::NO_CONTENT);
    assert_eq!((count(&server, "").await, count(&server, "bin=true").await), (1, 2));
    let bin = server.get("/api/games?bin=true&sort=deleted").await.json["games"].clone();
    assert!(bin[0]["deleted"].as_i64().unwrap() > 0);
    assert_eq!(act("restore", json!([1])).await, StatusCode::NO_CONTENT);
    assert_eq!(act("forget", json!([2])).await, StatusCode::NO_CONTENT);
    assert_eq!(act("restore", json!([2])).await, StatusCode::NOT_FOUND);
    assert_eq!((count(&server, "").await, count(&server, "bin=true").await), (2, 0));
    let many: Vec<u64> = (0..1001).collect();
    for wrong in [json!([]), json!(many)] {
        assert_eq!(act("delete", wrong).await, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(act("burn", json!([1])).await, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn guests_dispose_of_their_own_games_only() {
    let access = Access::at("192.168.1.7:8064".parse().unwrap());
    let server = Server::behind(access, ServerLimits::default());
    let game = server.begin(json!({ "white": "human:Ada", "black": "human:Bo" })).await;
    let other = server.begin(json!({})).await;
    let act = async |body: Value| server.post("/api/games/bin", body).await.status;
    let (id, second) = (game.id, other.id);
    let tokens = json!({ id.to_string(): game.white });
    let both = json!({ "action": "delete", "games": [id, second], "tokens": tokens });
    assert_eq!(act(both).await, StatusCode::FORBIDDEN);
    let wrong = json!({ "action": "delete", "games": [second], "tokens": { second.to_string(): game.white } });
    assert_eq!(act(wrong).await, StatusCode::FORBIDDEN);
    assert_eq!(count(&server, "").await, 2);
    let own = json!({ "action": "delete", "games": [id], "tokens": tokens });
    assert_eq!(act(own).await, StatusCode::NO_CONTENT);
    assert_eq!(count(&server, "").await, 1);
}

#[tokio::test]
async fn some_games_become_one_file() {
    let server = Server::new();
    import(&server, FILE).await;
    let bishops = server.begin(json!({ "game": "bishops", "position": "3\nKa1\nKc3" })).await;
    let answer = server.post("/api/games/export", json!({ "games": [3, bishops.id, 1] })).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let (first, second) =
        (answer.text.find("Carlsen").unwrap(), answer.text.find("Polgár").unwrap());
    assert!(first < second && !answer.text.contains("Ka1"), "{}", answer.text);
    // What goes out comes in elsewhere.
    let elsewhere = Server::new();
    assert_eq!(import(&elsewhere, &answer.text).await.json["games"], 2);
    let missing = server.post("/api/games/export", json!({ "games": [99] })).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}
