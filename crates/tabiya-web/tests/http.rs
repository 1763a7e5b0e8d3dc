//! Every route, with good and bad input, on `app()` without a network.

mod server;

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use server::Server;
use tabiya_base::Stop;

#[tokio::test]
async fn a_game_is_begun_and_played_to_mate() {
    let server = Server::new();
    let begun = server.post("/api/games", json!({})).await;
    assert_eq!(begun.status, StatusCode::CREATED);
    let id = begun.json["id"].as_u64().unwrap();
    assert_eq!(begun.header("location"), format!("/api/games/{id}"));
    let view = &begun.json["view"];
    assert_eq!(view["pieces"].as_array().unwrap().len(), 32);
    assert_eq!(view["turn"], "white");
    assert_eq!(view["destinations"].as_array().unwrap().len(), 10);
    let token = |side: &str| begun.json["tokens"][side].as_str().unwrap().to_owned();
    for (index, text) in ["e4", "e7e5", "Qh5", "Nc6", "Bc4", "Nf6"].iter().enumerate() {
        let side = if index % 2 == 0 { "white" } else { "black" };
        let answer = server
            .say(&format!("/api/games/{id}/moves"), &token(side), json!({ "text": text }))
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(answer.json["view"]["moves"].as_array().unwrap().len(), index + 1);
    }
    let mate = json!({ "from": "h5", "to": "f7" });
    let answer = server.say(&format!("/api/games/{id}/moves"), &token("white"), mate).await;
    assert_eq!(answer.json["said"], "Checkmate: White wins");
    assert_eq!(
        answer.json["view"]["end"],
        json!({ "winner": "white", "text": "Checkmate: White wins", "result": "1-0" })
    );
    let record = server.get(&format!("/api/games/{id}/record")).await;
    assert!(record.text.contains("4. Qxf7# 1-0"), "{}", record.text);
    assert_eq!(record.header("content-type"), "application/x-chess-pgn");
    let fen = server.get(&format!("/api/games/{id}/position")).await;
    assert!(
        fen.text.starts_with("r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq"),
        "{}",
        fen.text
    );
}

