//! Games and studies that were kept by another hand, or before: what opening them may do.

mod server;

use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use server::{Answer, Server};
use tabiya_play::{Change, Entry, GameSetup, Minutes, Player, Side, Start, TimeControl};
use tabiya_players::Engines;
use tabiya_store::Store;
use tabiya_web::{AppState, Key, Pool, ServerLimits, ServerOptions, app};

/// Keeps a game as `tabiya play` does, one move long, and gives its number.
fn keep(folder: &Path, black: &str, control: Option<Minutes>) -> i64 {
    let players = [Player::HUMAN, black.parse().unwrap()];
    let setup = GameSetup { players, control, ..GameSetup::new(Start::standard()) };
    let store = Store::open(folder).unwrap();
    let id = store.create(&setup).unwrap();
    let added = vec![Entry { uci: "e2e4".to_owned(), clocks: None }];
    store.change(id, 0, &Change { stays: 0, added, end: None }).unwrap();
    id.0
}

/// A study that was begun: its address and the token of its author.
async fn begin_study(server: &Server, what: Value) -> (String, String) {
    let answer = server.post("/api/studies", what).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
    let id = answer.json["study"]["id"].as_u64().unwrap();
    (format!("/api/studies/{id}"), answer.json["token"].as_str().unwrap().to_owned())
}

async fn step(server: &Server, (path, token): &(String, String), step: Value) -> Answer {
    server.say(&format!("{path}/steps"), token, step).await
}

fn moves(answer: &Answer) -> Vec<&str> {
    let nodes = answer.json["study"]["nodes"].as_array().unwrap();
    nodes.iter().skip(1).map(|node| node["san"].as_str().unwrap()).collect()
}

