//! A server without a network.
#![allow(dead_code, reason = "each file of tests uses its part")]

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tabiya_store::Store;
use tabiya_web::{Access, AppState, Key, Pool, ServerLimits, ServerOptions, app};
use tempfile::TempDir;
use tower::ServiceExt as _;

pub(crate) struct Server {
    pub(crate) app: Router,
    pub(crate) folder: TempDir,
}

/// An answer, read to its end.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    /// Null if it is no JSON.
    pub(crate) json: Value,
}

/// A game that was begun.
pub(crate) struct Game {
    pub(crate) id: u64,
    pub(crate) path: String,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) begun: Value,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> String {
        self.headers.get(name).map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
    }

    pub(crate) fn error(&self) -> &str {
        self.json["error"].as_str().unwrap_or_default()
    }
}

impl Server {
    pub(crate) fn new() -> Server {
        Server::with(ServerLimits::default())
    }

    pub(crate) fn with(limits: ServerLimits) -> Server {
        Server::behind(Access::default(), limits)
    }

    pub(crate) fn behind(access: Access, limits: ServerLimits) -> Server {
        let folder = TempDir::new().unwrap();
        let mut server = Server { app: Router::new(), folder };
        server.open(access, limits);
        server
    }

    /// With options of its own.
    pub(crate) fn with_options(change: impl FnOnce(&mut ServerOptions)) -> Server {
        let mut options = ServerOptions::default();
        change(&mut options);
        let mut server = Server { app: Router::new(), folder: TempDir::new().unwrap() };
        server.open_with(options);
        server
    }

    /// Opens the server again, with the games it had.
    pub(crate) fn open(&mut self, access: Access, limits: ServerLimits) {
        self.open_with(ServerOptions { access, limits, ..ServerOptions::default() });
    }

    fn open_with(&mut self, options: ServerOptions) {
        let store = Store::open(self.folder.path()).unwrap();
        let (key, pool) = (Key::new([7; 32]), Pool::new(2));
        self.app = app(AppState::new(store, key, pool, options));
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.answer(request.body(Body::from(body)).unwrap()).await
    }

    /// As `send`, from another machine.
    pub(crate) async fn send_from(
        &self,
        peer: &str,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let peer: SocketAddr = format!("{peer}:5000").parse().unwrap();
        let request = request.extension(ConnectInfo(peer)).body(Body::from(body)).unwrap();
        self.answer(request).await
    }

    async fn answer(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Answer { status: parts.status, headers: parts.headers, text, json }
    }

    pub(crate) async fn call(&self, method: Method, path: &str) -> Answer {
        self.send(method, path, &[("host", "localhost:8064")], String::new()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        let headers = [("host", "localhost:8064"), ("content-type", "application/json")];
        self.send(Method::POST, path, &headers, body.to_string()).await
    }

    /// Posts as the owner of a seat.
    pub(crate) async fn say(&self, path: &str, token: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("host", "localhost:8064"),
            ("content-type", "application/json"),
            ("authorization", &bearer),
        ];
        self.send(Method::POST, path, &headers, body.to_string()).await
    }

    /// Begins a game and expects that it can.
    pub(crate) async fn begin(&self, order: Value) -> Game {
        let answer = self.post("/api/games", order).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        let id = answer.json["id"].as_u64().unwrap();
        let token =
            |side: &str| answer.json["tokens"][side].as_str().unwrap_or_default().to_owned();
        let (white, black) = (token("white"), token("black"));
        Game { id, path: format!("/api/games/{id}"), white, black, begun: json!(answer.json) }
    }
}