#[tokio::test]
async fn only_the_owner_of_a_seat_moves_and_only_in_turn() {
    let server = Server::new();
    let game = server.begin(json!({ "black": "random" })).await;
    let moves = format!("{}/moves", game.path);
    let e4 = json!({ "text": "e4" });
    assert_eq!(game.begun["tokens"]["black"], Value::Null);
    assert_eq!(server.post(&moves, e4.clone()).await.status, StatusCode::UNAUTHORIZED);
    let other = server.begin(json!({})).await;
    for forged in ["", "x", &"0".repeat(64), &other.white, &other.black] {
        let answer = server.say(&moves, forged, e4.clone()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{forged}");
        assert_eq!(answer.json["error"], "That is not your seat.");
    }
    let requests = format!("{}/requests", game.path);
    let forged = server.say(&requests, &other.white, json!({ "request": "resign" })).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    let late = server.say(&format!("{}/moves", other.path), &other.black, e4.clone()).await;
    assert_eq!((late.status, late.error()), (StatusCode::CONFLICT, "It is not your turn."));
    assert_eq!(server.get(&game.path).await.json["moves"], json!([]));
    assert_eq!(server.say(&moves, &game.white, e4).await.status, StatusCode::OK);
}

#[tokio::test]
async fn refused_moves_are_explained_and_change_nothing() {
    let server = Server::new();
    let game = server.begin(json!({ "position": "4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1" })).await;
    let moves = format!("{}/moves", game.path);
    let before = server.get(&game.path).await.json;
    for (input, status, part) in [
        (json!({ "text": "Nf4" }), StatusCode::CONFLICT, "pinned by the bishop on b5"),
        (json!({ "from": "d3", "to": "f4" }), StatusCode::CONFLICT, "pinned"),
        (json!({ "text": "?" }), StatusCode::CONFLICT, ""),
        (json!({ "text": "e".repeat(1000) }), StatusCode::UNPROCESSABLE_ENTITY, "too long"),
        (json!({}), StatusCode::UNPROCESSABLE_ENTITY, "A move is a text"),
        (json!({ "from": "e2" }), StatusCode::UNPROCESSABLE_ENTITY, "A move is a text"),
        (json!({ "from": "e2", "to": "é9" }), StatusCode::UNPROCESSABLE_ENTITY, "like e4"),
        (json!({ "from": "e2", "to": "z26" }), StatusCode::CONFLICT, ""),
        (
            json!({ "from": "e2", "to": "e1", "promotion": "mayor" }),
            StatusCode::UNPROCESSABLE_ENTITY,
            "becomes",
        ),
        (json!({ "text": "Kd1", "color": 1 }), StatusCode::UNPROCESSABLE_ENTITY, "does not fit"),
        (json!([1]), StatusCode::UNPROCESSABLE_ENTITY, "does not fit"),
    ] {
        let answer = server.say(&moves, &game.white, input.clone()).await;
        assert_eq!(answer.status, status, "{input}: {}", answer.text);
        assert!(answer.error().contains(part), "{input}: {}", answer.text);
    }
    assert_eq!(server.get(&game.path).await.json, before);
}

#[tokio::test]
async fn requests_do_what_they_say() {
    let server = Server::new();
    let game = server.begin(json!({})).await;
    let requests = format!("{}/requests", game.path);
    let moves = format!("{}/moves", game.path);
    server.say(&moves, &game.white, json!({ "text": "e4" })).await;
    let back = server.say(&requests, &game.white, json!({ "request": "take-back" })).await;
    assert_eq!(back.json["view"]["moves"], json!([]));
    assert_eq!(back.json["view"]["redoable"], 1);
    let again = server.say(&requests, &game.white, json!({ "request": "redo" })).await;
    assert_eq!(again.json["view"]["moves"][0]["san"], "e4");
    let offer = server.say(&requests, &game.white, json!({ "request": "offer-draw" })).await;
    assert_eq!(offer.json["view"]["draw"]["offered"], "white");
    let own = server.say(&requests, &game.white, json!({ "request": "accept-draw" })).await;
    assert_eq!(own.status, StatusCode::CONFLICT);
    let unknown = server.say(&requests, &game.white, json!({ "request": "fly" })).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(unknown.error().contains("take-back"));
    let agreed = server.say(&requests, &game.black, json!({ "request": "accept-draw" })).await;
    assert_eq!(agreed.json["view"]["end"]["result"], "1/2-1/2");
    let over = server.say(&requests, &game.black, json!({ "request": "resign" })).await;
    assert_eq!(over.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn take_backs_can_be_left_out() {
    let server = Server::new();
    let game = server.begin(json!({ "take_backs": false })).await;
    server.say(&format!("{}/moves", game.path), &game.white, json!({ "text": "e4" })).await;
    let path = format!("{}/requests", game.path);
    let back = server.say(&path, &game.white, json!({ "request": "take-back" })).await;
    assert_eq!(back.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn games_that_cannot_begin_are_refused_with_a_reason() {
    let server = Server::new();
    for (order, part) in [
        (json!({ "position": "8/8/8/8/8/8/8/8 w - - 0 1" }), "White has no king"),
        (json!({ "position": "nonsense" }), ""),
        (json!({ "position": "k".repeat(9000) }), "too long"),
        (json!({ "chess960": 960 }), "0 to 959"),
        (json!({ "chess960": 1, "position": "8/8 w" }), "one start"),
        (json!({ "game": "bishops" }), "needs a position"),
        (json!({ "game": "bishops", "position": "3\nKa1, Bz9\nKc3" }), "outside a 3×3 board"),
        (
            json!({ "game": "bishops", "position": "3\nKa1\nKc3", "black": "alphabeta:3" }),
            "does not play",
        ),
        (json!({ "game": "draughts" }), "does not fit"),
        (json!({ "white": "uci:/bin/sh" }), "not started from the browser"),
        (json!({ "white": "minimax:9" }), "the most"),
        (json!({ "white": "tabiya:77" }), "no level"),
        (json!({ "white": "nobody" }), "no player"),
        (json!({ "white": format!("human:{}", "x".repeat(500)) }), "name"),
        (json!({ "time": "soon" }), "5+3"),
        (json!({ "time": 5 }), "does not fit"),
        (json!({ "surprise": true }), "unknown field"),
    ] {
        let answer = server.post("/api/games", order.clone()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{order}: {}", answer.text);
        assert!(answer.error().contains(part), "{order}: {}", answer.text);
    }
    assert_eq!(server.get("/api/games").await.json["games"], json!([]));
}

#[tokio::test]
async fn bodies_that_are_no_json_or_too_long_are_refused() {
    let server = Server::new();
    for (kind, body, status) in [
        ("application/json", "{".to_owned(), StatusCode::BAD_REQUEST),
        ("application/json", String::new(), StatusCode::BAD_REQUEST),
        ("text/plain", "{}".to_owned(), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        ("application/x-www-form-urlencoded", "a=b".to_owned(), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (
            "application/json",
            format!("{{\"position\":\"{}\"}}", "x".repeat(2 << 20)),
            StatusCode::PAYLOAD_TOO_LARGE,
        ),
    ] {
        let headers = [("host", "localhost"), ("content-type", kind)];
        let answer = server.send(Method::POST, "/api/games", &headers, body).await;
        assert_eq!(answer.status, status, "{kind}");
        assert!(!answer.error().is_empty());
    }
}

#[tokio::test]
async fn games_are_listed_searched_deleted_and_restored() {
    let server = Server::new();
    let ada = server.begin(json!({ "white": "human:Ada", "black": "human:Bo" })).await;
    let puzzle = json!({ "game": "bishops", "position": "3\nKa1\nKc3" });
    let bishops = server.begin(puzzle).await;
    server.say(&format!("{}/requests", ada.path), &ada.white, json!({ "request": "resign" })).await;
    let list = async |query: &str| {
        let answer = server.get(&format!("/api/games?{query}")).await;
        let games = answer.json["games"].as_array().unwrap().clone();
        games.iter().map(|game| game["id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(list("").await, [ada.id, bishops.id]);
    assert_eq!(list("player=ADA").await, [ada.id]);
    assert_eq!(list("player=zoe").await, [] as [u64; 0]);
    assert_eq!(list("result=0-1").await, [ada.id]);
    assert_eq!(list("unfinished=true").await, [bishops.id]);
    assert_eq!(list("game=bishops").await, [bishops.id]);
    let first = server.get("/api/games?limit=1").await.json;
    let next = first["next"].as_str().unwrap();
    assert_eq!(list(&format!("limit=1&after={next}")).await, [bishops.id]);
    let last = server.get(&format!("/api/games?limit=1&after={next}")).await.json;
    assert!(last["next"].is_null());
    assert_eq!(list("since=2020-01-01&until=2020-12-31").await, [] as [u64; 0]);
    for bad in ["limit=-1", "limit=x", "unfinished=maybe", "surprise=1"] {
        assert_eq!(
            server.get(&format!("/api/games?{bad}")).await.status,
            StatusCode::BAD_REQUEST,
            "{bad}"
        );
    }
    for bad in ["game=ludo", "after=1"] {
        let answer = server.get(&format!("/api/games?{bad}")).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
    }

    assert_eq!(server.call(Method::DELETE, &ada.path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(server.get(&ada.path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(list("").await, [bishops.id]);
    let restore = format!("{}/restore", ada.path);
    assert_eq!(server.call(Method::POST, &restore).await.status, StatusCode::NO_CONTENT);
    assert_eq!(server.call(Method::DELETE, "/api/games/99").await.status, StatusCode::NOT_FOUND);
    assert_eq!(
        server.call(Method::POST, "/api/games/99/restore").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(server.get(&ada.path).await.json["end"]["result"], "0-1");
}

#[tokio::test]
async fn records_come_in_and_go_out() {
    let server = Server::new();
    let text = "[Event \"Café\"]\n[White \"Morphy\"]\n[Black \"Two\"]\n[Result \"1-0\"]\n\n1. e4 {fine} e5 1-0\n\n\
                [White \"X\"]\n\n1. e5 *\n\n[White \"Tal\"]\n\n1. d4 *\n";
    let headers = [("host", "localhost"), ("content-type", "text/plain")];
    let answer = server.send(Method::POST, "/api/import", &headers, text.to_owned()).await;
    assert_eq!(
        (answer.json["games"].clone(), answer.json["bad"].clone()),
        (json!(2), json!(1)),
        "{}",
        answer.text
    );
    assert_eq!(answer.json["problems"].as_array().unwrap().len(), 1);
    let games = server.get("/api/games?player=morphy").await.json["games"].clone();
    assert_eq!(
        (games[0]["white"].clone(), games[0]["result"].clone()),
        (json!("Morphy"), json!("1-0"))
    );
    let id = games[0]["id"].as_u64().unwrap();
    let record = server.get(&format!("/api/games/{id}/record")).await;
    assert!(
        ["1. e4", "fine", "e5 1-0", "Café"].iter().all(|part| record.text.contains(part)),
        "{}",
        record.text
    );
    let view = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(view.json["end"]["result"], "1-0", "{}", view.text);
    let wrong = server.post("/api/import", json!({})).await;
    assert_eq!(wrong.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let huge = server.send(Method::POST, "/api/import", &headers, "x".repeat(5 << 20)).await;
    assert_eq!(huge.status, StatusCode::PAYLOAD_TOO_LARGE);
    let nonsense =
        server.send(Method::POST, "/api/import", &headers, "\0\u{1}]][[".to_owned()).await;
    assert!(nonsense.status == StatusCode::OK && nonsense.json["games"] == 0, "{}", nonsense.text);
}

#[tokio::test]
async fn all_positions_of_a_game_come_at_once() {
    let server = Server::new();
    let game = server.begin(json!({})).await;
    for (token, text) in [(&game.white, "e4"), (&game.black, "d5"), (&game.white, "exd5")] {
        server.say(&format!("{}/moves", game.path), token, json!({ "text": text })).await;
    }
    let past = server.get(&format!("{}/positions", game.path)).await;
    let past = past.json["positions"].as_array().unwrap().clone();
    let pieces = |ply: usize| past[ply]["pieces"].as_str().unwrap().to_owned();
    assert_eq!(past.len(), 4);
    assert!(pieces(0).contains("Ke1") && pieces(0).contains("pd7"), "{}", pieces(0));
    assert_eq!(pieces(3).split(' ').count(), 31);
    assert!(pieces(3).contains("Pd5") && !pieces(3).contains("pd5"), "{}", pieces(3));
    assert_eq!(past[3]["captured"][0], json!({ "roles": ["pawn"], "lead": 1 }));
    let view = server.get(&game.path).await;
    assert_eq!(view.json["opening"]["eco"], "B01", "{}", view.text);
}

#[tokio::test]
async fn bishops_are_composed_played_and_solved() {
    let server = Server::new();
    let recipe = json!({ "size": 5, "white_bishops": 3, "black_bishops": 1, "mate": 2, "seed": 1 });
    let composed = server.post("/api/bishops", recipe).await;
    assert_eq!(composed.status, StatusCode::OK, "{}", composed.text);
    let game =
        server.begin(json!({ "game": "bishops", "position": composed.json["position"] })).await;
    assert_eq!(
        (game.begun["view"]["columns"].clone(), game.begun["view"]["rows"].clone()),
        (json!(5), json!(5))
    );
    let verdict = server.get(&format!("{}/verdict", game.path)).await;
    assert_eq!(
        (verdict.json["mate"].clone(), verdict.json["text"].clone()),
        (json!(2), json!("White mates in 2 moves."))
    );
    let first = verdict.json["first"][0].as_str().unwrap().to_owned();
    let played =
        server.say(&format!("{}/moves", game.path), &game.white, json!({ "text": first })).await;
    assert_eq!(played.status, StatusCode::OK, "{}", played.text);
    for (recipe, part) in [
        (json!({ "size": 2, "white_bishops": 1, "black_bishops": 1 }), "3 to 26"),
        (json!({ "size": 3, "white_bishops": 99, "black_bishops": 1 }), ""),
        (json!({ "size": 8, "white_bishops": 1, "black_bishops": 1, "mate": 50 }), "1 to 4"),
        (json!({ "size": 300, "white_bishops": 1, "black_bishops": 1 }), "does not fit"),
    ] {
        let answer = server.post("/api/bishops", recipe.clone()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{recipe}");
        assert!(answer.error().contains(part), "{recipe}: {}", answer.text);
    }
    let chess = server.begin(json!({})).await;
    assert_eq!(
        server.get(&format!("{}/verdict", chess.path)).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        server.get(&format!("{}/verdict?moves=99", game.path)).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn what_attacks_a_square_is_told() {
    let server = Server::new();
    let chess = server.begin(json!({})).await;
    let answer = server.get(&format!("{}/attackers/f3", chess.path)).await;
    assert_eq!(
        answer.json["text"],
        "f3 is attacked by white knight g1, white pawn e2, white pawn g2."
    );
    assert_eq!(server.get(&format!("{}/attackers/e5", chess.path)).await.json["pieces"], json!([]));
    let puzzle = json!({ "game": "bishops", "position": "5\nKa1, Bc3\nKe4, Ba4" });
    let bishops = server.begin(puzzle).await;
    let answer = server.get(&format!("{}/attackers/e5", bishops.path)).await;
    assert_eq!(answer.json["pieces"].as_array().unwrap().len(), 2, "{}", answer.text);
    for bad in ["", "/e", "/e99", "/%00", "/é1"] {
        let answer =
            server.get(&format!("{}/attackers{}", chess.path, bad.replace('é', "%C3%A9"))).await;
        assert!(answer.status.is_client_error(), "{bad}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let server = Server::new();
    for path in [
        "/api",
        "/api/",
        "/api/games/7",
        "/api/games/x",
        "/api/games/-1",
        "/api/games/7/events",
        "/api/games/7/record",
        "/api/nothing",
        "/nothing",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
    ] {
        assert_eq!(server.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(server.call(Method::PUT, "/api/games").await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(server.call(Method::POST, "/").await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_engine_is_offered_for_browsers_where_its_program_is() {
    let server = Server::new();
    let offered = server.get("/api/engines").await.json["device"].as_bool();
    let program = server.get("/tabiya.wasm").await;
    if offered == Some(true) {
        assert_eq!(program.header("content-type"), "application/wasm");
        assert!(program.text.starts_with("\0asm"), "it is told plain to whoever takes it plain");
        let headers = [("host", "localhost"), ("accept-encoding", "gzip")];
        let packed = server.send(Method::GET, "/tabiya.wasm", &headers, String::new()).await;
        assert_eq!(packed.header("content-encoding"), "gzip");
        assert_ne!(packed.header("etag"), program.header("etag"));
    } else {
        assert_eq!((offered, program.status), (Some(false), StatusCode::NOT_FOUND));
    }
}

#[tokio::test]
async fn pages_are_served_with_a_strict_policy_and_other_sites_are_refused() {
    let server = Server::new();
    let page = server.get("/").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("'unsafe"), "{policy}");
    assert!(!page.text.contains("<style") && !page.text.contains("onclick"));
    let tag = page.header("etag");
    let again = server
        .send(Method::GET, "/", &[("host", "localhost"), ("if-none-match", &tag)], String::new())
        .await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    for headers in [
        vec![("host", "evil.example")],
        vec![
            ("host", "localhost"),
            ("origin", "http://evil.example"),
            ("content-type", "application/json"),
        ],
    ] {
        let answer = server.send(Method::POST, "/api/games", &headers, "{}".to_owned()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert!(answer.headers.contains_key("content-security-policy"));
    }
}

#[tokio::test]
async fn pages_are_packed_for_those_who_take_that() {
    let server = Server::new();
    let get = async |path, encodings| {
        let headers = [("host", "localhost"), ("accept-encoding", encodings)];
        server.send(Method::GET, path, &headers, String::new()).await
    };
    for path in ["/", "/js/play.js", "/css/base.css", "/icons.svg", "/texts/de.json"] {
        let plain = get(path, "identity").await;
        assert!(!plain.headers.contains_key("content-encoding"), "{path}");
        for encodings in ["gzip", "br, gzip", "*"] {
            let packed = get(path, encodings).await;
            assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
            assert_eq!(packed.header("content-type"), plain.header("content-type"), "{path}");
            assert_eq!(packed.header("vary"), "accept-encoding", "{path}");
            assert_ne!(packed.header("etag"), plain.header("etag"), "{path}");
            let tag = packed.header("etag");
            let headers =
                [("host", "localhost"), ("accept-encoding", encodings), ("if-none-match", &tag)];
            let again = server.send(Method::GET, path, &headers, String::new()).await;
            assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{path}");
        }
    }
    // Pictures are packed already.
    assert!(!get("/icon-192.png", "gzip").await.headers.contains_key("content-encoding"));
    assert!(!get("/", "gzip;q=0").await.headers.contains_key("content-encoding"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_worked_out_ends_with_its_asker_and_is_for_no_other_site() {
    // One thread thinks for everybody.
    let folder = tempfile::TempDir::new().unwrap();
    let store = tabiya_store::Store::open(folder.path()).unwrap();
    let options = tabiya_web::ServerOptions::default();
    let (key, pool) = (tabiya_web::Key::new([7; 32]), tabiya_web::Pool::new(1));
    let app = tabiya_web::app(tabiya_web::AppState::new(store, key, pool, options));
    let server = Server { app, folder };
    let crowd = tabiya_play::compose_bishops(26, 100, 100, None, 1, &Stop::default()).unwrap();
    let crowd = server.begin(json!({ "game": "bishops", "position": crowd })).await;
    let small =
        server.begin(json!({ "game": "bishops", "position": "3\nKc1, Ba3, Bb3\nKa1" })).await;
    let long = format!("{}/verdict?moves=9", crowd.path);
    for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200)] {
        let headers = [("host", "localhost:8064"), ("sec-fetch-site", site)];
        let path = format!("{}/verdict", small.path);
        let answer = server.send(Method::GET, &path, &headers, String::new()).await;
        assert_eq!(answer.status, status, "{site}");
    }
    // No such mate turns up, and to find that out takes some seconds each time.
    let hard = json!({ "size": 26, "white_bishops": 300, "black_bishops": 300, "mate": 4 });
    for _ in 0..3 {
        let asked = tokio::time::timeout(Duration::from_millis(300), server.get(&long)).await;
        assert!(asked.is_err(), "that was too easy");
    }
    for _ in 0..10 {
        let asked = server.post("/api/bishops", hard.clone());
        let asked = tokio::time::timeout(Duration::from_millis(100), asked).await;
        assert!(asked.is_err(), "that was too easy");
    }
    let path = format!("{}/verdict", small.path);
    let asked = tokio::time::timeout(Duration::from_secs(20), server.get(&path)).await;
    assert_eq!(asked.expect("nobody is in the way").json["mate"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_computer_answers_after_a_moment_if_it_is_asked_to() {
    let server = Server::new();
    let order = json!({ "white": "human", "black": "tabiya:400 pace=moment" });
    let begun = server.post("/api/games", order).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let token = begun.json["tokens"]["white"].as_str().unwrap();
    let at = std::time::Instant::now();
    let moved = server.say("/api/games/1/moves", token, json!({ "text": "e4" })).await;
    assert_eq!(moved.status, StatusCode::OK, "{}", moved.text);
    loop {
        let view = server.call(Method::GET, "/api/games/1").await.json;
        if view["moves"].as_array().unwrap().len() == 2 {
            break;
        }
        assert!(at.elapsed() < std::time::Duration::from_secs(30), "{view}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(at.elapsed() >= std::time::Duration::from_millis(700));
    let other = json!({ "white": "human", "black": "tabiya:400 threads=9" });
    let refused = server.post("/api/games", other).await;
    assert_eq!(refused.error(), "Players have no options in the browser but their pace.");
}

#[tokio::test]
async fn who_is_shown_an_error_sees_a_page_of_the_room() {
    let limits = tabiya_web::ServerLimits::default;
    let mut server = Server::with(limits());
    let eyes =
        [("host", "localhost:8064"), ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let shown = async |server: &Server, path: &str| {
        server.send(Method::GET, path, &eyes, String::new()).await
    };
    for (path, status, title, sentence) in [
        ("/api/games/7/record", 404, "It is not here", "There is no such game."),
        ("/api/import", 405, "That cannot be done", "That cannot be done here."),
        ("/nothing", 404, "There is no such page", "The address may be old, or mistyped."),
    ] {
        let answer = shown(&server, path).await;
        assert_eq!(answer.status.as_u16(), status, "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"));
        for part in [&format!("<h1>{title}</h1>"), sentence, "<nav class=\"rail\"", "</html>"] {
            assert!(answer.text.contains(part), "{path}: {part}");
        }
        assert!(!answer.text.contains('{'), "{path}: all places are filled");
        // Programs are told as ever.
        let plain = server.get(path).await;
        assert_eq!(plain.status.as_u16(), status);
        assert!(path == "/nothing" || plain.error() == sentence, "{path}: {}", plain.text);
    }
    // The name of another server.
    let headers = [("host", "evil.example"), eyes[1]];
    let answer = server.send(Method::GET, "/", &headers, String::new()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(answer.text.contains("This server answers to its address"), "{}", answer.text);
    // What a script sends is no navigation.
    let headers = [eyes[0], eyes[1], ("content-type", "application/json")];
    let answer = server.send(Method::POST, "/api/games", &headers, "{".to_owned()).await;
    assert_eq!(answer.error(), "The request is not valid JSON.");
    // A password is asked for on its page, whatever was wanted.
    let access = tabiya_web::Access::default().with_password("open sesame").unwrap();
    server.open(access, limits());
    let answer = shown(&server, "/api/games/7/record").await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(answer.text.contains("password") && answer.text.contains("</html>"), "{}", answer.text);
}

#[tokio::test]
async fn who_asks_too_much_sees_a_page_of_the_room() {
    let limits = tabiya_web::ServerLimits { rate: 0.01, burst: 3.0, ..Default::default() };
    let server = Server::with(limits);
    let eyes = [("host", "localhost:8064"), ("accept", "text/html")];
    let ask = async || server.send(Method::GET, "/api/levels", &eyes, String::new()).await;
    for _ in 0..3 {
        assert_eq!(ask().await.status, StatusCode::OK);
    }
    let last = ask().await;
    assert_eq!(last.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(last.text.contains("<h1>One moment, please</h1>"), "{}", last.text);
    assert!(last.header("retry-after").parse::<u64>().unwrap() > 1);
}

#[tokio::test]
async fn earlier_positions_are_evaluated_and_stay_so() {
    let server = Server::new();
    let game = server.begin(json!({})).await;
    let requests = format!("{}/requests", game.path);
    for (token, text) in
        [(&game.white, "f3"), (&game.black, "e5"), (&game.white, "g4"), (&game.black, "Qh4")]
    {
        let answer =
            server.say(&format!("{}/moves", game.path), token, json!({ "text": text })).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    }
    // Also after the end; nobody asks about what was never there, or asks for a hint there.
    for (ply, status) in [(3, StatusCode::OK), (9, StatusCode::CONFLICT)] {
        let body = json!({ "request": "evaluate", "ply": ply });
        assert_eq!(server.say(&requests, &game.white, body).await.status, status);
    }
    let body = json!({ "request": "hint", "ply": 3 });
    let answer = server.say(&requests, &game.white, body).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let evaluations = loop {
        let view = server.get(&game.path).await.json;
        if view["evaluations"] != json!({}) {
            break view["evaluations"].clone();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(evaluations, json!({ "3": { "chances": 0.0, "text": "-#1" } }));
}
