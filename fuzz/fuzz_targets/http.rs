//! Any bytes as requests to the server, one after the other: each is answered, a refusal is a sentence, nothing gets past
//! the password, and whatever was accepted can be read back.
//!
//! Requests are as in HTTP/1.1, with a zero byte between one and the next. `authorization: Bearer white` (or `black`,
//! `bishops`, `friend`, `study`) is made the token of that seat; requests to `chess.example.org` go to a server with a
//! password that nobody knows.
#![no_main]

use std::cell::RefCell;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use tabiya_store::{Store, check};
use tabiya_study::Study;
use tabiya_web::{Access, AppState, Key, Pool, ServerLimits, ServerOptions, app};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tower::ServiceExt as _;

/// After so many inputs what was kept is looked at, and all begins anew.
const INPUTS: u32 = 1000;
/// Whoever asks for much thinking leaves after so long; all else is answered.
const PATIENCE: Duration = Duration::from_millis(5);
const PRIVATE: &str = "chess.example.org";

fuzz_target!(|data: &[u8]| {
    thread_local!(static SERVERS: RefCell<Option<Servers>> = const { RefCell::new(None) });
    SERVERS.with_borrow_mut(|slot| {
        let servers = slot.get_or_insert_with(Servers::open);
        for request in data.split(|&byte| byte == 0).take(8) {
            servers.ask(request);
        }
        servers.inputs += 1;
        if servers.inputs == INPUTS
            && let Some(servers) = slot.take()
        {
            servers.close();
        }
    });
});

struct Servers {
    runtime: Runtime,
    open: Server,
    /// The one with a password, opened when first something is asked there.
    private: Option<Server>,
    /// What a token is called, and what it is.
    tokens: Vec<(&'static str, String)>,
    invitation: String,
    inputs: u32,
}

struct Server {
    app: Router,
    state: AppState,
    folder: TempDir,
}

impl Servers {
    fn open() -> Servers {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let entered = runtime.enter();
        let open = Server::open(Access::default(), Key::new([7; 32]));
        drop(entered);
        let mut servers = Servers {
            runtime,
            open,
            private: None,
            tokens: vec![],
            invitation: String::new(),
            inputs: 0,
        };
        let game = servers.begin("/api/games", json!({}));
        servers.keep(["white", "black"], &game);
        let bishops = json!({ "game": "bishops", "position": "5\nKa1, Bb1, Bc1\nKe5, Bd5, Bc5" });
        let game = servers.begin("/api/games", bishops);
        servers.keep(["bishops", ""], &game);
        let game = servers.begin("/api/games", json!({ "friend": true, "colour": "white" }));
        servers.keep(["friend", ""], &game);
        servers.invitation = game["invitation"].as_str().expect("an invitation").to_owned();
        let study = servers.begin("/api/studies", json!({ "pgn": "1. e4 e5 (1... c5) 2. Nf3 *" }));
        servers.tokens.push(("study", study["token"].as_str().expect("a token").to_owned()));
        servers
    }

