//! The server on a network: who hangs on without a word is not waited for.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use tabiya_store::Store;
use tabiya_web::{AppState, Key, Pool, ServerLimits, ServerOptions, bind};
use tokio::sync::oneshot;

/// Says something and hears what comes until the line is closed.
fn say(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut heard = String::new();
    // A line may also be cut off: then nothing was heard.
    let _ = stream.read_to_string(&mut heard);
    heard
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_request_is_given_up_and_others_are_answered_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits {
        patience: Duration::from_secs(2),
        connections: 2,
        ..ServerLimits::default()
    };
    let options = ServerOptions { limits, ..ServerOptions::default() };
    let store = Store::open(folder.path()).unwrap();
    let state = AppState::new(store, Key::new([7; 32]), Pool::new(1), options);
    let listening = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listening.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(listening.serve(state, async move {
        let _ = stopped.await;
    }));
    let begun = Instant::now();
    let slow = tokio::task::spawn_blocking(move || say(address, "GET / HTTP/1.1\r\nhost: loc"));
    let whole = "GET /api/games HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let answer = tokio::task::spawn_blocking(move || say(address, whole)).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("{\"games\":[],\"next\":null}"),
        "{answer}"
    );
    let heard = slow.await.unwrap();
    assert!(!heard.contains("200 OK"), "{heard}");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    // Both places are free again.
    let answer = tokio::task::spawn_blocking(move || say(address, whole)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    stop.send(()).unwrap();
    served.await.unwrap().unwrap();
}
