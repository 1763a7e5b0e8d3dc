//! The program in the browser's place: it is killed again and again, and every confirmed move is there.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn open(folder: &Path) -> Server {
        Server::of(
            Command::new(env!("CARGO_BIN_EXE_tabiya"))
                .args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"])
                .arg(folder)
                .env_remove("TABIYA_PASSWORD")
                .stdout(Stdio::piped()),
        )
    }

    fn of(command: &mut Command) -> Server {
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        Server { process, address: address.trim().to_owned() }
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Asks once; nothing if the server is gone.
fn ask(address: &str, method: &str, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    write!(
        stream,
        "{method} /api{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         authorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_str(body).ok()?))
}

struct Game {
    id: u64,
    tokens: [String; 2],
    /// The moves that were confirmed.
    confirmed: Vec<String>,
}

fn begin(address: &str) -> Game {
    let (status, begun) = ask(address, "POST", "/games", "", &json!({})).unwrap();
    assert_eq!(status, 201);
    let token = |side: &str| begun["tokens"][side].as_str().unwrap().to_owned();
    Game {
        id: begun["id"].as_u64().unwrap(),
        tokens: [token("white"), token("black")],
        confirmed: Vec::new(),
    }
}

fn codes(view: &Value) -> Vec<String> {
    view["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|played| played["uci"].as_str().unwrap().to_owned())
        .collect()
}

/// Plays until the server is gone or the game is over.
fn play(address: &str, game: &Mutex<Game>, mut choice: usize) {
    let mut game = game.lock().unwrap();
    let path = format!("/games/{}", game.id);
    loop {
        let Some((200, view)) = ask(address, "GET", &path, "", &Value::Null) else { return };
        let reach = view["destinations"].as_array().unwrap();
        if reach.is_empty() {
            return;
        }
        choice =
            choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let from = &reach[(choice >> 33) % reach.len()];
        let targets = from["to"].as_array().unwrap();
        let wish =
            json!({ "from": from["from"], "to": targets[(choice >> 40) % targets.len()]["at"] });
        let token = game.tokens[game.confirmed.len() % 2].clone();
        let Some((200, answer)) = ask(address, "POST", &format!("{path}/moves"), &token, &wish)
        else {
            return;
        };
        game.confirmed = codes(&answer["view"]);
    }
}

/// Kills the server so many times while games go on.
fn kill_again_and_again(kills: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut games: Vec<Mutex<Game>> = Vec::new();
    for kill in 0..kills {
        let mut server = Server::open(folder.path());
        for game in &games {
            let mut game = game.lock().unwrap();
            let path = format!("/games/{}", game.id);
            let (status, view) = ask(&server.address, "GET", &path, "", &Value::Null).unwrap();
            assert_eq!(status, 200);
            let kept = codes(&view);
            assert!(
                kept.starts_with(&game.confirmed),
                "kill {kill}: {kept:?} after {:?}",
                game.confirmed
            );
            assert!(kept.len() <= game.confirmed.len() + 1, "kill {kill}: more than was asked for");
            game.confirmed = kept;
        }
        games.retain(|game| game.lock().unwrap().confirmed.len() < 60);
        while games.len() < 4 {
            games.push(Mutex::new(begin(&server.address)));
        }
        let address = server.address.clone();
        std::thread::scope(|scope| {
            for (index, game) in games.iter().enumerate() {
                let address = &address;
                scope.spawn(move || play(address, game, kill * 31 + index));
            }
            std::thread::sleep(Duration::from_millis(20 + (kill as u64 * 37) % 120));
            server.kill();
        });
    }
}

#[test]
fn no_confirmed_move_is_lost_when_the_server_is_killed() {
    kill_again_and_again(12);
}

#[test]
#[ignore = "minutes"]
fn no_confirmed_move_is_lost_in_two_hundred_kills() {
    kill_again_and_again(200);
}

#[test]
fn an_address_that_is_taken_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["serve", "--no-open", "--addr", &address, "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && said.contains(&format!("{address} cannot be used")),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn an_address_that_cannot_be_is_told_before_anything_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games");
    let refused = |arguments: &[&str], password: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"]).arg(&data);
        command.args(arguments).env_remove("TABIYA_PASSWORD");
        if let Some(password) = password {
            command.env("TABIYA_PASSWORD", password);
        }
        let output = command.output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["--host", "https://x.example"], None).contains("is no host name"));
    assert!(refused(&["--trust-proxy", "not a header"], None).contains("is no header"));
    assert!(refused(&["--proxy", "10.0.0.2"], None).contains("--trust-proxy"));
    assert!(refused(&["--password", "abc"], None).contains("4 to 200 characters"));
    assert!(refused(&[], Some("abc")).contains("4 to 200 characters"));
    assert!(refused(&["--password-file", "/nowhere/password"], None).contains("cannot be read"));
    assert!(
        refused(&["--password", "abcd", "--password-file", "x"], None)
            .contains("cannot be used with")
    );
    assert!(!data.exists());
}

