use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::sync::{Mutex, watch};

use crate::Outcome;
use crate::server::Server;

type Line = SendRequest<Full<Bytes>>;

/// Somebody with a browser and an address of their own.
#[derive(Clone)]
pub(crate) struct Person {
    server: SocketAddr,
    own: SocketAddr,
    pub(crate) token: String,
    /// A browser uses one line for whatever is asked after each other.
    line: Arc<Mutex<Line>>,
}

impl Person {
    pub(crate) async fn new(server: SocketAddr, number: usize) -> Outcome<Person> {
        let own = own_address(number);
        let line = Arc::new(Mutex::new(connect(server, own).await?));
        Ok(Person { server, own, token: String::new(), line })
    }

    /// Somebody who only watches, with one page and nothing else.
    pub(crate) async fn spectate(server: &Server, number: usize, path: &str) -> Outcome<Watcher> {
        let line = connect(server.address, own_address(number)).await?;
        watch(line, server.address, path, None, None).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Outcome<Value> {
        self.ask("POST", path, body.to_string()).await
    }

    pub(crate) async fn get(&mut self, path: &str) -> Outcome<Value> {
        self.ask("GET", path, String::new()).await
    }

    async fn ask(&mut self, method: &str, path: &str, body: String) -> Outcome<Value> {
        let request = || {
            Request::builder()
                .method(method)
                .uri(format!("/api{path}"))
                .header("host", self.server.to_string())
                .header("content-type", "application/json")
                .header("authorization", format!("Bearer {}", self.token))
                .body(Full::new(Bytes::from(body.clone())))
        };
        let mut line = self.line.lock().await;
        let response = match line.send_request(request()?).await {
            Ok(response) => response,
            // A line on which nothing was said for a while is closed; a browser opens another.
            Err(_) => {
                *line = connect(self.server, self.own).await?;
                line.send_request(request()?).await?
            }
        };
        let status = response.status();
        let bytes = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            return Err(
                format!("{method} {path}: {status} {}", String::from_utf8_lossy(&bytes)).into()
            );
        }
        Ok(if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes)? })
    }

    /// Opens a page on a game.
    pub(crate) async fn watch(&self, path: &str) -> Outcome<Watcher> {
        self.watch_from(path, None).await
    }

    /// Opens a page that has seen something of the game already.
    pub(crate) async fn watch_from(&self, path: &str, seen: Option<u64>) -> Outcome<Watcher> {
        let line = connect(self.server, self.own).await?;
        // A player's page answers when it is asked how far away it is.
        watch(line, self.server, path, seen, Some(self.clone())).await
    }
}

/// 127.1.0.1 and up; no address ends in 0.
fn own_address(number: usize) -> SocketAddr {
    let number = number as u32;
    let last = [1 + number / (250 * 250), number / 250 % 250, 1 + number % 250];
    let [a, b, c] = last.map(|byte| byte as u8);
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, a, b, c)), 0)
}

/// Opens a page: that of a player, or that of somebody who watches.
async fn watch(
    mut line: Line,
    server: SocketAddr,
    path: &str,
    seen: Option<u64>,
    player: Option<Person>,
) -> Outcome<Watcher> {
    let mut request = Request::get(format!("/api{path}/events")).header("host", server.to_string());
    if let Some(player) = &player {
        request = request.header("authorization", format!("Bearer {}", player.token));
    }
    if let Some(seen) = seen {
        request = request.header("last-event-id", seen.to_string());
    }
    let response = line.send_request(request.body(Full::default())?).await?;
    if !response.status().is_success() {
        return Err(format!("{path}/events: {}", response.status()).into());
    }
    let (sender, heard) = watch::channel(Heard { plies: 0, id: 0, at: Instant::now() });
    let pong = format!("{path}/pong");
    let task = tokio::spawn(async move {
        // The line ends with the page.
        let _line = line;
        let _ = listen(response, &sender, player, &pong).await;
    });
    Ok(Watcher { heard, task })
}

async fn connect(server: SocketAddr, own: SocketAddr) -> Outcome<Line> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(own)?;
    let stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    let (line, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(line)
}

/// The latest that a page has heard.
#[derive(Clone, Copy)]
pub(crate) struct Heard {
    pub(crate) plies: usize,
    id: u64,
    pub(crate) at: Instant,
}

/// A page that listens to a game until it is left.
pub(crate) struct Watcher {
    pub(crate) heard: watch::Receiver<Heard>,
    task: tokio::task::JoinHandle<()>,
}

impl Watcher {
    /// The number of the last event.
    pub(crate) fn last(&self) -> Option<u64> {
        Some(self.heard.borrow().id).filter(|&id| id > 0)
    }

    pub(crate) fn leave(&self) {
        self.task.abort();
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Takes in events. A whole view is not read, to leave the machine to the server: moves are counted.
async fn listen(
    response: Response<Incoming>,
    sender: &watch::Sender<Heard>,
    mut answers: Option<Person>,
    pong: &str,
) -> Outcome<()> {
    let mut body = response.into_body();
    let mut text = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        text.extend_from_slice(&data);
        while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
            let at = Instant::now();
            let event = String::from_utf8_lossy(&text[..end]).into_owned();
            text.drain(..end + 2);
            let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            if let Some(id) = line("id:").and_then(|id| id.trim().parse().ok()) {
                let plies = event.matches("\"uci\":").count();
                sender.send_replace(Heard { plies, id, at });
            }
            if line("event:").is_some_and(|name| name.trim() == "ping")
                && let (Some(person), Some(nonce)) = (&mut answers, line("data:"))
            {
                person.post(pong, &json!({ "nonce": nonce.trim() })).await?;
            }
        }
    }
    Ok(())
}
