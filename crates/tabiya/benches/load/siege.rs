//! Ten thousand clients that never finish what they say, and one person who plays.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::person::Person;
use crate::report::Report;
use crate::server::Server;
use crate::{Outcome, alone, random_game, text};

/// What the slow ones say before they dribble.
const HEAD: &str = "GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ";
/// A body that anybody may send, up to the last byte of what is allowed.
const BODY: &str = "POST /api/password HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n";
/// One that is long.
const LONG: &str = "POST /api/studies HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n";

/// As long as they come, from those who may send it: at this machine everybody owns the server.
const IMPORT: &str = "POST /api/import HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-chess-pgn\r\ncontent-length: 4194304\r\n\r\n";

/// How the slow ones come: what they say at first, how many bytes at once then, and from how many addresses.
const SIEGES: [(&str, &str, usize, usize); 7] = [
    ("slow heads from one address", HEAD, 1, 1),
    ("slow heads from 250 addresses", HEAD, 1, 250),
    ("heads of 12 kB from 250 addresses", HEAD, 12_000, 250),
    ("slow bodies from one address", BODY, 1, 1),
    ("slow bodies from 250 addresses", BODY, 1, 250),
    ("long bodies from 250 addresses", LONG, 60_000, 250),
    ("imports that stop halfway from 250 addresses", IMPORT, 250_000, 250),
];

/// When those who were sent away come again, the first and the last of them.
const RETURN: [Duration; 2] = [Duration::from_millis(2500), Duration::from_millis(7500)];
/// How long a person plays under each siege.
const MOVES: usize = 100;
/// Every one of the moves is confirmed within this time,
const WANTED: Duration = Duration::from_millis(100);
/// and the server never has more memory, in MiB.
const MEMORY: u64 = 150;

/// Each with a server of its own, so that memory can be told apart.
pub(crate) async fn stand(slow: usize, report: &mut Report) -> Outcome<()> {
    for (name, said, more, addresses) in SIEGES {
        let folder = tempfile::tempdir()?;
        let server = Server::open(folder.path())?;
        let mut crowd = JoinSet::new();
        for number in 0..slow {
            let pause = RETURN[0] + (RETURN[1] - RETURN[0]) * number as u32 / slow as u32;
            crowd.spawn(dawdle(server.address, number % addresses, said, more, pause));
            if number % 100 == 0 {
                tokio::task::yield_now().await;
            }
        }
        // They have all been there once.
        tokio::time::sleep(Duration::from_secs(5)).await;
        // The person has a thread of their own: they wait for the server, never for the crowd on this side.
        let address = server.address;
        let times = tokio::task::spawn_blocking(move || alone(play(address))).await??;
        let what = format!("{slow} {name}: move confirmed");
        report.siege(&what, &times, &server);
        report.demand(&what, &times, 1.0, WANTED);
        report.demand_memory(&what, &server, MEMORY);
        crowd.shutdown().await;
    }
    Ok(())
}

/// Says something slowly, and comes again when it is sent away.
async fn dawdle(
    server: SocketAddr,
    address: usize,
    said: &'static str,
    more: usize,
    pause: Duration,
) {
    loop {
        let _ = dawdle_once(server, address, said, more).await;
        tokio::time::sleep(pause).await;
    }
}

async fn dawdle_once(
    server: SocketAddr,
    address: usize,
    said: &str,
    more: usize,
) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    let own = Ipv4Addr::new(127, 200, 0, 1 + address as u8);
    socket.bind(SocketAddr::new(IpAddr::V4(own), 0))?;
    let mut stream: TcpStream = socket.connect(server).await?;
    stream.write_all(said.as_bytes()).await?;
    loop {
        stream.write_all(&b"x".repeat(more)).await?;
        // Long enough to hold on, and short enough to be busy.
        let mut heard = [0; 256];
        let pause = Duration::from_secs(2);
        match tokio::time::timeout(pause, tokio::io::AsyncReadExt::read(&mut stream, &mut heard))
            .await
        {
            Ok(Ok(0)) | Ok(Err(_)) => return Ok(()),
            _ => {}
        }
    }
}

/// Plays a game against oneself, each move on a connection of its own, as somebody who comes anew.
async fn play(server: SocketAddr) -> Outcome<Vec<Duration>> {
    let mut person = Person::new(server, 0).await?;
    let created = person.post("/games", &json!({})).await?;
    let path = format!("/games/{}/moves", created["id"]);
    let tokens = [text(&created["tokens"]["white"])?, text(&created["tokens"]["black"])?];
    let mut times = Vec::new();
    for (ply, code) in random_game(1, MOVES).iter().enumerate() {
        let asked = Instant::now();
        let mut person = Person::new(server, 0).await?;
        person.token.clone_from(&tokens[ply % 2]);
        person.post(&path, &json!({ "text": code, "ply": ply })).await?;
        times.push(asked.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(times)
}
