//! Two people at two machines, and those who watch.

mod server;

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use server::{Answer, Server};
use tabiya_web::{Access, ServerLimits};
use tower::ServiceExt as _;

/// A game with a friend: the one who invites, and the one who comes.
struct Pair {
    path: String,
    id: u64,
    white: String,
    black: String,
    invitation: String,
}

const MARK: &str = "0123456789abcdef";

async fn invite(server: &Server, order: Value) -> (u64, String, String) {
    let mut order = order;
    order["friend"] = json!(true);
    order["colour"] = json!("white");
    let begun = server.post("/api/games", order).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    assert_eq!(begun.json["tokens"]["black"], Value::Null);
    let id = begun.json["id"].as_u64().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (id, text(&begun.json["tokens"]["white"]), text(&begun.json["invitation"]))
}

async fn join(server: &Server, id: u64, invitation: &str, name: &str, mark: &str) -> Answer {
    let body = json!({ "invitation": invitation, "name": name, "mark": mark });
    server.post(&format!("/api/games/{id}/join"), body).await
}

async fn pair(server: &Server, order: Value) -> Pair {
    let (id, white, invitation) = invite(server, order).await;
    let joined = join(server, id, &invitation, "Bo", MARK).await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    let black = joined.json["tokens"]["black"].as_str().unwrap().to_owned();
    Pair { path: format!("/api/games/{id}"), id, white, black, invitation }
}

impl Pair {
    async fn play(&self, server: &Server, moves: &[&str]) {
        for text in moves {
            let ply = server.get(&self.path).await.json["moves"].as_array().unwrap().len();
            let token = if ply % 2 == 0 { &self.white } else { &self.black };
            let body = json!({ "text": text, "ply": ply });
            let answer = server.say(&format!("{}/moves", self.path), token, body).await;
            assert_eq!(answer.status, StatusCode::OK, "{text}: {}", answer.text);
        }
    }

    async fn ask(&self, server: &Server, token: &str, request: &str) -> Answer {
        server.say(&format!("{}/requests", self.path), token, json!({ "request": request })).await
    }
}

/// What a page is told.
struct Page {
    body: Body,
    heard: String,
}

impl Page {
    async fn open(server: &Server, id: u64, token: Option<&str>) -> Page {
        let mut request =
            Request::get(format!("/api/games/{id}/events")).header("host", "localhost");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).unwrap();
        let response = server.app.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        Page { body: response.into_body(), heard: String::new() }
    }

    /// The data of the next event of a name; views have none.
    async fn next(&mut self, name: &str) -> String {
        loop {
            while let Some((event, rest)) = self.heard.split_once("\n\n") {
                let line = |name: &str| {
                    let mut lines = event.lines();
                    lines
                        .find_map(|line| line.strip_prefix(name))
                        .map(|text| text.trim().to_owned())
                };
                let found = (line("event:").unwrap_or_default(), line("data:"));
                self.heard = rest.to_owned();
                if let (event, Some(data)) = found
                    && event == name
                {
                    return data;
                }
            }
            let frame = tokio::time::timeout(Duration::from_secs(30), self.body.frame());
            let frame = frame.await.expect("an event in time").unwrap().unwrap();
            self.heard += std::str::from_utf8(frame.data_ref().unwrap()).unwrap();
        }
    }

    async fn presence(&mut self) -> Value {
        serde_json::from_str(&self.next("presence").await).unwrap()
    }
}

