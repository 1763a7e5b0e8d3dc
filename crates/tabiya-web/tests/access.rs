//! Who gets in, and who may do what from elsewhere.

mod server;

use axum::http::{Method, StatusCode};
use serde_json::json;
use server::{Answer, Server};
use tabiya_web::{Access, ServerLimits};

const HOST: (&str, &str) = ("host", "192.168.1.7:8064");
const JSON: (&str, &str) = ("content-type", "application/json");

fn open() -> Access {
    Access::at("0.0.0.0:8064".parse().unwrap())
}

fn guarded() -> Server {
    Server::behind(open().with_password("open sesame").unwrap(), ServerLimits::default())
}

/// From another machine.
async fn call(
    server: &Server,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut all = vec![HOST, JSON];
    all.extend_from_slice(headers);
    server.send_from("192.168.1.20", method, path, &all, body.to_owned()).await
}

/// What a browser would send back.
fn cookie(answer: &Answer) -> String {
    let set = answer.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    set.split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn everything_asks_for_the_password_once() {
    let server = guarded();
    for path in ["/", "/games", "/bishops", "/?game=1", "/index.html", "/nothing"] {
        let page = call(&server, Method::GET, path, &[], "").await;
        assert_eq!(page.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(page.text.contains("asks for a password") && !page.text.contains("tabiya-board"));
        assert!(page.headers.contains_key("content-security-policy"));
    }
    for path in [
        "/api/games",
        "/api/games/1",
        "/api/games/1/events",
        "/api/nothing",
        "/api/games/1/enter/x",
    ] {
        let answer = call(&server, Method::GET, path, &[], "").await;
        assert_eq!(
            (answer.status, answer.error()),
            (StatusCode::UNAUTHORIZED, "This server asks for a password first."),
            "{path}"
        );
    }
    assert_eq!(
        call(&server, Method::POST, "/api/games", &[], "{}").await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(call(&server, Method::GET, "/css/base.css", &[], "").await.status, StatusCode::OK);
    assert_eq!(
        call(&server, Method::GET, "/api/password", &[], "").await.json,
        json!({ "asked": true })
    );

    let wrong = call(&server, Method::POST, "/api/password", &[], r#"{"password":"open"}"#).await;
    assert_eq!((wrong.status, wrong.error()), (StatusCode::FORBIDDEN, "That is not the password."));
    assert!(!wrong.headers.contains_key("set-cookie"));
    let right =
        call(&server, Method::POST, "/api/password", &[], r#"{"password":"open sesame"}"#).await;
    assert_eq!(right.status, StatusCode::NO_CONTENT);
    let cookie = cookie(&right);
    let known = [("cookie", cookie.as_str())];
    assert_eq!(call(&server, Method::GET, "/", &known, "").await.status, StatusCode::OK);
    assert_eq!(call(&server, Method::GET, "/api/games", &known, "").await.status, StatusCode::OK);
    assert_eq!(
        call(&server, Method::GET, "/api/password", &known, "").await.json,
        json!({ "asked": false })
    );
    assert_eq!(
        call(&server, Method::POST, "/api/games", &known, "{}").await.status,
        StatusCode::CREATED
    );
}

#[tokio::test]
async fn forged_cookies_and_those_of_another_password_do_not_open() {
    let mut server = guarded();
    let right =
        call(&server, Method::POST, "/api/password", &[], r#"{"password":"open sesame"}"#).await;
    let good = cookie(&right);
    let (name, value) = good.split_once('=').unwrap();
    let (until, seal) = value.split_once('.').unwrap();
    for forged in [
        String::new(),
        format!("{name}="),
        format!("{name}={until}."),
        format!("{name}={}.{seal}", until.parse::<u64>().unwrap() + 1),
        format!("{name}={until}.{}", "0".repeat(32)),
        format!("{name}=1.{seal}"),
        format!("other={value}"),
    ] {
        let answer = call(&server, Method::GET, "/api/games", &[("cookie", &forged)], "").await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{forged}");
    }
    server.open(open().with_password("close sesame").unwrap(), ServerLimits::default());
    let changed = call(&server, Method::GET, "/api/games", &[("cookie", &good)], "").await;
    assert_eq!(changed.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn passwords_are_not_guessed_in_a_row() {
    let server = guarded();
    let guess = async |password: &str| {
        let body = json!({ "password": password }).to_string();
        call(&server, Method::POST, "/api/password", &[], &body).await.status
    };
    for _ in 0..5 {
        assert_eq!(guess("guess").await, StatusCode::FORBIDDEN);
    }
    assert_eq!(guess("open sesame").await, StatusCode::TOO_MANY_REQUESTS);
    let elsewhere = server
        .send_from(
            "192.168.1.21",
            Method::POST,
            "/api/password",
            &[HOST, JSON],
            r#"{"password":"open sesame"}"#.to_owned(),
        )
        .await;
    assert_eq!(elsewhere.status, StatusCode::NO_CONTENT);
    for body in ["{}", r#"{"password":5}"#, "x"] {
        let answer = call(&server, Method::POST, "/api/password", &[], body).await;
        assert!(answer.status.is_client_error());
    }
}

#[tokio::test]
async fn an_invitation_opens_its_game_and_no_other() {
    let server = guarded();
    let right =
        call(&server, Method::POST, "/api/password", &[], r#"{"password":"open sesame"}"#).await;
    let password = cookie(&right);
    let order = r#"{"friend":true,"colour":"white"}"#;
    let begin = async || {
        call(&server, Method::POST, "/api/games", &[("cookie", &password)], order).await.json
    };
    let (game, other) = (begin().await, begin().await);
    let (id, other) = (game["id"].as_u64().unwrap(), other["id"].as_u64().unwrap());
    let body = json!({ "invitation": game["invitation"] }).to_string();
    let enter = async |id: u64| {
        call(&server, Method::POST, &format!("/api/games/{id}/enter"), &[], &body).await
    };
    assert_eq!(enter(other).await.status, StatusCode::FORBIDDEN);
    let pass = cookie(&enter(id).await);
    let status =
        async |path: &str| call(&server, Method::GET, path, &[("cookie", &pass)], "").await.status;
    assert_eq!(status(&format!("/?game={id}")).await, StatusCode::OK);
    assert_eq!(status(&format!("/api/games/{id}")).await, StatusCode::OK);
    assert_eq!(status("/api/phrases").await, StatusCode::OK);
    for closed in [
        format!("/?game={other}"),
        format!("/?x=1&game={other}&game={id}"),
        format!("/games?game={id}"),
        format!("/api/games/{other}"),
        format!("/api/studies/{id}"),
        "/".to_owned(),
        "/api/games".to_owned(),
    ] {
        assert_eq!(status(&closed).await, StatusCode::UNAUTHORIZED, "{closed}");
    }
    let more = call(&server, Method::POST, "/api/games", &[("cookie", &pass)], "{}").await;
    assert_eq!(more.status, StatusCode::UNAUTHORIZED);
    // The guest plays, and is let into the next game as well.
    let join = json!({ "invitation": game["invitation"], "mark": "0123456789abcdef" }).to_string();
    let path = format!("/api/games/{id}/join");
    let joined = call(&server, Method::POST, &path, &[("cookie", &pass)], &join).await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    let (white, black) = (&game["tokens"]["white"], &joined.json["tokens"]["black"]);
    for (token, request) in [(white, "resign"), (white, "rematch"), (black, "rematch")] {
        let bearer = format!("Bearer {}", token.as_str().unwrap());
        let headers = [("cookie", pass.as_str()), ("authorization", &bearer)];
        let body = json!({ "request": request }).to_string();
        let path = format!("/api/games/{id}/requests");
        let answer = call(&server, Method::POST, &path, &headers, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    }
    let next =
        call(&server, Method::POST, &format!("/api/games/{id}/next"), &[("cookie", &pass)], "")
            .await;
    let pass = cookie(&next);
    let path = format!("/api/games/{}", next.json["id"]);
    assert_eq!(
        call(&server, Method::GET, &path, &[("cookie", &pass)], "").await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn games_are_taken_away_by_those_who_play_them_or_sit_at_the_machine() {
    let server =
        Server::behind(open().named("chess.example.org").unwrap(), ServerLimits::default());
    let game = server.begin(json!({})).await;
    let restore = format!("{}/restore", game.path);
    let bearer = format!("Bearer {}", game.black);
    let local = ("host", "localhost:8064");
    // From elsewhere, through a tunnel of this machine, or through a proxy that says for whom it asks.
    for (peer, headers) in [
        ("192.168.1.20", vec![HOST]),
        ("192.168.1.20", vec![local]),
        ("127.0.0.1", vec![("host", "chess.example.org")]),
        ("127.0.0.1", vec![local, ("x-forwarded-for", "203.0.113.7")]),
        ("127.0.0.1", vec![local, ("origin", "https://chess.example.org")]),
        ("127.0.0.1", vec![HOST]),
    ] {
        for (method, path) in [(Method::DELETE, &game.path), (Method::POST, &restore)] {
            let answer = server.send_from(peer, method, path, &headers, String::new()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{peer} {headers:?}");
        }
        let mut import = headers.clone();
        import.push(("content-type", "text/plain"));
        let pgn = "1. e4 *".to_owned();
        let answer = server.send_from(peer, Method::POST, "/api/import", &import, pgn).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{peer} {headers:?}");
    }
    let player = [HOST, ("authorization", &bearer[..])];
    for (method, path) in [(Method::DELETE, &game.path), (Method::POST, &restore)] {
        let answer = server.send_from("192.168.1.20", method, path, &player, String::new()).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
    }
    for peer in ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"] {
        for (method, path) in [(Method::DELETE, &game.path), (Method::POST, &restore)] {
            let answer = server.send_from(peer, method, path, &[local], String::new()).await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT, "{peer}");
        }
    }
}

#[tokio::test]
async fn guests_do_not_take_the_computer_for_themselves() {
    let limits =
        ServerLimits { games_per_guest: 2, thoughts_per_guest: 1.0, ..ServerLimits::default() };
    let server = Server::behind(open(), limits);
    let begin = async |order: &str| call(&server, Method::POST, "/api/games", &[], order).await;
    let alone = begin(r#"{"white":"tabiya:400","black":"random"}"#).await;
    assert_eq!(alone.status, StatusCode::FORBIDDEN);
    for _ in 0..2 {
        assert_eq!(begin(r#"{"black":"random"}"#).await.status, StatusCode::CREATED);
    }
    assert_eq!(begin("{}").await.status, StatusCode::TOO_MANY_REQUESTS);
    let recipe = r#"{"size":4,"white_bishops":1,"black_bishops":1}"#;
    let compose = async || call(&server, Method::POST, "/api/bishops", &[], recipe).await.status;
    assert_eq!(compose().await, StatusCode::OK);
    assert_eq!(compose().await, StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..3 {
        let at_home = server.post("/api/bishops", serde_json::from_str(recipe).unwrap()).await;
        assert_eq!(at_home.status, StatusCode::OK);
    }
}