fn serve(folder: tempfile::TempDir, engines: Engines) -> Server {
    let store = Store::open(folder.path()).unwrap();
    let options = ServerOptions { engines, ..ServerOptions::default() };
    Server { app: app(AppState::new(store, Key::new([7; 32]), Pool::new(1), options)), folder }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn looking_at_a_game_starts_no_program_but_those_of_the_engines_file() {
    let folder = tempfile::tempdir().unwrap();
    let (script, trace) = (folder.path().join("evil.sh"), folder.path().join("trace"));
    std::fs::write(&script, "echo run >>\"$1\"\n").unwrap();
    let player = format!("uci:sh {} {}", script.display(), trace.display());
    let minute = "1+0".parse::<Minutes>().unwrap();
    let id = keep(folder.path(), &player, Some(minute));
    let server = serve(folder, Engines::default());
    let path = format!("/api/games/{id}");
    let shown = server.get(&path).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
    let sentence =
        "sh is a program that is not started here: the game can be watched, not gone on with.";
    assert_eq!(shown.json["status"], sentence);
    assert_eq!(shown.json["moves"].as_array().unwrap().len(), 1);
    for part in ["record", "position", "positions", "attackers/e4"] {
        assert_eq!(server.get(&format!("{path}/{part}")).await.status, StatusCode::OK, "{part}");
    }
    // Nor does anybody who has a seat.
    let token = Key::new([7; 32]).token(id.unsigned_abs(), Side::White);
    for (part, input) in [
        ("moves", json!({ "text": "d4" })),
        ("requests", json!({ "request": "take-back" })),
        ("requests", json!({ "request": "move-now" })),
        ("requests", json!({ "request": "resign" })),
    ] {
        let answer = server.say(&format!("{path}/{part}"), &token, input.clone()).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{input}: {}", answer.text);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!trace.exists(), "the program was started");
    let seats = server.get(&path).await.json["seats"].clone();
    assert!(seats.as_array().unwrap().iter().all(|seat| seat["ticking"] == false), "{seats}");

    // A program that the file names may be started.
    let file =
        format!("[[engine]]\nname = \"Evil\"\npath = \"sh\"\nargs = [{script:?}, {trace:?}]\n");
    let engines = Engines::read(&file, server.folder.path()).unwrap();
    let server = serve(server.folder, engines);
    assert_eq!(server.get(&path).await.status, StatusCode::OK);
    let begun = std::time::Instant::now();
    while !trace.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the program was not started");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_time_that_leaves_no_time_is_refused_before_anything_is_kept() {
    let server = Server::with(ServerLimits::default());
    for time in [
        "0.0000001+0",
        "0+0",
        "0",
        "-1+0",
        "5+-1",
        "NaN",
        "inf",
        "inf+inf",
        "1e9+0",
        "1441",
        "5+3601",
        "9999999999999999999999",
        "+",
        "",
        "0x10",
        "５+3",
    ] {
        let answer = server.post("/api/games", json!({ "time": time })).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{time}: {}", answer.text);
        assert!(answer.error().ends_with('.'), "{time}: {}", answer.error());
    }
    assert_eq!(server.get("/api/games").await.json["games"], json!([]));
}

#[tokio::test]
async fn a_game_with_such_a_time_says_why_it_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let none = TimeControl { moves: None, time: Duration::ZERO, increment: Duration::ZERO };
    let id = keep(folder.path(), "human", Some(Minutes(none)));
    let server = serve(folder, Engines::default());
    for part in ["", "/record", "/position", "/positions", "/events", "/verdict"] {
        let answer = server.get(&format!("/api/games/{id}{part}")).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{part}: {}", answer.text);
        assert_eq!(
            answer.error(),
            "That game cannot be opened: the time control \"0+0\" leaves no time to think."
        );
    }
    assert_eq!(server.get("/api/games").await.json["games"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_study_that_is_full_can_be_opened_again() {
    let server = Server::new();
    // The tags alone are nearly all that a study may have.
    let tags: String =
        (0..22).map(|number| format!("[Note{number} \"{}\"]\n", "x".repeat(16_000))).collect();
    let study = begin_study(&server, json!({ "pgn": format!("{tags}\n1. e4 e5 *") })).await;
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(50);
    let mut node = 2;
    let refused = loop {
        let line = json!({ "step": "line", "node": node, "moves": round });
        let answer = step(&server, &study, line).await;
        if answer.status != StatusCode::OK {
            break answer;
        }
        node += round.len();
        let words = json!({ "step": "comment", "node": node, "text": "é".repeat(3900) });
        let answer = step(&server, &study, words).await;
        if answer.status != StatusCode::OK {
            break answer;
        }
    };
    assert!(refused.error().contains("too much for one study"), "{}", refused.error());
    let shown = server.get(&study.0).await;
    assert!(moves(&shown).len() > 500);
    let again = serve(server.folder, Engines::default());
    let answer = again.get(&study.0).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.json["study"]["nodes"], shown.json["study"]["nodes"]);
}

#[tokio::test]
async fn of_two_servers_on_one_folder_neither_overwrites_a_step_of_the_other() {
    const CHANGED: &str = "The study has changed meanwhile: look at it again.";
    let first = Server::new();
    let study = begin_study(&first, json!({})).await;
    let store = Store::open(first.folder.path()).unwrap();
    let state = AppState::new(store, Key::new([7; 32]), Pool::new(1), ServerOptions::default());
    let second = Server { app: app(state), folder: tempfile::tempdir().unwrap() };
    let play = |text: &str| json!({ "step": "play", "node": 0, "text": text });
    assert_eq!(second.get(&study.0).await.status, StatusCode::OK);
    assert_eq!(step(&first, &study, play("d4")).await.status, StatusCode::OK);
    let late = step(&second, &study, play("c4")).await;
    assert_eq!((late.status, late.error()), (StatusCode::CONFLICT, CHANGED));
    // The page looks again, and sees what the other has done; then it may go on.
    assert_eq!(moves(&second.get(&study.0).await), ["d4"]);
    assert_eq!(step(&second, &study, play("c4")).await.status, StatusCode::OK);
    // Names, and where one stands, overwrite nothing either.
    for input in [json!({ "step": "rename", "text": "Mine" }), json!({ "step": "go", "node": 1 })] {
        let title = json!({ "step": "rename", "text": format!("Theirs, before {input}") });
        assert_eq!(step(&second, &study, title).await.status, StatusCode::OK);
        let late = step(&first, &study, input).await;
        assert_eq!((late.status, late.error()), (StatusCode::CONFLICT, CHANGED));
        let shown = first.get(&study.0).await;
        assert_eq!(moves(&shown), ["d4", "c4"]);
        assert!(shown.json["study"]["title"].as_str().unwrap().starts_with("Theirs"));
    }
}