#[tokio::test]
async fn a_friend_is_invited_and_the_first_who_comes_has_the_seat() {
    let mut server = Server::new();
    let (id, white, invitation) = invite(&server, json!({ "name": " Ada  L " })).await;
    let path = format!("/api/games/{id}");
    let view = server.get(&path).await;
    assert_eq!(view.json["friend"], json!({ "open": "black", "rematch": null, "next": null }));
    assert_eq!(view.json["seats"][0]["name"], "Ada L");
    let early = server.say(&format!("{path}/moves"), &white, json!({ "text": "e4" })).await;
    assert_eq!(
        (early.status, early.error()),
        (StatusCode::CONFLICT, "Your friend has not come yet.")
    );
    for (invitation, status) in [
        ("", StatusCode::FORBIDDEN),
        (&"0".repeat(32)[..], StatusCode::FORBIDDEN),
        (&white[..32], StatusCode::FORBIDDEN),
        (&invitation[..], StatusCode::OK),
    ] {
        let answer = join(&server, id, invitation, "Bo", MARK).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    let late = join(&server, id, &invitation, "Eve", "another mark....").await;
    assert_eq!(
        (late.status, late.error()),
        (StatusCode::CONFLICT, "Somebody has taken that seat; you can watch.")
    );
    // Whoever has lost the answer may ask again, even of a server that was closed meanwhile.
    server.open(Access::default(), ServerLimits::default());
    let again = join(&server, id, &invitation, "Bo", MARK).await;
    assert_eq!(again.status, StatusCode::OK, "{}", again.text);
    assert_eq!(again.json["view"]["seats"][1]["name"], "Bo");
    let black = again.json["tokens"]["black"].as_str().unwrap();
    assert_eq!(again.json["tokens"]["white"], Value::Null);
    server.say(&format!("{path}/moves"), &white, json!({ "text": "e4" })).await;
    let answer = server.say(&format!("{path}/moves"), black, json!({ "text": "e5" })).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let record = server.get(&format!("{path}/record")).await.text;
    assert!(record.contains("[White \"Ada L\"]") && record.contains("[Black \"Bo\"]"), "{record}");
}

#[tokio::test]
async fn orders_and_names_that_make_no_sense_are_refused() {
    let server = Server::new();
    for (order, part) in [
        (json!({ "friend": true, "black": "tabiya:1200" }), "two people"),
        (json!({ "friend": true, "colour": "green" }), "does not fit"),
        (json!({ "friend": true, "name": "x".repeat(25) }), "24 characters"),
        (json!({ "friend": true, "name": "A\u{202e}da" }), "can be seen"),
        (json!({ "friend": true, "name": "A\u{0}da" }), "can be seen"),
        (json!({ "name": "Ada" }), "with a friend"),
    ] {
        let answer = server.post("/api/games", order.clone()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{order}: {}", answer.text);
        assert!(answer.error().contains(part), "{order}: {}", answer.text);
    }
    let (id, _, invitation) = invite(&server, json!({})).await;
    for body in [
        json!({ "invitation": invitation, "mark": MARK, "name": "\u{200b}" }),
        json!({ "invitation": invitation, "mark": "short" }),
        json!({ "invitation": invitation, "mark": "x".repeat(65) }),
        json!({ "invitation": invitation }),
        json!({ "mark": MARK }),
    ] {
        let answer = server.post(&format!("/api/games/{id}/join"), body.clone()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {}", answer.text);
    }
    let plain = server.begin(json!({})).await;
    assert_eq!(plain.begun["invitation"], Value::Null);
    let forged = join(&server, plain.id, &invitation, "Bo", MARK).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn either_colour_comes_by_chance() {
    let server = Server::new();
    let mut whites = 0;
    for _ in 0..40 {
        let begun = server.post("/api/games", json!({ "friend": true })).await;
        whites += usize::from(begun.json["tokens"]["white"].is_string());
        assert!(begun.json["tokens"]["white"].is_null() != begun.json["tokens"]["black"].is_null());
    }
    assert!((1..40).contains(&whites));
}

#[tokio::test]
async fn the_link_is_for_the_one_who_invites() {
    let server =
        Server::behind(Access::at("192.168.1.7:8064".parse().unwrap()), ServerLimits::default());
    let (id, white, invitation) = invite(&server, json!({})).await;
    let path = format!("/api/games/{id}/invitation");
    let get = async |query: &str, token: &str| {
        let bearer = format!("Bearer {token}");
        let headers = [("host", "localhost:8064"), ("authorization", &bearer)];
        server.send(Method::GET, &format!("{path}{query}"), &headers, String::new()).await
    };
    let answer = get("", &white).await;
    let link = format!("http://192.168.1.7:8064/?game={id}#join={invitation}");
    assert_eq!(answer.json["link"], link);
    assert_eq!(answer.json["advice"], Value::Null);
    assert!(answer.json["qr"]["path"].as_str().unwrap().starts_with("M3 3h7v1"));
    let away = get("?origin=http://10.0.0.9:8064", &white).await;
    assert!(away.json["link"].as_str().unwrap().starts_with("http://10.0.0.9:8064/?game="));
    for origin in ["http://evil.example", "javascript:alert(1)", "http://localhost/x", ""] {
        let answer = get(&format!("?origin={origin}"), &white).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{origin}");
    }
    assert_eq!(server.get(&path).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(get("", &"0".repeat(64)).await.status, StatusCode::FORBIDDEN);
    join(&server, id, &invitation, "", MARK).await;
    assert_eq!(get("", &white).await.status, StatusCode::CONFLICT);
    // A server that nobody else can reach says so.
    let closed = Server::new();
    let (id, white, _) =
        invite(&closed, json!({ "game": "bishops", "position": "3\nKa1\nKc3" })).await;
    let bearer = format!("Bearer {white}");
    let headers = [("host", "localhost:8064"), ("authorization", &bearer[..])];
    let path = format!("/api/games/{id}/invitation");
    let answer = closed.send(Method::GET, &path, &headers, String::new()).await;
    assert!(answer.json["advice"].as_str().unwrap().contains("--addr 0.0.0.0:8064"));
    assert!(answer.json["link"].as_str().unwrap().contains("/bishops?game="));
}

#[tokio::test]
async fn nobody_is_shown_a_token_or_an_invitation() {
    let server = Server::new();
    let game = pair(&server, json!({})).await;
    game.play(&server, &["e4", "e5"]).await;
    let mut page = Page::open(&server, game.id, None).await;
    let mut seen = page.next("").await + &page.next("presence").await;
    for path in [
        game.path.clone(),
        format!("{}/positions", game.path),
        format!("{}/record", game.path),
        "/api/games".to_owned(),
        format!("/?game={}", game.id),
        "/api/phrases".to_owned(),
    ] {
        seen += &server.get(&path).await.text;
    }
    for secret in [&game.white, &game.black, &game.invitation] {
        assert!(!seen.contains(secret.as_str()));
    }
}

#[tokio::test]
async fn a_spectator_and_a_forged_token_do_nothing() {
    let server = Server::new();
    let game = pair(&server, json!({})).await;
    let other = pair(&server, json!({})).await;
    let before = server.get(&game.path).await.json;
    for (path, body) in [
        ("moves", json!({ "text": "e4" })),
        ("requests", json!({ "request": "resign" })),
        ("requests", json!({ "request": "rematch" })),
        ("phrases", json!({ "phrase": 0 })),
        ("pong", json!({ "nonce": "1" })),
    ] {
        let path = format!("{}/{path}", game.path);
        assert_eq!(server.post(&path, body.clone()).await.status, StatusCode::UNAUTHORIZED);
        for forged in ["", "x", &"f".repeat(64), &other.white, &other.black, &game.invitation] {
            let answer = server.say(&path, forged, body.clone()).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
    let events = format!("{}/events", game.path);
    let headers = [("host", "localhost"), ("authorization", "Bearer forged")];
    let answer = server.send(Method::GET, &events, &headers, String::new()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert_eq!(server.get(&game.path).await.json, before);
}

#[tokio::test]
async fn a_move_that_is_sent_again_is_answered_as_done() {
    let server = Server::new();
    let game = pair(&server, json!({})).await;
    let moves = format!("{}/moves", game.path);
    let e4 = json!({ "from": "e2", "to": "e4", "ply": 0 });
    let first = server.say(&moves, &game.white, e4.clone()).await;
    let again = server.say(&moves, &game.white, e4.clone()).await;
    assert_eq!(
        (again.status, again.json["view"].clone()),
        (StatusCode::OK, first.json["view"].clone())
    );
    game.play(&server, &["e5"]).await;
    assert_eq!(
        server.say(&moves, &game.white, e4).await.json["view"]["moves"].as_array().unwrap().len(),
        2
    );
    let other = server.say(&moves, &game.white, json!({ "text": "d4", "ply": 0 })).await;
    assert_eq!(other.status, StatusCode::CONFLICT);
    let strange = server.say(&moves, &game.white, json!({ "text": "d4", "ply": -1 })).await;
    assert_eq!(strange.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn draws_and_take_backs_are_offered_and_answered() {
    let server = Server::new();
    let game = pair(&server, json!({})).await;
    game.play(&server, &["e4", "e5"]).await;
    let asked = game.ask(&server, &game.white, "take-back").await;
    assert_eq!(asked.json["view"]["take_back"], "white");
    assert_eq!(asked.json["view"]["moves"].as_array().unwrap().len(), 2);
    let declined = game.ask(&server, &game.black, "decline-take-back").await;
    assert_eq!(declined.json["view"]["take_back"], Value::Null);
    assert_eq!(game.ask(&server, &game.white, "take-back").await.status, StatusCode::CONFLICT);
    game.ask(&server, &game.black, "take-back").await;
    let taken = game.ask(&server, &game.white, "accept-take-back").await;
    assert_eq!(taken.json["view"]["moves"].as_array().unwrap().len(), 1, "{}", taken.text);
    for request in ["hint", "evaluate", "redo", "take-back-one", "accept-draw"] {
        let answer = game.ask(&server, &game.black, request).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{request}");
    }
    game.ask(&server, &game.white, "offer-draw").await;
    game.ask(&server, &game.black, "decline-draw").await;
    assert_eq!(server.get(&game.path).await.json["draw"]["offered"], Value::Null);
    game.play(&server, &["c5", "Nf3"]).await;
    game.ask(&server, &game.white, "offer-draw").await;
    let agreed = game.ask(&server, &game.black, "accept-draw").await;
    assert_eq!(agreed.json["view"]["end"]["result"], "1/2-1/2");
}

#[tokio::test]
async fn an_invitation_is_withdrawn_and_a_game_aborted() {
    let server = Server::new();
    let (id, white, invitation) = invite(&server, json!({})).await;
    let requests = format!("/api/games/{id}/requests");
    let resign = server.say(&requests, &white, json!({ "request": "resign" })).await;
    assert_eq!(resign.status, StatusCode::CONFLICT);
    let gone = server.say(&requests, &white, json!({ "request": "abort" })).await;
    assert_eq!(gone.json["view"]["end"]["result"], "*");
    let late = join(&server, id, &invitation, "Bo", MARK).await;
    assert_eq!((late.status, late.error()), (StatusCode::CONFLICT, "That game is over."));
    let alone = server.say(&requests, &white, json!({ "request": "rematch" })).await;
    assert_eq!(alone.status, StatusCode::CONFLICT);
    let game = pair(&server, json!({})).await;
    game.play(&server, &["e4"]).await;
    assert_eq!(game.ask(&server, &game.black, "abort").await.status, StatusCode::OK);
    let going_on = server.get("/api/games?unfinished=true").await;
    assert_eq!(going_on.json["games"], json!([]));
}

#[tokio::test]
async fn a_rematch_has_colours_changed_and_each_has_a_seat() {
    let mut server = Server::new();
    let game = pair(&server, json!({ "name": "Ada", "time": "3+2" })).await;
    assert_eq!(game.ask(&server, &game.white, "rematch").await.status, StatusCode::CONFLICT);
    game.play(&server, &["f3", "e5", "g4", "Qh4"]).await;
    let next = format!("{}/next", game.path);
    assert_eq!(server.say(&next, &game.white, json!({})).await.status, StatusCode::CONFLICT);
    let asked = game.ask(&server, &game.white, "rematch").await;
    assert_eq!(asked.json["view"]["friend"]["rematch"], "white");
    game.ask(&server, &game.black, "decline-rematch").await;
    assert_eq!(server.get(&game.path).await.json["friend"]["rematch"], Value::Null);
    let nothing = game.ask(&server, &game.black, "decline-rematch").await;
    assert_eq!(nothing.status, StatusCode::CONFLICT);
    game.ask(&server, &game.white, "rematch").await;
    let again = game.ask(&server, &game.white, "rematch").await;
    assert_eq!(again.json["view"]["friend"]["next"], Value::Null, "one alone does not play");
    let agreed = game.ask(&server, &game.black, "rematch").await;
    let id = agreed.json["view"]["friend"]["next"].as_u64().unwrap();
    // Whoever asks once more comes to the same game, after a restart too.
    server.open(Access::default(), ServerLimits::default());
    let once_more = game.ask(&server, &game.white, "rematch").await;
    assert_eq!(once_more.json["view"]["friend"]["next"], id);
    let seat = async |token: &str| server.say(&next, token, json!({})).await.json;
    let (white, black) = (seat(&game.black).await, seat(&game.white).await);
    assert_eq!((white["id"].as_u64(), black["id"].as_u64()), (Some(id), Some(id)));
    assert!(white["tokens"]["black"].is_null() && black["tokens"]["white"].is_null());
    let watching = server.post(&next, json!({})).await.json;
    assert_eq!(watching["tokens"], json!({ "white": null, "black": null }));
    let view = server.get(&format!("/api/games/{id}")).await.json;
    assert_eq!(
        (&view["seats"][0]["name"], &view["seats"][1]["name"]),
        (&json!("Bo"), &json!("Ada"))
    );
    assert_eq!(view["seats"][0]["clock_ms"], 180_000);
    let token = white["tokens"]["white"].as_str().unwrap();
    let moves = format!("/api/games/{id}/moves");
    let played = server.say(&moves, token, json!({ "text": "e4" })).await;
    assert_eq!(played.status, StatusCode::OK, "{}", played.text);
    let forged = server.say(&moves, &game.white, json!({ "text": "e4" })).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_flag_falls_without_anybody_asking() {
    let server = Server::new();
    let game = pair(&server, json!({ "time": "0.005+0" })).await;
    game.play(&server, &["e4", "e5"]).await;
    let mut page = Page::open(&server, game.id, None).await;
    let end = loop {
        let view: Value = serde_json::from_str(&page.next("").await).unwrap();
        if !view["end"].is_null() {
            break view["end"].clone();
        }
    };
    assert_eq!(end["text"], "White's time is up: Black wins");
}

#[tokio::test]
async fn those_who_are_there_are_told_of() {
    let server = Server::new();
    let game = pair(&server, json!({})).await;
    let mut white = Page::open(&server, game.id, Some(&game.white)).await;
    let _watching = Page::open(&server, game.id, None).await;
    let black = Page::open(&server, game.id, Some(&game.black)).await;
    while white.presence().await["watching"] != 1 {}
    drop(black);
    let presence = loop {
        let presence = white.presence().await;
        if presence["away"] != json!([]) {
            break presence;
        }
    };
    assert_eq!(presence["away"], json!(["black"]));
}

#[tokio::test]
async fn pings_are_answered_once_and_by_whom_they_are_for() {
    let server = Server::new();
    let game = pair(&server, json!({})).await;
    let mut white = Page::open(&server, game.id, Some(&game.white)).await;
    let nonce = white.next("ping").await;
    let pong = format!("{}/pong", game.path);
    let body = json!({ "nonce": nonce });
    assert_eq!(server.say(&pong, &game.black, body.clone()).await.status, StatusCode::CONFLICT);
    assert_eq!(server.say(&pong, &game.white, body.clone()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(server.say(&pong, &game.white, body).await.status, StatusCode::CONFLICT);
    let strange = server.say(&pong, &game.white, json!({ "nonce": "soon" })).await;
    assert_eq!(strange.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn ones_own_words_are_said_where_the_owner_allows_it() {
    let game_of = async |server: &Server| {
        let game = pair(server, json!({})).await;
        (format!("{}/phrases", game.path), game)
    };
    let closed = Server::new();
    let (say, game) = game_of(&closed).await;
    assert_eq!(closed.get("/api/phrases").await.json["own_words"], Value::Null);
    let answer = closed.say(&say, &game.white, json!({ "text": "Hi" })).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(answer.error().contains("--own-words"), "{}", answer.error());

    let open = Server::with_options(|options| options.own_words = true);
    let (say, game) = game_of(&open).await;
    assert_eq!(open.get("/api/phrases").await.json["own_words"], 140);
    let mut watching = Page::open(&open, game.id, None).await;
    let said = json!({ "text": "Nice, <i>Bo</i> & co!" });
    assert_eq!(open.say(&say, &game.white, said.clone()).await.status, StatusCode::NO_CONTENT);
    let told = loop {
        let presence = watching.presence().await;
        if presence["said"] != json!([]) {
            break presence["said"].clone();
        }
    };
    let expected = json!([{ "number": 1, "side": "white", "text": said["text"], "own": true }]);
    assert_eq!(told, expected);
    assert_eq!(
        open.post(&say, said).await.status,
        StatusCode::UNAUTHORIZED,
        "who watches is quiet"
    );
    for wrong in [json!({ "text": "x".repeat(141) }), json!({ "text": "a\u{202e}b" })] {
        let answer = open.say(&say, &game.black, wrong).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.error().contains("140 characters"), "{}", answer.error());
    }
    for wrong in [json!({}), json!({ "text": "Hi", "phrase": 1 })] {
        let answer = open.say(&say, &game.black, wrong).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[tokio::test]
async fn set_phrases_are_said_and_nothing_else() {
    let server = Server::new();
    let game = pair(&server, json!({})).await;
    let mut watching = Page::open(&server, game.id, None).await;
    let phrases = server.get("/api/phrases").await.json["phrases"].clone();
    let say = format!("{}/phrases", game.path);
    assert_eq!(
        server.say(&say, &game.white, json!({ "phrase": 1 })).await.status,
        StatusCode::NO_CONTENT
    );
    let said = loop {
        let presence = watching.presence().await;
        if presence["said"] != json!([]) {
            break presence["said"].clone();
        }
    };
    assert_eq!(said, json!([{ "number": 1, "side": "white", "text": phrases[1] }]));
    for wrong in [json!({ "phrase": 99 }), json!({ "phrase": "Hello!" }), json!({})] {
        let answer = server.say(&say, &game.white, wrong).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let mut last = StatusCode::OK;
    for _ in 0..6 {
        last = server.say(&say, &game.white, json!({ "phrase": 0 })).await.status;
    }
    assert_eq!(last, StatusCode::CONFLICT);
    let alone = server.begin(json!({})).await;
    let answer =
        server.say(&format!("{}/phrases", alone.path), &alone.white, json!({ "phrase": 0 })).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
}