#[test]
fn the_password_comes_from_the_environment_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("password");
    std::fs::write(&file, "open sesame\nand more\n").unwrap();
    for by_file in [true, false] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"]);
        command.arg(folder.path()).stdout(Stdio::piped());
        match by_file {
            true => command.env_remove("TABIYA_PASSWORD").arg("--password-file").arg(&file),
            false => command.env("TABIYA_PASSWORD", "open sesame"),
        };
        let server = Server::of(&mut command);
        let (status, _) = ask(&server.address, "GET", "/games", "", &Value::Null).unwrap();
        assert_eq!(status, 401);
        let wrong = json!({ "password": "and more" });
        let (status, _) = ask(&server.address, "POST", "/password", "", &wrong).unwrap();
        assert_eq!(status, 403);
    }
}

/// The link of the owner, of a server that others can reach.
fn open_to_others(folder: &Path) -> (Server, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--host", "chess.example.org"]);
    command.arg("--data").arg(folder).stdout(Stdio::piped()).env_remove("TABIYA_PASSWORD");
    let mut process = command.spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut url = || lines.next().unwrap().unwrap().split_once("http://").unwrap().1.to_owned();
    let address = url().split(' ').next().unwrap().to_owned();
    let server = Server { process, address };
    (server, format!("/{}", url().split_once('/').unwrap().1))
}

#[test]
fn the_owner_is_told_a_link_that_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (mut server, link) = open_to_others(folder.path());
    let head = |server: &Server, path: &str, headers: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let host = &server.address;
        write!(stream, "{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text.split("\r\n\r\n").next().unwrap().to_lowercase()
    };
    let shown = head(&server, &format!("GET {link}"), "");
    assert!(shown.starts_with("http/1.1 303") && shown.contains("location: /\r\n"), "{shown}");
    let cookie = shown.split_once("set-cookie: ").unwrap().1.split(';').next().unwrap();
    let import = format!("content-type: text/plain\r\ncontent-length: 0\r\ncookie: {cookie}\r\n");
    assert!(head(&server, "POST /api/import", &import).starts_with("http/1.1 200"));
    let without = import.split("cookie").next().unwrap();
    assert!(head(&server, "POST /api/import", without).starts_with("http/1.1 403"));
    server.kill();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let key = folder.path().join("seats.key");
        let mode = || std::fs::metadata(&key).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
        let (again, same) = open_to_others(folder.path());
        assert_eq!((mode(), &same), (0o600, &link));
        assert!(head(&again, "POST /api/import", &import).starts_with("http/1.1 200"));
    }
}

/// Steps of a study are kept like moves of a game.
#[test]
fn a_study_outlives_a_killed_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::open(folder.path());
    let (status, begun) = ask(&server.address, "POST", "/studies", "", &json!({})).unwrap();
    assert_eq!(status, 201);
    let token = begun["token"].as_str().unwrap().to_owned();
    let path = format!("/studies/{}", begun["study"]["id"]);
    for (kills, text) in ["e4", "e5", "Nf3", "Nc6", "Bb5"].iter().enumerate() {
        let step = json!({ "step": "play", "node": kills, "sequence": kills, "text": text });
        let (status, shown) =
            ask(&server.address, "POST", &format!("{path}/steps"), &token, &step).unwrap();
        assert_eq!(status, 200, "{shown}");
        server.kill();
        server = Server::open(folder.path());
        let (_, kept) = ask(&server.address, "GET", &path, "", &Value::Null).unwrap();
        assert_eq!(kept["study"]["nodes"], shown["study"]["nodes"]);
        assert_eq!(kept["board"], shown["board"]);
    }
}

#[test]
fn a_file_of_engines_that_makes_no_sense_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engines.toml");
    let open = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
        command.args(["serve", "--no-open", "--addr", "127.0.0.1:0", "--data"]);
        let output = command.arg(folder.path()).args(args).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    std::fs::write(&file, "[[engine]]\nname = \"x\"\n").unwrap();
    let said = open(&[]);
    assert!(
        said.contains("engines.toml") && said.contains("line 1: missing field `path`"),
        "{said}"
    );
    let said = open(&["--engines", "not-there.toml"]);
    assert!(said.contains("not-there.toml"), "{said}");
}
