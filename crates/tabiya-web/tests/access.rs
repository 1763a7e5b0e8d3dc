//! Who gets in, and who may do what from elsewhere.

mod server;

use axum::http::{Method, StatusCode};
use serde_json::json;
use server::{Answer, Server};
use tabiya_store::Store;
use tabiya_web::{Access, AppState, Key, Pool, ServerLimits, ServerOptions};

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
async fn games_are_taken_away_by_those_who_play_them_or_own_the_server() {
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
        // Nobody owns a server by sitting beside it if others can reach it, and nobody guesses the cookie.
        ("127.0.0.1", vec![local]),
        (
            "127.0.0.1",
            vec![local, ("cookie", "tabiya_owner=9999999999.00000000000000000000000000000000")],
        ),
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
    let owner = show_secret(&server).await;
    let headers = [HOST, ("cookie", &owner[..])];
    for (method, path) in [(Method::DELETE, &game.path), (Method::POST, &restore)] {
        let answer = server.send_from("192.168.1.20", method, path, &headers, String::new()).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
    }
}

/// The link of the owner; all servers of these tests have the same key.
fn owner_link(access: Access) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let options = ServerOptions { access, ..ServerOptions::default() };
    AppState::new(store, Key::new([7; 32]), Pool::new(1), options).owner_path()
}

/// Follows the link of the owner, and gives the cookie.
async fn show_secret(server: &Server) -> String {
    let link = owner_link(open()).unwrap();
    let shown = call(server, Method::GET, &link, &[], "").await;
    assert_eq!((shown.status, shown.header("location")), (StatusCode::SEE_OTHER, "/".to_owned()));
    assert_eq!(shown.header("referrer-policy"), "no-referrer");
    assert_eq!(shown.header("cache-control"), "no-store");
    let cookie = cookie(&shown);
    assert!(!cookie.contains(link.rsplit('/').next().unwrap()), "the secret stays where it is");
    cookie
}

#[tokio::test]
async fn the_owner_of_a_server_that_others_reach_shows_a_secret() {
    let pgn = || "1. e4 *".to_owned();
    for access in [
        open().with_password("open sesame").unwrap(),
        Access::default().named("chess.example.org").unwrap(),
        Access::default().behind_proxy("X-Forwarded-For", &[]).unwrap(),
    ] {
        let mut server = Server::behind(access.clone(), ServerLimits::default());
        for wrong in ["/owner/x", "/owner/00000000000000000000000000000000", "/owner/%ff"] {
            let answer = call(&server, Method::GET, wrong, &[], "").await;
            assert!(answer.status.is_client_error() && answer.header("set-cookie").is_empty());
        }
        let owner = show_secret(&server).await;
        // A bookmark and a cookie outlive the server.
        assert_eq!(owner_link(access.clone()), owner_link(open()));
        server.open(access, ServerLimits::default());
        let headers = [HOST, ("content-type", "text/plain"), ("cookie", &owner[..])];
        let import = async |headers: &[(&str, &str)]| {
            let answer = server.send(Method::POST, "/api/import", headers, pgn()).await;
            answer.status
        };
        assert_eq!(import(&headers).await, StatusCode::OK);
        assert!(import(&headers[..2]).await.is_client_error());
    }
    // Who sits at a server that nobody else reaches needs nothing.
    let server = Server::new();
    assert_eq!(owner_link(Access::default()), None);
    let headers = [("host", "localhost:8064"), ("content-type", "text/plain")];
    let import = server.send_from("127.0.0.1", Method::POST, "/api/import", &headers, pgn()).await;
    assert_eq!(import.status, StatusCode::OK);
}

