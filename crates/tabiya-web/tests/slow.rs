//! Clients that take their time, over a real network: nobody else has to wait for them.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use tabiya_store::Store;
use tabiya_web::{AppState, Key, Pool, ServerLimits, ServerOptions, bind};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// A server that is open for as long as this is.
struct Server {
    address: SocketAddr,
    _folder: TempDir,
}

impl Server {
    async fn open(limits: ServerLimits) -> Server {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let options = ServerOptions { limits, ..ServerOptions::default() };
        let state = AppState::new(store, Key::new([7; 32]), Pool::new(1), options);
        let listening = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = listening.address();
        tokio::spawn(listening.serve(state, std::future::pending()));
        Server { address, _folder: folder }
    }

    /// Comes from an address of this machine, and says the beginning of something.
    async fn begin(&self, last: u8, said: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((Ipv4Addr::new(127, 0, 0, last), 0).into()).unwrap();
        let mut stream = socket.connect(self.address).await.unwrap();
        // The server may have closed it already.
        let _ = stream.write_all(said.as_bytes()).await;
        stream
    }

    /// Asks something, and gives the status and how long it took.
    async fn ask(&self, last: u8, head: &str, body: &str) -> (u16, Duration) {
        let begun = Instant::now();
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        let stream = self.begin(last, &request).await;
        (status(stream).await, begun.elapsed())
    }
}

/// The status of what is answered; 0 if the connection was closed.
async fn status(mut stream: TcpStream) -> u16 {
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    answer.split(' ').nth(1).map_or(0, |status| status.parse().unwrap())
}

fn small() -> ServerLimits {
    ServerLimits {
        connections: 60,
        connections_per_address: 40,
        connections_waiting: 50,
        patience: Duration::from_secs(60),
        ..ServerLimits::default()
    }
}

const HEAD: &str = "GET / HTTP/1.1\r\nhost: local";
const BODY: &str = "POST /api/password HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_give_way_to_others() {
    for said in ["", HEAD, BODY] {
        let server = Server::open(small()).await;
        let mut slow = Vec::new();
        // Once from one address, and once from many.
        for number in 0..200 {
            let last = if number < 100 { 1 } else { number as u8 };
            slow.push(server.begin(last, said).await);
            if number % 20 == 0 {
                let (status, _) = server.ask(250, "POST /api/games", "{}").await;
                assert_eq!(status, 201, "{number} after {said:?}");
            }
        }
        // One that only watches is not closed for them.
        let (status, took) = server.ask(250, "GET /api/levels", "").await;
        assert_eq!(status, 200);
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_works_or_listens_is_not_closed_for_those_who_wait() {
    let server = Server::open(small()).await;
    assert_eq!(server.ask(250, "POST /api/games", "{}").await.0, 201);
    let events = "GET /api/games/1/events HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let mut page = server.begin(250, events).await;
    let mut heard = [0; 4096];
    assert!(page.read(&mut heard).await.unwrap() > 0);
    let mut slow = Vec::new();
    for number in 0..150 {
        slow.push(server.begin(number, HEAD).await);
    }
    // Not the answer that was not read to its end, but the page is still there.
    let gone = tokio::time::timeout(Duration::from_millis(200), async {
        while page.read(&mut heard).await.is_ok_and(|read| read > 0) {}
    });
    assert!(gone.await.is_err(), "the page was closed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_too_slow_is_sent_away() {
    let patience = Duration::from_millis(200);
    let server = Server::open(ServerLimits { patience, stall: patience, ..small() }).await;
    for (said, expected) in [("", 0), (HEAD, 408), (BODY, 408)] {
        let begun = Instant::now();
        let slow = server.begin(1, said).await;
        let status = tokio::time::timeout(Duration::from_secs(20), status(slow)).await.unwrap();
        assert!(status == expected || (status == 0 && said != BODY), "{status} after {said:?}");
        assert!(begun.elapsed() >= patience);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_in_memory_are_bounded_for_all_together() {
    let server = Server::open(ServerLimits { buffered: 100_000, ..small() }).await;
    let body = "x".repeat(30_000);
    let mut slow = Vec::new();
    for _ in 0..20 {
        let said = format!(
            "POST /api/studies HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{body}"
        );
        slow.push(server.begin(1, &said).await);
    }
    assert_eq!(server.ask(250, "POST /api/games", "{}").await.0, 201);
    let mut open = 0;
    for stream in slow {
        let answer = tokio::time::timeout(Duration::from_millis(50), status(stream)).await;
        open += usize::from(answer.is_err());
    }
    assert!((1..=4).contains(&open), "{open} of 20 are being read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_cannot_send_much_and_heads_are_short() {
    let server = Server::open(ServerLimits::default()).await;
    let password = format!("{{\"password\":\"{}\"}}", "x".repeat(5000));
    assert_eq!(server.ask(1, "POST /api/password", &password).await.0, 413);
    assert_eq!(server.ask(1, "POST /api/games/1/enter", &password).await.0, 413);
    let order = format!("{{\"position\":\"{}\"}}", "x".repeat(20_000));
    assert_eq!(server.ask(1, "POST /api/games", &order).await.0, 413);
    let path = format!("GET /{}", "x".repeat(40_000));
    assert!(matches!(server.ask(1, &path, "").await.0, 0 | 414 | 431));
}
