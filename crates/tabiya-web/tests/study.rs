//! Every route of studies, with good and bad input, on `app()` without a network.

mod server;

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use server::{Answer, Server};
use tabiya_players::Engines;
use tabiya_store::Store;
use tabiya_web::{AppState, Key, Pool, ServerLimits, ServerOptions, app};
use tower::ServiceExt as _;

/// A study that was begun.
struct Begun {
    path: String,
    token: String,
    shown: Value,
}

async fn begin(server: &Server, what: Value) -> Begun {
    let answer = server.post("/api/studies", what).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    let id = answer.json["study"]["id"].as_u64().unwrap();
    assert_eq!(answer.header("location"), format!("/api/studies/{id}"));
    let token = answer.json["token"].as_str().unwrap().to_owned();
    Begun { path: format!("/api/studies/{id}"), token, shown: answer.json }
}

async fn step(server: &Server, study: &Begun, step: Value) -> Answer {
    server.say(&format!("{}/steps", study.path), &study.token, step).await
}

fn texts(shown: &Value) -> Vec<&str> {
    let nodes = shown["study"]["nodes"].as_array().unwrap();
    nodes.iter().map(|node| node["san"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_study_is_worked_on_and_outlives_the_server() {
    let server = Server::new();
    let study = begin(&server, json!({})).await;
    assert_eq!(study.shown["board"]["pieces"].as_array().unwrap().len(), 32);
    assert_eq!(study.shown["study"]["nodes"].as_array().unwrap().len(), 1);
    for wish in [
        json!({ "step": "play", "node": 0, "text": "e4" }),
        json!({ "step": "play", "node": 1, "from": "e7", "to": "e5" }),
        json!({ "step": "play", "node": 1, "text": "c7c5" }),
        json!({ "step": "comment", "node": 3, "text": "sharp" }),
        json!({ "step": "judge", "node": 3, "nag": 5 }),
        json!({ "step": "line", "node": 3, "moves": ["g1f3", "d7d6"] }),
        json!({ "step": "promote", "node": 3 }),
        json!({ "step": "rename", "text": "The Sicilian" }),
    ] {
        let answer = step(&server, &study, wish.clone()).await;
        assert_eq!(answer.status, StatusCode::OK, "{wish}: {}", answer.text);
    }
    let shown = server.get(&study.path).await.json;
    assert_eq!(texts(&shown), ["", "e4", "c5", "Nf3", "d6", "e5"]);
    assert_eq!(shown["study"]["title"], "The Sicilian");
    assert_eq!(shown["study"]["main"], json!([0, 1, 2, 3, 4]));
    let c5 = &shown["study"]["nodes"][2];
    assert_eq!(c5["glyphs"], json!([{ "number": 5, "symbol": "!?" }]));
    assert_eq!(
        (&c5["comment"], &c5["uci"], &c5["side"]),
        (&json!("sharp"), &json!("c7c5"), &json!("black"))
    );
    let record = server.get(&format!("{}/record", study.path)).await;
    assert_eq!(record.header("content-type"), "application/x-chess-pgn");
    assert!(record.text.contains("1. e4 c5 $5 {sharp} (1... e5) 2. Nf3 d6 *"), "{}", record.text);

    let again = app(AppState::new(
        Store::open(server.folder.path()).unwrap(),
        Key::new([7; 32]),
        Pool::new(1),
        ServerOptions::default(),
    ));
    let again = Server { app: again, folder: server.folder };
    let mut kept = again.get(&study.path).await.json;
    kept["study"]["undoable"] = shown["study"]["undoable"].clone();
    assert_eq!(kept, shown, "what was confirmed is there, and numbers mean the same");
    assert_eq!(
        step(&again, &study, json!({ "step": "delete", "node": 1 })).await.status,
        StatusCode::OK
    );
    assert_eq!(texts(&again.get(&study.path).await.json), [""]);
    let undone = step(&again, &study, json!({ "step": "undo" })).await;
    assert_eq!(texts(&undone.json).len(), 6);
}

#[tokio::test]
async fn all_positions_come_at_once_and_drawings_are_kept() {
    let server = Server::new();
    let pgn = "1. e4 {[%cal Gd2d4]} d5 (1... e5 2. Qh5) 2. exd5 *";
    let study = begin(&server, json!({ "pgn": pgn })).await;
    let all = server.get(&format!("{}/positions", study.path)).await.json;
    let positions = all["positions"].as_array().unwrap();
    assert_eq!(positions.len(), study.shown["study"]["nodes"].as_array().unwrap().len());
    assert_eq!(positions[3]["captured"][0]["roles"], json!(["pawn"]));
    assert_eq!(positions[3]["last"], json!(["e4", "d5"]));
    assert!(positions[5]["pieces"].as_str().unwrap().contains("Qh5"));

    assert_eq!(study.shown["study"]["nodes"][1]["drawings"], json!(["Gd2d4"]));
    let draw = |drawings: Value| json!({ "step": "draw", "node": 1, "drawings": drawings });
    let drawn = step(&server, &study, draw(json!(["Re5", "Ge2e4"]))).await;
    assert_eq!(drawn.json["study"]["nodes"][1]["drawings"], json!(["Re5", "Ge2e4"]));
    let record = server.get(&format!("{}/record", study.path)).await.text;
    assert!(record.contains("{[%csl Re5] [%cal Ge2e4]}"), "{record}");
    let refused = step(&server, &study, draw(json!(["e4"]))).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let missing = server.get("/api/studies/99/positions").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn studies_begin_with_positions_records_and_games() {
    let server = Server::new();
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let study = begin(&server, json!({ "fen": fen })).await;
    assert_eq!(study.shown["board"]["position"], fen);
    let pgn =
        "[White \"Ada\"]\n[Black \"Bob\"]\n\n1. e4 {[%eval 0.3] [%clk 0:05:00]} (1. d4!) e5 1-0";
    let study = begin(&server, json!({ "pgn": pgn })).await;
    assert_eq!(study.shown["study"]["title"], "Ada – Bob");
    assert_eq!(study.shown["study"]["result"], "1-0");
    assert_eq!(study.shown["study"]["nodes"][1]["eval"], "0.30");
    assert_eq!(study.shown["study"]["nodes"][1]["clock_ms"], 300_000);
    let game = server.begin(json!({})).await;
    server.say(&format!("{}/moves", game.path), &game.white, json!({ "text": "d4" })).await;
    let study = begin(&server, json!({ "game": game.id, "title": "Mine" })).await;
    assert_eq!(texts(&study.shown), ["", "d4"]);
    assert_eq!(study.shown["study"]["title"], "Mine");

    let list = server.get("/api/studies?limit=2").await.json;
    assert_eq!(list["studies"][0]["title"], "Mine");
    assert_eq!(list["studies"].as_array().unwrap().len(), 2);
    assert_eq!(list["studies"][0]["moves"], 1);
    assert_eq!(list["studies"][0]["opening"], "A40 Queen's Pawn Opening");
    assert_eq!(list["studies"][0]["pieces"].as_array().unwrap().len(), 32);
    let bishops = server.begin(json!({ "game": "bishops", "position": "3\nKa1\nKc3" })).await;
    for (what, status, part) in [
        (json!({ "fen": "8/8/8/8/8/8/8/4K3 w - - 0 1" }), 422, "Black has no king."),
        (json!({ "fen": "x".repeat(500) }), 422, "too long"),
        (json!({ "pgn": "1. e5" }), 422, "e5"),
        (json!({ "pgn": "" }), 422, "There is no game"),
        (json!({ "pgn": " ".repeat(500_000) }), 422, "too much"),
        (json!({ "pgn": "1. e4 *", "fen": fen }), 422, "one thing"),
        (json!({ "game": 999 }), 404, "There is no such game."),
        (json!({ "game": u64::MAX }), 404, "There is no such game."),
        (json!({ "game": bishops.id }), 422, "Only games of chess"),
        (json!({ "title": "  " }), 422, "needs a name"),
        (json!({ "colour": 1 }), 422, "unknown field"),
    ] {
        let answer = server.post("/api/studies", what.clone()).await;
        assert_eq!(answer.status, status, "{:.60}: {}", what.to_string(), answer.text);
        assert!(answer.error().contains(part), "{:.60}: {}", what.to_string(), answer.error());
    }
    assert_eq!(server.get("/api/studies?limit=x").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn only_its_author_edits_a_study() {
    let server = Server::new();
    let (study, other) = (begin(&server, json!({})).await, begin(&server, json!({})).await);
    let game = server.begin(json!({})).await;
    let steps = format!("{}/steps", study.path);
    let e4 = json!({ "step": "play", "node": 0, "text": "e4" });
    assert_eq!(server.post(&steps, e4.clone()).await.status, StatusCode::UNAUTHORIZED);
    for forged in ["", "x", &"0".repeat(64), &other.token, &game.white] {
        let answer = server.say(&steps, forged, e4.clone()).await;
        assert_eq!(
            (answer.status, answer.error()),
            (StatusCode::FORBIDDEN, "That is not your study.")
        );
    }
    // Nor is the key of a study the key of a seat.
    let moves = format!("{}/moves", game.path);
    assert_eq!(
        server.say(&moves, &study.token, json!({ "text": "e4" })).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(server.call(Method::DELETE, &study.path).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(texts(&server.get(&study.path).await.json), [""]);
    assert!(!server.get(&study.path).await.text.contains(&study.token));
    assert!(!server.get("/api/studies").await.text.contains(&study.token));
    let bearer = format!("Bearer {}", study.token);
    let headers = [("host", "localhost:8064"), ("authorization", bearer.as_str())];
    let gone = server.send(Method::DELETE, &study.path, &headers, String::new()).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(server.get(&study.path).await.error(), "There is no such study.");
    let back = format!("{}/restore", study.path);
    let back = server.send(Method::POST, &back, &headers, String::new()).await;
    assert_eq!(back.status, StatusCode::NO_CONTENT);
    assert_eq!(server.get(&study.path).await.status, StatusCode::OK);
}

#[tokio::test]
async fn refused_steps_are_explained_and_change_nothing() {
    let server = Server::new();
    let study = begin(&server, json!({ "pgn": "1. e4 e5 *" })).await;
    let before = server.get(&study.path).await.json;
    for (wish, status, part) in [
        (json!({ "step": "play", "node": 0, "text": "e5" }), 409, "pawn"),
        (json!({ "step": "play", "node": 0, "text": "x".repeat(100) }), 409, "too long"),
        (json!({ "step": "play", "node": 0, "from": "e2" }), 409, "from and to"),
        (json!({ "step": "play", "node": 0, "from": "e2", "to": "22" }), 409, "like e4"),
        (
            json!({ "step": "play", "node": 0, "from": "e2", "to": "e4", "promotion": "x" }),
            409,
            "queen",
        ),
        (json!({ "step": "play", "node": 99, "text": "e4" }), 409, "not in the study"),
        (json!({ "step": "line", "node": 0, "moves": ["e2e4", "e2e4"] }), 409, "."),
        (json!({ "step": "line", "node": 0, "moves": vec!["e2e4"; 300] }), 409, "200 moves"),
        (json!({ "step": "comment", "node": 1, "text": "x".repeat(5000) }), 409, "4000 letters"),
        (json!({ "step": "judge", "node": 1 }), 409, "no sign 0"),
        (json!({ "step": "judge", "node": 1, "nag": 300 }), 422, "nag"),
        (json!({ "step": "promote", "node": 1 }), 409, "main line already"),
        (json!({ "step": "undo" }), 409, "nothing to undo"),
        (json!({ "step": "dance" }), 409, "Steps are"),
        (json!({ "step": "go", "node": 3 }), 409, "not in the study"),
        (json!({ "step": "go", "node": -1 }), 422, "node"),
        (json!({ "step": "delete", "node": 1, "sequence": 7 }), 409, "changed meanwhile"),
        (json!({}), 422, "step"),
    ] {
        let answer = step(&server, &study, wish.clone()).await;
        assert_eq!(answer.status, status, "{:.80}: {}", wish.to_string(), answer.text);
        assert!(answer.error().contains(part), "{:.80}: {}", wish.to_string(), answer.error());
    }
    assert_eq!(server.get(&study.path).await.json, before);
    let node = step(&server, &study, json!({ "step": "go", "node": 2, "sequence": 0 })).await;
    assert_eq!(node.json["study"]["here"], 2);
}

#[tokio::test]
async fn boards_and_who_attacks_what() {
    let server = Server::new();
    let study = begin(&server, json!({ "pgn": "1. e4 e5 2. Nf3 Nc6 3. Bb5 d6 *" })).await;
    let board = server.get(&format!("{}/boards/3", study.path)).await.json;
    assert_eq!(board["last"], json!(["g1", "f3"]));
    assert_eq!(board["turn"], "black");
    assert_eq!(board["destinations"].as_array().unwrap().len(), 12);
    let sight = server.get(&format!("{}/boards/6/attacks", study.path)).await.json;
    assert_eq!(sight["pins"][0]["at"], "c6");
    assert_eq!(
        sight["pins"][0]["text"],
        "The black knight on c6 is pinned to its king by the white bishop on b5."
    );
    let squares = sight["squares"].as_array().unwrap();
    let e5 = squares.iter().find(|one| one["at"] == "e5").unwrap();
    assert_eq!((&e5["white"], &e5["black"]), (&json!(["f3"]), &json!(["d6", "c6"])));
    assert_eq!(sight["threats"], json!([]), "all that is attacked is defended");
    let knight = begin(&server, json!({ "fen": "4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1" })).await;
    let sight = server.get(&format!("{}/boards/0/attacks", knight.path)).await.json;
    assert_eq!(sight["threats"], json!(["c6"]));
    for path in ["boards/99", "boards/x", "boards/-1", "boards/99/attacks", "boards/x/attacks"] {
        let answer = server.get(&format!("{}/{path}", study.path)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    for path in [
        "/api/studies/99",
        "/api/studies/x",
        "/api/studies/99/record",
        "/api/studies/18446744073709551615/boards/0",
    ] {
        assert_eq!(server.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn positions_are_judged_in_a_sentence() {
    let server = Server::new();
    let check = async |sketch: Value| server.post("/api/positions/check", sketch).await;
    let start = check(json!({ "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" }))
        .await
        .json;
    assert_eq!((&start["possible"], &start["problem"]), (&json!(true), &Value::Null));
    assert_eq!(
        (&start["castling"], start["pieces"].as_array().unwrap().len()),
        (&json!("KQkq"), 32)
    );
    let king = |at: &str, side: &str| json!({ "at": at, "side": side, "role": "king" });
    let kings = json!([king("e1", "white"), king("e8", "black")]);
    let possible =
        check(json!({ "pieces": kings, "turn": "black", "fullmove_number": 7 })).await.json;
    assert_eq!(possible["fen"], "4k3/8/8/8/8/8/8/4K3 b - - 0 7");
    for (sketch, trouble) in [
        (json!({}), "White has no king."),
        (json!({ "pieces": [king("e1", "white")] }), "Black has no king."),
        (
            json!({ "pieces": [king("e1", "white"), king("e2", "black")] }),
            "Black is in check, but it is White's move.",
        ),
        (
            json!({ "pieces": kings, "castling": "K" }),
            "Castling with a rook on h1 is impossible here.",
        ),
        (json!({ "pieces": kings, "en_passant": "e6" }), "No pawn can just have passed over e6."),
    ] {
        let answer = check(sketch.clone()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(answer.json["possible"], false, "{sketch}");
        assert_eq!(answer.json["problem"], trouble, "{sketch}");
    }
    for sketch in [
        json!({ "fen": "nonsense" }),
        json!({ "fen": "8".repeat(300) }),
        json!({ "pieces": [king("e1", "red")] }),
        json!({ "pieces": [{ "at": "e1", "side": "white", "role": "archbishop" }] }),
        json!({ "pieces": [king("?", "white")] }),
        json!({ "pieces": vec![king("e1", "white"); 65] }),
        json!({ "pieces": [], "castling": "KQkqKQkqKQkq" }),
        json!({ "turn": "nobody" }),
        json!({ "halfmove_clock": -1 }),
        json!([]),
    ] {
        let answer = check(sketch.clone()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{sketch}: {}", answer.text);
        assert!(answer.error().ends_with('.'), "{}", answer.error());
    }
}

/// Reads a stream until an event of a name; gives its data.
async fn hear(body: &mut Body, name: &str) -> Value {
    let mut text = String::new();
    let wanted = format!("event: {name}\n");
    loop {
        let frame = tokio::time::timeout(Duration::from_secs(30), body.frame()).await;
        let frame = frame.expect("an event in time").expect("a stream that goes on").unwrap();
        text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
        if let Some((_, rest)) = text.split_once(&wanted)
            && let Some((data, _)) = rest.split_once("\n\n")
        {
            return serde_json::from_str(data.trim_start_matches("data: ")).unwrap();
        }
    }
}

async fn stream(server: &Server, path: &str) -> Body {
    let request = Request::get(path).header("host", "localhost:8064").body(Body::empty()).unwrap();
    let response = server.app.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body()
}

async fn thinking(server: &Server) -> u64 {
    server.get("/api/engines").await.json["thinking"].as_u64().unwrap()
}

/// Waits until so many searches are under way.
async fn until_thinking(server: &Server, wanted: u64) {
    let begun = Instant::now();
    while thinking(server).await != wanted {
        assert!(begun.elapsed() < Duration::from_secs(20), "{} searches", thinking(server).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_come_live_and_end_with_the_stream() {
    let server = Server::new();
    let study = begin(&server, json!({ "pgn": "1. e4 *" })).await;
    let mut body = stream(&server, &format!("{}/lines?node=1&lines=3", study.path)).await;
    let report = loop {
        let report = hear(&mut body, "lines").await;
        if report["lines"].as_array().unwrap().len() == 3 {
            break report;
        }
    };
    assert_eq!(report["engine"], "Tabiya");
    assert!(report["nodes"].as_u64().unwrap() > 0);
    let first = &report["lines"][0];
    assert_eq!(
        (&first["moves"][0]["side"], &first["moves"][0]["number"]),
        (&json!("black"), &json!(1))
    );
    assert_eq!(thinking(&server).await, 1);
    drop(body);
    until_thinking(&server, 0).await;
    for (query, status) in [
        ("node=1&lines=0", 422),
        ("node=1&lines=6", 422),
        ("node=1&engine=Deep+Thought", 422),
        ("node=7", 404),
        ("node=x", 400),
        ("", 400),
    ] {
        let answer = server.get(&format!("{}/lines?{query}", study.path)).await;
        assert_eq!(answer.status, status, "{query}: {}", answer.text);
    }
    for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 404)] {
        let headers = [("host", "localhost:8064"), ("sec-fetch-site", site)];
        let path = "/api/studies/99/lines?node=0";
        let answer = server.send(Method::GET, path, &headers, String::new()).await;
        assert_eq!(answer.status, status, "{site}");
    }
    assert_eq!(server.get("/api/studies/99/lines?node=0").await.status, StatusCode::NOT_FOUND);
    let mate = begin(&server, json!({ "pgn": "1. f3 e5 2. g4 Qh4# *" })).await;
    let mut body = stream(&server, &format!("{}/lines?node=4", mate.path)).await;
    assert_eq!(hear(&mut body, "failed").await["text"], "Checkmate: Black wins.");
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_wait_for_their_turn_and_the_queue_is_bounded() {
    let server = Server::with(ServerLimits { searches: 1, ..ServerLimits::default() });
    let study = begin(&server, json!({})).await;
    let path = format!("{}/lines?node=0", study.path);
    let mut first = stream(&server, &path).await;
    hear(&mut first, "lines").await;
    let mut second = stream(&server, &path).await;
    let said = hear(&mut second, "waiting").await;
    assert!(said["text"].as_str().unwrap().contains("queue"), "{said}");
    let mut more = Vec::new();
    for _ in 0..4 {
        more.push(stream(&server, &path).await);
    }
    let mut refused = stream(&server, &path).await;
    let said = hear(&mut refused, "failed").await;
    assert!(said["text"].as_str().unwrap().contains("many boards"), "{said}");
    drop(first);
    hear(&mut second, "lines").await;
    assert_eq!(thinking(&server).await, 1);
    drop((second, more));
    until_thinking(&server, 0).await;
    let mut again = stream(&server, &path).await;
    hear(&mut again, "lines").await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn another_engine_is_named_in_a_file_and_not_by_a_page() {
    let folder = tempfile::TempDir::new().unwrap();
    let script = folder.path().join("reed.sh");
    std::fs::write(
        &script,
        r#"
while read -r line; do
    case "$line" in
        uci) echo "id name Reed"; echo uciok ;;
        isready) echo readyok ;;
        go*) echo "info depth 3 score cp 50 pv e2e4 e7e5" ;;
        stop) echo stopped >>"$1"; echo "bestmove e2e4" ;;
    esac
done
"#,
    )
    .unwrap();
    let heard = folder.path().join("heard");
    let file = format!(
        "[[engine]]\nname = \"Reed\"\npath = \"sh\"\nargs = [{script:?}, {heard:?}]\n\
         [[engine]]\nname = \"Broken\"\npath = \"false\"\n"
    );
    let engines = Engines::read(&file, folder.path()).unwrap();
    let store = Store::open(folder.path()).unwrap();
    let options = ServerOptions { engines, ..ServerOptions::default() };
    let (key, pool) = (Key::new([7; 32]), Pool::new(1));
    let state = AppState::new(store, key, pool, options);
    let server = Server { app: app(state), folder };
    let names = server.get("/api/engines").await.json;
    assert_eq!(names["engines"], json!(["tabiya", "Reed", "Broken"]));
    assert_eq!(names["thinking"], 0);
    assert!(!server.get("/api/engines").await.text.contains("reed.sh"), "no path is told");
    let study = begin(&server, json!({})).await;
    let mut body = stream(&server, &format!("{}/lines?node=0&engine=Reed", study.path)).await;
    let report = hear(&mut body, "lines").await;
    assert_eq!(report["lines"][0]["score"], "+0.50");
    assert_eq!(report["lines"][0]["moves"][1]["san"], "e5");
    drop(body);
    until_thinking(&server, 0).await;
    assert_eq!(std::fs::read_to_string(&heard).unwrap(), "stopped\n");
    let mut body = stream(&server, &format!("{}/lines?node=0&engine=Broken", study.path)).await;
    let said = hear(&mut body, "failed").await;
    assert!(said["text"] == "Broken ended when asked to begin.", "{said}");
    until_thinking(&server, 0).await;
}

#[tokio::test]
async fn a_client_begins_so_many_studies() {
    let server = Server::with(ServerLimits { studies_per_client: 2, ..ServerLimits::default() });
    for _ in 0..2 {
        begin(&server, json!({})).await;
    }
    let third = server.post("/api/studies", json!({})).await;
    assert_eq!(third.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(third.error().contains("many studies"), "{}", third.error());
}

#[tokio::test]
async fn limits_are_looked_at_before_anything_is_read() {
    let server = Server::with(ServerLimits { studies_per_client: 1, ..ServerLimits::default() });
    let nonsense = json!({ "pgn": "1. e5" });
    // What could not be read does not count.
    for _ in 0..3 {
        let answer = server.post("/api/studies", nonsense.clone()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    begin(&server, json!({})).await;
    let answer = server.post("/api/studies", nonsense).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    let tags: String = (0..44_000).map(|number| format!("[a{number} \"\"]\n")).collect();
    let server = Server::new();
    let answer = server.post("/api/studies", json!({ "pgn": &tags[..350_000] })).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.error().contains("256 tags at most"), "{}", answer.error());
}