#[tokio::test]
async fn strangers_behind_a_tunnel_do_not_use_up_what_the_owner_has() {
    let limits = ServerLimits { rate: 0.0, burst: 5.0, ..ServerLimits::default() };
    let server = Server::behind(Access::default(), limits.clone());
    let ask = async |server: &Server, headers: &[(&str, &str)]| {
        let mut all = vec![("host", "localhost:8064")];
        all.extend_from_slice(headers);
        let levels = "/api/levels";
        server.send_from("127.0.0.1", Method::GET, levels, &all, String::new()).await.status
    };
    let [ada, bob] = ["203.0.113.7", "203.0.113.8"].map(|address| ("x-forwarded-for", address));
    for _ in 0..5 {
        assert_eq!(ask(&server, &[ada]).await, StatusCode::OK);
    }
    // Whom a header names is not believed unless we were told to, but it is not the owner.
    assert_eq!(ask(&server, &[bob]).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(&server, &[]).await, StatusCode::OK);
    let trusting = Access::default().behind_proxy("X-Forwarded-For", &[]).unwrap();
    let server = Server::behind(trusting, limits);
    for _ in 0..5 {
        assert_eq!(ask(&server, &[ada]).await, StatusCode::OK);
    }
    assert_eq!(ask(&server, &[ada]).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(ask(&server, &[bob]).await, StatusCode::OK);
}

#[tokio::test]
async fn guests_begin_so_many_games_and_studies_in_a_day() {
    let limits = ServerLimits {
        games_per_guest_a_day: 3,
        studies_per_guest_a_day: 2,
        ..ServerLimits::default()
    };
    let server = Server::behind(open(), limits);
    let owner = show_secret(&server).await;
    for (path, most) in [("/api/games", 3), ("/api/studies", 2)] {
        for _ in 0..most {
            let begun = call(&server, Method::POST, path, &[], "{}").await;
            assert_eq!(begun.status, StatusCode::CREATED);
        }
        let refused = call(&server, Method::POST, path, &[], "{}").await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(refused.error().starts_with("You have begun many"), "{}", refused.text);
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert!((20_000..=43_201).contains(&wait), "{wait}");
        for _ in 0..5 {
            let cookie = [("cookie", &owner[..])];
            let begun = call(&server, Method::POST, path, &cookie, "{}").await;
            assert_eq!(begun.status, StatusCode::CREATED);
        }
    }
}

#[tokio::test]
async fn guests_add_so_many_chapters_in_a_day() {
    let limits = ServerLimits { chapters_per_guest_a_day: 5, ..ServerLimits::default() };
    let server = Server::behind(open(), limits);
    let owner = show_secret(&server).await;
    let two = r#"{"step":"add","pgn":"1. e4 *\n\n[Event \"x\"]\n\n1. d4 *"}"#;
    let begun = call(&server, Method::POST, "/api/studies", &[], "{}").await;
    let bearer = format!("Bearer {}", begun.json["token"].as_str().unwrap());
    let path = format!("/api/studies/{}/chapters", begun.json["book"]["id"]);
    let guest = [("authorization", &bearer[..])];
    for count in [3, 5] {
        let added = call(&server, Method::POST, &path, &guest, two).await;
        let chapters = added.json["book"]["chapters"].as_array().map(Vec::len);
        assert_eq!(chapters, Some(count), "{}", added.text);
    }
    let refused = call(&server, Method::POST, &path, &guest, two).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.error().starts_with("You have added many chapters"), "{}", refused.text);
    let another = call(&server, Method::POST, "/api/studies", &[], "{}").await;
    assert_eq!(another.status, StatusCode::TOO_MANY_REQUESTS);
    let owner = [("authorization", &bearer[..]), ("cookie", &owner[..])];
    let added = call(&server, Method::POST, &path, &owner, two).await;
    assert_eq!(added.status, StatusCode::OK, "{}", added.text);
}

#[tokio::test]
async fn chapters_of_one_text_are_all_counted() {
    let limits = ServerLimits { chapters_per_guest_a_day: 2, ..ServerLimits::default() };
    let server = Server::behind(open(), limits);
    let games = r#"{"pgn":"1. e4 *\n\n[Event \"x\"]\n\n1. d4 *\n\n[Event \"y\"]\n\n1. c4 *"}"#;
    let begun = call(&server, Method::POST, "/api/studies", &[], games).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let refused = call(&server, Method::POST, "/api/studies", &[], games).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    // Two that are owed, and the next.
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((80_000..=86_401).contains(&wait), "{wait}");
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
    let owner = show_secret(&server).await;
    for _ in 0..3 {
        let headers = [("cookie", &owner[..])];
        let own = call(&server, Method::POST, "/api/bishops", &headers, recipe).await;
        assert_eq!(own.status, StatusCode::OK);
    }
}