    fn begin(&self, path: &str, body: Value) -> Value {
        let request = Request::post(path)
            .header("host", "localhost")
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()));
        let answered = answer(&self.open.app, request.expect("a request"));
        let (_, text) = self.runtime.block_on(answered);
        serde_json::from_str(&text).expect("JSON")
    }

    fn keep(&mut self, names: [&'static str; 2], game: &Value) {
        for (name, side) in names.into_iter().zip(["white", "black"]) {
            if let Some(token) = game["tokens"][side].as_str() {
                self.tokens.push((name, token.to_owned()));
            }
        }
    }

    /// Asks something, and looks at the answer.
    fn ask(&mut self, text: &[u8]) {
        let Some(request) = self.read(text) else { return };
        let host = request.headers().get(header::HOST).map(HeaderValue::as_bytes);
        let is_private = host == Some(PRIVATE.as_bytes());
        let server = match is_private {
            true => {
                let _entered = self.runtime.enter();
                self.private.get_or_insert_with(Server::private)
            }
            false => &self.open,
        };
        let path = request.uri().path().to_owned();
        let thinks = path == "/api/bishops" || path.ends_with("/verdict");
        let patience = if thinks { PATIENCE } else { Duration::MAX };
        let answered = async { timeout(patience, answer(&server.app, request)).await.ok() };
        let Some((parts, text)) = self.runtime.block_on(answered) else { return };
        let status = parts.status();
        assert!(parts.headers().contains_key("content-security-policy"), "{path}: {status}");
        assert!(status != StatusCode::INTERNAL_SERVER_ERROR, "{path}: {text}");
        assert!(!text.contains("cannot be opened"), "{path}: {text}");
        if path.starts_with("/api/") && !status.is_success() && !text.is_empty() {
            let told: Value = serde_json::from_str(&text).expect("JSON");
            let sentence = told["error"].as_str().expect("a sentence");
            assert!(sentence.ends_with(['.', '?', '!']), "{path}: {sentence}");
        }
        let is_public = ["/api/password", "/api/phrases", "/api/levels"].contains(&path.as_str());
        if is_private && path.starts_with("/api/") && !is_public {
            assert!(!status.is_success(), "{path}: {status} {text}");
        }
    }

    /// A request, if the text is one.
    fn read(&self, text: &[u8]) -> Option<Request<Body>> {
        let mut headers = [httparse::EMPTY_HEADER; 16];
        let mut head = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(length) = head.parse(text).ok()? else { return None };
        let mut request = Request::builder().method(head.method?).uri(head.path?);
        for header in head.headers.iter() {
            let token = header
                .value
                .strip_prefix(b"Bearer ")
                .and_then(|name| self.tokens.iter().find(|(token, _)| token.as_bytes() == name));
            request = match token {
                Some((_, token)) => request.header(header.name, format!("Bearer {token}")),
                None => request.header(header.name, header.value),
            };
        }
        let body = match std::str::from_utf8(&text[length..]) {
            Ok(text) => text.replace("INVITATION", &self.invitation).into_bytes(),
            Err(_) => text[length..].to_vec(),
        };
        request.body(Body::from(body)).ok()
    }

    fn close(self) {
        let Servers { runtime, open, private, .. } = self;
        for Server { app, state, folder } in [open].into_iter().chain(private) {
            drop(app);
            state.close();
            drop(state);
            look_at(&folder);
        }
        runtime.shutdown_background();
    }
}

impl Server {
    fn private() -> Server {
        let access = Access::default().named(PRIVATE).expect("a name");
        let access = access.with_password("0cf1b75d0a2f4c5a").expect("a password");
        // Whoever is invited over there is not invited here.
        Server::open(access, Key::new([8; 32]))
    }

    fn open(access: Access, key: Key) -> Server {
        // In memory, if it can be.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let folder = folder.expect("a folder");
        let store = Store::open(folder.path()).expect("a store");
        let limits = ServerLimits {
            rate: 1e9,
            burst: 1e9,
            games_per_client: usize::MAX,
            studies_per_client: usize::MAX,
            thinking: Duration::from_millis(10),
            reviews: 2,
            review_nodes: 1,
            ..ServerLimits::default()
        };
        let options = ServerOptions { access, limits, ..ServerOptions::default() };
        let state = AppState::new(store, key, Pool::new(1), options);
        Server { app: app(state.clone()), state, folder }
    }
}

/// The answer, and its text; of one that never ends, only that it came.
async fn answer(app: &Router, request: Request<Body>) -> (Response<()>, String) {
    let response = app.clone().oneshot(request).await.expect("never fails");
    let (parts, body) = response.into_parts();
    let text = match parts.headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes) {
        Some(b"text/event-stream") => Vec::new(),
        _ => body.collect().await.expect("the whole answer").to_bytes().to_vec(),
    };
    (Response::from_parts(parts, ()), String::from_utf8_lossy(&text).into_owned())
}

/// Whether what is kept is sound, and all of it can be read.
fn look_at(folder: &TempDir) {
    let checked = check(folder.path()).expect("a file that can be looked at");
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    let store = Store::open(folder.path()).expect("a store");
    for summary in store.list_studies(10_000, None).expect("studies") {
        let kept = store.load_study(summary.id).expect("a study");
        let study = Study::restore(&kept.title, &kept.pgn, kept.here as usize, kept.sequence);
        study.expect("what was accepted can be read back");
    }
}
